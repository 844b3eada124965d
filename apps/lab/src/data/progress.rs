//! Progress on the terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use kiebitz_dataset::IntakeProgress;

/// A bar over the bytes of some input; shows itself only on a terminal.
pub(super) fn bytes_bar(total: u64, message: &str) -> ProgressBar {
    bar(total, message, "{msg} {wide_bar} {bytes}/{total_bytes} {bytes_per_sec}, {eta} left")
}

/// A bar over steps of work.
pub(super) fn steps_bar(total: u64, message: &str) -> ProgressBar {
    bar(total, message, "{msg} {wide_bar} {pos}/{len} {per_sec}, {eta} left")
}

/// A bar over games, with room for a word about their positions.
pub(super) fn games_bar(total: u64) -> ProgressBar {
    bar(total, "", "{wide_bar} {pos}/{len} games, {msg}, {eta} left")
}

/// One bar over bytes for each file of an intake.
#[derive(Default)]
pub(super) struct FileBars {
    current: Option<(std::path::PathBuf, ProgressBar)>,
}

impl FileBars {
    /// Moves the bar of the file that is being read.
    pub(super) fn show(&mut self, progress: &IntakeProgress<'_>) {
        if self.current.as_ref().is_none_or(|(file, _)| file != progress.file) {
            self.finish();
            let bar = bytes_bar(progress.size, &progress.file.display().to_string());
            self.current = Some((progress.file.to_owned(), bar));
        }
        if let Some((_, bar)) = &self.current {
            bar.set_position(progress.consumed);
        }
    }

    /// Takes the last bar away.
    pub(super) fn finish(&mut self) {
        if let Some((_, bar)) = self.current.take() {
            bar.finish_and_clear();
        }
    }
}

fn bar(total: u64, message: &str, template: &str) -> ProgressBar {
    let bar = ProgressBar::new(total);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.set_message(message.to_owned());
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
