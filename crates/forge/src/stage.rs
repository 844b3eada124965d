//! The stages, their folders and the records that make them finished.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use kiebitz_dataset::WrittenFile;
use kiebitz_network::checksum;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::error::ForgeError;

/// A step of the way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// Games become samples, filtered.
    Import,
    /// Samples without a score get one.
    Label,
    /// Games are brought into a random order.
    Shuffle,
    /// Games for training and for validation.
    Split,
    /// A network learns, and is quantised.
    Train,
    /// Nothing can overflow, and what plays is what was quantised.
    Prove,
    /// Games against others.
    Match,
    /// What is to be known about the network.
    Card,
}

impl Stage {
    /// All of them in their order.
    pub const ALL: [Self; 8] =
        [Self::Import, Self::Label, Self::Shuffle, Self::Split, Self::Train, Self::Prove, Self::Match, Self::Card];

    /// The name, as folders and reports have it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Import => "import",
            Self::Label => "label",
            Self::Shuffle => "shuffle",
            Self::Split => "split",
            Self::Train => "train",
            Self::Prove => "prove",
            Self::Match => "match",
            Self::Card => "card",
        }
    }

    /// Its number, from 1.
    #[must_use]
    pub const fn number(self) -> usize {
        self as usize + 1
    }
}

/// Something that is done once, in a folder of its own.
pub(crate) trait Step: Copy + Serialize + DeserializeOwned {
    /// How its folder's name begins.
    fn folder(self) -> String;
}

impl Step for Stage {
    fn folder(self) -> String {
        format!("{}-{}", self.number(), self.name())
    }
}

/// The record of a finished stage.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StageRecord<S = Stage> {
    /// Which one.
    pub stage: S,
    /// The fingerprint of its inputs.
    pub fingerprint: String,
    /// Everything that decides what it makes.
    pub inputs: Value,
    /// What it has made, in its folder.
    pub outputs: Vec<WrittenFile>,
    /// What it found.
    pub report: Value,
    /// How long its last run took.
    pub seconds: f64,
}

/// The name of the record in a stage's folder.
const RECORD: &str = "done.json";

/// A stage at work.
#[derive(Debug)]
pub(crate) struct Workplace<S = Stage> {
    pub(crate) folder: PathBuf,
    stage: S,
    fingerprint: String,
    inputs: Value,
    begun: Instant,
}

/// A stage as it is found.
pub(crate) enum Found<S = Stage> {
    /// Finished: its folder and record.
    Done(PathBuf, Box<StageRecord<S>>),
    /// To be done, or to be continued.
    Open(Workplace<S>),
}

/// Looks for a stage whose result is decided by these inputs.
pub(crate) fn find<S: Step>(workshop: &Path, stage: S, inputs: Value) -> Result<Found<S>, ForgeError> {
    let fingerprint = checksum(json!({ "stage": stage, "inputs": inputs }).to_string().as_bytes());
    let folder = workshop.join(format!("{}-{}", stage.folder(), &fingerprint[..12]));
    if let Some(record) = finished(&folder, &fingerprint) {
        return Ok(Found::Done(folder, Box::new(record)));
    }
    fs::create_dir_all(&folder).map_err(ForgeError::io(&folder))?;
    // A record that does not hold any more must not come to hold again by chance.
    let _ = fs::remove_file(folder.join(RECORD));
    Ok(Found::Open(Workplace { folder, stage, fingerprint, inputs, begun: Instant::now() }))
}

/// The record of a folder if it is whole and everything lies there as it says.
fn finished<S: Step>(folder: &Path, fingerprint: &str) -> Option<StageRecord<S>> {
    let text = fs::read(folder.join(RECORD)).ok()?;
    let record: StageRecord<S> = serde_json::from_slice(&text).ok()?;
    // Some outputs lie deeper inside, and the name that is found then is only their last part.
    let is_there = |output: &WrittenFile| {
        let found = WrittenFile::of(&folder.join(&output.file));
        found.is_ok_and(|found| (found.bytes, &found.crc32) == (output.bytes, &output.crc32))
    };
    (record.fingerprint == fingerprint && record.outputs.iter().all(is_there)).then_some(record)
}

impl<S: Step> Workplace<S> {
    /// A file of the stage.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Finishes the stage with files of its folder.
    pub(crate) fn finish(self, outputs: Vec<WrittenFile>, report: Value) -> Result<StageRecord<S>, ForgeError> {
        let record = StageRecord {
            stage: self.stage,
            fingerprint: self.fingerprint,
            inputs: self.inputs,
            outputs,
            report,
            seconds: self.begun.elapsed().as_secs_f64(),
        };
        write_json(&self.folder.join(RECORD), &record)?;
        Ok(record)
    }
}

/// Writes a file that appears complete.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), ForgeError> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".unfinished");
    let unfinished = path.with_file_name(name);
    let write = || -> std::io::Result<()> {
        let mut file = File::create(&unfinished)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&unfinished, path)
    };
    write().map_err(ForgeError::io(path))
}

/// Writes a value as JSON.
pub(crate) fn write_json(path: &Path, value: &impl Serialize) -> Result<(), ForgeError> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|error| ForgeError::Io { file: path.to_owned(), source: std::io::Error::other(error) })?;
    write_whole(path, (text + "\n").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_is_finished_by_its_record_and_only_for_its_inputs() {
        let place = tempfile::tempdir().unwrap();
        let open = |inputs: Value| match find(place.path(), Stage::Split, inputs).unwrap() {
            Found::Done(_, record) => Err(record),
            Found::Open(workplace) => Ok(workplace),
        };
        let workplace = open(json!({ "seed": 1 })).unwrap();
        let path = workplace.file("samples");
        write_whole(&path, b"some").unwrap();
        assert!(open(json!({ "seed": 1 })).is_ok(), "not finished yet");
        workplace.finish(vec![WrittenFile::of(&path).unwrap()], json!({ "samples": 4 })).unwrap();
        assert_eq!(open(json!({ "seed": 1 })).unwrap_err().report, json!({ "samples": 4 }));
        assert!(open(json!({ "seed": 2 })).is_ok(), "other inputs have another place");
        write_whole(&path, b"same").unwrap();
        assert!(open(json!({ "seed": 1 })).is_ok(), "what changed is made again");
    }
}
