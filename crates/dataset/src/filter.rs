//! Which positions are samples, and what the others were removed for.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Chain, Sample};

/// Why a position is not a sample.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Removal {
    /// Too early in the game.
    Early,
    /// Too late in the game.
    Late,
    /// The side to move is in check.
    Check,
    /// The move takes something or promotes.
    Capture,
    /// The score is too large.
    LargeScore,
    /// There is no score.
    NoScore,
    /// The score says the opposite of the result.
    ScoreAgainstResult,
    /// Too few pieces are left.
    FewPieces,
    /// Not among the positions drawn at random from its game.
    NotDrawn,
    /// The same position came before.
    Duplicate,
}

/// How many positions were removed, and why.
pub type Removals = BTreeMap<Removal, u64>;

/// What a sample must be like; by default everything is welcome.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Filter {
    /// The first ply of a game that counts; the initial position is ply 0.
    pub min_ply: u32,
    /// The last ply that counts.
    pub max_ply: Option<u32>,
    /// Leave out positions in check.
    pub no_check: bool,
    /// Leave out positions whose move takes or promotes.
    pub no_captures: bool,
    /// Leave out positions whose score is larger than this, either way.
    pub max_score: Option<u16>,
    /// Leave out positions without a score.
    pub scored_only: bool,
    /// Leave out positions where a side that is so much better did not even draw.
    pub score_against_result: Option<u16>,
    /// The fewest pieces, kings included.
    pub min_pieces: usize,
}

impl Filter {
    /// Why a position is not welcome; the first reason counts.
    #[must_use]
    pub fn judge(&self, sample: &Sample<'_>) -> Option<Removal> {
        let (position, link) = (sample.position, sample.link);
        let ply = sample.ply();
        if ply < self.min_ply {
            return Some(Removal::Early);
        }
        if self.max_ply.is_some_and(|last| ply > last) {
            return Some(Removal::Late);
        }
        if position.occupied().len() < self.min_pieces {
            return Some(Removal::FewPieces);
        }
        match link.score {
            None if self.scored_only => return Some(Removal::NoScore),
            Some(score) if self.max_score.is_some_and(|limit| score.unsigned_abs() > limit) => {
                return Some(Removal::LargeScore);
            }
            Some(score) if self.contradicts(score, sample.points()) => {
                return Some(Removal::ScoreAgainstResult);
            }
            _ => {}
        }
        if self.no_captures && link.mv.is_some_and(|mv| !mv.is_quiet()) {
            return Some(Removal::Capture);
        }
        (self.no_check && position.is_check()).then_some(Removal::Check)
    }

    fn contradicts(&self, score: i16, points: Option<f32>) -> bool {
        match (self.score_against_result, points) {
            (Some(limit), Some(points)) if score.unsigned_abs() >= limit => {
                (score > 0) == (points == 0.0) && points != 0.5
            }
            _ => false,
        }
    }

    /// Unmarks the unwelcome positions of a chain and counts them.
    pub fn apply(&self, chain: &mut Chain, removals: &mut Removals) {
        let head = std::mem::take(&mut chain.head);
        let mut position = head.start.clone();
        for link in &mut chain.links {
            if link.kept
                && let Some(reason) = self.judge(&Sample { head: &head, position: &position, link })
            {
                link.kept = false;
                *removals.entry(reason).or_default() += 1;
            }
            match link.mv {
                Some(mv) => position.play(mv),
                None => break,
            }
        }
        chain.head = head;
    }
}

#[cfg(test)]
mod tests {
    use kiebitz_chess::{Color, Outcome, Position};

    use super::*;
    use crate::{ChainHead, Link};

    /// 1. e4 d5 2. exd5 Qxd5 3. Nc3 Qe6+ 4. Be2, with scores, won by Black.
    fn game() -> Chain {
        let mut position = Position::default();
        let mut links = Vec::new();
        let scores = [20, -30, 40, 900, 25, -10, 15];
        for (san, score) in ["e4", "d5", "exd5", "Qxd5", "Nc3", "Qe6+", "Be2"].into_iter().zip(scores) {
            let mv = position.parse_san(san).unwrap();
            links.push(Link { score: Some(score), ..Link::new(Some(mv)) });
            position.play(mv);
        }
        let head = ChainHead { result: Some(Outcome::Win(Color::Black)), ..ChainHead::default() };
        Chain { head, links }
    }

    fn removed(filter: &Filter) -> (usize, Removals) {
        let (mut chain, mut removals) = (game(), Removals::new());
        filter.apply(&mut chain, &mut removals);
        assert_eq!(chain.samples() as u64 + removals.values().sum::<u64>(), 7);
        (chain.samples(), removals)
    }

    #[test]
    fn each_rule_removes_what_it_says() {
        assert_eq!(removed(&Filter::default()).0, 7);
        let one = |filter: Filter, reason, count| assert_eq!(removed(&filter).1, Removals::from([(reason, count)]));
        one(Filter { min_ply: 3, ..Filter::default() }, Removal::Early, 3);
        one(Filter { max_ply: Some(4), ..Filter::default() }, Removal::Late, 2);
        one(Filter { no_check: true, ..Filter::default() }, Removal::Check, 1);
        one(Filter { no_captures: true, ..Filter::default() }, Removal::Capture, 2);
        one(Filter { max_score: Some(100), ..Filter::default() }, Removal::LargeScore, 1);
        // White is 40 ahead and loses; Black's 900 are right.
        one(Filter { score_against_result: Some(30), ..Filter::default() }, Removal::ScoreAgainstResult, 2);
        one(Filter { min_pieces: 31, ..Filter::default() }, Removal::FewPieces, 3);
    }
}
