//! A game as PGN.
//!
//! Behind every move of a player stands what it told: `{[%eval 0.17,12] [%clk 0:00:30.5] [%emt 0:00:00.412] n=48213}`, the
//! evaluation seen by White as everywhere in PGN; behind the last one, and in the tag `Termination`, why the game ended.

use std::time::{SystemTime, UNIX_EPOCH};

use kiebitz_chess::{Color, Score};
use kiebitz_pgn::{Command, Comment, Evaluation, EvaluationScore, Game, NodeId};

use super::{GameRecord, MoveRecord};
use crate::TimeControl;

/// What stands around the moves.
#[derive(Clone, Copy, Debug)]
pub struct PgnStyle<'a> {
    /// The name of the tournament.
    pub event: &'a str,
    /// The names of White and Black.
    pub players: [&'a str; Color::COUNT],
    /// What White and Black had.
    pub controls: [TimeControl; Color::COUNT],
    /// Whether dates and times are told; without them equal games have equal texts.
    pub times: bool,
}

/// The game as PGN.
#[must_use]
pub fn pgn_of(record: &GameRecord, style: &PgnStyle<'_>) -> Game {
    let mut game = Game::new(record.opening.start.clone());
    let id = record.game.id;
    let mut set = |name: &str, value: &str| {
        game.set_tag(name, value);
    };
    set("Event", style.event);
    set("Round", &format!("{}.{}.{}", record.game.round + 1, id.turn + 1, id.leg + 1));
    set("White", style.players[0]);
    set("Black", style.players[1]);
    if style.times {
        set("Date", &date(record.begun));
        set("GameDuration", &format!("{:.3}", record.duration.as_secs_f64()));
    }
    let [white, black] = style.controls;
    if white == black {
        set("TimeControl", &control_tag(&white));
    } else {
        set("TimeControl", "?");
        set("WhiteTimeControl", &control_tag(&white));
        set("BlackTimeControl", &control_tag(&black));
    }
    set("PlyCount", &(record.opening.moves.len() + record.moves.len()).to_string());
    set("Termination", record.termination.tag());
    game.set_outcome(Some(record.outcome()));

    let mut node = NodeId::ROOT;
    for &mv in &record.opening.moves {
        let Some(next) = game.add(node, mv) else { return game };
        node = next;
    }
    if !record.opening.moves.is_empty() {
        game.add_comment(node, Comment::new("book"));
    }
    let mut mover = record.opening.position().side_to_move();
    for told in &record.moves {
        let Some(next) = game.add(node, told.mv) else { return game };
        node = next;
        game.add_comment(node, comment(told, mover, style.times));
        mover = !mover;
    }
    game.add_comment(node, Comment::new(&record.termination.to_string()));
    game
}

/// What the player told about its move.
fn comment(told: &MoveRecord, mover: Color, times: bool) -> Comment {
    let mut commands = Vec::new();
    if let Some(score) = told.score {
        let score = match evaluation(score) {
            EvaluationScore::Centipawns(value) if mover == Color::Black => EvaluationScore::Centipawns(-value),
            EvaluationScore::Mate(moves) if mover == Color::Black => EvaluationScore::Mate(-moves),
            score => score,
        };
        let depth = told.depth.and_then(|depth| u16::try_from(depth).ok());
        commands.push(Command::Evaluation(Evaluation { score, depth }));
    }
    if times {
        commands.extend(told.clock.map(Command::Clock));
        commands.push(Command::Elapsed(told.elapsed));
    }
    let text: Vec<String> = commands.iter().map(ToString::to_string).collect();
    let nodes = told.nodes.map(|nodes| format!("n={nodes}"));
    Comment::new(&[text.join(" "), nodes.unwrap_or_default()].join(" "))
}

fn evaluation(score: Score) -> EvaluationScore {
    score.mate_moves().map_or(EvaluationScore::Centipawns(score.value()), EvaluationScore::Mate)
}

/// What the standard knows, in its own form; what it does not know, in ours.
fn control_tag(control: &TimeControl) -> String {
    let margin_aside = TimeControl { margin: std::time::Duration::ZERO, ..*control };
    margin_aside.to_string()
}

/// The day in UTC as PGN writes it.
fn date(time: SystemTime) -> String {
    let days = time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() / (24 * 60 * 60);
    let (year, month, day) = civil(days);
    format!("{year:04}.{month:02}.{day:02}")
}

/// Year, month and day of a day counted from 1 January 1970.
fn civil(days: u64) -> (u64, u64, u64) {
    let is_leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    // The calendar repeats itself after 400 years.
    const CYCLE: u64 = 146_097;
    let (mut year, mut rest) = (1970 + days / CYCLE * 400, days % CYCLE);
    while rest >= 365 + u64::from(is_leap(year)) {
        rest -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    for (month, length) in (1..).zip(lengths) {
        if rest < length {
            return (year, month, rest + 1);
        }
        rest -= length;
    }
    (year, 12, 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(59), (1970, 3, 1));
        assert_eq!(civil(11_016), (2000, 2, 29));
        assert_eq!(civil(20_454), (2026, 1, 1));
        assert_eq!(civil(20_453), (2025, 12, 31));
    }
}
