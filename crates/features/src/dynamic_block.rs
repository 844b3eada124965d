//! Features that depend on several pieces at once, compiled: moves and pairs.
//!
//! The index of such a feature is a sum in which every term depends on one thing: the own king, the first piece, the second
//! piece or the target. The terms are kept in tables, so that a feature costs two loads and an addition.

use kiebitz_chess::{Bitboard, Board, Color, Piece, PieceKind, Rank, Square, attacks};

use crate::attribute::{Attribute, Binding, Subject};
use crate::layout::{Block, NONE, Range};
use crate::{PairFilter, Property, Thing};

/// How one side sees one position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sight {
    /// Whose pieces have color 0.
    pub(crate) own: Color,
    /// What squares are combined with.
    pub(crate) mask: u8,
    /// The own king, on the view's board.
    pub(crate) king: u8,
}

impl Sight {
    #[inline]
    fn subject(self, piece: Piece, square: Square) -> Subject {
        Subject { square: square as u8 ^ self.mask, color: piece.color as u8 ^ self.own as u8, role: piece.kind as u8 }
    }
}

/// A feature together with the pieces it speaks of; a move has one piece, which then stands twice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OwnedFeature {
    /// The feature.
    pub index: u32,
    /// The squares of the pieces.
    pub owners: [Square; 2],
}

/// A block over moves or pairs.
#[derive(Clone, Debug)]
pub(crate) struct DynamicBlock {
    block: Block,
    ways: Ways,
    /// Only pawns have features.
    only_pawns: bool,
    /// What else is asked of a pair.
    filters: Vec<PairFilter>,
    /// What each square of the own king adds.
    king: [u32; Square::COUNT],
    first: Terms,
    second: Terms,
    target: [u32; Square::COUNT],
}

/// What brings two things together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ways {
    /// A piece and a square it could go to.
    Moves,
    /// A piece and another one that it attacks or protects.
    Attacks,
    /// Any two pieces, the one on the lower square of the view first.
    Pairs,
}

/// What each piece on each square adds.
#[derive(Clone, Debug)]
struct Terms {
    /// Rows of [`ROW`]: one, or one for every square of the own king.
    rows: Vec<u32>,
    by_king: bool,
}

/// Two colors, six kinds, 64 squares.
const ROW: usize = Color::COUNT * PieceKind::COUNT * Square::COUNT;

impl Terms {
    fn new(block: &Block, counts: impl Fn(&Attribute) -> bool) -> Self {
        let places: Vec<_> = block.places.iter().filter(|place| counts(&place.attribute)).collect();
        let by_king = places.iter().any(|place| place.attribute.depends_on_king());
        let mut rows = Vec::new();
        for king in 0..if by_king { Square::COUNT as u8 } else { 1 } {
            for entry in 0..ROW {
                let (kind, square) = (entry / Square::COUNT, (entry % Square::COUNT) as u8);
                let (color, role) = ((kind / PieceKind::COUNT) as u8, (kind % PieceKind::COUNT) as u8);
                let subject = Subject { square, color, role };
                let binding = Binding { king, first: subject, second: subject, target: 0 };
                rows.push(places.iter().map(|place| place.stride * place.attribute.value(&binding)).sum());
            }
        }
        Self { rows, by_king }
    }

    #[inline]
    fn of(&self, subject: Subject, king: u8) -> u32 {
        let kind = usize::from(subject.color) * PieceKind::COUNT + usize::from(subject.role);
        let row = if self.by_king { usize::from(king) * ROW } else { 0 };
        self.rows[row + kind * Square::COUNT + usize::from(subject.square)]
    }
}

impl DynamicBlock {
    /// Compiles a block; `None` if it is about single pieces.
    pub(crate) fn new(block: &Block) -> Option<Self> {
        let (ways, mut filters) = match &block.range {
            Some(Range::Moves) => (Ways::Moves, Vec::new()),
            Some(Range::Pairs(filters)) if filters.contains(&PairFilter::Attacks) => (Ways::Attacks, filters.clone()),
            Some(Range::Pairs(filters)) => (Ways::Pairs, filters.clone()),
            _ => return None,
        };
        let only_pawns = filters.contains(&PairFilter::Pawns);
        filters.retain(|filter| !matches!(filter, PairFilter::Attacks | PairFilter::Pawns));
        let mut king = [0; Square::COUNT];
        let mut target = [0; Square::COUNT];
        for place in &block.places {
            let terms = match (place.attribute.thing, &place.attribute.property) {
                (Thing::King, _) => &mut king,
                (_, Property::Target) => &mut target,
                _ => continue,
            };
            for (square, term) in terms.iter_mut().enumerate() {
                let binding = Binding { king: square as u8, target: square as u8, ..Binding::default() };
                *term += place.stride * place.attribute.value(&binding);
            }
        }
        let is_first = |attribute: &Attribute| {
            !matches!(attribute.thing, Thing::King | Thing::Second) && attribute.property != Property::Target
        };
        let first = Terms::new(block, is_first);
        let second = Terms::new(block, |attribute| attribute.thing == Thing::Second);
        Some(Self { block: block.clone(), ways, only_pawns, filters, king, first, second, target })
    }

    /// Whether a move of the own king may change every feature.
    pub(crate) fn depends_on_king(&self) -> bool {
        self.block.depends_on_king()
    }

    /// How many of its features can be active at once.
    pub(crate) fn most_active(&self) -> u32 {
        self.block.range.as_ref().map_or(0, Range::most_active)
    }

    /// Bytes of the tables.
    pub(crate) fn memory_bytes(&self) -> usize {
        size_of_val(self.first.rows.as_slice()) + size_of_val(self.second.rows.as_slice())
    }

    /// Calls `found` with every active feature.
    pub(crate) fn for_each_active(&self, board: &Board, sight: Sight, found: &mut impl FnMut(OwnedFeature)) {
        for square in self.candidates(board) {
            let Some(piece) = board.piece_at(square) else { continue };
            let mut reached = self.reached(board, piece, square);
            if self.ways == Ways::Pairs {
                // Every pair once: only partners that come later.
                reached -= up_to(square);
            }
            self.emit(board, sight, (piece, square), reached, found);
        }
    }

    /// Calls `gone` and `come` with the features that differ between two boards, given every square on which the boards
    /// differ. A feature may be both gone and come.
    pub(crate) fn for_each_change(
        &self,
        before: &Board,
        after: &Board,
        touched: Bitboard,
        sight: Sight,
        gone: &mut impl FnMut(OwnedFeature),
        come: &mut impl FnMut(OwnedFeature),
    ) {
        if self.ways == Ways::Pairs {
            self.for_each_pair_of(before, touched, sight, gone);
            self.for_each_pair_of(after, touched, sight, come);
            return;
        }
        // Whoever does not see a touched square sees the same as before: the first change on a ray is visible.
        let mut affected = touched | attackers(before, touched) | attackers(after, touched);
        if self.ways == Ways::Moves {
            affected |= pushers(before, touched) | pushers(after, touched);
        }
        for square in affected {
            let (old, new) = (before.piece_at(square), after.piece_at(square));
            let reach = |board: &Board, piece: Option<Piece>| match piece {
                Some(piece) if self.candidates(board).contains(square) => self.reached(board, piece, square),
                _ => Bitboard::EMPTY,
            };
            let (mut lost, mut won) = (reach(before, old), reach(after, new));
            if old == new {
                // Targets stay the same whoever stands there; partners are others where something was touched.
                let others = if self.ways == Ways::Attacks { touched } else { Bitboard::EMPTY };
                let same = (lost & won) - others;
                (lost, won) = (lost - same, won - same);
            }
            if let Some(piece) = old {
                self.emit(before, sight, (piece, square), lost, gone);
            }
            if let Some(piece) = new {
                self.emit(after, sight, (piece, square), won, come);
            }
        }
    }

    /// Calls `found` with every feature of a pair of which at least one piece stands on a touched square.
    fn for_each_pair_of(&self, board: &Board, touched: Bitboard, sight: Sight, found: &mut impl FnMut(OwnedFeature)) {
        for square in touched & self.candidates(board) {
            let Some(piece) = board.piece_at(square) else { continue };
            // Pairs of two touched squares are found once, from the lower one.
            let reached = self.reached(board, piece, square) - (touched & up_to(square));
            self.emit(board, sight, (piece, square), reached, found);
        }
    }

    /// The pieces that have features.
    #[inline]
    fn candidates(&self, board: &Board) -> Bitboard {
        if self.only_pawns { board.kind(PieceKind::Pawn) } else { board.occupied() }
    }

    /// Where a piece finds its partners or targets.
    #[inline]
    fn reached(&self, board: &Board, piece: Piece, square: Square) -> Bitboard {
        match self.ways {
            Ways::Moves => destinations(board, piece, square),
            Ways::Attacks => attacks::piece(piece.kind, piece.color, square, board.occupied()) & self.candidates(board),
            Ways::Pairs => self.candidates(board).without(square),
        }
    }

    #[inline]
    fn emit(
        &self,
        board: &Board,
        sight: Sight,
        (piece, square): (Piece, Square),
        reached: Bitboard,
        found: &mut impl FnMut(OwnedFeature),
    ) {
        let first = sight.subject(piece, square);
        let start = self.king[usize::from(sight.king)];
        for other in reached {
            if self.ways == Ways::Moves {
                let sum = start + self.first.of(first, sight.king) + self.target[usize::from(other as u8 ^ sight.mask)];
                self.found(sum, [square, square], found);
                continue;
            }
            let Some(partner) = board.piece_at(other) else { continue };
            let second = sight.subject(partner, other);
            let in_order = self.ways == Ways::Attacks || first.square < second.square;
            let (first, second) = if in_order { (first, second) } else { (second, first) };
            if passes(&self.filters, first, second) {
                let sum = start + self.first.of(first, sight.king) + self.second.of(second, sight.king);
                self.found(sum, [square, other], found);
            }
        }
    }

    #[inline]
    fn found(&self, sum: u32, owners: [Square; 2], found: &mut impl FnMut(OwnedFeature)) {
        let index = self.block.numbered(sum);
        if index != NONE {
            found(OwnedFeature { index, owners });
        }
    }
}

/// Whether a pair passes all filters but that of attacks, which depends on the other pieces.
#[inline]
pub(crate) fn passes(filters: &[PairFilter], first: Subject, second: Subject) -> bool {
    let files_apart = (first.square & 7).abs_diff(second.square & 7);
    filters.iter().all(|filter| match filter {
        PairFilter::Attacks => true,
        PairFilter::Pawns => first.role == 0 && second.role == 0,
        PairFilter::Adjacent => files_apart <= 1,
        PairFilter::SameFile => files_apart == 0,
        PairFilter::Friends => first.color == second.color,
        PairFilter::Enemies => first.color != second.color,
        PairFilter::Distant => files_apart > 1,
    })
}

/// A square and all below it.
#[inline]
fn up_to(square: Square) -> Bitboard {
    Bitboard(u64::MAX >> (63 - square as u32))
}

/// The pieces of both sides that attack or protect one of the squares.
fn attackers(board: &Board, squares: Bitboard) -> Bitboard {
    let occupied = board.occupied();
    let (diagonal, straight) = (
        board.diagonal_sliders(Color::White) | board.diagonal_sliders(Color::Black),
        board.straight_sliders(Color::White) | board.straight_sliders(Color::Black),
    );
    let mut found = Bitboard::EMPTY;
    for square in squares {
        for by in Color::ALL {
            found |= attacks::pawn(!by, square) & board.pieces(by, PieceKind::Pawn);
        }
        found |= attacks::knight(square) & board.kind(PieceKind::Knight)
            | attacks::king(square) & board.kind(PieceKind::King)
            | attacks::bishop(square, occupied) & diagonal
            | attacks::rook(square, occupied) & straight;
    }
    found
}

/// The pawns one or two squares in front of which one of the squares lies.
fn pushers(board: &Board, squares: Bitboard) -> Bitboard {
    let behind = |color| {
        let once = backwards(color, squares);
        (once | backwards(color, once)) & board.pieces(color, PieceKind::Pawn)
    };
    behind(Color::White) | behind(Color::Black)
}

/// Every square one rank back from where a side plays to.
fn backwards(color: Color, squares: Bitboard) -> Bitboard {
    match color {
        Color::White => squares.shifted(-8),
        Color::Black => squares.shifted(8),
    }
}

/// Where a piece could go: what it attacks without its own pieces; pawns push, and capture only what is there.
fn destinations(board: &Board, piece: Piece, square: Square) -> Bitboard {
    let occupied = board.occupied();
    let attacked = attacks::piece(piece.kind, piece.color, square, occupied);
    if piece.kind != PieceKind::Pawn {
        return attacked - board.color(piece.color);
    }
    let step = if piece.color == Color::White { 1 } else { -1 };
    let empty = |to: &Square| !occupied.contains(*to);
    let once = square.offset(0, step).filter(empty);
    let on_start = square.rank() == Rank::Second.relative_to(piece.color);
    let twice = once.filter(|_| on_start).and_then(|from| from.offset(0, step)).filter(empty);
    (attacked & board.color(!piece.color)) | once.into_iter().chain(twice).collect::<Bitboard>()
}
