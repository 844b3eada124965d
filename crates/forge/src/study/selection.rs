//! The step in which features are ranked by what another entry has learned.
//!
//! The contribution of a feature is *p · Σ (w − w₀)²*: how often it occurs in a view of a position, times the squared length of what
//! training has added to its row of weights (w₀ is the row before the first step, known from the seed). It is the energy that the
//! feature brings into the accumulator of an average position.

use kiebitz_chess::Color;
use kiebitz_dataset::WrittenFile;
use kiebitz_features::{FeatureSet, Property, Thing};
use kiebitz_network::NetworkFile;
use kiebitz_trainer::{Recipe, initial_weights};
use serde_json::json;

use super::event::StudyStep;
use super::findings::{Distance, Selection};
use super::jury::for_each_position;
use super::plan::{EntryPlan, Ranking, SelectPlan};
use super::run::{Course, Finished};
use crate::error::ForgeError;

/// Features that are told by name.
const NAMED: usize = 20;

/// What is known about a feature of the pool.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Candidate {
    index: u32,
    /// Occurrences in a view of a position.
    frequency: f64,
    /// What training has put into its weights.
    energy: f64,
}

impl Candidate {
    fn contribution(&self) -> f64 {
        self.frequency * self.energy
    }

    fn worth(&self, by: Ranking) -> f64 {
        match by {
            Ranking::Frequency => self.frequency,
            Ranking::Contribution => self.contribution(),
        }
    }
}

pub(super) fn run(
    course: &mut Course<'_>,
    entry: &EntryPlan,
    select: &SelectPlan,
    source: (&Recipe, &Finished),
) -> Result<Finished, ForgeError> {
    let plan = course.plan();
    let (recipe, trained) = source;
    let inputs = json!({
        "network": trained.record.outputs,
        "train": course.checksums[0],
        "filter": plan.data.filter,
        "counted": plan.measuring.counted,
        "by": select.by,
        "keep": select.keep,
        "seed": plan.seed,
    });
    let path = trained.network();
    course.step(&entry.name, StudyStep::Select, inputs, |course, _| {
        let file = NetworkFile::read(&path).map_err(ForgeError::network(&path))?;
        let set = file.spec().features();
        let mut occurrences = vec![0_u64; set.count() as usize];
        let mut counted = 0;
        for_each_position(&course.train, &plan.data.filter, plan.measuring.counted, |position| {
            counted += 1;
            for view in Color::ALL {
                set.for_each_active(position, view, |index| occurrences[index as usize] += 1);
            }
        })?;
        let energies = energies(&file, recipe);
        let candidates: Vec<Candidate> = set
            .last_term()
            .map(|index| Candidate {
                index,
                frequency: occurrences[index as usize] as f64 / (2 * counted.max(1)) as f64,
                energy: energies[index as usize],
            })
            .collect();
        let found = found(set, &candidates, select, counted);
        let found = found.map_err(|source| ForgeError::Selection { entry: entry.name.clone(), source })?;
        Ok((Vec::<WrittenFile>::new(), json!(found)))
    })
}

/// For every feature the squared length of what training has added to its row.
fn energies(file: &NetworkFile, recipe: &Recipe) -> Vec<f64> {
    let width = file.spec().accumulated().width;
    let unit = f32::from(file.spec().numbers.accumulator);
    let initial = initial_weights(&recipe.network, recipe.seed);
    let rows = file.weights.accumulator_weights.chunks_exact(width);
    rows.zip(initial.accumulator_weights.chunks_exact(width))
        .map(|(row, before)| {
            let added = row.iter().zip(before).map(|(&weight, before)| f32::from(weight) / unit - before);
            added.map(|added| f64::from(added * added)).sum()
        })
        .collect()
}

/// The best candidates as a set, and what is to be told about all of them.
fn found(
    set: &FeatureSet,
    candidates: &[Candidate],
    select: &SelectPlan,
    counted: u64,
) -> Result<Selection, kiebitz_features::FeatureError> {
    let mut order: Vec<&Candidate> = candidates.iter().filter(|candidate| candidate.frequency > 0.0).collect();
    // Among equals the lower index, so that the result does not depend on chance.
    order.sort_by(|left, right| {
        right.worth(select.by).total_cmp(&left.worth(select.by)).then(left.index.cmp(&right.index))
    });
    order.truncate(select.keep);
    let kept: Vec<u32> = order.iter().map(|candidate| candidate.index).collect();
    let total = |worth: &dyn Fn(&Candidate) -> f64| candidates.iter().map(worth).sum::<f64>().max(f64::MIN_POSITIVE);
    let (contributions, frequencies) = (total(&Candidate::contribution), total(&|candidate| candidate.frequency));
    let of_kept = |worth: &dyn Fn(&Candidate) -> f64| order.iter().map(|candidate| worth(candidate)).sum::<f64>();
    Ok(Selection {
        features: set.keeping(&kept)?.to_string(),
        by: select.by,
        pool: candidates.len() as u32,
        kept: kept.len(),
        counted,
        contribution_share: of_kept(&Candidate::contribution) / contributions,
        frequency_share: of_kept(&|candidate| candidate.frequency) / frequencies,
        distances: distances(set, candidates, &kept, [contributions, frequencies]),
        first: order
            .iter()
            .take(NAMED)
            .map(|candidate| (set.name(candidate.index).unwrap_or_default(), candidate.frequency, candidate.energy))
            .collect(),
    })
}

/// The candidates by how many files their two pieces are apart; none if one of them has no files.
fn distances(set: &FeatureSet, candidates: &[Candidate], kept: &[u32], totals: [f64; 2]) -> Vec<Distance> {
    let mut distances = vec![Distance::default(); 8];
    let kept: std::collections::HashSet<u32> = kept.iter().copied().collect();
    for candidate in candidates {
        let Some(apart) = files_apart(set, candidate.index) else { return Vec::new() };
        let distance = &mut distances[apart as usize];
        distance.features += 1;
        distance.contribution += candidate.contribution() / totals[0];
        distance.frequency += candidate.frequency / totals[1];
        distance.kept += usize::from(kept.contains(&candidate.index));
    }
    for distance in &mut distances {
        if distance.frequency > 0.0 {
            distance.energy = distance.contribution * totals[0] / (distance.frequency * totals[1]);
        }
    }
    distances
}

/// How many files the two pieces of a pair are apart.
fn files_apart(set: &FeatureSet, index: u32) -> Option<u32> {
    let meaning = set.meaning(index)?;
    let file = |thing: Thing| {
        meaning.iter().find_map(|(attribute, value)| match attribute.property {
            Property::Square if attribute.thing == thing => Some(value & 7),
            Property::File if attribute.thing == thing => Some(*value),
            _ => None,
        })
    };
    Some(file(Thing::First)?.abs_diff(file(Thing::Second)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAIRS: &str = "half(any.color * any.role * any.square \
                         + live(pairs(first.color * first.square * second.color * second.square, pawns)))";

    #[test]
    fn the_best_features_are_kept_whichever_way_they_are_ranked() {
        let set = FeatureSet::parse(PAIRS).unwrap();
        // The further apart the rarer, and the nearer the weaker.
        let candidates: Vec<Candidate> = set
            .last_term()
            .map(|index| {
                let apart = f64::from(files_apart(&set, index).unwrap());
                Candidate { index, frequency: 1.0 / (1.0 + apart), energy: (1.0 + apart) * (1.0 + apart) }
            })
            .collect();
        let kept = |by, keep| {
            let select = SelectPlan { from: String::new(), by, keep };
            found(&set, &candidates, &select, 1).unwrap()
        };
        let frequent = kept(Ranking::Frequency, 100);
        assert_eq!((frequent.kept, frequent.distances[0].kept, frequent.pool), (100, 100, candidates.len() as u32));
        let strong = kept(Ranking::Contribution, 50);
        assert_eq!(strong.distances[7].kept, 50);
        assert!((strong.distances.iter().map(|distance| distance.contribution).sum::<f64>() - 1.0).abs() < 1e-9);
        assert!((strong.distances.iter().map(|distance| distance.frequency).sum::<f64>() - 1.0).abs() < 1e-9);
        assert!((strong.distances[3].energy - 16.0).abs() < 1e-9);
        assert_eq!(strong.distances.iter().map(|distance| distance.features).sum::<u32>(), strong.pool);
        let smaller = FeatureSet::parse(&strong.features).unwrap();
        assert_eq!(smaller.count(), 768 + 50);
        assert_eq!(smaller.name(768), Some(strong.first[0].0.clone()));
    }

    #[test]
    fn features_that_are_no_pairs_have_no_distance() {
        let set = FeatureSet::parse("piece768").unwrap();
        let candidates = [Candidate { index: 100, frequency: 0.5, energy: 1.0 }];
        let select = SelectPlan { from: String::new(), by: Ranking::Contribution, keep: 9 };
        let found = found(&set, &candidates, &select, 1).unwrap();
        assert!(found.distances.is_empty() && found.kept == 1);
        let never = [Candidate { index: 100, frequency: 0.0, energy: 1.0 }];
        assert!(super::found(&set, &never, &select, 1).is_err(), "a feature that never occurs is not chosen");
    }
}
