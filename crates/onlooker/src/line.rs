//! Positions and moves as messages have them.

use kiebitz_chess::{CastlingForm, FenMode, GameHistory, Move, Position};
use kiebitz_messages::{Fault, FaultCode, Line, LineMove};

/// The longest game that is read, in plies: longer than any that the rules allow people to finish.
pub const MAX_PLIES: usize = 3000;

/// A position with its past.
///
/// # Errors
/// Says which field is wrong: the start, or which move.
pub fn read_line(line: &Line) -> Result<GameHistory, Fault> {
    let start = Position::from_fen(&line.start, FenMode::Lenient)
        .map_err(|error| Fault::new(FaultCode::Chess, format!("The start is no position: {error}.")).at("start"))?;
    if line.moves.len() > MAX_PLIES {
        let message = format!("{} moves are more than the {MAX_PLIES} that are read.", line.moves.len());
        return Err(Fault::new(FaultCode::Limit, message).at("moves"));
    }
    let mut history = GameHistory::new(start);
    for (index, text) in line.moves.iter().enumerate() {
        let mv = history.position().parse_uci(text).map_err(|error| {
            Fault::new(FaultCode::Chess, format!("Move {} cannot be played: {error}.", index + 1)).at("moves")
        })?;
        history.play(mv);
    }
    Ok(history)
}

/// A legal move in both notations.
#[must_use]
pub fn shown_move(position: &Position, mv: Move) -> LineMove {
    let form = if position.is_chess960() { CastlingForm::KingTakesRook } else { CastlingForm::KingMove };
    LineMove { uci: position.uci(mv, form), san: position.san(mv).to_string() }
}

/// A line of moves from a position; it ends before a move that is not legal.
#[must_use]
pub fn line_moves(position: &Position, moves: &[Move]) -> Vec<LineMove> {
    let mut at = position.clone();
    let mut shown = Vec::with_capacity(moves.len());
    for &mv in moves {
        if !at.is_legal(mv) {
            break;
        }
        shown.push(shown_move(&at, mv));
        at.play(mv);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(start: &str, moves: &[&str]) -> Line {
        Line { start: start.into(), moves: moves.iter().map(ToString::to_string).collect() }
    }

    #[test]
    fn faults_name_their_field() {
        let start = Position::default().to_string();
        assert_eq!(read_line(&line("nonsense", &[])).unwrap_err().field.as_deref(), Some("start"));
        let fault = read_line(&line(&start, &["e2e4", "e7e4"])).unwrap_err();
        assert_eq!(fault.field.as_deref(), Some("moves"));
        assert!(fault.message.starts_with("Move 2 cannot"), "{}", fault.message);
        let many = vec!["g1f3"; MAX_PLIES + 1];
        assert_eq!(read_line(&line(&start, &many)).unwrap_err().code, FaultCode::Limit);
    }

    #[test]
    fn castling_is_written_as_the_position_needs_it() {
        let standard = read_line(&line("4k3/8/8/8/8/8/8/4K2R w K - 0 1", &[])).unwrap();
        let castle = standard.position().parse_uci("e1h1").unwrap();
        assert_eq!(shown_move(standard.position(), castle).uci, "e1g1");
        let chess960 = read_line(&line("4k3/8/8/8/8/8/8/1K3R2 w F - 0 1", &[])).unwrap();
        let castle = chess960.position().parse_uci("b1f1").unwrap();
        let shown = shown_move(chess960.position(), castle);
        assert_eq!((shown.uci.as_str(), shown.san.as_str()), ("b1f1", "O-O"));
    }
}
