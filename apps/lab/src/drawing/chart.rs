//! Charts as SVG, drawn with the colors of the page around them.

use std::fmt::Write;

/// The drawing's size; the page scales it.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 220.0;
/// Room for numbers at the left and names below.
const LEFT: f64 = 56.0;
const BOTTOM: f64 = 24.0;
const TOP: f64 = 10.0;
/// Lines across a drawing, at most.
const TICKS: f64 = 4.0;

/// The part of a drawing inside of its axes.
const PLOT: (f64, f64) = (WIDTH - LEFT - 8.0, HEIGHT - TOP - BOTTOM);

/// Standing bars, one for each name.
pub(crate) fn bars(values: &[(String, f64)]) -> String {
    let largest = values.iter().map(|(_, value)| *value).fold(0.0, f64::max).max(1.0);
    let tick = round_step(largest / TICKS).max(1.0);
    let top = tick * (largest / tick).ceil();
    let step = PLOT.0 / values.len().max(1) as f64;
    // Names must not overlap: about twelve fit.
    let every = values.len().div_ceil(12).max(1);
    let mut svg = begin();
    axis(&mut svg, top, tick, &short);
    for (number, (name, value)) in values.iter().enumerate() {
        let height = PLOT.1 * value / top;
        let (x, y) = (LEFT + step * number as f64, TOP + PLOT.1 - height);
        let _ = write!(
            svg,
            "<rect class=\"bar\" x=\"{:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{height:.1}\" rx=\"2\">\
             <title>{}: {}</title></rect>",
            x + step * 0.1,
            step * 0.8,
            escaped(name),
            grouped(*value)
        );
        if number % every == 0 {
            let _ = write!(
                svg,
                "<text{} x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                spare(number / every),
                x + step / 2.0,
                HEIGHT - 7.0,
                escaped(name)
            );
        }
    }
    svg + "</svg>"
}

/// Lying bars with their names before them, the longest first as they come.
pub(crate) fn rows(values: &[(String, f64)]) -> String {
    let largest = values.iter().map(|(_, value)| *value).fold(0.0, f64::max).max(f64::MIN_POSITIVE);
    let mut html = String::from("<div class=\"rows\">");
    for (name, value) in values {
        let _ = write!(
            html,
            "<span>{}</span><div><i style=\"width:{:.1}%\"></i></div><b>{}</b>",
            escaped(name),
            100.0 * value / largest,
            grouped(*value)
        );
    }
    html + "</div>"
}

/// Points from 0 to 1 over a number, as a line with dots; the second value is how much weight a dot has.
pub(crate) fn curve(points: &[(f64, f64, f64)]) -> String {
    let mut svg = begin();
    axis(&mut svg, 1.0, 0.25, &|value| format!("{value:.2}"));
    let (first, last) = match (points.first(), points.last()) {
        (Some(first), Some(last)) if last.0 > first.0 => (first.0, last.0),
        _ => return svg + "</svg>",
    };
    let heaviest = points.iter().map(|point| point.2).fold(0.0, f64::max).max(1.0);
    let place =
        |x: f64, y: f64| (LEFT + PLOT.0 * (x - first) / (last - first), TOP + PLOT.1 * (1.0 - y.clamp(0.0, 1.0)));
    let path: Vec<String> =
        points.iter().map(|point| place(point.0, point.1)).map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let _ = write!(svg, "<polyline class=\"line\" points=\"{}\"/>", path.join(" "));
    for (number, &(value, mean, weight)) in points.iter().enumerate() {
        let (x, y) = place(value, mean);
        let radius = 2.0 + 4.0 * (weight / heaviest).sqrt();
        let _ = write!(
            svg,
            "<circle class=\"dot\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\"><title>{value}: {mean:.3} in {} samples\
             </title></circle>",
            grouped(weight)
        );
        let every = points.len().div_ceil(10).max(1);
        if number % every == 0 {
            let (spare, y) = (spare(number / every), HEIGHT - 7.0);
            let _ = write!(svg, "<text{spare} x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{value}</text>");
        }
    }
    svg + "</svg>"
}

/// A line of a chart with several.
pub(crate) struct Series<'a> {
    pub(crate) name: &'a str,
    /// In rising order of the first number.
    pub(crate) points: &'a [(f64, f64)],
    /// The class that colors it: `line` or `other-line`.
    pub(crate) class: &'a str,
    /// Whether every point has a dot that names it.
    pub(crate) dotted: bool,
}

/// Several lines over one axis; heights are named by `name`, and begin at the lowest point unless `from_zero`.
pub(crate) fn lines(series: &[Series<'_>], name: &dyn Fn(f64) -> String, from_zero: bool) -> String {
    let all = || series.iter().flat_map(|line| line.points).filter(|(x, y)| x.is_finite() && y.is_finite());
    let least = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::INFINITY, f64::min);
    let most = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::NEG_INFINITY, f64::max);
    let (left, right) = (least(&mut all().map(|point| point.0)), most(&mut all().map(|point| point.0)));
    let (low, high) = (least(&mut all().map(|point| point.1)), most(&mut all().map(|point| point.1)));
    let mut svg = begin();
    if !(left.is_finite() && low.is_finite()) {
        return svg + "</svg>";
    }
    let low = if from_zero { low.min(0.0) } else { low };
    let (width, height) = ((right - left).max(f64::MIN_POSITIVE), (high - low).max(f64::MIN_POSITIVE));
    axis_between(&mut svg, low, high, name);
    let place = |&(x, y): &(f64, f64)| (LEFT + PLOT.0 * (x - left) / width, TOP + PLOT.1 * (1.0 - (y - low) / height));
    for (number, line) in series.iter().enumerate() {
        let whole = || line.points.iter().filter(|(x, y)| x.is_finite() && y.is_finite());
        let path: Vec<String> = whole().map(place).map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = write!(svg, "<polyline class=\"{}\" points=\"{}\"/>", line.class, path.join(" "));
        if line.dotted {
            for point in whole() {
                let (x, y) = place(point);
                let _ = write!(
                    svg,
                    "<circle class=\"dot\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"><title>{}: {}</title></circle>",
                    short(point.0),
                    name(point.1)
                );
            }
        }
        let _ = write!(
            svg,
            "<polyline class=\"{}\" points=\"{1:.1},{2:.1} {3:.1},{2:.1}\"/><text x=\"{4:.1}\" y=\"{5:.1}\">{6}</text>",
            line.class,
            WIDTH - 150.0,
            TOP + 8.0 + 16.0 * number as f64,
            WIDTH - 130.0,
            WIDTH - 124.0,
            TOP + 12.0 + 16.0 * number as f64,
            escaped(line.name)
        );
    }
    for part in 0..=4 {
        let share = f64::from(part) / 4.0;
        let _ = write!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{}\">{}</text>",
            LEFT + PLOT.0 * share,
            HEIGHT - 7.0,
            if part == 4 { "end" } else { "middle" },
            short(left + width * share)
        );
    }
    svg + "</svg>"
}

/// A chessboard, a1 at the lower left, the darker the more.
pub(crate) fn board(counts: &[u64]) -> String {
    const CELL: f64 = 34.0;
    let largest = counts.iter().copied().max().unwrap_or(1).max(1) as f64;
    let total = counts.iter().sum::<u64>().max(1) as f64;
    let size = CELL * 8.0 + 20.0;
    let mut svg = format!("<svg class=\"board\" viewBox=\"0 0 {size} {size}\" role=\"img\">");
    for (number, &count) in counts.iter().enumerate().take(64) {
        let (file, rank) = (number % 8, number / 8);
        let (x, y) = (18.0 + CELL * file as f64, CELL * (7 - rank) as f64);
        // A root shows rare squares, too.
        let shade = (count as f64 / largest).cbrt();
        let _ = write!(
            svg,
            "<rect class=\"cell\" x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" \
             fill-opacity=\"{shade:.3}\"><title>{}{}: {:.2} %</title></rect>",
            char::from(b'a' + file as u8),
            rank + 1,
            100.0 * count as f64 / total
        );
    }
    for number in 0..8_u8 {
        let middle = CELL * (f64::from(number) + 0.5);
        let _ = write!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text><text x=\"4\" y=\"{:.1}\">{}</text>",
            18.0 + middle,
            size - 6.0,
            char::from(b'a' + number),
            CELL * 8.0 - middle + 4.0,
            number + 1
        );
    }
    svg + "</svg>"
}

fn begin() -> String {
    format!("<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">")
}

/// Every second name below a drawing can be spared where there is little room.
fn spare(number: usize) -> &'static str {
    if number % 2 == 1 { " class=\"spare\"" } else { "" }
}

/// Lines with their values, from zero in steps of `tick` up to `top`.
fn axis(svg: &mut String, top: f64, tick: f64, name: &dyn Fn(f64) -> String) {
    for number in 0..=(top / tick).round() as u32 {
        let value = tick * f64::from(number);
        line_across(svg, value / top, &name(value));
    }
}

/// Five lines from the lowest to the highest value.
fn axis_between(svg: &mut String, low: f64, high: f64, name: &dyn Fn(f64) -> String) {
    for part in 0..=4 {
        let share = f64::from(part) / 4.0;
        line_across(svg, share, &name(low + (high - low) * share));
    }
}

/// A line at a share of the height, with its value.
fn line_across(svg: &mut String, share: f64, value: &str) {
    let y = TOP + PLOT.1 * (1.0 - share);
    let _ = write!(
        svg,
        "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/><text x=\"{}\" y=\"{:.1}\" \
         text-anchor=\"end\">{value}</text>",
        WIDTH - 8.0,
        LEFT - 6.0,
        y + 4.0,
    );
}

/// The smallest of 1, 2, 5, 10, 20, 50 and so on that is at least so large.
fn round_step(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    let steps = [1.0, 2.0, 5.0].map(|step| step * power);
    steps.into_iter().find(|&step| step >= least).unwrap_or(10.0 * power)
}

/// A large number in few letters: `1.5 M`.
fn short(value: f64) -> String {
    let (divisor, unit) = match value {
        value if value >= 1e9 => (1e9, " G"),
        value if value >= 1e6 => (1e6, " M"),
        value if value >= 1e3 => (1e3, " k"),
        _ => return format!("{value:.0}"),
    };
    let digits = format!("{:.2}", value / divisor);
    format!("{}{unit}", digits.trim_end_matches('0').trim_end_matches('.'))
}

/// A whole number with thin spaces between thousands.
pub(crate) fn grouped(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (number, digit) in digits.chars().enumerate() {
        if number > 0 && (digits.len() - number).is_multiple_of(3) && text != "-" {
            text.push('\u{2009}');
        }
        text.push(digit);
    }
    text
}

/// Text that means itself inside of HTML.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_are_readable() {
        assert_eq!(grouped(1_234_567.0), "1\u{2009}234\u{2009}567");
        assert_eq!(grouped(12.0), "12");
        assert_eq!([short(1_500_000.0), short(20_000.0), short(50.0)], ["1.5 M", "20 k", "50"]);
        assert_eq!([0.3, 1.0, 1.1, 47.0, 60_000.0].map(round_step), [0.5, 1.0, 2.0, 50.0, 100_000.0]);
        assert_eq!(escaped("<a & \"b\">"), "&lt;a &amp; &quot;b&quot;&gt;");
    }

    #[test]
    fn charts_are_whole_whatever_they_show() {
        for values in [vec![], vec![("a".to_owned(), 0.0)], vec![("a<b".to_owned(), 5.0), ("c".to_owned(), 7.0)]] {
            for drawing in [bars(&values), rows(&values)] {
                assert!(drawing.ends_with("</svg>") || drawing.ends_with("</div>"));
                assert!(!drawing.contains("NaN") && !drawing.contains("a<b"));
            }
        }
        for points in [vec![], vec![(0.0, 0.5, 1.0)], vec![(-1.0, 0.2, 3.0), (1.0, 0.8, 9.0)]] {
            let drawing = curve(&points);
            assert!(drawing.ends_with("</svg>") && !drawing.contains("NaN"));
        }
        assert_eq!(board(&[0; 64]).matches("class=\"cell\"").count(), 64);
    }
}
