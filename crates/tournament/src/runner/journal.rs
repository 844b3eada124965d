//! The finished games of a match in a file that survives a power cut.
//!
//! One line of JSON for every finished game ([`StoredGame`]), appended and brought to the disk before anybody hears of the
//! game. When the program is killed in the middle of a line, the line is torn: it has no end. On opening, a torn last line
//! is cut off and that game is played again; anything else that cannot be read is an error, because then the file was not
//! written by us.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use crate::game::{GameRecord, StoredGame, StoredGameError};

/// What is wrong with a journal.
#[derive(Debug, thiserror::Error)]
pub enum JournalProblem {
    /// The file cannot be read or written.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// Another program is writing to it.
    #[error("another program is playing this match")]
    Locked,
    /// A complete line is not a finished game.
    #[error("line {line} {error}")]
    Line {
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        error: StoredGameError,
    },
}

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct JournalError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub problem: JournalProblem,
}

/// Reads a journal game by game; a torn last line is left out.
pub struct JournalReader<R> {
    reader: R,
    line: usize,
    complete: u64,
}

impl<R: BufRead> JournalReader<R> {
    /// Reads from the beginning.
    pub const fn new(reader: R) -> Self {
        Self { reader, line: 0, complete: 0 }
    }

    /// The bytes of all complete lines that have been read.
    pub const fn complete_bytes(&self) -> u64 {
        self.complete
    }

    fn next_game(&mut self) -> Result<Option<GameRecord>, JournalProblem> {
        loop {
            let mut bytes = Vec::new();
            let length = self.reader.read_until(b'\n', &mut bytes)?;
            if bytes.pop() != Some(b'\n') {
                return Ok(None);
            }
            self.line += 1;
            self.complete += length as u64;
            if bytes.is_empty() {
                continue;
            }
            let text = str::from_utf8(&bytes).map_err(|error| StoredGameError::Json(error.to_string()));
            let game = text.and_then(StoredGame::from_line).and_then(|stored| stored.record());
            return game.map(Some).map_err(|error| JournalProblem::Line { line: self.line, error });
        }
    }
}

impl<R: BufRead> Iterator for JournalReader<R> {
    type Item = Result<GameRecord, JournalProblem>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_game().transpose()
    }
}

/// An open journal. Nobody else can open it meanwhile.
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Opens a journal, or creates it. Every game in it is checked, and a torn last line is cut off.
    ///
    /// # Errors
    /// When the file cannot be used or is damaged.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let fail = |problem| JournalError { path: path.to_path_buf(), problem };
        let open = || -> Result<File, JournalProblem> {
            let file = OpenOptions::new().append(true).read(true).create(true).open(path)?;
            file.try_lock().map_err(|error| match error {
                std::fs::TryLockError::WouldBlock => JournalProblem::Locked,
                std::fs::TryLockError::Error(error) => JournalProblem::Io(error),
            })?;
            let mut reader = JournalReader::new(BufReader::new(&file));
            while reader.next_game()?.is_some() {}
            let complete = reader.complete_bytes();
            if complete < file.metadata()?.len() {
                file.set_len(complete)?;
                file.sync_all()?;
            }
            Ok(file)
        };
        Ok(Self { path: path.to_path_buf(), file: open().map_err(fail)? })
    }

    /// The games that are in it, in the order in which they were finished.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn games(&self) -> Result<JournalReader<BufReader<File>>, JournalError> {
        let file = File::open(&self.path).map_err(|error| self.error(error.into()))?;
        Ok(JournalReader::new(BufReader::new(file)))
    }

    /// Adds a finished game; returns once it is on the disk.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn append(&mut self, record: &GameRecord) -> Result<(), JournalError> {
        let mut line = StoredGame::from(record).to_line();
        line.push('\n');
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data());
        written.map_err(|error| self.error(error.into()))
    }

    /// An error about this file.
    pub(super) fn error(&self, problem: JournalProblem) -> JournalError {
        JournalError { path: self.path.clone(), problem }
    }
}
