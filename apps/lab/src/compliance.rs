//! `kiebitz-lab compliance`: does an engine keep to the protocol?

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use kiebitz_tournament::compliance::{CHECKS, Examination, OUT_OF_REACH, Patience, Report, Verdict, examine};
use serde::Serialize;

use crate::engine_arguments::EngineArguments;

/// A check failed.
const EXIT_FAILED: u8 = 1;
/// The engine could not be examined at all.
const EXIT_NOT_STARTED: u8 = 2;

/// What to examine.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The engine: a path, or a name that is looked up in PATH.
    #[arg(value_name = "ENGINE", required_unless_present = "list")]
    engine: Option<PathBuf>,
    #[command(flatten)]
    details: EngineArguments,
    /// Run only this check, by name or number; may be repeated.
    #[arg(long, value_name = "CHECK")]
    only: Vec<String>,
    /// Report as one JSON object.
    #[arg(long)]
    json: bool,
    /// List the checks and end.
    #[arg(long)]
    list: bool,
}

const EXAMPLES: &str = "\
Every check gets a line: PASS; WARN, allowed but users will notice; FAIL, against the protocol; SKIP, does not
apply. In what follows a failure, '>' marks lines sent and '<' lines received.

Exit code: 0 if nothing failed, 1 if a check failed, 2 if the engine cannot be started.

Examples:
  kiebitz-lab compliance stockfish
  kiebitz-lab compliance ./my-engine --option Hash=32 --option \"Move Overhead=20\"
  kiebitz-lab compliance ./my-engine --only go-infinite --only 25
  kiebitz-lab compliance java --arg -jar --arg engine.jar --json > report.json
  kiebitz-lab compliance --list";

/// Examines the engine and writes the verdicts as they come.
pub(crate) fn run(arguments: &Arguments, output: &mut impl Write) -> Result<ExitCode> {
    let Some(engine) = arguments.engine.as_ref().filter(|_| !arguments.list) else {
        list(output)?;
        return Ok(ExitCode::SUCCESS);
    };
    let command = arguments.details.command(engine);
    let (mut written, mut lost) = (Ok(()), false);
    let examination = examine(&command, &Patience::default(), &arguments.only, |report| {
        // Once is enough; the sum tells how many there were.
        let repeats = report.note == OUT_OF_REACH && std::mem::replace(&mut lost, true);
        if !arguments.json && !repeats && written.is_ok() {
            written = print(report, output);
        }
    });
    written?;
    let examination = match examination {
        Ok(examination) => examination,
        Err(error) => {
            writeln!(io::stderr(), "error: {error}")?;
            return Ok(ExitCode::from(EXIT_NOT_STARTED));
        }
    };
    if arguments.json {
        serde_json::to_writer_pretty(&mut *output, &Json::from(&examination)).map_err(io::Error::from)?;
        writeln!(output)?;
    } else {
        summarise(&examination, output)?;
    }
    Ok(if examination.count(Verdict::Fail) == 0 { ExitCode::SUCCESS } else { ExitCode::from(EXIT_FAILED) })
}

fn list(output: &mut impl Write) -> io::Result<()> {
    for (index, check) in CHECKS.iter().enumerate() {
        writeln!(output, "{:>3}  {:<20} {}", index + 1, check.name, check.about)?;
    }
    Ok(())
}

fn print(report: &Report, output: &mut impl Write) -> io::Result<()> {
    let Report { number, verdict, name, about, .. } = report;
    let note = if report.note.is_empty() { String::new() } else { format!(" ({})", report.note) };
    writeln!(output, "{verdict}  {number:>2} {name:<20} {about}{note}")?;
    if matches!(verdict, Verdict::Warn | Verdict::Fail) {
        writeln!(output, "          expected: {}", report.expected)?;
        for (index, line) in report.found.iter().enumerate() {
            writeln!(output, "          {} {line}", if index == 0 { "found:   " } else { "         " })?;
        }
        writeln!(output, "          matters:  {}", report.why)?;
    }
    output.flush()
}

fn summarise(examination: &Examination, output: &mut impl Write) -> io::Result<()> {
    let engine = examination.engine.as_deref().unwrap_or("the engine");
    let seconds: f64 = examination.reports.iter().map(|report| report.elapsed.as_secs_f64()).sum();
    let [pass, warn, fail, skip] =
        [Verdict::Pass, Verdict::Warn, Verdict::Fail, Verdict::Skip].map(|verdict| examination.count(verdict));
    writeln!(output, "\n{engine}: {pass} passed, {warn} warnings, {fail} failed, {skip} skipped in {seconds:.1} s")
}

#[derive(Serialize)]
struct Json<'a> {
    engine: Option<&'a str>,
    passed: usize,
    warnings: usize,
    failed: usize,
    skipped: usize,
    checks: Vec<JsonCheck<'a>>,
}

#[derive(Serialize)]
struct JsonCheck<'a> {
    number: usize,
    name: &'a str,
    about: &'a str,
    verdict: String,
    note: &'a str,
    expected: &'a str,
    found: &'a [String],
    why: &'a str,
    seconds: f64,
}

impl<'a> From<&'a Examination> for Json<'a> {
    fn from(examination: &'a Examination) -> Self {
        let check = |report: &'a Report| JsonCheck {
            number: report.number,
            name: report.name,
            about: report.about,
            verdict: report.verdict.to_string().to_lowercase(),
            note: &report.note,
            expected: &report.expected,
            found: &report.found,
            why: report.why,
            seconds: report.elapsed.as_secs_f64(),
        };
        Self {
            engine: examination.engine.as_deref(),
            passed: examination.count(Verdict::Pass),
            warnings: examination.count(Verdict::Warn),
            failed: examination.count(Verdict::Fail),
            skipped: examination.count(Verdict::Skip),
            checks: examination.reports.iter().map(check).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_say_what_was_expected_and_what_came() {
        let report = Report {
            number: 7,
            name: "go-depth",
            about: "go depth is answered",
            why: "it matters",
            verdict: Verdict::Fail,
            note: String::new(),
            expected: "bestmove".into(),
            found: vec!["> go depth 1".into(), "< info depth 1".into()],
            elapsed: std::time::Duration::ZERO,
        };
        let mut output = Vec::new();
        print(&report, &mut output).unwrap();
        let text = String::from_utf8(output).unwrap();
        assert!(text.starts_with("FAIL   7 go-depth"), "{text}");
        assert!(text.contains("expected: bestmove\n") && text.contains("found:    > go depth 1\n"), "{text}");
        let examination = Examination { engine: None, reports: vec![report] };
        assert!(serde_json::to_string(&Json::from(&examination)).unwrap().contains("\"verdict\":\"fail\""));
    }
}
