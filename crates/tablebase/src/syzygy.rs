//! Syzygy tables in folders.

use std::ffi::OsStr;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use kiebitz_chess::Position;
use shakmaty::Chess;
use shakmaty_syzygy::{MaybeRounded, SyzygyError, Wdl};

use crate::foreign_position::foreign_position;
use crate::table_file::TableFiles;
use crate::{Dtz, OpenError, ProbeError, TableResult, Tablebase};

/// File endings of Syzygy tables with the four bytes that such files begin with: win-draw-loss and distances.
const ENDINGS: [(&str, [u8; 4]); 2] = [("rtbw", [0x71, 0xe8, 0x23, 0x5d]), ("rtbz", [0xd7, 0x66, 0x0c, 0xa5])];

/// The Syzygy tables of some folders.
///
/// Files are opened when a position first needs them; after that only small parts are read, or none when the file is
/// held in memory. One value serves any number of threads.
pub struct SyzygyTables {
    tables: shakmaty_syzygy::Tablebase<Chess>,
    files: usize,
}

impl fmt::Debug for SyzygyTables {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("SyzygyTables")
            .field("files", &self.files)
            .field("largest", &self.tables.max_pieces())
            .finish_non_exhaustive()
    }
}

impl SyzygyTables {
    /// The tables in a list of folders, separated as the system separates paths: `:`, on Windows `;`.
    ///
    /// # Errors
    ///
    /// When a folder cannot be read, when a file with a table's name is not a table, and when there is no table at
    /// all: a path with a slip in it should not silently mean *no tables*.
    pub fn open(folders: &str) -> Result<Self, OpenError> {
        let list: Vec<_> = std::env::split_paths(folders).filter(|folder| !folder.as_os_str().is_empty()).collect();
        if list.is_empty() {
            return Err(OpenError::NoFolder);
        }
        let mut tables =
            Self { tables: shakmaty_syzygy::Tablebase::with_filesystem(Arc::new(TableFiles::new())), files: 0 };
        for folder in &list {
            tables.add_folder(folder)?;
        }
        if tables.files == 0 {
            return Err(OpenError::NoTables { folders: folders.to_owned() });
        }
        Ok(tables)
    }

    /// How many table files there are.
    #[must_use]
    pub fn files(&self) -> usize {
        self.files
    }

    /// Like [`Tablebase::wdl`], with the reason when there is no answer.
    ///
    /// # Errors
    ///
    /// See [`ProbeError`].
    pub fn probe_wdl(&self, position: &Position) -> Result<TableResult, ProbeError> {
        let foreign = self.admit(position)?;
        let wdl = self.tables.probe_wdl_after_zeroing(&foreign).map_err(|error| self.failure(position, &error))?;
        Ok(match wdl {
            Wdl::Loss => TableResult::Loss,
            Wdl::BlessedLoss => TableResult::BlessedLoss,
            Wdl::Draw => TableResult::Draw,
            Wdl::CursedWin => TableResult::CursedWin,
            Wdl::Win => TableResult::Win,
        })
    }

    /// Like [`Tablebase::dtz`], with the reason when there is no answer.
    ///
    /// # Errors
    ///
    /// See [`ProbeError`].
    pub fn probe_dtz(&self, position: &Position) -> Result<Dtz, ProbeError> {
        let foreign = self.admit(position)?;
        let dtz = self.tables.probe_dtz(&foreign).map_err(|error| self.failure(position, &error))?;
        let rounded = matches!(dtz, MaybeRounded::Rounded(_));
        Ok(Dtz { plies: i32::from(dtz.ignore_rounding()), rounded })
    }

    fn add_folder(&mut self, folder: &Path) -> Result<(), OpenError> {
        let unreadable = |source| OpenError::Folder { folder: folder.to_owned(), source };
        for entry in fs::read_dir(folder).map_err(unreadable)? {
            let file = entry.map_err(unreadable)?.path();
            let Some((_, magic)) = ENDINGS.iter().find(|(ending, _)| file.extension() == Some(OsStr::new(ending)))
            else {
                continue;
            };
            let damaged = |reason: String| OpenError::Damaged { file: file.clone(), reason };
            let mut start = [0; 4];
            File::open(&file)
                .and_then(|mut opened| opened.read_exact(&mut start))
                .map_err(|error| damaged(error.to_string()))?;
            if start != *magic {
                return Err(damaged("it does not begin as tables do".to_owned()));
            }
            match self.tables.add_file(&file) {
                Ok(()) => self.files += 1,
                // Says of a table that its name is none of standard chess.
                Err(error) if error.kind() == io::ErrorKind::InvalidInput => {}
                Err(error) => return Err(damaged(error.to_string())),
            }
        }
        Ok(())
    }

    /// Sorts out cheaply what no table covers, and translates the rest.
    fn admit(&self, position: &Position) -> Result<Chess, ProbeError> {
        let (pieces, largest) = (position.occupied().len(), self.tables.max_pieces());
        if pieces > largest {
            return Err(ProbeError::TooManyPieces { pieces, largest });
        }
        if position.castling_rooks().any() {
            return Err(ProbeError::Castling);
        }
        foreign_position(position)
    }

    fn failure(&self, position: &Position, error: &SyzygyError) -> ProbeError {
        match error {
            SyzygyError::Castling => ProbeError::Castling,
            SyzygyError::TooManyPieces => {
                ProbeError::TooManyPieces { pieces: position.occupied().len(), largest: self.tables.max_pieces() }
            }
            SyzygyError::MissingTable { .. } | SyzygyError::ProbeFailed { .. } => {
                ProbeError::Table { reason: error.to_string() }
            }
        }
    }
}

impl Tablebase for SyzygyTables {
    fn largest(&self) -> usize {
        self.tables.max_pieces()
    }

    fn wdl(&self, position: &Position) -> Option<TableResult> {
        self.probe_wdl(position).ok()
    }

    fn dtz(&self, position: &Position) -> Option<Dtz> {
        self.probe_dtz(position).ok()
    }
}
