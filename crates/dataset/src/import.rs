//! Chains from collections of games.
//!
//! Each game becomes one chain: moves, evaluations and clocks from comments, ratings and result from tags. Which games and
//! which positions are wanted is said by [`ImportRules`]; everything that is left out is counted with its reason.
//!
//! **Invariant:** what comes out depends on the games and the seed alone, not on threads or on the order of files.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, RangeInclusive};

use kiebitz_chess::{Color, Move, Outcome, Position, Score};
use kiebitz_pgn::{
    BrokenGame, Chunk, Chunks, EvaluationScore, RawComment, Source, SourceError, Tags, Visitor, Want, read_parallel,
};
use serde::{Deserialize, Serialize};

use crate::filter::{Filter, Removal, Removals};
use crate::seeded::{SeededNumbers, game_number};
use crate::{Chain, ChainEncoder, ChainHead, Counts, EncodedChains, Link, MAX_LINKS};

/// Which games and positions are wanted.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ImportRules {
    /// Both players must be rated in this window.
    pub ratings: Option<RangeInclusive<u16>>,
    /// The fewest plies of a game.
    pub min_plies: usize,
    /// Only games with a result.
    pub finished_only: bool,
    /// Which positions are welcome.
    pub filter: Filter,
    /// So many random positions of each game instead of all.
    pub per_game: Option<usize>,
    /// Decides which ones.
    pub seed: u64,
}

/// Why a whole game is left out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GameRemoval {
    /// A player has no rating.
    Unrated,
    /// A rating is outside the window.
    Rating,
    /// Too few plies.
    Short,
    /// More positions than a chain can hold.
    Long,
    /// Neither won, drawn nor lost.
    NoResult,
    /// No position of it is wanted.
    Empty,
}

/// What became of the games.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ImportReport {
    /// Games read, broken ones included.
    pub games: u64,
    /// Games that break the rules of chess or of PGN.
    pub broken: u64,
    /// Games whose moves end without a result, not even `*`; the last one of a file that is cut off is such a game.
    #[serde(default)]
    pub unterminated: u64,
    /// Whole games left out, by reason.
    pub games_removed: BTreeMap<GameRemoval, u64>,
    /// Positions left out of the other games, by reason.
    pub positions_removed: Removals,
    /// What was taken.
    #[serde(flatten)]
    pub counts: Counts,
    /// Compressed files that were cut off or damaged, with what was said of them; the complete games before were read.
    #[serde(default)]
    pub cut_off: Vec<String>,
}

impl ImportReport {
    /// Adds what became of other games.
    pub fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.broken += other.broken;
        self.unterminated += other.unterminated;
        self.counts += other.counts;
        self.cut_off.extend_from_slice(&other.cut_off);
        for (reason, count) in &other.games_removed {
            *self.games_removed.entry(*reason).or_default() += count;
        }
        for (reason, count) in &other.positions_removed {
            *self.positions_removed.entry(*reason).or_default() += count;
        }
    }
}

/// Reads all games of a source on several threads and hands over chains in the order of the file; `take` may stop it.
///
/// # Errors
///
/// When the source cannot be read on. What came before has been handed over.
pub fn import(
    source: Source<'_>,
    rules: &ImportRules,
    threads: NonZeroUsize,
    report: &mut ImportReport,
    mut take: impl FnMut(EncodedChains) -> ControlFlow<()>,
) -> Result<(), SourceError> {
    import_from(source, 0, rules, threads, |found, chains| {
        report.add(&found);
        take(chains)
    })
}

/// As [`import()`], but passes over so many chunks of games at the beginning, and hands over a report with each of the others. The
/// chunks of a source are always the same.
///
/// # Errors
///
/// As [`import()`].
pub fn import_from(
    source: Source<'_>,
    chunks_before: u64,
    rules: &ImportRules,
    threads: NonZeroUsize,
    mut take: impl FnMut(ImportReport, EncodedChains) -> ControlFlow<()>,
) -> Result<(), SourceError> {
    let mut chunks = Chunks::new(source);
    let mut spent = None;
    for _ in 0..chunks_before {
        match chunks.next_chunk(spent.take()) {
            Some(chunk) => spent = Some(chunk?),
            None => return Ok(()),
        }
    }
    read_parallel(chunks, threads, |chunk| Collector::of(chunk, rules), |(found, chains)| take(found, chains))
}

/// Turns the games of a chunk into chains.
struct Collector<'a> {
    rules: &'a ImportRules,
    report: ImportReport,
    encoder: ChainEncoder,
    encoded: EncodedChains,
    chain: Chain,
    /// The score that the comment on the last move gave to the position after it.
    pending: Option<i16>,
}

impl<'a> Collector<'a> {
    fn of(chunk: &Chunk, rules: &'a ImportRules) -> (ImportReport, EncodedChains) {
        let mut collector = Collector {
            rules,
            report: ImportReport { games: chunk.len() as u64, ..ImportReport::default() },
            encoder: ChainEncoder::default(),
            encoded: EncodedChains::default(),
            chain: Chain::default(),
            pending: None,
        };
        chunk.visit(&mut collector);
        (collector.report, collector.encoded)
    }

    fn remove_game(&mut self, reason: GameRemoval) {
        *self.report.games_removed.entry(reason).or_default() += 1;
    }

    /// Leaves only some of the samples, chosen by seed and game.
    fn draw(&mut self) {
        let Some(wanted) = self.rules.per_game else {
            return;
        };
        let mut kept: Vec<usize> = (0..self.chain.links.len()).filter(|&at| self.chain.links[at].kept).collect();
        if kept.len() <= wanted {
            return;
        }
        let mut numbers = SeededNumbers::new(self.rules.seed ^ game_number(&self.chain));
        numbers.shuffle(&mut kept);
        for &at in &kept[wanted..] {
            self.chain.links[at].kept = false;
        }
        *self.report.positions_removed.entry(Removal::NotDrawn).or_default() += (kept.len() - wanted) as u64;
    }
}

impl Visitor for Collector<'_> {
    fn begin(&mut self, tags: &Tags, start: &Position) -> Want {
        let ratings = [tags.white_elo(), tags.black_elo()].map(|rating| rating.filter(|&rating| rating > 0));
        if let Some(window) = &self.rules.ratings {
            let reason = match ratings {
                [Some(white), Some(black)] if window.contains(&white) && window.contains(&black) => None,
                [Some(_), Some(_)] => Some(GameRemoval::Rating),
                _ => Some(GameRemoval::Unrated),
            };
            if let Some(reason) = reason {
                self.remove_game(reason);
                return Want::Nothing;
            }
        }
        self.chain.head = ChainHead { start: start.clone(), result: None, ratings };
        self.chain.links.clear();
        self.pending = None;
        Want::MainLine
    }

    fn play(&mut self, _before: &Position, mv: Move) {
        let score = self.pending.take();
        self.chain.links.push(Link { score, ..Link::new((mv != Move::NULL).then_some(mv)) });
    }

    fn comment(&mut self, comment: RawComment<'_>) {
        // The comment stands behind a move: the clock is the mover's, the evaluation that of the position reached.
        let mover = match (self.chain.head.start.side_to_move(), self.chain.links.len() % 2) {
            (side, 1) => side,
            (side, _) => !side,
        };
        if let Some(evaluation) = comment.evaluation() {
            self.pending = Some(seen_by(!mover, evaluation.score));
        }
        if let (Some(clock), Some(link)) = (comment.clock(), self.chain.links.last_mut()) {
            link.clock = u32::try_from(clock.as_millis() / 10).ok();
        }
    }

    fn end(&mut self, _end: &Position, outcome: Option<Outcome>) {
        self.chain.head.result = outcome;
        // Who passes has left chess; what came before is sound.
        if let Some(pass) = self.chain.links.iter().position(|link| link.mv.is_none()) {
            self.chain.links.truncate(pass);
        } else if let Some(score) = self.pending.take() {
            // The final position has a value, too, and only that.
            self.chain.links.push(Link { score: Some(score), ..Link::new(None) });
        }
        let plies = self.chain.links.iter().filter(|link| link.mv.is_some()).count();
        let reason = if plies < self.rules.min_plies.max(1) {
            Some(GameRemoval::Short)
        } else if self.chain.links.len() > MAX_LINKS {
            Some(GameRemoval::Long)
        } else if self.rules.finished_only && outcome.is_none() {
            Some(GameRemoval::NoResult)
        } else {
            None
        };
        if let Some(reason) = reason {
            return self.remove_game(reason);
        }
        self.rules.filter.apply(&mut self.chain, &mut self.report.positions_removed);
        self.draw();
        // Nothing behind the last sample is needed.
        let Some(last) = self.chain.links.iter().rposition(|link| link.kept) else {
            return self.remove_game(GameRemoval::Empty);
        };
        self.chain.links.truncate(last + 1);
        let counts = Counts { chains: 1, positions: last as u64 + 1, samples: self.chain.samples() as u64 };
        // Every move was found legal by the reader, so encoding cannot fail.
        if let Ok(bytes) = self.encoder.encode(&self.chain) {
            self.encoded.bytes.extend_from_slice(bytes);
            self.encoded.counts += counts;
            self.report.counts += counts;
        }
    }

    fn unterminated(&mut self) {
        self.report.unterminated += 1;
    }

    fn broken(&mut self, _game: BrokenGame) {
        self.report.broken += 1;
    }
}

/// White's evaluation as the side to move sees it.
fn seen_by(side: Color, score: EvaluationScore) -> i16 {
    let mover = |value: i32| if side == Color::White { value } else { value.saturating_neg() };
    let score = match score {
        EvaluationScore::Centipawns(value) => Score::centipawns(mover(value)),
        // Who is to move mates with a last move of its own, and is mated after a move of the other side.
        EvaluationScore::Mate(moves) if mover(moves) > 0 => {
            Score::mate_in(moves.unsigned_abs().saturating_mul(2).saturating_sub(1))
        }
        EvaluationScore::Mate(moves) => Score::mated_in(moves.unsigned_abs().saturating_mul(2)),
    };
    // Scores stay within ±32 001 by their own rules.
    score.value() as i16
}
