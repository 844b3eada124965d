//! `kiebitz-lab train-speed`: how fast a device trains a network.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;
use clap::Args;
use kiebitz_compute::Device;
use kiebitz_network::NetworkSpec;
use kiebitz_trainer::{Feed, LossPlace, Model, Objective, Recipe, Schedule, initial_weights};
use serde::Serialize;

use super::device::{DeviceChoice, with_device};
use super::loader_threads;

/// What is measured.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Shards to take positions from.
    #[arg(required = true, value_name = "SHARD")]
    shards: Vec<PathBuf>,
    /// The network; by default HalfKP 256-32-32 and 768 in sixteen king regions to 1024, one after the other.
    #[arg(long, value_name = "DESCRIPTION")]
    network: Vec<String>,
    /// What computes.
    #[arg(long, value_enum, default_value_t = DeviceChoice::Cpu)]
    device: DeviceChoice,
    /// Threads of the loader, and of --device cpu, one measurement each; 0 means all [default: 0, on the CPU 1,0].
    #[arg(long, value_name = "N,…", value_delimiter = ',')]
    threads: Vec<usize>,
    /// Positions of a step.
    #[arg(long, value_name = "N", default_value_t = 16_384)]
    batch: usize,
    /// Steps that are measured [default: 1500, on the CPU 16].
    #[arg(long, value_name = "N")]
    steps: Option<usize>,
    /// Report as JSON, one line a network.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
From memory: sixteen batches lie ready on the device and are used in turn, every step with all of its work (sorting
included). End to end: batches come from the shards through the loader.

Examples:
  kiebitz-lab train-speed games.kbz --device cuda --threads 16
  kiebitz-lab train-speed games.kbz --threads 1,2,4 --network \"inputs = halfkp trunk = accumulate 256, clipped -> dense 32 clipped -> dense 32 clipped heads = value\"";

/// The two networks of the published comparisons.
const NETWORKS: [&str; 2] = [
    "inputs = halfkp trunk = accumulate 256, clipped -> dense 32 clipped -> dense 32 clipped heads = value",
    "inputs = half(king.bucket[0 1 2 3 4 5 6 7 / 8 8 9 9 10 10 11 11 / 12 12 12 12 13 13 13 13 / 14 14 14 14 14 14 14 14 \
     / 15 15 15 15 15 15 15 15] * any.color * any.role * any.square) \
     trunk = accumulate 1024, squared heads = value numbers = accumulator i16*255, dense i8*64, output i16*64 units 400",
];

/// Batches that lie ready.
const READY: usize = 16;

/// What was measured.
#[derive(Serialize)]
struct Speed {
    network: String,
    device: String,
    batch: usize,
    steps: usize,
    /// Threads of the loader, and of the CPU where it trains.
    threads: usize,
    /// Positions a second with batches in memory.
    from_memory: f64,
    /// Positions a second with batches from shards.
    end_to_end: f64,
    /// Bytes that a step has to move at least: see the report's text.
    bytes_per_step: f64,
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> Result<ExitCode> {
    let given = arguments.network.iter().map(String::as_str);
    let networks: Vec<&str> = if arguments.network.is_empty() { NETWORKS.to_vec() } else { given.collect() };
    let threads = match (arguments.threads.as_slice(), arguments.device) {
        ([], DeviceChoice::Cpu) => vec![1, 0],
        ([], DeviceChoice::Cuda) => vec![0],
        (given, _) => given.to_vec(),
    };
    for text in networks {
        let spec = NetworkSpec::parse(text)?;
        let mut first: Option<Speed> = None;
        for &threads in &threads {
            let speed = with_device!(arguments.device, threads, |device| measure(arguments, threads, &spec, device))?;
            if arguments.json {
                serde_json::to_writer(&mut *out, &speed)?;
                writeln!(out)?;
            } else {
                print(&speed, first.as_ref(), out)?;
            }
            first.get_or_insert(speed);
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// For people; on the CPU with the gain over the first measurement.
fn print(speed: &Speed, first: Option<&Speed>, out: &mut impl Write) -> Result<()> {
    let rate = |speed: f64| speed / 1e6;
    let traffic = speed.bytes_per_step * speed.from_memory / speed.batch as f64 / 1e9;
    if first.is_none() {
        write!(out, "{}", speed.network)?;
    }
    writeln!(out, "{}, batch {}", speed.device, speed.batch)?;
    let from_memory = rate(speed.from_memory);
    writeln!(out, "  from memory {from_memory:8.3} M positions/s, {traffic:.0} GB/s of necessary traffic")?;
    writeln!(out, "  end to end  {:8.3} M positions/s", rate(speed.end_to_end))?;
    if let Some(first) = first {
        let gain = speed.from_memory / first.from_memory;
        writeln!(out, "  {gain:.2} times as fast from memory as with the threads named first")?;
    }
    Ok(())
}

fn measure<D: Device>(arguments: &Arguments, threads: usize, spec: &NetworkSpec, device: D) -> Result<Speed> {
    let name = device.describe();
    // On a GPU so many that the loader's first batch, which nothing overlaps with, hardly counts.
    let usual = if arguments.device == DeviceChoice::Cpu { 16 } else { 1500 };
    let (batch, steps) = (arguments.batch, arguments.steps.unwrap_or(usual).max(1));
    let mut recipe = Recipe::parse(&format!(
        "name = 'speed'\nnetwork = '''{spec}'''\n[data]\ntrain = ['-']\n[training]\npositions = {}\nbatch = {batch}",
        steps.max(READY) * batch
    ))?;
    recipe.data.train.clone_from(&arguments.shards);
    let schedule = Schedule::new(&recipe);
    let mut model = Model::new(device, spec, &initial_weights(spec, 1), batch)?;
    let mut losses = model.device().losses(1)?;
    let threads = loader_threads(threads);
    let feed = Feed::start(&recipe, &schedule, threads, 0)?;
    let samples = (0..READY as u64).map(|step| feed.next(step)).collect::<Result<Vec<_>, _>>()?;
    drop(feed);
    let batches = samples.iter().map(|samples| model.device().batch(samples)).collect::<Result<Vec<_>, _>>()?;
    let objective = Objective::Value { slope: 1.0, power: 2.5 };
    let mut step = 0;
    let mut train = |model: &mut Model<D>, batch: &D::Batch| {
        step += 1;
        let loss = LossPlace { losses: &mut losses, place: 0 };
        model.learn(batch, objective, arguments.batch, loss, &schedule, step)
    };
    for batch in batches.iter().take(4) {
        train(&mut model, batch)?;
    }
    model.device().finish()?;
    let began = Instant::now();
    for batch in batches.iter().cycle().take(steps) {
        train(&mut model, batch)?;
    }
    model.device().finish()?;
    let from_memory = (steps * batch) as f64 / began.elapsed().as_secs_f64();
    let feed = Feed::start(&recipe, &schedule, threads, 0)?;
    let began = Instant::now();
    for step in 0..steps as u64 {
        let batch = model.device().batch(&feed.next(step)?)?;
        train(&mut model, &batch)?;
    }
    model.device().finish()?;
    let end_to_end = (steps * batch) as f64 / began.elapsed().as_secs_f64();
    let active: usize = samples[0].views.iter().map(|view| view.indices.len()).sum();
    Ok(Speed {
        network: spec.to_string(),
        device: name,
        batch,
        steps,
        threads: threads.get(),
        from_memory,
        end_to_end,
        bytes_per_step: necessary_bytes(spec, active, batch),
    })
}

/// Bytes that a step has to move: rows of active features in two bytes a number, their gradients likewise, and weights with
/// both moments read and written once.
fn necessary_bytes(spec: &NetworkSpec, active: usize, batch: usize) -> f64 {
    let width = spec.accumulated().width as f64;
    let sums = batch as f64 * spec.views() as f64 * width;
    2.0 * active as f64 * width * 2.0 + 3.0 * sums * 4.0 + spec.parameters() as f64 * 30.0
}
