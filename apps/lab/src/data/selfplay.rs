//! `kiebitz-lab data selfplay`: games of the engine against itself.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::Args;
use kiebitz_chess::Position;
use kiebitz_dataset::WrittenFile;
use kiebitz_inference::Network;
use kiebitz_search::SearchSignal;
use kiebitz_selfplay::{Evaluation, PlayerRecord, Produced, Rules, SelfPlay};
use kiebitz_tournament::opening::Book;
use serde::Serialize;

use super::progress::games_bar;

/// What to play.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The folder for shards and manifest.
    #[arg(long, short, value_name = "FOLDER")]
    output: PathBuf,
    /// How many games, rounded up to whole shards.
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    games: u64,
    /// The number of the first game, to have several machines play different games of one seed.
    #[arg(long, value_name = "N", default_value_t = 0)]
    first: u64,
    /// Games at a time [default: one for each CPU].
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Decides the openings.
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,
    /// A network to play with, ours or Stockfish's .nnue; the hand-crafted evaluation without.
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// Begin no new iteration after so many nodes.
    #[arg(long, value_name = "NODES", default_value_t = Rules::default().soft_nodes)]
    nodes: u64,
    /// Never search more nodes [default: ten times --nodes].
    #[arg(long, value_name = "NODES")]
    hard_nodes: Option<u64>,
    /// Transposition table of each game, in megabytes.
    #[arg(long, value_name = "MB", default_value_t = Rules::default().hash_mebibytes)]
    hash: usize,
    /// Begin with so many random moves, or one more [default: 8, after a book 0].
    #[arg(long, value_name = "PLIES")]
    random_plies: Option<usize>,
    /// Openings: .epd, .fen, .pgn or .bin, also as .zip, .zst, .gz or .bz2.
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// The most plies taken from a PGN or Polyglot book.
    #[arg(long, value_name = "PLIES")]
    book_plies: Option<usize>,
    /// Nodes of the search that looks whether an opening is balanced; 0 takes every opening.
    #[arg(long, value_name = "NODES", default_value_t = Rules::default().opening_nodes)]
    opening_nodes: u64,
    /// The largest score of a balanced opening, either way, in centipawns.
    #[arg(long, value_name = "SCORE", default_value_t = Rules::default().opening_limit)]
    opening_limit: u16,
    /// A game is won once both sides see this score; 0 plays on to the mate.
    #[arg(long, value_name = "SCORE", default_value_t = Rules::default().win_score)]
    win_score: u16,
    /// For so many moves of each side in a row.
    #[arg(long, value_name = "MOVES", default_value_t = Rules::default().win_moves)]
    win_moves: u32,
    /// A game is drawn once both sides see at most this score, either way.
    #[arg(long, value_name = "SCORE", default_value_t = Rules::default().draw_score)]
    draw_score: u16,
    /// For so many moves of each side in a row; 0 plays on.
    #[arg(long, value_name = "MOVES", default_value_t = Rules::default().draw_moves)]
    draw_moves: u32,
    /// No draw before this move.
    #[arg(long, value_name = "MOVE", default_value_t = Rules::default().draw_from_move)]
    draw_from: u32,
    /// A game of so many moves of each side is a draw.
    #[arg(long, value_name = "MOVES", default_value_t = Rules::default().longest)]
    longest: u32,
    /// Games in one shard; what an interruption can cost is at most a shard for each thread.
    #[arg(long, value_name = "N", default_value_t = Rules::default().games_per_shard)]
    shard_games: u32,
    /// Report as one JSON object.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Game by game the same seed gives the same moves, on any number of threads and on any machine. A run that was interrupted
goes on when it is called again: shards that are in the folder are not played again, and the rest comes out as if nothing
had happened. The manifest (manifest.json) says by what rules, program and network the games were made; a folder that was begun
by others is refused. Exit code: 0 when all games are there, 1 after an error, 3 when it was interrupted.

Examples:
  kiebitz-lab data selfplay --output games --games 100000 --nodes 5000 --seed 1
  kiebitz-lab data selfplay --output games --games 100000 --net nn-62ef826d1a6d.nnue --threads 16
  kiebitz-lab data selfplay --output second --first 100000 --games 50000 --book UHO_4060_v4.epd.zip";

/// The exit code of a run that was interrupted.
const EXIT_INTERRUPTED: u8 = 3;

#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    produced: Produced,
    seconds: f64,
    positions_per_second: f64,
}

/// Plays.
pub(crate) fn run(arguments: &Arguments, output: &mut impl Write) -> Result<ExitCode> {
    let start = Instant::now();
    let job = arguments.job()?;
    let games = arguments.first..arguments.first.checked_add(arguments.games).context("there are not so many games")?;
    let threads = arguments.threads.or_else(|| std::thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);
    let signal = SearchSignal::new();
    let request = signal.clone();
    // Without a handler an interrupt ends the program at once; finished shards are safe either way.
    let _ = ctrlc::set_handler(move || request.stop());
    let bar = games_bar(0);
    let produced = job.run(&arguments.output, games, threads, &signal, |progress| {
        bar.set_length(progress.wanted_games);
        bar.set_position(progress.games);
        let rate = progress.positions as f64 / start.elapsed().as_secs_f64().max(1e-9);
        bar.set_message(format!("{} positions, {rate:.0}/s", progress.positions));
    });
    bar.finish_and_clear();
    let produced = produced?;
    let seconds = start.elapsed().as_secs_f64();
    let complete = produced.complete;
    let positions_per_second = produced.played.positions as f64 / seconds;
    print(arguments.json, &Report { produced, seconds, positions_per_second }, output)?;
    Ok(if complete { ExitCode::SUCCESS } else { ExitCode::from(EXIT_INTERRUPTED) })
}

impl Arguments {
    fn job(&self) -> Result<SelfPlay> {
        if self.shard_games == 0 || self.nodes == 0 {
            bail!("shards have at least one game, and searches at least one node");
        }
        let rules = Rules {
            seed: self.seed,
            soft_nodes: self.nodes,
            hard_nodes: self.hard_nodes.unwrap_or(self.nodes.saturating_mul(10)),
            hash_mebibytes: self.hash,
            random_plies: self.random_plies.unwrap_or(if self.book.is_some() { 0 } else { 8 }),
            opening_nodes: self.opening_nodes,
            opening_limit: self.opening_limit,
            win_score: self.win_score,
            win_moves: self.win_moves,
            draw_score: self.draw_score,
            draw_moves: self.draw_moves,
            draw_from_move: self.draw_from,
            longest: self.longest,
            games_per_shard: self.shard_games,
        };
        let mut player = PlayerRecord {
            program: format!("kiebitz-lab {}", env!("KIEBITZ_VERSION")),
            evaluation: "hand-crafted".to_owned(),
            ..PlayerRecord::default()
        };
        let evaluation = match &self.net {
            None => Evaluation::Handcrafted,
            Some(path) => {
                let WrittenFile { file, crc32, .. } = WrittenFile::of(path)?;
                player.evaluation = file;
                player.network_crc32 = Some(crc32);
                let file = crate::net::read(path)?;
                Evaluation::Network(Network::new(&file).with_context(|| path.display().to_string())?)
            }
        };
        let mut starts: Vec<Position> = Vec::new();
        if let Some(path) = &self.book {
            player.book = Some(WrittenFile::of(path)?.file);
            let book = Book::open(path, self.book_plies)?;
            starts.extend((0..book.len()).filter_map(|index| book.opening(index)).map(|opening| opening.position()));
        }
        Ok(SelfPlay { rules, evaluation, player, starts })
    }
}

fn print(json: bool, report: &Report, output: &mut impl Write) -> Result<()> {
    if json {
        writeln!(output, "{}", serde_json::to_string_pretty(report)?)?;
        return Ok(());
    }
    let produced = &report.produced;
    if !produced.complete {
        writeln!(output, "interrupted: the same command goes on")?;
    }
    let played = produced.played;
    writeln!(output, "played {} games, {} positions", played.games, played.positions)?;
    let counts = produced.counts;
    let bytes: u64 = produced.files.iter().map(|file| file.written.bytes).sum();
    writeln!(output, "{} games, {} positions in {} shards", counts.chains, counts.positions, produced.files.len())?;
    writeln!(output, "{bytes} bytes, {:.3} a position", bytes as f64 / counts.positions.max(1) as f64)?;
    writeln!(output, "{:.1} s, {:.0} positions a second", report.seconds, report.positions_per_second)?;
    Ok(())
}
