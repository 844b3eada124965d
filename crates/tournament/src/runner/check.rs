//! Everything that can be wrong is told before the first game.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use kiebitz_chess::CastlingForm;
use kiebitz_uci::{Direction, Engine, EngineError, available_cpus, find_option};

use super::journal::JournalError;
use super::plan::StopRule;
use super::settings::{Contestant, MatchSettings};
use crate::opening::{BookError, OpeningList};
use crate::pairing::{Format, HistoryError, Legs, Schedule, ScheduleError};

/// The hash that deterministic matches set where nothing else is asked for, in megabytes.
const DETERMINISTIC_HASH: &str = "16";

/// Why a match cannot be played, or not to its end.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// The settings contradict each other.
    #[error("{0}")]
    Settings(String),
    /// The schedule cannot be.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// The book cannot be used.
    #[error("book {0}")]
    Book(#[from] BookError),
    /// An engine cannot be started, or not with these options, or not again.
    #[error("player {player}: {}", error.problem)]
    Engine {
        /// The player's name.
        player: String,
        /// What is wrong.
        error: EngineError,
    },
    /// An engine would play without an option that it was given.
    #[error("player {player} does not take what it is given: {refusal}")]
    Refused {
        /// The player's name.
        player: String,
        /// What it says.
        refusal: String,
    },
    /// A file or folder cannot be used.
    #[error("{}: {error}", path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// What the operating system says.
        error: io::Error,
    },
    /// The journal cannot be used.
    #[error("journal {0}")]
    Journal(#[from] JournalError),
    /// The journal holds a game twice.
    #[error("journal: {0}")]
    History(#[from] HistoryError),
}

pub(super) fn wrong(sentence: impl Into<String>) -> MatchError {
    MatchError::Settings(sentence.into())
}

/// An engine that was started on trial.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Introduction {
    /// What it calls itself.
    pub engine: String,
    /// Who wrote it, if it says so.
    pub author: Option<String>,
}

/// What the settings say, checked for contradictions; and the schedule they mean.
pub(super) fn check_settings(settings: &MatchSettings) -> Result<Schedule, MatchError> {
    let players = &settings.contestants;
    let mut names = BTreeSet::new();
    for Contestant { name, control, ponder, .. } in players {
        if name.trim().is_empty() {
            return Err(wrong("a player has no name"));
        }
        if !names.insert(name) {
            return Err(wrong(format!("two players are called '{name}': give them different names")));
        }
        if !control.is_timed() && control.nodes.is_none() && control.depth.is_none() {
            return Err(wrong(format!("player {name} has no limit: give it a time control, nodes or depth")));
        }
        if *ponder && control.clock.is_none() {
            return Err(wrong(format!("player {name} cannot ponder without a clock")));
        }
        if settings.deterministic && !control.is_deterministic() {
            return Err(wrong(format!(
                "a deterministic match needs nodes or depth as the only limits, but player {name} has {control}"
            )));
        }
    }
    if settings.concurrency == 0 {
        return Err(wrong("at least one game must be played at a time"));
    }
    let mut turns = settings.turns;
    match &settings.stop_rule {
        Some(StopRule::Sprt(_)) if players.len() != 2 => {
            return Err(wrong(format!("a sequential test is between two players, but there are {}", players.len())));
        }
        Some(StopRule::Race(race)) => {
            if settings.format != (Format::Gauntlet { tried: 1 }) || settings.legs != Legs::Two {
                return Err(wrong("a race is a gauntlet of game pairs against the first player"));
            }
            turns = u32::try_from(race.longest()).unwrap_or(u32::MAX);
        }
        _ => {}
    }
    let count = u32::try_from(players.len()).unwrap_or(u32::MAX);
    Ok(Schedule::new(settings.format, count, turns, settings.legs, Some(settings.seed).filter(|_| players.len() > 2))?)
}

/// The openings.
pub(super) fn load_openings(settings: &MatchSettings) -> Result<OpeningList, MatchError> {
    let choice = &settings.openings;
    let Some(path) = &choice.book else { return Ok(OpeningList::standard()) };
    let book = crate::opening::Book::open(path, choice.plies)?;
    Ok(OpeningList::new(book, Some(settings.seed).filter(|_| !choice.in_order), choice.skip))
}

/// How castling is told to the engines: one way for the whole match.
pub(super) fn castling_form(settings: &MatchSettings, openings: &OpeningList) -> CastlingForm {
    let chess960 = settings.chess960 || openings.book().is_some_and(crate::opening::Book::has_chess960);
    if chess960 { CastlingForm::KingTakesRook } else { CastlingForm::KingMove }
}

/// Starts every engine once, with all its options. Completes the options of deterministic players.
pub(super) fn introduce(settings: &mut MatchSettings, form: CastlingForm) -> Result<Vec<Introduction>, MatchError> {
    let (limits, deterministic) = (settings.limits.clone(), settings.deterministic);
    let mut introductions = Vec::new();
    for contestant in &mut settings.contestants {
        let player = contestant.name.clone();
        let fail = |error| MatchError::Engine { player: player.clone(), error };
        let refusals = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&refusals);
        let observer = move |direction, _, line: &str| {
            if let Some(refusal) = refused_option(direction, line) {
                heard.lock().unwrap_or_else(PoisonError::into_inner).push(refusal.to_owned());
            }
        };
        let mut engine = Engine::start_observed(contestant.command.clone(), limits.clone(), observer).map_err(fail)?;
        engine.set_castling_form(form).map_err(fail)?;
        if contestant.ponder && find_option(engine.options(), "Ponder").is_some() {
            engine.set_option("Ponder", Some("true")).map_err(fail)?;
            set_default(contestant, "Ponder", "true");
        }
        if deterministic {
            for (name, value) in [("Threads", "1"), ("Hash", DETERMINISTIC_HASH)] {
                if find_option(engine.options(), name).is_some() {
                    set_default(contestant, name, value);
                }
            }
            if option(contestant, "Threads").is_some_and(|threads| threads != "1") {
                return Err(wrong(format!("a deterministic match needs Threads=1, but player {player} has more")));
            }
        }
        engine.new_game().map_err(fail)?;
        if let Some(refusal) = refusals.lock().unwrap_or_else(PoisonError::into_inner).first() {
            return Err(MatchError::Refused { player, refusal: refusal.clone() });
        }
        introductions.push(Introduction { engine: engine.name(), author: engine.author().map(ToOwned::to_owned) });
        // Whether it ends by itself or has to be killed is a question for the compliance check.
        let _ = engine.quit();
    }
    Ok(introductions)
}

/// What an engine of ours says when it cannot use an option. It would play on without, and the match would measure something else: with
/// `EvalFile` another network. The words of other engines differ too much to be judged.
fn refused_option(direction: Direction, line: &str) -> Option<&str> {
    let said = line.strip_prefix("info string ").filter(|said| said.starts_with("option '"));
    said.filter(|_| direction == Direction::FromEngine)
}

/// An option that is set for a player.
fn option<'a>(contestant: &'a Contestant, name: &str) -> Option<&'a str> {
    let set = contestant.command.options.iter().rfind(|(known, _)| known.eq_ignore_ascii_case(name));
    set.and_then(|(_, value)| value.as_deref())
}

fn set_default(contestant: &mut Contestant, name: &str, value: &str) {
    if option(contestant, name).is_none() {
        contestant.command.options.push((name.to_owned(), Some(value.to_owned())));
    }
}

/// The processors of every worker; nothing if they are not to be held to any.
pub(super) fn assign_cpus(settings: &MatchSettings) -> Result<Vec<Vec<usize>>, MatchError> {
    if !settings.affinity {
        return Ok(vec![Vec::new(); settings.concurrency]);
    }
    let cpus = available_cpus().map_err(|error| wrong(format!("cannot tell which processors there are: {error}")))?;
    let threads = |contestant: &Contestant| option(contestant, "Threads").and_then(|text| text.parse().ok());
    let widest: usize = settings.contestants.iter().filter_map(threads).max().unwrap_or(1).max(1);
    let ponders = settings.contestants.iter().any(|contestant| contestant.ponder);
    let per_game = if ponders { 2 * widest } else { widest };
    let needed = per_game.saturating_mul(settings.concurrency);
    if needed > cpus.len() {
        return Err(wrong(format!(
            "{} games at a time with {per_game} threads each need {needed} processors, but there are {}",
            settings.concurrency,
            cpus.len()
        )));
    }
    Ok(cpus.chunks(per_game).take(settings.concurrency).map(<[usize]>::to_vec).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_of_the_engine_about_an_option_are_a_refusal() {
        let refusal = "option 'EvalFile': no such file";
        assert_eq!(refused_option(Direction::FromEngine, &format!("info string {refusal}")), Some(refusal));
        for line in
            ["option name Hash type spin default 16", "info string Hash set to 16 MB", "info depth 1 option 'x'"]
        {
            assert_eq!(refused_option(Direction::FromEngine, line), None, "{line}");
        }
        assert_eq!(refused_option(Direction::ToEngine, &format!("info string {refusal}")), None);
    }
}
