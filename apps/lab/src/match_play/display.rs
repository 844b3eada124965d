//! A match while it runs: a table that stays in place on a terminal, lines elsewhere.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use kiebitz_tournament::runner::{Event, Standing};

use super::table::standing_lines;

/// Without a terminal the standing is told so often, and at the end.
const QUIET: Duration = Duration::from_secs(10);

/// Shows events on standard error, so that standard output stays clean.
pub(crate) struct Display {
    bar: Option<ProgressBar>,
    told: Instant,
    latest: Option<Standing>,
    verbose: bool,
    begun: Instant,
    resumed: u64,
}

impl Display {
    pub(crate) fn new(verbose: bool) -> Self {
        let bar = io::stderr().is_terminal().then(|| ProgressBar::new(0));
        if let Some(bar) = &bar {
            if let Ok(style) = ProgressStyle::with_template("{msg}\n{wide_bar} {pos}/{len} games, {eta} left") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(500));
        }
        Self { bar, told: Instant::now(), latest: None, verbose, begun: Instant::now(), resumed: 0 }
    }

    pub(crate) fn show(&mut self, event: &Event) {
        match event {
            Event::MatchBegun { players, planned, resumed, .. } => {
                self.begun = Instant::now();
                self.resumed = *resumed;
                let games = planned.map_or_else(String::new, |planned| format!(", at most {planned} games"));
                let going_on =
                    if *resumed > 0 { format!(", {resumed} of them finished before") } else { String::new() };
                self.line(&format!("{}{games}{going_on}", players.join(" – ")));
                if let (Some(bar), Some(planned)) = (&self.bar, planned) {
                    bar.set_length(*planned);
                    bar.set_position(*resumed);
                    bar.reset_eta();
                }
            }
            Event::GameFinished { game, white, black, result, reason, plies, notes, .. } => {
                if self.verbose {
                    self.line(&format!("game {game}: {white} – {black} {result}, {reason} ({plies} plies)"));
                }
                if self.verbose {
                    notes.iter().for_each(|note| self.line(&format!("game {game}: {note}")));
                }
            }
            Event::GameReplayed { game, reason } => self.line(&format!("game {game} is played again: {reason}")),
            Event::EngineRestarted { player, reason } => self.line(&format!("{player} is started again: {reason}")),
            Event::Stall { seconds } => {
                if self.verbose || *seconds > 0.1 {
                    self.line(&format!("the machine stalled for {:.0} ms", seconds * 1e3));
                }
            }
            Event::Standing(standing) => self.stand(standing),
            Event::GameBegun { .. } | Event::MatchFinished { .. } => {}
        }
    }

    fn stand(&mut self, standing: &Standing) {
        let now = standing.games.saturating_sub(self.resumed);
        let rate = now as f64 / self.begun.elapsed().as_secs_f64().max(1e-3) * 60.0;
        let mut lines = standing_lines(standing);
        lines.push(format!("{rate:.1} games a minute"));
        match &self.bar {
            Some(bar) => {
                bar.set_position(standing.games);
                bar.set_message(lines.join("\n"));
            }
            None if self.told.elapsed() >= QUIET => {
                self.told = Instant::now();
                lines.iter().for_each(|line| self.line(line));
            }
            None => {}
        }
        self.latest = Some(standing.clone());
    }

    /// A line for people; if nobody reads it, the match goes on.
    fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(text),
            None => {
                let _ = writeln!(io::stderr(), "{text}");
            }
        }
    }

    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
