//! What all terms look at: who attacks what, where the kings stand, which squares count as room to move.

use kiebitz_chess::{Bitboard, Color, PieceKind, Position, Square, attacks};

use crate::geometry::{QUEEN_WING, step};

/// Which table of squares a side reads, and whether it reads it mirrored.
///
/// Squares are told from the own king: the board is mirrored so that the own king stands on the king's wing, and there
/// is one table for an enemy king on the same wing and one for an enemy king on the other. *Invariant:* mirroring the
/// whole board from left to right changes nothing.
#[derive(Clone, Copy)]
pub(crate) struct Wings {
    turn: u8,
    first: usize,
}

impl Wings {
    #[inline(always)]
    pub(crate) fn new(color: Color, own_king: Square, enemy_king: Square) -> Self {
        let own_left = QUEEN_WING.contains(own_king);
        let enemy_left = QUEEN_WING.contains(enemy_king);
        let turn = (56 * color as u8) ^ if own_left { 7 } else { 0 };
        let first = if own_left == enemy_left { 0 } else { PieceKind::COUNT * Square::COUNT };
        Self { turn, first }
    }

    /// Where the weight of a piece on a square stands in the family.
    #[inline(always)]
    pub(crate) fn offset(self, kind: PieceKind, square: Square) -> usize {
        self.first + kind.index() * Square::COUNT + usize::from(square as u8 ^ self.turn)
    }
}

/// The facts of a position that the terms share; index 0 is White.
///
/// Attacks of pieces are added while the pieces are visited, so that no attack is looked up twice: what comes after
/// the pieces (kings, threats, passed pawns, space) sees them all.
pub(crate) struct Survey<'position> {
    pub(crate) position: &'position Position,
    pub(crate) occupied: Bitboard,
    pub(crate) own: [Bitboard; Color::COUNT],
    pub(crate) pawns: [Bitboard; Color::COUNT],
    pub(crate) king: [Square; Color::COUNT],
    pub(crate) wings: [Wings; Color::COUNT],
    /// The king, the squares around it, and one rank or file more towards the middle of the board at the edge.
    pub(crate) king_zone: [Bitboard; Color::COUNT],
    /// Pieces of either color between a side's king and an enemy slider, alone on the line.
    pub(crate) blockers: [Bitboard; Color::COUNT],
    /// Squares that count as mobility.
    pub(crate) room: [Bitboard; Color::COUNT],
    pub(crate) attacked: [Bitboard; Color::COUNT],
    pub(crate) attacked_twice: [Bitboard; Color::COUNT],
    pub(crate) attacked_by: [[Bitboard; PieceKind::COUNT]; Color::COUNT],
}

/// The king's surroundings, shifted inwards at the edge so that every zone has nine squares.
#[inline(always)]
fn zone(king: Square) -> Bitboard {
    let file = king.file().index().clamp(1, 6);
    let rank = king.rank().index().clamp(1, 6);
    Bitboard(0x0007_0707 << (rank * 8 + file - 9))
}

impl<'position> Survey<'position> {
    #[inline(always)]
    pub(crate) fn new(position: &'position Position) -> Self {
        let board = position.board();
        let occupied = board.occupied();
        // Written out: array maps with closures do not inline here.
        let king = [position.king(Color::White), position.king(Color::Black)];
        let pawns = [board.pieces(Color::White, PieceKind::Pawn), board.pieces(Color::Black, PieceKind::Pawn)];
        let pawn_attacks = [attacks::pawns(Color::White, pawns[0]), attacks::pawns(Color::Black, pawns[1])];
        let king_attacks = [attacks::king(king[0]), attacks::king(king[1])];
        let mut survey = Self {
            position,
            occupied,
            own: [board.color(Color::White), board.color(Color::Black)],
            pawns,
            king,
            wings: [Wings::new(Color::White, king[0], king[1]), Wings::new(Color::Black, king[1], king[0])],
            king_zone: [zone(king[0]), zone(king[1])],
            blockers: [Bitboard::EMPTY; Color::COUNT],
            room: [Bitboard::EMPTY; Color::COUNT],
            attacked: [Bitboard::EMPTY; Color::COUNT],
            attacked_twice: [Bitboard::EMPTY; Color::COUNT],
            attacked_by: [[Bitboard::EMPTY; PieceKind::COUNT]; Color::COUNT],
        };
        for color in Color::ALL {
            let (us, them) = (color.index(), (!color).index());
            survey.attacked[us] = pawn_attacks[us] | king_attacks[us];
            survey.attacked_twice[us] = pawn_attacks[us] & king_attacks[us] | doubly(color, pawns[us]);
            survey.attacked_by[us][PieceKind::Pawn.index()] = pawn_attacks[us];
            survey.attacked_by[us][PieceKind::King.index()] = king_attacks[us];
            let stuck = pawns[us] & step(!color, occupied);
            let at_home = pawns[us] & home(color);
            let excluded =
                pawn_attacks[them] | stuck | at_home | king[us].bitboard() | board.pieces(color, PieceKind::Queen);
            survey.room[us] = !excluded;
            survey.blockers[us] = blockers(position, color, king[us], occupied);
        }
        survey
    }

    /// All pieces of one kind and side.
    #[inline(always)]
    pub(crate) fn pieces(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.position.pieces(color, kind)
    }

    /// Adds the attacks of one piece.
    #[inline(always)]
    pub(crate) fn add_attacks(&mut self, color: Color, kind: PieceKind, reached: Bitboard) {
        let us = color.index();
        self.attacked_twice[us] |= self.attacked[us] & reached;
        self.attacked[us] |= reached;
        self.attacked_by[us][kind.index()] |= reached;
    }

    /// The squares a side's pieces of one kind attack.
    #[inline(always)]
    pub(crate) fn attacks_of(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.attacked_by[color.index()][kind.index()]
    }
}

/// Second and third rank: pawns there still have their way before them and are in the way.
#[inline(always)]
const fn home(color: Color) -> Bitboard {
    match color {
        Color::White => Bitboard(0x0000_0000_00ff_ff00),
        Color::Black => Bitboard(0x00ff_ff00_0000_0000),
    }
}

/// Squares attacked by two pawns.
#[inline(always)]
fn doubly(color: Color, pawns: Bitboard) -> Bitboard {
    let left = Bitboard(pawns.0 & 0xfefe_fefe_fefe_fefe);
    let right = Bitboard(pawns.0 & 0x7f7f_7f7f_7f7f_7f7f);
    match color {
        Color::White => left.shifted(7) & right.shifted(9),
        Color::Black => left.shifted(-9) & right.shifted(-7),
    }
}

#[inline(always)]
fn blockers(position: &Position, color: Color, king: Square, occupied: Bitboard) -> Bitboard {
    let board = position.board();
    let snipers = attacks::straights(king) & board.straight_sliders(!color)
        | attacks::diagonals(king) & board.diagonal_sliders(!color);
    let mut blockers = Bitboard::EMPTY;
    for sniper in snipers {
        let between = attacks::between(king, sniper) & occupied;
        if !between.has_several() {
            blockers |= between;
        }
    }
    blockers
}
