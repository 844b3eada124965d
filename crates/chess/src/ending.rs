//! How games end.

use std::fmt;

use crate::{Bitboard, Color, PieceKind, Position};

/// The result of a finished game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// One side has won.
    Win(Color),
    /// Nobody has won.
    Draw,
}

impl Outcome {
    /// A side's points: 1, ½ or 0.
    #[must_use]
    pub fn points(self, color: Color) -> f64 {
        match self {
            Self::Draw => 0.5,
            Self::Win(winner) => f64::from(u8::from(winner == color)),
        }
    }
}

/// `1-0`, `0-1` or `1/2-1/2`.
impl fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Win(Color::White) => "1-0",
            Self::Win(Color::Black) => "0-1",
            Self::Draw => "1/2-1/2",
        })
    }
}

/// Why the rules end a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// The side to move is in check and has no legal move.
    Checkmate {
        /// The side that gave mate.
        winner: Color,
    },
    /// The side to move is not in check and has no legal move.
    Stalemate,
    /// No sequence of legal moves can mate either side.
    InsufficientMaterial,
    /// Fifty moves by each side without capture or pawn move; a player may claim it.
    FiftyMoves,
    /// The position stands for the third time; a player may claim it.
    ThreefoldRepetition,
    /// Seventy-five such moves: the game is over unasked.
    SeventyFiveMoves,
    /// The position stands for the fifth time: the game is over unasked.
    FivefoldRepetition,
}

impl Ending {
    /// Who has won.
    #[must_use]
    pub fn outcome(self) -> Outcome {
        match self {
            Self::Checkmate { winner } => Outcome::Win(winner),
            _ => Outcome::Draw,
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Checkmate { winner } => write!(formatter, "checkmate, {winner} wins"),
            Self::Stalemate => formatter.write_str("draw by stalemate"),
            Self::InsufficientMaterial => formatter.write_str("draw by insufficient material"),
            Self::FiftyMoves => formatter.write_str("draw by the fifty-move rule"),
            Self::ThreefoldRepetition => formatter.write_str("draw by threefold repetition"),
            Self::SeventyFiveMoves => formatter.write_str("draw by the seventy-five-move rule"),
            Self::FivefoldRepetition => formatter.write_str("draw by fivefold repetition"),
        }
    }
}

impl Position {
    /// Whether the side to move is mated.
    #[must_use]
    pub fn is_checkmate(&self) -> bool {
        self.is_check() && !self.has_legal_moves()
    }

    /// Whether the side to move has no move but is not in check.
    #[must_use]
    pub fn is_stalemate(&self) -> bool {
        !self.is_check() && !self.has_legal_moves()
    }

    /// Whether neither side can ever mate: bare kings, one minor piece, or bishops that all stand on squares of
    /// one color.
    #[must_use]
    pub fn is_insufficient_material(&self) -> bool {
        let board = self.board();
        let kings = board.kind(PieceKind::King);
        let knights = board.kind(PieceKind::Knight);
        let bishops = board.kind(PieceKind::Bishop);
        if (board.occupied() - kings - knights - bishops).any() {
            return false;
        }
        let one_colored = bishops.is_subset_of(Bitboard::LIGHT_SQUARES) || bishops.is_subset_of(Bitboard::DARK_SQUARES);
        if knights.is_empty() { one_colored } else { (knights | bishops).len() == 1 }
    }

    /// Whether the game is over by this position alone: mate, stalemate or bare material.
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        if !self.has_legal_moves() {
            return Some(if self.is_check() {
                Ending::Checkmate { winner: !self.side_to_move() }
            } else {
                Ending::Stalemate
            });
        }
        self.is_insufficient_material().then_some(Ending::InsufficientMaterial)
    }
}
