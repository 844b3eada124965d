//! A tuning run: perturbations go out as matches, results come back as lessons.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use serde::Serialize;
use thiserror::Error;

use super::{FolderError, Perturbation, Spsa, Step, TuningFolder};
use crate::opening::{Book, BookError, OpeningList};
use crate::pairing::{Format, Legs};
use crate::runner::{Conclusion, Contestant, Event, Match, MatchError, MatchReport, MatchSettings, OpeningChoice};

/// The names of the two sides.
const SIDES: [&str; 2] = ["plus", "minus"];

/// What a run plays with.
#[derive(Clone, Debug)]
pub struct TuningSettings {
    /// The engine, with every option that is not tuned.
    pub engine: Contestant,
    /// Openings, adjudication, concurrency and whatever else a match has; players, length, seed and files are the run's own.
    pub games: MatchSettings,
}

impl TuningSettings {
    /// What must not change while a run is interrupted, as text.
    fn conditions(&self) -> String {
        let command = &self.engine.command;
        let openings = &self.games.openings;
        format!(
            "{} {:?} with {:?} and {:?}, {}, openings {:?} ({:?} plies, in order: {}, skipping {}), {:?}",
            command.program.display(),
            command.arguments,
            command.environment,
            command.options,
            self.engine.control,
            openings.book,
            openings.plies,
            openings.in_order,
            openings.skip,
            self.games.adjudication,
        )
    }
}

/// Why a run cannot go on.
#[derive(Debug, Error)]
pub enum TuningError {
    /// Its folder.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A match.
    #[error("iteration {iteration}: {error}")]
    Match {
        /// Which iteration, from 0.
        iteration: u64,
        /// What is wrong.
        error: Box<MatchError>,
    },
    /// The book.
    #[error("book {0}")]
    Book(#[from] BookError),
    /// The openings of an iteration cannot be written.
    #[error("{}: {error}", path.display())]
    Openings {
        /// Where.
        path: PathBuf,
        /// What the operating system says.
        error: io::Error,
    },
    /// Most games of an iteration were not played to their end, so they say nothing about the numbers.
    #[error("iteration {iteration}: {broken} of {games} games ended by a crash, a hang, an illegal move or the clock")]
    Broken {
        /// Which iteration, from 0.
        iteration: u64,
        /// Games that ended so.
        broken: u64,
        /// All its games.
        games: u64,
    },
}

/// Games that did not end by chess.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Trouble {
    /// Lost on time.
    pub time_losses: u64,
    /// Engines that ended.
    pub crashes: u64,
    /// Engines that did not answer.
    pub hangs: u64,
    /// Illegal moves.
    pub illegal_moves: u64,
}

impl Trouble {
    fn of(report: &MatchReport) -> Self {
        report.players.iter().fold(Self::default(), |sum, player| Self {
            time_losses: sum.time_losses + player.time_losses,
            crashes: sum.crashes + player.crashes,
            hangs: sum.hangs + player.hangs,
            illegal_moves: sum.illegal_moves + player.illegal_moves,
        })
    }

    /// All of them.
    #[must_use]
    pub const fn games(self) -> u64 {
        self.time_losses + self.crashes + self.hangs + self.illegal_moves
    }

    fn add(&mut self, other: Self) {
        self.time_losses += other.time_losses;
        self.crashes += other.crashes;
        self.hangs += other.hangs;
        self.illegal_moves += other.illegal_moves;
    }
}

/// Something happened.
#[derive(Debug)]
pub enum TuningEvent<'a> {
    /// In the match of an iteration.
    Match(&'a Event),
    /// An iteration is finished and safe.
    Learned {
        /// How it went.
        step: &'a Step,
        /// The run after it.
        spsa: &'a Spsa,
    },
}

/// A run that can be played.
#[derive(Debug)]
pub struct Tuning {
    settings: TuningSettings,
    spsa: Spsa,
    folder: TuningFolder,
    openings: OpeningList,
    trouble: Trouble,
}

impl Tuning {
    /// Opens the folder and the book. A folder that holds this run already goes on with `resume`.
    ///
    /// # Errors
    /// When either cannot be used.
    pub fn prepare(settings: TuningSettings, begun: Spsa, folder: &Path, resume: bool) -> Result<Self, TuningError> {
        let choice = &settings.games.openings;
        let openings = match &choice.book {
            Some(path) => {
                let seed = Some(begun.settings().seed).filter(|_| !choice.in_order);
                OpeningList::new(Book::open(path, choice.plies)?, seed, choice.skip)
            }
            None => OpeningList::standard(),
        };
        let (folder, spsa) = TuningFolder::open(folder, begun, &settings.conditions(), resume)?;
        Ok(Self { settings, spsa, folder, openings, trouble: Trouble::default() })
    }

    /// The run as it stands.
    #[must_use]
    pub const fn spsa(&self) -> &Spsa {
        &self.spsa
    }

    /// Where it is kept.
    #[must_use]
    pub const fn folder(&self) -> &TuningFolder {
        &self.folder
    }

    /// Games of this session that did not end by chess.
    #[must_use]
    pub const fn trouble(&self) -> Trouble {
        self.trouble
    }

    /// Plays until the run is over (`true`) or `stop` is set (`false`). A finished iteration is never played again, nor is a
    /// finished game of an iteration that was broken off.
    ///
    /// # Errors
    /// When an engine or a file cannot be used, or an iteration says nothing.
    pub fn run(&mut self, stop: &AtomicBool, mut observer: impl FnMut(&TuningEvent<'_>)) -> Result<bool, TuningError> {
        while let Some(perturbation) = self.spsa.perturbation() {
            let iteration = perturbation.iteration;
            let fail = |error| TuningError::Match { iteration, error: Box::new(error) };
            let games = Match::prepare(self.games_of(&perturbation)?, None).map_err(fail)?;
            let report = games.run(stop, |event| observer(&TuningEvent::Match(&event))).map_err(fail)?;
            if report.conclusion == Conclusion::Stopped {
                return Ok(false);
            }
            let trouble = Trouble::of(&report);
            self.trouble.add(trouble);
            let games = report.standing.games;
            if 2 * trouble.games() > games {
                return Err(TuningError::Broken { iteration, broken: trouble.games(), games });
            }
            let step = self.learn(&perturbation, &report);
            self.folder.keep(&self.spsa, iteration, &step)?;
            observer(&TuningEvent::Learned { step: &step, spsa: &self.spsa });
        }
        Ok(true)
    }

    fn learn(&mut self, perturbation: &Perturbation, report: &MatchReport) -> Step {
        let plus = report.players.iter().find(|player| player.name == SIDES[0]);
        let (wins, draws, losses) = plus.map_or((0, 0, 0), |plus| (plus.wins, plus.draws, plus.losses));
        self.spsa.learn(perturbation, wins as i64 - losses as i64);
        Step { pairs: self.spsa.played(), wins, draws, losses, values: self.spsa.values().to_vec() }
    }

    /// The match of an iteration.
    fn games_of(&self, perturbation: &Perturbation) -> Result<MatchSettings, TuningError> {
        let sides = [&perturbation.plus, &perturbation.minus];
        let contestants = SIDES.iter().zip(sides).map(|(&name, values)| {
            let mut side = self.settings.engine.clone();
            side.name = name.to_owned();
            side.command.label = Some(name.to_owned());
            let options = self.spsa.parameters().iter().zip(values);
            side.command
                .options
                .extend(options.map(|(parameter, value)| (parameter.name.clone(), Some(value.to_string()))));
            side
        });
        let folder = self.folder.games(perturbation.iteration);
        Ok(MatchSettings {
            event: format!("SPSA iteration {}", perturbation.iteration),
            contestants: contestants.collect(),
            format: Format::RoundRobin,
            turns: u32::try_from(perturbation.pairs).unwrap_or(u32::MAX),
            legs: Legs::Two,
            seed: self.spsa.settings().seed,
            openings: OpeningChoice {
                book: Some(self.write_openings(&folder, perturbation.pairs)?),
                in_order: true,
                ..OpeningChoice::default()
            },
            stop_rule: None,
            folder: Some(folder),
            resume: true,
            pgn: None,
            ..self.settings.games.clone()
        })
    }

    /// A book of just this iteration's openings, so that a large one is read only once.
    fn write_openings(&self, folder: &Path, pairs: u64) -> Result<PathBuf, TuningError> {
        let path = folder.join("openings.epd");
        let first = self.spsa.played();
        let lines: String =
            (first..first + pairs).map(|number| format!("{}\n", self.openings.opening(number).position())).collect();
        let temporary = folder.join("openings.epd.part");
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&temporary, lines))
            .and_then(|()| fs::rename(&temporary, &path))
            .map_err(|error| TuningError::Openings { path: path.clone(), error })?;
        Ok(path)
    }
}
