//! What the command line says about a match.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};
use kiebitz_tablebase::SyzygyTables;
use kiebitz_tournament::game::EndgameOracle;
use kiebitz_tournament::pairing::{Format, Legs};
use kiebitz_tournament::racing::Race;
use kiebitz_tournament::runner::{ExcusedLosses, MatchSettings, OpeningChoice, StopRule};
use kiebitz_tournament::sprt::Sprt;
use kiebitz_tournament::statistics::EloModel;
use kiebitz_tournament::{AdjudicationRules, DrawRule, ResignRule, ResignSides};

use super::engine_text::{Defaults, contestant, read_margin};
use crate::engine_arguments::option;

/// Games in every encounter unless something else is asked for.
const USUAL_GAMES: u32 = 100;
/// Games of a sequential test unless something else is asked for: it should end by its decision.
const SPRT_GAMES: u32 = 200_000;

/// Who plays, how, how often.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A player: PROGRAM[,KEY=VALUE]…; repeat for every player. Keys: name, tc, movetime, nodes, depth, margin, odds,
    /// option.NAME, arg, env.NAME, dir, ponder, restart.
    #[arg(long = "engine", value_name = "PLAYER", required = true, num_args = 1)]
    engines: Vec<String>,
    /// Games in every encounter: 100 unless given, as many as it takes for a test.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
    /// Clock for everybody: TIME+INCREMENT in seconds, MOVES/TIME+INCREMENT.
    #[arg(long, value_name = "TC")]
    tc: Option<String>,
    /// Time for each move, such as 0.1 or 100ms.
    #[arg(long, value_name = "TIME")]
    movetime: Option<String>,
    /// Positions to visit for each move.
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Plies to search for each move.
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// What may be overstepped without losing on time, in milliseconds.
    #[arg(long, value_name = "MS")]
    margin: Option<String>,
    /// An option to set in every engine; may be repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    options: Vec<(String, Option<String>)>,
    /// Let everybody think on the opponent's time.
    #[arg(long)]
    ponder: bool,
    /// Start every engine anew for every game.
    #[arg(long)]
    restart: bool,
    /// How players are paired.
    #[arg(long, value_enum, default_value_t = Pairing::RoundRobin)]
    format: Pairing,
    /// Rounds of a Swiss tournament.
    #[arg(long, value_name = "N", default_value_t = 5)]
    rounds: u32,
    /// Players at the head of the list who are tried in a gauntlet.
    #[arg(long, value_name = "N", default_value_t = 1)]
    tried: u32,
    /// Pairs by which a tied knockout encounter may be extended.
    #[arg(long, value_name = "N", default_value_t = 10)]
    extra_turns: u32,
    /// Do not play every opening with both colors.
    #[arg(long)]
    single: bool,
    /// Openings: .epd, .fen, .pgn or .bin, also as .zip, .zst, .gz or .bz2.
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// The most plies taken from a PGN or Polyglot book.
    #[arg(long, value_name = "N")]
    book_plies: Option<usize>,
    /// Take openings in the order of the file instead of one drawn by --seed.
    #[arg(long)]
    book_in_order: bool,
    /// Pass over so many openings at the beginning.
    #[arg(long, value_name = "N", default_value_t = 0)]
    book_skip: usize,
    /// Draws lots for openings and pairings.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Games at the same time.
    #[arg(long, value_name = "N", default_value_t = 1)]
    concurrency: usize,
    /// Hold every game to processors of its own.
    #[arg(long)]
    affinity: bool,
    /// Play so that the result is the same on every machine: nodes or depth, one thread, a set hash, no times in the PGN.
    #[arg(long)]
    deterministic: bool,
    /// Tell the engines to play Chess960 (done by itself where the book needs it).
    #[arg(long)]
    chess960: bool,
    /// Draw from move FROM on when both players see at most SCORE centipawns for MOVES moves each.
    #[arg(long, value_name = "FROM,MOVES,SCORE", value_parser = draw_rule)]
    draw: Option<DrawRule>,
    /// Lost at SCORE centipawns or worse for MOVES moves; both players must agree unless it ends in ",one".
    #[arg(long, value_name = "MOVES,SCORE[,one]", value_parser = resign_rule)]
    resign: Option<ResignRule>,
    /// Draw after so many moves by each player.
    #[arg(long, value_name = "MOVES")]
    longest: Option<u32>,
    /// End games that the Syzygy tablebases in these folders know (several are joined as in PATH).
    #[arg(long, value_name = "FOLDERS")]
    syzygy: Option<String>,
    /// Stop when the first player's lead is decided between these bounds.
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true, conflicts_with = "race")]
    sprt: Option<Vec<f64>>,
    /// Probability to accept ELO1 although ELO0 is true.
    #[arg(long, default_value_t = 0.05)]
    alpha: f64,
    /// Probability to accept ELO0 although ELO1 is true.
    #[arg(long, default_value_t = 0.05)]
    beta: f64,
    /// Scale of the bounds.
    #[arg(long, value_enum, default_value_t = Model::Normalised)]
    model: Model,
    /// Race all players but the first against the first until the best is found; differences below this many normalised
    /// Elo do not matter.
    #[arg(long, value_name = "ELO")]
    race: Option<f64>,
    /// How sure the winner of a race must be.
    #[arg(long, value_name = "P", default_value_t = 0.95)]
    confidence: f64,
    /// Keep the match here, so that it can be resumed after any interruption.
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Go on with the match in --folder, or begin it if there is none.
    #[arg(long, requires = "folder")]
    resume: bool,
    /// Write the games here; called FILE.part until the match is over.
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Replace an existing PGN file.
    #[arg(long)]
    overwrite: bool,
    /// The name of the event in the PGN.
    #[arg(long, value_name = "TEXT", default_value = "Kiebitz match")]
    event: String,
    /// Let losses on time count even if the whole machine stood still for longer than the player was late.
    #[arg(long)]
    count_stalled: bool,
    /// Write events as lines of JSON; - for standard output.
    #[arg(long, value_name = "FILE")]
    pub(super) events: Option<PathBuf>,
    /// Report as one JSON object.
    #[arg(long)]
    pub(super) json: bool,
    /// Tell of every game and of everything the engines do wrong.
    #[arg(long)]
    pub(super) verbose: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Pairing {
    /// Everybody meets everybody.
    RoundRobin,
    /// The first --tried players meet all the others.
    Gauntlet,
    /// --rounds rounds; players with equal scores meet.
    Swiss,
    /// Who loses is out.
    Knockout,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Model {
    /// Elo as everybody knows it.
    Logistic,
    /// Elo in units of what can be detected.
    Normalised,
}

impl From<Model> for EloModel {
    fn from(model: Model) -> Self {
        match model {
            Model::Logistic => Self::Logistic,
            Model::Normalised => Self::Normalised,
        }
    }
}

const EXAMPLES: &str = "\
A player is a program and what belongs to it, joined by commas: stockfish,name=sf2k,nodes=2000,option.Hash=16. Limits
behind a player (tc, movetime, nodes, depth) replace those for everybody; odds=0.5 halves its times; \\, is a comma.
Results are seen from the first player. Every opening is played twice with colors swapped, unless --single.

A game lost on time is played again if the manager's heartbeat saw the whole machine stand still for longer than the
player was late (at most three times); such stalls are listed apart. --count-stalled lets these losses count.

With --folder every finished game is safe on disk at once; after any interruption the same command with --resume goes on.
Changed settings, engines or books are refused; more --games are welcome.

Exit code: 0 if the match came to its end, 3 if it was stopped, 1 if something is wrong.

Examples:
  kiebitz-lab match --engine ./new --engine ./old --tc 8+0.08 --book book.epd.zip --games 1000 --concurrency 4
  kiebitz-lab match --engine ./new --engine ./old --tc 8+0.08 --book book.epd --sprt 0 3 --folder test --resume
  kiebitz-lab match --engine a --engine b,odds=0.5 --engine stockfish,name=sf2k,nodes=2000 --tc 1+0.01 --pgn games.pgn
  kiebitz-lab match --engine ./a --engine ./b --nodes 5000 --deterministic --games 200 --json > result.json
  kiebitz-lab match --engine ./base --engine ./x --engine ./y --engine ./z --tc 2+0.02 --race 10 --book book.epd
  kiebitz-lab games-needed --sprt 0 3 --draws 0.6";

impl Arguments {
    /// The settings that are meant.
    pub(super) fn settings(&self) -> Result<MatchSettings> {
        let defaults = self.defaults()?;
        let contestants = self.engines.iter().map(|text| contestant(text, &defaults)).collect::<Result<Vec<_>>>()?;
        ensure!(contestants.len() >= 2, "a match needs at least two players: give --engine twice or more");
        let (legs, per_turn) = if self.single { (Legs::One, 1) } else { (Legs::Two, 2) };
        let stop_rule = self.stop_rule(contestants.len())?;
        let usual = if matches!(stop_rule, Some(StopRule::Sprt(_))) { SPRT_GAMES } else { USUAL_GAMES };
        let games = self.games.unwrap_or(usual);
        ensure!(games.is_multiple_of(per_turn), "--games {games} must be even: openings are played with both colors");
        if let Some(pgn) = &self.pgn {
            let taken = pgn.exists() && !self.overwrite && !self.resume;
            ensure!(!taken, "{} exists already: name another file or give --overwrite", pgn.display());
        }
        let mut settings = MatchSettings::new(contestants, games / per_turn);
        settings.event.clone_from(&self.event);
        settings.format = self.format();
        settings.legs = legs;
        settings.seed = self.seed;
        settings.openings = OpeningChoice {
            book: self.book.clone(),
            plies: self.book_plies,
            in_order: self.book_in_order,
            skip: self.book_skip,
        };
        settings.adjudication = AdjudicationRules { draw: self.draw, resign: self.resign, longest: self.longest };
        settings.stop_rule = stop_rule;
        settings.concurrency = self.concurrency;
        settings.affinity = self.affinity;
        settings.deterministic = self.deterministic;
        settings.chess960 = self.chess960;
        settings.excused = if self.count_stalled { ExcusedLosses::Count } else { ExcusedLosses::Replay };
        settings.folder.clone_from(&self.folder);
        settings.resume = self.resume;
        settings.pgn.clone_from(&self.pgn);
        Ok(settings)
    }

    fn defaults(&self) -> Result<Defaults> {
        let mut limits = Vec::new();
        limits.extend(self.tc.as_ref().map(|tc| format!("tc={tc}")));
        limits.extend(self.movetime.as_ref().map(|time| format!("movetime={time}")));
        limits.extend(self.nodes.map(|nodes| format!("nodes={nodes}")));
        limits.extend(self.depth.map(|depth| format!("depth={depth}")));
        Ok(Defaults {
            limits,
            margin: self.margin.as_deref().map(read_margin).transpose()?,
            options: self.options.clone(),
            ponder: self.ponder,
            restart: self.restart,
        })
    }

    fn format(&self) -> Format {
        match self.format {
            _ if self.race.is_some() => Format::Gauntlet { tried: 1 },
            Pairing::RoundRobin => Format::RoundRobin,
            Pairing::Gauntlet => Format::Gauntlet { tried: self.tried },
            Pairing::Swiss => Format::Swiss { rounds: self.rounds },
            Pairing::Knockout => Format::Knockout { extra_turns: self.extra_turns },
        }
    }

    fn stop_rule(&self, players: usize) -> Result<Option<StopRule>> {
        if let Some(difference) = self.race {
            return Ok(Some(StopRule::Race(Race::new(players - 1, self.confidence, difference).context("--race")?)));
        }
        let Some(bounds) = &self.sprt else { return Ok(None) };
        let &[elo0, elo1] = &bounds[..] else { bail!("--sprt takes two bounds") };
        Ok(Some(StopRule::Sprt(Sprt::new(self.alpha, self.beta, [elo0, elo1], self.model.into()).context("--sprt")?)))
    }

    /// The tablebases, if they are wanted.
    pub(super) fn oracle(&self) -> Result<Option<Arc<dyn EndgameOracle>>> {
        let Some(folders) = &self.syzygy else { return Ok(None) };
        let tables = SyzygyTables::open(folders).with_context(|| format!("--syzygy {folders}"))?;
        Ok(Some(Arc::new(tables)))
    }
}

fn numbers<const N: usize>(text: &str) -> Option<[u32; N]> {
    let parts: Vec<u32> = text.split(',').map(|part| part.trim().parse().ok()).collect::<Option<_>>()?;
    parts.try_into().ok()
}

fn draw_rule(text: &str) -> Result<DrawRule, String> {
    let [from_move, moves, score] = numbers(text).ok_or("expected FROM,MOVES,SCORE such as 40,8,10")?;
    Ok(DrawRule { from_move, moves, score: i32::try_from(score).unwrap_or(i32::MAX) })
}

fn resign_rule(text: &str) -> Result<ResignRule, String> {
    let (bare, sides) = match text.strip_suffix(",one") {
        Some(bare) => (bare, ResignSides::Loser),
        None => (text.strip_suffix(",both").unwrap_or(text), ResignSides::Both),
    };
    let [moves, score] = numbers(bare).ok_or("expected MOVES,SCORE such as 3,600, or 3,600,one")?;
    Ok(ResignRule { moves, score: i32::try_from(score).unwrap_or(i32::MAX), sides })
}
