//! A run for people: a dashboard on a terminal, lines elsewhere.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use kiebitz_trainer::Event;

use super::curves::{Curves, spoken};
use super::dashboard::Dashboard;

/// Without a terminal progress is told so often.
const QUIET: Duration = Duration::from_secs(20);
/// A dashboard is drawn so often at most.
const FRAME: Duration = Duration::from_millis(200);

/// Shows events on standard error.
pub(crate) struct Display {
    curves: Curves,
    dashboard: Option<Dashboard>,
    told: Option<Instant>,
    /// What is told below a dashboard, once it is done.
    warnings: Vec<String>,
}

impl Display {
    /// A display that takes its lines of the terminal at once.
    pub(crate) fn open() -> Self {
        // A terminal that does not answer gets lines.
        let dashboard = io::stderr().is_terminal().then(Dashboard::open).and_then(Result::ok);
        Self { curves: Curves::default(), dashboard, told: None, warnings: Vec::new() }
    }

    pub(crate) fn show(&mut self, event: &Event) {
        self.curves.add(event);
        let period = if self.dashboard.is_some() { FRAME } else { QUIET };
        let is_due = self.told.is_none_or(|told| told.elapsed() >= period);
        let is_large = !matches!(event, Event::Steps { .. } | Event::Checkpoint { .. });
        if !is_due && !is_large {
            return;
        }
        self.told = Some(Instant::now());
        if let Event::PassedOver { checkpoint, reason, step } = event {
            self.warnings.push(passed_over(checkpoint, reason, *step));
        }
        match &mut self.dashboard {
            Some(dashboard) => {
                // Somebody who closed the terminal does not look any more.
                let _ = dashboard.draw(&self.curves);
            }
            None => {
                if let Some(line) = self.line(event) {
                    let _ = writeln!(io::stderr(), "{line}");
                }
            }
        }
    }

    /// An event as a line.
    fn line(&self, event: &Event) -> Option<String> {
        let curves = &self.curves;
        match event {
            Event::Start { step, .. } => Some(format!(
                "{}: {} parameters on {}; {} samples; {step} steps done",
                curves.name, curves.parameters, curves.device, curves.samples
            )),
            Event::Steps { loss, rate, .. } => Some(format!(
                "{:>12} positions: loss {loss:.6}, learning rate {rate:.2e}, {:.3} M positions/s, {} left",
                curves.positions,
                curves.speed / 1e6,
                curves.left().map_or_else(String::new, spoken)
            )),
            Event::Validation { positions, loss, .. } => {
                Some(format!("{positions:>12} positions: validation loss {loss:.6}"))
            }
            Event::End { float_loss: Some(float), quantised_loss: Some(quantised), .. } => {
                Some(both_losses(*float, *quantised))
            }
            Event::PassedOver { checkpoint, reason, step } => Some(passed_over(checkpoint, reason, *step)),
            Event::Checkpoint { .. } | Event::End { .. } => None,
        }
    }

    /// Gives the terminal back; on it the end of a run is told below the dashboard.
    pub(crate) fn close(mut self) {
        let Some(dashboard) = self.dashboard.take() else { return };
        let _ = dashboard.close();
        for warning in &self.warnings {
            let _ = writeln!(io::stderr(), "{warning}");
        }
        let last = self.curves.validations.last().map(|point| point.1);
        if let (Some(float), Some(quantised)) = (last, self.curves.quantised) {
            let _ = writeln!(io::stderr(), "{}", both_losses(float, quantised));
        }
    }
}

fn both_losses(float: f64, quantised: f64) -> String {
    format!("validation loss {float:.6} with floats, {quantised:.6} quantised")
}

fn passed_over(checkpoint: &str, reason: &str, step: u64) -> String {
    format!("warning: {checkpoint} cannot be used ({reason}); going on after step {step} instead")
}
