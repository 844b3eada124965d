//! One thread of a search: the path it is on and what it remembers.
//!
//! **Match:** evaluations that fade as the fifty moves pass, on against off: +3.1 ± 15.8 Elo (1 000 games at 4 000 nodes a move, UHO
//! openings).

use std::sync::atomic::{AtomicU64, Ordering};

use kiebitz_chess::{GameHistory, Key, Legality, Move, MoveList, PieceKind, Position, attacks};
use kiebitz_search::{LONGEST_LINE, PrincipalVariations, SearchLimits, TimeManager};

use crate::correction::Corrections;
use crate::evaluation_cache::EvaluationCache;
use crate::evaluator::Evaluator;
use crate::histories::{Histories, PieceTo, Threats};
use crate::move_picker::ScoredMove;
use crate::node_budget::NodeBudget;
use crate::parameters;
use crate::repetition::KeyPath;
use crate::root_moves::RootMoves;
use crate::tablebase::EndgameTables;
use crate::transposition_table::TranspositionTable;
use crate::value::{EVALUATION_LIMIT, NONE, Value};

/// What a thread keeps from one search to the next.
pub(crate) struct Memory {
    pub(crate) histories: Histories,
    pub(crate) corrections: Corrections,
    pub(crate) evaluator: Evaluator,
    evaluations: EvaluationCache,
}

impl Memory {
    pub(crate) fn new(evaluator: Evaluator) -> Self {
        Self {
            histories: Histories::default(),
            corrections: Corrections::default(),
            evaluator,
            evaluations: EvaluationCache::default(),
        }
    }

    /// A new game begins.
    pub(crate) fn clear(&mut self) {
        self.histories.clear();
        self.corrections.clear();
        self.evaluator.clear();
        self.evaluations.clear();
    }
}

/// What all threads of a search share.
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a TranspositionTable,
    pub(crate) time: &'a TimeManager,
    pub(crate) limits: &'a SearchLimits,
    /// The limit of nodes, as far as it is not drawn yet.
    pub(crate) budget: &'a NodeBudget,
    /// Set by whoever finds that the search is over.
    pub(crate) stop: &'a std::sync::atomic::AtomicBool,
    /// Nodes and tablebase hits of every thread, brought up to date now and then.
    pub(crate) nodes: &'a [AtomicU64],
    pub(crate) tablebase_hits: &'a AtomicU64,
    /// Tables to ask inside the tree; none if the root itself is in them, for then the search has to find the mate.
    pub(crate) tables: Option<&'a EndgameTables>,
}

/// One node of the current path.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) position: Position,
    pub(crate) key: Key,
    pub(crate) legality: Legality,
    /// The corrected evaluation; [`NONE`] in check.
    pub(crate) evaluation: Value,
    /// The move that is being searched here, and the piece it moves.
    pub(crate) playing: Move,
    pub(crate) moved: PieceTo,
    /// Left out while it is asked whether it is the only good move.
    pub(crate) excluded: Move,
    pub(crate) killers: [Move; 2],
    /// How often moves of this node's children failed high.
    pub(crate) cutoffs: u32,
    /// Plies since the last null move.
    pub(crate) since_null: usize,
    /// Second and third plies of extension on the way here.
    pub(crate) double_extensions: u32,
}

/// Frames before the root, so that looking back needs no test.
const BEFORE_ROOT: usize = 4;
/// Clock and signals are looked at once in so many nodes.
const NODES_PER_CHECK: u64 = 1024;

/// A thread at work.
pub(crate) struct Worker<'a> {
    pub(crate) shared: &'a Shared<'a>,
    pub(crate) memory: &'a mut Memory,
    pub(crate) index: usize,
    pub(crate) stack: Vec<Frame>,
    pub(crate) moves: Vec<ScoredMove>,
    pub(crate) scratch: MoveList,
    pub(crate) keys: KeyPath,
    pub(crate) lines: PrincipalVariations,
    pub(crate) root_moves: RootMoves,
    pub(crate) nodes: u64,
    pub(crate) tablebase_hits: u64,
    /// How far the nodes reach that were drawn from the budget.
    node_limit: u64,
    pub(crate) selective_depth: usize,
    pub(crate) root_depth: i32,
    pub(crate) finished_depth: u32,
    /// No null move before this ply: a verification search is on.
    pub(crate) null_move_from: usize,
    pub(crate) stopped: bool,
}

impl<'a> Worker<'a> {
    /// A thread at the root, with its first share of a limit of nodes: the first thread, which decides, is made first.
    pub(crate) fn new(
        shared: &'a Shared<'a>,
        memory: &'a mut Memory,
        index: usize,
        game: &GameHistory,
        root_moves: RootMoves,
    ) -> Self {
        let position = game.position();
        let frame = Frame {
            position: position.clone(),
            key: position.key(),
            legality: position.legality(),
            evaluation: NONE,
            playing: Move::NULL,
            moved: PieceTo::NONE,
            excluded: Move::NULL,
            killers: [Move::NULL; 2],
            cutoffs: 0,
            since_null: usize::MAX / 2,
            double_extensions: 0,
        };
        let mut keys: Vec<_> = game.past().map(|(position, _)| position.key()).collect();
        keys.push(position.key());
        let node_limit = shared.budget.draw();
        memory.evaluator.reset(position);
        Self {
            shared,
            memory,
            index,
            stack: vec![frame; BEFORE_ROOT + LONGEST_LINE + 4],
            moves: Vec::with_capacity(4096),
            scratch: MoveList::new(),
            keys: KeyPath::at_root(keys),
            lines: PrincipalVariations::default(),
            root_moves,
            nodes: 0,
            tablebase_hits: 0,
            node_limit,
            selective_depth: 0,
            root_depth: 0,
            finished_depth: 0,
            null_move_from: 0,
            // Of a small limit others may have drawn everything before.
            stopped: node_limit == 0,
        }
    }

    /// Where a ply lies in the stack.
    #[inline(always)]
    pub(crate) const fn slot(ply: usize) -> usize {
        ply + BEFORE_ROOT
    }

    #[inline(always)]
    pub(crate) fn frame(&self, ply: usize) -> &Frame {
        &self.stack[ply + BEFORE_ROOT]
    }

    #[inline(always)]
    pub(crate) fn frame_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.stack[ply + BEFORE_ROOT]
    }

    /// The frame so many plies before this one; before the root there is one without a move.
    #[inline(always)]
    pub(crate) fn earlier(&self, ply: usize, plies: usize) -> &Frame {
        &self.stack[ply + BEFORE_ROOT - plies]
    }

    /// How many plies back a repetition can lie.
    #[inline]
    pub(crate) fn reversible(&self, ply: usize) -> usize {
        let frame = self.frame(ply);
        usize::from(frame.position.halfmove_clock()).min(frame.since_null)
    }

    /// Counts a node; the search ends exactly at its limit.
    #[inline]
    fn count_node(&mut self) {
        self.nodes += 1;
        if self.nodes >= self.node_limit {
            self.draw_nodes();
        }
        if self.nodes.is_multiple_of(NODES_PER_CHECK) {
            self.look_around();
        }
    }

    /// Gets more nodes to visit, or stops for want of them.
    #[cold]
    fn draw_nodes(&mut self) {
        match self.shared.budget.draw() {
            0 => self.stopped = true,
            nodes => self.node_limit = self.node_limit.saturating_add(nodes),
        }
    }

    /// The search of this thread is over: what it has not used is for the others.
    pub(crate) fn finish(&mut self) {
        self.shared.budget.give_back(self.unused_nodes());
        self.node_limit = self.nodes;
        self.publish();
    }

    /// Nodes that it has drawn and not visited.
    pub(crate) fn unused_nodes(&self) -> u64 {
        self.node_limit.saturating_sub(self.nodes)
    }

    /// Whether it ended because the limit of nodes was reached.
    pub(crate) fn is_out_of_nodes(&self) -> bool {
        self.nodes >= self.node_limit
    }

    /// Tells the other threads how far this one is, and sees whether the search is over.
    pub(crate) fn look_around(&mut self) {
        self.publish();
        if self.index == 0 && self.shared.time.is_over() {
            self.shared.stop.store(true, Ordering::Relaxed);
        }
        if self.shared.stop.load(Ordering::Relaxed) {
            self.stopped = true;
        }
    }

    /// Makes this thread's counters visible.
    pub(crate) fn publish(&mut self) {
        self.shared.nodes[self.index].store(self.nodes, Ordering::Relaxed);
        self.shared.tablebase_hits.fetch_add(std::mem::take(&mut self.tablebase_hits), Ordering::Relaxed);
    }

    /// A move may be played soon: its entry of the table begins its way from memory, which takes longer than playing it.
    #[inline]
    pub(crate) fn foresee(&self, ply: usize, mv: Move) {
        self.shared.table.prefetch(self.frame(ply).position.likely_key_after(mv));
    }

    /// Plays a move: the next frame is then the position after it.
    #[inline]
    pub(crate) fn play(&mut self, ply: usize, mv: Move) {
        self.count_node();
        let slot = Self::slot(ply);
        let (here, there) = self.stack.split_at_mut(slot + 1);
        let (frame, next) = (&mut here[slot], &mut there[0]);
        frame.playing = mv;
        frame.moved = PieceTo::of(&frame.position, mv);
        self.memory.evaluator.play(&frame.position, mv, &mut next.position);
        next.since_null = frame.since_null.saturating_add(1);
        next.double_extensions = frame.double_extensions;
        next.key = next.position.key();
        self.memory.evaluations.prefetch(next.key);
        next.legality = next.position.legality();
        self.keys.push(next.key);
    }

    /// Passes the turn.
    pub(crate) fn pass(&mut self, ply: usize) {
        self.count_node();
        let slot = Self::slot(ply);
        let (here, there) = self.stack.split_at_mut(slot + 1);
        let (frame, next) = (&mut here[slot], &mut there[0]);
        frame.playing = Move::NULL;
        frame.moved = PieceTo::NONE;
        next.position = frame.position.clone();
        next.position.play_null();
        self.memory.evaluator.pass();
        next.since_null = 0;
        next.double_extensions = frame.double_extensions;
        next.key = next.position.key();
        self.shared.table.prefetch(next.key);
        next.legality = next.position.legality();
        self.keys.push(next.key);
    }

    /// Takes the last move, or pass, back.
    #[inline]
    pub(crate) fn take_back(&mut self) {
        self.memory.evaluator.take_back();
        self.keys.pop();
    }

    /// The evaluation as it is kept in the table.
    #[inline]
    pub(crate) fn evaluate(&mut self, ply: usize) -> Value {
        let frame = &self.stack[Self::slot(ply)];
        let memory = &mut *self.memory;
        if let Some(value) = memory.evaluations.get(frame.key) {
            return value;
        }
        let value = memory.evaluator.evaluate(&frame.position).clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT);
        memory.evaluations.keep(frame.key, value);
        value
    }

    /// The evaluation as the search uses it: nearer to a draw as the fifty moves pass, and corrected by experience.
    #[inline]
    pub(crate) fn corrected(&self, ply: usize, evaluation: Value) -> Value {
        let frame = self.frame(ply);
        let mut value = self.memory.evaluator.scaled(&frame.position, evaluation);
        if parameters::fifty_move_damping() {
            let clock = Value::from(frame.position.halfmove_clock().min(100));
            value = value * (220 - clock) / 220;
        }
        let (before, last) = (self.earlier(ply, 2).moved, self.earlier(ply, 1).moved);
        self.memory.corrections.correct(&frame.position, before, last, value)
    }

    /// The squares that enemy pawns attack.
    #[inline]
    pub(crate) fn threats(&self, ply: usize) -> Threats {
        let position = &self.frame(ply).position;
        let them = !position.side_to_move();
        Threats(attacks::pawns(them, position.pieces(them, PieceKind::Pawn)))
    }
}
