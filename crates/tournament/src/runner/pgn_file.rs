//! The games of a match as a PGN file.
//!
//! While the match runs the file is called `NAME.part`, holds whole games only and is in the order of the schedule; at the
//! end it gets its name. A resumed match writes it anew from the journal, so that nothing is torn or double.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::check::MatchError;
use super::settings::MatchSettings;
use crate::game::{GameRecord, PgnStyle, pgn_of};

pub(super) struct PgnFile {
    path: PathBuf,
    part: PathBuf,
    file: File,
}

impl PgnFile {
    pub(super) fn create(path: &Path) -> Result<Self, MatchError> {
        let mut name = path.as_os_str().to_owned();
        name.push(".part");
        let part = PathBuf::from(name);
        let file = File::create(&part).map_err(|error| MatchError::File { path: part.clone(), error })?;
        Ok(Self { path: path.to_path_buf(), part, file })
    }

    pub(super) fn append(&mut self, record: &GameRecord, settings: &MatchSettings) -> Result<(), MatchError> {
        let [white, black] = [record.game.white, record.game.black].map(|player| &settings.contestants[player.index()]);
        let style = PgnStyle {
            event: &settings.event,
            players: [&white.name, &black.name],
            controls: [white.control, black.control],
            times: !settings.deterministic,
        };
        let text = format!("{}\n", pgn_of(record, &style));
        // In one piece, so that whoever reads along sees whole games.
        self.file.write_all(text.as_bytes()).map_err(|error| MatchError::File { path: self.part.clone(), error })
    }

    /// Gives the file its name.
    pub(super) fn finish(self) -> Result<(), MatchError> {
        let finished = self.file.sync_all().and_then(|()| fs::rename(&self.part, &self.path));
        finished.map_err(|error| MatchError::File { path: self.path, error })
    }
}
