//! `kiebitz-lab review`: how well was a game played, and what would have been better?

mod analyst;
mod report;

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use kiebitz_chess::Move;
use kiebitz_pgn::{Game, GameReader, Source, write_game};

use crate::engine_arguments::option;
use analyst::Analyst;
use kiebitz_onlooker::review::{GameReview, annotated, review};
use report::{Report, Reviewed};

/// Some games could not be reviewed.
const EXIT_INCOMPLETE: u8 = 2;

/// What is to be reviewed, and how hard to look.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The games: PGN, plain, .zst, .bz2 or .gz; - is the standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Write the annotated games here; without it only the summary is told.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Positions to visit for each move of the game.
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Another engine than our own: a path, or a name in PATH.
    #[arg(long, value_name = "ENGINE")]
    engine: Option<String>,
    /// An option to set in the engine; may be repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    options: Vec<(String, Option<String>)>,
    /// Only the first so many games.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Report as one JSON object, with every move.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Scores are turned into expected points (chances to win plus half the chances to draw). What a move gives away of them is
its loss: what the best move promised, less what the move played left. With it

  accuracy of a move   100 · e^(-5 · loss) percent; of a player: the average over his moves
  ?!  dubious          loss of 0.05 points or more
  ?   mistake          0.10 or more
  ??  blunder          0.20 or more

In the PGN every move has its evaluation ([%eval], seen by White), every marked move its glyph ($6, $2, $4) and the better
line as a variation. Comments, variations and glyphs that were there stay; evaluations are replaced.

Exit code: 0 if all games were reviewed, 2 if some could not be read or hold no moves to review, 1 if nothing could be done.

Examples:
  kiebitz-lab review game.pgn --out reviewed.pgn
  kiebitz-lab review games.pgn --nodes 1000000 --option Hash=256 --out reviewed.pgn
  kiebitz-lab review games.pgn --engine stockfish --option Threads=2 --limit 10 --json > review.json";

/// Reviews and writes games and report.
pub(crate) fn run(arguments: &Arguments, output: &mut impl Write) -> Result<ExitCode> {
    let begun = Instant::now();
    let (games, mut faults) = read(&arguments.file, arguments.limit)?;
    ensure!(!games.is_empty(), "{} holds no game that could be read; {}", arguments.file.display(), first(&faults));
    let mut analyst = Analyst::start(arguments.engine.as_deref(), &arguments.options, arguments.nodes)?;
    let bar = progress_bar(games.iter().map(|(_, game)| game.main_line().count() as u64).sum());
    let mut reviewed = Vec::new();
    for (number, game) in &games {
        bar.set_message(format!("game {number}"));
        match one(game, &mut analyst, &bar)? {
            Ok(review) => reviewed.push(Reviewed { number: *number, game, review }),
            Err(fault) => faults.push(format!("game {number}: {fault}")),
        }
    }
    bar.finish_and_clear();
    let name = analyst.name();
    if let Some(path) = &arguments.out {
        let annotated = reviewed
            .iter()
            .map(|one| annotated(one.game, &one.review, &format!("{name}, {} nodes a move", arguments.nodes)));
        write(path, annotated).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let incomplete = !faults.is_empty();
    let report = Report { engine: name, nodes: arguments.nodes, games: &reviewed, faults, elapsed: begun.elapsed() };
    if arguments.json {
        report.write_json(output)?
    } else {
        report.write_text(output)?
    }
    Ok(if incomplete { ExitCode::from(EXIT_INCOMPLETE) } else { ExitCode::SUCCESS })
}

fn first(faults: &[String]) -> &str {
    faults.first().map_or("it is empty", String::as_str)
}

/// A game and its number in the file.
type NumberedGame = (usize, Game);

/// The games with their numbers, and what is wrong with the others.
fn read(path: &Path, limit: Option<usize>) -> Result<(Vec<NumberedGame>, Vec<String>)> {
    let mut reader = GameReader::new(Source::open(path)?);
    let (mut games, mut faults) = (Vec::new(), Vec::new());
    for (index, game) in reader.by_ref().take(limit.unwrap_or(usize::MAX)).enumerate() {
        match game {
            Ok(game) => games.push((index + 1, game)),
            Err(broken) => faults.push(broken.to_string()),
        }
    }
    faults.extend(reader.source_error().map(ToString::to_string));
    Ok((games, faults))
}

/// Reviews a game, or tells why it cannot be.
fn one(game: &Game, analyst: &mut Analyst, bar: &ProgressBar) -> Result<Result<GameReview, &'static str>> {
    if game.main_line().any(|id| game.move_at(id) == Move::NULL) {
        return Ok(Err("a side passes, which no engine can judge"));
    }
    if game.main_line().next().is_none() {
        return Ok(Err("it has no moves"));
    }
    analyst.new_game()?;
    let moves = game.main_line().map(|id| game.move_at(id)).collect();
    let review = review(game.start(), moves, &mut |history| {
        let judgement = analyst.judge(history);
        bar.inc(1);
        judgement
    })?;
    Ok(Ok(review))
}

fn write(path: &Path, games: impl Iterator<Item = Game>) -> io::Result<()> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".part");
    let mut file = BufWriter::new(File::create(&temporary)?);
    for game in games {
        write_game(&mut file, &game)?;
    }
    file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
    fs::rename(&temporary, path)
}

/// Shows itself only on a terminal.
fn progress_bar(length: u64) -> ProgressBar {
    let bar = ProgressBar::new(length);
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} moves, {msg}, {per_sec}, {eta} left") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
