//! The moves of a file's games, one after another, with a progress bar.

use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Result, bail, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use kiebitz_chess::{Move, Position};
use kiebitz_features::BoardDelta;
use kiebitz_pgn::{GameReader, NodeId, Source};

/// Shows every move of the main lines of at most `most` games: the position before it, that after it, what changed.
/// Broken games are left out. Gives the number of games.
pub(super) fn walk(path: &Path, most: u64, mut step: impl FnMut(&Position, &Position, &BoardDelta)) -> Result<u64> {
    let source = Source::open(path)?;
    let consumed = source.consumed();
    let bar = source.size().map_or_else(ProgressBar::new_spinner, ProgressBar::new);
    if let Ok(style) =
        ProgressStyle::with_template("{msg} {wide_bar} {bytes}/{total_bytes} {bytes_per_sec}, {eta} left")
    {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    let mut games = 0;
    let mut reader = GameReader::new(source);
    while games < most
        && let Some(game) = reader.next()
    {
        bar.set_position(consumed.load(Ordering::Relaxed));
        bar.set_message(format!("{games} games"));
        let Ok(game) = game else { continue };
        games += 1;
        let mut position = game.position(NodeId::ROOT);
        for node in game.main_line() {
            let mut delta = BoardDelta::default();
            let mut next = position.clone();
            match game.move_at(node) {
                Move::NULL => next.play_null(),
                mv => next.play_observed(mv, &mut delta),
            }
            step(&position, &next, &delta);
            position = next;
        }
    }
    bar.finish_and_clear();
    if let Some(error) = reader.source_error() {
        bail!("{error}");
    }
    ensure!(games > 0, "{} holds no game that can be read", path.display());
    Ok(games)
}
