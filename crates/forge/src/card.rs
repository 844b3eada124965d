//! What is to be known about a forged network.

use kiebitz_network::RoundingReport;
use kiebitz_trainer::Recipe;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::contest::Encounter;
use crate::error::ForgeError;
use crate::forge::Done;
use crate::label::Scored;
use crate::settings::ForgeSettings;
use crate::training::BEGUN_WITH;

/// The card of a network.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Card {
    /// The network's name.
    pub name: String,
    /// Its file: name, size, checksum.
    pub file: kiebitz_dataset::WrittenFile,
    /// Its description.
    pub network: String,
    /// Weights and biases.
    pub parameters: u64,
    /// The program with version and commit.
    pub made_by: String,
    /// What chance was drawn from.
    pub seed: u64,
    /// Who scored the samples.
    pub teacher: String,
    /// The runs that its training goes on from, the last one first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub begun_with: Vec<CardBeginning>,
    /// What it learned from.
    pub data: CardData,
    /// How well.
    pub losses: CardLosses,
    /// What was proved.
    pub proof: CardProof,
    /// What limited thinking in the match.
    pub limit: String,
    /// How it plays.
    pub matches: Vec<Encounter>,
    /// Seconds of every stage, in its last run.
    pub seconds: Vec<(String, f64)>,
}

/// A run whose weights another one began with.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CardBeginning {
    /// Its name.
    pub name: String,
    /// Whose evaluations it learned.
    pub teacher: String,
    /// Positions seen.
    pub positions: u64,
}

impl CardBeginning {
    fn of(recipe: Recipe) -> Self {
        Self { name: recipe.name, teacher: recipe.data.teacher, positions: recipe.training.positions }
    }
}

/// A file that samples come from.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CardSource {
    /// Its name.
    pub file: String,
    /// Its size.
    pub bytes: u64,
    /// Its checksum.
    pub crc32: String,
}

/// What a network learned from.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CardData {
    /// The files.
    pub sources: Vec<CardSource>,
    /// Games taken.
    pub games: u64,
    /// Samples taken.
    pub samples: u64,
    /// Samples that the teacher scored.
    pub labelled: u64,
    /// Samples for training.
    pub train: u64,
    /// Samples for validation.
    pub validation: u64,
}

/// How well a network learned.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CardLosses {
    /// Positions seen in training.
    pub positions: u64,
    /// The mean loss of the last steps.
    pub train: Option<f64>,
    /// The loss on validation samples at the end.
    pub validation: Option<f64>,
    /// The same of the quantised network, as it plays.
    #[serde(default)]
    pub quantised_validation: Option<f64>,
    /// The best of them.
    pub best_validation: Option<f64>,
    /// What computed.
    pub device: String,
}

/// What was proved of a network.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CardProof {
    /// Steps of its arithmetic that cannot overflow: all of them.
    pub proved_steps: u64,
    /// Positions in which the fast evaluation was compared with the exact one: all equal.
    pub compared_positions: u64,
    /// How far its integers are from the floats that they come from.
    pub rounding: Option<RoundingReport>,
}

impl Card {
    /// The card of a finished job; the stages come in their order.
    pub(crate) fn new(settings: &ForgeSettings, labelled: &Scored, stages: &[&Done; 7]) -> Result<Self, ForgeError> {
        let [imported, _, _, divided, trained, proved, played] = stages;
        let report = |done: &Done, name: &str| done.record.report.get(name).cloned().unwrap_or(Value::Null);
        let number = |done: &Done, name: &str| report(done, name).as_f64();
        let text = |done: &Done, name: &str| report(done, name).as_str().unwrap_or_default().to_owned();
        let file = proved.record.outputs.first().cloned();
        let begun_with: Vec<Recipe> = match report(trained, BEGUN_WITH) {
            Value::Null => Vec::new(),
            told => serde_json::from_value(told)
                .map_err(|error| ForgeError::Unproved(format!("the runs before it cannot be read: {error}")))?,
        };
        Ok(Self {
            name: settings.name(),
            file: file.ok_or_else(|| ForgeError::Unproved("there is no file".to_owned()))?,
            network: text(proved, "network"),
            parameters: proved.count("parameters"),
            made_by: settings.program.clone(),
            seed: settings.seed,
            teacher: labelled.teacher.clone(),
            begun_with: begun_with.into_iter().map(CardBeginning::of).collect(),
            data: CardData {
                sources: serde_json::from_value(imported.record.inputs["files"].clone()).unwrap_or_default(),
                games: imported.count("chains"),
                samples: imported.count("samples"),
                labelled: labelled.done.count("labelled"),
                train: divided.count("train"),
                validation: divided.count("validation"),
            },
            losses: CardLosses {
                positions: trained.count("positions"),
                train: number(trained, "train_loss"),
                validation: number(trained, "validation_loss"),
                quantised_validation: number(trained, "quantised_validation_loss"),
                best_validation: number(trained, "best_validation_loss"),
                device: text(trained, "device"),
            },
            proof: CardProof {
                proved_steps: proved.count("proved_steps"),
                compared_positions: proved.count("compared_positions"),
                rounding: serde_json::from_value(report(proved, "rounding")).ok().flatten(),
            },
            limit: text(played, "limit"),
            matches: serde_json::from_value(report(played, "encounters")).unwrap_or_default(),
            seconds: stages.iter().map(|done| (done.record.stage.name().to_owned(), done.record.seconds)).collect(),
        })
    }
}
