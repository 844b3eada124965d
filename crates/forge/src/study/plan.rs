//! What a study asks: data, one budget, a yardstick and the entries, as a TOML file.

use std::collections::HashSet;
use std::path::PathBuf;

use kiebitz_network::{DenseActivation, DenseLayer, Layer, NetworkSpec, Trunk};
use kiebitz_tournament::TimeControl;
use kiebitz_trainer::{DataRecipe, LossKind, LossRecipe, OptimiserRecipe, Recipe, TrainingRecipe};
use serde::{Deserialize, Serialize};

use crate::error::ForgeError;

/// A study.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudyPlan {
    /// A short name, also that of its folder.
    pub name: String,
    /// The heading of its report.
    pub title: String,
    /// What is asked, in some sentences.
    #[serde(default)]
    pub about: String,
    /// Decides everything that is left to chance.
    #[serde(default = "one")]
    pub seed: u64,
    /// What stands behind the inputs of entries that name a feature set alone: the trunk, and if wanted buckets and numbers.
    pub trunk: String,
    /// The samples, the same for all entries.
    pub data: DataRecipe,
    /// The budget, the same for all entries.
    pub training: TrainingRecipe,
    /// What is made small.
    #[serde(default)]
    pub loss: LossRecipe,
    /// How.
    #[serde(default)]
    pub optimiser: OptimiserRecipe,
    /// Learning rates to choose from; without it all entries have the optimiser's.
    #[serde(default)]
    pub rates: Option<RatesPlan>,
    /// What is measured without games.
    #[serde(default)]
    pub measuring: MeasuringPlan,
    /// How entries are tried in play.
    pub matches: MatchPlan,
    /// What is compared.
    pub entries: Vec<EntryPlan>,
    /// Which entries answer which question.
    #[serde(default)]
    pub groups: Vec<GroupPlan>,
    /// What people conclude from the findings, in Markdown; written when they are there.
    #[serde(default)]
    pub conclusions: String,
}

/// Learning rates of which every entry gets the one that serves it best in short runs. One step of an optimiser moves the sum of eighty active
/// rows further than that of seventeen, so that no rate is the same for all.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatesPlan {
    /// The rates that are tried.
    pub tried: Vec<f64>,
    /// Positions of each of these short runs.
    pub positions: u64,
}

/// What is measured without games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MeasuringPlan {
    /// Validation positions in which floats and integers are compared and neurons watched.
    pub positions: usize,
    /// Validation games whose moves are followed.
    pub games: usize,
    /// Training positions in which the features of a selection are counted.
    pub counted: usize,
    /// How long each speed is measured, in milliseconds.
    pub milliseconds: u64,
}

impl Default for MeasuringPlan {
    fn default() -> Self {
        Self { positions: 20_000, games: 500, counted: 200_000, milliseconds: 300 }
    }
}

/// How entries are tried in play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchPlan {
    /// Against whom: the name of an entry, or a network's file.
    pub baseline: String,
    /// What limits thinking: `nodes=2000`.
    pub limit: String,
    /// Games of every entry; 0 plays none.
    pub games: u32,
    /// A second match under a clock, such as `1+0.01`.
    #[serde(default)]
    pub clock: Option<String>,
    /// Games of it.
    #[serde(default)]
    pub clock_games: u32,
    /// A larger number of nodes than `limit` has, such as `nodes=2000`: with them the baseline plays itself with `limit`, which tells what
    /// speed is worth.
    #[serde(default)]
    pub faster: Option<String>,
    /// What readers of the results must know, in Markdown; written when they are there.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// What samples an entry learns from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Labels {
    /// Scores and results.
    #[default]
    Eval,
    /// Triplets of positions from the same games, without any score.
    Pqr,
}

/// One network of a study. It says what the network is by exactly one of `features`, `network` and `select`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntryPlan {
    /// What it is called.
    pub name: String,
    /// A sentence about it.
    #[serde(default)]
    pub about: String,
    /// A feature set, by name or as an expression.
    #[serde(default)]
    pub features: Option<String>,
    /// A whole network.
    #[serde(default)]
    pub network: Option<String>,
    /// The best features of another entry.
    #[serde(default)]
    pub select: Option<SelectPlan>,
    /// Another trunk than the study's.
    #[serde(default)]
    pub trunk: Option<String>,
    /// Another width of the accumulator.
    #[serde(default)]
    pub width: Option<usize>,
    /// Other widths of the dense layers; there may be more or fewer of them.
    #[serde(default)]
    pub layers: Option<Vec<usize>>,
    /// What it learns from.
    #[serde(default)]
    pub labels: Labels,
    /// Another seed than the study's: the same entry with other chance tells what differences mean nothing.
    #[serde(default)]
    pub seed: Option<u64>,
    /// Whether it is tried in play; one that only lends its features need not be.
    #[serde(default = "yes")]
    pub plays: bool,
}

/// Features chosen by what another entry has learned: those of the last term of its sum are ranked, the others stay.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelectPlan {
    /// The entry whose features are ranked.
    pub from: String,
    /// How.
    pub by: Ranking,
    /// How many stay.
    pub keep: usize,
}

/// How features are ranked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ranking {
    /// By how often they are active.
    Frequency,
    /// By how often they are active times what training has put into their weights.
    Contribution,
}

/// A question, and the entries that answer it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupPlan {
    /// The heading of its section.
    pub name: String,
    /// The question.
    pub question: String,
    /// Who answers it.
    pub entries: Vec<String>,
}

const fn one() -> u64 {
    1
}

const fn yes() -> bool {
    true
}

fn wrong(what: String) -> ForgeError {
    ForgeError::Plan(what)
}

impl StudyPlan {
    /// Reads a plan.
    ///
    /// # Errors
    ///
    /// Says which key or entry is wrong.
    pub fn parse(text: &str) -> Result<Self, ForgeError> {
        let plan: Self = toml::from_str(text).map_err(|error| wrong(error.to_string()))?;
        plan.check()?;
        Ok(plan)
    }

    /// Whether everything fits together, as far as that can be known before anything is trained.
    ///
    /// # Errors
    ///
    /// Says what does not.
    pub fn check(&self) -> Result<(), ForgeError> {
        name_is_fit("the study", &self.name)?;
        let mut known = HashSet::new();
        for entry in &self.entries {
            let name = &entry.name;
            name_is_fit("an entry", name)?;
            let said = [entry.features.is_some(), entry.network.is_some(), entry.select.is_some()];
            if said.iter().filter(|is_said| **is_said).count() != 1 {
                return Err(wrong(format!("entry {name} needs one of features, network and select")));
            }
            match &entry.select {
                Some(select) if !known.contains(select.from.as_str()) => {
                    return Err(wrong(format!(
                        "entry {name} selects from '{}', which is no entry before it",
                        select.from
                    )));
                }
                Some(select) if select.keep == 0 => return Err(wrong(format!("entry {name} keeps no feature"))),
                Some(_) => {}
                None => self.recipe(entry, self.spec(entry, None)?).check().map_err(|error| in_entry(name, error))?,
            }
            if !known.insert(name.as_str()) {
                return Err(wrong(format!("two entries are called {name}")));
            }
        }
        if known.is_empty() {
            return Err(wrong("it has no entries".to_owned()));
        }
        if self.data.validation.is_empty() {
            return Err(wrong("data.validation is empty, and losses are measured there".to_owned()));
        }
        if self.baseline().is_some_and(|entry| entry.select.is_some()) {
            return Err(wrong("the baseline selects features of another entry; take one that does not".to_owned()));
        }
        for group in &self.groups {
            if let Some(missing) = group.entries.iter().find(|name| !known.contains(name.as_str())) {
                return Err(wrong(format!("group '{}' names the entry {missing}, which does not exist", group.name)));
            }
        }
        if self.rates.as_ref().is_some_and(|rates| rates.tried.is_empty() || rates.positions == 0) {
            return Err(wrong("rates needs some rates that are tried, and positions".to_owned()));
        }
        self.limit()?;
        self.clock()?;
        self.faster()?;
        Ok(())
    }

    /// The entry that all others play against, if it is one.
    #[must_use]
    pub fn baseline(&self) -> Option<&EntryPlan> {
        self.entries.iter().find(|entry| entry.name == self.matches.baseline)
    }

    /// The network file that all play against, if it is no entry.
    #[must_use]
    pub fn baseline_file(&self) -> Option<PathBuf> {
        self.baseline().is_none().then(|| PathBuf::from(&self.matches.baseline))
    }

    /// What limits thinking in the first match.
    ///
    /// # Errors
    ///
    /// When the text is no limit.
    pub fn limit(&self) -> Result<TimeControl, ForgeError> {
        self.matches.limit.parse().map_err(|error| wrong(format!("matches.limit: {error}")))
    }

    /// What limits thinking in the second match, if there is one.
    ///
    /// # Errors
    ///
    /// When the text is no limit.
    pub fn clock(&self) -> Result<Option<TimeControl>, ForgeError> {
        let parsed = self.matches.clock.as_deref().map(str::parse).transpose();
        parsed.map_err(|error| wrong(format!("matches.clock: {error}")))
    }

    /// The limit of the faster baseline, and how often it doubles the nodes of the usual one.
    ///
    /// # Errors
    ///
    /// When one of both does not limit nodes, or the faster one has no more of them.
    pub fn faster(&self) -> Result<Option<(TimeControl, f64)>, ForgeError> {
        let Some(text) = &self.matches.faster else { return Ok(None) };
        let faster: TimeControl = text.parse().map_err(|error| wrong(format!("matches.faster: {error}")))?;
        match (nodes_of(text), nodes_of(&self.matches.limit)) {
            (Some(more), Some(usual)) if more > usual => Ok(Some((faster, (more / usual).log2()))),
            _ => Err(wrong(
                "matches.faster and matches.limit have to be nodes=N, the first with the larger number".to_owned(),
            )),
        }
    }

    /// The network of an entry; `selected` is the feature set that a selection came to.
    pub(crate) fn spec(&self, entry: &EntryPlan, selected: Option<&str>) -> Result<NetworkSpec, ForgeError> {
        let text = match (&entry.network, selected.or(entry.features.as_deref())) {
            (Some(network), _) => network.clone(),
            (None, Some(features)) => {
                format!("inputs = {features} trunk = {} heads = value", entry.trunk.as_ref().unwrap_or(&self.trunk))
            }
            (None, None) => return Err(wrong(format!("entry {} names no features", entry.name))),
        };
        let mut spec = NetworkSpec::parse(&text).map_err(|error| in_entry(&entry.name, error))?;
        let Trunk::Accumulated(trunk) = &mut spec.trunk;
        if let Some(width) = entry.width {
            trunk.width = width;
        }
        if let Some(widths) = &entry.layers {
            let plain = DenseLayer { width: 0, activations: vec![DenseActivation::Clipped], skip: false };
            let old = std::mem::take(&mut trunk.layers);
            let like = |number: usize| old.get(number).or(old.last()).cloned().unwrap_or(Layer::Dense(plain.clone()));
            trunk.layers = widths
                .iter()
                .enumerate()
                .map(|(number, &width)| {
                    let Layer::Dense(layer) = like(number);
                    Layer::Dense(DenseLayer { width, ..layer })
                })
                .collect();
        }
        spec.check().map_err(|error| in_entry(&entry.name, error))?;
        Ok(spec)
    }

    /// The recipe of an entry, before its data are found.
    pub(crate) fn recipe(&self, entry: &EntryPlan, network: NetworkSpec) -> Recipe {
        let mut recipe = Recipe {
            name: entry.name.clone(),
            // What is said about an entry must not make it another one.
            description: "an entry of a study".to_owned(),
            seed: entry.seed.unwrap_or(self.seed),
            network,
            data: self.data.clone(),
            training: self.training.clone(),
            loss: self.loss.clone(),
            optimiser: self.optimiser.clone(),
        };
        if entry.labels == Labels::Pqr {
            recipe.loss.kind = LossKind::Pqr;
            // Three positions to a triplet; the budget is one of positions.
            recipe.training.batch = (recipe.training.batch / 3).max(1) * 3;
        }
        recipe
    }
}

/// The number of a limit that is nothing but nodes.
fn nodes_of(limit: &str) -> Option<f64> {
    limit.trim().strip_prefix("nodes=")?.parse().ok()
}

fn in_entry(name: &str, error: impl std::fmt::Display) -> ForgeError {
    wrong(format!("entry {name}: {error}"))
}

/// Names become folders.
fn name_is_fit(what: &str, name: &str) -> Result<(), ForgeError> {
    let is_fit = !name.is_empty()
        && !name.starts_with('.')
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_.".contains(letter));
    if is_fit { Ok(()) } else { Err(wrong(format!("{what} is called '{name}'; use letters, digits, - and _"))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "name = 'tiny'\ntitle = 'Tiny'\ntrunk = 'accumulate 16 clipped -> dense 8 clipped'\n[data]\ntrain = ['a.kbz']\n\
                        validation = ['b.kbz']\n[training]\npositions = 1000\nbatch = 100\n[matches]\nbaseline = 'piece'\n\
                        limit = 'nodes=100'\ngames = 2\n[[entries]]\nname = 'piece'\nfeatures = 'piece768'\n";

    fn parsed(more: &str) -> Result<StudyPlan, String> {
        StudyPlan::parse(&format!("{HEAD}{more}")).map_err(|error| error.to_string())
    }

    #[test]
    fn entries_say_what_they_are_and_layers_can_be_changed() {
        let plan = parsed(
            "[[entries]]\nname = 'wide'\nfeatures = 'piece768'\nwidth = 64\nlayers = [4, 4, 2]\nlabels = 'pqr'\n",
        );
        let plan = plan.unwrap();
        let wide = &plan.entries[1];
        let spec = plan.spec(wide, None).unwrap();
        assert_eq!(spec.accumulated().width, 64);
        assert_eq!(spec.dense_layers().map(|layer| layer.width).collect::<Vec<_>>(), [4, 4, 2]);
        let recipe = plan.recipe(wide, spec);
        assert_eq!((recipe.loss.kind, recipe.training.batch), (LossKind::Pqr, 99));
        assert_eq!(plan.baseline().map(|entry| entry.name.as_str()), Some("piece"));
        let none = plan.spec(&EntryPlan { layers: Some(vec![]), ..plan.entries[0].clone() }, None).unwrap();
        assert!(none.accumulated().layers.is_empty());
    }

    #[test]
    fn a_faster_baseline_has_more_nodes() {
        let faster = |limit: &str| {
            let mut plan = parsed("").unwrap();
            plan.matches.faster = Some(limit.to_owned());
            plan.faster().map(|faster| faster.map(|(_, doublings)| doublings))
        };
        assert_eq!(faster("nodes=400").unwrap(), Some(2.0));
        for wrong in ["nodes=100", "1+0.01", "many"] {
            assert!(faster(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (more, words) in [
            ("[[entries]]\nname = 'piece'\nfeatures = 'halfkp'\n", "two entries are called piece"),
            ("[[entries]]\nname = 'none'\n", "entry none needs one of"),
            ("[[entries]]\nname = 'a/b'\nfeatures = 'halfkp'\n", "'a/b'"),
            ("[[entries]]\nname = 'x'\nfeatures = 'halfkq'\n", "entry x"),
            ("[[entries]]\nname = 'x'\nselect = { from = 'y', by = 'frequency', keep = 3 }\n", "no entry before it"),
            ("[[groups]]\nname = 'g'\nquestion = '?'\nentries = ['z']\n", "names the entry z"),
            ("[[entries]]\nname = 'x'\nfeature = 'halfkp'\n", "unknown field"),
            ("[rates]\ntried = []\npositions = 9\n", "some rates"),
        ] {
            let told = parsed(more).unwrap_err();
            assert!(told.contains(words), "{more}: {told}");
        }
    }
}
