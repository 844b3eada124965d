//! `kiebitz-lab match`: engines play each other.

mod arguments;
pub(crate) mod display;
pub(crate) mod engine_text;
mod event_file;
pub(crate) mod table;

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;
use kiebitz_tournament::game::EndgameOracle;
use kiebitz_tournament::runner::{Conclusion, Match, MatchReport, MatchSettings};

pub(crate) use arguments::{Arguments, Model};
use display::Display;
use event_file::EventFile;

/// The match was stopped before its end.
const EXIT_STOPPED: u8 = 3;

/// Plays the match and writes the report.
pub(crate) fn run(arguments: &Arguments, output: &mut impl Write) -> Result<ExitCode> {
    let settings = arguments.settings()?;
    let oracle = arguments.oracle()?;
    let mut events = arguments.events.as_deref().map(EventFile::create).transpose()?;
    let report = play(settings, oracle, arguments.verbose, &mut events)?;
    write_report(&report, arguments.json, output)?;
    Ok(exit_code(&report))
}

/// Plays a match on the terminal.
pub(crate) fn play(
    settings: MatchSettings,
    oracle: Option<Arc<dyn EndgameOracle>>,
    verbose: bool,
    events: &mut Option<EventFile>,
) -> Result<MatchReport> {
    let prepared = Match::prepare(settings, oracle)?;
    warn_of_crowding(prepared.settings());
    let mut display = Display::new(verbose);
    let stop = Arc::new(AtomicBool::new(false));
    let request = Arc::clone(&stop);
    // Without a handler an interrupt ends the program at once; what is finished is in the journal either way.
    let _ = ctrlc::set_handler(move || request.store(true, Ordering::Relaxed));
    let report = prepared.run(&stop, |event| {
        display.show(&event);
        if let Some(events) = events {
            events.write(&event);
        }
    });
    display.finish();
    if let Some(events) = events {
        events.check()?;
    }
    Ok(report?)
}

/// Clocks are fair only if every game has a processor.
fn warn_of_crowding(settings: &MatchSettings) {
    let timed = settings.contestants.iter().any(|contestant| contestant.control.is_timed());
    let cpus = kiebitz_uci::available_cpus().map_or(0, |cpus| cpus.len());
    if timed && cpus > 0 && settings.concurrency > cpus {
        // For people; if nobody reads it, the match is played all the same.
        let _ = writeln!(
            std::io::stderr(),
            "warning: {} games at a time share {cpus} processors, so clocks cannot be fair",
            settings.concurrency
        );
    }
}

/// Writes the report for people or for programs.
pub(crate) fn write_report(report: &MatchReport, json: bool, output: &mut impl Write) -> Result<()> {
    if json {
        serde_json::to_writer_pretty(&mut *output, report).map_err(std::io::Error::from)?;
        writeln!(output)?;
    } else {
        for line in table::report_lines(report) {
            writeln!(output, "{line}")?;
        }
    }
    Ok(())
}

/// What the program ends with.
pub(crate) fn exit_code(report: &MatchReport) -> ExitCode {
    match report.conclusion {
        Conclusion::Stopped => ExitCode::from(EXIT_STOPPED),
        _ => ExitCode::SUCCESS,
    }
}
