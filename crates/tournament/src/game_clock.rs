//! The clocks of one game. They do not tick: whoever measures time tells them.

use std::time::Duration;

use kiebitz_chess::Color;

use crate::time_control::TimeControl;

/// What a clock says about a move that took some time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ClockVerdict {
    /// In time.
    InTime,
    /// Late by so much, but within the margin: the game goes on.
    Forgiven(Duration),
    /// Late by so much, more than the margin: lost on time.
    FlagFall(Duration),
}

/// One player's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct SideClock {
    control: TimeControl,
    /// What is left; meaningless without a clock.
    remaining: Duration,
    /// Moves until time is added; `None` if it never is.
    moves_to_go: Option<u32>,
}

/// Both players' clocks, each with its own control, so that odds need nothing special.
///
/// ```
/// use kiebitz_chess::Color;
/// use kiebitz_tournament::{ClockVerdict, GameClock};
/// use std::time::Duration;
/// let mut clock = GameClock::new("2/10+1".parse()?, "st=0.5 margin=0.1".parse()?);
/// assert_eq!(clock.spend(Color::White, Duration::from_secs(4)), ClockVerdict::InTime);
/// assert_eq!(clock.remaining(Color::White), Some(Duration::from_secs(7)));
/// assert_eq!(clock.moves_to_go(Color::White), Some(1));
/// assert_eq!(clock.spend(Color::Black, Duration::from_millis(550)), ClockVerdict::Forgiven(Duration::from_millis(50)));
/// # Ok::<(), kiebitz_tournament::TimeControlError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameClock {
    sides: [SideClock; Color::COUNT],
}

impl SideClock {
    fn new(control: TimeControl) -> Self {
        let remaining = control.clock.map_or(Duration::ZERO, |clock| clock.time);
        // A game without base time lives on increments, the first of which must be there before the first move.
        let remaining = match control.clock {
            Some(clock) if clock.time.is_zero() => clock.increment,
            _ => remaining,
        };
        Self { control, remaining, moves_to_go: control.clock.and_then(|clock| clock.moves) }
    }

    /// The most a move may take before it counts as late.
    fn limit(&self) -> Option<Duration> {
        if self.control.clock.is_some() { Some(self.remaining) } else { self.control.move_time }
    }

    fn spend(&mut self, elapsed: Duration) -> ClockVerdict {
        let Some(limit) = self.limit() else { return ClockVerdict::InTime };
        let late = elapsed.saturating_sub(limit);
        if let Some(clock) = self.control.clock {
            self.remaining = self.remaining.saturating_sub(elapsed);
            if late <= self.control.margin {
                self.remaining = self.remaining.saturating_add(clock.increment);
                if let (Some(left), Some(period)) = (self.moves_to_go, clock.moves) {
                    self.moves_to_go = Some(if left <= 1 { period } else { left - 1 });
                    if left <= 1 {
                        self.remaining = self.remaining.saturating_add(clock.time);
                    }
                }
            }
        }
        if late.is_zero() {
            ClockVerdict::InTime
        } else if late <= self.control.margin {
            ClockVerdict::Forgiven(late)
        } else {
            ClockVerdict::FlagFall(late)
        }
    }
}

impl GameClock {
    /// Clocks as they stand before the first move.
    #[must_use]
    pub fn new(white: TimeControl, black: TimeControl) -> Self {
        Self { sides: [SideClock::new(white), SideClock::new(black)] }
    }

    const fn side(&self, color: Color) -> &SideClock {
        &self.sides[color as usize]
    }

    /// The control a player has.
    #[must_use]
    pub const fn control(&self, color: Color) -> &TimeControl {
        &self.side(color).control
    }

    /// What a player's clock shows; `None` if there is no clock.
    #[must_use]
    pub fn remaining(&self, color: Color) -> Option<Duration> {
        let side = self.side(color);
        side.control.clock.map(|_| side.remaining)
    }

    /// The increment a player gets after each move; `None` if there is no clock.
    #[must_use]
    pub fn increment(&self, color: Color) -> Option<Duration> {
        self.control(color).clock.map(|clock| clock.increment)
    }

    /// Moves until time is added; `None` if it never is.
    #[must_use]
    pub const fn moves_to_go(&self, color: Color) -> Option<u32> {
        self.side(color).moves_to_go
    }

    /// The longest a player may think about the next move, margin included, before the flag has fallen for certain;
    /// `None` if there is no limit. What a manager waits for at most.
    #[must_use]
    pub fn patience(&self, color: Color) -> Option<Duration> {
        let side = self.side(color);
        Some(side.limit()?.saturating_add(side.control.margin))
    }

    /// A player has made a move that took so long: takes the time off, adds increment and new periods, and judges.
    ///
    /// A move that is forgiven leaves the clock at zero before the increment. After a fallen flag nothing is added.
    pub fn spend(&mut self, color: Color, elapsed: Duration) -> ClockVerdict {
        self.sides[color as usize].spend(elapsed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn clock(white: &str, black: &str) -> GameClock {
        GameClock::new(white.parse().unwrap(), black.parse().unwrap())
    }

    #[test]
    fn time_runs_and_increments_are_added() {
        let mut clock = clock("10+0.1", "5");
        assert_eq!(clock.spend(Color::White, SECOND), ClockVerdict::InTime);
        assert_eq!(clock.remaining(Color::White), Some(Duration::from_millis(9_100)));
        assert_eq!(clock.spend(Color::Black, SECOND * 5), ClockVerdict::InTime);
        assert_eq!(clock.remaining(Color::Black), Some(Duration::ZERO));
        assert_eq!(clock.spend(Color::Black, Duration::from_nanos(1)), ClockVerdict::FlagFall(Duration::from_nanos(1)));
        assert_eq!(clock.moves_to_go(Color::White), None);
        assert_eq!(clock.increment(Color::White), Some(Duration::from_millis(100)));
    }

    #[test]
    fn periods_begin_anew() {
        let mut clock = clock("3/10+1", "inf");
        let mut seen = Vec::new();
        for _ in 0..4 {
            assert_eq!(clock.spend(Color::White, SECOND * 3), ClockVerdict::InTime);
            seen.push((clock.remaining(Color::White).unwrap().as_secs(), clock.moves_to_go(Color::White).unwrap()));
        }
        assert_eq!(seen, [(8, 2), (6, 1), (14, 3), (12, 2)]);
    }

    #[test]
    fn margins_forgive_but_give_nothing_back() {
        let mut clock = clock("1+0.5 margin=0.2", "1+0.5 margin=0.2");
        assert_eq!(clock.patience(Color::White), Some(Duration::from_millis(1_200)));
        let late = Duration::from_millis(200);
        assert_eq!(clock.spend(Color::White, SECOND + late), ClockVerdict::Forgiven(late));
        assert_eq!(clock.remaining(Color::White), Some(Duration::from_millis(500)));
        let more = Duration::from_millis(201);
        assert_eq!(clock.spend(Color::Black, SECOND + more), ClockVerdict::FlagFall(more));
        assert_eq!(clock.remaining(Color::Black), Some(Duration::ZERO));
    }

    #[test]
    fn moves_with_their_own_time_do_not_save_any() {
        let mut clock = clock("st=1", "nodes=5");
        for _ in 0..3 {
            assert_eq!(clock.spend(Color::White, SECOND), ClockVerdict::InTime);
        }
        assert_eq!(clock.spend(Color::White, SECOND * 2), ClockVerdict::FlagFall(SECOND));
        assert_eq!(clock.remaining(Color::White), None);
        // Whoever counts nodes never loses on time.
        assert_eq!(clock.spend(Color::Black, SECOND * 1000), ClockVerdict::InTime);
        assert_eq!(clock.patience(Color::Black), None);
    }

    #[test]
    fn a_game_on_increments_alone_can_begin() {
        let mut clock = clock("0+1", "0+1");
        assert_eq!(clock.remaining(Color::White), Some(SECOND));
        assert_eq!(clock.spend(Color::White, SECOND / 2), ClockVerdict::InTime);
        assert_eq!(clock.remaining(Color::White), Some(SECOND + SECOND / 2));
    }
}
