//! Features of single pieces, compiled into tables: one load per piece.
//!
//! For every square of the own king there is a *row*: relative color, kind and square of a piece lead to its index.
//! Equal rows are kept once and form a *context*; as long as a king's move does not change the context, no refresh is
//! needed. Blocks that never apply to the same kind of piece share a *plane* of the row:
//!
//! ```text
//! rows: context 0 [ plane 0: own pawn a1..h8, own knight a1..h8, …, enemy king a1..h8 | plane 1: … ]  context 1 [ … ]
//! ```

use std::collections::HashMap;

use kiebitz_chess::{Bitboard, Board, Color, Piece, PieceKind, Position, Square};

use crate::Thing;
use crate::attribute::{Binding, KING, Subject};
use crate::layout::{Block, NONE, Range};
use crate::reach::is_a;

/// Entries of one plane: two colors, six kinds, 64 squares.
const PLANE: usize = Color::COUNT * PieceKind::COUNT * Square::COUNT;

/// The tables of a feature set.
#[derive(Clone, Debug)]
pub(crate) struct PieceTables {
    planes: usize,
    contexts: usize,
    context_of_king: [u16; Square::COUNT],
    rows: Vec<u32>,
    /// A bit for every relative color and kind that has features at all.
    used: u16,
    /// The kinds that have features, where every such piece has exactly one in either view; see [`Self::append_both`].
    single: Option<u8>,
}

/// Pieces on a board, and so the most features where each has one.
const MOST_PIECES: usize = 32;

impl PieceTables {
    /// Compiles the blocks that range over single pieces.
    pub(crate) fn new(blocks: &[Block]) -> Self {
        let planes = into_planes(blocks);
        let mut known: HashMap<Vec<u32>, u16> = HashMap::new();
        let mut rows = Vec::new();
        let mut context_of_king = [0; Square::COUNT];
        for king in 0..64_u8 {
            let row: Vec<u32> = planes.iter().flat_map(|plane| row_of_plane(plane, king)).collect();
            let next = known.len() as u16;
            let context = *known.entry(row).or_insert_with_key(|row| {
                rows.extend_from_slice(row);
                next
            });
            context_of_king[usize::from(king)] = context;
        }
        let used = (0..12).filter(|&kind| planes.iter().flatten().any(|block| applies(block, kind)));
        let used = used.map(|kind| 1 << kind).sum();
        let single = kinds_with_one_feature(planes.len(), &rows, used);
        Self { planes: planes.len(), contexts: known.len(), context_of_king, rows, used, single }
    }

    /// How many different contexts there are.
    pub(crate) fn contexts(&self) -> usize {
        self.contexts
    }

    /// The context of an own king, given on the view's board.
    #[inline(always)]
    pub(crate) fn context(&self, king: u8) -> usize {
        usize::from(self.context_of_king[usize::from(king & 63)])
    }

    /// Bytes of the tables.
    pub(crate) fn memory_bytes(&self) -> usize {
        size_of_val(self.rows.as_slice())
    }

    #[inline(always)]
    pub(crate) fn view(&self, own: Color, mask: u8, king: u8) -> PieceView<'_> {
        let length = self.planes * PLANE;
        let start = self.context(king) * length;
        PieceView { rows: self.rows.get(start..start + length).unwrap_or(&[]), own, mask, used: self.used }
    }
}

impl PieceTables {
    /// Appends the features of all pieces in the view of one side, then those in the view of the other, in the order of
    /// squares, and says how many each view has. `None`, and nothing is appended, unless every piece has one feature or none.
    ///
    /// One walk over the squares serves both views, and no branch depends on what stands there: several times as fast as a
    /// walk for every color and kind, of which each ends with a surprise.
    #[inline]
    pub(crate) fn append_both(
        &self,
        board: &Board,
        views: [PieceView<'_>; 2],
        indices: &mut Vec<u32>,
    ) -> Option<usize> {
        let kinds = self.single?;
        let [Some(one), Some(other)] = views.map(|view| view.rows.first_chunk::<PLANE>()) else { return None };
        let mut squares = Bitboard::EMPTY;
        for kind in PieceKind::ALL {
            squares |= Bitboard(board.kind(kind).0 & u64::from(kinds >> kind as u8 & 1).wrapping_neg());
        }
        let black = board.color(Color::Black);
        let mut found = [[0; MOST_PIECES]; 2];
        let count = squares.len().min(MOST_PIECES);
        for (place, square) in squares.into_iter().take(MOST_PIECES).enumerate() {
            let kind = board.kind_at(square).map_or(0, PieceKind::index);
            let color = usize::from(black.contains(square));
            let entry = |view: &PieceView<'_>| {
                let piece = (color ^ view.own as usize) * PieceKind::COUNT + kind;
                piece * Square::COUNT + usize::from((square as u8 ^ view.mask) & 63)
            };
            found[0][place] = one[entry(&views[0])];
            found[1][place] = other[entry(&views[1])];
        }
        indices.extend_from_slice(&found[0][..count]);
        indices.extend_from_slice(&found[1][..count]);
        Some(count)
    }
}

/// The kinds that have features, if each of their pieces has exactly one wherever it may stand, whosever it is.
fn kinds_with_one_feature(planes: usize, rows: &[u32], used: u16) -> Option<u8> {
    let (own, enemy) = (used & 0x3f, used >> PieceKind::COUNT);
    let needs_none = |number: usize, square: usize| {
        let pawn_on_edge = number % PieceKind::COUNT == PieceKind::Pawn as usize && matches!(square / 8, 0 | 7);
        pawn_on_edge || used >> number & 1 == 0
    };
    let complete = rows.chunks_exact(PLANE).all(|row| {
        row.iter()
            .enumerate()
            .all(|(entry, &index)| index != NONE || needs_none(entry / Square::COUNT, entry % Square::COUNT))
    });
    (planes == 1 && own == enemy && complete).then_some(own as u8)
}

/// The features of single pieces as one side sees them while its king stands where it stands.
#[derive(Clone, Copy, Debug)]
pub struct PieceView<'a> {
    rows: &'a [u32],
    own: Color,
    mask: u8,
    used: u16,
}

impl PieceView<'_> {
    /// Calls `found` with every feature that a piece on a square activates.
    #[inline(always)]
    pub fn for_each(&self, piece: Piece, square: Square, mut found: impl FnMut(u32)) {
        let color = piece.color as usize ^ self.own as usize;
        let entry =
            (color * PieceKind::COUNT + piece.kind as usize) * Square::COUNT + usize::from(square as u8 ^ self.mask);
        for plane in self.rows.chunks_exact(PLANE) {
            let index = plane[entry];
            if index != NONE {
                found(index);
            }
        }
    }

    /// Calls `found` with every feature that the pieces of a position activate.
    #[inline(always)]
    pub fn for_each_of(&self, position: &Position, mut found: impl FnMut(u32)) {
        let board = position.board();
        for color in Color::ALL {
            let relative = color as usize ^ self.own as usize;
            for kind in PieceKind::ALL {
                let number = relative * PieceKind::COUNT + kind as usize;
                if self.used >> number & 1 == 0 {
                    continue;
                }
                let squares = board.pieces(color, kind);
                for plane in self.rows.chunks_exact(PLANE) {
                    let entries = &plane[number * Square::COUNT..][..Square::COUNT];
                    for square in squares {
                        let index = entries[usize::from((square as u8 ^ self.mask) & 63)];
                        if index != NONE {
                            found(index);
                        }
                    }
                }
            }
        }
    }
}

fn piece_of(number: usize) -> (u8, u8) {
    ((number / PieceKind::COUNT) as u8, (number % PieceKind::COUNT) as u8)
}

fn applies(block: &Block, number: usize) -> bool {
    let (color, role) = piece_of(number);
    let thing = match block.range {
        Some(Range::OwnKing) => Thing::King,
        Some(Range::Pieces(thing)) => thing,
        _ => return false,
    };
    is_a(thing, Subject { square: 0, color, role })
}

/// Blocks in groups of which no two apply to the same kind of piece.
fn into_planes(blocks: &[Block]) -> Vec<Vec<&Block>> {
    let mut planes: Vec<(Vec<&Block>, u16)> = Vec::new();
    for block in blocks {
        let kinds: u16 = (0..12).filter(|&number| applies(block, number)).map(|number| 1 << number).sum();
        if kinds == 0 {
            continue;
        }
        match planes.iter_mut().find(|(_, taken)| taken & kinds == 0) {
            Some((members, taken)) => {
                members.push(block);
                *taken |= kinds;
            }
            None => planes.push((vec![block], kinds)),
        }
    }
    planes.into_iter().map(|(members, _)| members).collect()
}

fn row_of_plane(plane: &[&Block], king: u8) -> Vec<u32> {
    let mut row = vec![NONE; PLANE];
    for number in 0..12 {
        let (color, role) = piece_of(number);
        let Some(block) = plane.iter().find(|block| applies(block, number)) else { continue };
        for square in 0..64 {
            let first = Subject { square, color, role };
            // A product of the own king alone follows the king; it needs no context.
            let alone = block.range == Some(Range::OwnKing);
            debug_assert!(!alone || role == KING);
            let king = if alone { square } else { king };
            let binding = Binding { king, first, second: first, target: 0 };
            row[number * Square::COUNT + usize::from(square)] = block.index(&binding);
        }
    }
    row
}
