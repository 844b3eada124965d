//! Events as lines of JSON, for programs that watch a match.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use kiebitz_tournament::runner::Event;

/// A file, or standard output for `-`. The first failure is kept until somebody asks: it does not end the match.
pub(crate) struct EventFile {
    path: PathBuf,
    writer: Box<dyn Write>,
    failure: Option<io::Error>,
}

impl EventFile {
    pub(crate) fn create(path: &Path) -> Result<Self> {
        let writer: Box<dyn Write> = if path == Path::new("-") {
            Box::new(io::stdout())
        } else {
            Box::new(File::create(path).with_context(|| format!("cannot write {}", path.display()))?)
        };
        Ok(Self { path: path.to_path_buf(), writer, failure: None })
    }

    pub(crate) fn write(&mut self, event: &Event) {
        if self.failure.is_none() {
            let line = serde_json::to_string(event).map_err(io::Error::from);
            let written = line.and_then(|line| writeln!(self.writer, "{line}")).and_then(|()| self.writer.flush());
            self.failure = written.err();
        }
    }

    /// Tells of the failure, if there was one.
    pub(crate) fn check(&mut self) -> Result<()> {
        let path = self.path.display();
        self.failure.take().map_or(Ok(()), |error| Err(error).with_context(|| format!("cannot write {path}")))
    }
}
