//! Progress on the terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

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

fn bar(total: u64, message: &str, template: &str) -> ProgressBar {
    let bar = ProgressBar::new(total);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.set_message(message.to_owned());
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
