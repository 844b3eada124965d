//! From what a person typed to a move, or to a sentence that helps.

use kiebitz_chess::{Color, Move, Position, San, SanError, UciMoveError};

/// A move as in a score sheet or by its squares; otherwise a sentence why not.
///
/// What was typed counts as it stands. Only if that is no legal move, case and spaces are forgiven: `nf3`, `E2 E4` and
/// `o-o` are clear enough, while `bxc3` stays a pawn's move for as long as a pawn can make it.
pub(crate) fn read_move(position: &Position, text: &str) -> Result<Move, String> {
    let typed = position.parse_san(text);
    if let Some(mv) = spellings(text).iter().find_map(|spelling| understood(position, spelling)) {
        return Ok(mv);
    }
    if let Some(mv) = promotion_meant(position, text) {
        return Err(format!("Say what the pawn becomes, for example {}.", position.san(mv)));
    }
    Err(match typed {
        Err(SanError::Ambiguous(San::Normal { kind, to, .. })) => {
            let candidates = position.legal_moves().into_iter().filter(|mv| {
                mv.to() == to && mv.castling().is_none() && position.board().kind_at(mv.from()) == Some(kind)
            });
            let names: Vec<String> = candidates.map(|mv| position.san(mv).to_string()).collect();
            format!("Which one do you mean: {}?", names.join(" or "))
        }
        _ if looks_like_a_move(position, text) && position.is_check() => {
            format!("{text} is not legal: {} is in check. (`moves` lists what is)", side(position))
        }
        _ if looks_like_a_move(position, text) => format!("{text} is not legal here. (`moves` lists what is)"),
        _ => format!("I do not understand {:?}. Type a move such as e4, Nf3 or g1f3, or `help`.", shortened(text)),
    })
}

/// Enough of a text to recognise it by.
fn shortened(text: &str) -> String {
    text.chars().take(24).collect()
}

/// The text as typed, and then as it may have been meant.
fn spellings(text: &str) -> [String; 4] {
    let joined: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
    let lower = joined.to_lowercase();
    // A promotion keeps its capital: `e8=Q`.
    let (step, promotion) = lower.split_once('=').map_or((lower.as_str(), None), |(step, kind)| (step, Some(kind)));
    let suffix = promotion.map_or_else(String::new, |kind| format!("={}", kind.to_uppercase()));
    let mut letters = step.chars();
    let capitalized: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
    [joined.clone(), format!("{step}{suffix}"), format!("{capitalized}{suffix}"), joined.to_uppercase()]
}

fn understood(position: &Position, spelling: &str) -> Option<Move> {
    position.parse_uci(spelling).ok().or_else(|| position.parse_san(spelling).ok())
}

/// The promotion to a queen, if only the word about the queen is missing.
fn promotion_meant(position: &Position, text: &str) -> Option<Move> {
    let longer = spellings(text).into_iter().flat_map(|spelling| [format!("{spelling}q"), format!("{spelling}=Q")]);
    longer.filter_map(|spelling| understood(position, &spelling)).find(|mv| mv.is_promotion())
}

/// Whether the text is a move of some position, if not of this one.
fn looks_like_a_move(position: &Position, text: &str) -> bool {
    spellings(text).iter().any(|spelling| {
        !matches!(position.parse_san(spelling), Err(SanError::Syntax(_)))
            || !matches!(position.parse_uci(spelling), Err(UciMoveError::Syntax(_)))
    })
}

/// The name of the side to move, as a sentence begins.
pub(crate) fn side(position: &Position) -> &'static str {
    capitalized(position.side_to_move())
}

/// The name of a side, as a sentence begins.
pub(crate) fn capitalized(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const CASTLING: &str = "r3k2r/8/8/8/8/2p5/1P1B4/R3K2R w KQkq - 0 1";
    const PROMOTION: &str = "3n4/2P5/8/k7/8/8/8/K7 w - - 0 1";

    fn read(fen: &str, text: &str) -> Result<String, String> {
        let position: Position = fen.parse().expect("a legal position");
        read_move(&position, text).map(|mv| position.san(mv).to_string())
    }

    #[test]
    fn moves_are_read_as_people_type_them() {
        for (fen, text, san) in [
            (START, "Nf3", "Nf3"),
            (START, "nf3", "Nf3"),
            (START, "g1f3", "Nf3"),
            (START, "G1 F3", "Nf3"),
            (START, "E4", "e4"),
            (START, "e2-e4", "e4"),
            (CASTLING, "o-o", "O-O"),
            (CASTLING, "0-0-0", "O-O-O"),
            (CASTLING, "e1g1", "O-O"),
            (CASTLING, "bxc3", "bxc3"),
            (CASTLING, "Bxc3", "Bxc3"),
            (CASTLING, "bc1", "Bc1"),
            (PROMOTION, "c8=Q", "c8=Q"),
            (PROMOTION, "c8=n", "c8=N"),
            (PROMOTION, "c7d8R", "cxd8=R"),
            (PROMOTION, "cxd8=b", "cxd8=B+"),
        ] {
            assert_eq!(read(fen, text).as_deref(), Ok(san), "{text}");
        }
    }

    #[test]
    fn mistakes_are_explained() {
        let error = |fen, text| read(fen, text).expect_err("no move");
        assert!(error(START, "hello").starts_with("I do not understand \"hello\""));
        assert!(error(START, "\u{fffd}").starts_with("I do not understand"));
        assert!(error(START, "Ke2").starts_with("Ke2 is not legal here."));
        assert!(error(START, "e2e5").starts_with("e2e5 is not legal here."));
        assert!(error("4k3/8/8/8/4r3/8/8/4K2R w K - 0 1", "Rh2").contains("White is in check"));
        assert_eq!(error("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "Nd2"), "Which one do you mean: Nbd2 or Nfd2?");
        assert_eq!(error(PROMOTION, "c8"), "Say what the pawn becomes, for example c8=Q.");
        assert_eq!(error(PROMOTION, "c7c8"), "Say what the pawn becomes, for example c8=Q.");
    }
}
