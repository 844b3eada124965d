//! Games as files, one each, written whole and renamed.

use std::collections::BTreeMap;
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use kiebitz_messages::{Fault, FaultCode, GameDocument, GameSummary};

use super::check;
use crate::fault::{internal, missing};
use crate::folder::{files_ending, milliseconds, write_whole};

/// The most games that are kept.
const MOST_GAMES: usize = 20_000;
/// The longest name of a game.
const LONGEST_ID: usize = 40;

/// Why the folder of games cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {error}; name a folder in which you may write", path.display())]
pub struct StoreError {
    /// The folder.
    pub path: PathBuf,
    /// What the system says.
    pub error: std::io::Error,
}

/// The games of a folder. Summaries are kept in memory, documents only as files.
pub(crate) struct GameStore {
    folder: PathBuf,
    summaries: Mutex<BTreeMap<String, GameSummary>>,
}

impl GameStore {
    /// Opens a folder, which is created if need be. Files that are no games are left alone.
    pub(crate) fn open(folder: &Path) -> Result<Self, StoreError> {
        fs::create_dir_all(folder).map_err(|error| StoreError { path: folder.to_path_buf(), error })?;
        let mut summaries = BTreeMap::new();
        for file in files_ending(folder, &[".json"]) {
            let id = file.id.trim_end_matches(".json");
            if let Some(summary) = is_id(id).then(|| read(&file.path).ok()).flatten().and_then(summary_of) {
                summaries.insert(id.to_owned(), GameSummary { id: id.to_owned(), ..summary });
            }
        }
        Ok(Self { folder: folder.to_path_buf(), summaries: Mutex::new(summaries) })
    }

    /// All games, the last changed first.
    pub(crate) fn list(&self) -> Vec<GameSummary> {
        let mut all: Vec<GameSummary> = self.locked().values().cloned().collect();
        all.sort_by_key(|summary| std::cmp::Reverse(summary.changed_ms));
        all
    }

    pub(crate) fn get(&self, id: &str) -> Result<GameDocument, Fault> {
        if !is_id(id) {
            return Err(missing("game", id));
        }
        read(&self.path(id)).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => missing("game", id),
            _ => internal(format!("the game {id} cannot be read: {error}")),
        })
    }

    /// Keeps a new game.
    pub(crate) fn create(&self, mut document: GameDocument) -> Result<GameDocument, Fault> {
        let mut summaries = self.locked();
        if summaries.len() >= MOST_GAMES {
            let message = format!("{MOST_GAMES} games are kept already; delete some first.");
            return Err(Fault::new(FaultCode::Limit, message));
        }
        document.id = new_id();
        (document.revision, document.created_ms) = (1, milliseconds(SystemTime::now()));
        self.write(&mut summaries, document)
    }

    /// Keeps a changed game, unless somebody else changed it meanwhile.
    pub(crate) fn replace(&self, id: &str, mut document: GameDocument) -> Result<GameDocument, Fault> {
        let mut summaries = self.locked();
        let kept = self.get(id)?;
        if document.revision != kept.revision {
            let message = "The game was changed elsewhere meanwhile; load it again.";
            return Err(Fault::new(FaultCode::Conflict, message).at("revision"));
        }
        document.id = id.to_owned();
        (document.revision, document.created_ms) = (kept.revision + 1, kept.created_ms);
        self.write(&mut summaries, document)
    }

    pub(crate) fn delete(&self, id: &str) -> Result<(), Fault> {
        let mut summaries = self.locked();
        self.get(id)?;
        fs::remove_file(self.path(id)).map_err(internal)?;
        summaries.remove(id);
        Ok(())
    }

    fn write(
        &self,
        summaries: &mut BTreeMap<String, GameSummary>,
        mut document: GameDocument,
    ) -> Result<GameDocument, Fault> {
        document.changed_ms = milliseconds(SystemTime::now());
        let summary = check(&mut document)?;
        let bytes = serde_json::to_vec(&document).map_err(internal)?;
        write_whole(&self.path(&document.id), &bytes).map_err(internal)?;
        summaries.insert(document.id.clone(), summary);
        Ok(document)
    }

    fn locked(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, GameSummary>> {
        self.summaries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The file of a game; the name has been checked.
    fn path(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.json"))
    }
}

fn read(path: &Path) -> std::io::Result<GameDocument> {
    serde_json::from_slice(&fs::read(path)?).map_err(std::io::Error::from)
}

fn summary_of(mut document: GameDocument) -> Option<GameSummary> {
    check(&mut document).ok()
}

/// Letters, digits and hyphens: nothing that means something in a path.
fn is_id(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= LONGEST_ID
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

/// A name that nobody can guess; the hasher's keys come from the system's chance.
pub(crate) fn new_id() -> String {
    let chance = RandomState::new().hash_one(milliseconds(SystemTime::now()));
    format!("{chance:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::check::tests::document;

    fn store(name: &str) -> GameStore {
        let folder = std::env::temp_dir().join(format!("kiebitz-games-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        GameStore::open(&folder).unwrap()
    }

    #[test]
    fn games_survive_a_restart_and_conflicts_are_seen() {
        let store = store("restart");
        let mut game = store.create(document(&[(None, "e2e4")])).unwrap();
        assert_eq!((game.revision, game.nodes[0].san.as_str()), (1, "e4"));
        game.nodes[0].comment = "best by test".into();
        let saved = store.replace(&game.id, game.clone()).unwrap();
        assert_eq!(saved.revision, 2);
        assert_eq!(store.replace(&game.id, game.clone()).unwrap_err().code, FaultCode::Conflict);
        let again = GameStore::open(&store.folder).unwrap();
        assert_eq!(again.get(&game.id).unwrap(), saved);
        assert_eq!(again.list(), store.list());
        again.delete(&game.id).unwrap();
        assert_eq!(again.get(&game.id).unwrap_err().code, FaultCode::Missing);
        fs::remove_dir_all(&store.folder).unwrap();
    }

    #[test]
    fn no_name_leads_out_of_the_folder() {
        let store = store("escape");
        fs::write(store.folder.parent().unwrap().join("outside.json"), "{}").unwrap();
        for id in ["../outside", "..%2foutside", "/etc/passwd", "", ".", "a/b", "A", "x\0", &"a".repeat(41)] {
            assert_eq!(store.get(id).unwrap_err().code, FaultCode::Missing, "{id:?}");
            assert!(store.delete(id).is_err() && store.replace(id, document(&[])).is_err());
        }
        fs::remove_dir_all(&store.folder).unwrap();
    }

    #[test]
    fn broken_files_are_left_alone() {
        let store = store("broken");
        fs::write(store.folder.join("aa.json"), "{\"id\":").unwrap();
        let again = GameStore::open(&store.folder).unwrap();
        assert!(again.list().is_empty());
        assert_eq!(again.get("aa").unwrap_err().code, FaultCode::Internal);
        fs::remove_dir_all(&store.folder).unwrap();
    }
}
