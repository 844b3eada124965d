//! Playing weaker than one can, and still like a chess player.
//!
//! Two things weaken play: fewer nodes, so that tactics are overlooked as people overlook them, and a choice among good
//! moves that the better ones win only by chance. Moves that lose much more than the rating would are never chosen, so
//! that even the weakest level does not give pieces away for nothing. The numbers below are a first guess: no match has shown yet
//! that a level plays as strongly as its rating says.

use kiebitz_chess::Key;
use kiebitz_search::{SearchLimits, SearchReport};

use crate::chance::Chance;

/// The weakest and the strongest rating that can be asked for.
pub const ELO_RANGE: std::ops::RangeInclusive<i64> = 1000..=2800;

/// How a rating is played.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Strength {
    elo: f64,
}

/// Lines among which a weak player chooses.
const LINES: usize = 5;

impl Strength {
    pub(crate) fn of_elo(elo: u32) -> Self {
        Self { elo: f64::from(elo) }
    }

    /// Nodes a move: doubling with every 115 points.
    fn nodes(self) -> u64 {
        (25.0 * 2f64.powf((self.elo - 1000.0) / 115.0)) as u64
    }

    /// Centipawns that a player of this rating does not tell apart.
    fn blur(self) -> f64 {
        (110.0 - (self.elo - 1000.0) * 0.06).max(4.0)
    }

    /// The search a player of this rating makes.
    pub(crate) fn limit(self, limits: &SearchLimits) -> SearchLimits {
        let nodes = self.nodes().max(1);
        SearchLimits {
            nodes: Some(limits.nodes.map_or(nodes, |given| given.min(nodes))),
            lines: limits.lines.max(LINES),
            ..limits.clone()
        }
    }

    /// Which of the final lines is played. Chance comes from the position, so that games differ and searches repeat.
    pub(crate) fn choose(self, lines: &[SearchReport], key: Key) -> Option<&SearchReport> {
        let best = f64::from(lines.first()?.score.value());
        let mut chance = Chance::new(key.0);
        let blur = self.blur();
        // The line that is best after its value was blurred; a loss of more than three blurs is seen.
        let blurred = |report: &SearchReport, chance: &mut Chance| {
            let loss = best - f64::from(report.score.value());
            let noise = chance.normal() * blur;
            if loss > 3.0 * blur { f64::NEG_INFINITY } else { noise - loss }
        };
        let values: Vec<f64> = lines.iter().map(|report| blurred(report, &mut chance)).collect();
        let mut chosen = 0;
        for (index, value) in values.iter().enumerate() {
            if *value > values[chosen] {
                chosen = index;
            }
        }
        lines.get(chosen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stronger_means_more_nodes_and_less_blur() {
        let levels: Vec<_> = (1000..=2800).step_by(100).map(Strength::of_elo).collect();
        assert!(levels.windows(2).all(|pair| pair[0].nodes() < pair[1].nodes() && pair[0].blur() > pair[1].blur()));
    }
}
