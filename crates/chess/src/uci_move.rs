//! Moves as UCI writes them: `e2e4`, `e7e8q`.

use crate::play::castling_targets;
use crate::{CastlingSide, File, Move, MoveList, PieceKind, Position, Square};

/// How castling is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CastlingForm {
    /// The king's two squares, `e1g1`: standard chess.
    KingMove,
    /// The king's and the rook's square, `e1h1`: Chess960.
    KingTakesRook,
}

/// Why a text is not a move of this position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UciMoveError {
    /// Not two squares and perhaps a promotion letter.
    #[error("'{0}' is not a move: expected two squares and perhaps a promotion letter, such as e2e4 or e7e8q")]
    Syntax(String),
    /// Well-formed, but no legal move.
    #[error("{0} is not legal here")]
    Illegal(String),
}

impl Position {
    /// Reads a move; castling in either form.
    ///
    /// # Errors
    /// Says whether the text is no move at all or an illegal one.
    pub fn parse_uci(&self, text: &str) -> Result<Move, UciMoveError> {
        let shown = || text.chars().take(16).collect();
        let (from, to, promotion) = squares(text).ok_or_else(|| UciMoveError::Syntax(shown()))?;
        self.legal_move(from, to, promotion).ok_or_else(|| UciMoveError::Illegal(shown()))
    }

    /// The legal move between two squares, if there is one; castling in either form.
    #[must_use]
    pub fn legal_move(&self, from: Square, to: Square, promotion: Option<PieceKind>) -> Option<Move> {
        let mut moves = MoveList::new();
        self.collect_moves_of(from.bitboard(), &self.legality(), &mut moves);
        let plain = moves.iter().find(|mv| mv.to() == to && mv.promotion() == promotion);
        let castling = || {
            let side = self.castling_meant(from, to)?;
            moves.iter().find(|mv| mv.castling() == Some(side) && promotion.is_none())
        };
        plain.or_else(castling).copied()
    }

    /// Which castling a king's move of two squares means; a king on the e-file only, for elsewhere Chess960
    /// writes king takes rook.
    fn castling_meant(&self, from: Square, to: Square) -> Option<CastlingSide> {
        let us = self.side_to_move();
        let is_king = from == self.king(us) && from.file() == File::E;
        CastlingSide::ALL.into_iter().find(|&side| is_king && castling_targets(us, side).0 == to)
    }

    /// Writes a legal move.
    #[must_use]
    pub fn uci(&self, mv: Move, form: CastlingForm) -> String {
        match mv.castling() {
            Some(side) if form == CastlingForm::KingMove => {
                let (king, _) = castling_targets(self.side_to_move(), side);
                format!("{}{king}", mv.from())
            }
            _ => mv.to_string(),
        }
    }
}

fn squares(text: &str) -> Option<(Square, Square, Option<PieceKind>)> {
    let from = text.get(0..2)?.parse().ok()?;
    let to = text.get(2..4)?.parse().ok()?;
    let promotion = match text.get(4..)? {
        "" => None,
        "q" => Some(PieceKind::Queen),
        "r" => Some(PieceKind::Rook),
        "b" => Some(PieceKind::Bishop),
        "n" => Some(PieceKind::Knight),
        _ => return None,
    };
    Some((from, to, promotion))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_of_castling_are_read() {
        let position: Position = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".parse().unwrap();
        for (king_move, takes_rook) in [("e1g1", "e1h1"), ("e1c1", "e1a1")] {
            let mv = position.parse_uci(king_move).unwrap();
            assert_eq!(position.parse_uci(takes_rook), Ok(mv));
            assert_eq!(position.uci(mv, CastlingForm::KingMove), king_move);
            assert_eq!(position.uci(mv, CastlingForm::KingTakesRook), takes_rook);
        }
    }

    #[test]
    fn a_king_step_in_chess960_is_not_castling() {
        let position: Position = "4k3/8/8/8/8/8/8/5K1R w H - 0 1".parse().unwrap();
        assert_eq!(position.parse_uci("f1g1").unwrap().castling(), None);
        assert!(position.parse_uci("f1h1").unwrap().castling().is_some());
    }

    #[test]
    fn errors_tell_what_is_wrong() {
        let position = Position::default();
        for text in ["", "e2", "e2e", "e2e4x", "e9e4", "0000", "é2e4", "e2e44"] {
            assert!(matches!(position.parse_uci(text), Err(UciMoveError::Syntax(_))), "{text}");
        }
        for text in ["e2e5", "e7e5", "e2e4q", "e1g1"] {
            assert!(matches!(position.parse_uci(text), Err(UciMoveError::Illegal(_))), "{text}");
        }
    }
}
