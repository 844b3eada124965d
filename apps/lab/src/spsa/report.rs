//! What a tuning run came to, for people and for programs.

use std::io::{self, Write};
use std::time::Duration;

use kiebitz_tournament::spsa::{Spsa, SpsaParameter, Step, Trouble};
use serde_json::{Value, json};

/// Everything there is to tell.
pub(super) struct Report<'a> {
    pub(super) finished: bool,
    pub(super) spsa: &'a Spsa,
    pub(super) steps: &'a [Step],
    /// Pairs of this session.
    pub(super) played_now: u64,
    pub(super) trouble: Trouble,
    pub(super) elapsed: Duration,
}

/// The values as lines for `parameters.rs`, and as numbers for another run.
pub(super) fn lines(spsa: &Spsa) -> Vec<String> {
    let tuned = spsa.parameters().iter().zip(spsa.rounded());
    tuned.map(|(parameter, start)| SpsaParameter { start, ..parameter.clone() }.to_string()).collect()
}

/// How far every number has come, in steps.
fn distances(spsa: &Spsa) -> Vec<f64> {
    let moved = spsa.parameters().iter().zip(spsa.values());
    moved.map(|(parameter, value)| (value - f64::from(parameter.start)) / parameter.step).collect()
}

/// The numbers that have come farthest.
pub(super) fn farthest(spsa: &Spsa, count: usize) -> Vec<String> {
    let mut order: Vec<(usize, f64)> = distances(spsa).into_iter().enumerate().collect();
    order.sort_by(|one, other| other.1.abs().total_cmp(&one.1.abs()));
    let text = |(index, _): &(usize, f64)| {
        let parameter = &spsa.parameters()[*index];
        format!("{} {} → {:.1}", parameter.name, parameter.start, spsa.values()[*index])
    };
    order.iter().take(count).map(text).collect()
}

impl Report<'_> {
    /// A table, and the lines to be taken over.
    pub(super) fn write_text(&self, output: &mut impl Write) -> io::Result<()> {
        let width = self.spsa.parameters().iter().map(|parameter| parameter.name.len()).max().unwrap_or(0).max(6);
        writeln!(output, "{:<width$} {:>8} {:>10} {:>8}", "number", "start", "value", "steps")?;
        for ((parameter, value), steps) in
            self.spsa.parameters().iter().zip(self.spsa.values()).zip(distances(self.spsa))
        {
            writeln!(output, "{:<width$} {:>8} {value:>10.2} {steps:>+8.2}", parameter.name, parameter.start)?;
        }
        writeln!(output, "\nAs lines for parameters.rs:\n")?;
        for line in lines(self.spsa) {
            writeln!(output, "{line}")?;
        }
        let state = if self.finished { "The run is over" } else { "The run was stopped" };
        writeln!(
            output,
            "\n{state}: {} of {} pairs, {} of them now in {:.1} s.",
            self.spsa.played(),
            self.spsa.settings().pairs,
            self.played_now,
            self.elapsed.as_secs_f64()
        )?;
        let Trouble { time_losses, crashes, hangs, illegal_moves } = self.trouble;
        if self.trouble.games() > 0 {
            writeln!(
                output,
                "Trouble: {time_losses} lost on time, {crashes} crashes, {hangs} hangs, {illegal_moves} illegal moves."
            )?;
        }
        Ok(())
    }

    /// One object.
    pub(super) fn write_json(&self, output: &mut impl Write) -> io::Result<()> {
        let tuned = self.spsa.parameters().iter().zip(self.spsa.values()).zip(self.spsa.rounded());
        let numbers: Vec<Value> = tuned
            .map(|((parameter, value), rounded)| {
                json!({
                    "name": parameter.name, "start": parameter.start, "value": value, "rounded": rounded,
                    "low": parameter.low, "high": parameter.high, "step": parameter.step,
                })
            })
            .collect();
        let sum = |part: fn(&Step) -> u64| self.steps.iter().map(part).sum::<u64>();
        let value = json!({
            "finished": self.finished,
            "settings": self.spsa.settings(),
            "pairs": self.spsa.played(),
            "pairs_now": self.played_now,
            "iterations": self.steps.len(),
            "plus_wins": sum(|step| step.wins),
            "draws": sum(|step| step.draws),
            "plus_losses": sum(|step| step.losses),
            "trouble": self.trouble,
            "seconds": self.elapsed.as_secs_f64(),
            "numbers": numbers,
            "lines": lines(self.spsa),
        });
        serde_json::to_writer_pretty(&mut *output, &value).map_err(io::Error::from)?;
        writeln!(output)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kiebitz_tournament::spsa::{SpsaSettings, read_parameters};

    #[test]
    fn lines_can_be_read_again_and_the_farthest_is_named_first() {
        let text = "a = 5 in 0..=10 step 1;\nb = 100 in 0..=1000 step 10;\nc = 7 in 0..=20 step 0.5;";
        let settings = SpsaSettings { seed: 0, pairs: 10, pairs_per_iteration: 1, learning_rate: 0.01 };
        let spsa = Spsa::at(settings, read_parameters(text).unwrap(), vec![5.4, 131.6, 3.0], 5).unwrap();
        let again = read_parameters(&lines(&spsa).join("\n")).unwrap();
        assert_eq!(again.iter().map(|parameter| parameter.start).collect::<Vec<_>>(), [5, 132, 3]);
        assert_eq!(farthest(&spsa, 2), ["c 7 → 3.0", "b 100 → 131.6"]);
        let report = Report {
            finished: false,
            spsa: &spsa,
            steps: &[],
            played_now: 5,
            trouble: Trouble { crashes: 1, ..Trouble::default() },
            elapsed: Duration::from_secs(2),
        };
        let mut output = Vec::new();
        report.write_text(&mut output).unwrap();
        let text = String::from_utf8(output).unwrap();
        assert!(text.contains("b           100     131.60    +3.16"), "{text}");
        assert!(text.contains("stopped: 5 of 10 pairs") && text.contains("1 crashes"), "{text}");
    }
}
