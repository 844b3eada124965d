//! Which features can ever be active.
//!
//! A feature is *dead* if no legal placement of pieces makes it active: pawns on the first and last rank, two
//! pieces on one square, kings next to each other, a view whose king would stand on the wing it is mirrored from.
//! Everything is enumerated in the frame of a view, so that one pass serves both sides.

use kiebitz_chess::{Bitboard, Color, PieceKind, Square, attacks};

use crate::attribute::{Binding, KING, Subject};
use crate::dynamic_block::passes;
use crate::layout::{Block, Layout, NONE, Range};
use crate::{PairFilter, Thing};

/// For every index of a layout, whether it can be active.
pub(crate) fn live(layout: &Layout, admits_king: &dyn Fn(u8) -> bool) -> Vec<bool> {
    let mut live = vec![false; layout.count as usize];
    for block in &layout.blocks {
        for_each_binding(block, admits_king, &mut |binding| {
            let index = block.index(binding);
            if index != NONE
                && let Some(entry) = live.get_mut(index as usize)
            {
                *entry = true;
            }
        });
    }
    live
}

/// Calls `visit` with every binding of a block's things that a legal placement can show.
fn for_each_binding(block: &Block, admits_king: &dyn Fn(u8) -> bool, visit: &mut dyn FnMut(&Binding)) {
    let kings: Vec<Option<u8>> = if block.depends_on_king() {
        (0..64).filter(|&square| admits_king(square)).map(Some).collect()
    } else {
        vec![None]
    };
    let Some(range) = &block.range else { return };
    for king in kings {
        let scene = Scene { king, admits_king };
        match range {
            Range::OwnKing => scene.for_each_piece(Thing::King, &mut |first| {
                visit(&Binding { king: first.square, first, ..Binding::default() });
            }),
            Range::Pieces(thing) => scene.for_each_piece(*thing, &mut |first| visit(&scene.binding(first, first, 0))),
            Range::Moves => scene.for_each_piece(Thing::Any, &mut |first| {
                for target in destinations(first, scene.occupied()) {
                    visit(&scene.binding(first, first, target as u8));
                }
            }),
            Range::Pairs(filters) => scene.for_each_pair(filters, &mut |first, second| {
                visit(&scene.binding(first, second, 0));
            }),
        }
    }
}

/// A board on which at most the own king stands.
struct Scene<'a> {
    king: Option<u8>,
    admits_king: &'a dyn Fn(u8) -> bool,
}

impl Scene<'_> {
    fn binding(&self, first: Subject, second: Subject, target: u8) -> Binding {
        Binding { king: self.king.unwrap_or(0), first, second, target }
    }

    fn occupied(&self) -> Bitboard {
        self.king.and_then(square).map_or(Bitboard::EMPTY, Square::bitboard)
    }

    fn for_each_piece(&self, thing: Thing, visit: &mut dyn FnMut(Subject)) {
        for color in 0..2 {
            for role in 0..=KING {
                for square in 0..64 {
                    let subject = Subject { square, color, role };
                    if is_a(thing, subject) && self.admits(subject) {
                        visit(subject);
                    }
                }
            }
        }
    }

    /// Whether a piece can stand beside the own king of the scene.
    fn admits(&self, subject: Subject) -> bool {
        let is_own_king = subject.role == KING && subject.color == 0;
        if subject.role == PieceKind::Pawn as u8 && matches!(subject.square >> 3, 0 | 7) {
            return false;
        }
        if is_own_king && !(self.admits_king)(subject.square) {
            return false;
        }
        match self.king {
            None => true,
            Some(king) if is_own_king => subject.square == king,
            Some(king) => {
                let touches = square(king).is_some_and(|king| {
                    square(subject.square).is_some_and(|other| attacks::king(king).contains(other))
                });
                subject.square != king && !(subject.role == KING && touches)
            }
        }
    }

    fn for_each_pair(&self, filters: &[PairFilter], visit: &mut dyn FnMut(Subject, Subject)) {
        let ordered = filters.contains(&PairFilter::Attacks);
        self.for_each_piece(Thing::Any, &mut |first| {
            let reached = if ordered { attacked(first, self.occupied()) } else { Bitboard::ALL };
            for target in reached {
                let second_square = target as u8;
                if second_square == first.square || (!ordered && second_square < first.square) {
                    continue;
                }
                for (color, role) in (0..2).flat_map(|color| (0..=KING).map(move |role| (color, role))) {
                    let second = Subject { square: second_square, color, role };
                    let kings_clash = first.role == KING
                        && role == KING
                        && (first.color == color || attacked(first, Bitboard::EMPTY).contains(target));
                    if self.admits(second) && !kings_clash && passes(filters, first, second) {
                        visit(first, second);
                    }
                }
            }
        });
    }
}

/// Whether a piece is one that a thing ranges over.
pub(crate) fn is_a(thing: Thing, subject: Subject) -> bool {
    match thing {
        Thing::King => subject.role == KING && subject.color == 0,
        Thing::EnemyKing => subject.role == KING && subject.color == 1,
        Thing::Kings => subject.role == KING,
        Thing::Pawn => subject.role == PieceKind::Pawn as u8,
        Thing::Piece => subject.role != KING,
        Thing::Any | Thing::Move | Thing::First | Thing::Second => true,
    }
}

fn square(number: u8) -> Option<Square> {
    Square::from_index(usize::from(number))
}

/// What a piece attacks in the frame of a view, where the own side plays like White.
fn attacked(subject: Subject, occupied: Bitboard) -> Bitboard {
    let (Some(square), Some(kind), Some(color)) = (
        square(subject.square),
        PieceKind::from_index(usize::from(subject.role)),
        Color::from_index(usize::from(subject.color)),
    ) else {
        return Bitboard::EMPTY;
    };
    attacks::piece(kind, color, square, occupied)
}

/// Where a piece could go if the other pieces stood as conveniently as possible: attacks, and pawn pushes.
fn destinations(subject: Subject, occupied: Bitboard) -> Bitboard {
    let mut reached = attacked(subject, occupied);
    if subject.role == PieceKind::Pawn as u8 {
        let step = if subject.color == 0 { 1 } else { -1 };
        let start = if subject.color == 0 { 1 } else { 6 };
        let once = square(subject.square).and_then(|from| from.offset(0, step)).filter(|&to| !occupied.contains(to));
        reached |= once.map_or(Bitboard::EMPTY, Square::bitboard);
        let twice = once.filter(|_| subject.square >> 3 == start).and_then(|from| from.offset(0, step));
        reached |= twice.filter(|&to| !occupied.contains(to)).map_or(Bitboard::EMPTY, Square::bitboard);
    }
    let own = if subject.color == 0 { occupied } else { Bitboard::EMPTY };
    reached - own
}
