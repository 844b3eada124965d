//! Anything that a FEN can say, legal or not.

use crate::{Bitboard, Board, Color, Rank, Square};

/// A position that nobody has checked yet: what a FEN, an editor or a shard says.
///
/// [`crate::Position::try_from`] turns a setup into a position or says what is wrong with it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Setup {
    /// The placement.
    pub board: Board,
    /// Who is to move.
    pub side_to_move: Color,
    /// The rooks that may still castle.
    pub castling_rooks: Bitboard,
    /// The square behind a pawn that has just advanced two squares.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// The number of the current move, which counts up after Black's.
    pub fullmove_number: u16,
}

impl Setup {
    /// An empty board with White to move.
    pub const EMPTY: Self = Self {
        board: Board::EMPTY,
        side_to_move: Color::White,
        castling_rooks: Bitboard::EMPTY,
        en_passant: None,
        halfmove_clock: 0,
        fullmove_number: 1,
    };

    /// The Chess960 start position with this number (0 to 959, Reinhard Scharnagl's numbering; 518 is the
    /// standard one) for White and another one for Black, as in double Chess960.
    #[must_use]
    pub fn chess960(white: u16, black: u16) -> Option<Self> {
        crate::chess960::start(white, black)
    }

    /// The castling rooks of one side.
    #[must_use]
    pub fn castling_rooks_of(&self, color: Color) -> Bitboard {
        self.castling_rooks & Rank::First.relative_to(color).bitboard()
    }
}

impl Default for Setup {
    /// The standard start position.
    fn default() -> Self {
        let corners = [Square::A1, Square::H1, Square::A8, Square::H8];
        Self { board: Board::default(), castling_rooks: corners.into_iter().collect(), ..Self::EMPTY }
    }
}
