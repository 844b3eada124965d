//! How much time, or how many nodes, a player has: the text that people write, and its meaning.
//!
//! | text | meaning |
//! |---|---|
//! | `10+0.1` | ten seconds for the game, and a tenth of a second more for every move |
//! | `40/60+0.5` | sixty seconds for every forty moves, half a second per move |
//! | `1:30+1` | a minute and a half, one second per move |
//! | `movetime=100ms`, `st=0.1` | a tenth of a second for every move |
//! | `nodes=5000`, `depth=8` | a search limit; alone, without any clock |
//! | `inf` | no limit at all |
//! | `margin=20ms` | what may be overstepped without a loss on time; none if not given |
//!
//! Parts are joined by spaces or commas: `10+0.1 nodes=100000 margin=10ms`. Plain numbers are seconds. Times are exact to
//! the nanosecond; no floating point is involved.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A clock for a game, or for a number of moves at a time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ClockControl {
    /// Moves after which [`Self::time`] is added again; never zero. `None` if the time is for the whole game.
    pub moves: Option<u32>,
    /// What the clock starts with; not zero unless there is an increment.
    pub time: Duration,
    /// What is added after every move.
    pub increment: Duration,
}

/// What limits the thinking of one player. Without any limit: until told to stop.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct TimeControl {
    /// A clock, as in human tournaments.
    pub clock: Option<ClockControl>,
    /// Time for each move, never saved up.
    pub move_time: Option<Duration>,
    /// Positions to visit for each move.
    pub nodes: Option<u64>,
    /// Plies to search for each move.
    pub depth: Option<u32>,
    /// How far a limit in time may be overstepped without losing the game: room for the manager's own latency.
    pub margin: Duration,
}

/// Why a text is not a time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("time control '{text}': {problem}")]
pub struct TimeControlError {
    /// The whole text.
    pub text: String,
    /// What is wrong, in words.
    pub problem: String,
}

impl TimeControl {
    /// A clock for the whole game.
    #[must_use]
    pub const fn game(time: Duration, increment: Duration) -> Self {
        Self::of_clock(ClockControl { moves: None, time, increment })
    }

    /// A clock.
    #[must_use]
    pub const fn of_clock(clock: ClockControl) -> Self {
        Self { clock: Some(clock), move_time: None, nodes: None, depth: None, margin: Duration::ZERO }
    }

    /// Whether any time is measured, so that a player can lose on time.
    #[must_use]
    pub const fn is_timed(&self) -> bool {
        self.clock.is_some() || self.move_time.is_some()
    }

    /// Whether results depend on nothing but the positions: fixed nodes or depth, and no time.
    #[must_use]
    pub const fn is_deterministic(&self) -> bool {
        !self.is_timed() && (self.nodes.is_some() || self.depth.is_some())
    }

    /// The same control with all times multiplied, for time odds and for machines of another speed. Search limits and
    /// the margin stay.
    #[must_use]
    pub fn scaled(mut self, factor: f64) -> Self {
        let factor = if factor.is_finite() { factor.clamp(1e-6, 1e6) } else { 1.0 };
        // Days of thinking time times a million would overflow; nobody waits that long.
        let scale = |time: Duration| Duration::try_from_secs_f64(time.as_secs_f64() * factor).unwrap_or(time);
        if let Some(clock) = &mut self.clock {
            clock.time = scale(clock.time);
            clock.increment = scale(clock.increment);
        }
        self.move_time = self.move_time.map(scale);
        self
    }
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        let fail = |problem: String| TimeControlError { text: text.to_owned(), problem };
        let mut control = Self::default();
        let mut seen: Vec<&str> = Vec::new();
        for part in text.split([' ', ',', '\t']).filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').unwrap_or(("tc", part));
            let name = match name {
                "st" => "movetime",
                other => other,
            };
            if seen.contains(&name) {
                return Err(fail(format!("{name} is given twice")));
            }
            seen.push(name);
            let parsed = match name {
                "tc" => read_clock(value).map(|clock| control.clock = clock),
                "movetime" => read_positive_time(value).map(|time| control.move_time = Some(time)),
                "margin" => read_time(value).map(|time| control.margin = time),
                "nodes" => read_count(value).map(|count| control.nodes = Some(count)),
                "depth" => read_count(value).map(|count| control.depth = Some(count)),
                _ => Err(format!("'{name}' is none of tc, movetime, st, nodes, depth and margin")),
            };
            parsed.map_err(fail)?;
        }
        if control.clock.is_some() && control.move_time.is_some() {
            return Err(fail("a clock and a time per move exclude each other".to_owned()));
        }
        if seen.iter().all(|&name| name == "margin") {
            return Err(fail("expected something like 10+0.1, nodes=5000 or inf".to_owned()));
        }
        Ok(control)
    }
}

/// Reads `40/60+0.5`; `None` for `inf`.
fn read_clock(text: &str) -> Result<Option<ClockControl>, String> {
    if text == "inf" || text == "infinite" {
        return Ok(None);
    }
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) => (Some(read_count(moves)?), rest),
        None => (None, text),
    };
    let (time, increment) = match rest.split_once('+') {
        Some((time, increment)) => (read_time(time)?, read_time(increment)?),
        None => (read_time(rest)?, Duration::ZERO),
    };
    if time.is_zero() && increment.is_zero() {
        return Err("there is no time to play with".to_owned());
    }
    Ok(Some(ClockControl { moves, time, increment }))
}

/// Reads a number that is not zero.
fn read_count<N: FromStr + PartialOrd + From<u8>>(text: &str) -> Result<N, String> {
    let number = text.parse::<N>().ok().filter(|number| *number > N::from(0));
    number.ok_or_else(|| format!("'{text}' is not a whole number above zero"))
}

fn read_positive_time(text: &str) -> Result<Duration, String> {
    let time = read_time(text)?;
    if time.is_zero() { Err(format!("'{text}' is no time at all")) } else { Ok(time) }
}

/// In a second.
const NANOSECONDS: u64 = 1_000_000_000;

/// Reads `0.1`, `100ms`, `2s`, `1:30` or `1:02:03.5`.
fn read_time(text: &str) -> Result<Duration, String> {
    let fail = || format!("'{text}' is not a time such as 0.1, 100ms or 1:30");
    if let Some(number) = text.strip_suffix("ms") {
        return read_decimal(number, 6).map(Duration::from_nanos).ok_or_else(fail);
    }
    let bare = text.strip_suffix('s').unwrap_or(text);
    let (whole, seconds) = bare.rsplit_once(':').unwrap_or(("", bare));
    let mut minutes = 0_u64;
    for part in whole.split(':').filter(|_| bare.contains(':')) {
        let number: u64 =
            part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse().ok()).flatten().ok_or_else(fail)?;
        minutes = minutes.checked_mul(60).and_then(|sum| sum.checked_add(number)).ok_or_else(fail)?;
    }
    let nanoseconds = read_decimal(seconds, 9).ok_or_else(fail)?;
    // The same limit for every form, so that what is read in one can be written in another.
    let minutes = minutes.checked_mul(60 * NANOSECONDS).and_then(|minutes| minutes.checked_add(nanoseconds));
    minutes.map(Duration::from_nanos).ok_or_else(fail)
}

/// Reads a decimal number as a whole number of its `digits`-th decimal place; more digits than that are refused.
fn read_decimal(text: &str, digits: u32) -> Option<u64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let all_digits = whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit());
    if !all_digits || (whole.is_empty() && fraction.is_empty()) || fraction.len() > digits as usize {
        return None;
    }
    let unit = 10_u64.pow(digits);
    let whole = if whole.is_empty() { 0 } else { whole.parse::<u64>().ok()? };
    let fraction_value = if fraction.is_empty() { 0 } else { fraction.parse::<u64>().ok()? };
    let fraction_unit = 10_u64.pow(digits - fraction.len() as u32);
    whole.checked_mul(unit)?.checked_add(fraction_value * fraction_unit)
}

/// Seconds with as many decimals as needed.
struct Seconds(Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.0.as_secs())?;
        match self.0.subsec_nanos() {
            0 => Ok(()),
            nanoseconds => write!(formatter, ".{}", format!("{nanoseconds:09}").trim_end_matches('0')),
        }
    }
}

/// The canonical text, which reads back as the same control.
impl fmt::Display for TimeControl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if let Some(ClockControl { moves, time, increment }) = self.clock {
            let moves = moves.map_or_else(String::new, |moves| format!("{moves}/"));
            let increment = if increment.is_zero() { String::new() } else { format!("+{}", Seconds(increment)) };
            parts.push(format!("{moves}{}{increment}", Seconds(time)));
        }
        if let Some(time) = self.move_time {
            parts.push(format!("movetime={}", Seconds(time)));
        }
        if let Some(nodes) = self.nodes {
            parts.push(format!("nodes={nodes}"));
        }
        if let Some(depth) = self.depth {
            parts.push(format!("depth={depth}"));
        }
        if parts.is_empty() {
            parts.push("inf".to_owned());
        }
        if !self.margin.is_zero() {
            parts.push(format!("margin={}", Seconds(self.margin)));
        }
        formatter.write_str(&parts.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> TimeControl {
        text.parse().unwrap()
    }

    #[test]
    fn the_usual_texts_are_understood() {
        let clock = |moves, time, increment| ClockControl {
            moves,
            time: Duration::from_millis(time),
            increment: Duration::from_millis(increment),
        };
        assert_eq!(read("40/60+0.5").clock, Some(clock(Some(40), 60_000, 500)));
        assert_eq!(read("10+0.1").clock, Some(clock(None, 10_000, 100)));
        assert_eq!(read("tc=0.2+0.002").clock, Some(clock(None, 200, 2)));
        assert_eq!(read("1:30+1").clock, Some(clock(None, 90_000, 1_000)));
        assert_eq!(read("1:00:00").clock, Some(clock(None, 3_600_000, 0)));
        assert_eq!(read("0+1").clock, Some(clock(None, 0, 1_000)));
        assert_eq!(read("inf"), TimeControl::default());
        assert_eq!(read("movetime=100ms"), read("st=0.1"));
        assert_eq!(read("nodes=5000").nodes, Some(5000));
        assert_eq!(read("depth=8, margin=20ms").margin, Duration::from_millis(20));
        assert!(read("nodes=5000").is_deterministic() && !read("10+0.1 nodes=5000").is_deterministic());
        assert!(!read("inf").is_deterministic());
    }

    #[test]
    fn texts_round_trip() {
        for text in ["40/60+0.5", "10+0.1", "0.2+0.002", "inf", "nodes=5000", "depth=8", "movetime=0.1"] {
            assert_eq!(read(text).to_string(), text);
        }
        assert_eq!(read("1:30+1,nodes=7,margin=5ms").to_string(), "90+1 nodes=7 margin=0.005");
    }

    #[test]
    fn nonsense_is_refused_with_a_reason() {
        for text in [
            "",
            "margin=1",
            "10+",
            "+1",
            "0",
            "0+0",
            "10+-1",
            "-1",
            "1e3",
            "0/10",
            "x/10",
            "40/",
            "10+0.0000000001",
            "abc",
            "nodes=0",
            "nodes=1.5",
            "depth=-1",
            "depth=99999999999",
            "time=5",
            "10+0.1 5+0.1",
            "10+0.1 st=1",
            "st=0",
            "1:x",
            "::1",
            "18446744073709551615",
            "99999999999999999:00",
            "10:0:10:00:11:10200:11",
            "nan",
            "10+inf",
            "1.2.3",
            "ms",
            ".",
        ] {
            let error = text.parse::<TimeControl>().expect_err(text);
            assert!(error.to_string().starts_with(&format!("time control '{text}': ")), "{error}");
        }
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig { failure_persistence: None, ..Default::default() })]

        /// Whatever is read is written back as the same control, and nothing panics.
        #[test]
        fn what_is_accepted_round_trips(text in "[0-9.:/+,= a-z-]{0,24}|([0-9]{1,3}/)?[0-9]{1,4}(\\.[0-9]{1,9})?(\\+[0-9.]{1,5})?") {
            if let Ok(control) = text.parse::<TimeControl>() {
                proptest::prop_assert_eq!(control.to_string().parse(), Ok(control));
            }
        }
    }

    #[test]
    fn odds_scale_times_only() {
        let odds = read("40/60+0.5 nodes=9 margin=0.01").scaled(0.5);
        assert_eq!(odds.to_string(), "40/30+0.25 nodes=9 margin=0.01");
        assert_eq!(read("10").scaled(f64::NAN).to_string(), "10");
    }
}
