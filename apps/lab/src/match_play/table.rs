//! Results as text.

use std::fmt::Write as _;

use kiebitz_tournament::runner::{Bar, Conclusion, EncounterStanding, MatchReport, SprtStanding, Standing};
use kiebitz_tournament::statistics::Interval;

/// How a bar is written.
pub(crate) fn bar(bar: Option<Bar>) -> String {
    // The logarithm of an even score is a negative zero, which nobody wants to read.
    let readable = |bar: Bar| Interval { value: bar.value + 0.0, ..Interval::from(bar) };
    bar.map_or_else(|| "?".to_owned(), |bar| readable(bar).to_string())
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "?".to_owned(), |share| format!("{:.1} %", share * 100.0))
}

/// Where a match stands, in a few lines.
pub(crate) fn standing_lines(standing: &Standing) -> Vec<String> {
    let mut lines: Vec<String> = match &standing.encounters[..] {
        [one] => encounter_lines(one),
        many => many.iter().map(encounter_line).collect(),
    };
    if let Some(sprt) = &standing.sprt {
        lines.push(sprt_line(sprt));
    }
    if let Some(race) = &standing.race {
        let mut line =
            format!("race: {} after {} of at most {} pairs", race.running.join(", "), race.pairs, race.longest);
        if !race.dropped.is_empty() {
            let _ = write!(line, "; dropped: {}", race.dropped.join(", "));
        }
        lines.push(line);
    }
    lines
}

/// Two players in full.
fn encounter_lines(encounter: &EncounterStanding) -> Vec<String> {
    let ratio = encounter
        .pair_ratio
        .map_or_else(|| "?".to_owned(), |ratio| if ratio.is_finite() { format!("{ratio:.2}") } else { "∞".to_owned() });
    vec![
        format!(
            "{} – {}: {} of {} ({}), +{} ={} -{}",
            encounter.first,
            encounter.second,
            encounter.points(),
            encounter.games,
            percent(encounter.score.map(|score| score.value)),
            encounter.wins,
            encounter.draws,
            encounter.losses,
        ),
        format!(
            "Elo {}, nElo {}, LOS {}",
            bar(encounter.elo),
            bar(encounter.normalised_elo),
            percent(encounter.superiority),
        ),
        format!("pairs (0 to 2) {}, pair ratio {ratio}, draws {}", encounter.pairs(), percent(encounter.draw_ratio),),
    ]
}

/// Two of many players.
fn encounter_line(encounter: &EncounterStanding) -> String {
    format!(
        "{} – {}: {} of {}, Elo {}, {}",
        encounter.first,
        encounter.second,
        encounter.points(),
        encounter.games,
        bar(encounter.elo),
        encounter.pairs(),
    )
}

fn sprt_line(sprt: &SprtStanding) -> String {
    let [elo0, elo1] = sprt.bounds;
    let [low, high] = sprt.limits;
    let mut line =
        format!("SPRT [{elo0}, {elo1}] {}: LLR {:.2} ({low:.2}, {high:.2}), {}", sprt.model, sprt.llr, sprt.decision);
    if let Some(left) = sprt.games_left {
        let _ = write!(line, ", about {left:.0} more games if the difference is what it looks like");
    }
    line
}

/// The whole report.
pub(crate) fn report_lines(report: &MatchReport) -> Vec<String> {
    let mut lines = player_lines(report);
    lines.push(String::new());
    lines.extend(standing_lines(&report.standing));
    lines.push(String::new());
    lines.push(match &report.conclusion {
        Conclusion::Played => "All games are played.".to_owned(),
        Conclusion::Knockout { winner } => format!("The knockout is won by {winner}."),
        Conclusion::Sprt { decision, llr } => format!("The test is decided: {decision} (LLR {llr:.2})."),
        Conclusion::Race { winner } => format!("The race is won by {winner}."),
        Conclusion::Stopped => "The match was stopped.".to_owned(),
    });
    lines.push(machine_line(report));
    lines
}

fn player_lines(report: &MatchReport) -> Vec<String> {
    let rated = report.players.iter().any(|player| player.rating.is_some());
    let mut order: Vec<usize> = (0..report.players.len()).collect();
    let rating = |index: usize| report.players[index].rating.map_or(0.0, |rating| rating.value);
    if rated {
        order.sort_by(|&one, &other| rating(other).total_cmp(&rating(one)));
    }
    let width = report.players.iter().map(|player| player.name.chars().count()).max().unwrap_or(0).max(6);
    let mut header = format!("{:<width$} {:>8} {:>7}", "player", "points", "games");
    if rated {
        let _ = write!(header, " {:>16}", "Elo");
    }
    let _ = write!(header, " {:>6} {:>10} {:>9}  trouble", "depth", "nodes/s", "ms/move");
    let mut lines = vec![header];
    for index in order {
        let player = &report.players[index];
        let mut line = format!("{:<width$} {:>8} {:>7}", player.name, player.points, player.games);
        if rated {
            let _ = write!(line, " {:>16}", bar(player.rating));
        }
        let number =
            |value: Option<f64>, digits: usize| value.map_or("?".to_owned(), |value| format!("{value:.digits$}"));
        let _ = write!(
            line,
            " {:>6} {:>10} {:>9}  ",
            number(player.depth, 1),
            number(player.nodes_per_second, 0),
            number(player.seconds_per_move.map(|seconds| seconds * 1e3), 1),
        );
        let trouble = [
            (player.time_losses, "lost on time"),
            (player.stalled_losses, "lost on time in stalls"),
            (player.crashes, "crashes"),
            (player.hangs, "hangs"),
            (player.illegal_moves, "illegal moves"),
            (player.protocol_notes, "departures from the protocol"),
        ];
        let trouble: Vec<String> =
            trouble.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
        line.push_str(if trouble.is_empty() { "none" } else { "" });
        line.push_str(&trouble.join(", "));
        lines.push(line);
    }
    lines
}

fn machine_line(report: &MatchReport) -> String {
    let mut line = format!("{} games in {:.1} s", report.played_now, report.seconds);
    if report.resumed > 0 {
        let _ = write!(line, " ({} more from before)", report.resumed);
    }
    if report.left_out > 0 {
        let _ = write!(line, "; {} games played in advance do not count", report.left_out);
    }
    if let Some(forwarding) = report.forwarding {
        let _ = write!(
            line,
            "; moves forwarded in {:.2} ms (median), {:.2} ms (99 %), {:.1} ms (longest)",
            forwarding.median * 1e3,
            forwarding.percentile_99 * 1e3,
            forwarding.longest * 1e3
        );
    }
    let _ = write!(line, "; margin {:.0} ms", report.margin * 1e3);
    if let Some(load) = report.manager_load {
        let _ = write!(line, "; manager used {:.2} % of a core", load * 100.0);
    }
    let _ = match report.stalls {
        0 => write!(line, "; no stalls"),
        stalls => write!(
            line,
            "; {stalls} stalls of the machine ({:.2} s, longest {:.0} ms), {} games played again for them",
            report.stalled_seconds,
            report.longest_stall * 1e3,
            report.replayed
        ),
    };
    line
}
