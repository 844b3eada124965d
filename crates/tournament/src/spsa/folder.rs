//! Where a tuning run is kept.
//!
//! ```text
//! tuning.json         settings, numbers, values and pairs played: replaced as a whole after every iteration
//! trajectory.jsonl    one line for every iteration, for plots
//! iteration-12/       the games of the iteration that is being played (a match's folder)
//! ```
//!
//! The state is the truth. A trajectory may be one line ahead of it after a crash, or end in a torn line: what is beyond the
//! state is cut off.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Spsa, SpsaError, SpsaParameter, SpsaSettings};

/// The version of the folder's format.
const VERSION: u32 = 1;

/// Why a folder cannot be used.
#[derive(Debug, Error)]
pub enum FolderError {
    /// It cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// What the operating system says.
        error: io::Error,
    },
    /// It holds a run, but none was to be resumed.
    #[error("{} holds a run already: resume it, or name another folder", .0.display())]
    Occupied(PathBuf),
    /// It holds a run with other settings.
    #[error(
        "this run cannot be resumed with other settings: {what} was {then} and is now {now}; begin in another folder"
    )]
    Other {
        /// What is different.
        what: &'static str,
        /// What it was.
        then: String,
        /// What it is.
        now: String,
    },
    /// Not written by us.
    #[error("{}: {reason}", path.display())]
    Unreadable {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The state contradicts itself.
    #[error(transparent)]
    Spsa(#[from] SpsaError),
}

/// An iteration as it went.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Step {
    /// Pairs played since the beginning of the run.
    pub pairs: u64,
    /// Games that the `plus` side won in this iteration.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// The values after it.
    pub values: Vec<f64>,
}

#[derive(Serialize, Deserialize)]
struct State {
    version: u32,
    /// Engine, limits and openings as text: what must not change.
    conditions: String,
    settings: SpsaSettings,
    parameters: Vec<SpsaParameter>,
    values: Vec<f64>,
    played: u64,
}

/// The folder of a run.
#[derive(Debug)]
pub struct TuningFolder {
    path: PathBuf,
    conditions: String,
}

impl TuningFolder {
    /// Takes a folder for a run: a new one, or with `resume` also one that holds this very run. Gives the run as it stands.
    ///
    /// # Errors
    /// When files cannot be used, or the folder holds another run.
    pub fn open(path: &Path, begun: Spsa, conditions: &str, resume: bool) -> Result<(Self, Spsa), FolderError> {
        let folder = Self { path: path.to_path_buf(), conditions: conditions.to_owned() };
        fs::create_dir_all(path).map_err(|error| FolderError::File { path: path.to_path_buf(), error })?;
        if !folder.state_file().exists() {
            folder.save(&begun)?;
            folder.trim(0)?;
            return Ok((folder, begun));
        }
        if !resume {
            return Err(FolderError::Occupied(path.to_path_buf()));
        }
        let state = folder.load()?;
        folder.compare(&state, &begun)?;
        let spsa = Spsa::at(state.settings, state.parameters, state.values, state.played)?;
        folder.trim(spsa.played())?;
        Ok((folder, spsa))
    }

    fn state_file(&self) -> PathBuf {
        self.path.join("tuning.json")
    }

    fn trajectory_file(&self) -> PathBuf {
        self.path.join("trajectory.jsonl")
    }

    /// Where the games of an iteration are kept while it is played.
    #[must_use]
    pub fn games(&self, iteration: u64) -> PathBuf {
        self.path.join(format!("iteration-{iteration}"))
    }

    fn load(&self) -> Result<State, FolderError> {
        let path = self.state_file();
        let text = fs::read_to_string(&path).map_err(|error| FolderError::File { path: path.clone(), error })?;
        let state: State = serde_json::from_str(&text)
            .map_err(|error| FolderError::Unreadable { path: path.clone(), reason: error.to_string() })?;
        if state.version != VERSION {
            let reason = format!("version {} of the format is not known, only {VERSION}", state.version);
            return Err(FolderError::Unreadable { path, reason });
        }
        Ok(state)
    }

    fn compare(&self, state: &State, begun: &Spsa) -> Result<(), FolderError> {
        let lines = |parameters: &[SpsaParameter]| -> String {
            parameters.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
        };
        let pairs = [
            ("the game", state.conditions.clone(), self.conditions.clone()),
            ("the run", format!("{:?}", state.settings), format!("{:?}", begun.settings())),
            ("the list of numbers", lines(&state.parameters), lines(begun.parameters())),
        ];
        match pairs.into_iter().find(|(_, then, now)| then != now) {
            Some((what, then, now)) => Err(FolderError::Other { what, then, now }),
            None => Ok(()),
        }
    }

    /// Writes the state: it is on the disk, whole, when this returns.
    fn save(&self, spsa: &Spsa) -> Result<(), FolderError> {
        let state = State {
            version: VERSION,
            conditions: self.conditions.clone(),
            settings: *spsa.settings(),
            parameters: spsa.parameters().to_vec(),
            values: spsa.values().to_vec(),
            played: spsa.played(),
        };
        let path = self.state_file();
        let fail = |error| FolderError::File { path: path.clone(), error };
        let text = serde_json::to_string_pretty(&state).map_err(|error| fail(error.into()))?;
        let temporary = self.path.join("tuning.json.part");
        let write = || {
            let mut file = File::create(&temporary)?;
            writeln!(file, "{text}")?;
            file.sync_all()?;
            fs::rename(&temporary, &path)
        };
        write().map_err(fail)
    }

    /// Keeps a finished iteration, and forgets its games.
    ///
    /// # Errors
    /// When files cannot be written.
    pub fn keep(&self, spsa: &Spsa, iteration: u64, step: &Step) -> Result<(), FolderError> {
        let path = self.trajectory_file();
        let fail = |error| FolderError::File { path: path.clone(), error };
        let line = serde_json::to_string(step).map_err(|error| fail(error.into()))?;
        let mut file = OpenOptions::new().append(true).create(true).open(&path).map_err(fail)?;
        writeln!(file, "{line}").and_then(|()| file.sync_data()).map_err(fail)?;
        self.save(spsa)?;
        self.forget(iteration)
    }

    /// Removes the games of an iteration that is finished or was never begun.
    fn forget(&self, iteration: u64) -> Result<(), FolderError> {
        let path = self.games(iteration);
        match fs::remove_dir_all(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(FolderError::File { path, error }),
            _ => Ok(()),
        }
    }

    /// Every iteration so far; a torn last line is left out.
    ///
    /// # Errors
    /// When the file cannot be read or was not written by us.
    pub fn trajectory(&self) -> Result<Vec<Step>, FolderError> {
        let path = self.trajectory_file();
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            other => other.map_err(|error| FolderError::File { path: path.clone(), error })?,
        };
        let whole = text.split_inclusive('\n').filter(|line| line.ends_with('\n')).enumerate();
        whole
            .map(|(index, line)| {
                let reason = |error| format!("line {}: {error}", index + 1);
                serde_json::from_str(line)
                    .map_err(|error| FolderError::Unreadable { path: path.clone(), reason: reason(error) })
            })
            .collect()
    }

    /// Cuts off what is beyond the state, and games that it knows to be finished.
    fn trim(&self, played: u64) -> Result<(), FolderError> {
        let steps = self.trajectory()?;
        let known: Vec<&Step> = steps.iter().take_while(|step| step.pairs <= played).collect();
        let path = self.trajectory_file();
        let fail = |error| FolderError::File { path: path.clone(), error };
        let lines: Result<Vec<String>, _> = known.iter().map(serde_json::to_string).collect();
        let text: String = lines.map_err(|error| fail(error.into()))?.iter().map(|line| format!("{line}\n")).collect();
        let temporary = self.path.join("trajectory.jsonl.part");
        fs::write(&temporary, text).and_then(|()| fs::rename(&temporary, &path)).map_err(fail)?;
        // The last iteration's games may have survived a crash right after the state was written.
        (known.len() as u64).checked_sub(1).map_or(Ok(()), |iteration| self.forget(iteration))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    fn begun() -> Spsa {
        let settings = SpsaSettings { seed: 1, pairs: 40, pairs_per_iteration: 2, learning_rate: 0.01 };
        Spsa::new(settings, vec!["a = 5 in 0..=10 step 1;".parse().unwrap()]).unwrap()
    }

    fn step(spsa: &Spsa) -> Step {
        Step { pairs: spsa.played(), wins: 2, draws: 1, losses: 1, values: spsa.values().to_vec() }
    }

    fn played(folder: &TuningFolder, spsa: &mut Spsa) {
        let perturbation = spsa.perturbation().unwrap();
        spsa.learn(&perturbation, 1);
        folder.keep(spsa, perturbation.iteration, &step(spsa)).unwrap();
    }

    #[test]
    fn a_run_goes_on_where_it_was() {
        let scratch = TempDir::new().unwrap();
        let (folder, mut spsa) = TuningFolder::open(scratch.path(), begun(), "x", false).unwrap();
        for _ in 0..3 {
            played(&folder, &mut spsa);
        }
        assert!(matches!(TuningFolder::open(scratch.path(), begun(), "x", false), Err(FolderError::Occupied(_))));
        let (folder, again) = TuningFolder::open(scratch.path(), begun(), "x", true).unwrap();
        assert_eq!(again, spsa);
        assert_eq!(folder.trajectory().unwrap().len(), 3);

        let other = TuningFolder::open(scratch.path(), begun(), "y", true).unwrap_err();
        assert_eq!(
            other.to_string(),
            "this run cannot be resumed with other settings: the game was x and is now y; begin in another folder"
        );
    }

    #[test]
    fn what_is_beyond_the_state_is_cut_off() {
        let scratch = TempDir::new().unwrap();
        let (folder, mut spsa) = TuningFolder::open(scratch.path(), begun(), "x", false).unwrap();
        played(&folder, &mut spsa);
        // Killed after the trajectory and before the state was written; then in the middle of a line.
        let mut ahead = spsa.clone();
        ahead.learn(&spsa.perturbation().unwrap(), 1);
        let line = serde_json::to_string(&step(&ahead)).unwrap();
        let path = scratch.path().join("trajectory.jsonl");
        let text = fs::read_to_string(&path).unwrap();
        for tail in [format!("{line}\n"), line[..10].to_owned()] {
            fs::write(&path, format!("{text}{tail}")).unwrap();
            fs::create_dir_all(folder.games(0)).unwrap();
            let (folder, again) = TuningFolder::open(scratch.path(), begun(), "x", true).unwrap();
            assert_eq!(again, spsa);
            assert_eq!(folder.trajectory().unwrap(), [step(&spsa)]);
            assert!(!folder.games(0).exists());
        }
        fs::write(&path, "rubbish\n").unwrap();
        let error = TuningFolder::open(scratch.path(), begun(), "x", true).unwrap_err().to_string();
        assert!(error.contains("line 1"), "{error}");
    }
}
