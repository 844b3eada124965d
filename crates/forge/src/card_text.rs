//! A network's card for people, as Markdown.

use std::fmt::Write;

use crate::card::Card;

/// The card as a page of Markdown.
pub(crate) fn markdown(card: &Card) -> String {
    let mut text = format!("# {}\n\n", card.name);
    let data = &card.data;
    let sources: Vec<String> = data
        .sources
        .iter()
        .map(|source| format!("`{}` ({} bytes, CRC-32 {})", source.file, source.bytes, source.crc32))
        .collect();
    let beginnings: Vec<String> = card
        .begun_with
        .iter()
        .map(|run| {
            let teacher = if run.teacher.is_empty() { "unknown" } else { &run.teacher };
            format!("{} ({} positions, teacher: {teacher})", run.name, run.positions)
        })
        .collect();
    let loss = |loss: Option<f64>| loss.map_or_else(|| "–".to_owned(), |loss| format!("{loss:.6}"));
    let rows = [
        ("file", format!("`{}`, {} bytes, CRC-32 {}", card.file.file, card.file.bytes, card.file.crc32)),
        (
            "network",
            format!(
                "{}; {} parameters",
                card.network.split_whitespace().collect::<Vec<_>>().join(" "),
                card.parameters
            ),
        ),
        ("made by", card.made_by.clone()),
        ("seed", card.seed.to_string()),
        ("data", sources.join(", ")),
        ("games, samples", format!("{}, {}", data.games, data.samples)),
        ("teacher", format!("{} ({} samples labelled)", card.teacher, data.labelled)),
        ("begun with", beginnings.join("; ")),
        ("training, validation", format!("{} and {} samples, no game in both", data.train, data.validation)),
        ("positions seen", format!("{} on {}", card.losses.positions, card.losses.device)),
        ("training loss", loss(card.losses.train)),
        (
            "validation loss",
            format!(
                "{} with floats, {} quantised; at best {} with floats",
                loss(card.losses.validation),
                loss(card.losses.quantised_validation),
                loss(card.losses.best_validation)
            ),
        ),
    ];
    text.push_str("| | |\n|---|---|\n");
    // Most networks begin by chance.
    for (name, value) in rows.into_iter().filter(|(_, value)| !value.is_empty()) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "| {name} | {} |", value.replace('|', "\\|"));
    }
    text.push_str("\n## Certificate\n\n");
    let _ = writeln!(
        text,
        "All {} steps of its arithmetic are proved not to overflow in any position. In {} positions the fast evaluation equals the exact one.",
        card.proof.proved_steps, card.proof.compared_positions
    );
    if let Some(rounding) = &card.proof.rounding {
        let _ = writeln!(
            text,
            "Against its floats over {} positions: mean {:.2} centipawns, largest {:.2}, another best move in {:.1} %.",
            rounding.positions,
            rounding.mean_centipawns,
            rounding.largest_centipawns,
            100.0 * rounding.changed_best_moves
        );
    }
    let _ = writeln!(text, "\n## Matches ({})\n", if card.limit.is_empty() { "none played" } else { &card.limit });
    if !card.matches.is_empty() {
        text.push_str("| against | games | won | drawn | lost | Elo (95 %) |\n|---|---|---|---|---|---|\n");
    }
    for played in &card.matches {
        let elo = played.elo_text();
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {elo} |",
            played.opponent, played.games, played.wins, played.draws, played.losses
        );
    }
    text.push_str("\n## Time\n\n");
    let times: Vec<String> = card.seconds.iter().map(|(stage, seconds)| format!("{stage} {seconds:.0} s")).collect();
    let _ = writeln!(text, "{}.", times.join(", "));
    text
}
