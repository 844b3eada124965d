//! Whether other programs work on the processors of a game.
//!
//! The thread of a game gives way to its engines (see [`Courtesy`]). It then gives way to everybody else too, and an engine's
//! clock runs until its answer is read: a stranger on the same processor would cost engines games. The heartbeat does not see a
//! stranger, for whoever sleeps most of the time is woken at once. So the books of the system are looked at: time that went to
//! programs with a lowered priority, who come before idle work but hardly ever before anything else; and the share of their own
//! clocks that the engines had a processor for.

use std::time::{Duration, Instant};

use kiebitz_uci::Courtesy;

/// How often the system is asked at most.
const LOOK: Duration = Duration::from_secs(1);
/// So long after somebody was seen, somebody is still expected.
const MEMORY: Duration = Duration::from_secs(30);
/// An engine that thinks has a processor for at least this share of the time.
const LEAST_SHARE: f64 = 0.9;
/// What the books of the system may be wrong by: two ticks of 10 ms for every engine.
const BOOKKEEPING: Duration = Duration::from_millis(40);

/// What is known of others on the processors of a worker.
pub(super) struct Neighbours {
    cpus: Vec<usize>,
    /// When the system was asked last, and what it said.
    looked: Option<(Instant, Option<u64>)>,
    /// Two answers could be compared. Until then nobody knows, and somebody is expected.
    is_known: bool,
    /// When programs with a lowered priority were seen last.
    yielding: Option<Instant>,
    /// When engines last had to share their processors.
    pushing: Option<Instant>,
}

impl Neighbours {
    pub(super) fn new(cpus: Vec<usize>) -> Self {
        Self { cpus, looked: None, is_known: false, yielding: None, pushing: None }
    }

    /// How to behave now, if `wished` is right for a thread that is alone with its engines.
    pub(super) fn limit(&mut self, wished: Courtesy) -> Courtesy {
        if wished == Courtesy::Humble {
            self.look(Instant::now(), || std::fs::read_to_string("/proc/stat").ok());
        }
        self.verdict(wished, Instant::now())
    }

    fn verdict(&self, wished: Courtesy, now: Instant) -> Courtesy {
        let recently = |seen: Option<Instant>| seen.is_some_and(|seen| now.saturating_duration_since(seen) < MEMORY);
        if recently(self.pushing) {
            Courtesy::Usual
        } else if wished == Courtesy::Humble && (!self.is_known || recently(self.yielding)) {
            Courtesy::Polite
        } else {
            wished
        }
    }

    fn look(&mut self, now: Instant, books: impl FnOnce() -> Option<String>) {
        if self.looked.is_some_and(|(at, _)| now.saturating_duration_since(at) < LOOK) {
            return;
        }
        let niced = books().and_then(|books| niced_ticks(&books, &self.cpus));
        let before = self.looked.and_then(|(_, before)| before);
        self.is_known = before.is_some() && niced.is_some();
        if self.is_known && niced != before {
            self.yielding = Some(now);
        }
        self.looked = Some((now, niced));
    }

    /// Takes into account that the engines of a game had processors for `used` while they thought for `thought`.
    pub(super) fn note(&mut self, thought: Duration, used: Duration) {
        if used + BOOKKEEPING < thought.mul_f64(LEAST_SHARE) {
            self.pushing = Some(Instant::now());
        }
    }
}

/// The ticks that programs with a lowered priority had on some processors, from what Linux has in `/proc/stat`.
fn niced_ticks(books: &str, cpus: &[usize]) -> Option<u64> {
    let line = |cpu: &usize| {
        let mut lines = books.lines().take_while(|line| line.starts_with("cpu"));
        let fields = lines.find_map(|line| line.strip_prefix("cpu")?.strip_prefix(&format!("{cpu} ")))?;
        fields.split_ascii_whitespace().nth(1)?.parse::<u64>().ok()
    };
    cpus.iter().map(line).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn books(first: u64, second: u64) -> Option<String> {
        Some(format!("cpu  9 999 9 9\ncpu0 1 {first} 3 4\ncpu1 1 {second} 3 4\ncpu11 1 500 3 4\nintr 1 2 3\n"))
    }

    #[test]
    fn ticks_are_those_of_the_given_processors() {
        let books = books(7, 40).unwrap();
        assert_eq!(niced_ticks(&books, &[0]), Some(7));
        assert_eq!(niced_ticks(&books, &[1, 0]), Some(47));
        assert_eq!(niced_ticks(&books, &[11]), Some(500));
        assert_eq!(niced_ticks(&books, &[2]), None);
        assert_eq!(niced_ticks("", &[0]), None);
    }

    #[test]
    fn nobody_is_humble_before_he_knows_to_be_alone() {
        let mut neighbours = Neighbours::new(vec![1]);
        let zero = Instant::now();
        let mut at = |seconds: u64, niced: u64| {
            let now = zero + Duration::from_secs(seconds);
            neighbours.look(now, || books(seconds, niced));
            neighbours.verdict(Courtesy::Humble, now)
        };
        assert_eq!(at(10, 40), Courtesy::Polite, "the first look tells nothing");
        assert_eq!(at(12, 40), Courtesy::Humble, "only processor 0 was used by others");
        assert_eq!(at(14, 41), Courtesy::Polite);
        assert_eq!(at(40, 41), Courtesy::Polite, "still remembered");
        assert_eq!(at(45, 41), Courtesy::Humble);
        assert_eq!(neighbours.verdict(Courtesy::Polite, zero), Courtesy::Polite);
    }

    #[test]
    fn without_books_nobody_is_humble() {
        let mut neighbours = Neighbours::new(vec![0]);
        let zero = Instant::now();
        for seconds in [0, 100, 200] {
            let now = zero + Duration::from_secs(seconds);
            neighbours.look(now, || None);
            assert_eq!(neighbours.verdict(Courtesy::Humble, now), Courtesy::Polite);
        }
    }

    #[test]
    fn engines_that_wait_for_a_processor_end_all_politeness() {
        let mut neighbours = Neighbours::new(Vec::new());
        let [second, half] = [1000, 500].map(Duration::from_millis);
        neighbours.note(second, second);
        neighbours.note(Duration::from_millis(100), Duration::from_millis(60));
        assert_eq!(neighbours.limit(Courtesy::Polite), Courtesy::Polite);
        neighbours.note(second, half);
        assert_eq!(neighbours.limit(Courtesy::Polite), Courtesy::Usual);
        let later = Instant::now() + MEMORY;
        assert_eq!(neighbours.verdict(Courtesy::Polite, later), Courtesy::Polite);
    }
}
