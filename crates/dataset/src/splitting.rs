//! Train and validation sets that share no game.

use crate::seeded::{game_number, mixed};
use crate::{Chain, ChainSink, ChainSource, Counts, DatasetError};

/// Decides for each game on which side it goes.
///
/// The decision depends on the seed and on the game's start and first moves alone: the same game lands on the same side
/// wherever it stands and however often it occurs, so neither copies nor files leak from one side to the other.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Split {
    /// The share of games for validation, from 0 to 1.
    pub validation: f64,
    /// Another seed, another split.
    pub seed: u64,
}

impl Split {
    /// Whether a chain is for validation.
    #[must_use]
    pub fn is_validation(&self, chain: &Chain) -> bool {
        let number = mixed(game_number(chain) ^ mixed(self.seed));
        // Half of the bits are enough, and exact in a double.
        f64::from((number >> 32) as u32) < self.validation * (f64::from(u32::MAX) + 1.0)
    }

    /// Writes every chain of a source to its side, training first, and adds to the counts of both; `progress` hears how many bytes of the
    /// source were read.
    ///
    /// # Errors
    ///
    /// When the source is damaged or cut off, or the disk is full.
    pub fn divide(
        &self,
        source: &mut dyn ChainSource,
        sides: &mut [Box<dyn ChainSink + Send>; 2],
        counts: &mut [Counts; 2],
        mut progress: impl FnMut(u64),
    ) -> Result<(), DatasetError> {
        let mut chain = Chain::default();
        while source.next_chain(&mut chain)? {
            let side = usize::from(self.is_validation(&chain));
            counts[side] += Counts { chains: 1, positions: chain.links.len() as u64, samples: chain.samples() as u64 };
            sides[side].write(&chain)?;
            progress(source.consumed());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use kiebitz_chess::Position;

    use super::*;
    use crate::Link;

    fn games() -> impl Iterator<Item = Chain> {
        let start = Position::default();
        let firsts = start.legal_moves();
        firsts.into_iter().flat_map(move |first| {
            let after = Position::default().after(first);
            after.legal_moves().into_iter().map(move |second| Chain {
                links: vec![Link::new(Some(first)), Link::new(Some(second))],
                ..Chain::default()
            })
        })
    }

    #[test]
    fn the_share_is_kept_and_copies_go_together() {
        let split = Split { validation: 0.25, seed: 3 };
        let validation = games().filter(|game| split.is_validation(game)).count();
        assert!((70..130).contains(&validation), "{validation} of 400");
        for mut game in games() {
            let side = split.is_validation(&game);
            game.links.iter_mut().for_each(|link| link.score = Some(7));
            assert_eq!(split.is_validation(&game), side);
        }
        assert!(games().all(|game| { !Split { validation: 0.0, seed: 1 }.is_validation(&game) }));
        assert!(games().all(|game| { Split { validation: 1.0, seed: 1 }.is_validation(&game) }));
        let other = Split { seed: 4, ..split };
        assert!(games().any(|game| split.is_validation(&game) != other.is_validation(&game)));
    }
}
