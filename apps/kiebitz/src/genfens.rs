//! `genfens`: start positions for generating games, as OpenBench asks for them.
//!
//! `genfens N seed S book None|PATH`: from the start position, or a random line of a book of FENs, eight or nine random
//! moves; positions that a short search finds lost for either side are dropped. A book of which nothing can be used is an
//! error, not an endless search.

use std::fs;

use kiebitz_chess::{GameHistory, Position};
use kiebitz_engine::{Chance, Engine};
use kiebitz_search::{SearchLimits, SearchSignal};

/// What was asked for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct GenFens {
    count: usize,
    seed: u64,
    book: Option<String>,
}

const RANDOM_PLIES: usize = 8;
/// Centipawns beyond which a start position is lost.
const TOO_MUCH: i32 = 400;
/// So many positions in a row that were dropped: from the start position hardly one in ten is.
const MOST_IN_VAIN: usize = 500;

impl GenFens {
    pub(crate) fn parse<'a>(words: impl Iterator<Item = &'a str>) -> Self {
        let mut order = Self { count: 1, ..Self::default() };
        let mut words = words.peekable();
        if let Some(count) = words.peek().and_then(|word| word.parse().ok()) {
            order.count = count;
            words.next();
        }
        while let Some(word) = words.next() {
            match word {
                "seed" => order.seed = words.next().and_then(|word| word.parse().ok()).unwrap_or(0),
                "book" => {
                    order.book = words.next().filter(|word| !word.eq_ignore_ascii_case("none")).map(str::to_owned)
                }
                _ => {}
            }
        }
        order
    }

    /// Prints the positions that an engine, fresh but for its evaluation, finds level; a signal ends it early.
    pub(crate) fn run(&self, mut engine: Engine, signal: &SearchSignal, print: &mut dyn FnMut(&str)) {
        let starts = match self.starts() {
            Ok(starts) => starts,
            Err(reason) => return print(&format!("info string genfens failed: {reason}")),
        };
        let mut chance = Chance::new(self.seed);
        let (mut found, mut in_vain) = (0, 0);
        while found < self.count {
            if in_vain == MOST_IN_VAIN {
                let source = self.book.as_deref().unwrap_or("the start position");
                let reason =
                    format!("the last {in_vain} positions from {source} were over or lost, {found} found before");
                return print(&format!("info string genfens failed: {reason}"));
            }
            in_vain += 1;
            let Some(position) = start_position(&starts, &mut chance) else { continue };
            engine.new_game();
            let game = GameHistory::new(position.clone());
            let result = engine.search(&game, &SearchLimits::nodes(1_000), signal, &mut |_| ());
            if signal.is_stopped() {
                return print(&format!("info string genfens stopped, {found} of {} found", self.count));
            }
            if result.score.value().abs() <= TOO_MUCH {
                print(&format!("info string genfens {position}"));
                found += 1;
                in_vain = 0;
            }
        }
    }

    fn starts(&self) -> Result<Vec<Position>, String> {
        let Some(path) = &self.book else { return Ok(vec![Position::default()]) };
        let text = fs::read_to_string(path).map_err(|error| format!("cannot read {path}: {error}"))?;
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        let starts: Result<Vec<Position>, String> = lines
            .enumerate()
            .map(|(index, line)| {
                let fen = line.split(';').next().unwrap_or(line).trim();
                fen.parse().map_err(|error| format!("{path}, line {}: {error}", index + 1))
            })
            .collect();
        starts.and_then(|starts| if starts.is_empty() { Err(format!("{path} is empty")) } else { Ok(starts) })
    }
}

/// A start with some random moves; none if the game is then over.
fn start_position(starts: &[Position], chance: &mut Chance) -> Option<Position> {
    let mut position = starts[chance.below(starts.len())].clone();
    for _ in 0..RANDOM_PLIES + chance.below(2) {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return None;
        }
        position.play(moves[chance.below(moves.len())]);
    }
    position.has_legal_moves().then_some(position)
}
