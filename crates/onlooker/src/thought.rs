//! Choosing a move as a player, and answering an offered draw.

use std::time::Duration;

use kiebitz_chess::{Color, GameHistory, Position, Score};
use kiebitz_messages::{Event, GameClock, ScoreView};
use kiebitz_search::{GameTime, SearchLimits, SearchSignal, WinningChances};

use crate::{Desk, line_moves};

/// Nodes with which a player looks at a game before it answers an offer.
const DRAW_NODES: u64 = 100_000;
/// Expected points below which nobody refuses a draw.
const CONTENT: f64 = 0.52;
/// Before this move and with so many pieces a game has hardly begun, and only who stands badly takes a draw.
const EARLY_MOVES: u16 = 20;
const EARLY_PIECES: usize = 20;
const CONTENT_EARLY: f64 = 0.3;

/// The longest that a player may think, whatever the clocks say: others wait for the engine.
const LONGEST_THOUGHT: Duration = Duration::from_secs(60);

/// How long a player may think.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Allowance {
    /// As the clocks allow.
    Clock(GameClock),
    /// For so long.
    Time(Duration),
}

/// Chooses a move.
pub(crate) fn think(
    id: u32,
    desk: &mut Desk,
    history: &GameHistory,
    allowance: Allowance,
    signal: &SearchSignal,
) -> Event {
    let position = history.position();
    let mover = position.side_to_move();
    let searched = desk.look(history, &limits_of(allowance, mover), signal);
    let (score, moves) = searched.best().map_or((Score::DRAW, &[][..]), |line| (line.score, line.moves.as_slice()));
    let line = line_moves(position, moves);
    Event::Thought { id, best: line.first().cloned(), score: ScoreView::of(score, mover), line, depth: searched.depth }
}

fn limits_of(allowance: Allowance, mover: Color) -> SearchLimits {
    match allowance {
        Allowance::Clock(clock) => {
            let left = if mover == Color::White { clock.white_ms } else { clock.black_ms };
            let game_time = GameTime {
                left: Duration::from_millis(left.into()),
                increment: Duration::from_millis(clock.increment_ms.into()),
                moves_to_go: None,
            };
            SearchLimits { game_time: Some(game_time), move_time: Some(LONGEST_THOUGHT), ..SearchLimits::default() }
        }
        Allowance::Time(time) => SearchLimits { move_time: Some(time.min(LONGEST_THOUGHT)), ..SearchLimits::default() },
    }
}

/// Whether a player takes a draw: if it does not expect more than half a point.
pub(crate) fn answer_draw(
    id: u32,
    desk: &mut Desk,
    history: &GameHistory,
    player: Color,
    signal: &SearchSignal,
) -> Event {
    let searched = desk.look(history, &SearchLimits::nodes(DRAW_NODES), signal);
    let mover = history.position().side_to_move();
    let score = searched.best().map_or(Score::DRAW, |line| line.score);
    let score = if mover == player { score } else { -score };
    let points = WinningChances::CONVENTIONAL.expected_points(score);
    let (accepted, reason) = verdict(points, history.position());
    Event::DrawAnswer { id, accepted, reason }
}

/// Whether a draw is taken by whoever expects so many points, and what is said to it.
fn verdict(points: f64, position: &Position) -> (bool, String) {
    let expected = format!("I expect {:.0} % of a point", 100.0 * points);
    if points >= CONTENT {
        return (false, format!("{expected}: I play on."));
    }
    let early = position.fullmove_number() < EARLY_MOVES && position.board().iter().count() >= EARLY_PIECES;
    if early && points >= CONTENT_EARLY {
        return (false, "The game has hardly begun: I play on.".to_owned());
    }
    (true, format!("{expected}, so a draw is fine."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_takes_a_draw_at_once_unless_it_stands_badly() {
        let start = Position::default();
        let later: Position = "r1bq1rk1/pp3ppp/2n2n2/3p4/3P4/2N2N2/PP3PPP/R1BQ1RK1 w - - 0 20".parse().unwrap();
        let ending: Position = "4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1".parse().unwrap();
        assert!(!verdict(0.45, &start).0 && verdict(0.1, &start).0);
        assert!(verdict(0.5, &later).0 && verdict(0.5, &ending).0);
        assert!(!verdict(0.53, &later).0);
    }

    #[test]
    fn no_clock_lets_a_player_keep_the_engine() {
        let clock = GameClock { white_ms: u32::MAX, black_ms: 1000, increment_ms: u32::MAX };
        let limits = limits_of(Allowance::Clock(clock), Color::White);
        assert_eq!(
            (limits.game_time.unwrap().left.as_millis(), limits.move_time),
            (u32::MAX.into(), Some(LONGEST_THOUGHT))
        );
        let limits = limits_of(Allowance::Time(Duration::from_secs(3600)), Color::Black);
        assert_eq!(limits.move_time, Some(LONGEST_THOUGHT));
    }
}
