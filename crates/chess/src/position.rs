//! A legal position.

use std::sync::LazyLock;

use crate::attacks::sliders::{Sliders, with_sliders};
use crate::validity::{self, Violation};
use crate::zobrist::{self, Key, PlacementKeys};
use crate::{Bitboard, Board, CastlingSide, Color, File, Move, Piece, PieceKind, Rank, Setup, Square, attacks};

/// A legal position: placement, side to move, castling rights, en-passant chance and clocks.
///
/// Every value of this type obeys [`crate::validity`]: there is no way to build one that does not, and playing
/// a legal move leads to another. Positions are copied, not unmade: keep the old one to take a move back.
///
/// ```
/// use kiebitz_chess::Position;
///
/// let mut position = Position::default();
/// position.play(position.parse_san("e4")?);
/// assert_eq!(position.to_string(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
/// assert_eq!(position.legal_moves().len(), 20);
/// # Ok::<(), kiebitz_chess::SanError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Position {
    pub(crate) board: Board,
    pub(crate) keys: PlacementKeys,
    /// Rights are rooks: a rook in this set may castle with its king. Chess960 needs nothing more.
    pub(crate) castling_rooks: Bitboard,
    pub(crate) fullmove_number: u16,
    pub(crate) halfmove_clock: u16,
    pub(crate) side_to_move: Color,
    /// Set only when some en-passant capture is legal, so that equal positions have equal keys.
    pub(crate) en_passant: Option<Square>,
}

const _: () = assert!(size_of::<Position>() <= 192, "three cache lines: copying is cheap");

impl Position {
    /// Who is to move.
    #[inline(always)]
    #[must_use]
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// Who stands where.
    #[inline(always)]
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The piece on a square.
    #[inline]
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board.piece_at(square)
    }

    /// All pieces of one kind and side.
    #[inline(always)]
    #[must_use]
    pub fn pieces(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.board.pieces(color, kind)
    }

    /// Every occupied square.
    #[inline(always)]
    #[must_use]
    pub fn occupied(&self) -> Bitboard {
        self.board.occupied()
    }

    /// The square of a side's king.
    #[inline(always)]
    #[must_use]
    pub fn king(&self, color: Color) -> Square {
        // A legal position has both kings; the fallback keeps the path free of panics.
        let king = self.board.king(color);
        debug_assert!(king.is_some(), "{color} has no king");
        king.unwrap_or(Square::A1)
    }

    /// The rooks that may still castle, of both sides.
    #[inline(always)]
    #[must_use]
    pub fn castling_rooks(&self) -> Bitboard {
        self.castling_rooks
    }

    /// The rook with which a side may still castle towards a wing.
    #[must_use]
    pub fn castling_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let rooks = self.castling_rooks & Rank::First.relative_to(color).bitboard();
        if rooks.is_empty() {
            return None;
        }
        let beyond = match side {
            CastlingSide::King => rooks.last(),
            CastlingSide::Queen => rooks.first(),
        }?;
        let king = self.king(color);
        let on_king_side = beyond.file() > king.file();
        (on_king_side == (side == CastlingSide::King)).then_some(beyond)
    }

    /// The square on which a pawn can be taken en passant; set only if such a capture is legal.
    #[inline(always)]
    #[must_use]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Plies since the last capture or pawn move.
    #[inline(always)]
    #[must_use]
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the current move.
    #[inline(always)]
    #[must_use]
    pub fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// Plies played since move 1, White to move.
    #[must_use]
    pub fn ply(&self) -> u32 {
        2 * u32::from(self.fullmove_number.saturating_sub(1)) + self.side_to_move as u32
    }

    /// The hash of everything that makes two positions the same for repetition: all but the clocks.
    #[inline]
    #[must_use]
    pub fn key(&self) -> Key {
        self.keys.all() ^ self.state_key()
    }

    /// The hash of the pawns alone.
    #[inline]
    #[must_use]
    pub fn pawn_key(&self) -> Key {
        self.keys.pawns()
    }

    /// The hash of knights and bishops.
    #[inline]
    #[must_use]
    pub fn minor_piece_key(&self) -> Key {
        self.keys.minor_pieces()
    }

    /// The hash of rooks, queens and kings.
    #[inline]
    #[must_use]
    pub fn heavy_piece_key(&self) -> Key {
        self.keys.heavy_pieces()
    }

    /// The hash of one side's pieces without its pawns.
    #[inline]
    #[must_use]
    pub fn piece_key(&self, color: Color) -> Key {
        self.keys.pieces_of(color)
    }

    /// The pieces of a side that attack a square, given every occupied square.
    #[inline]
    #[must_use]
    pub fn attackers(&self, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
        with_sliders!(|sliders| attackers(sliders, &self.board, square, by, occupied))
    }

    /// The enemy pieces that give check.
    #[inline]
    #[must_use]
    pub fn checkers(&self) -> Bitboard {
        let us = self.side_to_move;
        self.attackers(self.king(us), !us, self.occupied())
    }

    /// Whether the side to move is in check.
    #[inline]
    #[must_use]
    pub fn is_check(&self) -> bool {
        self.checkers().any()
    }

    /// Everything the position says, as a setup that may be edited.
    #[must_use]
    pub fn to_setup(&self) -> Setup {
        Setup {
            board: self.board.clone(),
            side_to_move: self.side_to_move,
            castling_rooks: self.castling_rooks,
            en_passant: self.en_passant,
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
        }
    }

    /// Whether castling in this position can be told from standard chess: a castling king not on the e-file or
    /// a castling rook not in a corner.
    #[must_use]
    pub fn is_chess960(&self) -> bool {
        Color::ALL.into_iter().any(|color| {
            let rooks = self.castling_rooks & Rank::First.relative_to(color).bitboard();
            let corners = File::A.bitboard() | File::H.bitboard();
            rooks.any() && (self.king(color).file() != File::E || !rooks.is_subset_of(corners))
        })
    }
}

/// The pieces of a side that attack a square.
#[inline(always)]
pub(crate) fn attackers(
    sliders: impl Sliders,
    board: &Board,
    square: Square,
    by: Color,
    occupied: Bitboard,
) -> Bitboard {
    attacks::pawn(!by, square) & board.pieces(by, PieceKind::Pawn)
        | attacks::knight(square) & board.pieces(by, PieceKind::Knight)
        | attacks::king(square) & board.pieces(by, PieceKind::King)
        | sliders.bishop(square, occupied) & board.diagonal_sliders(by)
        | sliders.rook(square, occupied) & board.straight_sliders(by)
}

/// Checks the setup against [`validity`] and drops an en-passant square on which nothing can be taken.
impl TryFrom<Setup> for Position {
    type Error = Violation;

    fn try_from(setup: Setup) -> Result<Self, Violation> {
        validity::check(&setup)?;
        let mut position = Self {
            keys: PlacementKeys::of(&setup.board),
            board: setup.board,
            castling_rooks: setup.castling_rooks,
            side_to_move: setup.side_to_move,
            en_passant: None,
            halfmove_clock: setup.halfmove_clock,
            fullmove_number: setup.fullmove_number,
        };
        if let Some(square) = setup.en_passant
            && position.can_take_en_passant(square)
        {
            position.en_passant = Some(square);
        }
        Ok(position)
    }
}

impl Position {
    /// The key of castling rights, en-passant chance and side to move.
    #[inline]
    fn state_key(&self) -> Key {
        let mut key = zobrist::castling_rooks(self.castling_rooks);
        if let Some(square) = self.en_passant {
            key ^= zobrist::en_passant(square);
        }
        if self.side_to_move == Color::Black {
            key ^= zobrist::black_to_move();
        }
        key
    }

    /// The key after a legal move, but for what the move does to castling rights, and for new en-passant chances: right nearly
    /// always, and early enough to bring memory near before the move is played.
    #[inline]
    #[must_use]
    pub fn likely_key_after(&self, mv: Move) -> Key {
        let us = self.side_to_move;
        let (from, to) = (mv.from(), mv.to());
        let Some(kind) = self.board.kind_at(from) else { return self.key() };
        let moved = zobrist::piece(us, Some(kind), from) ^ zobrist::piece(us, mv.promotion().or(Some(kind)), to);
        let taken = zobrist::piece(!us, self.board.kind_at(to), to);
        let passed = self.en_passant.map_or(Key::default(), zobrist::en_passant);
        self.key() ^ moved ^ taken ^ passed ^ zobrist::black_to_move()
    }

    /// The key computed from nothing but the visible facts; equal to [`Self::key`] in every position.
    #[must_use]
    pub fn key_from_scratch(&self) -> Key {
        PlacementKeys::of(&self.board).all() ^ self.state_key()
    }
}

impl Default for Position {
    /// The standard start position.
    fn default() -> Self {
        static START: LazyLock<Position> =
            LazyLock::new(|| Position::try_from(Setup::default()).expect("the standard start position is legal"));
        START.clone()
    }
}
