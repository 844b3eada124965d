//! `kiebitz-lab data shuffle`: a random order, whatever the size.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use kiebitz_dataset::{
    DatasetError, Format, MANIFEST_VERSION, Manifest, ManifestFile, OwnSource, Removals, ShardIndex, Shuffle,
    ShuffleUnit,
};
use serde_json::json;

use super::progress::bytes_bar;
use super::{format_of, keep_apart};

/// What to shuffle.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A shard, .kbz.
    #[arg(value_name = "INPUT")]
    input: PathBuf,
    /// Where the shuffled samples go.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// What is moved around.
    #[arg(long, value_enum, default_value = "game")]
    unit: Unit,
    /// Decides the order.
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,
    /// Memory for encoded samples, in megabytes.
    #[arg(long, value_name = "MB", default_value_t = 1_000)]
    memory: u64,
    /// Report as one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Unit {
    /// Whole games stay together: small files.
    Game,
    /// Every sample for itself: the best mixture, about ten times the size.
    Sample,
}

const EXAMPLES: &str = "\
Temporary files of the size of the output stand beside it. A run that was killed is repeated from the beginning, with the same
bytes in the end. Exit code: 0 when the output is complete, 1 otherwise.

Examples:
  kiebitz-lab data shuffle all.kbz --output shuffled.kbz --seed 7
  kiebitz-lab data shuffle all.kbz --output single.kbz --unit sample --memory 200";

/// Shuffles.
pub(crate) fn run(arguments: &Arguments, output: &mut impl Write) -> Result<()> {
    for path in [&arguments.input, &arguments.output] {
        if format_of(path, None)? != Format::Kiebitz {
            bail!("shuffling works on shards (.kbz), and {} is none; `data convert` makes them", path.display());
        }
    }
    keep_apart(std::slice::from_ref(&arguments.input), &[&arguments.output])?;
    let index = ShardIndex::read(&arguments.input)?;
    if let Some(at) = index.cut_at {
        return Err(DatasetError::Incomplete { file: arguments.input.clone(), at }.into());
    }
    let bytes = std::fs::metadata(&arguments.input)?.len();
    let unit = match arguments.unit {
        Unit::Game => ShuffleUnit::Chain,
        Unit::Sample => ShuffleUnit::Sample,
    };
    let shuffle = Shuffle {
        unit,
        seed: arguments.seed,
        memory: arguments.memory.max(1) << 20,
        expected_bytes: Shuffle::expected_bytes(unit, bytes, index.counts()),
    };
    let bar = bytes_bar(2 * bytes, &arguments.input.display().to_string());
    let mut source = OwnSource::open(&arguments.input)?;
    let (written, counts) =
        shuffle.run(&mut source, &arguments.output, &index.description, |consumed| bar.set_position(consumed))?;
    bar.finish_and_clear();
    Manifest {
        version: MANIFEST_VERSION,
        made_by: "shuffle".to_owned(),
        files: vec![ManifestFile { written: written.clone(), counts }],
        sources: vec![arguments.input.display().to_string()],
        rules: json!({ "seed": arguments.seed, "unit": if unit == ShuffleUnit::Chain { "game" } else { "sample" } }),
        removed: Removals::new(),
    }
    .write(&Manifest::path_of(&arguments.output))?;
    if arguments.json {
        writeln!(output, "{}", serde_json::to_string_pretty(&json!({ "counts": counts, "written": written }))?)?;
    } else {
        writeln!(output, "{} chains, {} samples", counts.chains, counts.samples)?;
        writeln!(output, "{}: {} bytes", written.file, written.bytes)?;
    }
    Ok(())
}
