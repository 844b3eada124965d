//! Where a match stands.

use serde::Serialize;

use crate::sprt::{Decision, Sprt};
use crate::statistics::{EloModel, Interval, MatchScore, Pentanomial, Trinomial};

/// A value with its 95 % interval; what is infinite is `null` in JSON.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Bar {
    /// The estimate.
    pub value: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl From<Interval> for Bar {
    fn from(interval: Interval) -> Self {
        Self { value: interval.value, low: interval.low, high: interval.high }
    }
}

impl From<Bar> for Interval {
    fn from(bar: Bar) -> Self {
        Self { value: bar.value, low: bar.low, high: bar.high }
    }
}

/// What two players have scored against each other, seen by the first.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct EncounterStanding {
    /// The name of the player whose score it is.
    pub first: String,
    /// The name of the opponent.
    pub second: String,
    /// Games.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Complete pairs with 0, ½, 1, 1½ and 2 points.
    pub pentanomial: [u64; 5],
    /// The average score, 0 to 1.
    pub score: Option<Bar>,
    /// Logistic Elo.
    pub elo: Option<Bar>,
    /// Normalised Elo.
    pub normalised_elo: Option<Bar>,
    /// The probability that the first player is the stronger one.
    pub superiority: Option<f64>,
    /// The share of drawn games.
    pub draw_ratio: Option<f64>,
    /// Pairs won for every pair lost.
    pub pair_ratio: Option<f64>,
}

impl EncounterStanding {
    pub(super) fn of(first: &str, second: &str, score: &MatchScore) -> Self {
        let Trinomial { wins, draws, losses } = score.games();
        let estimate = score.estimate();
        Self {
            first: first.to_owned(),
            second: second.to_owned(),
            games: score.games().games(),
            wins,
            draws,
            losses,
            pentanomial: score.pairs().counts,
            score: estimate.map(|estimate| estimate.score.into()),
            elo: estimate.map(|estimate| estimate.elo.into()),
            normalised_elo: estimate.map(|estimate| estimate.normalised_elo.into()),
            superiority: estimate.map(|estimate| estimate.superiority),
            draw_ratio: score.games().draw_ratio(),
            pair_ratio: score.pairs().pair_ratio(),
        }
    }

    /// The points of the first player.
    #[must_use]
    pub fn points(&self) -> f64 {
        Trinomial::new(self.wins, self.draws, self.losses).points()
    }

    /// The complete pairs.
    #[must_use]
    pub const fn pairs(&self) -> Pentanomial {
        Pentanomial::new(self.pentanomial)
    }
}

/// Where a sequential test stands.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SprtStanding {
    /// The bounds in Elo.
    pub bounds: [f64; 2],
    /// Their scale: `logistic` or `normalised`.
    pub model: String,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// Where H0 and H1 are accepted.
    pub limits: [f64; 2],
    /// What it says so far.
    pub decision: String,
    /// How many more games to expect if the true difference is what it looks like now.
    pub games_left: Option<f64>,
}

impl SprtStanding {
    pub(super) fn of(test: &Sprt, score: &MatchScore) -> Self {
        let llr = test.llr(score.counts());
        let seen = score.estimate().map(|estimate| match test.model() {
            EloModel::Logistic => estimate.elo.value,
            EloModel::Normalised => estimate.normalised_elo.value,
        });
        let rest = seen.filter(|_| test.decide_llr(llr) == Decision::Continue);
        let rest = rest.and_then(|elo| test.planned_rest(score.counts(), elo, llr));
        Self {
            bounds: test.bounds(),
            model: test.model().to_string(),
            llr,
            limits: [test.lower_limit(), test.upper_limit()],
            decision: test.decide_llr(llr).to_string(),
            games_left: rest.map(|plan| plan.expected_games),
        }
    }
}

/// Where a race stands.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RaceStanding {
    /// The names of those who go on; the winner alone at the end.
    pub running: Vec<String>,
    /// The names of those who are out.
    pub dropped: Vec<String>,
    /// Pairs that those who go on have all played.
    pub pairs: u64,
    /// The most pairs that it can take.
    pub longest: u64,
}

/// Where a match stands: everything that has been released, see [`crate::runner`].
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Standing {
    /// Games that count.
    pub games: u64,
    /// Games that will be played at most, if that is known.
    pub planned: Option<u64>,
    /// Who scored what against whom.
    pub encounters: Vec<EncounterStanding>,
    /// The test, if there is one.
    pub sprt: Option<SprtStanding>,
    /// The race, if there is one.
    pub race: Option<RaceStanding>,
}
