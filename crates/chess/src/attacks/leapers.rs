//! Pawns, knights and kings: their targets depend on the square alone.

use crate::{Bitboard, Color, File, Square};

/// One step: files to the right, ranks up.
type Step = (i8, i8);

const KNIGHT_STEPS: [Step; 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const KING_STEPS: [Step; 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
const PAWN_STEPS: [[Step; 2]; Color::COUNT] = [[(-1, 1), (1, 1)], [(-1, -1), (1, -1)]];

static KNIGHT: [Bitboard; Square::COUNT] = leaper_table(&KNIGHT_STEPS);
static KING: [Bitboard; Square::COUNT] = leaper_table(&KING_STEPS);
static PAWN: [[Bitboard; Square::COUNT]; Color::COUNT] = [leaper_table(&PAWN_STEPS[0]), leaper_table(&PAWN_STEPS[1])];

const fn leaper_table(steps: &[Step]) -> [Bitboard; Square::COUNT] {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let mut step = 0;
        while step < steps.len() {
            if let Some(target) = Square::ALL[index].offset(steps[step].0, steps[step].1) {
                table[index] = table[index].with(target);
            }
            step += 1;
        }
        index += 1;
    }
    table
}

/// The squares a pawn of this color attacks.
#[inline(always)]
#[must_use]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// The squares that all pawns of this color attack together.
#[inline(always)]
#[must_use]
pub fn pawns(color: Color, pawns: Bitboard) -> Bitboard {
    let left = pawns - File::A.bitboard();
    let right = pawns - File::H.bitboard();
    match color {
        Color::White => left.shifted(7) | right.shifted(9),
        Color::Black => left.shifted(-9) | right.shifted(-7),
    }
}

/// The squares a knight attacks.
#[inline(always)]
#[must_use]
pub fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// The squares a king attacks.
#[inline(always)]
#[must_use]
pub fn king(square: Square) -> Bitboard {
    KING[square.index()]
}
