//! `kiebitz-lab data import`: samples from collections of games.

use std::fs;
use std::io::Write;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use kiebitz_dataset::{
    Description, Format, ImportReport, ImportRules, IntakeOutput, MANIFEST_VERSION, Manifest, ManifestFile, Removals,
    deduplicate, import_files, inputs_with_sizes,
};
use serde::Serialize;
use serde_json::{Value, json};

use super::filter_arguments::FilterArguments;
use super::part_arguments::PartArguments;
use super::progress::{FileBars, steps_bar};
use super::{format_of, keep_apart, print_files, reason_name};

/// What to import.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// PGN files: plain, .zst, .bz2 or .gz.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Where the samples go: a shard, .kbz.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// The lowest rating of both players.
    #[arg(long, value_name = "RATING")]
    min_rating: Option<u16>,
    /// The highest rating of both players.
    #[arg(long, value_name = "RATING")]
    max_rating: Option<u16>,
    /// Leave out games with fewer plies.
    #[arg(long, value_name = "PLIES", default_value_t = 1)]
    min_plies: usize,
    /// Leave out games without a result.
    #[arg(long)]
    finished_only: bool,
    /// Take so many random positions of each game instead of all.
    #[arg(long, value_name = "N")]
    per_game: Option<NonZeroUsize>,
    /// Decides which ones.
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,
    /// Take each position once; counters and past do not tell positions apart.
    #[arg(long)]
    unique: bool,
    /// Memory for finding equal positions, in megabytes; with less the file is read more often.
    #[arg(long, value_name = "MB", default_value_t = 1_000)]
    memory: u64,
    /// How many threads to use [default: one for each CPU].
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Report as one JSON object.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    filter: FilterArguments,
    #[command(flatten)]
    parts: PartArguments,
}

const EXAMPLES: &str = "\
Broken games are left out and counted; `kiebitz-lab games check` says what is wrong with them. Of a compressed file that is cut
off, the complete games are imported, and the exit code is 1. The samples depend on games,
rules and seed alone, not on the number of threads. A manifest beside them (.kbz.json) says where they come from. An import that
was interrupted goes on when it is called again, and ends with the same bytes.
Exit code: 0 when all files were read and something was found, 1 otherwise.

Examples:
  kiebitz-lab data import lichess_db_standard_rated_2013-01.pgn.zst --output all.kbz
  kiebitz-lab data import games.pgn.zst --output moves.kbz --min-rating 1700 --per-game 10 --unique --seed 7
  kiebitz-lab data import games.pgn.zst --output evals.kbz --scored-only --no-check --no-captures
  kiebitz-lab data import games.pgn.zst --output parts.kbz --part-size 15";

#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    import: ImportReport,
    rules: ImportRules,
    files: Vec<ManifestFile>,
    seconds: f64,
    positions_per_second: f64,
}

/// Imports.
pub(crate) fn run(arguments: &Arguments, output: &mut impl Write) -> Result<()> {
    if format_of(&arguments.output, None)? != Format::Kiebitz {
        bail!("games are imported into shards (.kbz); `kiebitz-lab data convert` makes other formats of them");
    }
    if arguments.unique && arguments.parts.wanted() {
        bail!("--unique writes one file; `kiebitz-lab data convert --part-size` divides it afterwards");
    }
    keep_apart(&arguments.files, &[&arguments.output])?;
    let start = Instant::now();
    let ratings = (arguments.min_rating.is_some() || arguments.max_rating.is_some())
        .then(|| arguments.min_rating.unwrap_or(1)..=arguments.max_rating.unwrap_or(u16::MAX));
    let rules = ImportRules {
        ratings,
        min_plies: arguments.min_plies,
        finished_only: arguments.finished_only,
        filter: arguments.filter.filter(),
        per_game: arguments.per_game.map(NonZeroUsize::get),
        seed: arguments.seed,
    };
    let everything =
        if arguments.unique { arguments.output.with_extension("all.kbz") } else { arguments.output.clone() };
    let (mut report, mut files) = match earlier(arguments, &rules, &everything) {
        Some(earlier) => earlier,
        None => read_games(arguments, &rules, &everything)?,
    };
    if arguments.unique {
        let all_read = Manifest::path_of(&everything);
        manifest(arguments, &files, json!({ "job": job(arguments, &rules), "report": report })).write(&all_read)?;
        let bar = steps_bar(1, "finding equal positions");
        let removals = &mut report.positions_removed;
        let result = deduplicate(&everything, &arguments.output, arguments.memory << 20, removals, |done, all| {
            bar.set_length(all);
            bar.set_position(done);
        });
        bar.finish_and_clear();
        let (written, counts) = result?;
        for path in [&all_read, &everything] {
            fs::remove_file(path).with_context(|| format!("cannot remove {}", path.display()))?;
        }
        report.counts = counts;
        files = vec![ManifestFile { written, counts }];
    }
    Manifest {
        removed: report.positions_removed.clone(),
        ..manifest(arguments, &files, serde_json::to_value(&rules)?)
    }
    .write(&Manifest::path_of(&arguments.output))?;
    let seconds = start.elapsed().as_secs_f64();
    let positions_per_second = report.counts.positions as f64 / seconds;
    let (games, broken, chains) = (report.games, report.broken, report.counts.chains);
    let cut_off = report.cut_off.clone();
    print(arguments.json, &Report { import: report, rules, files, seconds, positions_per_second }, output)?;
    ensure!(
        chains > 0,
        "no sample was found: {games} games were read, {broken} of them broken, and the rules left out the others; \
         `kiebitz-lab games check` says what is wrong with games"
    );
    ensure!(
        cut_off.is_empty(),
        "{}; the complete games before were imported, fetch the file again for the rest",
        cut_off.join("; ")
    );
    Ok(())
}

fn manifest(arguments: &Arguments, files: &[ManifestFile], rules: Value) -> Manifest {
    Manifest {
        version: MANIFEST_VERSION,
        made_by: "import".to_owned(),
        files: files.to_vec(),
        sources: arguments.files.iter().map(|path| path.display().to_string()).collect(),
        rules,
        removed: Removals::new(),
    }
}

/// What tells this import from others.
fn job(arguments: &Arguments, rules: &ImportRules) -> Value {
    let limit = arguments.parts.limit();
    json!({ "files": inputs_with_sizes(&arguments.files), "rules": rules, "part": [limit.bytes, limit.samples] })
}

/// All games as an interrupted run has left them, whose equal positions were still to be found.
fn earlier(arguments: &Arguments, rules: &ImportRules, everything: &Path) -> Option<(ImportReport, Vec<ManifestFile>)> {
    let path = Manifest::path_of(everything);
    let manifest = Manifest::read(&path).ok().filter(|_| arguments.unique)?;
    let is_same = manifest.rules.get("job") == Some(&job(arguments, rules)) && manifest.verify(&path).is_ok();
    let report = serde_json::from_value(manifest.rules.get("report")?.clone()).ok().filter(|_| is_same)?;
    Some((report, manifest.files))
}

fn read_games(arguments: &Arguments, rules: &ImportRules, path: &Path) -> Result<(ImportReport, Vec<ManifestFile>)> {
    let threads = arguments.threads.or_else(|| std::thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);
    let description = Description {
        score_unit: "centipawns of the games' comments; mates as 32000 less the plies".to_owned(),
        sources: arguments.files.iter().map(|path| path.display().to_string()).collect(),
        ..Description::default()
    };
    let (limit, fate) = (arguments.parts.limit(), arguments.parts.fate(Format::Kiebitz));
    let into = IntakeOutput { path, format: Format::Kiebitz, description, limit, fate };
    let mut bars = FileBars::default();
    let result = import_files(&arguments.files, rules, &into, threads, None, &mut |progress| {
        bars.show(&progress);
        ControlFlow::Continue(())
    });
    bars.finish();
    Ok(result?)
}

fn print(json: bool, report: &Report, output: &mut impl Write) -> Result<()> {
    if json {
        writeln!(output, "{}", serde_json::to_string_pretty(report)?)?;
        return Ok(());
    }
    let import = &report.import;
    writeln!(output, "{} games, {} of them broken", import.games, import.broken)?;
    if import.unterminated > 0 {
        let count = import.unterminated;
        writeln!(output, "  {count} games end without a result, not even *; a file that was cut off ends so")?;
    }
    for (reason, count) in &import.games_removed {
        writeln!(output, "  {count} games left out: {}", reason_name(reason))?;
    }
    for (reason, count) in &import.positions_removed {
        writeln!(output, "  {count} positions removed: {}", reason_name(reason))?;
    }
    let counts = import.counts;
    writeln!(output, "{} chains, {} positions, {} samples", counts.chains, counts.positions, counts.samples)?;
    print_files(&report.files, output)?;
    writeln!(output, "{:.1} s, {:.2} million positions a second", report.seconds, report.positions_per_second / 1e6)?;
    Ok(())
}
