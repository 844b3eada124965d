//! `kiebitz-lab net loss`: how well does a network play what it should have learned?

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use kiebitz_network::NetworkFile;
use kiebitz_trainer::{LossRecipe, Recipe, played_loss};
use serde::Serialize;
use serde_json::{Value, json};

/// Which network, and which samples.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A network: ours, or Stockfish's .nnue; .zst and .gz files are unpacked.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Shards, folders of shards, or files of triplets that the network never learned from; may be given several times.
    #[arg(long, value_name = "SHARDS", required = true)]
    validation: Vec<PathBuf>,
    /// Take loss, filter, seed and number of samples from this recipe instead of the one in the file.
    #[arg(long, value_name = "RUN.toml")]
    recipe: Option<PathBuf>,
    /// Threads; 0 means all.
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// Report as JSON.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
The values are those of the engine's own integers. Loss, filter, seed and number of samples are those of the recipe that the
network was trained with, if its file has it, so that with the same shards the samples are those of the last validation; next to
it stands the loss of the floats, as the file tells it.
Exit code: 0, or 1 if something cannot be read.

Examples:
  kiebitz-lab net loss kiebitz.net --validation workspace/data/validation.kbz
  kiebitz-lab net loss nn-62ef826d1a6d.nnue --validation held-back.kbz --recipe runs/halfkp-256.toml --json";

#[derive(Serialize)]
struct Report {
    file: String,
    /// Mean loss of the integers that play.
    quantised_loss: f64,
    samples: u64,
    /// Where power, scale, blend and filter come from.
    recipe: &'static str,
    loss: LossRecipe,
    /// What the file says of its training: losses of floats and integers on the samples of that time.
    trained_float_loss: Option<f64>,
    trained_quantised_loss: Option<f64>,
}

/// Measures and prints.
pub(crate) fn run(arguments: &Arguments, output: &mut impl Write) -> Result<()> {
    let file = super::read(&arguments.file)?;
    let (recipe, origin) = recipe_for(arguments, &file)?;
    let all = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let threads = NonZeroUsize::new(arguments.threads).unwrap_or(all);
    let played = played_loss(&recipe, &file, &arguments.validation, threads)?;
    // Forged networks keep their losses together.
    let manifest = &file.header.manifest;
    let told = |name: &str| manifest[name].as_f64().or_else(|| manifest["losses"][name].as_f64());
    let report = Report {
        file: arguments.file.display().to_string(),
        quantised_loss: played.loss,
        samples: played.samples,
        recipe: origin,
        loss: recipe.loss,
        trained_float_loss: told("validation_loss"),
        trained_quantised_loss: told("quantised_validation_loss"),
    };
    if arguments.json {
        serde_json::to_writer_pretty(&mut *output, &report).map_err(io::Error::from)?;
        writeln!(output)?;
        return Ok(());
    }
    writeln!(output, "{}: loss {:.6} quantised, over {} samples", report.file, report.quantised_loss, report.samples)?;
    writeln!(output, "recipe: {origin}")?;
    if let Some(loss) = report.trained_float_loss {
        let quantised = report.trained_quantised_loss.map_or_else(String::new, |loss| format!(", {loss:.6} quantised"));
        writeln!(output, "at the end of its training: {loss:.6} with floats{quantised}")?;
    }
    Ok(())
}

/// The recipe that is asked for, the one in the file, or the usual numbers; and which of them it is.
fn recipe_for(arguments: &Arguments, file: &NetworkFile) -> Result<(Recipe, &'static str)> {
    if let Some(path) = &arguments.recipe {
        return Ok((read_recipe(path)?, "as asked"));
    }
    let mut told = file.header.manifest["recipe"].clone();
    let tells_data = told.get("data").is_some_and(Value::is_object);
    let origin = match (told.is_object(), tells_data) {
        (true, true) => "that of the network's training",
        (true, false) => "that of the network's training, but for the filter, which its file does not tell",
        (false, _) => "the usual numbers",
    };
    if !told.is_object() {
        told = json!({ "name": "unknown", "training": { "positions": 1 } });
    }
    // Older forges and studies did not tell the filter of their samples.
    if !tells_data {
        told["data"] = json!({ "train": ["-"], "filter": { "scored_only": true } });
    }
    told["network"] = json!(file.spec().to_string());
    let recipe =
        serde_json::from_value(told).context("the recipe in the network's file; give another with --recipe")?;
    Ok((recipe, origin))
}

fn read_recipe(path: &Path) -> Result<Recipe> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    Recipe::parse(&text).with_context(|| path.display().to_string())
}
