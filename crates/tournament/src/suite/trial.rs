//! What an engine made of a task, and the sum of it all.

use std::time::Duration;

use kiebitz_chess::Move;
use kiebitz_uci::{Answer, Bound, Info, ScoreValue, resolve_line};

use super::task::Task;
use crate::mate_line::MateFault;

/// An announced mate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MateClaim {
    /// Its length in moves, negative if the side to move is mated.
    pub moves: i32,
    /// Whether it is as short as the shortest known one.
    pub best: bool,
}

/// What is wrong with a variation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LineFault {
    /// A move is not legal.
    Illegal(String),
    /// The line of a mate score contradicts the score.
    Mate(String),
    /// The line of a mate score is cut off before the mate.
    Short(String),
}

/// What an engine made of a task.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trial {
    /// Its move; none if it gave no legal one.
    pub best: Option<Move>,
    /// Whether the move is one of the best and none to avoid; nothing if the task names no moves.
    pub solved: Option<bool>,
    /// The mate it announced at the end, if it is the one that is known to exist.
    pub mate: Option<MateClaim>,
    /// What was wrong with its lines: the first illegal one of all, and the last one of a mate.
    pub faults: Vec<LineFault>,
    /// How deep it searched at last, in plies.
    pub depth: Option<u32>,
    /// What it reported at last as visited.
    pub nodes: Option<u64>,
    /// How long it took.
    pub elapsed: Duration,
    /// Why there is no answer, if there is none.
    pub error: Option<String>,
}

impl Trial {
    /// An answer that did not come.
    pub(super) fn failed(task: &Task, error: String, elapsed: Duration) -> Self {
        let solved = if task.names_moves() { Some(false) } else { None };
        Self { solved, error: Some(error), elapsed, ..Self::default() }
    }

    /// Judges an answer.
    pub(super) fn judge(task: &Task, answer: &Answer, lines: &Lines) -> Self {
        let is_good = |mv: Move| (task.best.is_empty() || task.best.contains(&mv)) && !task.avoid.contains(&mv);
        let solved = task.names_moves().then(|| answer.best.is_some_and(is_good));
        let claim = lines.exact.as_ref().and_then(|info| match info.score?.value {
            ScoreValue::Mate(moves) if moves != 0 => Some(moves),
            _ => None,
        });
        // A mate for the other side than the known one is no success.
        let mate = task.mate.zip(claim).filter(|(known, moves)| known.signum() == moves.signum());
        let mate = mate.map(|(known, moves)| MateClaim { moves, best: moves.unsigned_abs() <= known.unsigned_abs() });
        let mut faults: Vec<_> = lines.illegal.iter().cloned().map(LineFault::Illegal).collect();
        faults.extend(lines.exact.as_ref().and_then(|info| MateFault::of(&task.position, info)).map(
            |fault| match fault {
                MateFault::Short { .. } => LineFault::Short(fault.to_string()),
                _ => LineFault::Mate(fault.to_string()),
            },
        ));
        Self {
            best: answer.best,
            solved,
            mate,
            faults,
            depth: lines.depth,
            nodes: lines.nodes,
            elapsed: answer.elapsed,
            error: None,
        }
    }

    /// Whether everything the task asks for was found.
    #[must_use]
    pub fn is_success(&self, task: &Task) -> bool {
        self.error.is_none()
            && self.solved != Some(false)
            && (task.mate.is_none() || self.mate.is_some_and(|mate| mate.best))
    }
}

impl Task {
    /// Whether the task is about moves, not only about a mate.
    #[must_use]
    pub fn names_moves(&self) -> bool {
        !self.best.is_empty() || !self.avoid.is_empty()
    }
}

/// What the reports of a search leave behind.
#[derive(Default)]
pub(super) struct Lines {
    /// The last exact report on the first choice.
    exact: Option<Info>,
    /// The first illegal line.
    illegal: Option<String>,
    depth: Option<u32>,
    nodes: Option<u64>,
}

impl Lines {
    pub(super) fn note(&mut self, task: &Task, info: &Info) {
        self.depth = info.depth.filter(|_| info.score.is_some()).or(self.depth);
        self.nodes = info.nodes.or(self.nodes);
        if self.illegal.is_none() {
            self.illegal = resolve_line(&task.position, &info.pv).err().map(|error| error.to_string());
        }
        let is_exact = |bound: Option<Bound>| bound.is_none();
        if info.is_main_line() && info.score.is_some_and(|score| is_exact(score.bound)) {
            self.exact = Some(info.clone());
        }
    }
}

/// The sum over many trials.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Totals {
    /// How many tasks were tried.
    pub positions: usize,
    /// How many of them name moves.
    pub with_moves: usize,
    /// How many of those were solved.
    pub solved: usize,
    /// How many tasks are about a mate.
    pub with_mate: usize,
    /// How often a mate was announced there.
    pub mates_found: usize,
    /// How often one as short as the shortest known.
    pub best_mates: usize,
    /// Tasks with an illegal variation.
    pub illegal_lines: usize,
    /// Mate variations that contradict their score.
    pub wrong_mate_lines: usize,
    /// Mate variations that are cut off.
    pub short_mate_lines: usize,
    /// Tasks without an answer.
    pub errors: usize,
    /// Everything visited.
    pub nodes: u64,
    /// The time of all searches, as if one had followed the other.
    pub search_time: Duration,
}

impl Totals {
    /// Adds a trial.
    pub fn add(&mut self, task: &Task, trial: &Trial) {
        let has = |wanted: fn(&LineFault) -> bool| usize::from(trial.faults.iter().any(wanted));
        self.positions += 1;
        self.with_moves += usize::from(task.names_moves());
        self.solved += usize::from(trial.solved == Some(true));
        self.with_mate += usize::from(task.mate.is_some());
        self.mates_found += usize::from(trial.mate.is_some());
        self.best_mates += usize::from(trial.mate.is_some_and(|mate| mate.best));
        self.illegal_lines += has(|fault| matches!(fault, LineFault::Illegal(_)));
        self.wrong_mate_lines += has(|fault| matches!(fault, LineFault::Mate(_)));
        self.short_mate_lines += has(|fault| matches!(fault, LineFault::Short(_)));
        self.errors += usize::from(trial.error.is_some());
        self.nodes = self.nodes.saturating_add(trial.nodes.unwrap_or(0));
        self.search_time = self.search_time.saturating_add(trial.elapsed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::read;
    use kiebitz_uci::EngineMessage;
    use std::time::Instant;

    fn trial(epd: &str, reports: &[&str], best: &str) -> (Task, Trial) {
        let task = read("test.epd", epd.as_bytes()).usable.remove(0);
        let mut lines = Lines::default();
        for report in reports {
            let Some(EngineMessage::Info(info)) = EngineMessage::parse(report).message else { panic!("{report}") };
            lines.note(&task, &info);
        }
        let best = Some(task.position.parse_uci(best).unwrap());
        let (elapsed, arrived) = (Duration::from_millis(5), Instant::now());
        let answer = Answer { best, ponder: None, elapsed, arrived, info: None, infos: 0 };
        let trial = Trial::judge(&task, &answer, &lines);
        (task, trial)
    }

    const LADDER: &str = "6k1/8/8/8/8/8/R7/1R4K1 w - -";

    #[test]
    fn moves_are_judged() {
        let (task, good) = trial(&format!("{LADDER} bm Ra7 Rb7;"), &["info nodes 7 depth 3 score cp 9"], "b1b7");
        assert!(good.solved == Some(true) && good.is_success(&task));
        assert_eq!((good.nodes, good.depth), (Some(7), Some(3)));
        assert_eq!(trial(&format!("{LADDER} bm Ra7;"), &[], "b1b7").1.solved, Some(false));
        assert_eq!(trial(&format!("{LADDER} am Ra7;"), &[], "b1b7").1.solved, Some(true));
        assert_eq!(trial(&format!("{LADDER} am Rb7;"), &[], "b1b7").1.solved, Some(false));
    }

    #[test]
    fn mates_are_judged() {
        let judged = |reports: &[&str]| trial(&format!("{LADDER} bm #2;"), reports, "a2a7").1;
        let best = judged(&["info score mate 3 pv a2a7", "info score mate 2 pv a2a7 g8f8 b1b8", "info nodes 3"]);
        assert_eq!((best.mate, best.solved), (Some(MateClaim { moves: 2, best: true }), None));
        assert!(best.faults.is_empty());
        let longer = judged(&["info score mate 3 pv a2a7"]);
        assert_eq!(longer.mate, Some(MateClaim { moves: 3, best: false }));
        assert!(matches!(longer.faults[..], [LineFault::Short(_)]));
        assert_eq!(judged(&["info score mate 2 lowerbound pv a2a7"]).mate, None);
        assert_eq!(judged(&["info score mate -2 pv a2a7"]).mate, None);
        let liar = judged(&["info score cp 1 pv a2a9", "info score mate 1 pv a2a7"]);
        assert!(matches!(liar.faults[..], [LineFault::Illegal(_), LineFault::Mate(_)]), "{:?}", liar.faults);
    }

    #[test]
    fn totals_add_up() {
        let mut totals = Totals::default();
        let (task, good) = trial(&format!("{LADDER} bm #2;"), &["info nodes 4 score mate 2 pv a2a7 g8f8 b1b8"], "a2a7");
        totals.add(&task, &good);
        totals.add(&task, &Trial::failed(&task, "died".into(), Duration::ZERO));
        let expected = Totals {
            positions: 2,
            with_mate: 2,
            mates_found: 1,
            best_mates: 1,
            errors: 1,
            nodes: 4,
            search_time: Duration::from_millis(5),
            ..Totals::default()
        };
        assert_eq!(totals, expected);
    }
}
