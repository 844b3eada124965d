//! Networks: read once, packed when somebody plays with them.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kiebitz_messages::{Fault, FaultCode, NetworkCard, NetworkDiagram, Opponent};
use kiebitz_network::NetworkFile;
use kiebitz_onlooker::{LoadedNetwork, Mind, network_card, opponents};

use crate::fault::missing;
use crate::folder::{Found, Stamp, files_ending};

/// Networks that are kept packed; the least recently used goes.
const MOST_PACKED: usize = 4;
const ENDINGS: [&str; 3] = [".net", ".net.gz", ".nnue"];
/// The file of the network that is built in needs no place of its own in the list.
const SHIPPED: &str = "kiebitz.net.gz";

/// The network that is built in and those of some folders. The first folder wins where names are equal.
pub(crate) struct NetworkShelf {
    built_in: Option<(Arc<LoadedNetwork>, NetworkCard)>,
    folders: Vec<PathBuf>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    cards: HashMap<PathBuf, (Stamp, NetworkCard)>,
    /// The most recently used last.
    packed: Vec<(PathBuf, Stamp, Arc<LoadedNetwork>)>,
}

impl NetworkShelf {
    pub(crate) fn new(folders: Vec<PathBuf>) -> Self {
        let built_in = LoadedNetwork::built_in().map(|loaded| {
            let bytes = loaded.file.to_bytes().map_or(0, |bytes| bytes.len() as u64);
            let card = network_card(&loaded.id, &loaded.file, bytes, 0);
            (Arc::new(loaded), card)
        });
        Self { built_in, folders, state: Mutex::default() }
    }

    fn locked(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn files(&self) -> Vec<Found> {
        let mut files: Vec<Found> = Vec::new();
        for file in self.folders.iter().flat_map(|folder| files_ending(folder, &ENDINGS)) {
            if file.id != SHIPPED && files.iter().all(|known| known.id != file.id) {
                files.push(file);
            }
        }
        files
    }

    /// Every network; files are read again only when they have changed.
    pub(crate) fn cards(&self) -> Vec<NetworkCard> {
        let mut state = self.locked();
        let mut cards: Vec<NetworkCard> = self.built_in.iter().map(|(_, card)| card.clone()).collect();
        for file in self.files() {
            let Some(stamp) = Stamp::of(&file.path) else { continue };
            let known = state.cards.get(&file.path).filter(|(old, _)| *old == stamp);
            let card = match known {
                Some((_, card)) => card.clone(),
                None => {
                    let card = read_card(&file, stamp);
                    state.cards.insert(file.path.clone(), (stamp, card.clone()));
                    card
                }
            };
            cards.push(card);
        }
        cards
    }

    /// Who can be played against.
    pub(crate) fn opponents(&self) -> Vec<Opponent> {
        let cards = self.cards();
        let playable = cards.iter().filter(|card| card.fault.is_none());
        opponents(playable.map(|card| (card.id.as_str(), card.description.as_str())))
    }

    /// The evaluation that a name in requests means.
    pub(crate) fn mind(&self, opponent: &str) -> Result<Mind, Fault> {
        if Mind::is_handcrafted(opponent) {
            return Ok(Mind::Handcrafted);
        }
        let Some(id) = Mind::network_of(opponent) else { return Err(missing("opponent", opponent).at("opponent")) };
        self.network(id).map(Mind::Network)
    }

    /// A network, packed for play.
    pub(crate) fn network(&self, id: &str) -> Result<Arc<LoadedNetwork>, Fault> {
        if let Some((loaded, _)) = self.built_in.as_ref().filter(|(loaded, _)| loaded.id == id) {
            return Ok(Arc::clone(loaded));
        }
        let file = self.files().into_iter().find(|file| file.id == id);
        let file = file.ok_or_else(|| missing("network", id).at("opponent"))?;
        let stamp = Stamp::of(&file.path).ok_or_else(|| missing("network", id).at("opponent"))?;
        let mut state = self.locked();
        let known = state.packed.iter().position(|(path, old, _)| *path == file.path && *old == stamp);
        let entry = match known {
            Some(place) => state.packed.remove(place),
            None => {
                let unfit = |error: String| {
                    Fault::new(FaultCode::Value, format!("{id} cannot be played: {error}.")).at("opponent")
                };
                let read = NetworkFile::read(&file.path).map_err(|error| unfit(error.to_string()))?;
                let loaded = LoadedNetwork::new(id, read).map_err(|error| unfit(error.to_string()))?;
                (file.path, stamp, Arc::new(loaded))
            }
        };
        let network = Arc::clone(&entry.2);
        state.packed.retain(|(path, ..)| *path != entry.0);
        state.packed.push(entry);
        if state.packed.len() > MOST_PACKED {
            state.packed.remove(0);
        }
        Ok(network)
    }
}

fn read_card(file: &Found, stamp: Stamp) -> NetworkCard {
    match NetworkFile::read(&file.path) {
        Ok(network) => network_card(&file.id, &network, stamp.bytes, stamp.changed_ms),
        Err(error) => NetworkCard {
            id: file.id.clone(),
            bytes: stamp.bytes,
            changed_ms: stamp.changed_ms,
            spec: String::new(),
            description: String::new(),
            licence: String::new(),
            diagram: NetworkDiagram {
                inputs: String::new(),
                inputs_name: None,
                features: 0,
                max_active: 0,
                views: 0,
                buckets: 0,
                shortcut: false,
                layers: Vec::new(),
                parameters: 0,
            },
            certificate: None,
            manifest: serde_json::Value::Null,
            fault: Some(error.to_string()),
        },
    }
}
