//! Who judges: our own engine in this program, or another one as a process.

use std::time::Duration;

use anyhow::{Result, anyhow, ensure};
use kiebitz_chess::{GameHistory, Move, Score};
use kiebitz_onlooker::review::Judgement;
use kiebitz_search::{Clock, ScoreBound, SearchLimits, SearchReport, SearchSignal};
use kiebitz_uci::{EngineCommand, Go, Info, Limits, resolve_line};

use crate::match_play::engine_text::find_program;

/// How long another engine may take for one position before it counts as hanging.
const LONGEST_SEARCH: Duration = Duration::from_secs(600);

enum Judge {
    Own(Box<kiebitz_engine::Engine>),
    Other(Box<kiebitz_uci::Engine>),
}

/// An engine that looks at one position after the other.
pub(super) struct Analyst {
    judge: Judge,
    nodes: u64,
}

impl Analyst {
    /// Starts an engine: another one by name, or our own.
    pub(super) fn start(program: Option<&str>, options: &[(String, Option<String>)], nodes: u64) -> Result<Self> {
        let judge = match program {
            Some(name) => {
                let mut command = EngineCommand::new(find_program(name)?);
                command.options = options.to_vec();
                Judge::Other(Box::new(kiebitz_uci::Engine::start(command, Limits::default())?))
            }
            None => {
                let mut engine = kiebitz_engine::Engine::new(Clock::system());
                for (name, value) in options {
                    engine.set_option(name, value.as_deref()).map_err(|error| anyhow!(error))?;
                }
                Judge::Own(Box::new(engine))
            }
        };
        Ok(Self { judge, nodes })
    }

    pub(super) fn name(&self) -> String {
        match &self.judge {
            Judge::Own(_) => format!("Kiebitz {}", env!("CARGO_PKG_VERSION")),
            Judge::Other(engine) => engine.name(),
        }
    }

    pub(super) fn new_game(&mut self) -> Result<()> {
        match &mut self.judge {
            Judge::Own(engine) => engine.new_game(),
            Judge::Other(engine) => engine.new_game()?,
        }
        Ok(())
    }

    /// Judges the last position of a game, in which there is a legal move.
    pub(super) fn judge(&mut self, history: &GameHistory) -> Result<Judgement> {
        match &mut self.judge {
            Judge::Own(engine) => Ok(judge_ourselves(engine, history, self.nodes)),
            Judge::Other(engine) => ask(engine, history, self.nodes),
        }
    }
}

fn judge_ourselves(engine: &mut kiebitz_engine::Engine, history: &GameHistory, nodes: u64) -> Judgement {
    let mut last: Option<SearchReport> = None;
    let result = engine.search(history, &SearchLimits::nodes(nodes), &SearchSignal::new(), &mut |report| {
        if report.line == 1 && report.bound == ScoreBound::Exact {
            last = Some(report.clone());
        }
    });
    let line = last.map_or_else(Vec::new, |report| report.moves);
    Judgement { score: result.score, line: begun_with(result.best, line), depth: Some(result.depth) }
}

fn ask(engine: &mut kiebitz_uci::Engine, history: &GameHistory, nodes: u64) -> Result<Judgement> {
    let mut last: Option<Info> = None;
    let go = Go { nodes: Some(nodes), ..Go::default() };
    let answer = engine.search(history, &go, LONGEST_SEARCH, |info, _| {
        if info.is_main_line() && info.score.is_some_and(|score| score.bound.is_none()) {
            last = Some(info.clone());
        }
    })?;
    let info = last.or(answer.info);
    ensure!(info.is_some(), "{} gave no score for {}", engine.name(), history.position());
    let info = info.unwrap_or_default();
    // A line that is not legal to its end is no line; the move itself was checked.
    let line = resolve_line(history.position(), &info.pv).unwrap_or_default();
    let score = info.score.map_or(Score::DRAW, |score| score.value.score());
    Ok(Judgement { score, line: begun_with(answer.best, line), depth: info.depth })
}

/// The line if it begins with the move that was chosen in the end, else that move alone.
fn begun_with(best: Option<Move>, line: Vec<Move>) -> Vec<Move> {
    match best {
        Some(best) if line.first() != Some(&best) => vec![best],
        _ => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_engine_sees_a_mate_and_names_it() {
        let mut analyst = Analyst::start(None, &[("Hash".into(), Some("1".into()))], 2_000).unwrap();
        let position = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1".parse().unwrap();
        let judgement = analyst.judge(&GameHistory::new(position)).unwrap();
        assert_eq!(judgement.score.mate_moves(), Some(1));
        assert_eq!(judgement.line.len(), 1);
        assert!(Analyst::start(None, &[("Hush".into(), None)], 1).is_err());
    }
}
