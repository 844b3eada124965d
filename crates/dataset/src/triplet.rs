//! Three positions: one, the one that was played, and one that could have been.
//!
//! Whoever plays on from *P* to *Q* mostly knows why, and a random other successor *R* is mostly worse for him. A value
//! function can learn from that alone, without any engine: it must like *Q* better than *R*, seen by who moved.

use kiebitz_chess::{Move, Position};

use crate::Chain;
use crate::seeded::{SeededNumbers, mixed};

/// A position with two of its moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Triplet {
    /// P: the position.
    pub position: Position,
    /// The move that was played; it leads to Q.
    pub played: Move,
    /// Another legal move, at random; it leads to R.
    pub random: Move,
}

impl Triplet {
    /// Q: the position after the move that was played.
    #[must_use]
    pub fn after_played(&self) -> Position {
        self.position.after(self.played)
    }

    /// R: the position after the random move.
    #[must_use]
    pub fn after_random(&self) -> Position {
        self.position.after(self.random)
    }
}

impl crate::Filter {
    /// The same filter for triplets, which neither looks at the move played nor at scores. If captures were left out among the moves played
    /// but not among the others, "takes something" would mean "was not played", and nothing else would be learned.
    #[must_use]
    pub fn for_triplets(&self) -> Self {
        Self { no_captures: false, max_score: None, scored_only: false, score_against_result: None, ..self.clone() }
    }
}

/// Shows the triplets of a chain: one for every sample with a move and another legal one. The random move depends on seed,
/// position and ply alone.
pub fn triplets(chain: &Chain, seed: u64, mut visitor: impl FnMut(Triplet)) {
    chain.visit(|position, link| {
        let (true, Some(played)) = (link.kept, link.mv) else { return };
        let moves = position.legal_moves();
        let others = moves.len().saturating_sub(1);
        if others == 0 {
            return;
        }
        let mut chance = SeededNumbers::new(mixed(seed) ^ mixed(position.key().0 ^ u64::from(position.ply())));
        let chosen = chance.below(others as u64) as usize;
        if let Some(&random) = moves.iter().filter(|&&mv| mv != played).nth(chosen) {
            visitor(Triplet { position: position.clone(), played, random });
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Link;

    #[test]
    fn the_random_move_is_legal_another_and_evenly_drawn() {
        let start = Position::default();
        let played = start.parse_san("e4").unwrap();
        let chain = Chain { links: vec![Link::new(Some(played))], ..Chain::default() };
        let mut seen = std::collections::BTreeMap::new();
        for seed in 0..19_000 {
            triplets(&chain, seed, |triplet| {
                assert!(triplet.random != played && start.is_legal(triplet.random));
                assert_eq!(triplet.after_played(), start.after(played));
                *seen.entry(triplet.random.to_bits()).or_insert(0) += 1;
            });
        }
        // 19 other moves, 1000 expected each, a standard deviation of 31.
        assert_eq!(seen.len(), 19);
        assert!(seen.values().all(|count| (850..1150).contains(count)), "{seen:?}");
    }

    #[test]
    fn a_forced_move_teaches_nothing() {
        let start: Position = "7k/8/8/8/8/8/6q1/7K w - - 0 1".parse().unwrap();
        let played = start.legal_moves()[0];
        let head = crate::ChainHead { start, ..crate::ChainHead::default() };
        triplets(&Chain { head, links: vec![Link::new(Some(played))] }, 1, |_| panic!("there is no other move"));
    }
}
