//! Facts as sentences.

use kiebitz_chess::Color;
use kiebitz_messages::{Evidence, LineMove, ScoreView, Sentence};

/// Plies of a line that a sentence quotes; all of it is in the evidence.
const QUOTED_PLIES: usize = 5;
/// What stands behind the name of a piece that the move took.
pub(super) const TAKEN: &str = " taken";

/// Says a fact about a move of `mover`.
#[must_use]
pub fn of(played: &LineMove, mover: Color, evidence: Evidence) -> Sentence {
    let text = text(&played.san, mover, &evidence);
    Sentence { text, evidence }
}

fn text(san: &str, mover: Color, evidence: &Evidence) -> String {
    let (us, them) = (name(mover), name(!mover));
    match evidence {
        Evidence::OnlyMove { .. } => format!("{san} is the only legal move."),
        Evidence::GameOver { ending } => format!("{san} ends the game: {ending}."),
        Evidence::Mate { moves, .. } if *moves > 0 => format!("{san} forces mate in {moves}."),
        Evidence::Mate { moves, .. } => format!("After {san} {us} is mated in {}.", moves.unsigned_abs()),
        Evidence::MainLine { searched } => format!(
            "Looking {} half-moves ahead, {san} leads to {} ({}): {}",
            searched.depth,
            in_words(searched.score),
            number(searched.score),
            quoted(&searched.line)
        ),
        Evidence::Material { pawns, won, given, .. } => material(us, *pawns, won, given),
        Evidence::Threat { line, mate: Some(moves), .. } => {
            format!("It threatens {}: if {them} passed, that would be mate in {moves}.", first(line))
        }
        Evidence::Threat { line, won, given, .. } => {
            format!("It threatens {}: if {them} passed, that would win {}.", first(line), exchanged(won, given))
        }
        Evidence::Averted { line, mate: Some(moves), .. } => {
            format!("It stops {}, with which {them} would mate in {moves} if {us} passed.", first(line))
        }
        Evidence::Averted { line, won, given, .. } => {
            format!("It meets {}, with which {them} would win {} if {us} passed.", first(line), exchanged(won, given))
        }
        Evidence::Better { best, searched, loss_permille } => format!(
            "{} is better: {} instead of {}; {san} gives away {} % of a point.",
            best.played.san,
            number(best.score),
            number(searched.score),
            percent(*loss_permille)
        ),
        Evidence::Refutation { alternative, searched, why_natural, loss_permille } => {
            let reply = alternative.line.get(1).map_or_else(String::new, |reply| format!(" because of {}", reply.san));
            let natural = match why_natural.as_str() {
                "second choice" => String::new(),
                why => format!(", which {why},"),
            };
            format!(
                "{}{natural} is worse{reply}: {} instead of {}; it gives away {} % of a point.",
                alternative.played.san,
                number(alternative.score),
                number(searched.score),
                percent(*loss_permille)
            )
        }
        Evidence::Contribution { opponent, changes, before_centipawns, after_centipawns } => {
            let most = changes.first().map_or_else(String::new, |change| {
                let by = in_pawns(change.after_tenths - change.before_tenths, 1000);
                format!("; what changes most is the share of {}, by {by}", spelled(&change.name))
            });
            let whose = if opponent == "handcrafted" { "the hand-crafted evaluation" } else { "the network" };
            format!(
                "Before any search {whose} goes from {} to {} for White{most}.",
                in_pawns(*before_centipawns, 100),
                in_pawns(*after_centipawns, 100)
            )
        }
    }
}

const fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

fn material(us: &str, pawns: i32, won: &[String], given: &[String]) -> String {
    let verb = if pawns > 0 { "wins" } else { "gives" };
    let (main, other) = if pawns > 0 { (won, given) } else { (given, won) };
    format!("Along this line {us} {verb} {}.", exchanged(main, other))
}

/// `a rook`, or `a rook for a knight`.
fn exchanged(main: &[String], other: &[String]) -> String {
    if other.is_empty() { listed(main) } else { format!("{} for {}", listed(main), listed(other)) }
}

/// `a knight and two pawns`.
fn listed(names: &[String]) -> String {
    let mut parts: Vec<(String, usize)> = Vec::new();
    for name in names {
        match parts.last_mut() {
            Some((known, count)) if known == name => *count += 1,
            _ => parts.push((name.clone(), 1)),
        }
    }
    let words: Vec<String> = parts
        .into_iter()
        .map(|(name, count)| match count {
            1 => format!("a {name}"),
            2 => format!("two {name}s"),
            3 => format!("three {name}s"),
            _ => format!("{count} {name}s"),
        })
        .collect();
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        Some((last, _)) => last.clone(),
        None => "nothing".to_owned(),
    }
}

/// `N f3` as `the white knight on f3`, `n f6 taken` as `the black knight that was taken on f6`; names of terms stay.
fn spelled(name: &str) -> String {
    let Some((piece, rest)) = name.split_once(' ') else { return name.to_owned() };
    let kind = match piece.to_ascii_lowercase().as_str() {
        "p" => "pawn",
        "n" => "knight",
        "b" => "bishop",
        "r" => "rook",
        "q" => "queen",
        "k" => "king",
        _ => return name.to_owned(),
    };
    let color = if piece.chars().all(char::is_uppercase) { "white" } else { "black" };
    match rest.strip_suffix(TAKEN) {
        Some(square) => format!("the {color} {kind} that was taken on {square}"),
        None => format!("the {color} {kind} on {rest}"),
    }
}

fn first(line: &[LineMove]) -> String {
    line.first().map_or_else(|| "nothing".to_owned(), |mv| mv.san.clone())
}

/// The beginning of a line, at the end of a sentence.
fn quoted(line: &[LineMove]) -> String {
    let sans: Vec<&str> = line.iter().take(QUOTED_PLIES).map(|mv| mv.san.as_str()).collect();
    let more = if line.len() > QUOTED_PLIES { " …" } else { "." };
    format!("{}{more}", sans.join(" "))
}

/// `+0.35` or `#-3`, as White sees it.
fn number(score: ScoreView) -> String {
    match score {
        ScoreView::Centipawns(value) => in_pawns(value, 100),
        ScoreView::Mate(moves) => format!("#{moves}").replace('-', "−"),
    }
}

/// Pawns with a sign, as the page writes them everywhere; `unit` of the value are a pawn.
fn in_pawns(value: i32, unit: i32) -> String {
    let pawns = format!("{:+.2}", f64::from(value) / f64::from(unit));
    if pawns.ends_with("0.00") { "0.00".to_owned() } else { pawns.replace('-', "−") }
}

fn percent(permille: u32) -> u32 {
    permille.div_ceil(10)
}

/// How good a position is, in words.
fn in_words(score: ScoreView) -> String {
    let (size, side) = match score {
        ScoreView::Mate(moves) if moves > 0 => return "a win for White".to_owned(),
        ScoreView::Mate(_) => return "a win for Black".to_owned(),
        ScoreView::Centipawns(value) => (value.abs(), if value > 0 { "White" } else { "Black" }),
    };
    match size {
        0..=30 => "an even position".to_owned(),
        31..=80 => format!("a position slightly better for {side}"),
        81..=200 => format!("a better position for {side}"),
        _ => format!("a winning position for {side}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mv(san: &str) -> LineMove {
        LineMove { uci: String::new(), san: san.to_owned() }
    }

    #[test]
    fn sentences_say_what_the_fact_says() {
        let say = |evidence| of(&mv("Nf3"), Color::White, evidence).text;
        assert_eq!(say(Evidence::Mate { moves: 3, line: vec![] }), "Nf3 forces mate in 3.");
        assert_eq!(say(Evidence::Mate { moves: -2, line: vec![] }), "After Nf3 White is mated in 2.");
        let won = vec!["knight".to_owned(), "pawn".to_owned(), "pawn".to_owned()];
        let fact = Evidence::Material { pawns: 2, won, given: vec!["bishop".into()], moves: vec![], line: vec![] };
        assert_eq!(say(fact), "Along this line White wins a knight and two pawns for a bishop.");
        let none = Vec::new;
        let line = vec![mv("Qxf7#")];
        let fact = Evidence::Threat { line, gain_centipawns: 0, mate: Some(1), won: none(), given: none() };
        assert_eq!(say(fact), "It threatens Qxf7#: if Black passed, that would be mate in 1.");
        let (won, given) = (vec!["rook".to_owned()], vec!["bishop".to_owned()]);
        let fact = Evidence::Averted { line: vec![mv("Bxa1")], gain_centipawns: 200, mate: None, won, given };
        assert_eq!(say(fact), "It meets Bxa1, with which Black would win a rook for a bishop if White passed.");
        assert_eq!(quoted(&[mv("e4"), mv("e5")]), "e4 e5.");
        assert_eq!(quoted(&vec![mv("e4"); 6]), "e4 e4 e4 e4 e4 …");
        assert_eq!(spelled("n d4"), "the black knight on d4");
        assert_eq!(spelled("P d4 taken"), "the white pawn that was taken on d4");
        assert_eq!(
            (in_pawns(-144, 100), in_pawns(-4, 1000), in_pawns(1250, 1000)),
            ("−1.44".into(), "0.00".into(), "+1.25".into())
        );
        assert_eq!(spelled("king safety"), "king safety");
    }
}
