//! The findings as a chapter in Markdown.

use std::fmt::Write;

use super::answers::answer;
use super::discovery::discovery;
use super::findings::{EntryFindings, Findings};
use super::plan::Labels;
use crate::contest::Encounter;

/// The chapter that tells what a study found. It shows the drawings `loss.svg`, `elo.svg`, `updates.svg` and, for every entry that features
/// were selected from, `distance-ENTRY.svg`, which stand beside it.
#[must_use]
pub fn chapter(findings: &Findings) -> String {
    let plan = &findings.plan;
    let mut text = format!("# {}\n\n", plan.title);
    if !plan.about.is_empty() {
        let _ = writeln!(text, "{}\n", plan.about.trim());
    }
    set_up(&mut text, findings);
    sets(&mut text, findings);
    cost(&mut text, findings);
    learning(&mut text, findings);
    strength(&mut text, findings);
    if !plan.groups.is_empty() {
        text.push_str("## Questions and answers\n\n");
        plan.groups.iter().for_each(|group| answer(&mut text, findings, group));
    }
    discovery(&mut text, findings);
    if !plan.conclusions.is_empty() {
        let _ = writeln!(text, "## Conclusions\n\n{}\n", plan.conclusions.trim());
    }
    text.push_str("## How to repeat it\n\n");
    let _ = writeln!(
        text,
        "`{}` does everything that is not done yet and writes this chapter, its drawings, `index.html` and `numbers.json`, which has every \
         number unrounded, the plan, the descriptions of all networks and the checksums of the data. The commands that make its data stand \
         at the top of the plan, if whoever wrote it put them there. Made by {}.",
        findings.command, findings.program
    );
    text
}

/// A table with names over its columns; the first column stands left, all others right.
pub(super) fn table(text: &mut String, names: &[&str], rows: impl Iterator<Item = Vec<String>>) {
    let _ = writeln!(text, "| {} |", names.join(" | "));
    let _ = writeln!(text, "|---|{}", "---:|".repeat(names.len().saturating_sub(1)));
    for row in rows {
        let _ =
            writeln!(text, "| {} |", row.iter().map(|cell| cell.replace('|', "\\|")).collect::<Vec<_>>().join(" | "));
    }
    text.push('\n');
}

fn set_up(text: &mut String, findings: &Findings) {
    let plan = &findings.plan;
    let files = |list: &[kiebitz_dataset::WrittenFile]| {
        let named: Vec<String> = list.iter().map(|file| format!("`{}` (CRC-32 {})", file.file, file.crc32)).collect();
        named.join(", ")
    };
    let first = findings.entries.first().map(|entry| &entry.training);
    let samples = first.map_or(0, |training| training.samples);
    let _ = writeln!(text, "## Set-up\n");
    let _ = writeln!(
        text,
        "Every network learns from the same samples in the same order, {} positions in batches of {} with seed {}. {} Data: {}, {} \
         positions after the filter; held back for validation: {}. Scores: {}. Device: {}.\n",
        grouped(plan.training.positions),
        plan.training.batch,
        plan.seed,
        rates_sentence(findings),
        files(&findings.data[0]),
        grouped(samples),
        files(&findings.data[1]),
        if plan.data.teacher.is_empty() { "as the data have them" } else { &plan.data.teacher },
        first.map_or("–", |training| &training.device),
    );
    if samples > 0 {
        let _ = writeln!(
            text,
            "The budget is {:.1} rounds through the data. It is a comparison under a budget, not of what each set could reach with more \
             positions or samples; large sets need more of both.\n",
            plan.training.positions as f64 / samples as f64
        );
    }
    let trunk = plan.trunk.trim();
    let _ = writeln!(
        text,
        "Unless said otherwise the inputs are followed by `{trunk}`. *Loss* is the mean of |expected points − target|^{}, the target \
         being the score through a sigmoid of {} centipawns blended with {:.0} % of the game's result. Speeds \
         of evaluation and play are those of one core in the fastest of many short slices of time, all networks by turns; the speed of \
         training is what a tenth of the run exceeded, whatever else the machine did.\n",
        plan.loss.power,
        plan.loss.score_scale,
        100.0 * plan.loss.result_end
    );
}

/// Where learning rates come from.
fn rates_sentence(findings: &Findings) -> String {
    match &findings.plan.rates {
        None => format!(
            "Nothing was tuned for any of them: the learning rate of {} is everybody's.",
            findings.plan.optimiser.rate
        ),
        Some(rates) => {
            let tried: Vec<String> = rates.tried.iter().map(ToString::to_string).collect();
            format!(
                "The learning rate of each is that of {} with the lowest validation loss after a short run of {} positions; nothing else was tuned.",
                tried.join(", "),
                grouped(rates.positions)
            )
        }
    }
}

fn sets(text: &mut String, findings: &Findings) {
    let _ = writeln!(text, "## The networks\n");
    let moves = findings.entries.first().map_or(0, |entry| entry.measurement.moves);
    let _ = writeln!(
        text,
        "*Dead* features no legal position has; *unseen* ones could occur but did not in the {} moves of validation games that were followed. \
         *Active*: features of one view of a position, on average and at most, and the average as a share of all.\n",
        grouped(moves)
    );
    let names = [
        "network",
        "features",
        "dead",
        "unseen",
        "active",
        "at most",
        "share %",
        "parameters",
        "neurons",
        "dead neurons",
        "full neurons",
        "neurons active %",
    ];
    table(
        text,
        &names,
        findings.entries.iter().map(|entry| {
            let measured = &entry.measurement;
            vec![
                format!(
                    "**{}**{}",
                    entry.plan.name,
                    if entry.plan.about.is_empty() { String::new() } else { format!(": {}", entry.plan.about) }
                ),
                grouped(measured.features.into()),
                grouped(measured.dead_features as u64),
                grouped(measured.unseen_features as u64),
                format!("{:.1}", measured.mean_active),
                measured.largest_active.to_string(),
                format!("{:.3}", 100.0 * measured.active_share),
                grouped(entry.training.parameters),
                measured.neurons.to_string(),
                measured.dead_neurons.to_string(),
                measured.full_neurons.to_string(),
                format!("{:.1}", 100.0 * measured.active_neurons),
            ]
        }),
    );
    let _ = writeln!(
        text,
        "A *neuron* is an output of the accumulator; it is dead if it is above zero in neither view of any of the {} validation positions \
         that all networks were judged by, and full if it is at the upper end in all of them.\n",
        grouped(findings.entries.first().map_or(0, |entry| entry.training.judged as u64))
    );
    if !findings.failed.is_empty() {
        let _ = writeln!(text, "Some entries came to no network:\n");
        for (name, reason) in &findings.failed {
            let _ = writeln!(text, "- **{name}**: {reason}");
        }
        text.push('\n');
    }
}

fn cost(text: &mut String, findings: &Findings) {
    let _ = writeln!(text, "## What they cost\n\n![Updates and refreshes of a move](updates.svg)\n");
    let _ = writeln!(
        text,
        "*Updates*: features that a view loses or gains by a move that needs no refresh; *refreshes*: the share of moves after which a view is \
         built anew. *Evaluation*: a move is played, both accumulators follow, the value is formed.\n"
    );
    let names = [
        "network",
        "updates a move",
        "refreshes a move",
        "evaluation, ns",
        "layers alone, ns",
        "nodes a second",
        "training, positions a second",
    ];
    table(
        text,
        &names,
        findings.entries.iter().map(|entry| {
            let measured = &entry.measurement;
            vec![
                entry.plan.name.clone(),
                format!("{:.2}", measured.updates_per_move),
                format!("{:.3}", measured.refreshes_per_move),
                format!("{:.0}", entry.speed.nanoseconds()),
                format!("{:.0}", 1e9 / entry.speed.pace.value.max(1e-9)),
                grouped(entry.speed.nodes_per_second as u64),
                grouped(entry.training.speed as u64),
            ]
        }),
    );
}

fn learning(text: &mut String, findings: &Findings) {
    let _ = writeln!(text, "## What they learned\n\n![Validation loss over positions seen](loss.svg)\n");
    let judged = findings.entries.first().map_or(0, |entry| entry.training.judged as u64);
    let triplets = findings.entries.first().map_or(0, |entry| entry.measurement.triplets as u64);
    let _ = writeln!(
        text,
        "*Validation* is what the trainer saw at the end and at its best, with floats; a network that learned from triplets has their loss \
         there, which compares with nothing else, and the unit of its values was fitted afterwards. *Float* and *quantised* are the loss \
         of values at the same {} held-back positions for all; *against the baseline* is the mean difference of the quantised loss, position by \
         position, with its standard error, in per cent of the baseline's. *Ranked right*: the share of {} held-back triplets in which the \
         move played is valued above a random other one.\n",
        grouped(judged),
        grouped(triplets)
    );
    let names = [
        "network",
        "learning rate",
        "validation, end",
        "best",
        "float",
        "quantised",
        "against the baseline %",
        "rounding, centipawns",
        "ranked right %",
    ];
    let usual = findings.baseline().map_or(f64::NAN, |baseline| baseline.training.quantised_loss);
    let loss = |loss: Option<f64>| loss.map_or_else(|| "–".to_owned(), |loss| format!("{loss:.5}"));
    table(
        text,
        &names,
        findings.entries.iter().map(|entry| {
            let (training, measured) = (&entry.training, &entry.measurement);
            let mark = if entry.plan.labels == Labels::Pqr { " (triplets)" } else { "" };
            vec![
                entry.plan.name.clone(),
                entry.rate.to_string(),
                loss(training.validation_loss) + mark,
                loss(training.best_validation_loss),
                loss(Some(training.float_loss)),
                loss(Some(training.quantised_loss)),
                entry.loss_difference.filter(|[_, error]| *error > 0.0).map_or_else(
                    || "–".to_owned(),
                    |[value, error]| format!("{:+.1} ± {:.1}", 100.0 * value / usual, 100.0 * error / usual),
                ),
                measured
                    .rounding
                    .as_ref()
                    .map_or_else(|| "–".to_owned(), |rounding| format!("{:.1}", rounding.mean_centipawns)),
                format!("{:.1}", 100.0 * measured.ranked_right),
            ]
        }),
    );
    let _ = writeln!(
        text,
        "The certificate of every network holds: no step of its arithmetic can overflow, and what plays equals the exact reference.\n"
    );
}

fn strength(text: &mut String, findings: &Findings) {
    let matches = &findings.plan.matches;
    if matches.games == 0 && matches.clock_games == 0 {
        return;
    }
    let _ = writeln!(text, "## How they play\n\n![Elo against the cost of an evaluation](elo.svg)\n");
    let _ = writeln!(
        text,
        "Against **{}**, both colors of every opening; openings are random moves that our search finds balanced, drawn by the seed, the same for \
         all. Elo with its 95 % interval from pairs of games; the drawing leaves out what is more than 400 behind. At equal nodes the cost of an evaluation does not show.\n",
        matches.baseline
    );
    if let (Some(doubling), Some(faster)) = (findings.doubling(), &findings.faster) {
        let _ = writeln!(
            text,
            "What speed is worth: **{}** with {} scores {}, {}, {} against itself with {} ({} Elo), which is {doubling:.0} Elo for a doubling. *Elo at \
             equal time* adds to the Elo at equal nodes what the doublings of nodes a second between an entry and the baseline are worth; it is \
             reckoned, not played.\n",
            matches.baseline,
            matches.faster.as_deref().unwrap_or("–"),
            faster.wins,
            faster.draws,
            faster.losses,
            matches.limit,
            faster.elo_text(),
        );
    }
    if !matches.note.is_empty() {
        let _ = writeln!(text, "{}\n", matches.note.trim());
    }
    let clock = matches.clock.as_deref().filter(|_| matches.clock_games > 0);
    let mut names = vec![
        "network".to_owned(),
        format!("games, {}", matches.limit),
        "won, drawn, lost".to_owned(),
        "Elo".to_owned(),
    ];
    let is_reckoned = findings.doubling().is_some();
    if is_reckoned {
        names.push("Elo, equal time".to_owned());
    }
    if let Some(clock) = clock {
        names.extend([format!("games, {clock}"), "won, drawn, lost".to_owned(), "Elo".to_owned()]);
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    table(
        text,
        &names,
        findings.entries.iter().map(|entry| {
            let mut row = vec![entry.plan.name.clone()];
            let is_baseline = entry.plan.name == matches.baseline;
            row.extend(played(entry.nodes.as_ref(), is_baseline));
            if is_reckoned {
                row.push(findings.equal_time(entry).map_or_else(|| "–".to_owned(), elo_text));
            }
            if clock.is_some() {
                row.extend(played(entry.clock.as_ref(), is_baseline));
            }
            row
        }),
    );
}

fn played(encounter: Option<&Encounter>, is_baseline: bool) -> [String; 3] {
    match encounter {
        None => ["–", "–", if is_baseline { "the baseline: 0" } else { "–" }].map(str::to_owned),
        Some(played) => [
            played.games.to_string(),
            format!("{}, {}, {}", played.wins, played.draws, played.losses),
            played.elo_text(),
        ],
    }
}

/// The Elo of an entry at equal nodes, or the end that is known of it.
pub(super) fn elo_or_end(entry: &EntryFindings, baseline: &str) -> String {
    let end = || entry.nodes.as_ref().map_or_else(|| "–".to_owned(), Encounter::elo_text);
    entry.elo(baseline).map_or_else(end, elo_text)
}

pub(super) fn elo_text([value, low, high]: [f64; 3]) -> String {
    // Only the baseline is known exactly.
    if low >= high {
        return format!("{value:.0}");
    }
    format!("{value:+.0} ({low:+.0} to {high:+.0})")
}

/// A whole number with thin spaces between thousands.
pub(super) fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (number, digit) in digits.chars().enumerate() {
        if number > 0 && (digits.len() - number).is_multiple_of(3) {
            text.push('\u{2009}');
        }
        text.push(digit);
    }
    text
}
