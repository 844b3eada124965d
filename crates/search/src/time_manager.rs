//! How long to think.
//!
//! **Idea:** the clock is planned over the moves to come, and every move may stretch or shorten its share. **Conditions and
//! formula:** a best move that stays needs less time with every iteration; a score that falls below its recent average needs more;
//! so does a best move that has few of the nodes.
//!
//! **Match:** on against off at 0.5+0.005 with a network, UHO openings, fifteen games at a time: stability +10.6 ± 14.7 Elo (981 games),
//! falling score +21.6 ± 14.1 (1 000), share of nodes +20.4 ± 14.4 (989). Without one of them moves take as long in the mean.

use std::time::Duration;

use crate::{Clock, GameTime, SearchLimits, SearchSignal};

/// Two deadlines: one at which a search that goes smoothly ends between iterations, one that it never crosses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Budget {
    optimum: Duration,
    maximum: Duration,
}

/// How steady the search looks, which stretches or shortens the optimum.
#[derive(Clone, Copy, Debug)]
pub struct Steadiness {
    /// Iterations since the best move last changed.
    pub unchanged_iterations: u32,
    /// How far the score has fallen below its recent average, in centipawns; negative if it rose.
    pub score_drop: i32,
    /// The share of all nodes that went into the best move.
    pub node_share: f64,
}

/// The watch of one search.
#[derive(Clone, Debug)]
pub struct TimeManager {
    clock: Clock,
    start: Duration,
    budget: Option<Budget>,
    exact: Option<Duration>,
    signal: SearchSignal,
}

crate::tunables! {
    numbers {
        /// Moves that a game without moves to go is planned to last on.
        time_expected_moves = 40 in 15..=50 step 2;
        /// Share of the plan that a smooth search takes, in hundredths.
        time_optimum = 85 in 40..=130 step 4;
        /// How much longer a search may take than a smooth one, in hundredths.
        time_maximum = 450 in 150..=900 step 25;
        /// Stretch for a best move that has just changed, in hundredths.
        time_changed = 160 in 100..=250 step 6;
        /// How much less with every iteration that it stays, in hundredths.
        time_unchanged = 12 in 0..=25 step 1;
        /// Centipawns that a score has to fall to double the time.
        time_falling = 120 in 40..=400 step 10;
        /// Stretch for a best move without any nodes, in hundredths.
        time_rivals = 210 in 120..=300 step 8;
        /// How much less if it has all nodes, in hundredths.
        time_node_share = 150 in 0..=250 step 8;
    }
    switches {
        /// A best move that stays needs less time.
        time_by_stability: on;
        /// A falling score needs more.
        time_by_score: on;
        /// A best move that has most of the nodes needs less.
        time_by_nodes: on;
    }
}

/// However long the best move has stayed, a search gets so much of its plan.
const LEAST_STABILITY: f64 = 0.2;
/// No plan looks further ahead than this.
const LONGEST_PLAN: u32 = 50;
/// The smallest time that is worth planning with.
const LEAST: Duration = Duration::from_millis(1);

impl TimeManager {
    /// Starts the watch. `overhead` is what every move loses on its way to the opponent.
    #[must_use]
    pub fn start(clock: Clock, limits: &SearchLimits, overhead: Duration, signal: &SearchSignal) -> Self {
        let timed = !limits.infinite;
        Self {
            clock,
            start: limits.asked.unwrap_or_else(|| clock.now()),
            budget: limits.game_time.filter(|_| timed).map(|time| plan(time, overhead)),
            exact: limits.move_time.filter(|_| timed).map(|time| time.saturating_sub(overhead).max(LEAST)),
            signal: signal.clone(),
        }
    }

    /// Time since the start.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.clock.now().saturating_sub(self.start)
    }

    /// Whether the search must end at once.
    #[must_use]
    pub fn is_over(&self) -> bool {
        if self.signal.is_stopped() {
            return true;
        }
        let deadline = match (self.budget, self.exact) {
            (Some(budget), Some(exact)) => budget.maximum.min(exact),
            (Some(budget), None) => budget.maximum,
            (None, Some(exact)) => exact,
            (None, None) => return false,
        };
        !self.signal.is_pondering() && self.elapsed() >= deadline
    }

    /// Whether another iteration is not worth beginning.
    #[must_use]
    pub fn is_enough(&self, steadiness: Steadiness) -> bool {
        let Some(budget) = self.budget.filter(|_| !self.signal.is_pondering()) else { return false };
        let wanted = budget.optimum.mul_f64(stretch(steadiness)).min(budget.maximum);
        self.elapsed() >= wanted
    }

    /// Whether a clock of a game is running: a single legal move is then played at once.
    #[must_use]
    pub fn is_game(&self) -> bool {
        self.budget.is_some() && !self.signal.is_pondering()
    }
}

/// Splits the time that is left over the moves to come.
fn plan(time: GameTime, overhead: Duration) -> Budget {
    let moves = time.moves_to_go.map_or(time_expected_moves() as u32, |moves| moves.clamp(1, LONGEST_PLAN));
    let left = time.left.saturating_sub(overhead).max(LEAST);
    // What every later move will lose must not be planned away now.
    let reserve = overhead * (moves - 1).min(10);
    let pool = (left + time.increment * (moves - 1)).saturating_sub(reserve).max(LEAST);
    let sudden_death = time.moves_to_go.is_none();
    let (share, most) = if sudden_death { (hundredths(time_optimum()), 0.60) } else { (0.9, 0.8) };
    let optimum = pool.mul_f64(share / f64::from(moves));
    // The last move before more time may take nearly all; otherwise the next moves need some.
    let cap = if moves == 1 { left.mul_f64(0.9) } else { left.mul_f64(most) };
    let maximum = optimum.mul_f64(hundredths(time_maximum())).min(cap).max(LEAST);
    Budget { optimum: optimum.min(maximum), maximum }
}

/// A move that keeps being best needs less time; a falling score and rival moves need more.
fn stretch(steadiness: Steadiness) -> f64 {
    let mut stretch = 1.0;
    if time_by_stability() {
        let unchanged = steadiness.unchanged_iterations.min(7) as i32;
        stretch *= hundredths(time_changed() - time_unchanged() * unchanged).max(LEAST_STABILITY);
    }
    if time_by_score() {
        stretch *= (1.0 + f64::from(steadiness.score_drop) / f64::from(time_falling())).clamp(0.75, 1.6);
    }
    if time_by_nodes() {
        stretch *= (hundredths(time_rivals()) - hundredths(time_node_share()) * steadiness.node_share).clamp(0.6, 2.0);
    }
    stretch
}

fn hundredths(number: i32) -> f64 {
    f64::from(number) / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(10);

    fn game_time(left: u64, increment: u64, moves_to_go: Option<u32>) -> GameTime {
        let [left, increment] = [left, increment].map(Duration::from_millis);
        GameTime { left, increment, moves_to_go }
    }

    #[test]
    fn no_plan_uses_more_than_there_is() {
        for left in [0, 1, 5, 20, 100, 1_000, 60_000, 7_200_000] {
            for increment in [0, 2, 10, 1_000, 60_000] {
                for moves in [None, Some(1), Some(2), Some(40), Some(1_000)] {
                    let time = game_time(left, increment, moves);
                    let budget = plan(time, OVERHEAD);
                    assert!(budget.optimum <= budget.maximum, "{time:?} {budget:?}");
                    let usable = time.left.saturating_sub(OVERHEAD).max(LEAST);
                    assert!(budget.maximum <= usable, "{time:?} {budget:?}");
                }
            }
        }
    }

    #[test]
    fn whole_games_are_survived_even_at_the_maximum() {
        for (left, increment, to_go) in [(1_000, 10, None), (200, 2, None), (60_000, 0, None), (2_000, 0, Some(40))] {
            let mut time = game_time(left, increment, to_go);
            for _ in 0..to_go.unwrap_or(300) {
                let spent = plan(time, OVERHEAD).maximum;
                assert!(spent <= time.left || spent == LEAST, "{time:?}");
                time.left = time.left.saturating_sub(spent) + time.increment;
                time.moves_to_go = time.moves_to_go.map(|moves| moves - 1);
            }
        }
    }

    #[test]
    fn time_counts_from_the_question() {
        let clock = Clock::new(|| Duration::from_secs(9));
        let asked = |asked| SearchLimits { move_time: Some(Duration::from_secs(2)), asked, ..SearchLimits::default() };
        for (when, is_over) in
            [(None, false), (Some(Duration::from_secs(8)), false), (Some(Duration::from_secs(7)), true)]
        {
            let watch = TimeManager::start(clock, &asked(when), OVERHEAD, &SearchSignal::new());
            assert_eq!(watch.is_over(), is_over, "{when:?}");
        }
    }

    #[test]
    fn pondering_counts_no_time_until_the_hit() {
        let limits = SearchLimits { move_time: Some(Duration::ZERO), ..SearchLimits::default() };
        let signal = SearchSignal::pondering();
        let watch = TimeManager::start(Clock::new(|| Duration::from_secs(9)), &limits, OVERHEAD, &signal);
        assert!(!watch.is_over());
        signal.stop();
        assert!(watch.is_over());
    }
}
