//! Matches: folders with a journal of finished games, which is read on where it was read before, and with a file of the games
//! in progress.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fs::{self, File};
use std::io::{BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use kiebitz_chess::{CastlingForm, Color, Outcome as ChessOutcome};
use kiebitz_messages::{
    Fault, GameResult, Line, MatchDetail, MatchGame, MatchPlayer, MatchSummary, MatchTest, Outcome,
};
use kiebitz_onlooker::read_line;
use kiebitz_tournament::game::GameRecord;
use kiebitz_tournament::runner::{JournalReader, LIVE_FILE, LiveGame};
use kiebitz_tournament::statistics::{GameResult as Points, MatchScore};

use crate::fault::{internal, missing};
use crate::folder::{Found, Stamp, folders_with};

const JOURNAL: &str = "games.jsonl";
const SETTINGS: &str = "match.json";
const LATEST: usize = 20;
/// A running match renews its file of games in progress every ten seconds; an older one was left behind by one that was killed.
const LIVE_FRESH: Duration = Duration::from_secs(30);
/// Larger files of games in progress are not ours.
const MOST_LIVE_BYTES: u64 = 1 << 20;
/// Settings that are shown are no longer than this.
const LONGEST_SETTING: usize = 300;

/// The matches of a workspace.
pub(crate) struct MatchRack {
    root: PathBuf,
    known: Mutex<HashMap<PathBuf, Progress>>,
}

/// What has been read of a journal.
#[derive(Default)]
struct Progress {
    stamp: Option<Stamp>,
    /// Where to read on.
    offset: u64,
    games: u32,
    names: Vec<String>,
    settings: Vec<String>,
    scores: Vec<MatchScore>,
    latest: VecDeque<MatchGame>,
}

impl MatchRack {
    pub(crate) fn new(root: PathBuf) -> Self {
        Self { root, known: Mutex::default() }
    }

    /// All matches, the last changed first.
    pub(crate) fn list(&self) -> Vec<MatchSummary> {
        let details = folders_with(&self.root, JOURNAL).into_iter().filter_map(|found| self.read(&found).ok());
        let mut matches: Vec<MatchSummary> = details.map(|detail| detail.summary).collect();
        matches.sort_by_key(|one| std::cmp::Reverse(one.changed_ms));
        matches
    }

    /// One match with its latest games.
    pub(crate) fn get(&self, id: &str) -> Result<MatchDetail, Fault> {
        let found = folders_with(&self.root, JOURNAL).into_iter().find(|found| found.id == id);
        self.read(&found.ok_or_else(|| missing("match", id))?)
    }

    fn read(&self, found: &Found) -> Result<MatchDetail, Fault> {
        let journal = found.path.join(JOURNAL);
        let stamp = Stamp::of(&journal).ok_or_else(|| missing("match", &found.id))?;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let progress = known.entry(found.path.clone()).or_default();
        if progress.stamp != Some(stamp) {
            if stamp.bytes < progress.offset {
                *progress = Progress::default();
            }
            progress.read_on(&journal, &found.path.join(SETTINGS)).map_err(internal)?;
            progress.stamp = Some(stamp);
        }
        Ok(progress.detail(&found.id, stamp, live_games(&found.path)))
    }
}

impl Progress {
    fn read_on(&mut self, journal: &Path, settings: &Path) -> std::io::Result<()> {
        if self.names.is_empty() {
            self.read_settings(settings);
        }
        let mut file = File::open(journal)?;
        file.seek(SeekFrom::Start(self.offset))?;
        let mut reader = JournalReader::new(BufReader::new(file));
        // A line that is no game ends the reading; what was read counts.
        while let Some(Ok(record)) = reader.next() {
            self.take_in(&record);
        }
        self.offset += reader.complete_bytes();
        Ok(())
    }

    fn read_settings(&mut self, path: &Path) {
        let text = fs::read_to_string(path).unwrap_or_default();
        let settings: BTreeMap<String, serde_json::Value> = serde_json::from_str(&text).unwrap_or_default();
        let text_of = |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let mut players: Vec<(u32, String)> = Vec::new();
        for (key, value) in &settings {
            let text = text_of(value);
            match key.strip_prefix("player ").and_then(|number| number.parse().ok()) {
                // What follows the name says where programs lie, which is nobody's business.
                Some(number) => players.push((number, text.split(" = ").next().unwrap_or_default().to_owned())),
                None if !text.contains('/') => {
                    self.settings.push(format!("{key}: {}", text.chars().take(LONGEST_SETTING).collect::<String>()));
                }
                None => {}
            }
        }
        players.sort();
        self.names = players.into_iter().map(|(_, name)| name).collect();
    }

    fn name(&self, player: usize) -> String {
        self.names.get(player).cloned().unwrap_or_else(|| format!("player {}", player + 1))
    }

    fn take_in(&mut self, record: &GameRecord) {
        self.games += 1;
        let (white, black) = (record.game.white.index(), record.game.black.index());
        let players = self.scores.len().max(white + 1).max(black + 1);
        self.scores.resize_with(players, MatchScore::default);
        let outcome = record.outcome();
        // Pairs of different encounters must not be taken for one.
        let pair = (u64::from(record.game.id.encounter) << 32) | u64::from(record.game.id.turn);
        for (player, color) in [(white, Color::White), (black, Color::Black)] {
            self.scores[player].record(pair, Points::of(outcome, color));
        }
        self.latest.push_front(MatchGame {
            number: self.games,
            white: self.name(white),
            black: self.name(black),
            result: Some(result(record, outcome)),
            line: line(record),
            scores: scores(record),
        });
        self.latest.truncate(LATEST);
    }

    fn detail(&self, id: &str, stamp: Stamp, live: Option<Vec<MatchGame>>) -> MatchDetail {
        let count = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let player = |(index, score): (usize, &MatchScore)| {
            let games = score.games();
            let estimate = score.estimate();
            let finite = |value: f64| value.is_finite().then_some(value);
            MatchPlayer {
                name: self.name(index),
                games: count(games.games()),
                wins: count(games.wins),
                draws: count(games.draws),
                losses: count(games.losses),
                score: estimate.map(|estimate| estimate.score.value),
                elo: estimate.and_then(|estimate| finite(estimate.elo.value)),
                elo_margin: estimate.and_then(|estimate| finite(estimate.elo.error())),
            }
        };
        let test = (self.scores.len() == 2)
            .then(|| self.scores.first())
            .flatten()
            .map(|score| MatchTest { pentanomial: score.pairs().counts.map(count), verdict: None });
        MatchDetail {
            summary: MatchSummary {
                id: id.to_owned(),
                name: id.to_owned(),
                running: live.is_some(),
                games: self.games,
                players: self.scores.iter().enumerate().map(player).collect(),
                changed_ms: stamp.changed_ms,
            },
            test,
            settings: self.settings.clone(),
            live: live.unwrap_or_default(),
            latest: self.latest.iter().cloned().collect(),
        }
    }
}

/// The games in progress of a match that is being played, `None` if nobody plays it; what is no game is left out.
fn live_games(folder: &Path) -> Option<Vec<MatchGame>> {
    let stamp = Stamp::of(&folder.join(LIVE_FILE));
    if !stamp.is_some_and(|stamp| stamp.is_fresh(LIVE_FRESH) && stamp.bytes <= MOST_LIVE_BYTES) {
        return None;
    }
    let shown = |(board, game): (usize, LiveGame)| {
        let line = Line { start: game.start, moves: game.moves };
        read_line(&line).ok()?;
        let number = u32::try_from(board + 1).unwrap_or(u32::MAX);
        Some(MatchGame { number, white: game.white, black: game.black, result: None, line, scores: game.scores })
    };
    Some(LiveGame::read(folder).into_iter().enumerate().filter_map(shown).collect())
}

fn result(record: &GameRecord, outcome: ChessOutcome) -> GameResult {
    GameResult {
        outcome: match outcome {
            ChessOutcome::Win(Color::White) => Outcome::White,
            ChessOutcome::Win(Color::Black) => Outcome::Black,
            ChessOutcome::Draw => Outcome::Draw,
        },
        reason: record.termination.to_string(),
    }
}

fn line(record: &GameRecord) -> Line {
    let history = record.history();
    let form = |chess960: bool| if chess960 { CastlingForm::KingTakesRook } else { CastlingForm::KingMove };
    let moves = history.past().map(|(position, mv)| position.uci(mv, form(position.is_chess960())));
    Line { start: history.start().to_string(), moves: moves.collect() }
}

/// What the movers saw, for White; nothing for moves of the opening.
fn scores(record: &GameRecord) -> Vec<Option<i32>> {
    let opening = record.opening.moves.len();
    let history = record.history();
    let seen = |(ply, (position, _)): (usize, (&kiebitz_chess::Position, kiebitz_chess::Move))| {
        let score = record.moves.get(ply.checked_sub(opening)?)?.score.filter(|score| !score.is_mate())?;
        Some(if position.side_to_move() == Color::White { score.value() } else { -score.value() })
    };
    history.past().enumerate().map(seen).collect()
}
