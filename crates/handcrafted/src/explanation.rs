//! The evaluation as a table that a person can read.

use std::fmt;
use std::ops::AddAssign;

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

impl AddAssign for SideValue {
    fn add_assign(&mut self, other: Self) {
        self.middle += other.middle;
        self.end += other.end;
    }
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

/// What the numbers of a term are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// A part of the value of its group.
    Centipawns,
    /// A part of the danger to the side's own king, in units of its own; the sum is bent into one penalty in centipawns.
    Danger,
    /// A part, end-game half alone and noted as White's, of what the side that is ahead gains.
    Complexity,
}

/// What a single term gives either side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TermValue {
    /// Where it belongs.
    pub group: Group,
    /// What it is called in the source.
    pub name: &'static str,
    /// What its numbers are.
    pub unit: Unit,
    /// For White.
    pub white: SideValue,
    /// For Black.
    pub black: SideValue,
}

/// How a value came about. [`fmt::Display`] prints it as a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// Every group of terms, in the order of [`Group::ALL`]; empty when `known_ending` is set.
    pub groups: Vec<GroupValue>,
    /// Every term that is not zero, group by group.
    pub terms: Vec<TermValue>,
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
    let (groups, terms) = match known_ending {
        Some(_) => (Vec::new(), Vec::new()),
        None => {
            let terms = terms(&counts, &tally, end);
            (Group::ALL.into_iter().map(|group| group_value(group, &terms)).collect(), terms)
        }
    };
    Explanation {
        groups,
        terms,
        phase: tally.phase,
        scale: share,
        known_ending,
        white_value: known_ending.unwrap_or_else(|| tally.value()),
        side_to_move: position.side_to_move(),
    }
}

/// All terms that are not zero; what is bent or clamped as a whole is a term of its own.
fn terms(counts: &Counts, tally: &Tally, end: i32) -> Vec<TermValue> {
    let mut terms = Vec::new();
    for group in Group::ALL {
        let mut add = |name, unit, [white, black]: [Tapered; Color::COUNT]| {
            let side = |value: Tapered| SideValue { middle: value.middle(), end: value.end() };
            let (white, black) = (side(white), side(black));
            if (white, black) != Default::default() {
                terms.push(TermValue { group, name, unit, white, black });
            }
        };
        for term in Term::ALL.into_iter().filter(|term| term.group() == group) {
            let unit = match term.kind() {
                Kind::Linear => Unit::Centipawns,
                Kind::Danger => Unit::Danger,
                Kind::Complexity => Unit::Complexity,
                // Shown as the share of the end game that counts.
                Kind::Scale => continue,
            };
            add(term.name(), unit, Color::ALL.map(|color| weighed(term, counts, color)));
        }
        match group {
            Group::KingSafety => add("DangerPenalty", Unit::Centipawns, tally.danger.map(|danger| -penalty(danger))),
            Group::Complexity => {
                let gain = crate::tapered::s(0, (end - tally.bent().end()) as i16);
                // It belongs to the side that is ahead, and may be a loss.
                let is_white_ahead = tally.bent().end() >= 0;
                let gains = if is_white_ahead { [gain, Tapered::ZERO] } else { [Tapered::ZERO, -gain] };
                add("ComplexityGain", Unit::Centipawns, gains);
            }
            _ => {}
        }
    }
    terms
}

fn weighed(term: Term, counts: &Counts, color: Color) -> Tapered {
    let mut sum = Tapered::ZERO;
    for (offset, weight) in WEIGHTS[term.first()..term.end()].iter().enumerate() {
        sum += *weight * counts.of(color, term.first() + offset);
    }
    sum
}

fn group_value(group: Group, terms: &[TermValue]) -> GroupValue {
    let mut value = GroupValue { group, white: SideValue::default(), black: SideValue::default() };
    for term in terms.iter().filter(|term| term.group == group && term.unit == Unit::Centipawns) {
        value.white += term.white;
        value.black += term.black;
    }
    value
}

/// A name of the source as words: `PassedOwnKing` as `passed own king`.
fn words(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.push(letter.to_ascii_lowercase());
    }
    words
}

fn pawns(centipawns: i32) -> f64 {
    f64::from(centipawns) / 100.0
}

/// One line of the table.
fn write_row(formatter: &mut fmt::Formatter<'_>, name: &str, white: SideValue, black: SideValue) -> fmt::Result {
    let total = GroupValue { group: Group::Material, white, black }.total();
    write!(formatter, "{name:<27}|")?;
    for (value, edge) in [(white, " |"), (black, " |"), (total, "\n")] {
        write!(formatter, " {:>7.2} {:>7.2}{edge}", pawns(value.middle), pawns(value.end))?;
    }
    Ok(())
}

impl Explanation {
    /// What bends into a penalty or a gain, in its own units.
    fn write_parts(&self, formatter: &mut fmt::Formatter<'_>, unit: Unit) -> fmt::Result {
        let sum =
            |value: fn(&TermValue) -> i32| self.terms.iter().filter(|term| term.unit == unit).map(value).sum::<i32>();
        for term in self.terms.iter().filter(|term| term.unit == unit) {
            let name = format!("  {}", words(term.name));
            let TermValue { white, black, .. } = term;
            writeln!(
                formatter,
                "{name:<27}| {:>7} {:>7} | {:>7} {:>7}",
                white.middle, white.end, black.middle, black.end
            )?;
        }
        writeln!(
            formatter,
            "{:<27}| {:>7} {:>7} | {:>7} {:>7}",
            "  sum",
            sum(|term| term.white.middle),
            sum(|term| term.white.end),
            sum(|term| term.black.middle),
            sum(|term| term.black.end)
        )
    }
}

/// A table in pawns, White's view in the last columns: every group, and below it its terms that are not zero.
impl fmt::Display for Explanation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(value) = self.known_ending {
            writeln!(formatter, "bare king: judged by the way to mate, {:+.2} (White's view)", pawns(value))?;
            return write!(formatter, "value {:+.2} for {}", pawns(self.value()), self.side_to_move);
        }
        writeln!(formatter, "{:<27}|      White      |      Black      |      Total", "term")?;
        writeln!(formatter, "{:<27}|  middle     end |  middle     end |  middle     end", "")?;
        let rule = "---------------------------+-----------------+-----------------+-----------------";
        writeln!(formatter, "{rule}")?;
        for group in &self.groups {
            write_row(formatter, group.group.name(), group.white, group.black)?;
            let of_group = |term: &&TermValue| term.group == group.group && term.unit == Unit::Centipawns;
            for term in self.terms.iter().filter(of_group) {
                write_row(formatter, &format!("  {}", words(term.name)), term.white, term.black)?;
            }
        }
        writeln!(formatter, "{rule}")?;
        let total = self.total();
        writeln!(formatter, "{:<63}| {:>7.2} {:>7.2}", "total", pawns(total.middle), pawns(total.end))?;
        writeln!(formatter, "\nDanger to either king, in units of its own; the sum, bent, is the danger penalty.")?;
        self.write_parts(formatter, Unit::Danger)?;
        writeln!(
            formatter,
            "\nPlay that is left, in centipawns for whoever is ahead; the sum, at most the advantage, is the complexity gain."
        )?;
        self.write_parts(formatter, Unit::Complexity)?;
        let share = 100 * self.scale / FULL_SCALE;
        writeln!(formatter, "\nphase {} of {FULL_PHASE}, {share} % of the end-game value counts", self.phase)?;
        write!(
            formatter,
            "value {:+.2} (White's view), {:+.2} for {}",
            pawns(self.white_value),
            pawns(self.value()),
            self.side_to_move
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_term_that_counts_has_its_line() {
        let position: Position =
            "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R b KQ - 4 8".parse().expect("legal");
        let explanation = explain(&position);
        let text = explanation.to_string();
        for term in &explanation.terms {
            let name = format!("  {} ", words(term.name));
            assert_eq!(text.lines().filter(|line| line.starts_with(&name)).count(), 1, "{name}\n{text}");
        }
        assert!(explanation.terms.len() > 30, "{text}");
        // What bends is shown too, and bends into what is shown: the square of the danger over 1024.
        let danger = |value: fn(&TermValue) -> i32| {
            explanation.terms.iter().filter(|term| term.unit == Unit::Danger).map(value).sum::<i32>().max(0)
        };
        let penalty = explanation.terms.iter().find(|term| term.name == "DangerPenalty").expect("some danger");
        assert_eq!(penalty.white.middle, -danger(|term| term.white.middle).pow(2) / 1024);
        assert_eq!(penalty.black.middle, -danger(|term| term.black.middle).pow(2) / 1024);
        assert_eq!(penalty.black.end, -danger(|term| term.black.end) / 16);
    }
}
