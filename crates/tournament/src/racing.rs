//! Several candidates against one opponent, the weak ones dropped early.
//!
//! Given many versions of one idea and a base to measure them by, equal shares for everybody waste most games on versions
//! that have long been seen to be poor. A race plays all candidates in step and drops one as soon as another is ahead of it
//! by more than chance allows; the last one left wins.
//!
//! **Which procedure, and why.** Sequential halving spends a fixed number of games well but promises nothing about the
//! result; confidence bounds that hold for ever promise much and are slow. This is the fully sequential procedure of Kim and
//! Nelson (2001, after Paulson 1964), made for exactly this question. It takes a *smallest difference that matters* D and a
//! confidence, and promises: if the best candidate is ahead of all others by at least D, it wins with that confidence; else
//! the winner is still about as good as the best. After r pairs each, candidate i is dropped when some candidate j has won
//! more points by
//!
//! ```text
//! lead > ln((K − 1) / (2 (1 − confidence))) · 2σ² / D  −  r D / 2          K candidates, σ² the variance of a pair's score
//! ```
//!
//! The allowance shrinks with every pair and is used up after 4 ln(…) σ²/D² pairs, so a race always ends. D is given in
//! normalised Elo, which makes that number the same for every book and time control; σ² is estimated from all candidates'
//! results, each around its own average.
//!
//! A race says which candidate is best, not that it is better than the base: test the winner with new games.

use crate::statistics::NORMALISED_ELO_PER_T;

/// Pairs that everybody plays before anybody can be dropped: σ² must be known first.
const FIRST_LOOK: usize = 16;

/// The variance of a pair's score if all five results were equally likely. One imaginary pair of that kind is added to the
/// estimate, as for error bars, so that equal results do not look certain.
const EVEN_SPREAD: f64 = 0.125;

/// Why a race cannot be run.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
pub enum RaceError {
    /// Fewer than two candidates.
    #[error("a race needs at least two candidates")]
    TooFew,
    /// The confidence is not between ½ and 1.
    #[error("the confidence is {0}, but must lie between 0.5 and 1")]
    Confidence(f64),
    /// The smallest difference that matters is not a positive number.
    #[error("the smallest difference that matters is {0} Elo, but must be above zero")]
    Difference(f64),
}

/// The rules of a race.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Race {
    candidates: usize,
    confidence: f64,
    difference: f64,
}

/// Where a race stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RaceState {
    /// These candidates go on, until each has played so many pairs altogether.
    Running {
        /// By number, ascending.
        candidates: Vec<usize>,
        /// Pairs per candidate, those already played included.
        pairs: usize,
    },
    /// One is left.
    Won {
        /// Its number.
        candidate: usize,
    },
}

impl Race {
    /// A race between so many candidates, whose best wins with probability `confidence` if it is ahead of all others by
    /// `difference` normalised Elo or more.
    ///
    /// # Errors
    /// When there is nothing to choose or the numbers make no sense.
    pub fn new(candidates: usize, confidence: f64, difference: f64) -> Result<Self, RaceError> {
        if candidates < 2 {
            return Err(RaceError::TooFew);
        }
        if !(confidence > 0.5 && confidence < 1.0) {
            return Err(RaceError::Confidence(confidence));
        }
        if !(difference > 0.0 && difference.is_finite()) {
            return Err(RaceError::Difference(difference));
        }
        Ok(Self { candidates, confidence, difference })
    }

    /// ln((K − 1) / (2 (1 − confidence))), never below what makes the allowance positive.
    fn caution(&self) -> f64 {
        ((self.candidates - 1) as f64 / (2.0 * (1.0 - self.confidence))).ln().max(0.1)
    }

    /// The smallest difference in standard deviations of a pair's score.
    fn difference_in_deviations(&self) -> f64 {
        self.difference / NORMALISED_ELO_PER_T * std::f64::consts::SQRT_2
    }

    /// The most pairs that a candidate can be asked to play.
    #[must_use]
    pub fn longest(&self) -> usize {
        let pairs = 4.0 * self.caution() / self.difference_in_deviations().powi(2);
        (pairs.ceil() as usize).max(FIRST_LOOK)
    }

    /// Where the race stands, from every candidate's results against the base: half points (0 to 4) of its pairs in the
    /// order of their openings. Pairs behind the first one that is still missing are not to be listed.
    ///
    /// The answer depends on nothing else, so that an interrupted race goes on from its results. Lists that are missing
    /// count as empty; half points above 4 count as 4.
    #[must_use]
    pub fn state(&self, results: &[Vec<u8>]) -> RaceState {
        let mut running: Vec<usize> = (0..self.candidates).collect();
        let pairs_of = |candidate: usize| results.get(candidate).map_or(0, Vec::len);
        let score_of = |candidate: usize, pair: usize| f64::from(results[candidate][pair].min(4)) / 4.0;
        let mut sums = vec![0.0; self.candidates];
        let mut squares = vec![0.0; self.candidates];
        // Of those who are out: squared distances from their averages, and pairs.
        let mut dropped = (0.0, 0);
        for pair in 0..self.longest() {
            if running.iter().any(|&candidate| pairs_of(candidate) <= pair) {
                let pairs = if pair < FIRST_LOOK { FIRST_LOOK } else { pair + 1 };
                return RaceState::Running { candidates: running, pairs };
            }
            for &candidate in &running {
                let score = score_of(candidate, pair);
                sums[candidate] += score;
                squares[candidate] += score * score;
            }
            let played = pair + 1;
            if played >= FIRST_LOOK {
                let spread = |candidate: usize| squares[candidate] - sums[candidate].powi(2) / played as f64;
                let spreads: f64 = running.iter().map(|&candidate| spread(candidate)).sum();
                let pairs = running.len() * played + dropped.1;
                let variance = (EVEN_SPREAD + dropped.0 + spreads) / (1 + pairs) as f64;
                let allowance = self.allowance(variance, played);
                let best = running.iter().map(|&candidate| sums[candidate]).fold(f64::NEG_INFINITY, f64::max);
                running.retain(|&candidate| {
                    let stays = best - sums[candidate] <= allowance;
                    if !stays {
                        dropped = (dropped.0 + spread(candidate), dropped.1 + played);
                    }
                    stays
                });
            }
            if let [candidate] = running[..] {
                return RaceState::Won { candidate };
            }
        }
        // The allowance is used up and candidates are exactly level: the first of the list is as good as any.
        let first_best =
            running.iter().copied().reduce(|best, other| if sums[other] > sums[best] { other } else { best });
        RaceState::Won { candidate: first_best.unwrap_or(0) }
    }

    /// By how many points (of 1 per pair) one candidate may be behind another after so many pairs each, given the variance
    /// of a pair's score.
    fn allowance(&self, variance: f64, pairs: usize) -> f64 {
        let difference = self.difference_in_deviations() * variance.sqrt();
        let begin = self.caution() * 2.0 * variance / difference;
        (begin - pairs as f64 * difference / 2.0).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;
    use crate::statistics::ScoreCounts;

    /// A pair's half points for a strength in normalised Elo, from shares with nearly constant variance.
    fn draw(random: &mut Random, elo: f64) -> u8 {
        let even = [0.03, 0.22, 0.5, 0.22, 0.03];
        let deviation = ScoreCounts::of_pairs(even).variance().unwrap().sqrt();
        // A pair moved from ½ to 1½ points gains half a pair's score.
        let shift = 2.0 * elo / NORMALISED_ELO_PER_T * std::f64::consts::SQRT_2 * deviation;
        let shares = [0.03, 0.22 - shift, 0.5, 0.22 + shift, 0.03];
        let mut rest = random.fraction();
        for (half_points, share) in shares.iter().enumerate() {
            rest -= share;
            if rest < 0.0 {
                return half_points as u8;
            }
        }
        4
    }

    /// Runs a race; gives the winner and the pairs that were played.
    fn run(race: &Race, strengths: &[f64], random: &mut Random) -> (usize, usize) {
        let mut results = vec![Vec::new(); strengths.len()];
        loop {
            match race.state(&results) {
                RaceState::Won { candidate } => return (candidate, results.iter().map(Vec::len).sum()),
                RaceState::Running { candidates, pairs } => {
                    // Larger steps than needed change nothing but the cost of this test.
                    let target = pairs.next_multiple_of(8).min(race.longest());
                    for candidate in candidates {
                        while results[candidate].len() < target {
                            results[candidate].push(draw(random, strengths[candidate]));
                        }
                    }
                }
            }
        }
    }

    /// How often the best of equal shares is the best one.
    fn equal_shares(strengths: &[f64], pairs: usize, runs: u32, seed: u64) -> f64 {
        let mut random = Random::new(seed);
        let won = (0..runs).filter(|_| {
            let sums: Vec<u32> =
                strengths.iter().map(|&elo| (0..pairs).map(|_| u32::from(draw(&mut random, elo))).sum()).collect();
            sums[1..].iter().all(|&sum| sum < sums[0])
        });
        won.count() as f64 / f64::from(runs)
    }

    /// The promise is kept even in the hardest case, all others exactly the smallest difference behind; and games are
    /// saved against equal shares that find the best as often.
    #[test]
    fn the_best_wins_as_promised_and_games_are_saved() {
        let runs = 200;
        for (name, strengths) in [
            ("all others 20 behind", vec![20.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
            ("a usual mixture", vec![20.0, 0.0, -5.0, -10.0, -15.0, -20.0, -30.0, -40.0]),
        ] {
            let race = Race::new(strengths.len(), 0.95, 20.0).unwrap();
            let mut random = Random::new(77);
            let (mut right, mut pairs) = (0, 0);
            for _ in 0..runs {
                let (winner, played) = run(&race, &strengths, &mut random);
                right += u32::from(winner == 0);
                pairs += played;
            }
            let rate = f64::from(right) / f64::from(runs);
            let average = pairs as f64 / f64::from(runs);
            // The smallest equal share that is right as often as the promise (not as the race, which does better).
            let step = race.longest() / 64;
            let (mut too_few, mut enough) = (0, 96);
            while enough - too_few > 1 {
                let middle = usize::midpoint(too_few, enough);
                let right = equal_shares(&strengths, middle * step, 2 * runs, 5);
                *(if right < 0.95 { &mut too_few } else { &mut enough }) = middle;
            }
            let share = enough * step;
            let equal = (share * strengths.len()) as f64;
            let saving = 1.0 - average / equal;
            let saving_of_longest = 1.0 - average / (race.longest() * strengths.len()) as f64;
            println!(
                "{name}: the best wins {:.1} % of races with {:.0} games on average; equal shares need {:.0} for 95 %: \
                 {:.0} % saved ({:.0} % of the longest race)",
                100.0 * rate,
                2.0 * average,
                2.0 * equal,
                100.0 * saving,
                100.0 * saving_of_longest,
            );
            assert!(rate >= 0.95 - 2.0 * (0.95 * 0.05 / f64::from(runs)).sqrt(), "{name}: {rate}");
            assert!(saving > 0.0, "{name}: {saving}");
        }
    }

    #[test]
    fn level_candidates_end_too() {
        let race = Race::new(3, 0.9, 50.0).unwrap();
        let level = vec![vec![2; race.longest()]; 3];
        assert_eq!(race.state(&level), RaceState::Won { candidate: 0 });
        let mut random = Random::new(1);
        let (_, pairs) = run(&race, &[0.0; 3], &mut random);
        assert!(pairs <= 3 * race.longest());
    }

    #[test]
    fn the_state_follows_from_the_results() {
        let race = Race::new(3, 0.95, 100.0).unwrap();
        assert_eq!(race.state(&[]), RaceState::Running { candidates: vec![0, 1, 2], pairs: FIRST_LOOK });
        // The last one is far behind and is dropped at the first look.
        let wavy = |base: u8| (0..16).map(|pair| base + pair % 2).collect::<Vec<u8>>();
        let results = [wavy(2), wavy(2), wavy(0)];
        let RaceState::Running { candidates, pairs } = race.state(&results) else { panic!() };
        assert_eq!((candidates, pairs), (vec![0, 1], 17));
        // More results of those who are out change nothing.
        let more = [wavy(2), wavy(2), wavy(0).into_iter().chain([4; 30]).collect()];
        assert_eq!(race.state(&more), race.state(&results));
        let strange = [vec![9; 40], vec![0; 40], vec![0; 40]];
        assert_eq!(race.state(&strange), RaceState::Won { candidate: 0 });
    }

    #[test]
    fn senseless_races_are_refused() {
        assert_eq!(Race::new(1, 0.95, 10.0), Err(RaceError::TooFew));
        assert!(matches!(Race::new(2, 1.0, 10.0), Err(RaceError::Confidence(_))));
        assert!(matches!(Race::new(2, f64::NAN, 10.0), Err(RaceError::Confidence(_))));
        assert!(matches!(Race::new(2, 0.9, 0.0), Err(RaceError::Difference(_))));
    }
}
