//! Trajectories as a picture: a small panel for every number, in one SVG file without outside help.

use std::fmt::Write as _;

use kiebitz_tournament::spsa::{Spsa, SpsaParameter, Step};

const COLUMNS: usize = 4;
const PANEL: (f64, f64) = (250.0, 130.0);
/// Inside of a panel: left, top, right, bottom.
const INSET: (f64, f64, f64, f64) = (44.0, 24.0, 8.0, 16.0);
/// Points beyond these would not be seen.
const MOST_POINTS: usize = 240;

/// Draws all numbers over game pairs.
pub(super) fn svg(spsa: &Spsa, steps: &[Step]) -> String {
    let count = spsa.parameters().len();
    let rows = count.div_ceil(COLUMNS).max(1);
    let (width, height) = (PANEL.0 * COLUMNS.min(count.max(1)) as f64, PANEL.1 * rows as f64 + 24.0);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"10\">\n<title>Values over game pairs</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"8\" y=\"15\" fill=\"#333333\">{} of {} game pairs; dashed: where each number began; gray: one step around \
         it</text>\n",
        spsa.played(),
        spsa.settings().pairs
    );
    for (index, parameter) in spsa.parameters().iter().enumerate() {
        let corner = (PANEL.0 * (index % COLUMNS) as f64, 24.0 + PANEL.1 * (index / COLUMNS) as f64);
        let start = (0.0, f64::from(parameter.start));
        let values = steps.iter().filter_map(|step| Some((step.pairs as f64, *step.values.get(index)?)));
        let points: Vec<(f64, f64)> = std::iter::once(start).chain(values).collect();
        panel(&mut text, corner, parameter, &thinned(&points), spsa.settings().pairs as f64);
    }
    text.push_str("</svg>\n");
    text
}

/// At most so many points as can be seen, the last among them.
fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let stride = points.len().div_ceil(MOST_POINTS).max(1);
    let mut kept: Vec<(f64, f64)> = points.iter().copied().step_by(stride).collect();
    if let Some(&last) = points.last().filter(|last| kept.last() != Some(last)) {
        kept.push(last);
    }
    kept
}

fn panel(text: &mut String, corner: (f64, f64), parameter: &SpsaParameter, points: &[(f64, f64)], pairs: f64) {
    let start = f64::from(parameter.start);
    let reach = points.iter().map(|point| (point.1 - start).abs()).fold(2.0 * parameter.step, f64::max) * 1.05;
    let (left, top) = (corner.0 + INSET.0, corner.1 + INSET.1);
    let (right, bottom) = (corner.0 + PANEL.0 - INSET.2, corner.1 + PANEL.1 - INSET.3);
    let x = |pairs_played: f64| left + (right - left) * (pairs_played / pairs.max(1.0)).min(1.0);
    let y = |value: f64| (top + bottom) / 2.0 - (bottom - top) / 2.0 * (value - start) / reach;
    let last = points.last().map_or(start, |point| point.1);
    let (band_top, band_bottom) = (y(start + parameter.step), y(start - parameter.step));
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        "<g><title>{name}: {low} to {high}</title>\n\
         <text x=\"{left}\" y=\"{title:.1}\" fill=\"#111111\">{name}  {start} → {last:.1}</text>\n\
         <rect x=\"{left}\" y=\"{top}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"none\" stroke=\"#bbbbbb\"/>\n\
         <rect x=\"{left}\" y=\"{band_top:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"#eeeeee\"/>\n\
         <line x1=\"{left}\" y1=\"{middle:.1}\" x2=\"{right}\" y2=\"{middle:.1}\" stroke=\"#888888\" stroke-dasharray=\"4 3\"/>\n",
        right - left,
        bottom - top,
        right - left,
        band_bottom - band_top,
        name = escaped(&parameter.name),
        low = parameter.low,
        high = parameter.high,
        title = top - 6.0,
        middle = y(start),
    );
    for value in [start - reach / 1.05, start, start + reach / 1.05] {
        let _ = writeln!(
            text,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#555555\">{}</text>",
            left - 4.0,
            y(value) + 3.5,
            short(value)
        );
    }
    let line: Vec<String> = points.iter().map(|&(played, value)| format!("{:.1},{:.1}", x(played), y(value))).collect();
    let _ = writeln!(
        text,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"#1f6feb\" stroke-width=\"1.3\"/></g>",
        line.join(" ")
    );
}

/// A number in as few digits as tell it apart.
fn short(value: f64) -> String {
    if value.abs() >= 100.0 { format!("{value:.0}") } else { format!("{value:.1}") }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use kiebitz_tournament::spsa::{SpsaSettings, read_parameters};

    #[test]
    fn every_number_has_a_panel_with_its_points() {
        let parameters = read_parameters("a<b = 5 in 0..=10 step 1;\nc = 100 in 0..=1000 step 10;").unwrap();
        let settings = SpsaSettings { seed: 0, pairs: 1000, pairs_per_iteration: 1, learning_rate: 0.01 };
        let spsa = Spsa::at(settings, parameters, vec![6.0, 130.0], 600).unwrap();
        let step = |pairs| Step { pairs, wins: 1, draws: 0, losses: 0, values: vec![5.5, 100.0 + pairs as f64 / 20.0] };
        let steps: Vec<Step> = (1..=600).map(step).collect();
        let text = svg(&spsa, &steps);
        assert_eq!(text.matches("<polyline").count(), 2);
        assert!(text.contains("a&lt;b") && !text.contains("a<b"), "{text}");
        assert!(text.starts_with("<svg") && text.ends_with("</svg>\n"));
        assert_eq!(text.matches("<g>").count(), text.matches("</g>").count());
        assert!(!text.contains("NaN") && text.len() < 20_000, "{}", text.len());
        let points: Vec<(f64, f64)> = (0..1000).map(|n| (f64::from(n), 0.0)).collect();
        let thin = thinned(&points);
        assert!(thin.len() <= MOST_POINTS + 1 && thin.last() == points.last());
    }
}
