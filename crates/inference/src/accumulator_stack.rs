//! Accumulators that follow the moves of a search.
//!
//! A move only records what it changed, and asks for the rows of weights that will be needed; sums are formed when a value
//! is asked for, and then for every ply on the way, so that siblings find them. A side whose king changed its context in between is refreshed from the cache instead.
//! Boards are kept only for networks with features of several pieces, whose changes cannot be told from a move alone.

use kiebitz_chess::{Board, Color, PieceKind, Position, Square};
use kiebitz_features::{BoardDelta, FeatureDelta};

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
}

struct Ply {
    /// What led here from the ply below.
    delta: BoardDelta,
    /// What that changed for each view, apart from features of several pieces.
    changes: [FeatureDelta; Color::COUNT],
    /// Kept up to date only where features depend on several pieces at once.
    board: Board,
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
        Self { plies, length: 1, cache, added: Vec::new() }
    }

    /// Starts anew from a position.
    pub(crate) fn reset(&mut self, network: &PackedNetwork, position: &Position) {
        self.length = 1;
        let root = &mut self.plies[0];
        root.delta.clear();
        root.board.clone_from(position.board());
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
        if network.features().has_dynamic() {
            ply.board.clone_from(&before.board);
            delta.removed().for_each(|(_, square)| ply.board.set(square, None));
            delta.placed().for_each(|(piece, square)| ply.board.set(square, Some(piece)));
        }
        ply.note_changes(network);
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

    /// The sums of the current position's features for a view.
    #[inline]
    pub(crate) fn sums(&mut self, network: &PackedNetwork, position: &Position, view: usize) -> &Sums {
        let top = self.length - 1;
        debug_assert!(
            Color::ALL.into_iter().all(|color| self.plies[top].kings[color.index()] == position.king(color)),
            "the stack does not belong to {position}"
        );
        if !self.plies[top].ready[view] {
            match self.nearest_ready(view) {
                Some(base) => {
                    for number in base + 1..top + 1 {
                        self.step(network, number, view);
                    }
                }
                None => {
                    let context = self.plies[top].contexts[view];
                    let fresh = self.cache.refresh(network, position, view, context);
                    let ply = &mut self.plies[top];
                    ply.sums[view].copy_from(fresh);
                    ply.ready[view] = true;
                    if network.features().has_dynamic() {
                        let added = &mut self.added;
                        added.clear();
                        network.features().for_each_dynamic(position, Color::ALL[view], &mut |index| added.push(index));
                        ply.sums[view].update_in_place(network, added, &[]);
                    }
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
        if network.features().has_dynamic() {
            let (perspective, king, changes) = (Color::ALL[view], ply.kings[view], &mut ply.changes[view]);
            network.features().changed_dynamic(&before.board, &ply.board, &ply.delta, perspective, king, changes);
        }
        let FeatureDelta { removed, added } = &ply.changes[view];
        ply.sums[view].update(network, &before.sums[view], added, removed);
        ply.ready[view] = true;
    }
}

impl Ply {
    fn new(network: &PackedNetwork) -> Self {
        Self {
            delta: BoardDelta::default(),
            changes: Default::default(),
            board: Board::EMPTY,
            kings: [Square::A1; Color::COUNT],
            contexts: [0; Color::COUNT],
            ready: [false; Color::COUNT],
            sums: vec![Sums::empty(network); network.spec.views()],
        }
    }

    /// Notes which features changed, and starts to bring their rows near while the search still does other things.
    #[inline]
    fn note_changes(&mut self, network: &PackedNetwork) {
        for (view, changes) in self.changes[..network.spec.views()].iter_mut().enumerate() {
            let pieces = network.features().piece_view(Color::ALL[view], self.kings[view]);
            let note = |list: &mut Vec<u32>, index| {
                network.prefetch_row(index);
                list.push(index);
            };
            changes.added.clear();
            for (piece, square) in self.delta.placed() {
                pieces.for_each(piece, square, |index| note(&mut changes.added, index));
            }
            changes.removed.clear();
            for (piece, square) in self.delta.removed() {
                pieces.for_each(piece, square, |index| note(&mut changes.removed, index));
            }
        }
    }

    fn set_king(&mut self, network: &PackedNetwork, color: Color, square: Square) {
        self.kings[color.index()] = square;
        self.contexts[color.index()] = network.features().context(color, square);
    }
}
