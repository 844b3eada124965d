//! What happens in a run, as it happens: one JSON object a line.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::TrainError;
use crate::whole_file::write_whole;

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// The run begins, or goes on.
    Start {
        /// Its name.
        name: String,
        /// The network's description.
        network: String,
        /// The device in words.
        device: String,
        /// Weights and biases.
        parameters: u64,
        /// Samples of an epoch of the data, after the filter.
        samples: u64,
        /// Steps already done.
        step: u64,
        /// Steps in all.
        steps: u64,
        /// Positions of a step.
        batch: usize,
    },
    /// Some steps were done.
    Steps {
        /// Steps done.
        step: u64,
        /// Positions seen.
        positions: u64,
        /// Mean loss of these steps.
        loss: f64,
        /// The learning rate.
        rate: f64,
        /// The share of the result in the target.
        result_share: f64,
        /// Positions a second, over these steps.
        speed: f64,
    },
    /// The validation samples were looked at.
    Validation {
        /// Steps done.
        step: u64,
        /// Positions seen.
        positions: u64,
        /// Mean loss.
        loss: f64,
        /// How many samples.
        samples: u64,
    },
    /// A checkpoint was written.
    Checkpoint {
        /// Steps done.
        step: u64,
    },
    /// A checkpoint was damaged, and the run goes on from an older one.
    PassedOver {
        /// Steps done according to the older one.
        step: u64,
        /// Where the damaged one lies.
        checkpoint: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The network was written.
    End {
        /// Its file.
        file: String,
        /// Its checksum.
        checksum: String,
        /// Mean loss on validation samples, with floats.
        float_loss: Option<f64>,
        /// The same with the integers that play; older logs have none.
        #[serde(default)]
        quantised_loss: Option<f64>,
        /// Seconds of this part of the run.
        seconds: f64,
    },
}

/// The log of a run.
#[derive(Debug)]
pub struct RunLog {
    path: PathBuf,
    file: File,
}

impl RunLog {
    /// Opens a log; what was written after a step is taken back, since those steps are done again.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn open(path: &Path, step: u64) -> Result<Self, TrainError> {
        let kept: Vec<Event> = Self::read(path)?.into_iter().filter(|event| event.step() <= step).collect();
        let mut text = String::new();
        for event in &kept {
            text.push_str(&line(event, path)?);
        }
        write_whole(path, text.as_bytes())?;
        let file = OpenOptions::new().append(true).open(path).map_err(TrainError::io(path))?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// Writes an event.
    ///
    /// # Errors
    ///
    /// When the disk is full.
    pub fn write(&mut self, event: &Event) -> Result<(), TrainError> {
        let line = line(event, &self.path)?;
        self.file.write_all(line.as_bytes()).map_err(TrainError::io(&self.path))
    }

    /// The validation loss after a step, if the log has it.
    ///
    /// # Errors
    ///
    /// When the file cannot be read.
    pub(crate) fn last_validation(&self, wanted: u64) -> Result<Option<f64>, TrainError> {
        let found = Self::read(&self.path)?.into_iter().rev().find_map(|event| match event {
            Event::Validation { step, loss, .. } if step == wanted => Some(loss),
            _ => None,
        });
        Ok(found)
    }

    /// The events of a log, as far as its lines are whole; none if there is no file.
    ///
    /// # Errors
    ///
    /// When the file cannot be read.
    pub fn read(path: &Path) -> Result<Vec<Event>, TrainError> {
        if !path.exists() {
            return Ok(Vec::new());
        }
        let text = std::fs::read_to_string(path).map_err(TrainError::io(path))?;
        Ok(text.lines().map_while(|line| serde_json::from_str(line).ok()).collect())
    }
}

fn line(event: &Event, path: &Path) -> Result<String, TrainError> {
    let mut line = serde_json::to_string(event)
        .map_err(|error| TrainError::Io { path: path.to_owned(), error: std::io::Error::other(error) })?;
    line.push('\n');
    Ok(line)
}

impl Event {
    /// After how many steps it happened; the end of a run is after all of them.
    #[must_use]
    pub fn step(&self) -> u64 {
        match self {
            Self::Start { step, .. }
            | Self::Steps { step, .. }
            | Self::Validation { step, .. }
            | Self::PassedOver { step, .. }
            | Self::Checkpoint { step } => *step,
            Self::End { .. } => u64::MAX,
        }
    }
}
