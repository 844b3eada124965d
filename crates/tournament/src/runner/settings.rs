//! What is to be played, by whom and how.

use std::path::PathBuf;
use std::time::Duration;

use kiebitz_uci::{EngineCommand, Limits};

use super::plan::StopRule;
use crate::pairing::{Format, Legs};
use crate::{AdjudicationRules, TimeControl};

/// A player.
#[derive(Clone, PartialEq, Debug)]
pub struct Contestant {
    /// What it is called in tables and PGN; different for all players.
    pub name: String,
    /// How it is started, with its options.
    pub command: EngineCommand,
    /// What limits its thinking, with its margin.
    pub control: TimeControl,
    /// Whether it thinks on the opponent's time.
    pub ponder: bool,
    /// Whether it is started anew for every game.
    pub restart: bool,
}

impl Contestant {
    /// A player that is called like its command.
    #[must_use]
    pub fn new(command: EngineCommand, control: TimeControl) -> Self {
        Self { name: command.label(), command, control, ponder: false, restart: false }
    }
}

/// Where games begin.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OpeningChoice {
    /// The book; the standard start position without one.
    pub book: Option<PathBuf>,
    /// The most plies taken from a PGN or Polyglot book.
    pub plies: Option<usize>,
    /// Whether the order is that of the file instead of one drawn by the seed.
    pub in_order: bool,
    /// How many openings are passed over at the beginning.
    pub skip: usize,
}

/// What becomes of a game that was lost on time only because the whole machine stood still.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ExcusedLosses {
    /// It is played again, and reported.
    #[default]
    Replay,
    /// It counts like any other loss, and is reported.
    Count,
}

/// A match or tournament.
#[derive(Clone, Debug)]
pub struct MatchSettings {
    /// Its name in PGN.
    pub event: String,
    /// Who plays; at least two.
    pub contestants: Vec<Contestant>,
    /// Who meets whom.
    pub format: Format,
    /// Game pairs, or games, in every encounter.
    pub turns: u32,
    /// Whether openings are played with both colors.
    pub legs: Legs,
    /// Draws lots for openings and pairings.
    pub seed: u64,
    /// Where games begin.
    pub openings: OpeningChoice,
    /// When games end early.
    pub adjudication: AdjudicationRules,
    /// When the match ends early.
    pub stop_rule: Option<StopRule>,
    /// Games at the same time; at least one.
    pub concurrency: usize,
    /// Whether every game is held to processors of its own.
    pub affinity: bool,
    /// Whether the result has to be the same on every machine: only nodes or depth as limits, one thread, a set hash.
    pub deterministic: bool,
    /// Whether engines are told to play Chess960 even from positions that do not show it.
    pub chess960: bool,
    /// What becomes of losses that the machine is to blame for.
    pub excused: ExcusedLosses,
    /// How long engines may take for what should take no time.
    pub limits: Limits,
    /// How long a search without any limit in time may take before the engine counts as hanging.
    pub longest_search: Duration,
    /// Where the match is kept, so that it can be resumed; not kept if `None`.
    pub folder: Option<PathBuf>,
    /// Whether the match in the folder goes on. Without this a folder with a match in it is refused.
    pub resume: bool,
    /// Where games are written as PGN.
    pub pgn: Option<PathBuf>,
}

impl MatchSettings {
    /// How long a search may take unless something else is set.
    pub const LONGEST_SEARCH: Duration = Duration::from_secs(10 * 60);

    /// A match of game pairs between all contestants, one game at a time, from the start position.
    #[must_use]
    pub fn new(contestants: Vec<Contestant>, turns: u32) -> Self {
        Self {
            event: "Kiebitz match".to_owned(),
            contestants,
            format: Format::RoundRobin,
            turns,
            legs: Legs::Two,
            seed: 0,
            openings: OpeningChoice::default(),
            adjudication: AdjudicationRules::default(),
            stop_rule: None,
            concurrency: 1,
            affinity: false,
            deterministic: false,
            chess960: false,
            excused: ExcusedLosses::default(),
            limits: Limits::default(),
            longest_search: Self::LONGEST_SEARCH,
            folder: None,
            resume: false,
            pgn: None,
        }
    }
}
