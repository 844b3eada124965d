//! `kiebitz-lab data split`: training and validation without a shared game.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;
use kiebitz_dataset::{
    Chain, Description, Division, GameTraces, MANIFEST_VERSION, Manifest, ManifestFile, Removals, Split,
};
use serde_json::json;

use super::progress::bytes_bar;
use super::{forgive_truncation, format_of, keep_apart, open};

/// What to divide.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Files of samples.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// Where the samples for training go.
    #[arg(long, value_name = "FILE")]
    train: PathBuf,
    /// Where the samples for validation go.
    #[arg(long, value_name = "FILE")]
    validation: PathBuf,
    /// The share of games for validation, from 0 to 1.
    #[arg(long, value_name = "SHARE", default_value_t = 0.05)]
    share: f64,
    /// Another seed, another division.
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,
    /// Divide positions where games are unknown, as most chains have one position: neighbours in a game may then land on both sides.
    #[arg(long)]
    by_position: bool,
    /// Report as one JSON object.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Games that agree in their first 40 plies go to the same side. A file of single positions does not tell games apart: one that was
shuffled by sample, or comes from bulletformat, EPD, text or npy. It is refused, so split first and shuffle or convert afterwards, or
insist with --by-position: then at least equal positions go to the same side. A game that another format has cut into pieces counts as
several. Exit code: 0 when both outputs are complete, 1 otherwise.

Examples:
  kiebitz-lab data split all.kbz --train train.kbz --validation validation.kbz
  kiebitz-lab data split games/*.kbz --train train.kbz --validation validation.kbz
  kiebitz-lab data split all.binpack --train train.kbz --validation validation.kbz --share 0.1 --seed 7
  kiebitz-lab data split quiet.bf --train train.bf --validation validation.bf --by-position";

/// So many chains of a file are looked at before anything is written, lest a refusal comes after hours.
const FIRST_LOOK: u64 = 10_000;

impl Arguments {
    /// Refuses chains that do not tell games apart, unless the user insists.
    fn judge(&self, path: &Path, traces: GameTraces) -> Result<()> {
        if self.by_position || traces.tell_games() {
            return Ok(());
        }
        let GameTraces { chains, single } = traces;
        bail!(
            "the games of {} are unknown: {single} of {chains} chains have one position, so that neighbours in a game would land on \
             both sides; split before shuffling by sample or converting, or insist with --by-position",
            path.display()
        )
    }
}

/// What the first chains of a file say about its games. What is wrong with the file is told when all of it is read.
fn first_look(path: &Path) -> Result<GameTraces> {
    let mut source = open(path, None)?;
    let (mut traces, mut chain) = (GameTraces::default(), Chain::default());
    while traces.chains < FIRST_LOOK && source.next_chain(&mut chain).unwrap_or(false) {
        traces.add(&chain);
    }
    Ok(traces)
}

/// Divides.
pub(crate) fn run(arguments: &Arguments, output: &mut impl Write) -> Result<()> {
    if !(0.0..=1.0).contains(&arguments.share) {
        bail!("the share is {}, but must lie between 0 and 1", arguments.share);
    }
    keep_apart(&arguments.inputs, &[&arguments.train, &arguments.validation])?;
    for path in &arguments.inputs {
        arguments.judge(path, first_look(path)?)?;
    }
    let split = Split { validation: arguments.share, seed: arguments.seed };
    let sources: Vec<String> = arguments.inputs.iter().map(|path| path.display().to_string()).collect();
    let description = Description { sources: sources.clone(), ..Description::default() };
    let create = |path: &PathBuf| -> Result<_> { Ok(format_of(path, None)?.create(path, &description)?) };
    let mut sinks = [create(&arguments.train)?, create(&arguments.validation)?];
    let mut division = Division::default();
    for path in &arguments.inputs {
        let mut source = open(path, None)?;
        let bar = bytes_bar(std::fs::metadata(path).map_or(0, |data| data.len()), &path.display().to_string());
        let before = division.traces;
        let result = split.divide(&mut *source, &mut sinks, &mut division, |consumed| bar.set_position(consumed));
        bar.finish_and_clear();
        forgive_truncation(result, &mut io::stderr())?;
        let GameTraces { chains, single } = division.traces;
        arguments.judge(path, GameTraces { chains: chains - before.chains, single: single - before.single })?;
    }
    let Division { counts, traces } = division;
    let mut written = Vec::new();
    for ((sink, path), counts) in sinks.into_iter().zip([&arguments.train, &arguments.validation]).zip(counts) {
        let files = sink.finish()?;
        Manifest {
            version: MANIFEST_VERSION,
            made_by: "split".to_owned(),
            files: files.iter().map(|written| ManifestFile { written: written.clone(), counts }).collect(),
            sources: sources.clone(),
            rules: json!({ "share": arguments.share, "seed": arguments.seed, "by_position": !traces.tell_games() }),
            removed: Removals::new(),
        }
        .write(&Manifest::path_of(path))?;
        written.extend(files);
    }
    if arguments.json {
        let report = json!({ "train": counts[0], "validation": counts[1], "written": written });
        writeln!(output, "{}", serde_json::to_string_pretty(&report)?)?;
    } else {
        for (name, counts) in ["train", "validation"].into_iter().zip(counts) {
            writeln!(output, "{name}: {} chains, {} samples", counts.chains, counts.samples)?;
        }
    }
    Ok(())
}
