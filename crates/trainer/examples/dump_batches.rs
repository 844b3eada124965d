//! Writes what a run starts from and learns from, so that another program can train the same network on the same batches.
//!
//! `dump_batches RECIPE.toml STEPS VALIDATION-BATCHES FOLDER` writes into the folder:
//!
//! ```text
//! recipe.json      the recipe, the slope of the loss, and the learning rate of every step
//! initial.bin      initial weights as floats: rows, biases, then weights and biases of each layer
//! train.bin        batch after batch: samples, indices of each view (4 bytes each); ends and indices of each view; targets
//! validation.bin   the same, with the targets of the end of the run
//! ```
//!
//! Numbers are little-endian, 4 bytes each. Networks without coarse rows, shortcut and buckets only.

use std::error::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::num::NonZeroUsize;
use std::path::Path;

use kiebitz_compute::CheckedSamples;
use kiebitz_trainer::{Feed, Recipe, Schedule, initial_weights};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [recipe, steps, validation, folder] = arguments.as_slice() else {
        return Err("usage: dump_batches RECIPE.toml STEPS VALIDATION-BATCHES FOLDER".into());
    };
    let recipe = Recipe::parse(&fs::read_to_string(recipe)?)?;
    let (steps, validation): (u64, u64) = (steps.parse()?, validation.parse()?);
    let folder = Path::new(folder);
    fs::create_dir_all(folder)?;
    let schedule = Schedule::new(&recipe);
    let rates: Vec<f64> = (0..steps).map(|step| schedule.rate(step)).collect();
    let spec = &recipe.network;
    let centipawns = f64::from(spec.centipawns.times) / f64::from(spec.centipawns.per.max(1));
    let slope = f64::from(spec.units()) * centipawns / recipe.loss.score_scale;
    let about = serde_json::json!({ "recipe": recipe, "slope": slope, "rates": rates });
    fs::write(folder.join("recipe.json"), about.to_string())?;
    let weights = initial_weights(spec, recipe.seed);
    let mut initial = BufWriter::new(File::create(folder.join("initial.bin"))?);
    let mut lists = vec![&weights.accumulator_weights, &weights.accumulator_biases];
    for layer in weights.stacks.iter().flatten() {
        lists.extend([&layer.weights, &layer.biases]);
    }
    for number in lists.into_iter().flatten() {
        initial.write_all(&number.to_le_bytes())?;
    }
    initial.flush()?;
    batches(&recipe, &schedule, steps, &folder.join("train.bin"))?;
    // Validation looks at its own shards, from the first batch on, with the targets of the end.
    let mut last = recipe.clone();
    last.data.train.clone_from(&recipe.data.validation);
    last.loss.result_start = recipe.loss.result_end;
    batches(&last, &Schedule::new(&last), validation, &folder.join("validation.bin"))
}

fn batches(recipe: &Recipe, schedule: &Schedule, steps: u64, path: &Path) -> Result<(), Box<dyn Error>> {
    let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let feed = Feed::start(recipe, schedule, threads, 0)?;
    let mut file = BufWriter::new(File::create(path)?);
    for step in 0..steps.min(recipe.steps()) {
        write(&feed.next(step)?, &mut file)?;
    }
    Ok(file.flush()?)
}

fn write(samples: &CheckedSamples, file: &mut impl Write) -> std::io::Result<()> {
    let mut put = |number: u32| file.write_all(&number.to_le_bytes());
    put(samples.len() as u32)?;
    for view in &samples.views {
        put(view.indices.len() as u32)?;
    }
    for view in &samples.views {
        view.ends.iter().chain(&view.indices).try_for_each(|&number| put(number))?;
    }
    samples.targets.iter().try_for_each(|target| put(target.to_bits()))
}
