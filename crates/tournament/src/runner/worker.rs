//! A thread that plays one game after another, with engines of its own.

use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, Sender};
use std::time::Duration;

use kiebitz_chess::{CastlingForm, Color};
use kiebitz_uci::{Courtesy, Engine, Pinning, behave, pin_this_thread};

use super::check::MatchError;
use super::heartbeat::Heartbeat;
use super::live::LiveSeat;
use super::neighbours::Neighbours;
use super::settings::MatchSettings;
use crate::game::{EndgameOracle, GamePlan, PlayedGame, play};
use crate::opening::OpeningList;
use crate::pairing::{PlannedGame, Player};

/// What a worker tells.
pub(super) enum News {
    /// A game is over.
    Finished { worker: usize, played: Box<PlayedGame> },
    /// A game was stopped from outside.
    Stopped { worker: usize },
    /// An engine was given up and will be started again when it is needed.
    GivenUp { player: Player, reason: String },
    /// Nothing can go on.
    Broken(MatchError),
}

/// What all workers share.
pub(super) struct Shared<'a> {
    pub(super) settings: &'a MatchSettings,
    pub(super) openings: &'a OpeningList,
    pub(super) castling: CastlingForm,
    pub(super) oracle: Option<&'a dyn EndgameOracle>,
    pub(super) heartbeat: &'a Heartbeat,
    pub(super) stop: &'a AtomicBool,
    /// A seat for each worker.
    pub(super) seats: &'a [LiveSeat],
}

pub(super) struct Worker<'a> {
    number: usize,
    shared: &'a Shared<'a>,
    cpus: Vec<usize>,
    /// The engines that are running.
    seats: Vec<(Player, Engine)>,
    neighbours: Neighbours,
}

impl<'a> Worker<'a> {
    pub(super) fn new(number: usize, shared: &'a Shared<'a>, cpus: Vec<usize>) -> Self {
        let neighbours = Neighbours::new(cpus.clone());
        Self { number, shared, cpus, seats: Vec::new(), neighbours }
    }

    /// Plays games until there are no more, then ends the engines. Whether anybody listens shows in there being games.
    pub(super) fn work(mut self, games: &Receiver<PlannedGame>, news: &Sender<News>) {
        let courtesy = self.take_place();
        while let Ok(game) = games.recv() {
            // Where that cannot be had, engines are disturbed a little more often.
            let is_calm = self.shared.heartbeat.is_calm();
            behave(if is_calm { self.neighbours.limit(courtesy) } else { Courtesy::Usual });
            let told = match self.play(&game, news) {
                Ok(Some(played)) => News::Finished { worker: self.number, played: Box::new(played) },
                Ok(None) => News::Stopped { worker: self.number },
                Err(error) => News::Broken(error),
            };
            if news.send(told).is_err() {
                break;
            }
        }
        for (_, engine) in self.seats {
            // Killed if it does not end; both are the end.
            let _ = engine.quit();
        }
    }

    /// Goes to the processors of its games, if they have any, and tells how to behave there: beside engines that never think while
    /// their opponent does, this thread runs when they wait for it and never while they think.
    fn take_place(&self) -> Courtesy {
        let beside = !self.cpus.is_empty() && pin_this_thread(&self.cpus).is_ok_and(|done| done == Pinning::Done);
        let ponders = self.shared.settings.contestants.iter().any(|contestant| contestant.ponder);
        if beside && !ponders { Courtesy::Humble } else { Courtesy::Polite }
    }

    fn play(&mut self, game: &PlannedGame, news: &Sender<News>) -> Result<Option<PlayedGame>, MatchError> {
        let settings = self.shared.settings;
        let players = [game.white, game.black];
        let contestants = players.map(|player| &settings.contestants[player.index()]);
        let opening = self.shared.openings.opening(game.opening);
        let plan = GamePlan {
            game: *game,
            opening: &opening,
            controls: contestants.map(|contestant| contestant.control),
            ponder: contestants.map(|contestant| contestant.ponder),
            castling: self.shared.castling,
            adjudication: settings.adjudication,
            oracle: self.shared.oracle,
            longest_search: settings.longest_search,
            heartbeat: Some(self.shared.heartbeat),
            stop: Some(self.shared.stop),
            live: self.shared.seats.get(self.number),
        };
        // An engine that does not take a new game gets one more chance, freshly started.
        let played = match self.attempt(&plan, players)? {
            Ok(played) => played,
            Err((color, reason)) => {
                self.give_up(players[color as usize], reason, news);
                match self.attempt(&plan, players)? {
                    Ok(played) => played,
                    Err((color, reason)) => {
                        let player = &contestants[color as usize].name;
                        return Err(super::check::wrong(format!("player {player} does not begin a game: {reason}")));
                    }
                }
            }
        };
        for (color, contestant) in Color::ALL.into_iter().zip(contestants) {
            let broken = played.as_ref().is_some_and(|played| played.broken[color as usize]);
            if broken {
                let reason = played.as_ref().map(|played| played.record.termination.to_string());
                self.give_up(players[color as usize], reason.unwrap_or_default(), news);
            } else if contestant.restart {
                self.dismiss(players[color as usize]);
            }
        }
        Ok(played)
    }

    /// Plays a game; the inner error names who does not begin, and why. The outer one ends the match.
    fn attempt(
        &mut self,
        plan: &GamePlan<'_>,
        players: [Player; 2],
    ) -> Result<Result<Option<PlayedGame>, (Color, String)>, MatchError> {
        // Engines of other players would only take memory.
        self.seats.retain(|(player, _)| players.contains(player));
        for player in players {
            if !self.seats.iter().any(|(seated, _)| *seated == player) {
                let engine = self.start(player)?;
                self.seats.push((player, engine));
            }
        }
        self.seats.sort_by_key(|(player, _)| *player != players[0]);
        let [(_, white), (_, black)] = &mut self.seats[..] else { return Ok(Ok(None)) };
        let before = processor_time([white, black]);
        let played = play(plan, [white, black]).map_err(|(color, error)| (color, error.problem.to_string()));
        if let (Ok(Some(played)), Some((before, after))) = (&played, before.zip(processor_time([white, black]))) {
            let thought = played.record.moves.iter().map(|mv| mv.elapsed).sum();
            self.neighbours.note(thought, after.saturating_sub(before));
        }
        Ok(played)
    }

    fn start(&self, player: Player) -> Result<Engine, MatchError> {
        let contestant = &self.shared.settings.contestants[player.index()];
        let mut command = contestant.command.clone();
        command.cpus.clone_from(&self.cpus);
        Engine::start(command, self.shared.settings.limits.clone())
            .map_err(|error| MatchError::Engine { player: contestant.name.clone(), error })
    }

    fn dismiss(&mut self, player: Player) {
        self.seats.retain(|(seated, _)| *seated != player);
    }

    fn give_up(&mut self, player: Player, reason: String, news: &Sender<News>) {
        self.dismiss(player);
        // If nobody listens any more, nobody wants to know.
        let _ = news.send(News::GivenUp { player, reason });
    }
}

/// The processor time that engines have had so far.
fn processor_time(engines: [&mut Engine; 2]) -> Option<Duration> {
    engines.into_iter().map(|engine| engine.process().processor_time()).sum()
}
