//! The folder of a study's report: a chapter, a page, drawings and raw numbers.

use std::path::Path;

use anyhow::{Context, Result};
use kiebitz_forge::{Encounter, EntryFindings, Findings, Labels, Ranking, chapter};

use crate::drawing::chart::grouped;
use crate::drawing::comparison::{ColoredLine, Point, many_lines, points, side_by_side, standalone, two_columns};
use crate::drawing::page::{END, Page, card, table, tiles};

/// The chapter's file.
pub(super) const CHAPTER: &str = "report.md";

/// A drawing of the report.
struct Drawing {
    file: String,
    title: String,
    note: &'static str,
    svg: String,
}

/// Writes everything; the chapter comes last.
pub(super) fn write(findings: &Findings, folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let put = |name: &str, text: &str| kiebitz_network::write_file(&folder.join(name), text.as_bytes());
    let drawings = drawings(findings);
    for drawing in &drawings {
        put(&drawing.file, &standalone(&drawing.svg))?;
    }
    put("numbers.json", &(serde_json::to_string_pretty(findings)? + "\n"))?;
    put("index.html", &page(findings, &drawings))?;
    put(CHAPTER, &chapter(findings))?;
    Ok(())
}

fn drawings(findings: &Findings) -> Vec<Drawing> {
    let mut drawings = vec![
        Drawing {
            file: "loss.svg".to_owned(),
            title: "Loss".to_owned(),
            note: "Loss on validation samples over positions seen; entries that learn from triplets have another loss and are left out.",
            svg: losses(findings),
        },
        Drawing {
            file: "elo.svg".to_owned(),
            title: "Strength against cost".to_owned(),
            note: "Elo against the baseline at equal nodes with 95 % intervals, over nanoseconds of an evaluation; networks more than 400 behind are left out.",
            svg: strengths(findings),
        },
        Drawing {
            file: "updates.svg".to_owned(),
            title: "Updates and refreshes".to_owned(),
            note: "Of one view, by a move of the validation games.",
            svg: two_columns(
                ["features changed by a move", "refreshes for a hundred moves"],
                &findings
                    .entries
                    .iter()
                    .map(|entry| {
                        let measured = &entry.measurement;
                        (entry.plan.name.clone(), [measured.updates_per_move, 100.0 * measured.refreshes_per_move])
                    })
                    .collect::<Vec<_>>(),
            ),
        },
    ];
    let mut drawn: Vec<&str> = Vec::new();
    for entry in &findings.entries {
        let (Some(select), Some(selection)) = (&entry.plan.select, &entry.selection) else { continue };
        let from = select.from.as_str();
        if selection.by != Ranking::Contribution || selection.distances.is_empty() || drawn.contains(&from) {
            continue;
        }
        drawn.push(from);
        let bars: Vec<(String, [f64; 2])> = selection
            .distances
            .iter()
            .enumerate()
            .map(|(apart, distance)| (format!("{apart} files apart"), [distance.contribution, distance.frequency]))
            .collect();
        drawings.push(Drawing {
            file: format!("distance-{from}.svg"),
            title: format!("The pairs of {from} by distance in files"),
            note: "Which share of all contribution, and of all occurrences, pairs have whose pieces stand so many files apart.",
            svg: side_by_side(["share of contribution", "share of occurrences"], &bars),
        });
    }
    drawings
}

fn losses(findings: &Findings) -> String {
    let curves: Vec<(&EntryFindings, Vec<(f64, f64)>)> = findings
        .entries
        .iter()
        .filter(|entry| entry.plan.labels == Labels::Eval)
        .map(|entry| (entry, entry.training.validations.iter().map(|&(at, loss)| (at as f64, loss)).collect()))
        .collect();
    let lines: Vec<ColoredLine<'_>> =
        curves.iter().map(|(entry, points)| ColoredLine { name: &entry.plan.name, points }).collect();
    many_lines(&lines, &|positions| format!("{:.1} M", positions / 1e6))
}

/// Networks that are further behind are not drawn: the others would stand in one line.
const FURTHEST_BEHIND: f64 = -400.0;

fn strengths(findings: &Findings) -> String {
    let rated: Vec<Point<'_>> = findings
        .entries
        .iter()
        .filter_map(|entry| {
            let [value, low, high] = match &entry.nodes {
                Some(encounter) => encounter.elo?,
                None if entry.plan.name == findings.plan.matches.baseline => [0.0; 3],
                None => return None,
            };
            let name = entry.plan.name.as_str();
            (value > FURTHEST_BEHIND).then_some(Point { name, across: entry.speed.nanoseconds(), value, low, high })
        })
        .collect();
    points(&rated, "nanoseconds of an evaluation", "Elo against the baseline, equal nodes")
}

fn page(findings: &Findings, drawings: &[Drawing]) -> String {
    let plan = &findings.plan;
    let mut page = Page { title: &plan.title, heading: &plan.title, subtitle: plan.about.trim() }.begin();
    let device = findings.entries.first().map_or_else(String::new, |entry| entry.training.device.clone());
    let shown = [
        ("networks", findings.entries.len().to_string()),
        ("positions seen by each", grouped(plan.training.positions as f64)),
        ("games of each, equal nodes", plan.matches.games.to_string()),
        ("baseline", plan.matches.baseline.clone()),
        ("limit", plan.matches.limit.clone()),
        ("device", device),
    ];
    tiles(&mut page, &shown);
    page.push_str("<div class=\"cards\">");
    for drawing in drawings {
        card(&mut page, &drawing.title, drawing.note, &drawing.svg);
    }
    let names = [
        "network",
        "features",
        "active",
        "updates",
        "refreshes",
        "dead or full neurons",
        "loss, quantised",
        "ranked right %",
        "evaluation, ns",
        "nodes a second",
        "training, positions a second",
        "Elo, equal nodes",
        "Elo, equal time (reckoned)",
        "Elo, clock",
    ];
    let elo = |played: Option<&Encounter>| played.map_or_else(|| "–".to_owned(), Encounter::elo_text);
    let rows: Vec<Vec<String>> = findings
        .entries
        .iter()
        .map(|entry| {
            let (training, measured) = (&entry.training, &entry.measurement);
            vec![
                entry.plan.name.clone(),
                grouped(measured.features.into()),
                format!("{:.1}", measured.mean_active),
                format!("{:.2}", measured.updates_per_move),
                format!("{:.3}", measured.refreshes_per_move),
                format!("{} of {}", measured.dead_neurons + measured.full_neurons, measured.neurons),
                format!("{:.5}", training.quantised_loss),
                format!("{:.1}", 100.0 * measured.ranked_right),
                format!("{:.0}", entry.speed.nanoseconds()),
                grouped(entry.speed.nodes_per_second),
                grouped(training.speed),
                elo(entry.nodes.as_ref()),
                findings.equal_time(entry).map_or_else(|| "–".to_owned(), |[value, ..]| format!("{value:+.0}")),
                elo(entry.clock.as_ref()),
            ]
        })
        .collect();
    let note = format!("Repeat it with {}", findings.command);
    table(&mut page, "All networks", &note, &names, &rows);
    page + END
}
