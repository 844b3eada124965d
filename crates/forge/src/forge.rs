//! The job from its settings to its card.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use kiebitz_compute::{ComputeError, Device};
use kiebitz_dataset::WrittenFile;
use serde_json::{Value, json};

use crate::card::Card;
use crate::error::ForgeError;
use crate::event::Event;
use crate::settings::ForgeSettings;
use crate::stage::{Found, Stage, StageRecord, Workplace, find, write_json, write_whole};
use crate::{card_text, contest, import, label, order, proof, training};

/// What a job gave.
#[derive(Clone, Debug)]
pub struct Forged {
    /// The network.
    pub network: PathBuf,
    /// Its card for people.
    pub text: PathBuf,
    /// Its card for programs.
    pub json: PathBuf,
    /// The folder of the training run, with its log and recipe.
    pub run: PathBuf,
    /// The card itself.
    pub card: Card,
}

/// A job that can be run.
#[derive(Clone, Debug)]
pub struct Forge {
    settings: ForgeSettings,
}

/// What the stages work with.
pub(crate) struct Job<'a> {
    pub(crate) settings: &'a ForgeSettings,
    pub(crate) stop: &'a AtomicBool,
    workshop: PathBuf,
    observer: &'a mut dyn FnMut(&Event),
}

/// A finished stage: where it lies, and what it says.
pub(crate) struct Done {
    pub(crate) folder: PathBuf,
    pub(crate) record: StageRecord,
}

impl Done {
    /// The files that it has made.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        self.record.outputs.iter().map(|output| self.folder.join(&output.file)).collect()
    }

    /// A number of its report.
    pub(crate) fn count(&self, name: &str) -> u64 {
        self.record.report.get(name).and_then(Value::as_u64).unwrap_or(0)
    }
}

impl Job<'_> {
    pub(crate) fn tell(&mut self, event: &Event) {
        (self.observer)(event);
    }

    pub(crate) fn progress(&mut self, stage: Stage, done: u64, total: u64, unit: &'static str) {
        self.tell(&Event::Progress { stage, done, total, unit });
    }

    /// The folder of all stages.
    pub(crate) fn workshop(&self) -> &Path {
        &self.workshop
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Does a stage unless it was done with the same inputs before.
    pub(crate) fn stage(
        &mut self,
        stage: Stage,
        inputs: Value,
        work: impl FnOnce(&mut Self, &Workplace) -> Result<(Vec<WrittenFile>, Value), ForgeError>,
    ) -> Result<Done, ForgeError> {
        let (number, of) = (stage.number(), Stage::ALL.len());
        match find(&self.workshop, stage, inputs)? {
            Found::Done(folder, record) => {
                self.tell(&Event::StageKept { stage, number, of });
                Ok(Done { folder, record: *record })
            }
            Found::Open(workplace) => {
                self.tell(&Event::StageBegun { stage, number, of });
                let (outputs, report) = work(self, &workplace)?;
                let folder = workplace.folder.clone();
                let record = workplace.finish(outputs, report)?;
                let report = record.report.clone();
                self.tell(&Event::StageFinished { stage, seconds: record.seconds, report });
                Ok(Done { folder, record })
            }
        }
    }
}

impl Forge {
    /// A job with these settings.
    ///
    /// # Errors
    ///
    /// When the recipe makes no sense, an input is of no known kind, or the output is somebody else's.
    pub fn new(settings: ForgeSettings) -> Result<Self, ForgeError> {
        settings.recipe.check()?;
        import::kinds(&settings.inputs)?;
        if settings.out.exists() && !settings.workshop().exists() {
            return Err(ForgeError::Taken(settings.out));
        }
        Ok(Self { settings })
    }

    /// Runs all stages that are not finished, and writes network and card. `device` is asked only if there is something to train.
    ///
    /// # Errors
    ///
    /// What went wrong; finished stages stay, and the next run goes on.
    pub fn run<D: Device>(
        &self,
        device: impl FnOnce() -> Result<D, ComputeError>,
        stop: &AtomicBool,
        observer: &mut dyn FnMut(&Event),
    ) -> Result<Forged, ForgeError> {
        let workshop = self.settings.workshop();
        fs::create_dir_all(&workshop).map_err(ForgeError::io(&workshop))?;
        let workshop = fs::canonicalize(&workshop).map_err(ForgeError::io(&workshop))?;
        let _lock = lock(&workshop)?;
        let mut job = Job { settings: &self.settings, stop, workshop, observer };
        let imported = import::run(&mut job)?;
        let labelled = label::run(&mut job, &imported)?;
        let shuffled = order::shuffle(&mut job, &labelled)?;
        let divided = order::split(&mut job, &shuffled)?;
        let trained = training::run(&mut job, &divided, &labelled.teacher, device)?;
        let proved = proof::run(&mut job, &imported, &labelled.teacher, &trained)?;
        let played = contest::run(&mut job, &proved)?;
        let begun = std::time::Instant::now();
        let (number, of) = (Stage::Card.number(), Stage::ALL.len());
        job.tell(&Event::StageBegun { stage: Stage::Card, number, of });
        let stages = [&imported, &labelled.done, &shuffled, &divided, &trained, &proved, &played];
        let card = Card::new(&self.settings, &labelled, &stages)?;
        let forged = self.write(&proved, trained.folder.join(training::RUN), card)?;
        let seconds = begun.elapsed().as_secs_f64();
        let report = json!({ "network": forged.network, "card": forged.text });
        job.tell(&Event::StageFinished { stage: Stage::Card, seconds, report });
        Ok(forged)
    }

    /// Network and card under their names; the network comes last, so that it never lies there without a card.
    fn write(&self, proved: &Done, run: PathBuf, card: Card) -> Result<Forged, ForgeError> {
        let out = &self.settings.out;
        let (text, json) = (out.with_extension("md"), out.with_extension("json"));
        write_json(&json, &card)?;
        write_whole(&text, card_text::markdown(&card).as_bytes())?;
        if let Some(file) = proved.files().first() {
            let bytes = fs::read(file).map_err(ForgeError::io(file))?;
            write_whole(out, &bytes)?;
        }
        Ok(Forged { network: out.clone(), text, json, run, card })
    }
}

/// One job at a time works in a folder; the system forgets the lock of a program that died.
pub(crate) fn lock(workshop: &Path) -> Result<File, ForgeError> {
    let path = workshop.join("lock");
    let file = File::create(&path).map_err(ForgeError::io(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(ForgeError::Busy(workshop.to_owned())),
        Err(TryLockError::Error(error)) => Err(ForgeError::io(&path)(error)),
    }
}
