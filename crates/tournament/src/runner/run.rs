//! A match from its settings to its report.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use kiebitz_chess::CastlingForm;

use super::check::{self, Introduction, MatchError};
use super::delays::Delays;
use super::event::{Event, game_name, note_text};
use super::heartbeat::Heartbeat;
use super::identity;
use super::journal::Journal;
use super::ledger::Ledger;
use super::live::{LiveFile, LiveSeat};
use super::pgn_file::PgnFile;
use super::report::{Conclusion, MatchReport};
use super::settings::{ExcusedLosses, MatchSettings};
use super::worker::{News, Shared, Worker};
use crate::game::{EndgameOracle, GameRecord, PlayedGame};
use crate::opening::OpeningList;
use crate::pairing::{FinishedGame, GameId, PlannedGame, Schedule};
use crate::rating::Anchor;

/// How often the loop looks up although nothing has happened: for stalls, and for a stop from outside.
const GLANCE: Duration = Duration::from_millis(250);
/// How often a game is played again because of stalls; then it counts as it is.
const MOST_REPLAYS: u32 = 3;

/// A match that can be played: everything has been checked.
pub struct Match {
    settings: MatchSettings,
    schedule: Schedule,
    openings: OpeningList,
    castling: CastlingForm,
    introductions: Vec<Introduction>,
    cpus: Vec<Vec<usize>>,
    oracle: Option<Arc<dyn EndgameOracle>>,
    journal: Option<Journal>,
    pgn: Option<PgnFile>,
}

impl Match {
    /// Checks everything that can be checked before the first game: settings, book, engines with their options, folder,
    /// journal, PGN file.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn prepare(mut settings: MatchSettings, oracle: Option<Arc<dyn EndgameOracle>>) -> Result<Self, MatchError> {
        let schedule = check::check_settings(&settings)?;
        let openings = check::load_openings(&settings)?;
        let cpus = check::assign_cpus(&settings)?;
        let castling = check::castling_form(&settings, &openings);
        let introductions = check::introduce(&mut settings, castling)?;
        let journal = open_folder(&settings, oracle.is_some())?;
        if let Some(journal) = &journal {
            let mut finished = Vec::new();
            for record in journal.games()? {
                let record = record.map_err(|problem| journal.error(problem))?;
                finished.push(FinishedGame { game: record.game, outcome: record.outcome() });
            }
            schedule.resume(&finished)?;
        }
        let pgn = settings.pgn.as_deref().map(PgnFile::create).transpose()?;
        Ok(Self { settings, schedule, openings, castling, introductions, cpus, oracle, journal, pgn })
    }

    /// The engines as they introduced themselves, in the order of the contestants.
    #[must_use]
    pub fn introductions(&self) -> &[Introduction] {
        &self.introductions
    }

    /// The settings, with the options that a deterministic match has added.
    #[must_use]
    pub const fn settings(&self) -> &MatchSettings {
        &self.settings
    }

    /// Plays until everything is played or decided, or until `stop` is set. `observer` hears of everything.
    ///
    /// # Errors
    /// When an engine cannot be started again or a file cannot be written. What was finished is in the journal.
    pub fn run(self, stop: &AtomicBool, mut observer: impl FnMut(Event)) -> Result<MatchReport, MatchError> {
        let heartbeat = Heartbeat::start();
        let names: Vec<String> = self.settings.contestants.iter().map(|contestant| contestant.name.clone()).collect();
        let seats: Vec<LiveSeat> = self.cpus.iter().map(|_| LiveSeat::default()).collect();
        let live = self.settings.folder.as_deref().map(|folder| LiveFile::new(folder, names.clone()));
        let mut running = Running {
            settings: &self.settings,
            ledger: Ledger::new(self.schedule, self.settings.stop_rule, names),
            seats: &seats,
            live,
            journal: None,
            pgn: self.pgn,
            in_progress: BTreeMap::new(),
            replays: BTreeMap::new(),
            forwarding: Delays::default(),
            played_now: 0,
            resumed: 0,
            observer: &mut observer,
        };
        if let Some(journal) = self.journal {
            for record in journal.games()? {
                running.resumed += 1;
                running.count(record.map_err(|problem| journal.error(problem))?)?;
            }
            running.journal = Some(journal);
        }
        running.announce(&self.introductions);
        let (begun, cpu_before) = (Instant::now(), cpu_time());
        let inner_stop = AtomicBool::new(false);
        let shared = Shared {
            settings: &self.settings,
            openings: &self.openings,
            castling: self.castling,
            oracle: self.oracle.as_deref(),
            heartbeat: &heartbeat,
            stop: &inner_stop,
            seats: &seats,
        };
        let result = thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            let mut workers: Vec<Sender<PlannedGame>> = Vec::new();
            for (number, cpus) in self.cpus.iter().enumerate() {
                let (games, orders) = mpsc::channel();
                let (worker, news) = (Worker::new(number, &shared, cpus.clone()), sender.clone());
                scope.spawn(move || worker.work(&orders, &news));
                workers.push(games);
            }
            drop(sender);
            let result = running.conduct(&workers, &receiver, &heartbeat, stop);
            // Games that nobody waits for any more are broken off; workers end when their orders do.
            inner_stop.store(true, Ordering::Relaxed);
            drop(workers);
            result
        });
        let cpu = cpu_before.zip(cpu_time()).map(|(before, after)| after.saturating_sub(before));
        let left_out = running.ledger.waiting();
        let conclusion = running.ledger.conclusion().cloned().unwrap_or(Conclusion::Stopped);
        // Nobody plays any more, whatever is still written below.
        running.live = None;
        result?;
        running.close()?;
        let wall = begun.elapsed();
        let (stalls, stalled, longest_stall) = heartbeat.totals();
        let ratings = running.ledger.rating().list(Anchor::Mean(0.0)).ok().filter(|_| self.introductions.len() > 2);
        let players = self.settings.contestants.iter().zip(&self.introductions).zip(running.ledger.tallies());
        let players = players.enumerate().map(|(number, ((contestant, introduction), tally))| {
            let rating = ratings.as_ref().map(|list| list.elo[number].into());
            tally.report(&contestant.name, &introduction.engine, &contestant.control.to_string(), rating)
        });
        let margin = self.settings.contestants.iter().map(|contestant| contestant.control.margin).max();
        let report = MatchReport {
            event: self.settings.event.clone(),
            conclusion,
            players: players.collect(),
            standing: running.ledger.standing(),
            played_now: running.played_now,
            resumed: running.resumed,
            left_out,
            replayed: running.replays.values().map(|&count| u64::from(count)).sum(),
            stalls,
            stalled_seconds: stalled.as_secs_f64(),
            longest_stall: longest_stall.as_secs_f64(),
            forwarding: running.forwarding.summary(),
            margin: margin.unwrap_or_default().as_secs_f64(),
            seconds: wall.as_secs_f64(),
            manager_load: cpu.map(|cpu| cpu.as_secs_f64() / wall.as_secs_f64().max(1e-9)),
        };
        (running.observer)(Event::MatchFinished { report: Box::new(report.clone()) });
        Ok(report)
    }
}

/// A match while it runs.
struct Running<'a, O: FnMut(Event)> {
    settings: &'a MatchSettings,
    ledger: Ledger,
    seats: &'a [LiveSeat],
    live: Option<LiveFile>,
    journal: Option<Journal>,
    pgn: Option<PgnFile>,
    in_progress: BTreeMap<GameId, usize>,
    replays: BTreeMap<GameId, u32>,
    forwarding: Delays,
    played_now: u64,
    resumed: u64,
    observer: &'a mut O,
}

impl<O: FnMut(Event)> Running<'_, O> {
    fn name(&self, player: crate::pairing::Player) -> String {
        self.settings.contestants[player.index()].name.clone()
    }

    fn announce(&mut self, introductions: &[Introduction]) {
        let standing = self.ledger.standing();
        (self.observer)(Event::MatchBegun {
            players: self.settings.contestants.iter().map(|contestant| contestant.name.clone()).collect(),
            engines: introductions.iter().map(|introduction| introduction.engine.clone()).collect(),
            planned: standing.planned,
            resumed: self.resumed,
        });
        if self.resumed > 0 {
            (self.observer)(Event::Standing(standing));
        }
    }

    /// Gives games to idle workers and takes results until it is over.
    fn conduct(
        &mut self,
        workers: &[Sender<PlannedGame>],
        news: &mpsc::Receiver<News>,
        heartbeat: &Heartbeat,
        stop: &AtomicBool,
    ) -> Result<(), MatchError> {
        let mut idle: Vec<usize> = (0..workers.len()).rev().collect();
        loop {
            if stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            self.distribute(workers, &mut idle);
            if self.in_progress.is_empty() || self.ledger.conclusion().is_some() {
                return Ok(());
            }
            if let Some(live) = &mut self.live {
                live.show(self.seats);
            }
            let told = match news.recv_timeout(GLANCE) {
                Ok(told) => Some(told),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            };
            for stall in heartbeat.take_new() {
                (self.observer)(Event::Stall { seconds: stall.length.as_secs_f64() });
            }
            match told {
                None => {}
                Some(News::Finished { worker, played }) => {
                    idle.push(worker);
                    self.in_progress.remove(&played.record.game.id);
                    self.finish(*played)?;
                }
                Some(News::Stopped { worker }) => {
                    idle.push(worker);
                    self.in_progress.retain(|_, player| *player != worker);
                }
                Some(News::GivenUp { player, reason }) => {
                    let player = self.name(player);
                    (self.observer)(Event::EngineRestarted { player, reason });
                }
                Some(News::Broken(error)) => return Err(error),
            }
        }
    }

    fn distribute(&mut self, workers: &[Sender<PlannedGame>], idle: &mut Vec<usize>) {
        if idle.is_empty() {
            return;
        }
        let open = self.ledger.next_games(self.in_progress.len() + idle.len());
        for game in open {
            if self.in_progress.contains_key(&game.id) {
                continue;
            }
            let Some(worker) = idle.pop() else { return };
            // A worker ends only after its orders do.
            if workers[worker].send(game).is_ok() {
                self.in_progress.insert(game.id, worker);
                let (white, black) = (self.name(game.white), self.name(game.black));
                (self.observer)(Event::GameBegun { game: game_name(&game), white, black, worker });
            }
        }
    }

    fn finish(&mut self, played: PlayedGame) -> Result<(), MatchError> {
        played.forwarding.iter().for_each(|&delay| self.forwarding.record(delay));
        let record = played.record;
        let (id, game) = (record.game.id, game_name(&record.game));
        if record.termination.is_excused() && self.settings.excused == ExcusedLosses::Replay {
            let replays = self.replays.entry(id).or_default();
            if *replays < MOST_REPLAYS {
                *replays += 1;
                (self.observer)(Event::GameReplayed { game, reason: record.termination.to_string() });
                return Ok(());
            }
        }
        if let Some(journal) = &mut self.journal {
            journal.append(&record)?;
        }
        self.played_now += 1;
        let (white, black) = (self.name(record.game.white), self.name(record.game.black));
        (self.observer)(Event::GameFinished {
            game,
            white,
            black,
            result: record.outcome().to_string(),
            reason: record.termination.to_string(),
            plies: record.moves.len(),
            seconds: record.duration.as_secs_f64(),
            notes: record.notes.iter().map(note_text).collect(),
            record: Box::new(record.clone()),
        });
        self.count(record)?;
        (self.observer)(Event::Standing(self.ledger.standing()));
        Ok(())
    }

    /// Counts a finished game and writes what is released by it.
    fn count(&mut self, record: GameRecord) -> Result<(), MatchError> {
        for released in self.ledger.record(record)? {
            if let Some(pgn) = &mut self.pgn {
                pgn.append(&released, self.settings)?;
            }
        }
        Ok(())
    }

    /// Gives the PGN file its name. Of a match that was broken off it also gets what is finished, though not in order.
    fn close(&mut self) -> Result<(), MatchError> {
        let Some(mut pgn) = self.pgn.take() else { return Ok(()) };
        if self.ledger.conclusion().is_none() {
            for record in self.ledger.take_waiting() {
                pgn.append(&record, self.settings)?;
            }
        }
        pgn.finish()
    }
}

/// Opens the folder of a match: a new one, or one that goes on.
fn open_folder(settings: &MatchSettings, has_oracle: bool) -> Result<Option<Journal>, MatchError> {
    let Some(folder) = &settings.folder else {
        return if settings.resume { Err(check::wrong("nothing can be resumed without a folder")) } else { Ok(None) };
    };
    fs::create_dir_all(folder).map_err(|error| MatchError::File { path: folder.clone(), error })?;
    let (description, games) = (folder.join("match.json"), folder.join("games.jsonl"));
    let identity = identity::identity(settings, has_oracle)?;
    match (description.exists(), settings.resume) {
        (true, false) => {
            return Err(check::wrong(format!(
                "{} holds a match already: resume it, or name another folder",
                folder.display()
            )));
        }
        (true, true) => identity::compare(&description, &identity, settings.format)?,
        (false, _) => {}
    }
    let journal = Journal::open(&games)?;
    identity::write(&description, &identity)?;
    Ok(Some(journal))
}

/// Processor time that this program has used, its children aside; `None` where that cannot be asked.
#[cfg(unix)]
fn cpu_time() -> Option<Duration> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    let seconds = u64::try_from(time.tv_sec).ok()?;
    let nanoseconds = u32::try_from(time.tv_nsec).ok()?;
    Some(Duration::new(seconds, nanoseconds))
}

/// Processor time that this program has used, its children aside; `None` where that cannot be asked.
#[cfg(not(unix))]
fn cpu_time() -> Option<Duration> {
    None
}
