//! Drawings that compare many things: points with error bars, lying bars, bars side by side; and drawings as files of their own.

use std::fmt::Write;

use super::chart::escaped;

const WIDTH: f64 = 760.0;
/// Room for names at the left of lying bars.
const NAMES: f64 = 190.0;
/// The height of a lying bar with the gap below it.
const ROW: f64 = 20.0;
const LEFT: f64 = 56.0;
const TOP: f64 = 24.0;
const BOTTOM: f64 = 36.0;
/// The height of a drawing of points or standing bars.
const HEIGHT: f64 = 320.0;

/// Colors of files that stand alone, readable on white: those of the page in daylight, then what is needed for more lines.
const STYLE: &str = "text{font:11px system-ui,sans-serif;fill:#4b5563}.bar,.dot{fill:#2f6f8f}.second,.other-dot{fill:#c2703d}\
                     .grid{stroke:#e5e7eb}.line{fill:none;stroke:#c2703d;stroke-width:2}.other-line{fill:none;stroke:#2f6f8f;stroke-width:1.5}\
                     .whisker{stroke:#2f6f8f;stroke-width:1.5}";

/// A point with the ends of its error bar.
pub(crate) struct Point<'a> {
    pub(crate) name: &'a str,
    pub(crate) across: f64,
    pub(crate) value: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// Names one of many lines by a color: hues as far apart as they can be.
pub(crate) fn line_color(number: usize, of: usize) -> String {
    let hue = 360.0 * number as f64 / of.max(1) as f64;
    // Every second one is darker, so that neighbours differ in two ways.
    let light = if number.is_multiple_of(2) { 42 } else { 58 };
    format!("hsl({hue:.0},65%,{light}%)")
}

/// Points with error bars over a number; `across` and `upwards` name the axes.
pub(crate) fn points(points: &[Point<'_>], across: &str, upwards: &str) -> String {
    let finite: Vec<&Point<'_>> = points
        .iter()
        .filter(|point| [point.across, point.value, point.low, point.high].iter().all(|number| number.is_finite()))
        .collect();
    let mut svg = begin(HEIGHT);
    let range = |values: &mut dyn Iterator<Item = f64>| {
        let (low, high) =
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        let margin = ((high - low) * 0.08).max(1.0);
        (low - margin, high + margin)
    };
    if finite.is_empty() {
        return svg + "</svg>";
    }
    let (left, right) = range(&mut finite.iter().map(|point| point.across));
    let (low, high) = range(&mut finite.iter().flat_map(|point| [point.low, point.high]));
    let (width, height) = (WIDTH - LEFT - 100.0, HEIGHT - TOP - BOTTOM);
    let x = |value: f64| LEFT + width * (value - left) / (right - left);
    let y = |value: f64| TOP + height * (high - value) / (high - low);
    for part in 0..=4 {
        let share = f64::from(part) / 4.0;
        let (value, place) = (low + (high - low) * share, left + (right - left) * share);
        let _ = write!(
            svg,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{1:.1}\" y2=\"{1:.1}\"/><text x=\"{2}\" y=\"{3:.1}\" text-anchor=\"end\">{value:.0}</text>\
             <text x=\"{4:.1}\" y=\"{5}\" text-anchor=\"middle\">{place:.0}</text>",
            LEFT + width,
            y(value),
            LEFT - 6.0,
            y(value) + 4.0,
            x(place),
            HEIGHT - 20.0
        );
    }
    for point in finite {
        let (x, middle) = (x(point.across), y(point.value));
        let _ = write!(
            svg,
            "<line class=\"whisker\" stroke=\"currentColor\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{:.1}\" y2=\"{:.1}\"/>\
             <circle class=\"dot\" cx=\"{x:.1}\" cy=\"{middle:.1}\" r=\"4\"><title>{}: {:+.0} ({:+.0} to {:+.0})</title></circle>\
             <text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            y(point.low),
            y(point.high),
            escaped(point.name),
            point.value,
            point.low,
            point.high,
            x + 6.0,
            middle - 5.0,
            escaped(point.name)
        );
    }
    let _ = write!(
        svg,
        "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text><text x=\"4\" y=\"10\">{}</text>",
        LEFT + width / 2.0,
        HEIGHT - 4.0,
        escaped(across),
        escaped(upwards)
    );
    svg + "</svg>"
}

/// Lying bars in two columns, a name before each pair: what the columns show, then name and both values.
pub(crate) fn two_columns(headings: [&str; 2], rows: &[(String, [f64; 2])]) -> String {
    let height = 26.0 + ROW * rows.len() as f64;
    let column = (WIDTH - NAMES) / 2.0;
    let most = |number: usize| rows.iter().map(|(_, values)| values[number]).fold(0.0, f64::max).max(f64::MIN_POSITIVE);
    let mut svg = begin(height);
    for (number, heading) in headings.iter().enumerate() {
        let _ = write!(svg, "<text x=\"{:.1}\" y=\"12\">{}</text>", NAMES + column * number as f64, escaped(heading));
    }
    for (row, (name, values)) in rows.iter().enumerate() {
        let y = 22.0 + ROW * row as f64;
        let _ = write!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            NAMES - 8.0,
            y + 11.0,
            escaped(name)
        );
        for (number, value) in values.iter().enumerate() {
            let (x, length) = (NAMES + column * number as f64, (column - 60.0) * value / most(number));
            let class = if number == 0 { "bar" } else { "second" };
            let _ = write!(
                svg,
                "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{length:.1}\" height=\"{:.1}\" rx=\"2\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\">{value:.2}</text>",
                ROW - 6.0,
                x + length + 4.0,
                y + 11.0
            );
        }
    }
    svg + "</svg>"
}

/// Two standing bars side by side for each name, as shares in per cent, and what they are.
pub(crate) fn side_by_side(legend: [&str; 2], values: &[(String, [f64; 2])]) -> String {
    let most = values.iter().flat_map(|(_, pair)| *pair).fold(0.0, f64::max).max(f64::MIN_POSITIVE);
    let (step, height) = ((WIDTH - LEFT - 10.0) / values.len().max(1) as f64, HEIGHT - TOP - BOTTOM);
    let mut svg = begin(HEIGHT);
    for part in 0..=4 {
        let share = f64::from(part) / 4.0;
        let y = TOP + height * (1.0 - share);
        let _ = write!(
            svg,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{:.1} %</text>",
            WIDTH - 10.0,
            LEFT - 6.0,
            y + 4.0,
            100.0 * most * share
        );
    }
    for (place, (name, pair)) in values.iter().enumerate() {
        let x = LEFT + step * place as f64;
        for (number, value) in pair.iter().enumerate() {
            let tall = height * value / most;
            let class = if number == 0 { "bar" } else { "second" };
            let _ = write!(
                svg,
                "<rect class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{tall:.1}\"><title>{}: {:.1} %</title></rect>",
                x + step * (0.12 + 0.38 * number as f64),
                TOP + height - tall,
                step * 0.36,
                escaped(name),
                100.0 * value
            );
        }
        let _ = write!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            x + step / 2.0,
            HEIGHT - 20.0,
            escaped(name)
        );
    }
    for (number, name) in legend.iter().enumerate() {
        let (x, class) = (WIDTH - 210.0, if number == 0 { "bar" } else { "second" });
        let y = TOP + 8.0 + 18.0 * number as f64;
        let _ = write!(
            svg,
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"12\" height=\"10\"/><text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            x + 18.0,
            y + 9.0,
            escaped(name)
        );
    }
    svg + "</svg>"
}

/// A line of a drawing of many, with its name and color.
pub(crate) struct ColoredLine<'a> {
    pub(crate) name: &'a str,
    pub(crate) points: &'a [(f64, f64)],
}

/// Many lines of positive numbers over one axis, heights by their logarithm, their names in the order of their ends at the right.
pub(crate) fn many_lines(lines: &[ColoredLine<'_>], across: &dyn Fn(f64) -> String) -> String {
    let height = (TOP + BOTTOM + 15.0 * lines.len() as f64).max(HEIGHT);
    let mut svg = begin(height);
    let all = || lines.iter().flat_map(|line| line.points).filter(|(x, y)| x.is_finite() && y.is_finite() && *y > 0.0);
    let (mut low, mut high, mut right) = (f64::INFINITY, f64::NEG_INFINITY, 0.0_f64);
    all().for_each(|&(x, y)| (low, high, right) = (low.min(y), high.max(y), right.max(x)));
    if !low.is_finite() || right <= 0.0 {
        return svg + "</svg>";
    }
    let (width, tall) = (WIDTH - LEFT - 200.0, height - TOP - BOTTOM);
    let span = (high / low).ln().max(f64::MIN_POSITIVE);
    let place =
        |&(x, y): &(f64, f64)| (LEFT + width * x / right, TOP + tall * (high / y.max(f64::MIN_POSITIVE)).ln() / span);
    for part in 0..=4 {
        let share = f64::from(part) / 4.0;
        let (value, at) = (low * (span * share).exp(), right * share);
        let _ = write!(
            svg,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{1:.1}\" y2=\"{1:.1}\"/><text x=\"{2}\" y=\"{3:.1}\" text-anchor=\"end\">{value:.4}</text>\
             <text x=\"{4:.1}\" y=\"{5:.1}\" text-anchor=\"middle\">{6}</text>",
            LEFT + width,
            place(&(0.0, value)).1,
            LEFT - 6.0,
            place(&(0.0, value)).1 + 4.0,
            place(&(at, low)).0,
            height - 18.0,
            across(at)
        );
    }
    let mut order: Vec<usize> = (0..lines.len()).filter(|&number| !lines[number].points.is_empty()).collect();
    let end = |number: usize| lines[number].points.last().map_or(0.0, |point| point.1);
    order.sort_by(|&left, &right| end(right).total_cmp(&end(left)));
    for (rank, &number) in order.iter().enumerate() {
        let (line, color) = (&lines[number], line_color(number, lines.len()));
        let path: Vec<String> = line.points.iter().map(place).map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let (x, y) = (LEFT + width + 14.0, TOP + 10.0 + 15.0 * rank as f64);
        let _ = write!(
            svg,
            "<polyline fill=\"none\" stroke=\"{color}\" stroke-width=\"1.6\" points=\"{}\"/>\
             <line stroke=\"{color}\" stroke-width=\"3\" x1=\"{x:.1}\" x2=\"{:.1}\" y1=\"{2:.1}\" y2=\"{2:.1}\"/><text x=\"{3:.1}\" y=\"{y:.1}\">{4}</text>",
            path.join(" "),
            x + 14.0,
            y - 4.0,
            x + 20.0,
            escaped(line.name)
        );
    }
    svg + "</svg>"
}

fn begin(height: f64) -> String {
    format!("<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\">")
}

/// A drawing as a file of its own: with a name space, colors and white paper.
pub(crate) fn standalone(svg: &str) -> String {
    match svg.split_once('>') {
        Some((opening, rest)) => format!(
            "{} xmlns=\"http://www.w3.org/2000/svg\"><style>{STYLE}</style><rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>{rest}\n",
            opening
        ),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawings_are_whole_whatever_they_show() {
        let point = |name, value| Point { name, across: 10.0, value, low: value - 1.0, high: value + 1.0 };
        let rows = vec![("a<b".to_owned(), [0.0, 0.0]), ("c".to_owned(), [2.0, 0.5])];
        let line = [(0.0, 1.0), (10.0, 0.5)];
        let lines = [ColoredLine { name: "a<b", points: &line }, ColoredLine { name: "empty", points: &[] }];
        for drawing in [
            points(&[], "x", "y"),
            points(&[point("a<b", 3.0), point("c", f64::NAN)], "x", "y"),
            two_columns(["u", "r"], &rows),
            two_columns(["u", "r"], &[]),
            side_by_side(["p", "q"], &rows),
            side_by_side(["p", "q"], &[]),
            many_lines(&lines, &|value| format!("{value}")),
            many_lines(&[], &|value| format!("{value}")),
        ] {
            let file = standalone(&drawing);
            assert!(drawing.starts_with("<svg") && drawing.ends_with("</svg>"), "{drawing}");
            assert!(file.contains("xmlns=") && file.ends_with("</svg>\n"));
            assert!(!drawing.contains("NaN") && !drawing.contains("inf") && !drawing.contains("a<b"), "{drawing}");
        }
        assert_eq!(points(&[point("c", f64::NAN), point("d", 1.0)], "x", "y").matches("<circle").count(), 1);
        assert_ne!(line_color(0, 5), line_color(1, 5));
    }
}
