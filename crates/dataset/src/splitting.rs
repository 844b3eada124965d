//! Train and validation sets that share no game.

use crate::seeded::{game_number, mixed};
use crate::{Chain, ChainSink, ChainSource, Counts, DatasetError};

/// Whether chains tell games apart. A chain of one position may come from any game, and its neighbours are chains of their own:
/// after shuffling by sample, and from formats that keep positions alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GameTraces {
    /// Chains that were seen.
    pub chains: u64,
    /// Those of a single position.
    pub single: u64,
}

impl GameTraces {
    /// Looks at a chain.
    pub fn add(&mut self, chain: &Chain) {
        self.chains += 1;
        self.single += u64::from(chain.links.len() == 1);
    }

    /// Whether most of the chains have more than one position, so that a chain stands for a game.
    #[must_use]
    pub const fn tell_games(self) -> bool {
        self.single <= self.chains / 2
    }
}

/// What a division has come to so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Division {
    /// What went to training and to validation.
    pub counts: [Counts; 2],
    /// Whether the chains that were divided tell games apart.
    pub traces: GameTraces,
}

/// Decides for each game on which side it goes.
///
/// The decision depends on the seed and on the game's start and first moves alone: the same game lands on the same side
/// wherever it stands and however often it occurs, so neither copies nor files leak from one side to the other. Of a single
/// position the moves are left out, so that at least equal positions go together; [`GameTraces`] says whether games are known.
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
        let game = if chain.links.len() == 1 { mixed(chain.head.start.key().0) } else { game_number(chain) };
        let number = mixed(game ^ mixed(self.seed));
        // Half of the bits are enough, and exact in a double.
        f64::from((number >> 32) as u32) < self.validation * (f64::from(u32::MAX) + 1.0)
    }

    /// Writes every chain of a source to its side, training first, and adds to the division; `progress` hears how many bytes of the
    /// source were read.
    ///
    /// # Errors
    ///
    /// When the source is damaged or cut off, or the disk is full.
    pub fn divide(
        &self,
        source: &mut dyn ChainSource,
        sides: &mut [Box<dyn ChainSink + Send>; 2],
        division: &mut Division,
        mut progress: impl FnMut(u64),
    ) -> Result<(), DatasetError> {
        let mut chain = Chain::default();
        while source.next_chain(&mut chain)? {
            let side = usize::from(self.is_validation(&chain));
            division.traces.add(&chain);
            division.counts[side] +=
                Counts { chains: 1, positions: chain.links.len() as u64, samples: chain.samples() as u64 };
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

    #[test]
    fn single_positions_tell_no_games_but_equal_ones_go_together() {
        let mut traces = GameTraces::default();
        assert!(traces.tell_games(), "nothing speaks against it");
        games().take(10).for_each(|game| traces.add(&game));
        assert!(traces.tell_games());
        let mut singles = Vec::new();
        games().for_each(|game| game.singles(|single| singles.push(single)));
        singles.iter().take(10).for_each(|single| traces.add(single));
        assert_eq!(traces, GameTraces { chains: 20, single: 10 });
        assert!(traces.tell_games(), "half of them");
        traces.add(&singles[0]);
        assert!(!traces.tell_games());

        // The initial position stands in all games, before another move each time.
        let split = Split { validation: 0.5, seed: 1 };
        let firsts: Vec<_> = singles.iter().filter(|single| single.head.start == Position::default()).collect();
        assert_eq!(firsts.len(), 400);
        assert!(firsts.iter().all(|single| split.is_validation(single) == split.is_validation(firsts[0])));
    }
}
