//! Choosing a move as a player, and answering an offered draw.

use std::time::Duration;

use kiebitz_chess::{Color, GameHistory, Score};
use kiebitz_messages::{Event, GameClock, ScoreView};
use kiebitz_search::{GameTime, SearchLimits, SearchSignal, WinningChances};

use crate::{Desk, line_moves};

/// Nodes with which a player looks at a game before it answers an offer.
const DRAW_NODES: u64 = 100_000;
/// Expected points below which nobody refuses a draw.
const CONTENT: f64 = 0.52;

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
    let accepted = points < CONTENT;
    let expected = format!("I expect {:.0} % of the points", 100.0 * points);
    let reason = if accepted { format!("{expected}, so a draw is fine.") } else { format!("{expected}: I play on.") };
    Event::DrawAnswer { id, accepted, reason }
}

#[cfg(test)]
mod tests {
    use super::*;

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
