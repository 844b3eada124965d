//! `kiebitz-lab data pqr`: positions with the move that was played and another one.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use kiebitz_chess::CastlingForm;
use kiebitz_dataset::{Chain, Filter, Removals, triplets};
use serde_json::json;

use super::filter_arguments::FilterArguments;
use super::progress::bytes_bar;
use super::{forgive_truncation, keep_apart, open, reason_name};

/// What to make triplets of.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Files of samples with moves.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// Where the triplets go: lines of FEN, played move and random move, with tabs between them.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Decides the random moves.
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,
    /// The inputs' format, where the ending does not say it.
    #[arg(long, value_name = "FORMAT")]
    from: Option<String>,
    /// Report as one JSON object.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    filter: FilterArguments,
}

const EXAMPLES: &str = "\
P is a position, Q follows it in the game, R follows it after a random other move: who moved should like Q better than R.
Samples with a single legal move are left out. Exit code: 0 when the output is complete, 1 otherwise.

Examples:
  kiebitz-lab data pqr games.kbz --output games.pqr --seed 7
  kiebitz-lab data import games.pgn.zst --output one.kbz --per-game 1 --min-ply 20
  kiebitz-lab data pqr one.kbz --output one.pqr --json";

/// Makes triplets.
pub(crate) fn run(arguments: &Arguments, output: &mut impl Write) -> Result<()> {
    keep_apart(&arguments.inputs, &[&arguments.output])?;
    ensure!(
        !arguments.filter.filter().no_captures,
        "--no-captures would leave captures out among the moves played but not among the others, so that a network would learn only that \
         captures were not played; leave it away"
    );
    let mut unfinished = arguments.output.clone().into_os_string();
    unfinished.push(".unfinished");
    let unfinished = PathBuf::from(unfinished);
    let result = make(arguments, &unfinished, output);
    if result.is_err() {
        // Half a file is of no use; where none was begun there is nothing to remove.
        let _ = fs::remove_file(&unfinished);
    }
    result
}

fn make(arguments: &Arguments, unfinished: &Path, output: &mut impl Write) -> Result<()> {
    let file = File::create(unfinished).with_context(|| unfinished.display().to_string())?;
    let mut file = BufWriter::with_capacity(1 << 18, file);
    let filter = arguments.filter.filter();
    let filtering = filter != Filter::default();
    let (mut samples, mut found, mut removed) = (0_u64, 0_u64, Removals::new());
    for path in &arguments.inputs {
        let mut source = open(path, arguments.from.as_deref())?;
        let bar = bytes_bar(fs::metadata(path)?.len(), &path.display().to_string());
        let mut chain = Chain::default();
        let result = loop {
            match source.next_chain(&mut chain) {
                Ok(true) => {}
                Ok(false) => break Ok(()),
                Err(error) => break Err(error),
            }
            if filtering {
                filter.apply(&mut chain, &mut removed);
            }
            samples += chain.samples() as u64;
            let mut outcome = Ok(());
            triplets(&chain, arguments.seed, |triplet| {
                let text = |mv| triplet.position.uci(mv, CastlingForm::KingMove);
                let line = (&triplet.position, text(triplet.played), text(triplet.random));
                if outcome.is_ok() {
                    outcome = writeln!(file, "{}\t{}\t{}", line.0, line.1, line.2);
                }
                found += 1;
            });
            outcome.with_context(|| unfinished.display().to_string())?;
            bar.set_position(source.consumed());
        };
        bar.finish_and_clear();
        forgive_truncation(result, &mut io::stderr())?;
    }
    let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.sync_all().with_context(|| unfinished.display().to_string())?;
    fs::rename(unfinished, &arguments.output).with_context(|| arguments.output.display().to_string())?;
    if arguments.json {
        let report = json!({ "samples": samples, "triplets": found, "removed": removed });
        writeln!(output, "{}", serde_json::to_string_pretty(&report)?)?;
    } else {
        writeln!(output, "{samples} samples, {found} triplets")?;
        for (reason, count) in &removed {
            writeln!(output, "  {count} removed: {}", reason_name(reason))?;
        }
    }
    Ok(())
}
