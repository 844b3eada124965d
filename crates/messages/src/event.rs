//! What comes back to the page.

use serde::{Deserialize, Serialize};

use crate::{
    AnalysisEnd, AnalysisUpdate, Fault, Inspection, LineMove, MatchDetail, MatchSummary, MoveExplanation, NetworkCard,
    NeuronWeights, Opponent, Review, ReviewedMove, RunDetail, RunSummary, ScoreView, ServerStatus,
};

/// The present state of what is watched.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Listing {
    /// The networks.
    Networks {
        /// All of them.
        networks: Vec<NetworkCard>,
    },
    /// The runs.
    Runs {
        /// All of them.
        runs: Vec<RunSummary>,
    },
    /// The matches.
    Matches {
        /// All of them.
        matches: Vec<MatchSummary>,
    },
    /// One run.
    Run {
        /// With its curves.
        run: RunDetail,
    },
    /// One match.
    Match {
        /// With its latest games.
        detail: MatchDetail,
    },
}

/// An event. All but `hello` carry the number of the request they answer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    /// The first event of a connection.
    Hello {
        /// What the server is and allows.
        status: ServerStatus,
    },
    /// Who can be played against.
    Opponents {
        /// The request.
        id: u32,
        /// All of them, the best choice first.
        opponents: Vec<Opponent>,
    },
    /// The search waits for its turn.
    Waiting {
        /// The request.
        id: u32,
        /// Searches before it.
        ahead: u32,
    },
    /// What an analysis knows now.
    Analysis {
        /// The request.
        id: u32,
        /// All of it.
        update: AnalysisUpdate,
    },
    /// An analysis ended; its last update holds.
    AnalysisEnded {
        /// The request.
        id: u32,
        /// Why.
        end: AnalysisEnd,
    },
    /// A move was chosen.
    Thought {
        /// The request.
        id: u32,
        /// The move; nothing if the game is over.
        best: Option<LineMove>,
        /// What it is worth to White.
        score: ScoreView,
        /// The line it expects, the move itself first.
        line: Vec<LineMove>,
        /// How deep it looked, in plies.
        depth: u32,
    },
    /// The opponent answers an offered draw.
    DrawAnswer {
        /// The request.
        id: u32,
        /// Whether it takes the draw.
        accepted: bool,
        /// Why, in a sentence.
        reason: String,
    },
    /// A look inside.
    Inspection {
        /// The request.
        id: u32,
        /// All of it.
        inspection: Box<Inspection>,
    },
    /// The weights of a neuron.
    Neuron {
        /// The request.
        id: u32,
        /// All of them.
        weights: NeuronWeights,
    },
    /// Why a move.
    Explanation {
        /// The request.
        id: u32,
        /// All of it.
        explanation: MoveExplanation,
    },
    /// A move of a review was judged.
    ReviewProgress {
        /// The request.
        id: u32,
        /// Moves judged.
        done: u32,
        /// Moves in all.
        total: u32,
        /// The move; nothing for the start.
        reviewed: Option<ReviewedMove>,
    },
    /// A review is complete.
    Review {
        /// The request.
        id: u32,
        /// All of it.
        review: Review,
    },
    /// The present state of what is watched.
    Listing {
        /// The request.
        id: u32,
        /// All of it.
        listing: Listing,
    },
    /// I am here.
    Pong {
        /// The request.
        id: u32,
    },
    /// A request was stopped before it had an answer; for thoughts, reviews, explanations.
    Stopped {
        /// The request.
        id: u32,
    },
    /// Something cannot be done.
    Fault {
        /// The request; nothing if it could not be read.
        id: Option<u32>,
        /// What and why.
        fault: Fault,
    },
}

impl Event {
    /// The request that nothing more will be said about after this event.
    #[must_use]
    pub const fn ends(&self) -> Option<u32> {
        match self {
            Self::Opponents { id, .. }
            | Self::AnalysisEnded { id, .. }
            | Self::Thought { id, .. }
            | Self::DrawAnswer { id, .. }
            | Self::Inspection { id, .. }
            | Self::Neuron { id, .. }
            | Self::Explanation { id, .. }
            | Self::Review { id, .. }
            | Self::Pong { id }
            | Self::Stopped { id }
            | Self::Fault { id: Some(id), .. } => Some(*id),
            Self::Hello { .. }
            | Self::Waiting { .. }
            | Self::Analysis { .. }
            | Self::ReviewProgress { .. }
            | Self::Listing { .. }
            | Self::Fault { id: None, .. } => None,
        }
    }
}
