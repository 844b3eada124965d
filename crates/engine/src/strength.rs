//! Playing weaker than one can, and still like a chess player.
//!
//! Two things weaken play: less search, so that tactics are overlooked as people overlook them, and a choice among good
//! moves that the better ones win only by chance. Moves that lose much more than the rating would are never chosen, so
//! that even the weakest level does not give pieces away for nothing. The numbers below are a first guess: no match has shown yet
//! that a level plays as strongly as its rating says.
//!
//! **Invariant:** whatever is chosen was searched: the choice is among lines of one finished iteration. So a level limits the
//! nodes softly, by beginning no further iteration, and the first one, which ends with quiescence, is finished by all.

use kiebitz_chess::Key;
use kiebitz_search::{SearchLimits, SearchReport};

use crate::chance::Chance;

/// The weakest and the strongest rating that can be asked for.
pub const ELO_RANGE: std::ops::RangeInclusive<i64> = 1000..=2800;

const LOWEST_ELO: f64 = *ELO_RANGE.start() as f64;
/// Nodes after which the lowest level begins no further iteration.
const LOWEST_NODES: f64 = 250.0;
/// Points of rating that double the nodes.
const DOUBLING: f64 = 150.0;
/// Centipawns that the lowest level does not tell apart.
const LOWEST_BLUR: f64 = 110.0;
/// How much less that is with every point of rating.
const BLUR_SLOPE: f64 = 0.06;
/// Even the highest level errs by so much.
const LEAST_BLUR: f64 = 4.0;
/// A loss of so many blurs is seen, and the move not chosen: at the lowest level less than a minor piece.
const SEEN_BLURS: f64 = 2.5;
/// Lines among which a weak player chooses.
const LINES: usize = 5;

/// How a rating is played.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Strength {
    elo: f64,
}

impl Strength {
    pub(crate) fn of_elo(elo: u32) -> Self {
        Self { elo: f64::from(elo) }
    }

    /// Nodes after which no further iteration begins.
    fn nodes(self) -> u64 {
        (LOWEST_NODES * 2f64.powf((self.elo - LOWEST_ELO) / DOUBLING)) as u64
    }

    /// Centipawns that a player of this rating does not tell apart.
    fn blur(self) -> f64 {
        (LOWEST_BLUR - BLUR_SLOPE * (self.elo - LOWEST_ELO)).max(LEAST_BLUR)
    }

    /// Centipawns that a chosen move may be worse than the best one, by the search of the level itself.
    fn worst_loss(self) -> f64 {
        SEEN_BLURS * self.blur()
    }

    /// The search a player of this rating makes. What the caller limits stays limited.
    pub(crate) fn limit(self, limits: &SearchLimits) -> SearchLimits {
        let nodes = self.nodes();
        SearchLimits {
            soft_nodes: Some(limits.soft_nodes.map_or(nodes, |given| given.min(nodes))),
            lines: limits.lines.max(LINES),
            ..limits.clone()
        }
    }

    /// Which of the lines of an iteration, the best first, is played. Chance comes from the position, so that games differ
    /// and searches repeat.
    pub(crate) fn choose(self, lines: &[SearchReport], key: Key) -> Option<usize> {
        let best = f64::from(lines.first()?.score.value());
        let mut chance = Chance::new(key.0);
        let (mut chosen, mut highest) = (0, f64::NEG_INFINITY);
        for (index, line) in lines.iter().enumerate().take(LINES) {
            let loss = best - f64::from(line.score.value());
            let blurred = chance.normal() * self.blur() - loss;
            if loss <= self.worst_loss() && blurred > highest {
                (chosen, highest) = (index, blurred);
            }
        }
        Some(chosen)
    }
}

#[cfg(test)]
mod tests;
