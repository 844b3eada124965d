//! The searcher as others see it, and how its threads work together.
//!
//! **Lazy SMP.** *Idea:* all threads search the same root and meet only in the transposition table; what one finds out the
//! others need not search. The first thread keeps time and reports; at the end the threads vote for a move, each vote
//! weighted by depth and value.
//!
//! **Match:** two threads with 8 000 nodes a move between them against one with 4 000: +158.9 ± 17.3 Elo (1 000 games, UHO openings).

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use kiebitz_chess::{GameHistory, Move, Score};
use kiebitz_search::{Clock, SearchLimits, SearchReport, SearchResult, SearchSignal, Searcher, TimeManager};

use crate::evaluator::{Evaluation, Evaluator};
use crate::node_budget::NodeBudget;
use crate::root_moves::{RootMove, RootMoves};
use crate::tablebase::EndgameTables;
use crate::thread_room::Rehearsal;
use crate::transposition_table::TranspositionTable;
use crate::value::{INFINITE, Value, is_decisive, score};
use crate::worker::{Memory, Shared, Worker};

/// How a searcher is set up.
#[derive(Clone)]
pub struct Settings {
    /// Size of the transposition table in mebibytes.
    pub hash_mebibytes: usize,
    /// Threads that search together.
    pub threads: usize,
    /// What every move loses on its way to the opponent.
    pub move_overhead: Duration,
    /// The evaluation.
    pub evaluation: Evaluation,
    /// Where time comes from.
    pub clock: Clock,
}

/// The alpha-beta searcher.
pub struct AlphaBeta {
    settings: Settings,
    table: TranspositionTable,
    memories: Vec<Memory>,
    tables: Option<EndgameTables>,
}

impl AlphaBeta {
    /// A searcher that knows nothing yet.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        let table = TranspositionTable::new(settings.hash_mebibytes);
        let mut searcher = Self { settings, table, memories: Vec::new(), tables: None };
        searcher.set_threads(searcher.settings.threads);
        searcher
    }

    /// How it is set up now.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Gives the table another size; what it knew is lost. Returns the size that was to be had.
    pub fn set_hash(&mut self, mebibytes: usize) -> usize {
        if mebibytes != self.table.mebibytes() {
            // The old one goes first: both at once may be more than there is.
            self.table = TranspositionTable::new(1);
            self.table = TranspositionTable::new(mebibytes);
        }
        self.settings.hash_mebibytes = self.table.mebibytes();
        self.settings.hash_mebibytes
    }

    /// Searches with so many threads from now on, or with as many as there is room for; returns how many that are.
    pub fn set_threads(&mut self, threads: usize) -> usize {
        let wanted = if cfg!(target_arch = "wasm32") { 1 } else { threads.max(1) };
        let mut rehearsal = Rehearsal::default();
        let mut had = 1;
        self.ensure_memories(had);
        while had < wanted && rehearsal.admits_another() {
            had += 1;
            self.ensure_memories(had);
        }
        self.memories.truncate(had);
        self.settings.threads = had;
        had
    }

    fn ensure_memories(&mut self, count: usize) {
        while self.memories.len() < count {
            self.memories.push(Memory::new(Evaluator::new(&self.settings.evaluation)));
        }
    }

    /// Sets the time that every move loses on its way.
    pub fn set_move_overhead(&mut self, overhead: Duration) {
        self.settings.move_overhead = overhead;
    }

    /// Searches with another evaluation from now on.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) {
        self.settings.evaluation = evaluation;
        self.memories.clear();
        self.set_threads(self.settings.threads);
        self.clear_hash();
    }

    /// Asks these endgame tables from now on.
    pub fn set_tables(&mut self, tables: Option<EndgameTables>) {
        self.tables = tables;
    }

    /// Empties the transposition table.
    pub fn clear_hash(&mut self) {
        self.table.clear();
    }
}

impl Searcher for AlphaBeta {
    fn new_game(&mut self) {
        self.clear_hash();
        self.memories.iter_mut().for_each(Memory::clear);
    }

    fn search(
        &mut self,
        game: &GameHistory,
        limits: &SearchLimits,
        signal: &SearchSignal,
        observer: &mut dyn FnMut(&SearchReport),
    ) -> SearchResult {
        let time = TimeManager::start(self.settings.clock, limits, self.settings.move_overhead, signal);
        self.table.grow_older();
        let lines = limits.lines.max(1);
        let candidates = candidates(game, limits);
        let ranked = self.tables.as_ref().and_then(|tables| tables.rank_root(game, &candidates, lines));
        let knows_root = ranked.is_some();
        let root_moves = RootMoves::new(ranked.unwrap_or_else(|| candidates.into_iter().map(RootMove::new).collect()));
        let nodes: Vec<AtomicU64> = self.memories.iter().map(|_| AtomicU64::new(0)).collect();
        let budget = NodeBudget::new(limits.nodes, nodes.len());
        let stop = AtomicBool::new(false);
        let shared = Shared {
            table: &self.table,
            time: &time,
            limits,
            budget: &budget,
            stop: &stop,
            nodes: &nodes,
            tablebase_hits: &AtomicU64::new(u64::from(knows_root)),
            tables: self.tables.as_ref().filter(|_| !knows_root),
        };
        let mut workers: Vec<Worker<'_>> = (self.memories.iter_mut().enumerate())
            .map(|(index, memory)| Worker::new(&shared, memory, index, game, root_moves.clone()))
            .collect();
        let Some((first, helpers)) = workers.split_first_mut() else { return nothing_to_search(game) };
        if root_moves.moves.is_empty() {
            return nothing_to_search(game);
        }
        if helpers.is_empty() {
            first.deepen(lines, observer);
        } else {
            std::thread::scope(|scope| {
                for helper in helpers {
                    let drawn = helper.unused_nodes();
                    let started = std::thread::Builder::new().spawn_scoped(scope, || {
                        helper.deepen(lines, &mut |_| ());
                        helper.finish();
                    });
                    if started.is_err() {
                        // There was room when the threads were set; now the others search without this one.
                        budget.give_back(drawn);
                    }
                }
                first.deepen(lines, observer);
                // When nothing is left of a limit of nodes, the others visit the few that they have drawn: the sum is exact.
                if !first.is_out_of_nodes() {
                    stop.store(true, Ordering::Relaxed);
                }
            });
        }
        if first.stopped {
            first.report_last(lines, observer);
        }
        let winner = if lines == 1 { vote(&workers) } else { workers.first() };
        if let Some(winner) = winner.filter(|winner| winner.index != 0) {
            // So far the first thread has reported; what is played is told last.
            winner.report(0, observer);
        }
        finish(game, &workers, winner)
    }
}

/// The legal moves, or those of them that were asked for.
fn candidates(game: &GameHistory, limits: &SearchLimits) -> Vec<Move> {
    let legal = game.position().legal_moves();
    let asked_for: Vec<Move> = legal.iter().copied().filter(|mv| limits.moves.contains(mv)).collect();
    if asked_for.is_empty() { legal.into_iter().collect() } else { asked_for }
}

/// A position without moves is mate or stalemate.
fn nothing_to_search(game: &GameHistory) -> SearchResult {
    let score = if game.position().is_check() { Score::mated_in(0) } else { Score::DRAW };
    SearchResult { best: None, ponder: None, score, depth: 0, nodes: 0 }
}

fn finish(game: &GameHistory, workers: &[Worker<'_>], winner: Option<&Worker<'_>>) -> SearchResult {
    let nodes = workers.iter().map(|worker| worker.nodes).sum();
    let Some((worker, root)) = winner.and_then(|worker| Some((worker, worker.root_moves.moves.first()?))) else {
        return nothing_to_search(game);
    };
    let ponder = root.line.get(1).copied();
    SearchResult { best: Some(root.mv), ponder, score: score(root.told_value()), depth: worker.finished_depth, nodes }
}

/// The thread whose move has most votes; among threads for that move, the deepest. A proof outvotes everything.
fn vote<'w, 'a>(workers: &'w [Worker<'a>]) -> Option<&'w Worker<'a>> {
    // Threads that never came to a value have no vote.
    let best_of = |worker: &Worker<'_>| {
        let best = worker.root_moves.moves.first().map(|root| (root.mv, root.known_value()));
        best.filter(|&(_, value)| value != -INFINITE)
    };
    let worst = workers.iter().filter_map(best_of).map(|(_, value)| value).min()?;
    let weight = |worker: &Worker<'_>, value: Value| i64::from(value - worst + 14) * i64::from(worker.finished_depth);
    let votes_for = |mv: Move| -> i64 {
        let votes = workers.iter().filter_map(|worker| best_of(worker).map(|(best, value)| (worker, best, value)));
        votes.filter(|&(_, best, _)| best == mv).map(|(worker, _, value)| weight(worker, value)).sum()
    };
    workers.iter().max_by_key(|worker| {
        let Some((mv, value)) = best_of(worker) else { return (Value::MIN, 0, 0, usize::MAX) };
        let proof = if is_decisive(value) { value } else { 0 };
        // Equal votes go to the first thread, whose lines were reported.
        (proof, votes_for(mv), i64::from(worker.finished_depth), usize::MAX - worker.index)
    })
}
