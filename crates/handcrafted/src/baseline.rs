//! The smallest evaluation that plays chess: material and piece-square tables.
//!
//! Its numbers are round and written by hand on purpose: a baseline must not change when the tuner runs.

use kiebitz_chess::{Color, PieceKind, Position, Square};

use crate::evaluation::{FULL_PHASE, phase};

/// Centipawns by kind, pawn to king.
const MATERIAL: [i32; PieceKind::COUNT] = [100, 320, 330, 500, 950, 0];

/// Rewards a square's distance from edge and corners: 0 on the rim, 3 on d4, d5, e4 and e5.
const fn centrality(square: Square) -> i32 {
    let file = square.file().index() as i32;
    let rank = square.rank().index() as i32;
    let files = if file < 4 { file } else { 7 - file };
    let ranks = if rank < 4 { rank } else { 7 - rank };
    if files < ranks { files } else { ranks }
}

/// The bonus of a piece on a square as its side sees it: middle game, end game.
const fn bonus(kind: PieceKind, square: Square) -> (i32, i32) {
    let rank = square.rank().index() as i32;
    let file = square.file().index() as i32;
    let middle_files = if file < 4 { file } else { 7 - file };
    let centre = centrality(square);
    match kind {
        PieceKind::Pawn => (rank * 3 + middle_files * rank - 10, rank * rank * 3 - 10),
        PieceKind::Knight => (centre * 15 - 20, centre * 10 - 15),
        PieceKind::Bishop => (centre * 8 - 8, centre * 5 - 5),
        PieceKind::Rook => (middle_files * 2 + if rank == 6 { 15 } else { 0 }, if rank >= 5 { 10 } else { 0 }),
        PieceKind::Queen => (centre * 2, centre * 6),
        PieceKind::King => (20 - rank * 20 - middle_files * 8, centre * 15 - 20),
    }
}

const TABLES: [[(i32, i32); Square::COUNT]; PieceKind::COUNT] = {
    let mut tables = [[(0, 0); Square::COUNT]; PieceKind::COUNT];
    let mut kind = 0;
    while kind < PieceKind::COUNT {
        let mut square = 0;
        while square < Square::COUNT {
            let (middle, end) = bonus(PieceKind::ALL[kind], Square::ALL[square]);
            tables[kind][square] = (MATERIAL[kind] + middle, MATERIAL[kind] + end);
            square += 1;
        }
        kind += 1;
    }
    tables
};

/// Material and squares alone, in centipawns for the side to move: the baseline that a network must beat first.
///
/// ```
/// use kiebitz_chess::Position;
/// assert_eq!(kiebitz_handcrafted::material_and_tables(&Position::default()), 0);
/// ```
#[must_use]
pub fn material_and_tables(position: &Position) -> i32 {
    let (mut middle, mut end) = (0, 0);
    for (square, piece) in position.board().iter() {
        let (at_first, at_last) = TABLES[piece.kind.index()][square.relative_to(piece.color).index()];
        let sign = if piece.color == Color::White { 1 } else { -1 };
        middle += sign * at_first;
        end += sign * at_last;
    }
    let phase = phase(position);
    let value = (middle * phase + end * (FULL_PHASE - phase)) / FULL_PHASE;
    if position.side_to_move() == Color::White { value } else { -value }
}
