//! Hash keys of positions: a random number for every fact, combined by exclusive or.
//!
//! The placement's key is kept in disjoint parts, so that one update per moved piece serves every key a
//! searcher may want: the whole, the pawns, the minor or heavy pieces, one side's pieces.

use crate::{Bitboard, Board, Color, File, Piece, PieceKind, Square};

/// A 64-bit hash of a position or of a part of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Key(pub u64);

impl std::ops::BitXor for Key {
    type Output = Self;

    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl std::ops::BitXorAssign for Key {
    #[inline(always)]
    fn bitxor_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

impl Key {
    /// What a quiet move of a piece changes in a position's key, the turn included, but for castling rights and
    /// en-passant chances: the same in both directions.
    #[must_use]
    pub fn of_reversible_move(mover: Piece, from: Square, to: Square) -> Self {
        let on = |square| piece(mover.color, Some(mover.kind), square);
        on(from) ^ on(to) ^ black_to_move()
    }
}

/// Sixteen hexadecimal digits.
impl std::fmt::Display for Key {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{:016x}", self.0)
    }
}

impl std::fmt::Debug for Key {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Key({self})")
    }
}

/// The seed of all numbers below. Changing it changes every stored hash.
const SEED: u64 = 0x4b69_6562_6974_7a31;

/// The last row stands for "no piece" and is zero, so that taking nothing needs no branch.
const ROWS: usize = PieceKind::COUNT + 1;

struct Numbers {
    pieces: [[[Key; Square::COUNT]; ROWS]; Color::COUNT],
    /// For every set of files on a back rank, the key of castling rooks there.
    castling_rooks: [[Key; 256]; Color::COUNT],
    en_passant: [Key; File::COUNT],
    black_to_move: Key,
}

static NUMBERS: Numbers = Numbers::draw();

impl Numbers {
    const fn draw() -> Self {
        let mut state = SEED;
        let mut numbers = Self {
            pieces: [[[Key(0); Square::COUNT]; ROWS]; Color::COUNT],
            castling_rooks: [[Key(0); 256]; Color::COUNT],
            en_passant: [Key(0); File::COUNT],
            black_to_move: draw(&mut state),
        };
        let mut color = 0;
        while color < Color::COUNT {
            let mut kind = 0;
            while kind < PieceKind::COUNT {
                let mut square = 0;
                while square < Square::COUNT {
                    numbers.pieces[color][kind][square] = draw(&mut state);
                    square += 1;
                }
                kind += 1;
            }
            let mut file = 0;
            while file < File::COUNT {
                let number = draw(&mut state);
                let mut files = 0;
                while files < 256 {
                    if files >> file & 1 == 1 {
                        numbers.castling_rooks[color][files].0 ^= number.0;
                    }
                    files += 1;
                }
                numbers.en_passant[file] = draw(&mut state);
                file += 1;
            }
            color += 1;
        }
        numbers
    }
}

/// One number of the xorshift* generator (Marsaglia, Vigna).
const fn draw(state: &mut u64) -> Key {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    Key(state.wrapping_mul(0x2545_f491_4f6c_dd1d))
}

/// The key of a piece on a square, zero for no piece.
#[inline(always)]
pub(crate) fn piece(color: Color, kind: Option<PieceKind>, square: Square) -> Key {
    NUMBERS.pieces[color.index()][row(kind)][square.index()]
}

#[inline(always)]
fn row(kind: Option<PieceKind>) -> usize {
    kind.map_or(ROWS - 1, PieceKind::index)
}

/// The key of all rooks that may still castle.
#[inline(always)]
pub(crate) fn castling_rooks(rooks: Bitboard) -> Key {
    let white = (rooks.0 & 0xff) as usize;
    let black = (rooks.0 >> 56) as usize;
    NUMBERS.castling_rooks[0][white] ^ NUMBERS.castling_rooks[1][black]
}

/// The key of an en-passant chance.
#[inline(always)]
pub(crate) fn en_passant(square: Square) -> Key {
    NUMBERS.en_passant[square.file().index()]
}

/// The key that tells Black's turn from White's.
#[inline(always)]
pub(crate) fn black_to_move() -> Key {
    NUMBERS.black_to_move
}

/// The placement's key in five disjoint parts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub(crate) struct PlacementKeys([Key; 5]);

/// Where the pawns of both sides are.
const PAWNS: usize = 0;

/// The part a piece belongs to: pawns together, knights and bishops by side, rooks, queens and king by side.
const PART: [[u8; ROWS]; Color::COUNT] = [[0, 1, 1, 2, 2, 2, 0], [0, 3, 3, 4, 4, 4, 0]];

impl PlacementKeys {
    pub(crate) fn of(board: &Board) -> Self {
        let mut keys = Self::default();
        for (square, piece) in board.iter() {
            keys.toggle(piece.color, Some(piece.kind), square);
        }
        keys
    }

    /// Puts a piece on a square or takes it off; no piece, no change.
    #[inline(always)]
    pub(crate) fn toggle(&mut self, color: Color, kind: Option<PieceKind>, square: Square) {
        let part = PART[color.index()][row(kind)] as usize;
        self.0[part] ^= piece(color, kind, square);
    }

    /// Moves a piece, which may turn into another on the way.
    #[inline(always)]
    pub(crate) fn relocate(&mut self, color: Color, kind: PieceKind, from: Square, placed: PieceKind, to: Square) {
        let (left, reached) = (piece(color, Some(kind), from), piece(color, Some(placed), to));
        if kind == placed {
            self.0[PART[color.index()][kind.index()] as usize] ^= left ^ reached;
        } else {
            self.0[PART[color.index()][kind.index()] as usize] ^= left;
            self.0[PART[color.index()][placed.index()] as usize] ^= reached;
        }
    }

    #[inline(always)]
    pub(crate) fn all(&self) -> Key {
        self.0[0] ^ self.0[1] ^ self.0[2] ^ self.0[3] ^ self.0[4]
    }

    #[inline(always)]
    pub(crate) fn pawns(&self) -> Key {
        self.0[PAWNS]
    }

    #[inline(always)]
    pub(crate) fn minor_pieces(&self) -> Key {
        self.0[1] ^ self.0[3]
    }

    #[inline(always)]
    pub(crate) fn heavy_pieces(&self) -> Key {
        self.0[2] ^ self.0[4]
    }

    #[inline(always)]
    pub(crate) fn pieces_of(&self, color: Color) -> Key {
        self.0[1 + 2 * color.index()] ^ self.0[2 + 2 * color.index()]
    }
}
