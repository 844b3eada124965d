//! Accumulators kept for every context of the own king, so that a refresh is a short update.
//!
//! When a king moves to another context, all features of that side change. But the last accumulator of the new context
//! belongs to a position with mostly the same pieces: only what differs is added and removed.

use kiebitz_chess::{Bitboard, Color, Piece, PieceKind, Position};

use crate::network::PackedNetwork;
use crate::sums::Sums;

/// One accumulator for each view and context.
pub(crate) struct RefreshCache {
    entries: Vec<Entry>,
    contexts: usize,
    added: Vec<u32>,
    removed: Vec<u32>,
}

struct Entry {
    sums: Sums,
    /// The pieces the sums are made of.
    pieces: [[Bitboard; PieceKind::COUNT]; Color::COUNT],
}

impl RefreshCache {
    pub(crate) fn new(network: &PackedNetwork) -> Self {
        let contexts = network.features().contexts();
        let entry = || Entry { sums: Sums::empty(network), pieces: Default::default() };
        let entries = (0..network.spec.views() * contexts).map(|_| entry()).collect();
        Self { entries, contexts, added: Vec::new(), removed: Vec::new() }
    }

    /// The sums of a position's single-piece features as a view sees them.
    pub(crate) fn refresh(
        &mut self,
        network: &PackedNetwork,
        position: &Position,
        view: usize,
        context: usize,
    ) -> &Sums {
        let perspective = Color::ALL[view];
        let features = network.features();
        let pieces = features.piece_view(perspective, position.king(perspective));
        let (added, removed) = (&mut self.added, &mut self.removed);
        let entry = &mut self.entries[view * self.contexts + context];
        let differs = |color: Color, kind: PieceKind, known: Bitboard| (known ^ position.pieces(color, kind)).len();
        let mut different = 0;
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                different += differs(color, kind, entry.pieces[color.index()][kind.index()]);
            }
        }
        if different > position.occupied().len() {
            entry.sums.clear(network);
            entry.pieces = Default::default();
        }
        added.clear();
        removed.clear();
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                let known = &mut entry.pieces[color.index()][kind.index()];
                let now = position.pieces(color, kind);
                let piece = Piece::new(color, kind);
                for square in *known - now {
                    pieces.for_each(piece, square, |index| removed.push(index));
                }
                for square in now - *known {
                    pieces.for_each(piece, square, |index| added.push(index));
                }
                *known = now;
            }
        }
        entry.sums.update_in_place(network, added, removed);
        &entry.sums
    }
}
