//! The part of the chapter that tells of features found by what was learned.

use std::fmt::Write;

use super::chapter::{elo_or_end, elo_text, grouped, table};
use super::findings::{EntryFindings, Findings, Selection};
use super::plan::{GroupPlan, Ranking};

/// The section about selected features, if there are some.
pub(super) fn discovery(text: &mut String, findings: &Findings) {
    let selected: Vec<(&EntryFindings, &Selection)> =
        findings.entries.iter().filter_map(|entry| Some((entry, entry.selection.as_ref()?))).collect();
    let Some((_, first)) = selected.first() else { return };
    // Beside the selected ones: what they were selected from, and what they are compared with.
    let is_compared = |entry: &&EntryFindings| {
        let shares = |group: &&GroupPlan| group.entries.contains(&entry.plan.name);
        let has_selected =
            |group: &GroupPlan| selected.iter().any(|(other, _)| group.entries.contains(&other.plan.name));
        let is_source = |(other, _): &(&EntryFindings, &Selection)| {
            other.plan.select.as_ref().is_some_and(|select| select.from == entry.plan.name)
        };
        selected.iter().any(is_source) || findings.plan.groups.iter().filter(shares).any(has_selected)
    };
    let shown = findings.entries.iter().filter(is_compared);
    let _ = writeln!(
        text,
        "## Features found by what was learned\n\nA network learns with all candidates; each is ranked by its *contribution* \
         p · Σ (w − w₀)²: how often it occurs in a view of a position (over {} training positions), times the squared length of what training \
         has added to its row of weights. It is the energy that the feature brings into the accumulator of an average position. The best \
         stay as an explicit table, and a network learns anew with them. Ranking by *frequency* leaves the weights out.\n",
        grouped(first.counted)
    );
    let names = [
        "network",
        "from",
        "ranked by",
        "kept",
        "of",
        "share of contribution %",
        "share of occurrences %",
        "quantised loss",
        "Elo, equal nodes",
        "evaluation, ns",
        "Elo gained for a ns",
        "Elo, equal time",
    ];
    let baseline = &findings.plan.matches.baseline;
    table(
        text,
        &names,
        shown.map(|entry| {
            let of_selection =
                |told: &dyn Fn(&Selection) -> String| entry.selection.as_ref().map_or_else(|| "–".to_owned(), told);
            vec![
                entry.plan.name.clone(),
                entry.plan.select.as_ref().map_or("–", |select| select.from.as_str()).to_owned(),
                of_selection(&|selection| ranking_word(selection.by).to_owned()),
                of_selection(&|selection| grouped(selection.kept as u64)),
                of_selection(&|selection| grouped(selection.pool.into())),
                of_selection(&|selection| format!("{:.1}", 100.0 * selection.contribution_share)),
                of_selection(&|selection| format!("{:.1}", 100.0 * selection.frequency_share)),
                format!("{:.5}", entry.training.quantised_loss),
                elo_or_end(entry, baseline),
                format!("{:.0}", entry.speed.nanoseconds()),
                gain(findings, entry).map_or_else(
                    || "–".to_owned(),
                    |[value, low, high]| format!("{value:+.2} ({low:+.2} to {high:+.2})"),
                ),
                findings.equal_time(entry).map_or_else(|| "–".to_owned(), elo_text),
            ]
        }),
    );
    let _ = writeln!(
        text,
        "*Elo gained for a ns* compares with the baseline: the difference in Elo at equal nodes over the difference in nanoseconds of an \
         evaluation, with the interval of the Elo; where an evaluation is not dearer by {:.0} %, it says nothing and is left out.\n",
        100.0 * DEARER
    );
    let mut told: Vec<&str> = Vec::new();
    for (entry, selection) in &selected {
        let from = entry.plan.select.as_ref().map_or("", |select| select.from.as_str());
        if selection.by == Ranking::Contribution && !selection.distances.is_empty() && !told.contains(&from) {
            told.push(from);
            distances(text, &selected, from, selection);
        }
    }
}

const fn ranking_word(by: Ranking) -> &'static str {
    match by {
        Ranking::Frequency => "frequency",
        Ranking::Contribution => "contribution",
    }
}

/// Smaller differences in cost are those of measuring.
const DEARER: f64 = 0.05;

/// Elo over the baseline for every nanosecond that an evaluation takes longer, with its interval.
fn gain(findings: &Findings, entry: &EntryFindings) -> Option<[f64; 3]> {
    let usual = findings.baseline()?.speed.nanoseconds();
    let longer = entry.speed.nanoseconds() - usual;
    let elo = entry.elo(&findings.plan.matches.baseline)?;
    (longer > DEARER * usual).then(|| elo.map(|elo| elo / longer))
}

fn distances(text: &mut String, selected: &[(&EntryFindings, &Selection)], from: &str, all: &Selection) {
    let _ = writeln!(
        text,
        "### Is \"same or neighbouring file\" found again? The pairs of {from} by distance\n\n![Share of contribution and of occurrences by distance in files](distance-{from}.svg)\n"
    );
    let kept: Vec<&(&EntryFindings, &Selection)> = selected
        .iter()
        .filter(|(entry, _)| entry.plan.select.as_ref().is_some_and(|select| select.from == from))
        .collect();
    let mut names: Vec<String> =
        ["files apart", "features", "occurrences %", "contribution %", "energy of an occurrence"]
            .map(str::to_owned)
            .to_vec();
    names.extend(kept.iter().map(|(entry, _)| format!("in {} %", entry.plan.name)));
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    table(
        text,
        &names,
        all.distances.iter().enumerate().map(|(apart, distance)| {
            let mut row = vec![
                apart.to_string(),
                grouped(distance.features.into()),
                format!("{:.1}", 100.0 * distance.frequency),
                format!("{:.1}", 100.0 * distance.contribution),
                format!("{:.4}", distance.energy),
            ];
            row.extend(kept.iter().map(|(_, selection)| {
                let inside = selection.distances.get(apart).map_or(0, |distance| distance.kept);
                format!("{:.1}", 100.0 * inside as f64 / selection.kept.max(1) as f64)
            }));
            row
        }),
    );
    let near = |share: &dyn Fn(usize) -> f64| 100.0 * (share(0) + share(1));
    let (contribution, frequency) =
        (near(&|apart| all.distances[apart].contribution), near(&|apart| all.distances[apart].frequency));
    let features: u32 = all.distances.iter().map(|distance| distance.features).sum();
    let share = 100.0 * f64::from(all.distances[0].features + all.distances[1].features) / f64::from(features.max(1));
    let times =
        (frequency > 0.0).then(|| format!(", {:.2} times their share of occurrences", contribution / frequency));
    let strongest = all.distances.iter().enumerate().max_by(|left, right| left.1.energy.total_cmp(&right.1.energy));
    let _ = writeln!(
        text,
        "Pairs on the same or on neighbouring files are {share:.1} % of the features, {frequency:.1} % of what occurs and {contribution:.1} % \
         of the contribution{}. An occurrence has most energy at a distance of {}.\n",
        times.unwrap_or_default(),
        strongest.map_or(0, |(apart, _)| apart)
    );
    let examples: Vec<String> = all.first.iter().take(10).map(|(name, ..)| name.clone()).collect();
    let _ = writeln!(text, "The first of them: {}.\n", examples.join("; "));
}
