//! One node of the tree, as numbered steps.
//!
//! Principal variation search: the first move is searched with the whole window, every other with an empty one that only
//! asks whether it is better; only those that are get the whole window too. What the steps do is told where they are
//! kept: `pruning/`, `reductions.rs`, `extensions.rs`, `move_picker.rs`.
//!
//! **Match:** here and in quiescence, on against off: cutoffs by the table +60.0 ± 17.2 Elo, values above beta pulled towards it +26.1 ± 16.2
//! (with a network; 1 000 games each at 4 000 nodes a move, UHO openings).

use kiebitz_chess::Move;
use kiebitz_search::ScoreBound;

use crate::extensions::Extension;
use crate::learning::{Tried, bonus};
use crate::move_picker::MovePicker;
use crate::pruning::{
    exchange, futility, has_pieces, history, late_moves, mate_distance, mate_threat, null_move, probcut, razoring,
    reverse_futility,
};
use crate::reductions::{self, Reduction};
use crate::transposition_table::Bound;
use crate::value::{DEEPEST_PLY, DRAW, INFINITE, NONE, Value, from_table, is_decisive, is_loss, mated_at};
use crate::worker::Worker;
use crate::{improving, parameters};

/// What the steps of a node may know about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) ply: usize,
    pub(crate) depth: i32,
    pub(crate) alpha: Value,
    pub(crate) beta: Value,
    /// The window is open: the exact value matters.
    pub(crate) is_open: bool,
    /// The node is expected to fail high.
    pub(crate) is_cut: bool,
    pub(crate) is_check: bool,
    /// The node is, or once was, on a principal line.
    pub(crate) on_principal_line: bool,
    /// The corrected evaluation; meaningless in check.
    pub(crate) evaluation: Value,
    /// The same, sharpened by what the table knows.
    pub(crate) estimate: Value,
    /// Better for the mover than two plies ago.
    pub(crate) improving: bool,
    pub(crate) hash_move: Move,
}

/// Captures and promotions: moves whose effect a static evaluation misses.
#[inline]
pub(crate) fn is_noisy(mv: Move) -> bool {
    !mv.is_quiet()
}

impl Worker<'_> {
    /// The value of the node at `ply` for its mover. With an open window (`OPEN`) the value is exact if it lies inside,
    /// and the line is kept.
    pub(crate) fn search<const OPEN: bool>(
        &mut self,
        ply: usize,
        mut alpha: Value,
        mut beta: Value,
        depth: i32,
        is_cut: bool,
    ) -> Value {
        // 1. At the horizon only captures are looked at.
        if depth <= 0 {
            return self.quiescence::<OPEN>(ply, alpha, beta, 0);
        }
        let mut depth = depth.min(DEEPEST_PLY as i32 - 1);
        let is_root = ply == 0;
        if OPEN {
            self.lines.clear(ply);
            self.selective_depth = self.selective_depth.max(ply + 1);
        }
        if self.stopped {
            return DRAW;
        }
        let is_check = self.frame(ply).legality.is_check();

        // 2. Draws, and mates that cannot matter any more.
        if !is_root {
            if let Some(value) = self.drawn(ply) {
                return value;
            }
            if ply >= DEEPEST_PLY {
                return if is_check { DRAW } else { self.evaluate(ply) };
            }
            if alpha < DRAW && parameters::upcoming_repetition() && self.can_repeat(ply) {
                alpha = DRAW;
                if alpha >= beta {
                    return alpha;
                }
            }
            if let Some(value) = mate_distance::narrow(ply, &mut alpha, &mut beta) {
                return value;
            }
        }

        // 3. What the table knows.
        let excluded = self.frame(ply).excluded;
        let excludes = excluded != Move::NULL;
        let key = self.frame(ply).key;
        let entry = if excludes { None } else { self.shared.table.probe(key) };
        let hash_move = self.hash_move(ply, entry.as_ref());
        let hash_value = entry.map_or(NONE, |entry| from_table(entry.value, ply));
        let on_principal_line = OPEN || entry.is_some_and(|entry| entry.on_principal_line);
        if !OPEN
            && let Some(entry) = entry
            && entry.depth >= depth
            && entry.bound.decides(hash_value, beta)
            && parameters::hash_cutoffs()
            // Shortly before the fifty-move draw the same position may be worth something else.
            && self.frame(ply).position.halfmove_clock() < 90
        {
            if hash_value >= beta && hash_move != Move::NULL && hash_move.is_quiet() {
                let threats = self.threats(ply);
                self.learn_quiet(ply, threats, hash_move, bonus(depth) / 2);
            }
            return hash_value;
        }

        // 4. What tablebases know. An open window wants to know more: of won positions, whether they are mate.
        let (mut floor, mut ceiling) = (-INFINITE, INFINITE);
        if !is_root
            && !excludes
            && let Some(value) = self.probe_tablebase(ply, depth)
        {
            // Wins and losses that the fifty-move rule spoils are draws with a sign; of the others a mate may be worth more.
            let bound = match value - DRAW {
                -1..=1 => Bound::Exact,
                2.. => Bound::Lower,
                _ => Bound::Upper,
            };
            if bound == Bound::Exact || bound.decides(value, if bound == Bound::Lower { beta } else { alpha + 1 }) {
                self.store(ply, depth + 6, value, bound, NONE, Move::NULL, on_principal_line);
                return value;
            }
            if bound == Bound::Lower {
                floor = value;
                alpha = alpha.max(value);
            } else {
                ceiling = value;
            }
        }

        // 5. The evaluation.
        let raw = if is_check {
            NONE
        } else if excludes {
            self.frame(ply).evaluation
        } else {
            match entry {
                Some(entry) if entry.evaluation != NONE => entry.evaluation,
                _ => self.evaluate(ply),
            }
        };
        let evaluation = match raw {
            NONE => NONE,
            raw if excludes => raw,
            raw => self.corrected(ply, raw),
        };
        self.frame_mut(ply).evaluation = evaluation;
        let mut estimate = evaluation;
        if let Some(entry) = entry
            && !is_check
            && !is_decisive(hash_value)
            && entry.bound.decides(hash_value, evaluation)
        {
            estimate = hash_value;
        }
        let mut node = Node {
            ply,
            depth,
            alpha,
            beta,
            is_open: OPEN,
            is_cut,
            is_check,
            on_principal_line,
            evaluation,
            estimate,
            improving: improving::since_two_plies(self, ply),
            hash_move,
        };
        self.frame_mut(ply + 2).killers = [Move::NULL; 2];
        self.frame_mut(ply + 2).cutoffs = 0;

        // 6. Nodes that need no search of their moves.
        if !OPEN && !is_check && !excludes {
            if let Some(value) = razoring::try_node(self, &node) {
                return value;
            }
            if let Some(value) = reverse_futility::try_node(&node)
                && !mate_threat::forbids(self, &node)
            {
                return value;
            }
            if let Some(value) = null_move::try_node(self, &node) {
                return value;
            }
        }
        // 7. Without a hash move a deep search is better done after a shallower one.
        if !excludes && reductions::wants_shallower_first(&node) {
            depth -= 1;
            node.depth = depth;
        }
        if !OPEN
            && !is_check
            && !excludes
            && let Some(value) = probcut::try_node(self, &node, entry.as_ref(), hash_value, raw)
        {
            return value;
        }

        if self.stopped {
            return DRAW;
        }

        // 8. The moves.
        let threats = self.threats(ply);
        let check_targets = self.frame(ply).position.check_targets();
        let mut picker = MovePicker::all(self, hash_move, threats, Some(check_targets));
        let mut best_value = floor;
        let mut best_move = Move::NULL;
        let mut count = 0;
        let (mut quiets, mut captures) = (Tried::new(), Tried::new());
        while let Some(mv) = picker.next(self, ply) {
            if mv == excluded || is_root && !self.root_moves.is_open(mv) {
                continue;
            }
            count += 1;
            let quiet = mv.is_quiet();
            let record = self.record_of(ply, threats, mv);
            let gives_check = check_targets.gives_check(&self.frame(ply).position, mv);
            let mut reduction = Reduction::of_move(&node, count);

            // 9. Moves that need no search.
            if !is_root && !is_loss(best_value) && has_pieces(&self.frame(ply).position) {
                let reduced_depth = (depth - reduction.plies()).max(0);
                if late_moves::skips_the_rest(&node, count) {
                    picker.skip_quiets();
                }
                let prunes = if gives_check {
                    // A check may be the point of the combination: only its price counts.
                    exchange::skips_forcing(self, &node, mv, record)
                } else if quiet {
                    history::skips(&node, reduced_depth, record)
                        || if futility::skips_quiet(&node, reduced_depth, record) {
                            picker.skip_quiets();
                            true
                        } else {
                            false
                        }
                        || exchange::skips_quiet(self, &node, reduced_depth, mv)
                } else {
                    futility::skips_capture(self, &node, reduced_depth, mv, record)
                        || exchange::skips_forcing(self, &node, mv, record)
                };
                if prunes && count > 1 {
                    continue;
                }
            }

            // 10. Moves that deserve more.
            let mut extension = 0;
            if !is_root
                && mv == hash_move
                && !excludes
                && let Some(entry) = entry
            {
                let verdict = self.judge_hash_move(&node, &entry, hash_value);
                if self.stopped {
                    picker.finish(self);
                    return DRAW;
                }
                match verdict {
                    Extension::Plies(plies) => extension = plies,
                    Extension::Cutoff(value) => {
                        picker.finish(self);
                        return value;
                    }
                }
            }

            let nodes_before = self.nodes;
            self.play(ply, mv);
            debug_assert_eq!(gives_check, self.frame(ply + 1).legality.is_check());
            if extension == 0 && gives_check && Extension::of_check(self, &node, mv) {
                extension = 1;
            }
            if extension > 1 {
                self.frame_mut(ply + 1).double_extensions += 1;
            }
            let new_depth = depth - 1 + extension;

            // 11. Later moves are searched less deeply, and again if they surprise.
            let mut value = -INFINITE;
            if depth >= 2 && count > 1 + usize::from(is_root) && parameters::late_move_reductions() {
                reduction.adjust(self, &node, mv, record, gives_check);
                let reduced = (new_depth - reduction.plies()).clamp(1, new_depth.max(1) + i32::from(OPEN));
                value = -self.search::<false>(ply + 1, -alpha - 1, -alpha, reduced, true);
                if value > alpha && reduced < new_depth {
                    let deeper = value > best_value + parameters::deeper_margin() + 2 * new_depth;
                    let shallower = value < best_value + new_depth;
                    let again = new_depth + i32::from(deeper) - i32::from(shallower);
                    if again > reduced {
                        value = -self.search::<false>(ply + 1, -alpha - 1, -alpha, again, !is_cut);
                    }
                    if quiet {
                        let verdict = if value <= alpha {
                            -bonus(again)
                        } else if value >= beta {
                            bonus(again)
                        } else {
                            0
                        };
                        self.learn_continuation(ply, mv, verdict);
                    }
                }
            } else if !OPEN || count > 1 {
                value = -self.search::<false>(ply + 1, -alpha - 1, -alpha, new_depth, !is_cut);
            }
            // 12. The first move, and whatever beats it, with the whole window.
            if OPEN && (count == 1 || value > alpha) {
                value = -self.search::<true>(ply + 1, -beta, -alpha, new_depth, false);
            }
            self.take_back();
            if self.stopped {
                picker.finish(self);
                return DRAW;
            }

            // 13. What it came out at.
            if is_root {
                let bound = if value >= beta {
                    ScoreBound::Lower
                } else if value <= alpha {
                    ScoreBound::Upper
                } else {
                    ScoreBound::Exact
                };
                let is_new_best = count == 1 || value > alpha;
                self.note_root_move(mv, is_new_best.then_some((value, bound)), self.nodes - nodes_before);
            }
            if value > best_value {
                best_value = value;
                if value > alpha {
                    best_move = mv;
                    if OPEN {
                        self.lines.prepend(ply, mv);
                    }
                    if value >= beta {
                        self.frame_mut(ply).cutoffs += 1;
                        break;
                    }
                    alpha = value;
                    node.alpha = alpha;
                    // One move is good already: the others can be looked at less closely.
                    if depth > 2 && depth < 14 && !is_decisive(value) {
                        depth -= 1;
                        node.depth = depth;
                    }
                }
            }
            if mv != best_move {
                if quiet { quiets.push(mv) } else { captures.push(mv) }
            }
        }
        picker.finish(self);

        // 14. No move: mate or stalemate.
        if count == 0 {
            return match (excludes, is_check) {
                (true, _) => node.alpha,
                (false, true) => mated_at(ply),
                (false, false) => DRAW,
            };
        }

        // 15. What is learned from it.
        best_value = best_value.min(ceiling);
        if best_value >= beta && parameters::fail_high_blending() && !is_decisive(best_value) && !is_decisive(beta) {
            best_value = (best_value * depth + beta) / (depth + 1);
        }
        if best_move != Move::NULL {
            self.learn_from(ply, threats, best_move, &quiets, &captures, depth);
        }
        let bound = if best_value >= beta {
            Bound::Lower
        } else if OPEN && best_move != Move::NULL {
            Bound::Exact
        } else {
            Bound::Upper
        };
        if !excludes {
            if !(is_root && self.root_moves.first > 0) {
                self.store(ply, depth, best_value, bound, raw, best_move, on_principal_line);
            }
            let is_surprise = match bound {
                Bound::Lower => best_value > evaluation,
                Bound::Upper => best_value < evaluation,
                Bound::Exact => true,
            };
            if !is_check && !is_noisy(best_move) && is_surprise {
                let (before, last) = (self.earlier(ply, 2).moved, self.earlier(ply, 1).moved);
                let position = &self.stack[Self::slot(ply)].position;
                self.memory.corrections.learn(position, before, last, best_value - evaluation, depth);
            }
        }
        best_value
    }
}
