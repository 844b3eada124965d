//! A study from its plan to its findings.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use kiebitz_compute::{ComputeError, Device};
use kiebitz_dataset::WrittenFile;
use kiebitz_tournament::TimeControl;
use kiebitz_tournament::runner::Contestant;
use kiebitz_trainer::{Recipe, TrainError, data_files};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::event::{StudyEvent, StudyStep};
use super::findings::{EntryFindings, Findings, Selection, Speed, TriedRate};
use super::jury::{Jury, mean};
use super::plan::{EntryPlan, StudyPlan};
use super::{measurement, rates, selection, timing, training};
use crate::contest::{Encounter, Games, player};
use crate::error::ForgeError;
use crate::forge::lock;
use crate::stage::{Found, StageRecord, Workplace, find, write_whole};

/// How a study is done, apart from what it asks.
#[derive(Clone, Debug)]
pub struct StudySettings {
    /// What it asks.
    pub plan: StudyPlan,
    /// Where its work lies.
    pub folder: PathBuf,
    /// The engine program that plays.
    pub engine: PathBuf,
    /// Threads for everything.
    pub threads: NonZeroUsize,
    /// The program with version and commit, for the report.
    pub program: String,
    /// The command that repeats it, for the report.
    pub command: String,
}

/// A study that can be run.
#[derive(Clone, Debug)]
pub struct Study {
    settings: StudySettings,
}

/// What the steps work with.
pub(super) struct Course<'a> {
    pub(super) settings: &'a StudySettings,
    /// Shards to learn from, and to be judged by.
    pub(super) train: Vec<PathBuf>,
    pub(super) validation: Vec<PathBuf>,
    /// What these shards are, in the same order.
    pub(super) checksums: [Vec<WrittenFile>; 2],
    workshop: PathBuf,
    jury: Option<Arc<Jury>>,
    stop: &'a AtomicBool,
    observer: &'a mut dyn FnMut(&StudyEvent),
}

/// A finished step: where it lies, and what it says.
pub(super) struct Finished {
    pub(super) folder: PathBuf,
    pub(super) record: StageRecord<StudyStep>,
}

impl Finished {
    /// The network that a training has made.
    pub(super) fn network(&self) -> PathBuf {
        self.record.outputs.first().map_or_else(PathBuf::new, |output| self.folder.join(&output.file))
    }

    /// What it found.
    pub(super) fn report<T: DeserializeOwned>(&self) -> Result<T, ForgeError> {
        serde_json::from_value(self.record.report.clone()).map_err(|error| ForgeError::Io {
            file: self.folder.clone(),
            source: std::io::Error::other(format!("what is written there cannot be read ({error}); remove the folder")),
        })
    }
}

impl<'a> Course<'a> {
    pub(super) fn plan(&self) -> &'a StudyPlan {
        &self.settings.plan
    }

    pub(super) fn tell(&mut self, event: &StudyEvent) {
        (self.observer)(event);
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The positions that all networks are judged by; read when they are first needed.
    pub(super) fn jury(&mut self) -> Result<Arc<Jury>, ForgeError> {
        if let Some(jury) = &self.jury {
            return Ok(Arc::clone(jury));
        }
        let plan = self.plan();
        let (filter, most) = (&plan.data.filter, plan.measuring.positions);
        let jury = Arc::new(Jury::new(&self.validation, filter, &plan.loss, most, plan.seed)?);
        self.jury = Some(Arc::clone(&jury));
        Ok(jury)
    }

    /// Does a step unless it was done with the same inputs before.
    pub(super) fn step(
        &mut self,
        entry: &str,
        step: StudyStep,
        inputs: Value,
        work: impl FnOnce(&mut Self, &Workplace<StudyStep>) -> Result<(Vec<WrittenFile>, Value), ForgeError>,
    ) -> Result<Finished, ForgeError> {
        if self.is_stopped() {
            return Err(ForgeError::Stopped("studying"));
        }
        let (entry, place) = (entry.to_owned(), self.workshop.join(entry));
        match find(&place, step, inputs.clone())? {
            Found::Done(folder, record) => {
                self.tell(&StudyEvent::StepKept { entry, step });
                Ok(Finished { folder, record: *record })
            }
            Found::Open(workplace) => {
                self.tell(&StudyEvent::StepBegun { entry: entry.clone(), step });
                let (outputs, report) = work(self, &workplace)?;
                let folder = workplace.folder.clone();
                let record = workplace.finish(outputs, report)?;
                self.tell(&StudyEvent::StepFinished { entry, step, seconds: record.seconds });
                // Numbers as they will be read next time: the last digit may change on its way through the file.
                match find(&place, step, inputs)? {
                    Found::Done(folder, record) => Ok(Finished { folder, record: *record }),
                    Found::Open(_) => Ok(Finished { folder, record }),
                }
            }
        }
    }

    /// A match of an entry against the baseline.
    fn play(
        &mut self,
        name: &str,
        step: StudyStep,
        networks: [&Path; 2],
        limits: [TimeControl; 2],
        games: u32,
    ) -> Result<Encounter, ForgeError> {
        let (plan, settings) = (self.plan(), self.settings);
        let program = std::path::absolute(&settings.engine).map_err(ForgeError::io(&settings.engine))?;
        let inputs = json!({
            "network": WrittenFile::of(networks[0])?,
            "baseline": WrittenFile::of(networks[1])?,
            // The match knows its players by their paths.
            "engine": WrittenFile::of(&settings.engine)?,
            "program": program,
            "workshop": self.workshop,
            "limits": limits.map(|limit| limit.to_string()),
            "games": games,
            "seed": plan.seed,
        });
        let finished = self.step(name, step, inputs, |course, place| {
            // Networks that play lie in the step's own folder: the match can be continued wherever they came from.
            let copy = |from: &Path, name: &str| -> Result<PathBuf, ForgeError> {
                let bytes = fs::read(from).map_err(ForgeError::io(from))?;
                write_whole(&place.file(name), &bytes)?;
                Ok(place.file(name))
            };
            let (own, baseline) = (copy(networks[0], "entry.net")?, copy(networks[1], "baseline.net")?);
            let label =
                if name == plan.matches.baseline { "baseline".to_owned() } else { plan.matches.baseline.clone() };
            let contestant = |label: &str, network: &Path, limit: TimeControl| {
                let command = player(&settings.engine, label).option("EvalFile", network.display().to_string());
                Contestant::new(command, limit)
            };
            let games = Games {
                event: format!("Study {}", plan.name),
                contestants: vec![contestant(name, &own, limits[0]), contestant(&label, &baseline, limits[1])],
                limit: limits[1],
                games,
                seed: plan.seed,
                threads: settings.threads,
                folder: &place.folder,
            };
            let stop = course.stop;
            let encounters = games.play(stop, &mut |playing| course.tell(&StudyEvent::Playing { playing }))?;
            Ok((Vec::new(), json!(encounters.first())))
        })?;
        finished.report()
    }
}

/// An entry whose network is there.
struct Learned<'a> {
    plan: &'a EntryPlan,
    recipe: Recipe,
    selection: Option<Selection>,
    rates: Vec<TriedRate>,
    trained: Finished,
    measured: Finished,
}

/// The matches of an entry: at fixed nodes, and under a clock.
type Played = [Option<Encounter>; 2];

impl Study {
    /// A study with these settings.
    ///
    /// # Errors
    ///
    /// When the plan makes no sense.
    pub fn new(settings: StudySettings) -> Result<Self, ForgeError> {
        settings.plan.check()?;
        Ok(Self { settings })
    }

    /// Does all steps that are not finished. `device` is asked for every network that has to be trained.
    ///
    /// # Errors
    ///
    /// What went wrong; finished steps stay, and the next run goes on. An entry whose network cannot be had is an answer, too: the findings
    /// say why.
    pub fn run<D: Device>(
        &self,
        device: impl Fn() -> Result<D, ComputeError>,
        stop: &AtomicBool,
        observer: &mut dyn FnMut(&StudyEvent),
    ) -> Result<Findings, ForgeError> {
        let settings = &self.settings;
        let plan = &settings.plan;
        fs::create_dir_all(&settings.folder).map_err(ForgeError::io(&settings.folder))?;
        let workshop = fs::canonicalize(&settings.folder).map_err(ForgeError::io(&settings.folder))?;
        let _lock = lock(&workshop)?;
        let (train, validation) = (data_files(&plan.data.train, "kbz")?, data_files(&plan.data.validation, "kbz")?);
        if let Some(file) = plan.baseline_file().filter(|file| !file.is_file()) {
            return Err(ForgeError::Plan(format!(
                "the baseline {} is neither an entry nor a network's file",
                file.display()
            )));
        }
        let checksums = [checksums(&train)?, checksums(&validation)?];
        let mut course = Course { settings, train, validation, checksums, workshop, jury: None, stop, observer };
        let mut learned: Vec<Learned<'_>> = Vec::new();
        let (mut number, of) = (0, plan.entries.len());
        let mut played: Vec<Played> = Vec::new();
        let mut failed: Vec<(String, String)> = Vec::new();
        // The baseline comes first: all others play against it.
        for entry in
            plan.baseline().into_iter().chain(plan.entries.iter().filter(|entry| entry.name != plan.matches.baseline))
        {
            number += 1;
            course.tell(&StudyEvent::EntryBegun { entry: entry.name.clone(), number, of });
            let one = match learn(&mut course, entry, &learned, &device) {
                Ok(one) => one,
                // A network that cannot be had says nothing about the others, unless all of them play against it.
                Err(error) if concerns_this_alone(&error) && entry.name != plan.matches.baseline => {
                    course.tell(&StudyEvent::EntryFailed { entry: entry.name.clone(), reason: error.to_string() });
                    failed.push((entry.name.clone(), error.to_string()));
                    continue;
                }
                Err(error) => return Err(error),
            };
            played.push(play(&mut course, &one, learned.first())?);
            learned.push(one);
        }
        let faster = play_faster(&mut course, learned.first())?;
        let files: Vec<PathBuf> = learned.iter().map(|one| one.trained.network()).collect();
        let speeds = timing::run(&mut course, &files)?;
        let judged =
            learned.first().filter(|_| plan.baseline().is_some()).map(|first| first.trained.judged()).transpose()?;
        let mut entries = Vec::new();
        for ((one, played), speed) in learned.into_iter().zip(played).zip(speeds) {
            entries.push(one.findings(played, speed, judged.as_deref())?);
        }
        let place = |found: &EntryFindings| plan.entries.iter().position(|entry| entry.name == found.plan.name);
        entries.sort_by_key(place);
        Ok(Findings {
            plan: plan.clone(),
            command: settings.command.clone(),
            program: settings.program.clone(),
            threads: settings.threads.get(),
            data: course.checksums,
            entries,
            failed,
            faster,
        })
    }
}

/// Whether an entry came to nothing because of what it is.
const fn concerns_this_alone(error: &ForgeError) -> bool {
    use TrainError::{NotANumber, Quantise, Unplayable, ValidationNotANumber};
    matches!(
        error,
        ForgeError::Train(Quantise(_) | Unplayable(_) | NotANumber { .. } | ValidationNotANumber { .. })
            | ForgeError::Unproved(_)
            | ForgeError::Selection { .. }
    )
}

fn checksums(paths: &[PathBuf]) -> Result<Vec<WrittenFile>, ForgeError> {
    Ok(paths.iter().map(|path| WrittenFile::of(path)).collect::<Result<_, _>>()?)
}

/// An entry's features, network and measurements.
fn learn<'a, D: Device>(
    course: &mut Course<'_>,
    entry: &'a EntryPlan,
    before: &[Learned<'_>],
    device: &dyn Fn() -> Result<D, ComputeError>,
) -> Result<Learned<'a>, ForgeError> {
    let plan = course.plan();
    let mut selected = None;
    if let Some(select) = &entry.select {
        let source = before.iter().find(|learned| learned.plan.name == select.from);
        let source =
            source.ok_or_else(|| ForgeError::Unproved(format!("it selects from {}, which has none", select.from)))?;
        let done = selection::run(course, entry, select, (&source.recipe, &source.trained))?;
        selected = Some(done.report::<Selection>()?);
    }
    let spec = plan.spec(entry, selected.as_ref().map(|selection| selection.features.as_str()))?;
    let mut recipe = plan.recipe(entry, spec);
    recipe.check()?;
    let rates = rates::choose(course, &mut recipe, device)?;
    let trained = training::run(course, recipe.clone(), device)?;
    let measured = measurement::run(course, &entry.name, &trained)?;
    Ok(Learned { plan: entry, recipe, selection: selected, rates, trained, measured })
}

/// Lets an entry play. The baseline plays only if it is a file.
fn play(course: &mut Course<'_>, entry: &Learned<'_>, first: Option<&Learned<'_>>) -> Result<Played, ForgeError> {
    let plan = course.plan();
    let opponent = match (plan.baseline_file(), first) {
        (Some(file), _) => Some(file),
        (None, Some(first)) => Some(first.trained.network()),
        (None, None) => None,
    };
    let Some(opponent) = opponent.filter(|_| entry.plan.plays) else { return Ok([None, None]) };
    let network = entry.trained.network();
    let (name, networks) = (&entry.plan.name, [network.as_path(), opponent.as_path()]);
    let mut played = [None, None];
    if plan.matches.games > 0 {
        played[0] = Some(course.play(name, StudyStep::Play, networks, [plan.limit()?; 2], plan.matches.games)?);
    }
    if let (Some(limit), 1..) = (plan.clock()?, plan.matches.clock_games) {
        played[1] = Some(course.play(name, StudyStep::Clock, networks, [limit; 2], plan.matches.clock_games)?);
    }
    Ok(played)
}

/// Lets the baseline play with more nodes against itself.
fn play_faster(course: &mut Course<'_>, first: Option<&Learned<'_>>) -> Result<Option<Encounter>, ForgeError> {
    let plan = course.plan();
    let (Some((faster, _)), Some(first), Some(baseline), 1..) =
        (plan.faster()?, first, plan.baseline(), plan.matches.games)
    else {
        return Ok(None);
    };
    let network = first.trained.network();
    let limits = [faster, plan.limit()?];
    course.play(&baseline.name, StudyStep::Play, [network.as_path(); 2], limits, plan.matches.games).map(Some)
}

impl Learned<'_> {
    /// What is known about an entry; `baseline` has the baseline's losses.
    fn findings(
        self,
        [nodes, clock]: Played,
        speed: Speed,
        baseline: Option<&[f64]>,
    ) -> Result<EntryFindings, ForgeError> {
        let own = self.trained.judged()?;
        let difference = baseline.map(|baseline| {
            let mean = mean(own.iter().zip(baseline).map(|(own, other)| own - other));
            [mean.value, mean.error]
        });
        let file = self.trained.record.outputs.first().cloned();
        Ok(EntryFindings {
            plan: self.plan.clone(),
            network: self.recipe.network.to_string(),
            file: file.ok_or_else(|| ForgeError::Unproved("there is no file".to_owned()))?,
            selection: self.selection,
            rates: self.rates,
            rate: self.recipe.optimiser.rate,
            training: self.trained.report()?,
            loss_difference: difference,
            measurement: self.measured.report()?,
            speed,
            nodes,
            clock,
        })
    }
}
