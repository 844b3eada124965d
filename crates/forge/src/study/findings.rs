//! What a study found, as raw numbers.

use kiebitz_dataset::WrittenFile;
use kiebitz_network::RoundingReport;
use serde::{Deserialize, Serialize};

use super::plan::{EntryPlan, Ranking, StudyPlan};
use crate::contest::Encounter;
use crate::pace::Pace;

/// Everything that a study found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Findings {
    /// What was asked.
    pub plan: StudyPlan,
    /// The command that found it.
    pub command: String,
    /// The program with version and commit.
    pub program: String,
    /// Threads of loader, judges and games.
    pub threads: usize,
    /// The shards for training, then those for validation.
    pub data: [Vec<WrittenFile>; 2],
    /// What was found of every entry, in the order of the plan.
    pub entries: Vec<EntryFindings>,
    /// Entries whose network could not be had: name and reason.
    pub failed: Vec<(String, String)>,
    /// The baseline with more nodes against itself.
    pub faster: Option<Encounter>,
}

impl Findings {
    /// The entry that the others played against.
    #[must_use]
    pub fn baseline(&self) -> Option<&EntryFindings> {
        self.entries.iter().find(|entry| entry.plan.name == self.plan.matches.baseline)
    }

    /// The Elo that twice the nodes are worth to the baseline.
    #[must_use]
    pub fn doubling(&self) -> Option<f64> {
        let (_, doublings) = self.plan.faster().ok()??;
        Some(self.faster.as_ref()?.elo?[0] / doublings)
    }

    /// Elo at equal time with its interval, reckoned from that at equal nodes and from nodes a second, as if every doubling were worth the same.
    #[must_use]
    pub fn equal_time(&self, entry: &EntryFindings) -> Option<[f64; 3]> {
        let elo = entry.elo(&self.plan.matches.baseline)?;
        let doublings = (entry.speed.nodes_per_second / self.baseline()?.speed.nodes_per_second).log2();
        let added = self.doubling()? * doublings;
        Some(elo.map(|elo| elo + added))
    }
}

/// What was found of an entry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EntryFindings {
    /// What it is.
    pub plan: EntryPlan,
    /// The network's description, tables included.
    pub network: String,
    /// The network's file, in the folder of its training.
    pub file: WrittenFile,
    /// Where its features come from, if they were selected.
    pub selection: Option<Selection>,
    /// The learning rates that were tried.
    pub rates: Vec<TriedRate>,
    /// The learning rate.
    pub rate: f64,
    /// How it learned.
    pub training: Training,
    /// The mean difference of its quantised loss from that of the baseline at the same positions, and the standard error of it.
    pub loss_difference: Option<[f64; 2]>,
    /// What was measured of it.
    pub measurement: Measurement,
    /// How fast it is.
    pub speed: Speed,
    /// The match at fixed nodes; none for the baseline itself.
    pub nodes: Option<Encounter>,
    /// The match under a clock.
    pub clock: Option<Encounter>,
}

impl EntryFindings {
    /// Its Elo at fixed nodes with both ends of the interval; the baseline has none to win.
    #[must_use]
    pub fn elo(&self, baseline: &str) -> Option<[f64; 3]> {
        match &self.nodes {
            None => (self.plan.name == baseline).then_some([0.0; 3]),
            Some(encounter) => encounter.elo,
        }
    }
}

/// A short run with a learning rate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TriedRate {
    /// The rate.
    pub rate: f64,
    /// The validation loss at its end; none if the run came to no network.
    pub loss: Option<f64>,
}

/// How fast a network is on the machine of the study.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Speed {
    /// Evaluations a second.
    pub pace: Pace,
    /// Nodes a second in play.
    pub nodes_per_second: f64,
}

impl Speed {
    /// Nanoseconds of an evaluation after a move.
    #[must_use]
    pub fn nanoseconds(&self) -> f64 {
        1e9 / self.pace.step.max(1e-9)
    }
}

/// How a network learned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Training {
    /// What computed.
    pub device: String,
    /// Weights and biases.
    pub parameters: u64,
    /// Positions of one round through the data.
    pub samples: u64,
    /// Positions seen.
    pub positions: u64,
    /// The mean loss of the last steps.
    pub train_loss: Option<f64>,
    /// The loss on validation samples at the end; for triplets it is theirs.
    pub validation_loss: Option<f64>,
    /// The best of them.
    pub best_validation_loss: Option<f64>,
    /// Positions a second: what a tenth of the run exceeded.
    pub speed: f64,
    /// Positions by which floats and integers were judged.
    pub judged: usize,
    /// The loss of values with the learned floats, at these positions.
    pub float_loss: f64,
    /// The same with the quantised network.
    pub quantised_loss: f64,
    /// The standard error of these losses, from the spread over positions.
    pub loss_error: f64,
    /// Positions seen and validation loss.
    pub validations: Vec<(u64, f64)>,
    /// Positions seen and training loss, thinned.
    pub losses: Vec<(u64, f64)>,
}

/// What was measured of a network without games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measurement {
    /// Features, dead ones included.
    pub features: u32,
    /// Features that no legal position has.
    pub dead_features: usize,
    /// Further features that no position of the games followed had.
    pub unseen_features: usize,
    /// Moves that were followed.
    pub moves: u64,
    /// Active features of a view, on average.
    pub mean_active: f64,
    /// The most active features of a view.
    pub largest_active: usize,
    /// Mean active features as a share of all.
    pub active_share: f64,
    /// Features removed and added by a move without a refresh, in one view.
    pub updates_per_move: f64,
    /// The share of moves after which a view is refreshed.
    pub refreshes_per_move: f64,
    /// Outputs of the accumulator, in one view.
    pub neurons: usize,
    /// Those that were never above zero.
    pub dead_neurons: usize,
    /// Those that were always at their upper end.
    pub full_neurons: usize,
    /// The share of outputs above zero, on average.
    pub active_neurons: f64,
    /// Triplets that were judged.
    pub triplets: usize,
    /// The share of them in which the move played is valued above the random one; equal values count one half.
    pub ranked_right: f64,
    /// Steps of its arithmetic that were proved not to overflow: all of them.
    pub proved_steps: u64,
    /// How far its integers are from the floats that they come from.
    pub rounding: Option<RoundingReport>,
}

/// Features that were selected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Selection {
    /// The feature set that it came to.
    pub features: String,
    /// How features were ranked.
    pub by: Ranking,
    /// Features to choose from.
    pub pool: u32,
    /// Features that were chosen.
    pub kept: usize,
    /// Positions in which they were counted.
    pub counted: u64,
    /// The share of all contribution that the chosen ones have.
    pub contribution_share: f64,
    /// The share of all occurrences.
    pub frequency_share: f64,
    /// By distance in files, from 0 to 7, if all features are pairs with files.
    pub distances: Vec<Distance>,
    /// The first of the chosen ones: name, occurrences in a view of a position, energy.
    pub first: Vec<(String, f64, f64)>,
}

/// What is known about pairs whose pieces stand so many files apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Distance {
    /// Features of the pool.
    pub features: u32,
    /// Their share of the contribution of all.
    pub contribution: f64,
    /// Their share of the occurrences of all.
    pub frequency: f64,
    /// The energy of such a feature when it occurs, on average.
    pub energy: f64,
    /// How many were chosen.
    pub kept: usize,
}
