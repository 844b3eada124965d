//! Positions the checks ask about.

use kiebitz_chess::{GameHistory, Position};
use kiebitz_uci::{GuiMessage, PositionMessage};

/// White mates in one move: Ra8.
pub(super) const MATE_IN_1: &str = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
/// White mates in two moves, by a ladder of rooks.
pub(super) const MATE_IN_2: &str = "6k1/8/8/8/8/8/R7/1R4K1 w - - 0 1";
/// Whatever Black plays, White mates at once.
pub(super) const MATED_IN_1: &str = "6k1/R7/8/8/8/8/8/1R4K1 b - - 0 1";
/// Black is mated.
pub(super) const MATED: &str = "R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1";
/// Black is stalemated.
pub(super) const STALEMATED: &str = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
/// A middlegame with everything: castling both ways, captures, checks.
pub(super) const MIDDLEGAME: &str = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 6 9";
/// An endgame with Black to move.
pub(super) const ENDGAME: &str = "8/5pk1/4p1p1/3pP2p/p2P1P1P/P3K1P1/8/8 b - - 3 41";
/// White has a queen more; whose move it is, is left open.
pub(super) const QUEEN_UP: &str = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
/// Black has a queen more.
pub(super) const QUEEN_DOWN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR";

/// A question: the line that is sent and the position it leads to.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) command: String,
    pub(super) position: Position,
}

impl Asked {
    /// The position after a `position` command of ours.
    ///
    /// # Panics
    /// Never with the fixed commands of the checks; the tests send all of them.
    pub(super) fn command(command: impl Into<String>) -> Self {
        let command = command.into();
        let game = match GuiMessage::parse(&command).message {
            Some(GuiMessage::Position(message)) => message.resolve().expect("our own positions are legal"),
            _ => unreachable!("only position commands are asked about"),
        };
        Self { command, position: game.position().clone() }
    }

    pub(super) fn fen(fen: &str) -> Self {
        Self::command(format!("position fen {fen}"))
    }

    pub(super) fn start() -> Self {
        Self::command("position startpos")
    }

    pub(super) fn game(game: &GameHistory) -> Self {
        let message = PositionMessage::of(game, kiebitz_chess::CastlingForm::KingMove);
        Self { command: message.to_string(), position: game.position().clone() }
    }
}

/// A legal game of at least so many plies that has not ended, the same every time.
pub(super) fn long_game(plies: usize) -> GameHistory {
    let mut state = 1_u64;
    let mut game = GameHistory::default();
    while game.moves().len() < plies {
        // Knuth's linear congruential generator; its upper half is random enough for nonsense moves.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let moves = game.position().legal_moves();
        // Captures would use the pieces up, and a game of that length needs them.
        let quiet: Vec<_> = moves.iter().copied().filter(|mv| mv.is_quiet()).collect();
        let choice = if quiet.is_empty() { moves.to_vec() } else { quiet };
        let index = usize::try_from(state >> 33).unwrap_or(0) % choice.len().max(1);
        match choice.get(index) {
            Some(&mv) => game.play(mv),
            // A dead end: back, and on with other random numbers.
            None => {
                game.undo();
                game.undo();
            }
        }
        if !game.position().has_legal_moves() {
            game.undo();
        }
    }
    game
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_what_they_say() {
        assert!(Asked::fen(MATED).position.is_checkmate());
        assert!(Asked::fen(STALEMATED).position.is_stalemate());
        let mating = |position: &Position| position.legal_moves().iter().any(|&mv| position.after(mv).is_checkmate());
        assert!(mating(&Asked::fen(MATE_IN_1).position));
        let before = Asked::fen(MATE_IN_2).position;
        assert!(!mating(&before));
        let forces = |position: &Position| {
            position.has_legal_moves() && position.legal_moves().iter().all(|&mv| mating(&position.after(mv)))
        };
        assert!(before.legal_moves().iter().any(|&mv| forces(&before.after(mv))));
        assert!(forces(&Asked::fen(MATED_IN_1).position));
        for fen in [MIDDLEGAME, ENDGAME] {
            assert!(Asked::fen(fen).position.has_legal_moves());
        }
    }

    #[test]
    fn the_long_game_is_long_and_goes_on() {
        let game = long_game(320);
        assert_eq!(game.moves().len(), 320);
        assert!(game.position().has_legal_moves());
    }
}
