//! A run from its recipe to its network.

use std::fs::{self, File};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use kiebitz_compute::Device;
use kiebitz_network::checksum;

use crate::checkpoint::Checkpoint;
use crate::data_record::DataRecord;
use crate::error::TrainError;
use crate::export::export;
use crate::feed::Feed;
use crate::model::{LossPlace, Model, Objective};
use crate::played_loss::played_loss;
use crate::recipe::{LossKind, Recipe};
use crate::run_log::{Event, RunLog};
use crate::schedule::Schedule;
use crate::source::Source;
use crate::start::Start;
use crate::whole_file::{lock, write_whole};

/// Steps whose losses are read together.
const REPORT_STEPS: usize = 64;

/// The files of a run, in its folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFiles {
    folder: PathBuf,
}

impl RunFiles {
    /// The files in a folder.
    #[must_use]
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// The recipe.
    #[must_use]
    pub fn recipe(&self) -> PathBuf {
        self.folder.join("recipe.toml")
    }

    /// The log.
    #[must_use]
    pub fn log(&self) -> PathBuf {
        self.folder.join("log.jsonl")
    }

    /// The folder of checkpoints.
    #[must_use]
    pub fn checkpoints(&self) -> PathBuf {
        self.folder.join("checkpoints")
    }

    /// The network.
    #[must_use]
    pub fn network(&self, recipe: &Recipe) -> PathBuf {
        self.folder.join(format!("{}.net", recipe.name))
    }
}

/// A run.
#[derive(Debug)]
pub struct Run<D: Device> {
    recipe: Recipe,
    files: RunFiles,
    schedule: Schedule,
    model: Model<D>,
    log: RunLog,
    threads: NonZeroUsize,
    step: u64,
    /// What the network's card says besides the recipe: the program's version, whoever asked.
    made_by: String,
    /// The recipes of the runs that this one goes on from, the last one first.
    begun_with: Vec<Recipe>,
    /// What the steps so far learned from; nothing before the first, or if an older program has done them.
    data: Option<DataRecord>,
    /// What was wrong with checkpoints newer than the one that the run goes on from, until it is told.
    damaged: Vec<TrainError>,
    _lock: File,
}

impl<D: Device> Run<D> {
    /// Begins a run in a folder, or goes on where its last checkpoint is.
    ///
    /// # Errors
    ///
    /// When the folder holds another run, or one although `resume` is not asked for, or another program is at work in it.
    pub fn open(
        recipe: &Recipe,
        folder: &Path,
        device: D,
        threads: NonZeroUsize,
        resume: bool,
        made_by: &str,
    ) -> Result<Self, TrainError> {
        let files = RunFiles::new(folder);
        fs::create_dir_all(files.checkpoints()).map_err(TrainError::io(folder))?;
        let lock = lock(folder)?;
        // A run that never took a step, because its data was missing, say, is in nobody's way.
        let is_begun = Checkpoint::newest(&files.checkpoints())?.is_some();
        if !resume && (is_begun || !RunLog::read(&files.log())?.is_empty()) {
            return Err(TrainError::Taken(folder.to_owned()));
        }
        let (newest, damaged) = Checkpoint::newest_whole(&files.checkpoints())?;
        let start = if newest.is_none() { Start::of(recipe)? } else { Start::Chance };
        let mut model = Model::new(device, &recipe.network, &start.weights(recipe)?, recipe.training.batch)?;
        start.restore(&mut model)?;
        let (mut step, mut begun_with, mut data) = (0, start.begun_with(), None);
        if let Some((path, checkpoint)) = newest {
            step = checkpoint.step;
            begun_with.clone_from(&checkpoint.begun_with);
            data.clone_from(&checkpoint.data);
            let other = |what| TrainError::OtherRun { path: path.clone(), what };
            if checkpoint.recipe.network != recipe.network {
                return Err(other("the network"));
            }
            if checkpoint.recipe != *recipe {
                return Err(other("data, loss, optimiser or seed"));
            }
            if !model.restore(&checkpoint.parameters)? {
                return Err(other("the list of weights"));
            }
        }
        write_whole(&files.recipe(), recipe.to_text()?.as_bytes())?;
        let log = RunLog::open(&files.log(), step)?;
        let schedule = Schedule::new(recipe);
        let (recipe, made_by) = (recipe.clone(), made_by.to_owned());
        Ok(Self { recipe, files, schedule, model, log, threads, step, made_by, begun_with, data, damaged, _lock: lock })
    }

    /// What a value is multiplied with before the sigmoid.
    fn slope(&self) -> f32 {
        let spec = &self.recipe.network;
        let centipawns = f64::from(spec.centipawns.times) / f64::from(spec.centipawns.per.max(1));
        (f64::from(spec.units()) * centipawns / self.recipe.loss.score_scale) as f32
    }

    fn objective(&self) -> Objective {
        let (slope, loss) = (self.slope(), &self.recipe.loss);
        match loss.kind {
            LossKind::Value => Objective::Value { slope, power: loss.power as f32 },
            LossKind::Pqr => Objective::Ranking { slope, weight: loss.consistency as f32 },
        }
    }

    /// Trains to the end and writes the network; `watch` sees every event and may stop the run, which leaves a checkpoint.
    ///
    /// # Errors
    ///
    /// When the data or the device fails, the loss is no number any more, or the network cannot be quantised.
    pub fn train(&mut self, watch: &mut dyn FnMut(&Event) -> ControlFlow<()>) -> Result<PathBuf, TrainError> {
        let result = self.steps(watch);
        if matches!(result, Err(TrainError::Stopped(_))) {
            self.save()?;
        }
        result
    }

    fn save(&self) -> Result<(), TrainError> {
        let (recipe, begun_with, data) = (self.recipe.clone(), self.begun_with.clone(), self.data.clone());
        let checkpoint = Checkpoint { recipe, step: self.step, begun_with, data, parameters: self.model.save()? };
        checkpoint.write(&self.files.checkpoints()).map(|_| ())
    }

    fn steps(&mut self, watch: &mut dyn FnMut(&Event) -> ControlFlow<()>) -> Result<PathBuf, TrainError> {
        let began = Instant::now();
        let (steps, batch) = (self.recipe.steps(), self.recipe.training.batch);
        self.look_at_data()?;
        let feed = Feed::start(&self.recipe, &self.schedule, self.threads, self.step)?;
        let start = Event::Start {
            name: self.recipe.name.clone(),
            network: self.recipe.network.to_string(),
            device: self.model.device().describe(),
            parameters: self.recipe.network.parameters(),
            samples: feed.samples(),
            step: self.step,
            steps,
            batch,
        };
        self.tell(&start, watch)?;
        for error in std::mem::take(&mut self.damaged) {
            if let TrainError::Checkpoint { path, reason } = error {
                let checkpoint = path.display().to_string();
                self.tell(&Event::PassedOver { step: self.step, checkpoint, reason }, watch)?;
            }
        }
        let mut losses = self.model.device().losses(REPORT_STEPS)?;
        let (mut place, mut since) = (0, Instant::now());
        // A run that was killed between its last checkpoint and its network has validated already; one that was asked to stop may
        // have ended an epoch without.
        let mut validated = self.log.last_validation(self.step)?;
        if validated.is_none() && self.step > 0 && self.ends_epoch() {
            validated = self.validate(watch)?;
        }
        while self.step < steps {
            let samples = feed.next(self.step)?;
            let device_batch = self.model.device().batch(&samples)?;
            let loss = LossPlace { losses: &mut losses, place };
            let (objective, things) = (self.objective(), self.recipe.things());
            self.model.learn(&device_batch, objective, things, loss, &self.schedule, self.step)?;
            self.step += 1;
            place += 1;
            let ends_epoch = self.ends_epoch();
            if place == REPORT_STEPS || ends_epoch {
                let all = self.model.device().read_losses(&losses)?;
                let event = self.progress(&all[..place], since)?;
                self.tell(&event, watch)?;
                (place, since) = (0, Instant::now());
            }
            if ends_epoch {
                let judged = self.validate(watch);
                // Whatever becomes of the validation, the epoch is kept, unless its weights are worth nothing. `train` itself saves a
                // run that was stopped.
                if !matches!(judged, Err(TrainError::Stopped(_) | TrainError::ValidationNotANumber { .. })) {
                    self.save()?;
                }
                validated = judged?;
                self.tell(&Event::Checkpoint { step: self.step }, watch)?;
                since = Instant::now();
            }
        }
        drop(feed);
        self.finish(validated, began, watch)
    }

    /// Whether the last step was the last of an epoch.
    fn ends_epoch(&self) -> bool {
        self.step.is_multiple_of(self.recipe.steps_of_epoch()) || self.step == self.recipe.steps()
    }

    fn tell(&mut self, event: &Event, watch: &mut dyn FnMut(&Event) -> ControlFlow<()>) -> Result<(), TrainError> {
        self.log.write(event)?;
        match watch(event) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(TrainError::Stopped(self.step)),
        }
    }

    fn progress(&self, losses: &[f64], since: Instant) -> Result<Event, TrainError> {
        let first = self.step - losses.len() as u64;
        if let Some(bad) = losses.iter().position(|loss| !loss.is_finite()) {
            return Err(TrainError::NotANumber { batch: first + bad as u64, seed: self.recipe.seed });
        }
        let batch = self.recipe.training.batch;
        Ok(Event::Steps {
            step: self.step,
            positions: self.step * batch as u64,
            loss: losses.iter().sum::<f64>() / losses.len().max(1) as f64,
            rate: self.schedule.rate(self.step - 1),
            result_share: self.schedule.result_share(self.step - 1),
            speed: (losses.len() * batch) as f64 / since.elapsed().as_secs_f64().max(1e-9),
        })
    }

    /// What is wrong with the samples should not come out after a whole epoch, and a run goes on with those it began with.
    fn look_at_data(&mut self) -> Result<(), TrainError> {
        let now = DataRecord::of(&self.recipe)?;
        if let Some(what) = self.data.as_ref().and_then(|before| before.difference(&now)) {
            return Err(TrainError::OtherData { path: self.files.folder.clone(), what });
        }
        self.data = Some(now);
        if !self.recipe.data.validation.is_empty() {
            // Whether the filter leaves anything is known once they are open.
            Source::open(&self.recipe, &self.recipe.data.validation, self.threads, 0)?;
        }
        Ok(())
    }

    /// The mean loss on validation samples, always with the targets of the end of the run and weights as they are learned.
    fn validate(&mut self, watch: &mut dyn FnMut(&Event) -> ControlFlow<()>) -> Result<Option<f64>, TrainError> {
        if self.recipe.data.validation.is_empty() {
            return Ok(None);
        }
        let batch = self.recipe.training.batch;
        let mut source = Source::open(&self.recipe, &self.recipe.data.validation, self.threads, 0)?;
        let wanted = source.validation_steps(&self.recipe);
        let mut losses = self.model.device().losses(wanted as usize)?;
        self.model.prepare(false)?;
        for number in 0..wanted {
            let samples = source.next()?.prepare(&self.recipe, self.recipe.loss.result_end)?;
            let device_batch = self.model.device().batch(&samples)?;
            self.model.forward(&device_batch)?;
            self.model.judge(&device_batch, self.objective(), &mut losses, number as usize)?;
        }
        let all = self.model.device().read_losses(&losses)?;
        let loss = all.iter().sum::<f64>() / wanted as f64;
        if !loss.is_finite() {
            return Err(TrainError::ValidationNotANumber { step: self.step });
        }
        let event = Event::Validation {
            step: self.step,
            positions: self.step * batch as u64,
            loss,
            samples: wanted * batch as u64,
        };
        self.tell(&event, watch)?;
        Ok(Some(loss))
    }

    fn finish(
        &mut self,
        validated: Option<f64>,
        began: Instant,
        watch: &mut dyn FnMut(&Event) -> ControlFlow<()>,
    ) -> Result<PathBuf, TrainError> {
        let mut file = export(&self.recipe, &self.model.weights()?, serde_json::Value::Null)?;
        let shards = &self.recipe.data.validation;
        let played =
            if shards.is_empty() { None } else { Some(played_loss(&self.recipe, &file, shards, self.threads)?) };
        let quantised_loss = played.map(|played| played.loss);
        file.header.manifest = serde_json::json!({
            "recipe": self.recipe,
            "positions": self.step * self.recipe.training.batch as u64,
            "validation_loss": validated,
            "quantised_validation_loss": quantised_loss,
            "teacher": self.recipe.data.teacher,
            "made_by": self.made_by,
            "begun_with": self.begun_with,
            "data": self.data,
        });
        let path = self.files.network(&self.recipe);
        let bytes = file.to_bytes()?;
        kiebitz_network::write_file(&path, &bytes)?;
        let event = Event::End {
            file: path.display().to_string(),
            checksum: checksum(&bytes),
            float_loss: validated,
            quantised_loss,
            seconds: began.elapsed().as_secs_f64(),
        };
        self.tell(&event, watch)?;
        Ok(path)
    }

    /// The recipes of the runs that this one goes on from, the last one first.
    #[must_use]
    pub fn begun_with(&self) -> &[Recipe] {
        &self.begun_with
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &Model<D> {
        &self.model
    }
}
