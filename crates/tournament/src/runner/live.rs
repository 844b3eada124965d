//! Games in progress, for onlookers: a small file beside the journal.
//!
//! Every worker has a seat at which the moves of its game are noted as they are played; about once a second the match writes
//! all seats into the file, under a temporary name first. Nothing depends on that file: it is gone when the match ends, and a
//! match whose disk refuses it goes on unseen.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use kiebitz_chess::{CastlingForm, Color, Move, Position, Score};
use serde::{Deserialize, Serialize};

use crate::opening::Opening;
use crate::pairing::PlannedGame;

/// The file's name in the folder of a match.
pub const LIVE_FILE: &str = "live.json";
/// The file is written at most this often, however fast moves are played.
const PAUSE: Duration = Duration::from_secs(1);
/// And at least this often, however slow they are: an old file is that of a match which was killed.
const SIGN_OF_LIFE: Duration = Duration::from_secs(10);

/// A game in progress.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LiveGame {
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// Where it began, as FEN.
    pub start: String,
    /// The moves of opening and game in UCI notation.
    pub moves: Vec<String>,
    /// What the mover saw after each move, in centipawns for White; nothing in the opening, and for mates.
    pub scores: Vec<Option<i32>>,
}

impl LiveGame {
    /// The games that a match has on its boards; none where the file is missing or not ours.
    #[must_use]
    pub fn read(folder: &Path) -> Vec<Self> {
        let text = fs::read_to_string(folder.join(LIVE_FILE)).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }
}

/// Where a worker's game is noted.
#[derive(Default)]
pub struct LiveSeat {
    /// Held for as long as a move takes to be noted, so that nobody waits.
    noted: Mutex<Option<Noted>>,
}

#[derive(Clone)]
struct Noted {
    game: PlannedGame,
    start: Position,
    moves: Vec<(Move, Option<Score>)>,
}

impl LiveSeat {
    /// A game begins.
    pub(crate) fn begin(&self, game: PlannedGame, opening: &Opening) {
        let moves = opening.moves.iter().map(|&mv| (mv, None)).collect();
        *self.lock() = Some(Noted { game, start: opening.start.clone(), moves });
    }

    /// A move was played, with what its player saw.
    pub(crate) fn play(&self, mv: Move, score: Option<Score>) {
        if let Some(noted) = self.lock().as_mut() {
            noted.moves.push((mv, score));
        }
    }

    /// The game is over.
    pub(crate) fn clear(&self) {
        *self.lock() = None;
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Noted>> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn shown(&self, names: &[String]) -> Option<LiveGame> {
        let noted = self.lock().clone()?;
        let mut position = noted.start.clone();
        let (mut moves, mut scores) = (Vec::new(), Vec::new());
        for (mv, score) in noted.moves {
            let form = if position.is_chess960() { CastlingForm::KingTakesRook } else { CastlingForm::KingMove };
            moves.push(position.uci(mv, form));
            let sign = if position.side_to_move() == Color::White { 1 } else { -1 };
            scores.push(score.filter(|score| !score.is_mate()).map(|score| sign * score.value()));
            position = position.after(mv);
        }
        let name = |index: usize| names.get(index).cloned().unwrap_or_default();
        let (white, black) = (name(noted.game.white.index()), name(noted.game.black.index()));
        Some(LiveGame { white, black, start: noted.start.to_string(), moves, scores })
    }
}

/// The file that shows the seats.
pub(super) struct LiveFile {
    path: PathBuf,
    names: Vec<String>,
    written: Option<Instant>,
    shown: Vec<LiveGame>,
}

impl LiveFile {
    pub(super) fn new(folder: &Path, names: Vec<String>) -> Self {
        Self { path: folder.join(LIVE_FILE), names, written: None, shown: Vec::new() }
    }

    /// Writes what is played now, if it is time to.
    pub(super) fn show(&mut self, seats: &[LiveSeat]) {
        let age = self.written.map(|written| written.elapsed());
        if age.is_some_and(|age| age < PAUSE) {
            return;
        }
        let games: Vec<LiveGame> = seats.iter().filter_map(|seat| seat.shown(&self.names)).collect();
        if games == self.shown && age.is_some_and(|age| age < SIGN_OF_LIFE) {
            return;
        }
        let temporary = self.path.with_extension("json.part");
        if let Ok(text) = serde_json::to_string(&games) {
            // Onlookers are a courtesy: a full disk is told by the journal.
            let _ = fs::write(&temporary, text).and_then(|()| fs::rename(&temporary, &self.path));
        }
        self.written = Some(Instant::now());
        self.shown = games;
    }
}

impl Drop for LiveFile {
    fn drop(&mut self) {
        // If it was never written there is nothing to remove.
        let _ = fs::remove_file(&self.path);
    }
}
