//! The evaluation as a table that a person can read.

use std::fmt;

use kiebitz_chess::{Color, Position};

use crate::ending::FULL_SCALE;
use crate::evaluation::{FULL_PHASE, Tally, known_ending};
use crate::king::penalty;
use crate::ledger::Counts;
use crate::parameters::WEIGHTS;
use crate::tapered::Tapered;
use crate::term::{Group, Kind, Term};

/// A value of one side in the middle game and in the end game, in centipawns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SideValue {
    /// In the middle game.
    pub middle: i32,
    /// In the end game.
    pub end: i32,
}

/// What a group of terms gives either side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GroupValue {
    /// Which terms.
    pub group: Group,
    /// For White.
    pub white: SideValue,
    /// For Black, also positive when good for Black.
    pub black: SideValue,
}

impl GroupValue {
    /// White minus Black.
    #[must_use]
    pub const fn total(&self) -> SideValue {
        SideValue { middle: self.white.middle - self.black.middle, end: self.white.end - self.black.end }
    }
}

/// How a value came about. [`fmt::Display`] prints it as a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// Every group of terms, in the order of [`Group::ALL`]; empty when `known_ending` is set.
    pub groups: Vec<GroupValue>,
    /// How much of the middle game is left: 24 at the start, 0 without pieces.
    pub phase: i32,
    /// The share of the end-game value that counts, in 128ths.
    pub scale: i32,
    /// A bare king that can be mated is judged by the way to mate alone: its value for White.
    pub known_ending: Option<i32>,
    /// The value for White.
    pub white_value: i32,
    /// Whose view [`Self::value`] takes.
    pub side_to_move: Color,
}

impl Explanation {
    /// The value for the side to move: what [`crate::Evaluator::evaluate`] returns.
    #[must_use]
    pub const fn value(&self) -> i32 {
        match self.side_to_move {
            Color::White => self.white_value,
            Color::Black => -self.white_value,
        }
    }

    /// What a middle-game and an end-game value for White add to the value, in tenths of a centipawn: blended by phase and
    /// scale as the evaluation blends their sum.
    #[must_use]
    pub fn blended_tenths(&self, value: SideValue) -> i32 {
        let blend = value.middle * self.phase * FULL_SCALE + value.end * self.scale * (FULL_PHASE - self.phase);
        (f64::from(blend) * 10.0 / f64::from(FULL_PHASE * FULL_SCALE)).round() as i32
    }

    /// The sum of all groups, White minus Black.
    #[must_use]
    pub fn total(&self) -> SideValue {
        self.groups.iter().fold(SideValue::default(), |sum, group| {
            let total = group.total();
            SideValue { middle: sum.middle + total.middle, end: sum.end + total.end }
        })
    }
}

/// Evaluates a position and says how the value came about.
#[must_use]
pub fn explain(position: &Position) -> Explanation {
    let mut counts = Counts::new();
    let tally = Tally::from_scratch(position, &mut counts);
    let (end, share) = tally.end(tally.bent());
    let known_ending = known_ending(position);
    let groups = match known_ending {
        Some(_) => Vec::new(),
        None => Group::ALL.into_iter().map(|group| group_value(group, &counts, &tally, end)).collect(),
    };
    Explanation {
        groups,
        phase: tally.phase,
        scale: share,
        known_ending,
        white_value: known_ending.unwrap_or_else(|| tally.value()),
        side_to_move: position.side_to_move(),
    }
}

fn group_value(group: Group, counts: &Counts, tally: &Tally, end: i32) -> GroupValue {
    let [mut white, mut black] = Color::ALL.map(|color| linear(group, counts, color));
    match group {
        Group::KingSafety => {
            white -= penalty(tally.danger[0]);
            black -= penalty(tally.danger[1]);
        }
        Group::Complexity => {
            let gain = crate::tapered::s(0, (end - tally.bent().end()) as i16);
            // It belongs to the side that is ahead, and may be a loss.
            if tally.bent().end() >= 0 { white += gain } else { black -= gain }
        }
        _ => {}
    }
    let side = |value: Tapered| SideValue { middle: value.middle(), end: value.end() };
    GroupValue { group, white: side(white), black: side(black) }
}

fn linear(group: Group, counts: &Counts, color: Color) -> Tapered {
    let mut sum = Tapered::ZERO;
    for term in Term::ALL.into_iter().filter(|term| term.group() == group && term.kind() == Kind::Linear) {
        for (offset, weight) in WEIGHTS[term.first()..term.end()].iter().enumerate() {
            sum += *weight * counts.of(color, term.first() + offset);
        }
    }
    sum
}

/// A table in pawns, White's view in the last columns.
impl fmt::Display for Explanation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pawns = |centipawns: i32| f64::from(centipawns) / 100.0;
        if let Some(value) = self.known_ending {
            writeln!(formatter, "bare king: judged by the way to mate, {:+.2} (White's view)", pawns(value))?;
            return write!(formatter, "value {:+.2} for {}", pawns(self.value()), self.side_to_move);
        }
        writeln!(formatter, "{:<13}|      White      |      Black      |      Total", "term")?;
        writeln!(formatter, "{:<13}|  middle     end |  middle     end |  middle     end", "")?;
        let rule = "-------------+-----------------+-----------------+-----------------";
        writeln!(formatter, "{rule}")?;
        for group in &self.groups {
            write!(formatter, "{:<13}|", group.group.name())?;
            for (value, last) in [(group.white, false), (group.black, false), (group.total(), true)] {
                let edge = if last { "\n" } else { " |" };
                write!(formatter, " {:>7.2} {:>7.2}{edge}", pawns(value.middle), pawns(value.end))?;
            }
        }
        writeln!(formatter, "{rule}")?;
        let total = self.total();
        writeln!(formatter, "{:<49}| {:>7.2} {:>7.2}", "total", pawns(total.middle), pawns(total.end))?;
        let share = 100 * self.scale / FULL_SCALE;
        writeln!(formatter, "phase {} of {FULL_PHASE}, {share} % of the end-game value counts", self.phase)?;
        write!(
            formatter,
            "value {:+.2} (White's view), {:+.2} for {}",
            pawns(self.white_value),
            pawns(self.value()),
            self.side_to_move
        )
    }
}
