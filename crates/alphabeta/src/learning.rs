//! What a node learns about its moves, and what the histories say about them.
//!
//! The switches of single histories and of killers concern the ordering only: everything is learned here whatever they say, and
//! `record_of` gives it to pruning and reductions.

use kiebitz_chess::Move;

use crate::histories::{PieceTo, Threats, victim};
use crate::parameters;
use crate::worker::Worker;

/// Moves that were searched and did not cut off, to be blamed for it.
#[derive(Debug)]
pub(crate) struct Tried {
    moves: [Move; 32],
    len: usize,
}

impl Tried {
    pub(crate) fn new() -> Self {
        Self { moves: [Move::NULL; 32], len: 0 }
    }

    pub(crate) fn push(&mut self, mv: Move) {
        if let Some(slot) = self.moves.get_mut(self.len) {
            *slot = mv;
            self.len += 1;
        }
    }

    fn iter(&self) -> impl Iterator<Item = Move> + '_ {
        self.moves[..self.len].iter().copied()
    }
}

impl Worker<'_> {
    /// What histories say about a move: for quiet moves about the move itself and as a continuation, for others about
    /// the capture.
    #[inline]
    pub(crate) fn record_of(&self, ply: usize, threats: Threats, mv: Move) -> i32 {
        let position = &self.frame(ply).position;
        let histories = &self.memory.histories;
        let moved = PieceTo::of(position, mv);
        if mv.is_quiet() {
            histories.quiet(position.side_to_move(), threats, mv)
                + histories.continuation(self.earlier(ply, 1).moved, moved)
                + histories.continuation(self.earlier(ply, 2).moved, moved)
        } else {
            histories.capture(moved, victim(position, mv))
        }
    }

    /// The move that was best is praised, those tried before it are blamed.
    pub(crate) fn learn_from(
        &mut self,
        ply: usize,
        threats: Threats,
        best: Move,
        quiets: &Tried,
        captures: &Tried,
        depth: i32,
    ) {
        let (praise, blame) = (bonus(depth), -malus(depth));
        if best.is_quiet() {
            let killers = &mut self.frame_mut(ply).killers;
            if killers[0] != best {
                *killers = [best, killers[0]];
            }
            self.learn_quiet(ply, threats, best, praise);
            for mv in quiets.iter() {
                self.learn_quiet(ply, threats, mv, blame);
            }
        } else {
            self.learn_capture(ply, best, praise);
        }
        for mv in captures.iter() {
            self.learn_capture(ply, mv, blame);
        }
    }

    pub(crate) fn learn_quiet(&mut self, ply: usize, threats: Threats, mv: Move, bonus: i32) {
        let position = &self.stack[Self::slot(ply)].position;
        let moved = PieceTo::of(position, mv);
        self.memory.histories.learn_quiet(position.side_to_move(), threats, mv, bonus);
        self.memory.histories.learn_pawn(position, moved, bonus);
        self.learn_continuation(ply, mv, bonus);
    }

    pub(crate) fn learn_continuation(&mut self, ply: usize, mv: Move, bonus: i32) {
        let moved = PieceTo::of(&self.frame(ply).position, mv);
        for plies in [1, 2, 4] {
            let earlier = self.earlier(ply, plies).moved;
            self.memory.histories.learn_continuation(earlier, moved, bonus);
        }
    }

    fn learn_capture(&mut self, ply: usize, mv: Move, bonus: i32) {
        let position = &self.stack[Self::slot(ply)].position;
        let (moved, taken) = (PieceTo::of(position, mv), victim(position, mv));
        self.memory.histories.learn_capture(moved, taken, bonus);
    }
}

/// What a cutoff at this depth adds to a move's record.
#[inline]
pub(crate) fn bonus(depth: i32) -> i32 {
    (parameters::bonus_slope() * depth).min(parameters::bonus_limit())
}

#[inline]
fn malus(depth: i32) -> i32 {
    (parameters::malus_slope() * depth).min(parameters::malus_limit())
}
