//! A rating list over all games of any number of players.
//!
//! The model is Davidson's (1970), Bradley and Terry's with draws: players of strengths a and b (on a natural logarithmic
//! scale, White's raised by the advantage η) win, draw and lose in the proportions
//!
//! ```text
//! e^(d/2) : ν : e^(−d/2)        d = a − b + η for White against Black
//! ```
//!
//! One ν says how drawish the games are, one η what White is worth, both are estimated along with the strengths by maximum
//! likelihood (if the stronger players always had White, nobody could tell the two apart; balanced colors can). In these
//! parameters the likelihood is concave: Newton's method finds the one maximum. Error bars come from
//! the inverse of the information matrix. Games of a pair count as independent here, which makes the bars a little wider
//! than they need be.
//!
//! **The scale.** Draws blur what a difference is worth: d = 1 predicts a smaller score the larger ν is. Strengths are
//! therefore multiplied by the one factor with which the usual curve 1/(1 + 10^(−elo/400)) comes closest to the expected
//! scores of the games that were played (greatest likelihood; 2/(2 + ν) for players who are close to each other). With two
//! players the difference in the list is exactly the Elo of the expected score.
//!
//! **One-sided results.** Whoever has won every game, or has never met the others even indirectly, has no maximum likelihood
//! rating. Every player therefore also has [`Rating::prior`] drawn games against an imaginary player of average strength
//! (1 by default, which shifts a player with hundreds of games by less than an Elo), and one imaginary game between equals,
//! a third each of win, draw and loss, keeps ν and η finite. With the prior at 0 such players are refused instead.

mod cholesky;
mod connected;
mod observation;

use kiebitz_chess::{Color, Outcome};

use crate::pairing::Player;
use crate::statistics::{Interval, NORMAL_QUANTILE_95};
use cholesky::Cholesky;
use observation::{Observation, expected_score};

/// Newton's steps before giving up; about ten are usual.
const MOST_STEPS: usize = 200;
/// Weight of the imaginary game between equals when the prior asks for less.
const SMALLEST_WEIGHT: f64 = 1e-3;
/// Elo per natural unit of strength.
const ELO_PER_UNIT: f64 = 400.0 / std::f64::consts::LN_10;

/// The player whose rating is fixed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Anchor {
    /// The average of all players has this rating.
    Mean(f64),
    /// One player has this rating, without error.
    Player(Player, f64),
}

/// Why there is no list.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RatingError {
    /// There are no games, or no players.
    #[error("there is nothing to rate")]
    Nothing,
    /// A game or the anchor names a player beyond the end of the list.
    #[error("there is no player number {}", .0.0)]
    NoSuchPlayer(Player),
    /// Without a prior: results do not connect all players, or some have only won or lost.
    #[error("the results do not compare all players with each other: rate with a prior")]
    NotComparable,
    /// The numbers ran out of precision.
    #[error("the ratings could not be computed")]
    Numerical,
}

/// Games between two players with given colors.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Results {
    white: usize,
    black: usize,
    white_wins: f64,
    draws: f64,
    black_wins: f64,
}

/// The games to be rated.
///
/// ```
/// use kiebitz_chess::{Color, Outcome};
/// use kiebitz_tournament::pairing::Player;
/// use kiebitz_tournament::rating::{Anchor, Rating};
/// let mut rating = Rating::new(2);
/// for _ in 0..3 {
///     rating.add(Player(0), Player(1), Outcome::Win(Color::White));
///     rating.add(Player(1), Player(0), Outcome::Draw);
/// }
/// let list = rating.list(Anchor::Mean(2000.0))?;
/// assert_eq!(list.ranking(), [Player(0), Player(1)]);
/// assert!(list.elo[0].value > 2000.0);
/// # Ok::<(), kiebitz_tournament::rating::RatingError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Rating {
    players: usize,
    /// Sums over all games with the same players and colors.
    results: Vec<Results>,
    index: std::collections::BTreeMap<(usize, usize), usize>,
    prior: f64,
}

/// Ratings with error bars.
#[derive(Clone, Debug, PartialEq)]
pub struct RatingList {
    /// By place in the list of players, with 95 % intervals relative to the anchor.
    pub elo: Vec<Interval>,
    /// What having White is worth, in Elo.
    pub white_advantage: Interval,
    /// The share of draws between equal players without regard to color, 0 to 1: ν/(2 + ν).
    pub draw_ratio: f64,
    /// The natural strengths behind the ratings.
    strengths: Vec<f64>,
    nu: f64,
}

impl Rating {
    /// No games yet between so many players.
    #[must_use]
    pub fn new(players: usize) -> Self {
        Self { players, results: Vec::new(), index: std::collections::BTreeMap::new(), prior: 1.0 }
    }

    /// Sets how many drawn games against an average player everybody is credited with; 1 unless set. Negative and
    /// senseless numbers count as 0.
    #[must_use]
    pub fn with_prior(mut self, draws: f64) -> Self {
        self.prior = if draws.is_finite() { draws.max(0.0) } else { 0.0 };
        self
    }

    /// The prior in drawn games.
    #[must_use]
    pub const fn prior(&self) -> f64 {
        self.prior
    }

    /// Adds a game.
    pub fn add(&mut self, white: Player, black: Player, outcome: Outcome) {
        let key = (white.index(), black.index());
        let place = *self.index.entry(key).or_insert_with(|| {
            self.results.push(Results { white: key.0, black: key.1, ..Results::default() });
            self.results.len() - 1
        });
        let results = &mut self.results[place];
        match outcome {
            Outcome::Win(Color::White) => results.white_wins += 1.0,
            Outcome::Win(Color::Black) => results.black_wins += 1.0,
            Outcome::Draw => results.draws += 1.0,
        }
    }

    /// Rates all players.
    ///
    /// # Errors
    /// When there is nothing to rate, when a player does not exist, or when, without a prior, the results do not compare
    /// all players.
    pub fn list(&self, anchor: Anchor) -> Result<RatingList, RatingError> {
        if self.players == 0 || self.results.is_empty() {
            return Err(RatingError::Nothing);
        }
        let named = self.results.iter().flat_map(|results| [results.white, results.black]);
        let anchored = match anchor {
            Anchor::Player(player, _) => Some(player.index()),
            Anchor::Mean(_) => None,
        };
        if let Some(stranger) = named.chain(anchored).find(|&player| player >= self.players) {
            return Err(RatingError::NoSuchPlayer(Player(u32::try_from(stranger).unwrap_or(u32::MAX))));
        }
        if self.prior == 0.0 && !self.is_comparable() {
            return Err(RatingError::NotComparable);
        }
        let (parameters, information) = self.maximise()?;
        Ok(self.report(&parameters, &information, anchor))
    }

    /// Whether everybody has scored, through some chain of games, against everybody.
    fn is_comparable(&self) -> bool {
        let scored = self.results.iter().flat_map(|results| {
            let white = results.white_wins + results.draws > 0.0;
            let black = results.black_wins + results.draws > 0.0;
            [white.then_some((results.white, results.black)), black.then_some((results.black, results.white))]
        });
        connected::is_strongly_connected(self.players, &scored.flatten().collect::<Vec<_>>())
    }

    /// Everything that enters the likelihood: real games, and imaginary ones where the prior wants them.
    fn observations(&self) -> impl Iterator<Item = Observation> + '_ {
        let games = self.results.iter().map(|results| Observation {
            white: Some(results.white),
            black: Some(results.black),
            advantage: true,
            counts: [results.white_wins, results.draws, results.black_wins],
        });
        let prior = (0..self.players).filter(|_| self.prior > 0.0).map(|player| Observation {
            white: Some(player),
            black: None,
            advantage: false,
            counts: [0.0, self.prior, 0.0],
        });
        let third = self.prior.max(SMALLEST_WEIGHT) / 3.0;
        let equals = Observation { white: None, black: None, advantage: true, counts: [third; 3] };
        games.chain(prior).chain([equals])
    }

    /// The parameters (strengths, η, ln ν) of the greatest likelihood, and the factored information matrix there.
    fn maximise(&self) -> Result<(Vec<f64>, Cholesky), RatingError> {
        let mut parameters = vec![0.0; self.players + 2];
        let mut best = self.log_likelihood(&parameters);
        for _ in 0..MOST_STEPS {
            let (gradient, information) = self.derivatives(&parameters);
            let factored = Cholesky::of(information, parameters.len()).ok_or(RatingError::Numerical)?;
            let step = factored.solve(&gradient);
            let improvement: f64 = step.iter().zip(&gradient).map(|(step, slope)| step * slope).sum();
            let mut length = 1.0;
            loop {
                let next: Vec<f64> = parameters.iter().zip(&step).map(|(now, step)| now + length * step).collect();
                let likelihood = self.log_likelihood(&next);
                if likelihood >= best - 1e-9 * best.abs() {
                    (parameters, best) = (next, likelihood);
                    break;
                }
                length /= 2.0;
                if length < 1e-9 {
                    return Err(RatingError::Numerical);
                }
            }
            if improvement < 1e-16 {
                let (_, information) = self.derivatives(&parameters);
                let factored = Cholesky::of(information, parameters.len()).ok_or(RatingError::Numerical)?;
                return Ok((parameters, factored));
            }
        }
        Err(RatingError::Numerical)
    }

    fn log_likelihood(&self, parameters: &[f64]) -> f64 {
        self.observations().map(|observation| observation.log_likelihood(parameters, self.players)).sum()
    }

    /// Gradient of the log-likelihood and its negative Hessian, row by row.
    fn derivatives(&self, parameters: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let size = parameters.len();
        let mut gradient = vec![0.0; size];
        let mut information = vec![0.0; size * size];
        for observation in self.observations() {
            observation.add_derivatives(parameters, self.players, &mut gradient, &mut information);
        }
        if self.prior == 0.0 {
            // Without a prior only differences matter; this holds the average at zero and changes nothing else.
            let mean: f64 = parameters[..self.players].iter().sum();
            for row in 0..self.players {
                gradient[row] -= mean;
                (0..self.players).for_each(|column| information[row * size + column] += 1.0);
            }
        }
        (gradient, information)
    }

    /// The factor between natural strengths and those of the logistic curve.
    fn logistic_factor(&self, strengths: &[f64], nu: f64) -> f64 {
        let games: Vec<(f64, f64)> = self
            .results
            .iter()
            .map(|results| {
                let difference = strengths[results.white] - strengths[results.black];
                (results.white_wins + results.draws + results.black_wins, difference)
            })
            .collect();
        if games.iter().all(|(_, difference)| difference.abs() < 1e-6) {
            return 2.0 / (2.0 + nu);
        }
        // The slope of the likelihood falls with the factor. At 0 every score is ½, at 1 the curve has no draws at all:
        // the root lies between.
        let slope = |factor: f64| -> f64 {
            let miss = |difference: f64| expected_score(difference, nu) - 1.0 / (1.0 + (-factor * difference).exp());
            games.iter().map(|&(count, difference)| count * difference * miss(difference)).sum()
        };
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            *(if slope(middle) > 0.0 { &mut low } else { &mut high }) = middle;
        }
        high
    }

    fn report(&self, parameters: &[f64], information: &Cholesky, anchor: Anchor) -> RatingList {
        let players = self.players;
        let nu = parameters[players + 1].exp();
        let strengths = parameters[..players].to_vec();
        let scale = ELO_PER_UNIT * self.logistic_factor(&strengths, nu);
        let covariance = information.inverse();
        let size = players + 2;
        let (origin, weights, rating) = match anchor {
            Anchor::Mean(rating) => {
                let mean = strengths.iter().sum::<f64>() / players as f64;
                (mean, vec![1.0 / players as f64; players], rating)
            }
            Anchor::Player(player, rating) => {
                let mut weights = vec![0.0; players];
                weights[player.index()] = 1.0;
                (strengths[player.index()], weights, rating)
            }
        };
        // The variance of a difference from the anchor, which is a weighted sum of strengths itself.
        let with_anchor: Vec<f64> = (0..players)
            .map(|row| {
                weights.iter().enumerate().map(|(column, weight)| weight * covariance[row * size + column]).sum()
            })
            .collect();
        let of_anchor: f64 = weights.iter().zip(&with_anchor).map(|(weight, sum)| weight * sum).sum();
        let interval = |value: f64, variance: f64| {
            let reach = NORMAL_QUANTILE_95 * variance.max(0.0).sqrt() * scale;
            Interval { value, low: value - reach, high: value + reach }
        };
        let elo = (0..players).map(|player| {
            let variance = covariance[player * size + player] - 2.0 * with_anchor[player] + of_anchor;
            interval(rating + (strengths[player] - origin) * scale, variance)
        });
        RatingList {
            elo: elo.collect(),
            white_advantage: interval(parameters[players] * scale, covariance[players * size + players]),
            draw_ratio: nu / (2.0 + nu),
            strengths,
            nu,
        }
    }
}

impl RatingList {
    /// The score that a player should expect against another, colors alternating; `None` if there is no such player.
    #[must_use]
    pub fn expected_score(&self, player: Player, opponent: Player) -> Option<f64> {
        let difference = self.strengths.get(player.index())? - self.strengths.get(opponent.index())?;
        Some(expected_score(difference, self.nu))
    }

    /// Players from the strongest to the weakest.
    #[must_use]
    pub fn ranking(&self) -> Vec<Player> {
        let mut ranking: Vec<Player> = (0..self.elo.len() as u32).map(Player).collect();
        ranking.sort_by(|a, b| self.elo[b.index()].value.total_cmp(&self.elo[a.index()].value));
        ranking
    }
}

#[cfg(test)]
mod tests;
