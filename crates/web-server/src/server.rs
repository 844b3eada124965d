//! The server as a whole: what it shares, its routes, its life.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use kiebitz_messages::{PROTOCOL, ServerLimits, ServerStatus};
use kiebitz_onlooker::{Limits, MAX_PLIES};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tower_http::compression::CompressionLayer;

use crate::connections::accept;
use crate::games::{GameStore, StoreError};
use crate::guard::{Rates, guard};
use crate::listings::{MatchRack, NetworkShelf, RunRack};
use crate::page::page;
use crate::scheduler::Scheduler;
use crate::{routes, session};

/// The largest body and the largest frame, in bytes.
pub(crate) const MOST_BYTES: usize = 4 << 20;
/// How long sessions have to say goodbye.
const FAREWELL: Duration = Duration::from_secs(2);
const MOST_LINES: u32 = 10;
const MOST_REVIEW_NODES: u64 = 5_000_000;

/// How a server is set up.
#[derive(Clone, Debug)]
pub struct ServerSettings {
    /// Where it listens; its port is what `Host` has to name.
    pub address: SocketAddr,
    /// What clients have to present; required beyond loopback.
    pub token: Option<String>,
    /// The workspace: games are kept in `games/`, networks found in `nets/`, runs and matches anywhere below.
    pub folder: PathBuf,
    /// More folders with networks, those that ship for instance; they come first.
    pub network_folders: Vec<PathBuf>,
    /// Threads that may search at the same time.
    pub search_threads: u32,
    /// The largest table of an analysis, in mebibytes.
    pub max_hash_mebibytes: u32,
    /// Open pages at the same time.
    pub max_connections: usize,
    /// How long a client may take to say what it wants, and how long it waits for an answer at most.
    pub longest_request: Duration,
    /// The version that is told.
    pub version: String,
}

impl ServerSettings {
    /// Whether nobody from elsewhere gets in without a token.
    ///
    /// # Errors
    /// When a token is missing.
    pub fn check(&self) -> Result<(), ServerError> {
        let is_open = self.token.as_ref().is_none_or(String::is_empty);
        if is_open && !self.address.ip().is_loopback() {
            return Err(ServerError::TokenRequired(self.address));
        }
        Ok(())
    }
}

/// Why a server does not start, or ends.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// Anybody in the network could use it.
    #[error("{0} can be reached from other machines, so a token is required; set one, or listen on 127.0.0.1")]
    TokenRequired(SocketAddr),
    /// The folder of games.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The network of the machine.
    #[error("the server ended: {0}")]
    Io(#[from] std::io::Error),
}

/// What all parts of a server share.
pub(crate) type Shared = Arc<Inner>;

pub(crate) struct Inner {
    pub(crate) settings: ServerSettings,
    pub(crate) games: GameStore,
    pub(crate) networks: NetworkShelf,
    pub(crate) runs: RunRack,
    pub(crate) matches: MatchRack,
    pub(crate) scheduler: Scheduler,
    pub(crate) rates: Rates,
    pub(crate) connections: AtomicUsize,
    /// Becomes true when the server ends.
    pub(crate) closing: watch::Receiver<bool>,
}

impl Inner {
    /// What a client may ask for.
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            threads: self.settings.search_threads,
            hash_mebibytes: self.settings.max_hash_mebibytes,
            lines: MOST_LINES,
            review_nodes: MOST_REVIEW_NODES,
        }
    }

    pub(crate) fn status(&self) -> ServerStatus {
        let limits = self.limits();
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let load = self.scheduler.load();
        ServerStatus {
            protocol: PROTOCOL,
            version: self.settings.version.clone(),
            documents: true,
            limits: ServerLimits {
                max_threads: limits.threads,
                max_hash_mebibytes: limits.hash_mebibytes,
                max_lines: limits.lines,
                max_review_nodes: limits.review_nodes,
                max_plies: count(MAX_PLIES),
                max_bytes: count(MOST_BYTES),
                search_slots: limits.threads,
            },
            running_searches: count(load.running),
            waiting_searches: count(load.waiting),
            connections: count(self.connections.load(Ordering::Relaxed)),
        }
    }
}

/// Serves until `stop` is done, then lets every search end and every page know.
///
/// # Errors
/// When the settings are unsafe, the folder cannot be used or the listener fails.
pub async fn serve(
    mut settings: ServerSettings,
    listener: TcpListener,
    stop: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServerError> {
    settings.address = listener.local_addr()?;
    settings.check()?;
    let (close, closing) = watch::channel(false);
    let mut network_folders = settings.network_folders.clone();
    network_folders.push(settings.folder.join("nets"));
    let shared: Shared = Arc::new(Inner {
        games: GameStore::open(&settings.folder.join("games"))?,
        networks: NetworkShelf::new(network_folders),
        runs: RunRack::new(settings.folder.clone()),
        matches: MatchRack::new(settings.folder.clone()),
        scheduler: Scheduler::start(settings.search_threads),
        rates: Rates::default(),
        connections: AtomicUsize::new(0),
        closing,
        settings,
    });
    let closing = shared.closing.clone();
    let leave = async move {
        stop.await;
        // Sessions that have ended no longer listen.
        let _ = close.send(true);
    };
    let router = router(Arc::clone(&shared));
    let longest = shared.settings.longest_request;
    tokio::join!(leave, accept(listener, router, longest, closing, FAREWELL));
    // Joining threads blocks, and only for as long as a search takes to see its signal.
    let _ = tokio::task::spawn_blocking(move || shared.scheduler.close()).await;
    Ok(())
}

fn router(shared: Shared) -> Router {
    let api = Router::new()
        .route("/status", get(routes::status))
        .route("/opponents", get(routes::opponents))
        .route("/games", get(routes::list_games).post(routes::create_game))
        .route("/games/import", post(routes::import_games))
        .route("/games/{id}", get(routes::get_game).put(routes::replace_game).delete(routes::delete_game))
        .route("/games/{id}/pgn", get(routes::game_pgn))
        .route("/pgn", post(routes::pgn_of))
        .route("/networks", get(routes::networks))
        .route("/runs", get(routes::runs))
        .route("/runs/{*id}", get(routes::run))
        .route("/matches", get(routes::matches))
        .route("/matches/{*id}", get(routes::one_match))
        .route("/session", get(session::open))
        .fallback(routes::nothing)
        .method_not_allowed_fallback(routes::nothing)
        .layer(DefaultBodyLimit::max(MOST_BYTES));
    Router::new()
        .nest("/api", api)
        .fallback(get(page))
        .layer(CompressionLayer::new())
        .layer(from_fn_with_state(Arc::clone(&shared), guard))
        .with_state(shared)
}
