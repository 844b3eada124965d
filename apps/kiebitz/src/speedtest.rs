//! `kiebitz speedtest`: how fast the engine really is, over threads.

use std::io::Write;
use std::thread;
use std::time::Duration;

use anyhow::{Result, anyhow, ensure};
use kiebitz_chess::GameHistory;
use kiebitz_engine::Engine;
use kiebitz_search::{Clock, SearchLimits, SearchSignal};

use crate::bench::POSITIONS;

/// What to measure.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  kiebitz speedtest --threads 8 --hash 256 --seconds 2")]
pub(crate) struct Arguments {
    /// Most threads; 1, 2, 4 … up to here are measured. All processors when left out.
    #[arg(long)]
    threads: Option<usize>,
    /// Hash in MiB.
    #[arg(long, default_value_t = 128)]
    hash: usize,
    /// Seconds for each number of threads.
    #[arg(long, default_value_t = 4.0)]
    seconds: f64,
    /// One JSON object a line.
    #[arg(long)]
    json: bool,
}

/// Positions that are searched for each number of threads.
const SAMPLE: usize = 8;
/// A day.
const LONGEST_SECONDS: f64 = 86_400.0;

pub(crate) fn run(arguments: &Arguments, output: &mut impl Write) -> Result<()> {
    ensure!(
        (0.0..=LONGEST_SECONDS).contains(&arguments.seconds),
        "--seconds is a number up to {LONGEST_SECONDS}, not {}",
        arguments.seconds
    );
    let most = arguments.threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from)).max(1);
    let mut counts: Vec<usize> =
        std::iter::successors(Some(1), |count| Some(count * 2)).take_while(|&n| n < most).collect();
    counts.push(most);
    let mut alone = None;
    for threads in counts {
        let mut engine = Engine::new(Clock::system());
        for (name, value) in [("Hash", arguments.hash), ("Threads", threads)] {
            engine.set_option(name, Some(&value.to_string())).map_err(|error| anyhow!(error))?;
        }
        let share = Duration::from_secs_f64((arguments.seconds / SAMPLE as f64).max(0.01));
        let limits = SearchLimits { move_time: Some(share), ..SearchLimits::default() };
        let (mut nodes, mut elapsed) = (0, Duration::ZERO);
        for fen in POSITIONS.iter().step_by((POSITIONS.len() / SAMPLE).max(1)).take(SAMPLE) {
            engine.new_game();
            let game = GameHistory::new(fen.parse()?);
            let start = std::time::Instant::now();
            nodes += engine.search(&game, &limits, &SearchSignal::new(), &mut |_| ()).nodes;
            elapsed += start.elapsed();
        }
        let speed = nodes as f64 / elapsed.as_secs_f64().max(1e-9);
        let ratio = speed / *alone.get_or_insert(speed);
        if arguments.json {
            writeln!(
                output,
                "{{\"threads\":{threads},\"nodes\":{nodes},\"nodes_per_second\":{speed:.0},\"speed_up\":{ratio:.3}}}"
            )?;
        } else {
            writeln!(output, "{threads:>4} threads: {speed:>12.0} nodes/s  {ratio:>6.2} times one thread")?;
        }
        output.flush()?;
    }
    Ok(())
}
