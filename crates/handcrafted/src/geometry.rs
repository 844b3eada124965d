//! Sets of squares that depend on nothing but one or two squares.

use kiebitz_chess::{Bitboard, Color, Square};

const FILE_A: u64 = 0x0101_0101_0101_0101;

type PerSide = [[Bitboard; Square::COUNT]; Color::COUNT];

static AHEAD: PerSide = per_side(Reach::File);
static FRONT: PerSide = per_side(Reach::ThreeFiles);
static ATTACK_SPAN: PerSide = per_side(Reach::Neighbours);

#[derive(Clone, Copy)]
enum Reach {
    File,
    Neighbours,
    ThreeFiles,
}

const fn files_around(file: usize, reach: Reach) -> u64 {
    let own = FILE_A << file;
    let left = if file > 0 { FILE_A << (file - 1) } else { 0 };
    let right = if file < 7 { FILE_A << (file + 1) } else { 0 };
    match reach {
        Reach::File => own,
        Reach::Neighbours => left | right,
        Reach::ThreeFiles => left | own | right,
    }
}

const fn per_side(reach: Reach) -> PerSide {
    let mut table = [[Bitboard::EMPTY; Square::COUNT]; Color::COUNT];
    let mut square = 0;
    while square < Square::COUNT {
        let files = files_around(square % 8, reach);
        let rank = square / 8;
        let above = if rank == 7 { 0 } else { u64::MAX << (8 * (rank + 1)) };
        let below = (1_u64 << (8 * rank)) - 1;
        table[0][square] = Bitboard(files & above);
        table[1][square] = Bitboard(files & below);
        square += 1;
    }
    table
}

/// The squares ahead on the same file.
#[inline(always)]
pub(crate) fn ahead(color: Color, square: Square) -> Bitboard {
    AHEAD[color.index()][square.index()]
}

/// The squares ahead on the same and the neighbouring files: free of enemy pawns, a pawn here is passed.
#[inline(always)]
pub(crate) fn front(color: Color, square: Square) -> Bitboard {
    FRONT[color.index()][square.index()]
}

/// The squares ahead on the neighbouring files: what a pawn may attack on its way.
#[inline(always)]
pub(crate) fn attack_span(color: Color, square: Square) -> Bitboard {
    ATTACK_SPAN[color.index()][square.index()]
}

static THREE_FILES: [Bitboard; 8] = files_table(Reach::ThreeFiles);
static NEIGHBOURS: [Bitboard; 8] = files_table(Reach::Neighbours);

const fn files_table(reach: Reach) -> [Bitboard; 8] {
    let mut table = [Bitboard::EMPTY; 8];
    let mut file = 0;
    while file < 8 {
        table[file] = Bitboard(files_around(file, reach));
        file += 1;
    }
    table
}

/// The file of a square and its neighbours; at the edge the nearest three files.
#[inline(always)]
pub(crate) fn flank(square: Square) -> Bitboard {
    THREE_FILES[square.file().index().clamp(1, 6)]
}

/// The files beside a square's file.
#[inline(always)]
pub(crate) fn neighbour_files(square: Square) -> Bitboard {
    NEIGHBOURS[square.file().index()]
}

static DISTANCE: [[u8; Square::COUNT]; Square::COUNT] = {
    let mut table = [[0; Square::COUNT]; Square::COUNT];
    let mut one = 0;
    while one < Square::COUNT {
        let mut other = 0;
        while other < Square::COUNT {
            let files = (one % 8).abs_diff(other % 8);
            let ranks = (one / 8).abs_diff(other / 8);
            table[one][other] = if files > ranks { files as u8 } else { ranks as u8 };
            other += 1;
        }
        one += 1;
    }
    table
};

/// How many king's moves lie between two squares.
#[inline(always)]
pub(crate) fn distance(one: Square, other: Square) -> usize {
    usize::from(DISTANCE[one.index()][other.index()])
}

/// Distance of a file from the edge, 0 to 3.
#[inline(always)]
pub(crate) fn edge_distance(square: Square) -> usize {
    let file = square.file().index();
    file.min(7 - file)
}

/// The rank as a side counts it, 0 to 7.
#[inline(always)]
pub(crate) fn relative_rank(color: Color, square: Square) -> usize {
    square.rank().relative_to(color).index()
}

/// All squares of a square's rank and of the ranks ahead.
#[inline(always)]
pub(crate) fn not_behind(color: Color, square: Square) -> Bitboard {
    let rank = square.rank().index();
    match color {
        Color::White => Bitboard(u64::MAX << (8 * rank)),
        Color::Black => Bitboard(u64::MAX >> (8 * (7 - rank))),
    }
}

/// The set one step ahead.
#[inline(always)]
pub(crate) fn step(color: Color, set: Bitboard) -> Bitboard {
    match color {
        Color::White => set.shifted(8),
        Color::Black => set.shifted(-8),
    }
}

/// Every square of the set and all squares ahead of it on the same files.
#[inline(always)]
pub(crate) fn fill_ahead(color: Color, set: Bitboard) -> Bitboard {
    let mut filled = set.0;
    match color {
        Color::White => {
            filled |= filled << 8;
            filled |= filled << 16;
            filled |= filled << 32;
        }
        Color::Black => {
            filled |= filled >> 8;
            filled |= filled >> 16;
            filled |= filled >> 32;
        }
    }
    Bitboard(filled)
}

/// Ranks four to six as a side counts them: where outposts are.
#[inline(always)]
pub(crate) const fn outpost_ranks(color: Color) -> Bitboard {
    match color {
        Color::White => Bitboard(0x0000_ffff_ff00_0000),
        Color::Black => Bitboard(0x0000_00ff_ffff_0000),
    }
}

/// The side's own half and the rank beyond it.
#[inline(always)]
pub(crate) const fn camp(color: Color) -> Bitboard {
    match color {
        Color::White => Bitboard(0x0000_00ff_ffff_ffff),
        Color::Black => Bitboard(0xffff_ffff_ff00_0000),
    }
}

/// The four squares in the middle.
pub(crate) const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);
/// The files c to f.
pub(crate) const CENTRE_FILES: Bitboard = Bitboard(0x3c3c_3c3c_3c3c_3c3c);
/// The files a to d.
pub(crate) const QUEEN_WING: Bitboard = Bitboard(0x0f0f_0f0f_0f0f_0f0f);
