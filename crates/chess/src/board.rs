//! Who stands where.

use std::fmt;

use crate::{Bitboard, Color, File, Piece, PieceKind, Rank, Square};

/// The placement of pieces, and nothing else: no side to move, no rights, no promise of legality.
///
/// The same fact is kept in two shapes because both questions are hot: *where are the knights?* (sets) and
/// *what is on e4?* (one byte a square). Every change goes through the three methods at the end.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Board {
    /// One set a kind, then one set a color; together so that one sweep empties squares in all of them.
    sets: [Bitboard; COLORS + Color::COUNT],
    kinds: [Option<PieceKind>; Square::COUNT],
}

/// Where in [`Board::sets`] the colors begin.
const COLORS: usize = PieceKind::COUNT;

const _: () = assert!(size_of::<Board>() == 128);

impl Board {
    /// No pieces.
    pub const EMPTY: Self = Self { sets: [Bitboard::EMPTY; COLORS + Color::COUNT], kinds: [None; Square::COUNT] };

    /// All pieces of a kind, of both sides.
    #[inline(always)]
    #[must_use]
    pub const fn kind(&self, kind: PieceKind) -> Bitboard {
        self.sets[kind as usize]
    }

    /// All pieces of a side.
    #[inline(always)]
    #[must_use]
    pub const fn color(&self, color: Color) -> Bitboard {
        self.sets[COLORS + color as usize]
    }

    /// All pieces of one kind and side.
    #[inline(always)]
    #[must_use]
    pub const fn pieces(&self, color: Color, kind: PieceKind) -> Bitboard {
        Bitboard(self.color(color).0 & self.kind(kind).0)
    }

    /// Bishops and queens of a side.
    #[inline(always)]
    #[must_use]
    pub const fn diagonal_sliders(&self, color: Color) -> Bitboard {
        Bitboard((self.kind(PieceKind::Bishop).0 | self.kind(PieceKind::Queen).0) & self.color(color).0)
    }

    /// Rooks and queens of a side.
    #[inline(always)]
    #[must_use]
    pub const fn straight_sliders(&self, color: Color) -> Bitboard {
        Bitboard((self.kind(PieceKind::Rook).0 | self.kind(PieceKind::Queen).0) & self.color(color).0)
    }

    /// Every occupied square.
    #[inline(always)]
    #[must_use]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.sets[COLORS].0 | self.sets[COLORS + 1].0)
    }

    /// The kind of piece on a square.
    #[inline(always)]
    #[must_use]
    pub const fn kind_at(&self, square: Square) -> Option<PieceKind> {
        self.kinds[square as usize]
    }

    /// The piece on a square.
    #[inline]
    #[must_use]
    pub const fn piece_at(&self, square: Square) -> Option<Piece> {
        match self.kind_at(square) {
            Some(kind) => Some(Piece::new(Color::masked(self.sets[COLORS + 1].contains(square) as u8), kind)),
            None => None,
        }
    }

    /// The square of a side's king, if it has one.
    #[inline(always)]
    #[must_use]
    pub const fn king(&self, color: Color) -> Option<Square> {
        self.pieces(color, PieceKind::King).first()
    }

    /// Every piece with its square, from a1 to h8.
    pub fn iter(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.occupied().into_iter().filter_map(|square| Some((square, self.piece_at(square)?)))
    }

    /// Puts a piece on a square, replacing what stands there.
    pub fn set(&mut self, square: Square, piece: Option<Piece>) {
        if let Some(old) = self.piece_at(square) {
            self.remove(old, square);
        }
        if let Some(new) = piece {
            self.place(new, square);
        }
    }

    /// Puts a piece on an empty square.
    #[inline(always)]
    pub(crate) fn place(&mut self, piece: Piece, square: Square) {
        debug_assert!(self.kind_at(square).is_none(), "{square} is taken");
        self.sets[piece.kind as usize] ^= square.bitboard();
        self.sets[COLORS + piece.color as usize] ^= square.bitboard();
        self.kinds[square as usize] = Some(piece.kind);
    }

    /// Takes a piece off the square it stands on.
    #[inline(always)]
    pub(crate) fn remove(&mut self, piece: Piece, square: Square) {
        debug_assert_eq!(self.piece_at(square), Some(piece), "not on {square}");
        self.sets[piece.kind as usize] ^= square.bitboard();
        self.sets[COLORS + piece.color as usize] ^= square.bitboard();
        self.kinds[square as usize] = None;
    }

    /// Becomes `before` with what stood on `from` moved to `to` and what stood on `victim` taken; `victim` is `to`
    /// itself but for en passant, and `placed` is the mover or what it promotes to.
    ///
    /// No branch asks whether anything was taken, and nothing is written twice: a wide store that is patched at
    /// once stalls the next wide load.
    #[inline(always)]
    pub(crate) fn relocate(&mut self, before: &Self, placed: Piece, from: Square, to: Square, victim: Square) {
        let cleared = from.bitboard() | victim.bitboard();
        for index in 0..self.sets.len() {
            let receives = index == placed.kind as usize || index == COLORS + placed.color as usize;
            let added = if receives { to.bitboard() } else { Bitboard::EMPTY };
            self.sets[index] = (before.sets[index] - cleared) | added;
        }
        self.kinds = before.kinds;
        self.kinds[from as usize] = None;
        self.kinds[victim as usize] = None;
        self.kinds[to as usize] = Some(placed.kind);
    }

    /// Moves a piece in place, onto what it takes if anything is there.
    ///
    /// The table keeps the compiler from asking which kind it is.
    #[inline(always)]
    pub(crate) fn shift(&mut self, piece: Piece, from: Square, to: Square) {
        let cleared = from.bitboard() | to.bitboard();
        let receivers = &RECEIVERS[piece.color.index()][piece.kind.index()];
        for (set, receives) in self.sets.iter_mut().zip(receivers) {
            *set = (*set - cleared) | (to.bitboard() & *receives);
        }
        self.kinds[from as usize] = None;
        self.kinds[to as usize] = Some(piece.kind);
    }
}

/// The sets to which a piece belongs: everything there, and nothing in the others.
static RECEIVERS: [[[Bitboard; COLORS + Color::COUNT]; PieceKind::COUNT]; Color::COUNT] = {
    let mut receivers = [[[Bitboard::EMPTY; COLORS + Color::COUNT]; PieceKind::COUNT]; Color::COUNT];
    let mut color = 0;
    while color < Color::COUNT {
        let mut kind = 0;
        while kind < PieceKind::COUNT {
            receivers[color][kind][kind] = Bitboard::ALL;
            receivers[color][kind][COLORS + color] = Bitboard::ALL;
            kind += 1;
        }
        color += 1;
    }
    receivers
};

impl Default for Board {
    /// The standard start position's placement.
    fn default() -> Self {
        use PieceKind::{Bishop, King, Knight, Queen, Rook};
        let mut board = Self::EMPTY;
        let row = [Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook];
        for (file, kind) in File::ALL.into_iter().zip(row) {
            for color in Color::ALL {
                let square = |rank: Rank| Square::new(file, rank.relative_to(color));
                board.place(Piece::new(color, kind), square(Rank::First));
                board.place(Piece::new(color, PieceKind::Pawn), square(Rank::Second));
            }
        }
        board
    }
}

/// A diagram, eighth rank on top, FEN letters, `.` for an empty square.
impl fmt::Display for Board {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            for file in File::ALL {
                let piece = self.piece_at(Square::new(file, rank));
                let gap = if file == File::A { "" } else { " " };
                write!(formatter, "{gap}{}", piece.map_or('.', Piece::to_char))?;
            }
            writeln!(formatter)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Board(\n{self})")
    }
}
