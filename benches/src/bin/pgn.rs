//! Reading speed on real games in memory: `pgn-reader` with `shakmaty`, and us, every move validated by both.
//!
//! The text is cut into slices of a fraction of a second. On each slice the contestants take turns, round after round,
//! and the best round of each counts; the sums are compared. On a machine with other work this is the fairest that wall
//! time can be. `pgn-reader` alone, tokenising without a board, is shown for scale.
//!
//! Needs the environment variable `KIEBITZ_DATA`; `make bench-pgn` sets it.

use std::io::Read;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use kiebitz_pgn::{BrokenGame, Chunks, Source, Tags, Want};
use pgn_reader::shakmaty::{CastlingMode, Chess, Position as _, fen::Fen};
use pgn_reader::{RawTag, Reader, SanPlus};

const FILE: &str = "games/twic_otb_1998-2022_train_a.pgn.zst";
/// Enough to be far larger than any cache, bytes.
const TEXT_BYTES: u64 = 200 << 20;
/// Large against a cache, short against the spells of quiet on a busy machine, bytes.
const SLICE_BYTES: usize = 16 << 20;
const ROUNDS: usize = 5;

/// What a contestant counted; all must agree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Count {
    games: u64,
    plies: u64,
}

fn main() -> Result<()> {
    let text = load()?;
    let slices = slices(&text);
    let megabytes = text.len() as f64 / 1e6;
    println!("{megabytes:.0} MB of PGN in memory, {} slices, best of {ROUNDS} rounds in turn on each\n", slices.len());

    type Contestant = (&'static str, fn(&[u8]) -> Result<Count>);
    let contestants: [Contestant; 4] = [
        ("pgn-reader + shakmaty", peer),
        ("kiebitz, 1 thread", |text| kiebitz(text, 1)),
        ("kiebitz, 2 threads", |text| kiebitz(text, 2)),
        ("pgn-reader, tokens only", tokens_only),
    ];
    let mut total = [Duration::ZERO; 4];
    let mut counts = [Count::default(); 4];
    for slice in slices {
        let mut best = [Duration::MAX; 4];
        let mut counted = [Count::default(); 4];
        for _ in 0..ROUNDS {
            for (index, (_, run)) in contestants.iter().enumerate() {
                let start = Instant::now();
                counted[index] = run(slice)?;
                best[index] = best[index].min(start.elapsed());
            }
        }
        for index in 0..contestants.len() {
            total[index] += best[index];
            counts[index].games += counted[index].games;
            counts[index].plies += counted[index].plies;
        }
    }
    println!("{:<26}{:>9}{:>16}{:>9}", "", "MB/s", "M positions/s", "ratio");
    for (index, (name, _)) in contestants.iter().enumerate() {
        let seconds = total[index].as_secs_f64();
        println!(
            "{name:<26}{:>9.0}{:>16.1}{:>9.2}",
            megabytes / seconds,
            counts[index].plies as f64 / 1e6 / seconds,
            total[0].as_secs_f64() / seconds
        );
    }
    println!("\n{} games, {} plies; two threads are {:.2} times one", counts[0].games, counts[0].plies, {
        total[1].as_secs_f64() / total[2].as_secs_f64()
    });
    for ((name, _), count) in contestants.iter().zip(counts) {
        ensure!(count == counts[0], "{name} counted {count:?}, the first {:?}", counts[0]);
    }
    Ok(())
}

/// The beginning of the file, cut after a whole game.
fn load() -> Result<Vec<u8>> {
    let data = std::env::var_os("KIEBITZ_DATA").context("KIEBITZ_DATA is not set: it names the folder with games/")?;
    let path = PathBuf::from(data).join(FILE);
    let mut text = Vec::new();
    let mut source = Source::open(&path)?;
    source.by_ref().take(TEXT_BYTES).read_to_end(&mut text).with_context(|| path.display().to_string())?;
    let cut = text.windows(8).rposition(|window| window == b"\n[Event ").context("no game in the file")?;
    text.truncate(cut + 1);
    Ok(text)
}

/// Cuts the text before games.
fn slices(mut text: &[u8]) -> Vec<&[u8]> {
    let mut slices = Vec::new();
    while text.len() > SLICE_BYTES {
        let next = text[SLICE_BYTES..].windows(8).position(|window| window == b"\n[Event ");
        let (slice, rest) = text.split_at(next.map_or(text.len(), |at| SLICE_BYTES + at + 1));
        slices.push(slice);
        text = rest;
    }
    if !text.is_empty() {
        slices.push(text);
    }
    slices
}

fn kiebitz(text: &[u8], threads: usize) -> Result<Count> {
    #[derive(Default)]
    struct Counter {
        count: Count,
        broken: Option<BrokenGame>,
    }

    impl kiebitz_pgn::Visitor for Counter {
        fn begin(&mut self, _tags: &Tags, _start: &kiebitz_chess::Position) -> Want {
            self.count.games += 1;
            Want::Everything
        }

        fn play(&mut self, _before: &kiebitz_chess::Position, _mv: kiebitz_chess::Move) {
            self.count.plies += 1;
        }

        fn end(&mut self, end: &kiebitz_chess::Position, outcome: Option<kiebitz_chess::Outcome>) {
            // The peer's result is looked at, too: nobody may leave out the work.
            std::hint::black_box((end, outcome));
        }

        fn broken(&mut self, game: BrokenGame) {
            self.broken.get_or_insert(game);
        }
    }

    let mut total = Count::default();
    let mut broken = None;
    let threads = NonZeroUsize::new(threads).context("at least one thread")?;
    let work = |chunk: &kiebitz_pgn::Chunk| {
        let mut counter = Counter::default();
        chunk.visit(&mut counter);
        counter
    };
    kiebitz_pgn::read_parallel(Chunks::new(Source::from_reader("memory", text)), threads, work, |counter| {
        total.games += counter.count.games;
        total.plies += counter.count.plies;
        broken = broken.take().or(counter.broken);
        ControlFlow::Continue(())
    })?;
    broken.map_or(Ok(total), |game| Err(game.into()))
}

fn peer(text: &[u8]) -> Result<Count> {
    struct Validator(Count);

    impl pgn_reader::Visitor for Validator {
        type Tags = Option<Chess>;
        type Movetext = Chess;
        type Output = Result<()>;

        fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
            ControlFlow::Continue(None)
        }

        fn tag(&mut self, start: &mut Option<Chess>, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
            if name == b"FEN" {
                let read = Fen::from_ascii(value.as_bytes()).map_err(anyhow::Error::from);
                match read.and_then(|fen| Ok(fen.into_position(CastlingMode::Chess960)?)) {
                    Ok(position) => *start = Some(position),
                    Err(error) => return ControlFlow::Break(Err(error)),
                }
            }
            ControlFlow::Continue(())
        }

        fn begin_movetext(&mut self, start: Option<Chess>) -> ControlFlow<Self::Output, Chess> {
            self.0.games += 1;
            ControlFlow::Continue(start.unwrap_or_default())
        }

        fn san(&mut self, position: &mut Chess, san: SanPlus) -> ControlFlow<Self::Output> {
            match san.san.to_move(position) {
                Ok(mv) => position.play_unchecked(mv),
                Err(error) => return ControlFlow::Break(Err(error.into())),
            }
            self.0.plies += 1;
            ControlFlow::Continue(())
        }

        fn end_game(&mut self, position: Chess) -> Self::Output {
            std::hint::black_box(&position);
            Ok(())
        }
    }

    let mut validator = Validator(Count::default());
    let mut reader = Reader::new(text);
    while let Some(result) = reader.read_game(&mut validator)? {
        result?;
    }
    Ok(validator.0)
}

fn tokens_only(text: &[u8]) -> Result<Count> {
    struct Tokens(Count);

    impl pgn_reader::Visitor for Tokens {
        type Tags = ();
        type Movetext = ();
        type Output = ();

        fn begin_tags(&mut self) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }

        fn begin_movetext(&mut self, (): ()) -> ControlFlow<()> {
            self.0.games += 1;
            ControlFlow::Continue(())
        }

        fn san(&mut self, (): &mut (), san: SanPlus) -> ControlFlow<()> {
            std::hint::black_box(san);
            self.0.plies += 1;
            ControlFlow::Continue(())
        }

        fn end_game(&mut self, (): ()) {}
    }

    let mut tokens = Tokens(Count::default());
    Reader::new(text).visit_all_games(&mut tokens)?;
    Ok(tokens.0)
}
