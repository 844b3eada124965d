//! The two bytes that say what a chain has.

use kiebitz_chess::{Color, Outcome, Position};

use crate::chain::{Chain, Link};

/// Hundredths of a second in a second.
pub(crate) const SECOND: u32 = 100;

/// Whether none, all or some of the positions have something.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Presence {
    #[default]
    None,
    All,
    Some,
}

impl Presence {
    pub(crate) fn of(links: &[Link], has: impl Fn(&Link) -> bool) -> Self {
        match links.iter().filter(|link| has(link)).count() {
            0 => Self::None,
            count if count == links.len() => Self::All,
            _ => Self::Some,
        }
    }

    fn from_bits(bits: u32) -> Option<Self> {
        [Self::None, Self::All, Self::Some].get(bits as usize).copied()
    }
}

/// What the two bytes of flags say.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Flags {
    pub(crate) initial: bool,
    pub(crate) result: u32,
    pub(crate) ratings: bool,
    pub(crate) scores: Presence,
    pub(crate) clocks: Presence,
    pub(crate) all_kept: bool,
    pub(crate) endless: bool,
    pub(crate) whole_seconds: bool,
}

impl Flags {
    pub(crate) fn of(chain: &Chain) -> Self {
        let links = &chain.links;
        Self {
            initial: chain.head.start == Position::default(),
            result: match chain.head.result {
                None => 0,
                Some(Outcome::Win(Color::White)) => 1,
                Some(Outcome::Draw) => 2,
                Some(Outcome::Win(Color::Black)) => 3,
            },
            ratings: chain.head.ratings != [None; 2],
            scores: Presence::of(links, |link| link.score.is_some()),
            clocks: Presence::of(links, |link| link.clock.is_some()),
            all_kept: links.iter().all(|link| link.kept),
            endless: links.last().is_some_and(|link| link.mv.is_none()),
            whole_seconds: links.iter().all(|link| link.clock.is_none_or(|clock| clock % SECOND == 0)),
        }
    }

    pub(crate) fn to_bits(self) -> u64 {
        u64::from(self.initial)
            | u64::from(self.result) << 1
            | u64::from(self.ratings) << 3
            | (self.scores as u64) << 4
            | (self.clocks as u64) << 6
            | u64::from(self.all_kept) << 8
            | u64::from(self.endless) << 9
            | u64::from(self.whole_seconds) << 10
    }

    pub(crate) fn from_bits(bits: u32) -> Option<Self> {
        let flag = |bit: u32| bits >> bit & 1 == 1;
        if bits >> 11 != 0 {
            return None;
        }
        Some(Self {
            initial: flag(0),
            result: bits >> 1 & 3,
            ratings: flag(3),
            scores: Presence::from_bits(bits >> 4 & 3)?,
            clocks: Presence::from_bits(bits >> 6 & 3)?,
            all_kept: flag(8),
            endless: flag(9),
            whole_seconds: flag(10),
        })
    }

    pub(crate) fn outcome(self) -> Option<Outcome> {
        [None, Some(Outcome::Win(Color::White)), Some(Outcome::Draw), Some(Outcome::Win(Color::Black))]
            .get(self.result as usize)
            .copied()
            .flatten()
    }
}
