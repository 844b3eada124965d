//! Accumulators that follow the moves of a search.
//!
//! A move only records what it changed; sums are formed when a value is asked for, and then for every ply on the way, so
//! that siblings find them. A side whose king changed its context in between is refreshed from the cache instead.

use kiebitz_chess::{Color, PieceKind, Position, Square};
use kiebitz_features::BoardDelta;

use crate::network::PackedNetwork;
use crate::refresh_cache::RefreshCache;
use crate::sums::Sums;

/// The sums of the positions on the way from the root to the current node.
pub(crate) struct AccumulatorStack {
    plies: Vec<Ply>,
    /// How many of them are in use; at least one.
    length: usize,
    cache: RefreshCache,
    added: Vec<u32>,
    removed: Vec<u32>,
}

struct Ply {
    /// What led here from the ply below.
    delta: BoardDelta,
    kings: [Square; Color::COUNT],
    contexts: [usize; Color::COUNT],
    /// Whether the sums of a view are those of this ply.
    ready: [bool; Color::COUNT],
    /// One a view.
    sums: Vec<Sums>,
}

/// Plies for which memory is taken at the beginning.
const FIRST_PLIES: usize = 16;

impl AccumulatorStack {
    pub(crate) fn new(network: &PackedNetwork) -> Self {
        let plies = (0..FIRST_PLIES).map(|_| Ply::new(network)).collect();
        let cache = RefreshCache::new(network);
        Self { plies, length: 1, cache, added: Vec::new(), removed: Vec::new() }
    }

    /// Starts anew from a position.
    pub(crate) fn reset(&mut self, network: &PackedNetwork, position: &Position) {
        self.length = 1;
        let root = &mut self.plies[0];
        root.delta.clear();
        root.ready = [false; Color::COUNT];
        for color in Color::ALL {
            root.set_king(network, color, position.king(color));
        }
    }

    pub(crate) fn push(&mut self, network: &PackedNetwork, delta: &BoardDelta) {
        if self.length == self.plies.len() {
            self.plies.push(Ply::new(network));
        }
        let (below, above) = self.plies.split_at_mut(self.length);
        let (Some(before), Some(ply)) = (below.last(), above.first_mut()) else { return };
        ply.delta = *delta;
        ply.ready = [false; Color::COUNT];
        ply.kings = before.kings;
        ply.contexts = before.contexts;
        for (piece, square) in delta.placed() {
            if piece.kind == PieceKind::King {
                ply.set_king(network, piece.color, square);
            }
        }
        self.length += 1;
    }

    pub(crate) fn pop(&mut self) {
        debug_assert!(self.length > 1, "nothing was pushed");
        self.length = (self.length - 1).max(1);
    }

    /// How many moves have been pushed.
    pub(crate) fn depth(&self) -> usize {
        self.length - 1
    }

    /// The sums of the current position's single-piece features for a view.
    #[inline]
    pub(crate) fn sums(&mut self, network: &PackedNetwork, position: &Position, view: usize) -> &Sums {
        let top = self.length - 1;
        debug_assert!(
            Color::ALL.into_iter().all(|color| self.plies[top].kings[color.index()] == position.king(color)),
            "the stack does not belong to {position}"
        );
        if !self.plies[top].ready[view] {
            match self.nearest_ready(view) {
                Some(base) => (base + 1..=top).for_each(|number| self.step(network, number, view)),
                None => {
                    let context = self.plies[top].contexts[view];
                    let fresh = self.cache.refresh(network, position, view, context);
                    let ply = &mut self.plies[top];
                    ply.sums[view].copy_from(fresh);
                    ply.ready[view] = true;
                }
            }
        }
        &self.plies[top].sums[view]
    }

    /// The nearest ply below that has its sums, unless the own king changed its context on the way.
    fn nearest_ready(&self, view: usize) -> Option<usize> {
        let mut number = self.length - 1;
        let context = self.plies[number].contexts[view];
        while number > 0 {
            number -= 1;
            let ply = &self.plies[number];
            if ply.contexts[view] != context {
                return None;
            }
            if ply.ready[view] {
                return Some(number);
            }
        }
        None
    }

    /// Forms the sums of a ply from those of the ply below.
    fn step(&mut self, network: &PackedNetwork, number: usize, view: usize) {
        let (below, above) = self.plies.split_at_mut(number);
        let (Some(before), Some(ply)) = (below.last(), above.first_mut()) else { return };
        let perspective = Color::ALL[view];
        let pieces = network.features().piece_view(perspective, ply.kings[view]);
        self.added.clear();
        self.removed.clear();
        for (piece, square) in ply.delta.placed() {
            pieces.for_each(piece, square, |index| self.added.push(index));
        }
        for (piece, square) in ply.delta.removed() {
            pieces.for_each(piece, square, |index| self.removed.push(index));
        }
        ply.sums[view].update(network, &before.sums[view], &self.added, &self.removed);
        ply.ready[view] = true;
    }
}

impl Ply {
    fn new(network: &PackedNetwork) -> Self {
        Self {
            delta: BoardDelta::default(),
            kings: [Square::A1; Color::COUNT],
            contexts: [0; Color::COUNT],
            ready: [false; Color::COUNT],
            sums: vec![Sums::empty(network); network.spec.views()],
        }
    }

    fn set_king(&mut self, network: &PackedNetwork, color: Color, square: Square) {
        self.kings[color.index()] = square;
        self.contexts[color.index()] = network.features().context(color, square);
    }
}
