//! Playing weaker than one can, and still like a chess player.
//!
//! Two things weaken play: less search, so that tactics are overlooked as people overlook them, and a choice among good
//! moves that the better ones win only by chance. Moves that lose a minor piece are never chosen, so that even the weakest level
//! does not give pieces away for nothing.
//!
//! **Match:** each measured level against the level of the same number of Stockfish 15.1, which got the depth at which such a level picks
//! its move (`docs/strength.md` has the command and all that was tried). Between the levels nodes and blur are interpolated. The scale is
//! Stockfish's own; what a number means among people was not measured.
//!
//! **Invariant:** whatever is chosen was searched: the choice is among lines of one finished iteration. So a level limits the
//! nodes softly, by beginning no further iteration, and the first one, which ends with quiescence, is finished by all.

use kiebitz_chess::Key;
use kiebitz_search::{SearchLimits, SearchReport};

use crate::chance::Chance;

/// A rating and how it is played.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Strength {
    elo: f64,
    /// Nodes after which no further iteration begins.
    nodes: f64,
    /// Centipawns that a player of this rating does not tell apart.
    blur: f64,
}

/// The levels that others are interpolated from. Those up to 2100 were measured, the two above are a guess that goes on from them.
const ANCHORS: [Strength; 7] = [
    Strength { elo: 1000.0, nodes: 1.0, blur: 400.0 },
    Strength { elo: 1350.0, nodes: 1.0, blur: 190.0 },
    Strength { elo: 1600.0, nodes: 110.0, blur: 120.0 },
    Strength { elo: 1850.0, nodes: 800.0, blur: 77.0 },
    Strength { elo: 2100.0, nodes: 4_000.0, blur: 28.0 },
    Strength { elo: 2350.0, nodes: 25_000.0, blur: 11.0 },
    Strength { elo: 2800.0, nodes: 800_000.0, blur: 4.0 },
];

/// The weakest and the strongest rating that can be asked for.
pub const ELO_RANGE: std::ops::RangeInclusive<i64> = ANCHORS[0].elo as i64..=ANCHORS[ANCHORS.len() - 1].elo as i64;

/// A loss of so many blurs is seen, and the move not chosen,
const SEEN_BLURS: f64 = 2.5;
/// and so is the loss of a minor piece, at every level.
const SEEN_BY_ALL: f64 = 290.0;
/// The fewest and the most lines among which a weak player chooses,
const LINES: std::ops::RangeInclusive<usize> = 3..=16;
/// one for so many centipawns of blur.
const BLUR_OF_LINE: f64 = 24.0;

impl Strength {
    pub(crate) fn of_elo(elo: u32) -> Self {
        let elo = f64::from(elo).clamp(ANCHORS[0].elo, ANCHORS[ANCHORS.len() - 1].elo);
        let above = ANCHORS.iter().position(|level| level.elo >= elo).unwrap_or(ANCHORS.len() - 1).max(1);
        let (low, high) = (ANCHORS[above - 1], ANCHORS[above]);
        let share = (elo - low.elo) / (high.elo - low.elo);
        let between = |low: f64, high: f64| low * (high / low).powf(share);
        Self { elo, nodes: between(low.nodes, high.nodes), blur: between(low.blur, high.blur) }
    }

    /// How many lines it looks at.
    fn lines(self) -> usize {
        ((self.blur / BLUR_OF_LINE).ceil() as usize).clamp(*LINES.start(), *LINES.end())
    }

    /// Centipawns that a chosen move may be worse than the best one, by the search of the level itself.
    fn worst_loss(self) -> f64 {
        (SEEN_BLURS * self.blur).min(SEEN_BY_ALL)
    }

    /// The search a player of this rating makes. What the caller limits stays limited.
    pub(crate) fn limit(self, limits: &SearchLimits) -> SearchLimits {
        let nodes = self.nodes as u64;
        SearchLimits {
            soft_nodes: Some(limits.soft_nodes.map_or(nodes, |given| given.min(nodes))),
            lines: limits.lines.max(self.lines()),
            ..limits.clone()
        }
    }

    /// Which of the lines of an iteration, the best first, is played. Chance comes from the position, so that games differ
    /// and searches repeat.
    pub(crate) fn choose(self, lines: &[SearchReport], key: Key) -> Option<usize> {
        let best = f64::from(lines.first()?.score.value());
        let mut chance = Chance::new(key.0);
        let (mut chosen, mut highest) = (0, f64::NEG_INFINITY);
        for (index, line) in lines.iter().enumerate().take(self.lines()) {
            let loss = best - f64::from(line.score.value());
            let blurred = chance.normal() * self.blur - loss;
            if loss <= self.worst_loss() && blurred > highest {
                (chosen, highest) = (index, blurred);
            }
        }
        Some(chosen)
    }
}

#[cfg(test)]
mod tests;
