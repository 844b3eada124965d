//! Random walks away from games, scored by a network without any search.
//!
//! A search asks its evaluation about positions that no game ever reaches: somebody has just given a piece away or passed over a
//! threat. Walks of a few random moves lead there. Where nothing hangs, what a good network says at a glance is good enough to
//! learn from, and costs a thousandth of a search.

use kiebitz_chess::{Move, Position};
use kiebitz_dataset::{Chain, ChainHead, Link};
use kiebitz_inference::{BoardDelta, Evaluator, Network};
use kiebitz_tournament::Random;
use serde::{Deserialize, Serialize};

/// How often a move is drawn again because it gives material away; the last draw holds.
const SECOND_THOUGHTS: usize = 3;

/// How walks are made. The same rules, network and games give the same walks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WalkRules {
    /// Decides the moves, game by game.
    pub seed: u64,
    /// Walks that begin at each position of a game.
    pub walks: u32,
    /// Moves of a walk; the positions after each of them may become samples.
    pub plies: u32,
}

/// Walks, one game after the other.
///
/// **Invariant:** the walks of a game are a function of rules, network, game and its number.
pub struct Walker {
    rules: WalkRules,
    evaluator: Evaluator,
}

impl Walker {
    /// A walker that asks this network.
    #[must_use]
    pub fn new(rules: WalkRules, network: &Network) -> Self {
        Self { rules, evaluator: Evaluator::new(network) }
    }

    /// Takes all walks from the samples of a game and hands over those on which something was quiet.
    pub fn walk(&mut self, number: u64, game: &Chain, mut take: impl FnMut(&Chain)) {
        let mut chance = Random::stream(self.rules.seed, number);
        let mut walk = Chain::default();
        game.visit(|position, link| {
            if !link.kept {
                return;
            }
            self.evaluator.reset(position);
            for _ in 0..self.rules.walks {
                self.step_away(position, &mut chance, &mut walk);
                if walk.samples() > 0 {
                    take(&walk);
                }
            }
        });
    }

    /// One walk. Its chain begins behind the first move.
    fn step_away(&mut self, from: &Position, chance: &mut Random, walk: &mut Chain) {
        walk.links.clear();
        let mut position = from.clone();
        let mut moves = position.legal_moves();
        for ply in 0..self.rules.plies {
            let Some(mv) = draw(&position, &moves, chance) else { break };
            let mut delta = BoardDelta::default();
            let mut next = position.clone();
            position.play_into(mv, &mut next, &mut delta);
            self.evaluator.push(&delta);
            moves = next.legal_moves();
            if moves.is_empty() {
                self.evaluator.pop();
                break;
            }
            match walk.links.last_mut() {
                Some(link) => link.mv = Some(mv),
                None => walk.head = ChainHead { start: next.clone(), ..ChainHead::default() },
            }
            debug_assert_eq!(walk.links.len(), ply as usize);
            let quiet = is_quiet(&next, &moves);
            let score = quiet.then(|| self.evaluator.evaluate(&next).clamp(-30_000, 30_000) as i16);
            walk.links.push(Link { score, kept: quiet, ..Link::new(None) });
            position = next;
        }
        for _ in 0..walk.links.len() {
            self.evaluator.pop();
        }
    }
}

/// A random move, most often one that gives nothing away.
fn draw(position: &Position, moves: &[Move], chance: &mut Random) -> Option<Move> {
    if moves.is_empty() {
        return None;
    }
    let mut mv = moves[chance.below(moves.len() as u64) as usize];
    for _ in 0..SECOND_THOUGHTS {
        if position.exchange_reaches(mv, 0) {
            break;
        }
        mv = moves[chance.below(moves.len() as u64) as usize];
    }
    Some(mv)
}

/// No check, and nothing to win by a capture or a promotion.
fn is_quiet(position: &Position, moves: &[Move]) -> bool {
    !position.is_check() && !moves.iter().any(|&mv| !mv.is_quiet() && position.exchange_reaches(mv, 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_network::network;

    fn game() -> Chain {
        let mut position = Position::default();
        let links = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Bxc6", "dxc6"].map(|san| {
            let mv = position.parse_san(san).unwrap();
            position.play(mv);
            Link { kept: san != "a6", ..Link::new(Some(mv)) }
        });
        Chain { links: links.to_vec(), ..Chain::default() }
    }

    #[test]
    fn samples_are_quiet_and_scored_as_the_network_says() {
        let (network, rules) = (network(), WalkRules { seed: 1, walks: 20, plies: 4 });
        let mut walker = Walker::new(rules, &network);
        let (mut walks, mut samples) = (Vec::new(), 0);
        walker.walk(0, &game(), |walk| walks.push(walk.clone()));
        for walk in &walks {
            assert!((1..=4).contains(&walk.links.len()) && walk.samples() > 0);
            assert!(walk.links.last().unwrap().mv.is_none());
            walk.visit(|position, link| {
                assert_eq!(link.kept, is_quiet(position, &position.legal_moves()));
                assert_eq!(link.kept, link.score.is_some());
                if let Some(score) = link.score {
                    let mut fresh = Evaluator::new(&network);
                    fresh.reset(position);
                    assert_eq!(i32::from(score), fresh.evaluate(position));
                    samples += 1;
                }
            });
        }
        // Seven positions are samples, and most walks from them meet something quiet.
        assert!((100..=140).contains(&walks.len()), "{} walks", walks.len());
        assert!(samples > walks.len(), "{samples} samples");
    }

    #[test]
    fn the_walks_of_a_game_depend_on_its_number_alone() {
        let (network, rules) = (network(), WalkRules { seed: 1, walks: 3, plies: 3 });
        let walks = |walker: &mut Walker, number| {
            let mut walks = Vec::new();
            walker.walk(number, &game(), |walk| walks.push(walk.clone()));
            walks
        };
        let mut one = Walker::new(rules, &network);
        let first = walks(&mut one, 5);
        let mut other = Walker::new(rules, &network);
        assert_ne!(walks(&mut other, 4), first);
        assert_eq!(walks(&mut other, 5), first);
    }

    #[test]
    fn what_hangs_is_not_quiet() {
        let quiet = |fen: &str| {
            let position: Position = fen.parse().unwrap();
            is_quiet(&position, &position.legal_moves())
        };
        assert!(!quiet("4k3/8/8/3p4/4P3/8/8/4K3 b - - 0 1"));
        assert!(quiet("4k3/8/4p3/3p4/8/3R4/8/4K3 w - - 0 1"));
        assert!(!quiet("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"));
        assert!(!quiet("4k3/1P6/8/8/8/8/8/4K3 w - - 0 1"));
    }
}
