//! Speed of samples: decoding next to `sfbinpack` on the same positions, all the way to feature indices, and import.
//!
//! Times are those that the thread really ran, where the system tells (Linux), so that other work on the machine shows
//! less; contestants take turns, and the best round of each counts. Needs the environment variable `KIEBITZ_DATA`;
//! `make bench-data` sets it. With `decoding` as argument, decoding alone is measured.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use kiebitz_dataset::{
    Block, Chain, Description, Filter, Format, ImportReport, ImportRules, Loader, LoaderSettings, ShardReader,
    ShardWriter, import,
};
use kiebitz_features::FeatureSet;
use kiebitz_pgn::Source;

const SELFPLAY: &str = "selfplay/stockfish15.1-nodes1000-train.binpack";
const GAMES: &str = "games/twic_otb_1998-2022_train_a.pgn.zst";
const ROUNDS: usize = 15;
/// Passes over what takes so little time that one cannot be measured.
const PASSES: usize = 100;

fn main() -> Result<()> {
    let root = std::env::var_os("KIEBITZ_DATA").context("KIEBITZ_DATA is not set: where is the data?")?;
    let root = PathBuf::from(root);
    let place = std::env::temp_dir().join(format!("kiebitz-bench-data-{}", std::process::id()));
    std::fs::create_dir_all(&place)?;
    let only_decoding = std::env::args().any(|argument| argument == "decoding");
    let result = if only_decoding { Ok(()) } else { importing(&root.join(GAMES)) }
        .and_then(|()| decoding(&root.join(SELFPLAY), &place))
        .and_then(|()| if only_decoding { Ok(()) } else { loading(&place.join("own.kbz")) });
    std::fs::remove_dir_all(&place)?;
    result
}

/// The time this thread has run.
fn running() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(text.split_whitespace().next()?.parse().ok()?))
}

fn timed(work: impl FnOnce() -> Result<u64>) -> Result<(u64, Duration)> {
    let (begin, start) = (running(), Instant::now());
    let count = work()?;
    let wall = start.elapsed();
    Ok((count, begin.zip(running()).map_or(wall, |(begin, end)| end - begin)))
}

fn decoding(binpack: &Path, place: &Path) -> Result<()> {
    let own = place.join("own.kbz");
    let mut writer = ShardWriter::create(&own, &Description::default())?;
    let mut source = Format::Binpack.open(binpack)?;
    let mut chain = Chain::default();
    while source.next_chain(&mut chain)? {
        writer.write(&chain)?;
    }
    let positions = writer.counts().positions;
    let written = writer.finish()?;
    let theirs = std::fs::read(binpack)?;
    let halfkp = FeatureSet::parse("halfkp")?;

    type Contestant<'a> = (&'static str, Box<dyn Fn() -> Result<u64> + 'a>);
    let contestants: [Contestant<'_>; 3] = [
        ("sfbinpack", Box::new(|| Ok(sfbinpack_count(&theirs)))),
        ("kiebitz", Box::new(|| blocks(&own, |_| ()))),
        (
            "kiebitz, to HalfKP indices of both sides",
            Box::new(|| {
                let mut indices = Vec::with_capacity(64);
                blocks(&own, |sample| {
                    indices.clear();
                    for side in kiebitz_chess::Color::ALL {
                        halfkp.for_each_active(sample.position, side, |index| indices.push(index));
                    }
                    std::hint::black_box(&indices);
                })
            }),
        ),
    ];
    let mut best = [Duration::MAX; 3];
    let mut ratios = Vec::new();
    for _ in 0..ROUNDS {
        let mut round = [Duration::ZERO; 3];
        for (time, (name, run)) in round.iter_mut().zip(&contestants) {
            let count;
            (count, *time) = timed(run)?;
            ensure!(count == positions, "{name} saw {count} of {positions} positions");
        }
        ratios.push(round[0].as_secs_f64() / round[1].as_secs_f64());
        best = std::array::from_fn(|index| best[index].min(round[index]));
    }
    ratios.sort_by(f64::total_cmp);
    println!("\n{positions} positions of self-play, one thread, best of {ROUNDS}\n");
    println!("{:<42} {:>12} {:>12}", "", "M/s", "bytes each");
    let bytes = [theirs.len() as u64, written.bytes, written.bytes];
    for (((name, _), time), bytes) in contestants.iter().zip(best).zip(bytes) {
        let rate = positions as f64 / 1e6 / time.as_secs_f64();
        println!("{name:<42} {rate:>12.2} {:>12.3}", bytes as f64 / positions as f64);
    }
    println!(
        "kiebitz decodes {:.2} times as fast as sfbinpack (median of {ROUNDS} rounds in turn; {:.2} to {:.2})",
        ratios[ROUNDS / 2],
        ratios[0],
        ratios[ROUNDS - 1]
    );
    let (count, time) = timed(|| (0..PASSES).map(|_| unopened_blocks(&own)).sum())?;
    println!(
        "reading blocks and their checksums alone takes {:.2} ns a position, decoding included {:.2} ns",
        time.as_secs_f64() * 1e9 / count as f64,
        best[1].as_secs_f64() * 1e9 / positions as f64
    );
    Ok(())
}

fn sfbinpack_count(bytes: &[u8]) -> u64 {
    let Ok(mut reader) = sfbinpack::CompressedTrainingDataEntryReader::from_slice(bytes) else { return 0 };
    let mut count = 0;
    while reader.has_next() {
        std::hint::black_box(reader.next());
        count += 1;
    }
    count
}

fn blocks(path: &Path, mut visitor: impl FnMut(kiebitz_dataset::Sample<'_>)) -> Result<u64> {
    let mut reader = ShardReader::open(path)?;
    let mut block = Block::default();
    let mut count = 0;
    while reader.next_block(&mut block)? {
        block.visit(|sample| {
            count += 1;
            visitor(sample);
            std::hint::black_box(sample.position);
        })?;
    }
    Ok(count)
}

/// What it costs to have the blocks in memory, before anything is decoded.
fn unopened_blocks(path: &Path) -> Result<u64> {
    let mut reader = ShardReader::open(path)?;
    let mut block = Block::default();
    let mut count = 0;
    while reader.next_block(&mut block)? {
        count += block.counts().positions;
    }
    Ok(count)
}

/// The time that all threads of this program have run, if the system tells, in hundredths of a second as Linux counts.
fn running_together() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name in brackets may contain spaces; behind it, user and system time are numbers 12 and 13.
    let mut words = text.rsplit_once(')')?.1.split_whitespace().skip(11);
    let ticks: u64 = words.next()?.parse::<u64>().ok()? + words.next()?.parse::<u64>().ok()?;
    Some(Duration::from_millis(ticks * 10))
}

/// The most memory that this program has had, in megabytes.
fn most_memory() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with("VmHWM"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0)
}

/// The loader as a trainer uses it: three rounds through all samples, in batches of 16384.
fn loading(shard: &Path) -> Result<()> {
    let number = |value| NonZeroUsize::new(value).unwrap_or(NonZeroUsize::MIN);
    let halfkp = FeatureSet::parse("halfkp")?;
    println!();
    for threads in [1, 2] {
        let settings = LoaderSettings {
            batch: number(16_384),
            seed: 1,
            mixed_blocks: number(16),
            threads: number(threads),
            filter: Filter::default(),
        };
        let (begin, start) = (running_together(), Instant::now());
        let mut loader = Loader::start(&[shard.to_owned()], &halfkp, &settings)?;
        let mut samples = 0;
        while loader.epoch() < 3 {
            samples += std::hint::black_box(loader.next_batch()?).len();
        }
        let wall = start.elapsed();
        drop(loader);
        let busy = begin.zip(running_together()).map_or(wall, |(begin, end)| end - begin);
        let rate = |time: Duration| samples as f64 / 1e6 / time.as_secs_f64();
        println!(
            "loader to HalfKP indices of both sides, {threads} threads: {:.2} M/s of wall time, {:.2} M/s a core",
            rate(wall),
            rate(busy)
        );
    }
    Ok(())
}

fn importing(games: &Path) -> Result<()> {
    let threads = NonZeroUsize::new(2).context("two is not zero")?;
    let (begin, start) = (running_together(), Instant::now());
    let mut report = ImportReport::default();
    let mut bytes = 0;
    import(Source::open(games)?, &ImportRules::default(), threads, &mut report, |chains| {
        bytes += chains.bytes.len();
        ControlFlow::Continue(())
    })?;
    let positions = report.counts.positions;
    let wall = start.elapsed();
    let busy = begin.zip(running_together()).map_or(wall, |(begin, end)| end - begin);
    let rate = |time: Duration| positions as f64 / 1e6 / time.as_secs_f64();
    println!(
        "import of {positions} positions on 2 threads: {:.2} M/s of wall time, {:.2} M/s of CPU time, {:.3} bytes a position, \
         {:.0} MB of memory at most",
        rate(wall),
        rate(busy),
        bytes as f64 / positions as f64,
        most_memory().unwrap_or(f64::NAN)
    );
    Ok(())
}
