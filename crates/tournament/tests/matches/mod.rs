//! Matches between mock engines that tests can play and compare.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use kiebitz_tournament::TimeControl;
use kiebitz_tournament::game::{EndgameOracle, GameRecord, StoredGame};
use kiebitz_tournament::runner::{Contestant, Event, Match, MatchReport, MatchSettings, OpeningChoice};

use crate::engines::mock;

pub(crate) fn control(text: &str) -> TimeControl {
    text.parse().expect("a time control")
}

/// A mock that plays random moves of a seed.
pub(crate) fn player(name: &str, vice: &str, seed: u32, limit: &str) -> Contestant {
    let mut command = mock(vice).argument(seed.to_string());
    command.label = Some(name.to_owned());
    Contestant::new(command, control(limit))
}

/// A short match between two well-behaved mocks.
pub(crate) fn peaceful(turns: u32) -> MatchSettings {
    let mut settings =
        MatchSettings::new(vec![player("one", "good", 1, "nodes=1"), player("two", "good", 2, "nodes=1")], turns);
    settings.adjudication.longest = Some(30);
    settings.openings = openings();
    settings.deterministic = true;
    settings
}

pub(crate) fn openings() -> OpeningChoice {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/match_openings.epd");
    OpeningChoice { book: Some(book), ..OpeningChoice::default() }
}

pub(crate) fn play(settings: MatchSettings) -> (MatchReport, Vec<GameRecord>) {
    play_with(settings, None)
}

pub(crate) fn play_with(
    settings: MatchSettings,
    oracle: Option<Arc<dyn EndgameOracle>>,
) -> (MatchReport, Vec<GameRecord>) {
    let prepared = Match::prepare(settings, oracle).expect("good settings");
    let mut games = Vec::new();
    let report = prepared.run(&AtomicBool::new(false), |event| {
        if let Event::GameFinished { record, .. } = event {
            games.push(*record);
        }
    });
    (report.expect("a match that can be played"), games)
}

/// A record without its times.
pub(crate) fn timeless(record: &GameRecord) -> String {
    let mut record = record.clone();
    record.begun = std::time::UNIX_EPOCH;
    record.duration = Duration::ZERO;
    record.moves.iter_mut().for_each(|told| told.elapsed = Duration::ZERO);
    StoredGame::from(&record).to_line()
}

pub(crate) fn sorted(games: &[GameRecord]) -> Vec<String> {
    let mut lines: Vec<String> = games.iter().map(timeless).collect();
    lines.sort();
    lines
}

pub(crate) fn refusal(settings: MatchSettings) -> String {
    Match::prepare(settings, None).err().expect("settings that are refused").to_string()
}
