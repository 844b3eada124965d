//! What happens in a forge, for people or as JSON lines.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use kiebitz_forge::{Event, Stage};

use crate::{match_play, train};

/// Progress as JSON is told so often.
const PERIOD: Duration = Duration::from_secs(1);
/// Without a terminal people are told of progress so often.
const QUIET: Duration = Duration::from_secs(20);

/// Shows events: bars, the dashboard of the trainer and the table of the match on standard error, or JSON on standard output.
pub(super) struct Display {
    json: bool,
    told: Instant,
    begun: Instant,
    bar: Option<ProgressBar>,
    training: Option<train::display::Display>,
    playing: Option<match_play::display::Display>,
}

impl Display {
    pub(super) fn new(json: bool) -> Self {
        Self { json, told: Instant::now(), begun: Instant::now(), bar: None, training: None, playing: None }
    }

    pub(super) fn show(&mut self, event: &Event, out: &mut impl Write) -> Result<()> {
        if self.json {
            let is_progress = matches!(event, Event::Progress { .. });
            if !is_progress || self.told.elapsed() >= PERIOD {
                if is_progress {
                    self.told = Instant::now();
                }
                writeln!(out, "{}", serde_json::to_string(event)?)?;
            }
            return Ok(());
        }
        match event {
            Event::StageBegun { stage, number, of } => {
                self.close();
                self.begun = Instant::now();
                self.line(&format!("{number}/{of} {}", sentence(*stage)));
            }
            Event::StageKept { stage, number, of } => {
                self.line(&format!("{number}/{of} {}: finished before", sentence(*stage)));
            }
            Event::Progress { done, total, unit, .. } => self.progress(*done, *total, unit),
            Event::Training { training } => {
                self.training.get_or_insert_with(train::display::Display::open).show(training);
            }
            Event::Playing { playing } => {
                self.playing.get_or_insert_with(|| match_play::display::Display::new(false)).show(playing);
            }
            Event::StageFinished { stage, seconds, .. } => {
                self.close();
                self.line(&format!("    {} done in {seconds:.1} s", stage.name()));
            }
        }
        Ok(())
    }

    fn progress(&mut self, done: u64, total: u64, unit: &str) {
        let bar = self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::new(total);
            let template = "{wide_bar} {human_pos}/{human_len} {msg}, {per_sec}, {eta} left";
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
            bar
        });
        bar.set_length(total);
        bar.set_position(done);
        bar.set_message(unit.to_owned());
        if bar.is_hidden() && self.told.elapsed() >= QUIET && done > 0 {
            self.told = Instant::now();
            let rate = done as f64 / self.begun.elapsed().as_secs_f64().max(1e-3);
            let left = Duration::from_secs_f64((total.saturating_sub(done) as f64 / rate).min(1e9));
            let left = train::curves::spoken(left);
            self.line(&format!("    {done} of {total} {unit}, {rate:.0} a second, {left} left"));
        }
    }

    /// A line for people; if nobody reads it, work goes on.
    fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) if !bar.is_hidden() => bar.println(text),
            _ => {
                let _ = writeln!(io::stderr(), "{text}");
            }
        }
    }

    /// Takes away what stands on the terminal.
    pub(super) fn close(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
        if let Some(training) = self.training.take() {
            training.close();
        }
        if let Some(playing) = self.playing.take() {
            playing.finish();
        }
    }
}

fn sentence(stage: Stage) -> &'static str {
    match stage {
        Stage::Import => "importing and filtering games",
        Stage::Label => "labelling samples without a score",
        Stage::Shuffle => "shuffling games",
        Stage::Split => "dividing games for training and validation",
        Stage::Train => "training and quantising",
        Stage::Prove => "proving",
        Stage::Match => "playing",
        Stage::Card => "writing the card",
    }
}
