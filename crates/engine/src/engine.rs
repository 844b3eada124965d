//! The engine: everything that plays, behind a few calls.

use std::time::Duration;

use kiebitz_alphabeta::{AlphaBeta, Evaluation, Settings};
use kiebitz_chess::{GameHistory, Position};
use kiebitz_handcrafted::explain;
use kiebitz_inference::{InstructionSet, Network};
#[cfg(not(target_arch = "wasm32"))]
use kiebitz_network::NetworkFile;
use kiebitz_search::{Clock, SearchLimits, SearchReport, SearchResult, SearchSignal, Searcher};

use crate::built_in::BuiltIn;
use crate::network_explanation::explain_network;
use crate::options::{EngineOption, OptionValue, SetOptionError};
use crate::strength::{ELO_RANGE, Strength};
use crate::syzygy::Syzygy;

/// The largest table that can be asked for, in mebibytes.
const LARGEST_HASH: i64 = if cfg!(target_pointer_width = "64") { 1 << 20 } else { 1 << 10 };
const DEFAULT_HASH: usize = 16;
const DEFAULT_OVERHEAD_MS: i64 = 10;
const EVALUATIONS: [&str; 3] = ["network", "handcrafted", "material and tables"];

/// What an engine is told about how to present itself; it keeps these for whoever speaks for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Presentation {
    /// Castling is written as king takes rook.
    pub chess960: bool,
    /// Chances are told beside scores.
    pub show_wdl: bool,
}

/// A player.
pub struct Engine {
    searcher: AlphaBeta,
    presentation: Presentation,
    lines: usize,
    strength: Option<Strength>,
    elo: u32,
    analyses: bool,
    syzygy: Syzygy,
    /// The network of `EvalFile`; the built-in one plays without.
    network: Option<Network>,
    evaluation: ChosenEvaluation,
}

/// What `Evaluation` says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ChosenEvaluation {
    Network,
    Handcrafted,
    MaterialAndTables,
}

impl Engine {
    /// An engine with every option at its default.
    #[must_use]
    pub fn new(clock: Clock) -> Self {
        let settings = Settings {
            hash_mebibytes: DEFAULT_HASH,
            threads: 1,
            move_overhead: Duration::from_millis(DEFAULT_OVERHEAD_MS.unsigned_abs()),
            evaluation: network_or_terms(None),
            clock,
        };
        Self {
            searcher: AlphaBeta::new(settings),
            presentation: Presentation { chess960: false, show_wdl: false },
            lines: 1,
            strength: None,
            elo: *ELO_RANGE.end() as u32,
            analyses: false,
            syzygy: Syzygy::default(),
            network: None,
            evaluation: ChosenEvaluation::Network,
        }
    }

    /// Another engine that evaluates as this one does, with every other option at its default.
    #[must_use]
    pub fn with_same_evaluation(&self) -> Self {
        let mut engine = Self::new(self.searcher.settings().clock);
        engine.network.clone_from(&self.network);
        engine.evaluation = self.evaluation;
        engine.apply_evaluation();
        engine
    }

    /// Everything that can be set, in the order in which it is shown.
    #[must_use]
    pub fn options() -> Vec<EngineOption> {
        let mut options = vec![
            EngineOption::spin("Hash", DEFAULT_HASH as i64, 1..=LARGEST_HASH),
            EngineOption::button("Clear Hash"),
            EngineOption::spin("Threads", 1, 1..=1024),
            EngineOption::spin("MultiPV", 1, 1..=256),
            EngineOption::check("Ponder", false),
            EngineOption::spin("Move Overhead", DEFAULT_OVERHEAD_MS, 0..=5000),
            EngineOption::check("UCI_Chess960", false),
            EngineOption::check("UCI_ShowWDL", false),
            EngineOption::check("UCI_AnalyseMode", false),
            EngineOption::check("UCI_LimitStrength", false),
            EngineOption::spin("UCI_Elo", *ELO_RANGE.end(), ELO_RANGE),
            EngineOption::text("SyzygyPath"),
            EngineOption::spin("SyzygyProbeDepth", 1, 1..=100),
            EngineOption::check("Syzygy50MoveRule", true),
            EngineOption::spin("SyzygyProbeLimit", 7, 0..=7),
            EngineOption::text("EvalFile"),
            EngineOption {
                name: "Evaluation",
                kind: crate::OptionKind::Combo { default: EVALUATIONS[0], values: &EVALUATIONS },
            },
        ];
        #[cfg(feature = "tune")]
        options.extend(kiebitz_alphabeta::tunables().iter().map(|tunable| {
            let range = i64::from(*tunable.range.start())..=i64::from(*tunable.range.end());
            EngineOption::spin(tunable.name, i64::from(tunable.default), range)
        }));
        options.shrink_to_fit();
        options
    }

    /// Sets an option by its name; case and spaces in the name do not matter. The note, if any, is for people.
    ///
    /// # Errors
    /// Names the option and what would be allowed.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<Option<String>, SetOptionError> {
        let options = Self::options();
        let Some(option) = options.iter().find(|option| option.is_called(name)) else {
            return Err(SetOptionError::Unknown(name.to_owned()));
        };
        let value = option.read(value)?;
        self.apply(option.name, value)
    }

    fn apply(&mut self, name: &'static str, value: OptionValue) -> Result<Option<String>, SetOptionError> {
        match (name, value) {
            ("Hash", OptionValue::Number(mebibytes)) => {
                let wanted = usize::try_from(mebibytes).unwrap_or(1);
                let had = self.searcher.set_hash(wanted);
                if had < wanted {
                    return Ok(Some(format!("there is no memory for {wanted} MiB of hash; using {had} MiB")));
                }
            }
            ("Clear Hash", OptionValue::Pressed) => self.searcher.clear_hash(),
            ("Threads", OptionValue::Number(threads)) => {
                let wanted = usize::try_from(threads).unwrap_or(1);
                let had = self.searcher.set_threads(wanted);
                if had < wanted {
                    return Ok(Some(format!("there is no room for {wanted} threads; using {had}")));
                }
            }
            ("MultiPV", OptionValue::Number(lines)) => self.lines = usize::try_from(lines).unwrap_or(1),
            ("Move Overhead", OptionValue::Number(ms)) => {
                self.searcher.set_move_overhead(Duration::from_millis(ms.unsigned_abs()));
            }
            ("UCI_Chess960", OptionValue::Bool(on)) => self.presentation.chess960 = on,
            ("UCI_ShowWDL", OptionValue::Bool(on)) => self.presentation.show_wdl = on,
            ("UCI_LimitStrength", OptionValue::Bool(on)) => {
                self.strength = on.then(|| Strength::of_elo(self.elo));
            }
            ("UCI_Elo", OptionValue::Number(elo)) => {
                self.elo = u32::try_from(elo).unwrap_or_default();
                self.strength = self.strength.map(|_| Strength::of_elo(self.elo));
            }
            ("Evaluation", OptionValue::Text(text)) => {
                self.evaluation = match EVALUATIONS.iter().position(|name| *name == text) {
                    Some(1) => ChosenEvaluation::Handcrafted,
                    Some(2) => ChosenEvaluation::MaterialAndTables,
                    _ => ChosenEvaluation::Network,
                };
                self.apply_evaluation();
            }
            ("EvalFile", OptionValue::Text(path)) => return self.load_network(&path),
            ("SyzygyPath", OptionValue::Text(path)) => {
                self.syzygy.path = path;
                return self.open_tables();
            }
            ("SyzygyProbeDepth", OptionValue::Number(depth)) => {
                self.syzygy.probe_depth = u32::try_from(depth).unwrap_or(1);
                return self.apply_tables();
            }
            ("SyzygyProbeLimit", OptionValue::Number(limit)) => {
                self.syzygy.probe_limit = usize::try_from(limit).unwrap_or(0);
                return self.apply_tables();
            }
            ("Syzygy50MoveRule", OptionValue::Bool(on)) => {
                self.syzygy.fifty_moves = on;
                return self.apply_tables();
            }
            #[cfg(feature = "tune")]
            (name, OptionValue::Number(number)) => {
                if let Some(tunable) = kiebitz_alphabeta::tunables().iter().find(|tunable| tunable.name == name) {
                    tunable.set(i32::try_from(number).unwrap_or(tunable.default));
                }
            }
            ("UCI_AnalyseMode", OptionValue::Bool(on)) => self.analyses = on,
            // Pondering is the caller's business: it says `ponder`.
            _ => {}
        }
        Ok(None)
    }

    /// Takes the network of this file, the built-in one if the name is empty, for whenever a network is to play.
    fn load_network(&mut self, path: &str) -> Result<Option<String>, SetOptionError> {
        let unusable = |reason| SetOptionError::Unusable { name: "EvalFile", reason };
        self.network = if path.is_empty() { None } else { Some(read_network(path).map_err(unusable)?) };
        let plays = self.evaluation == ChosenEvaluation::Network;
        if plays {
            self.apply_evaluation();
        }
        let verb = if plays { "playing with" } else { "not playing, as Evaluation says, but keeping" };
        Ok(self.network.as_ref().map(|network| format!("{verb} the network {path} ({})", network.instruction_set())))
    }

    fn apply_evaluation(&mut self) {
        self.searcher.set_evaluation(match self.evaluation {
            ChosenEvaluation::Network => network_or_terms(self.network.as_ref()),
            ChosenEvaluation::Handcrafted => Evaluation::Handcrafted,
            ChosenEvaluation::MaterialAndTables => Evaluation::MaterialAndTables,
        });
    }

    /// Plays with this network from now on, shared with whoever else has it; with the hand-crafted evaluation without one.
    pub fn set_network(&mut self, network: Option<&Network>) {
        let evaluation = network.map_or(Evaluation::Handcrafted, |network| Evaluation::Network(network.clone()));
        self.searcher.set_evaluation(evaluation);
    }

    /// Evaluates with the built-in network by these instructions, however fast others would be: every set must lead to the
    /// same search.
    ///
    /// # Errors
    /// When this CPU has no such instructions, or the program no network.
    pub fn use_instructions(&mut self, set: InstructionSet) -> Result<(), String> {
        let network = Network::with_instruction_set(&BuiltIn::get()?.file, set).map_err(|error| error.to_string())?;
        self.set_network(Some(&network));
        Ok(())
    }

    fn open_tables(&mut self) -> Result<Option<String>, SetOptionError> {
        let note = self.syzygy.open();
        self.searcher.set_tables(self.syzygy.tables());
        note.map_err(|reason| SetOptionError::Unusable { name: "SyzygyPath", reason })
    }

    fn apply_tables(&mut self) -> Result<Option<String>, SetOptionError> {
        self.searcher.set_tables(self.syzygy.tables());
        Ok(None)
    }

    /// How the engine was asked to present itself.
    #[must_use]
    pub fn presentation(&self) -> Presentation {
        self.presentation
    }

    /// Threads that search together.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.searcher.settings().threads
    }

    /// The next search belongs to another game.
    pub fn new_game(&mut self) {
        self.searcher.new_game();
    }

    /// Finds a move; blocks until it has one or the signal says stop.
    pub fn search(
        &mut self,
        game: &GameHistory,
        limits: &SearchLimits,
        signal: &SearchSignal,
        observer: &mut dyn FnMut(&SearchReport),
    ) -> SearchResult {
        let limits = SearchLimits { lines: limits.lines.max(self.lines), ..limits.clone() };
        // Whoever analyses wants to know, however weak the opponent shall be.
        match self.strength.filter(|_| !self.analyses) {
            Some(strength) => self.search_weakly(strength, game, &limits, signal, observer),
            None => self.searcher.search(game, &limits, signal, observer),
        }
    }

    /// Searches as a weaker player would. Reported are as many lines as were asked for, the one that will be played first,
    /// the best of the others behind it.
    fn search_weakly(
        &mut self,
        strength: Strength,
        game: &GameHistory,
        limits: &SearchLimits,
        signal: &SearchSignal,
        observer: &mut dyn FnMut(&SearchReport),
    ) -> SearchResult {
        let mut reports: Vec<SearchReport> = Vec::new();
        let mut collect = |report: &SearchReport| reports.push(report.clone());
        let mut result = self.searcher.search(game, &strength.limit(limits), signal, &mut collect);
        let mut lines = lines_of(&reports, result.depth);
        let Some(chosen) = strength.choose(&lines, game.position().key()) else {
            // Not even one iteration: there is nothing to choose from.
            lines_of(&reports, 1).iter().take(limits.lines).for_each(observer);
            return result;
        };
        lines[..=chosen].rotate_right(1);
        result.best = lines[0].moves.first().copied().or(result.best);
        result.ponder = lines[0].moves.get(1).copied();
        result.score = lines[0].score;
        for (index, line) in lines.iter_mut().enumerate().take(limits.lines) {
            line.line = index + 1;
            observer(line);
        }
        result
    }

    /// The evaluation of a position without search, explained.
    #[must_use]
    pub fn explain_evaluation(&self, position: &Position) -> String {
        if position.is_check() {
            return "the side to move is in check: no evaluation without search".into();
        }
        match &self.searcher.settings().evaluation {
            Evaluation::Network(network) => format!(
                "{}\n\nThe same position by the hand-crafted terms, in pawns:\n\n{}",
                explain_network(network, position),
                explain(position)
            ),
            _ => explain(position).to_string(),
        }
    }
}

/// The lines of one finished iteration, the best first. A search that was interrupted tells some of them once more.
fn lines_of(reports: &[SearchReport], depth: u32) -> Vec<SearchReport> {
    let mut lines: Vec<SearchReport> = Vec::new();
    for report in reports.iter().filter(|report| report.depth == depth) {
        if report.line <= lines.len() {
            break;
        }
        lines.push(report.clone());
    }
    lines
}

/// The given network, else the built-in one; a program that was built with a broken one plays by the hand-crafted terms.
fn network_or_terms(network: Option<&Network>) -> Evaluation {
    match (network, BuiltIn::get()) {
        (Some(network), _) => Evaluation::Network(network.clone()),
        (None, Ok(built_in)) => Evaluation::Network(built_in.network.clone()),
        (None, Err(_)) => Evaluation::Handcrafted,
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn read_network(path: &str) -> Result<Network, String> {
    let file = NetworkFile::read(std::path::Path::new(path)).map_err(|error| error.to_string())?;
    Network::new(&file).map_err(|error| error.to_string())
}

#[cfg(target_arch = "wasm32")]
fn read_network(_: &str) -> Result<Network, String> {
    Err("a browser has no files to read networks from".into())
}

#[cfg(test)]
mod tests;
