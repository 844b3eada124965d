//! Lines through two squares, and the squares between them.

use super::magic::Slider;
use super::rays::{BISHOP, ROOK};
use crate::{Bitboard, Square};

type Table = [[Bitboard; Square::COUNT]; Square::COUNT];

static BETWEEN: Table = table(Part::Between);
static LINE: Table = table(Part::Line);

static DIAGONALS: [Bitboard; Square::COUNT] = reach(Slider::Bishop);
static STRAIGHTS: [Bitboard; Square::COUNT] = reach(Slider::Rook);

/// What a slider attacks on an empty board.
const fn reach(slider: Slider) -> [Bitboard; Square::COUNT] {
    let mut reach = [Bitboard::EMPTY; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        reach[index] = slider.attacks(Square::ALL[index], Bitboard::EMPTY);
        index += 1;
    }
    reach
}

#[derive(Clone, Copy)]
enum Part {
    Between,
    Line,
}

/// The whole ray from a square to the edge.
const fn ray(mut square: Square, files: i8, ranks: i8) -> Bitboard {
    let mut squares = Bitboard::EMPTY;
    while let Some(next) = square.offset(files, ranks) {
        squares = squares.with(next);
        square = next;
    }
    squares
}

const fn fill(row: &mut [Bitboard; Square::COUNT], from: Square, files: i8, ranks: i8, part: Part) {
    let ahead = ray(from, files, ranks);
    let whole = Bitboard(ahead.0 | ray(from, -files, -ranks).0).with(from);
    let mut step = from.offset(files, ranks);
    while let Some(to) = step {
        row[to.index()] = match part {
            Part::Between => Bitboard(ahead.0 & !ray(to, files, ranks).0).without(to),
            Part::Line => whole,
        };
        step = to.offset(files, ranks);
    }
}

const fn table(part: Part) -> Table {
    let mut table = [[Bitboard::EMPTY; Square::COUNT]; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let mut direction = 0;
        while direction < 4 {
            let from = Square::ALL[index];
            fill(&mut table[index], from, BISHOP[direction].0, BISHOP[direction].1, part);
            fill(&mut table[index], from, ROOK[direction].0, ROOK[direction].1, part);
            direction += 1;
        }
        index += 1;
    }
    table
}

/// The squares on a square's diagonals.
#[inline(always)]
#[must_use]
pub fn diagonals(square: Square) -> Bitboard {
    DIAGONALS[square.index()]
}

/// The squares on a square's file and rank.
#[inline(always)]
#[must_use]
pub fn straights(square: Square) -> Bitboard {
    STRAIGHTS[square.index()]
}

/// The squares strictly between two squares of one rank, file or diagonal; empty otherwise.
#[inline(always)]
#[must_use]
pub fn between(one: Square, other: Square) -> Bitboard {
    BETWEEN[one.index()][other.index()]
}

/// The whole rank, file or diagonal through two squares, edge to edge; empty if they share none.
#[inline(always)]
#[must_use]
pub fn line(one: Square, other: Square) -> Bitboard {
    LINE[one.index()][other.index()]
}
