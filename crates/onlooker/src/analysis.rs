//! Live analysis as a task that can be interrupted and taken up again.

use std::time::Duration;

use kiebitz_chess::{Color, GameHistory, Position};
use kiebitz_messages::{AnalysisEnd, AnalysisLimit, AnalysisLine, AnalysisUpdate, Chances, Event, ScoreView};
use kiebitz_search::{ScoreBound, SearchLimits, SearchReport, SearchSignal, WinningChances};

use crate::task::Progress;
use crate::{Desk, line_moves};

/// Plies of a line that are told; nobody reads further.
const SHOWN_PLIES: usize = 24;
/// Mates are told to their end.
const SHOWN_MATE_PLIES: usize = 100;

/// An analysis and what it has found so far.
pub(crate) struct Analysis {
    id: u32,
    history: GameHistory,
    lines: usize,
    limit: AnalysisLimit,
    found: Vec<AnalysisLine>,
    /// What earlier slices have spent.
    spent_nodes: u64,
    spent: Duration,
    depth: u32,
}

impl Analysis {
    pub(crate) fn new(id: u32, history: GameHistory, lines: usize, limit: AnalysisLimit) -> Self {
        let lines = lines.clamp(1, history.position().legal_moves().len().max(1));
        Self { id, history, lines, limit, found: Vec::new(), spent_nodes: 0, spent: Duration::ZERO, depth: 0 }
    }

    /// Searches on until the limit, the signal or the end of the slice.
    pub(crate) fn advance(
        &mut self,
        desk: &mut Desk,
        signal: &SearchSignal,
        slice: Option<Duration>,
        emit: &mut dyn FnMut(Event),
    ) -> Progress {
        let ended = Event::AnalysisEnded { id: self.id, end: AnalysisEnd::Finished };
        let left = self.limit.time_ms.map(|ms| Duration::from_millis(ms.into()).saturating_sub(self.spent));
        let nodes = self.limit.nodes.map(|nodes| nodes.saturating_sub(self.spent_nodes));
        if !self.history.position().has_legal_moves() || left == Some(Duration::ZERO) || nodes == Some(0) {
            emit(ended);
            return Progress::Done;
        }
        let move_time = match (left, slice) {
            (Some(left), Some(slice)) => Some(left.min(slice)),
            (left, slice) => left.or(slice),
        };
        let limits = SearchLimits {
            depth: self.limit.depth,
            nodes,
            move_time,
            infinite: move_time.is_none() && self.limit.depth.is_none() && nodes.is_none(),
            lines: self.lines,
            ..SearchLimits::default()
        };
        let (spent_nodes, spent) = (self.spent_nodes, self.spent);
        let history = self.history.clone();
        let mut last = Duration::ZERO;
        let result = desk.search(&history, &limits, signal, &mut |report| {
            last = report.elapsed;
            if let Some(update) = self.take_in(report, spent_nodes, spent) {
                emit(Event::Analysis { id: self.id, update });
            }
        });
        self.spent_nodes = spent_nodes + result.nodes;
        self.spent = spent + last.max(slice.unwrap_or_default());
        let deep_enough = self.limit.depth.is_some_and(|depth| result.depth >= depth);
        let over = deep_enough
            || self.limit.nodes.is_some_and(|nodes| self.spent_nodes >= nodes)
            || self.limit.time_ms.is_some_and(|ms| self.spent >= Duration::from_millis(ms.into()))
            || (slice.is_none() && !signal.is_stopped());
        if over {
            emit(ended);
            return Progress::Done;
        }
        Progress::More
    }

    /// What to tell after a report. After an interruption, iterations that repeat known depths are not told.
    fn take_in(&mut self, report: &SearchReport, spent_nodes: u64, spent: Duration) -> Option<AnalysisUpdate> {
        if report.depth < self.depth {
            return None;
        }
        self.depth = report.depth;
        if report.bound == ScoreBound::Exact {
            let line = shown_line(self.history.position(), report);
            match self.found.iter_mut().find(|known| known.rank == line.rank) {
                Some(known) => *known = line,
                None => self.found.push(line),
            }
            self.found.sort_by_key(|line| line.rank);
        }
        let elapsed = spent + report.elapsed;
        let nodes = spent_nodes + report.nodes;
        Some(AnalysisUpdate {
            depth: report.depth,
            selective_depth: report.selective_depth,
            nodes,
            nodes_per_second: report.nodes_per_second(),
            elapsed_ms: u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX),
            hash_full_permille: report.hash_full_permille,
            lines: self.found.clone(),
        })
    }
}

fn shown_line(position: &Position, report: &SearchReport) -> AnalysisLine {
    let mover: Color = position.side_to_move();
    let plies = if report.score.is_mate() { SHOWN_MATE_PLIES } else { SHOWN_PLIES };
    AnalysisLine {
        rank: u32::try_from(report.line).unwrap_or(u32::MAX),
        depth: report.depth,
        score: ScoreView::of(report.score, mover),
        chances: Chances::of(WinningChances::CONVENTIONAL.of(report.score), mover),
        moves: line_moves(position, &report.moves[..report.moves.len().min(plies)]),
    }
}
