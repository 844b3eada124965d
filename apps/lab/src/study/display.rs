//! What happens in a study, for people or as JSON lines.

use std::io::{self, Write};
use std::time::Instant;

use anyhow::Result;
use kiebitz_forge::{StudyEvent, StudyStep};

use crate::train::curves::spoken;
use crate::{match_play, train};

/// Shows events: lines, the dashboard of the trainer and the table of the match on standard error, or JSON on standard output.
pub(super) struct Display {
    json: bool,
    begun: Instant,
    training: Option<train::display::Display>,
    playing: Option<match_play::display::Display>,
}

impl Display {
    pub(super) fn new(json: bool) -> Self {
        Self { json, begun: Instant::now(), training: None, playing: None }
    }

    pub(super) fn show(&mut self, event: &StudyEvent, out: &mut impl Write) -> Result<()> {
        if self.json {
            writeln!(out, "{}", serde_json::to_string(event)?)?;
            return Ok(());
        }
        match event {
            StudyEvent::EntryBegun { entry, number, of } => {
                self.close();
                line(&format!("{number}/{of} {entry}{}", self.left(*number, *of)));
            }
            StudyEvent::StepBegun { step, .. } => {
                self.close();
                line(&format!("    {}", sentence(*step)));
            }
            StudyEvent::StepKept { step, .. } => line(&format!("    {}: finished before", sentence(*step))),
            StudyEvent::StepFinished { step, seconds, .. } => {
                self.close();
                line(&format!("    {} done in {seconds:.1} s", step.name()));
            }
            StudyEvent::EntryFailed { reason, .. } => {
                self.close();
                line(&format!("    failed: {reason}"));
            }
            StudyEvent::Training { training } => {
                self.training.get_or_insert_with(train::display::Display::open).show(training);
            }
            StudyEvent::Playing { playing } => {
                self.playing.get_or_insert_with(|| match_play::display::Display::new(false)).show(playing);
            }
        }
        Ok(())
    }

    /// What is left if the others take as long as those before.
    fn left(&self, number: usize, of: usize) -> String {
        let (done, seconds) = (number - 1, self.begun.elapsed());
        match u32::try_from(done) {
            Ok(done @ 1..) => {
                let rest = u32::try_from(of - (number - 1)).unwrap_or(u32::MAX);
                format!(", about {} left", spoken(seconds / done * rest))
            }
            _ => String::new(),
        }
    }

    /// Takes away what stands on the terminal.
    pub(super) fn close(&mut self) {
        if let Some(training) = self.training.take() {
            training.close();
        }
        if let Some(playing) = self.playing.take() {
            playing.finish();
        }
    }
}

/// A line for people; if nobody reads it, work goes on.
fn line(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

fn sentence(step: StudyStep) -> &'static str {
    match step {
        StudyStep::Triplets => "making triplets",
        StudyStep::Select => "selecting features",
        StudyStep::Rate => "trying a learning rate",
        StudyStep::Train => "training and quantising",
        StudyStep::Measure => "proving and measuring",
        StudyStep::Play => "playing at fixed nodes",
        StudyStep::Clock => "playing under a clock",
        StudyStep::Pace => "timing all networks by turns",
    }
}
