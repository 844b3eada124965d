//! An engine and how it is set up now: what a search needs is changed, what fits is kept.

use kiebitz_chess::{GameHistory, Move, Score};
use kiebitz_engine::{Engine, SetOptionError};
use kiebitz_search::{Clock, ScoreBound, SearchLimits, SearchReport, SearchResult, SearchSignal};

use crate::Mind;

/// How an engine is to be set up.
#[derive(Clone)]
pub struct Setup {
    /// Whose evaluation.
    pub mind: Mind,
    /// Threads.
    pub threads: u32,
    /// Table, in mebibytes.
    pub hash_mebibytes: u32,
    /// The rating to play at; full strength without one.
    pub elo: Option<u32>,
}

impl Setup {
    /// One thread, a table of 16 MiB, full strength.
    #[must_use]
    pub fn plain(mind: Mind) -> Self {
        Self { mind, threads: 1, hash_mebibytes: 16, elo: None }
    }
}

/// One of the lines that a search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchedLine {
    /// What it is worth to the side to move.
    pub score: Score,
    /// The moves.
    pub moves: Vec<Move>,
}

/// What a search ended with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Searched {
    /// The lines, best first; empty if there is no move.
    pub lines: Vec<SearchedLine>,
    /// The last finished depth.
    pub depth: u32,
    /// Nodes visited.
    pub nodes: u64,
}

impl Searched {
    /// The best line.
    #[must_use]
    pub fn best(&self) -> Option<&SearchedLine> {
        self.lines.first()
    }
}

/// An engine at work for whoever comes next.
pub struct Desk {
    engine: Engine,
    setup: Setup,
}

impl Desk {
    /// A desk with an engine of its own.
    #[must_use]
    pub fn new(clock: Clock) -> Self {
        let mut engine = Engine::new(clock);
        engine.set_network(None);
        Self { engine, setup: Setup::plain(Mind::Handcrafted) }
    }

    /// Sets the engine up; what it remembers stays where the same evaluation goes on at full strength.
    ///
    /// # Errors
    /// When the engine refuses a value.
    pub fn prepare(&mut self, setup: &Setup) -> Result<(), SetOptionError> {
        if !self.setup.mind.is_same(&setup.mind) {
            self.engine.set_network(setup.mind.network());
        }
        if self.setup.hash_mebibytes != setup.hash_mebibytes {
            self.engine.set_option("Hash", Some(&setup.hash_mebibytes.to_string()))?;
        }
        if self.setup.threads != setup.threads {
            self.engine.set_option("Threads", Some(&setup.threads.to_string()))?;
        }
        if let Some(elo) = setup.elo {
            self.engine.set_option("UCI_Elo", Some(&elo.to_string()))?;
            // A weaker player must not know what a stronger one has seen.
            self.engine.new_game();
        }
        if self.setup.elo.is_some() != setup.elo.is_some() {
            self.engine.set_option("UCI_LimitStrength", Some(if setup.elo.is_some() { "true" } else { "false" }))?;
        }
        self.setup = setup.clone();
        Ok(())
    }

    /// Forgets everything that earlier searches learned.
    pub fn forget(&mut self) {
        self.engine.new_game();
    }

    /// Whose evaluation the engine uses.
    #[must_use]
    pub fn mind(&self) -> &Mind {
        &self.setup.mind
    }

    /// Searches and shows every report.
    pub fn search(
        &mut self,
        history: &GameHistory,
        limits: &SearchLimits,
        signal: &SearchSignal,
        observer: &mut dyn FnMut(&SearchReport),
    ) -> SearchResult {
        self.engine.search(history, limits, signal, observer)
    }

    /// Searches and keeps the final lines.
    pub fn look(&mut self, history: &GameHistory, limits: &SearchLimits, signal: &SearchSignal) -> Searched {
        let mut lines: Vec<SearchedLine> = Vec::new();
        let result = self.engine.search(history, limits, signal, &mut |report| {
            // A deeper iteration replaces the lines of the one before, rank by rank.
            if report.bound == ScoreBound::Exact && report.line <= lines.len() + 1 {
                let line = SearchedLine { score: report.score, moves: report.moves.clone() };
                match lines.get_mut(report.line - 1) {
                    Some(place) => *place = line,
                    None => lines.push(line),
                }
            }
        });
        if let Some(best) = result.best
            && lines.first().and_then(|line| line.moves.first()) != Some(&best)
        {
            // The search ended in an iteration that had found a better move but no line yet.
            lines.retain(|line| line.moves.first() != Some(&best));
            lines.insert(0, SearchedLine { score: result.score, moves: vec![best] });
        }
        Searched { lines, depth: result.depth, nodes: result.nodes }
    }
}
