//! A run on the terminal while it goes on: loss curves, learning rate, speed, time left.
//!
//! It stands in some lines below what was printed before, and leaves the keyboard alone.

use std::io::{self, Stderr, Write};

use ratatui::backend::CrosstermBackend;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Style};
use ratatui::symbols::Marker;
use ratatui::text::Line;
use ratatui::widgets::{Axis, Block, Chart, Dataset, Gauge, GraphType, LegendPosition, Paragraph};
use ratatui::{Frame, Terminal, TerminalOptions, Viewport};

use super::curves::{Curves, spoken, thinned};

/// Lines that the dashboard takes.
const HEIGHT: u16 = 18;
/// Points of a curve that a terminal can show.
const MOST_POINTS: usize = 300;
/// The first part of a run, whose losses would hide all others.
const HIDDEN_SHARE: f64 = 0.02;

/// The dashboard's place on the terminal.
pub(crate) struct Dashboard {
    terminal: Terminal<CrosstermBackend<Stderr>>,
}

impl Dashboard {
    /// Takes some lines of the terminal behind standard error.
    pub(crate) fn open() -> io::Result<Self> {
        let options = TerminalOptions { viewport: Viewport::Inline(HEIGHT) };
        Ok(Self { terminal: Terminal::with_options(CrosstermBackend::new(io::stderr()), options)? })
    }

    /// Draws the present state.
    pub(crate) fn draw(&mut self, curves: &Curves) -> io::Result<()> {
        self.terminal.draw(|frame| paint(frame, curves)).map(|_| ())
    }

    /// Leaves the last picture where it is; what comes next stands below it.
    pub(crate) fn close(mut self) -> io::Result<()> {
        let place = self.terminal.get_frame().area();
        self.terminal.set_cursor_position((0, place.bottom().saturating_sub(1)))?;
        self.terminal.show_cursor()?;
        writeln!(io::stderr())
    }
}

/// A line of a chart.
struct Curve<'a> {
    name: &'a str,
    points: &'a [(f64, f64)],
    color: Color,
}

/// Everything on the dashboard.
fn paint(frame: &mut Frame<'_>, curves: &Curves) {
    let [head, body, foot] =
        Layout::vertical([Constraint::Length(2), Constraint::Min(6), Constraint::Length(1)]).areas(frame.area());
    let text = vec![
        Line::from(format!(
            "{}: {} parameters on {}, {} samples",
            curves.name, curves.parameters, curves.device, curves.samples
        )),
        Line::from(numbers(curves)),
    ];
    frame.render_widget(Paragraph::new(text), head);
    let [losses, rates] = Layout::horizontal([Constraint::Percentage(68), Constraint::Percentage(32)]).areas(body);
    loss_chart(frame, losses, curves);
    rate_chart(frame, rates, curves);
    let left = curves.left().map_or_else(String::new, |left| format!(", {} left", spoken(left)));
    let label = format!("{} of {} positions{left}", curves.positions, curves.total);
    frame.render_widget(
        Gauge::default().gauge_style(Style::new().fg(Color::Cyan)).ratio(curves.share()).label(label),
        foot,
    );
}

/// The numbers of the moment in a line.
fn numbers(curves: &Curves) -> String {
    let last = |points: &[(f64, f64)]| points.last().map(|point| point.1);
    let loss = last(&curves.losses).map_or_else(String::new, |loss| format!("loss {loss:.6}, "));
    let validation = last(&curves.validations).map_or_else(String::new, |loss| format!("validation {loss:.6}, "));
    let rate = last(&curves.rates).map_or_else(String::new, |rate| format!("learning rate {rate:.2e}, "));
    format!("{loss}{validation}{rate}{:.3} M positions/s", curves.speed / 1e6)
}

fn loss_chart(frame: &mut Frame<'_>, place: Rect, curves: &Curves) {
    let hidden = curves.total as f64 * HIDDEN_SHARE;
    let shown = |points: &[(f64, f64)]| -> Vec<(f64, f64)> {
        let late: Vec<(f64, f64)> = points.iter().copied().filter(|point| point.0 >= hidden).collect();
        thinned(if late.len() < 2 { points } else { &late }, MOST_POINTS)
    };
    let (training, validation) = (shown(&curves.losses), shown(&curves.validations));
    chart(
        frame,
        place,
        "loss",
        curves.total as f64,
        &[
            Curve { name: "training", points: &training, color: Color::Cyan },
            Curve { name: "validation", points: &validation, color: Color::Yellow },
        ],
        &|value| format!("{value:.4}"),
    );
}

fn rate_chart(frame: &mut Frame<'_>, place: Rect, curves: &Curves) {
    let rates = thinned(&curves.rates, MOST_POINTS);
    let total = curves.total as f64;
    chart(frame, place, "learning rate", total, &[Curve { name: "", points: &rates, color: Color::Green }], &|value| {
        format!("{value:.0e}")
    });
}

fn chart(
    frame: &mut Frame<'_>,
    place: Rect,
    title: &str,
    total: f64,
    lines: &[Curve<'_>],
    name: &dyn Fn(f64) -> String,
) {
    let heights = || lines.iter().flat_map(|line| line.points).map(|point| point.1).filter(|height| height.is_finite());
    let (low, high) = (heights().fold(f64::INFINITY, f64::min), heights().fold(f64::NEG_INFINITY, f64::max));
    let (low, high) = if low < high { (low, high) } else { (0.0, 1.0) };
    let datasets = lines
        .iter()
        .map(|line| {
            let dataset = Dataset::default().marker(Marker::Braille).graph_type(GraphType::Line);
            dataset.name(line.name.to_owned()).style(Style::new().fg(line.color)).data(line.points)
        })
        .collect();
    let bounds = [0.0, total.max(1.0)];
    // A single curve is named by its title; two have to be told apart, also where there is little room.
    let legend = lines.iter().all(|line| !line.name.is_empty()).then_some(LegendPosition::TopRight);
    let chart = Chart::new(datasets)
        .legend_position(legend)
        .hidden_legend_constraints((Constraint::Ratio(1, 2), Constraint::Ratio(1, 2)))
        .block(Block::bordered().title(title.to_owned()))
        .x_axis(Axis::default().bounds(bounds))
        .y_axis(Axis::default().bounds([low, high]).labels([name(low), name((low + high) / 2.0), name(high)]));
    frame.render_widget(chart, place);
}

#[cfg(test)]
mod tests {
    use ratatui::backend::TestBackend;

    use super::super::curves::tests::events;
    use super::*;

    fn painted(curves: &Curves, width: u16, height: u16) -> String {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| paint(frame, curves)).unwrap();
        let cells = terminal.backend().buffer().content();
        cells.iter().map(|cell| cell.symbol()).collect()
    }

    #[test]
    fn the_dashboard_shows_where_a_run_stands() {
        let text = painted(&Curves::of(&events()), 100, HEIGHT);
        for word in [
            "tiny: 6161 parameters",
            "│training  │",
            "│validation│",
            "validation 0.030000",
            "learning rate 1.00e-3",
            "500 of 1000 positions, 5 s left",
        ] {
            assert!(text.contains(word), "{word} is missing in {text}");
        }
        assert!(text.chars().filter(|letter| ('\u{2801}'..='\u{28ff}').contains(letter)).count() > 20, "no curve");
    }

    #[test]
    fn no_terminal_is_too_small_and_no_run_too_young() {
        for (width, height) in [(1, 1), (10, 3), (300, 60)] {
            painted(&Curves::default(), width, height);
            painted(&Curves::of(&events()), width, height);
        }
    }
}
