//! `kiebitz-lab ladder`: how strong is an engine, measured by engines that everybody can install?

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::Args;
use kiebitz_tournament::TimeControl;
use kiebitz_tournament::pairing::Format;
use kiebitz_tournament::runner::{Contestant, MatchReport, MatchSettings, OpeningChoice};
use kiebitz_uci::EngineCommand;

use crate::match_play;
use crate::match_play::engine_text::{Defaults, contestant, find_program, read_margin};
use crate::match_play::table::bar;

/// What is to be rated, and how thoroughly.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The engine, with what belongs to it, as in a match: PROGRAM[,KEY=VALUE]…
    #[arg(value_name = "ENGINE")]
    engine: String,
    /// Clock for everybody but the Stockfish rungs, which have nodes.
    #[arg(long, value_name = "TC", default_value = "1+0.01")]
    tc: String,
    /// What may be overstepped without losing on time, in milliseconds.
    #[arg(long, value_name = "MS", default_value = "20")]
    margin: String,
    /// Games against every rung.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(2..))]
    games: u32,
    /// Nodes of the Stockfish rungs; none of them with 0.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_values_t = [100, 300, 1000, 2000, 5000, 10_000, 30_000])]
    nodes: Vec<u64>,
    /// Only the rungs whose name contains one of these.
    #[arg(long, value_name = "TEXT,…", value_delimiter = ',')]
    only: Vec<String>,
    /// Openings, as in a match. Needed: from the start position alone the rungs would play the same few games.
    #[arg(long, value_name = "FILE")]
    book: PathBuf,
    /// Draws lots for openings.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Games at the same time.
    #[arg(long, value_name = "N", default_value_t = 1)]
    concurrency: usize,
    /// Keep the games here, so that the ladder can be resumed.
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Go on with what is in --folder, or begin.
    #[arg(long, requires = "folder")]
    resume: bool,
    /// Write the games here.
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Report as one JSON object.
    #[arg(long)]
    json: bool,
    /// Tell of every game.
    #[arg(long)]
    verbose: bool,
}

const EXAMPLES: &str = "\
The rungs are Debian's engines (ethereal-chess, glaurung, toga2, gnuchess) with the clock of --tc, and its Stockfish with
few nodes, all with one thread and without their own books. What is not installed is said and left out. phalanx and
fairymax are not among them: they do not speak UCI.

Positive differences mean that the engine is stronger than the rung.

Exit code: 0 if the ladder was climbed, 3 if it was stopped, 1 if something is wrong.

Examples:
  kiebitz-lab ladder ./my-engine --book book.epd.zip --concurrency 2
  kiebitz-lab ladder ./my-engine,option.Hash=32 --tc 8+0.08 --games 400 --book book.epd --folder ladder --resume
  kiebitz-lab ladder ./my-engine --nodes 1000,3000 --only stockfish --book book.epd --json > ladder.json";

/// An engine that Debian has, set to one thread, a small hash and no book of its own.
struct Rung {
    program: &'static str,
    arguments: &'static [&'static str],
    options: &'static [(&'static str, &'static str)],
}

const DEBIAN: [Rung; 4] = [
    Rung { program: "gnuchess", arguments: &["--uci"], options: &[("OwnBook", "false"), ("Hash", "16")] },
    Rung {
        program: "toga2",
        arguments: &[],
        options: &[("OwnBook", "false"), ("Hash", "16"), ("Number of Threads", "1")],
    },
    Rung { program: "glaurung", arguments: &[], options: &[("OwnBook", "false"), ("Hash", "16"), ("Threads", "1")] },
    Rung { program: "ethereal-chess", arguments: &[], options: &[("Hash", "16"), ("Threads", "1")] },
];

/// Plays against all rungs and writes the table.
pub(crate) fn run(arguments: &Arguments, output: &mut impl Write) -> Result<ExitCode> {
    let defaults = Defaults {
        limits: vec![format!("tc={}", arguments.tc)],
        margin: Some(read_margin(&arguments.margin)?),
        ..Defaults::default()
    };
    let mut contestants = vec![contestant(&arguments.engine, &defaults)?];
    contestants.extend(arguments.rungs()?);
    ensure!(contestants.len() > 1, "no rung of the ladder is installed: try apt-get install stockfish");
    ensure!(arguments.games.is_multiple_of(2), "--games {} must be even", arguments.games);
    let mut settings = MatchSettings::new(contestants, arguments.games / 2);
    settings.event = "Kiebitz ladder".to_owned();
    settings.format = Format::Gauntlet { tried: 1 };
    settings.openings = OpeningChoice { book: Some(arguments.book.clone()), ..OpeningChoice::default() };
    settings.seed = arguments.seed;
    settings.concurrency = arguments.concurrency;
    settings.folder.clone_from(&arguments.folder);
    settings.resume = arguments.resume;
    settings.pgn.clone_from(&arguments.pgn);
    let report = match_play::play(settings, None, arguments.verbose, &mut None)?;
    if arguments.json {
        match_play::write_report(&report, true, output)?;
    } else {
        write_table(&report, output)?;
    }
    Ok(match_play::exit_code(&report))
}

impl Arguments {
    fn rungs(&self) -> Result<Vec<Contestant>> {
        let control: TimeControl =
            format!("tc={} margin={}ms", self.tc, read_margin(&self.margin)?.as_millis()).parse()?;
        let mut rungs = Vec::new();
        if let Some(stockfish) = installed("stockfish") {
            for &nodes in self.nodes.iter().filter(|&&nodes| nodes > 0) {
                let mut command = EngineCommand::new(&stockfish).option("Threads", "1").option("Hash", "16");
                command.label = Some(format!("stockfish {nodes} nodes"));
                rungs.push(Contestant::new(command, format!("nodes={nodes}").parse()?));
            }
        }
        for rung in DEBIAN {
            let Some(program) = installed(rung.program) else { continue };
            let mut command = EngineCommand::new(program);
            command.label = Some(rung.program.to_owned());
            command.arguments = rung.arguments.iter().map(|&word| word.to_owned()).collect();
            command.options =
                rung.options.iter().map(|&(name, value)| (name.to_owned(), Some(value.to_owned()))).collect();
            rungs.push(Contestant::new(command, control));
        }
        rungs.retain(|rung| self.only.is_empty() || self.only.iter().any(|text| rung.name.contains(text.as_str())));
        Ok(rungs)
    }
}

/// Where a program lies; one line says so if it is not installed.
fn installed(name: &str) -> Option<PathBuf> {
    let found = find_program(name).ok();
    if found.is_none() {
        // For people; if nobody reads it, the ladder is climbed all the same.
        let _ = writeln!(io::stderr(), "not installed, so left out: {name}");
    }
    found
}

fn write_table(report: &MatchReport, output: &mut impl Write) -> Result<()> {
    let Some(engine) = report.players.first() else { return Ok(()) };
    writeln!(output, "{} ({}), {}", engine.name, engine.engine, engine.limit)?;
    let width = report.players.iter().map(|player| player.name.chars().count()).max().unwrap_or(0).max(4);
    writeln!(output, "{:<width$} {:>6} {:>8}  {:>20}  limit", "rung", "games", "score", "Elo difference")?;
    for player in &report.players[1..] {
        let Some(met) = report.standing.encounters.iter().find(|met| met.second == player.name) else { continue };
        let score = met.score.map_or(0.0, |score| score.value * 100.0);
        let elo = bar(met.elo);
        writeln!(output, "{:<width$} {:>6} {score:>6.1} %  {elo:>20}  {}", player.name, met.games, player.limit)?;
    }
    for player in &report.players {
        let lost = player.time_losses + player.crashes + player.hangs + player.illegal_moves;
        if lost > 0 {
            writeln!(
                output,
                "{} broke {lost} games: {} on time, {} crashes, {} hangs, {} illegal moves",
                player.name, player.time_losses, player.crashes, player.hangs, player.illegal_moves
            )?;
        }
    }
    Ok(())
}
