//! What the page, the server and the engine in the browser say to each other: plain values that travel as JSON.
//!
//! ```text
//! page ──Request──▶ server over a WebSocket, or engine in a worker ──Event──▶ page
//! page ◀──documents──▶ server over HTTP: games, networks, runs, matches
//! ```
//!
//! Requests about positions are the same wherever the engine runs; documents need a server. The TypeScript that the page
//! imports is generated from here (feature `typescript`), and `cargo xtask check generated` keeps it true.
//!
//! **Invariants:** a position travels as a start and the moves from it, so that repetitions are known; scores, chances
//! and shares are as White sees them; every request has a number that its events carry; what cannot be done comes back as
//! a [`Fault`] that says what to do.

mod analysis;
mod event;
mod explanation;
mod fault;
mod game;
mod inspection;
mod matches;
mod network;
mod player;
mod request;
mod review;
mod run;
mod score;
mod status;

pub use analysis::{AnalysisEnd, AnalysisLimit, AnalysisLine, AnalysisUpdate, LineMove};
pub use event::{Event, Listing};
pub use explanation::{ComparedMove, Evidence, MoveExplanation, Sentence, TermChange};
pub use fault::{Fault, FaultCode};
pub use game::{
    ClockSetting, GameDocument, GameNode, GameResult, GameSummary, ImportedGames, Line, Outcome, PgnText, Side, Tag,
};
pub use inspection::{
    FeatureState, HandcraftedInspection, HandcraftedTerm, Inspection, LayerValues, NetworkInspection, NeuronBoard,
    NeuronShare, NeuronWeights, PieceWorth, SearchedValue, SeenFeature, ViewInspection,
};
pub use matches::{MatchDetail, MatchGame, MatchPlayer, MatchSummary, MatchTest};
pub use network::{DrawnLayer, NetworkCard, NetworkCertificate, NetworkDiagram, ProvedStep, RoundingFigures};
pub use player::{Opponent, Player};
pub use request::{GameClock, Request, Topic};
pub use review::{MoveMark, Review, ReviewedMove, SideReview};
pub use run::{LossPoint, RunDetail, RunState, RunSummary};
pub use score::{Chances, ScoreView};
pub use status::{ServerLimits, ServerStatus};

/// The version of this language; page and server of different versions do not talk.
pub const PROTOCOL: u32 = 1;
