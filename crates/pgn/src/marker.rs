//! Game termination markers: an outcome, or `*` for none.

use kiebitz_chess::{Color, Outcome};

/// Reads a marker or the value of a `Result` tag, with whatever dash and half sign it was written; `None` if it is no
/// marker, `Some(None)` for `*`.
pub(crate) fn read(text: &str) -> Option<Option<Outcome>> {
    Some(match text.trim() {
        "1-0" | "1–0" | "1—0" => Some(Outcome::Win(Color::White)),
        "0-1" | "0–1" | "0—1" => Some(Outcome::Win(Color::Black)),
        "1/2-1/2" | "1/2–1/2" | "1/2—1/2" | "1/2" | "½-½" | "½–½" | "½—½" | "½" => Some(Outcome::Draw),
        "*" => None,
        _ => return None,
    })
}

/// The marker as the PGN standard writes it.
pub(crate) fn write(outcome: Option<Outcome>) -> String {
    outcome.map_or_else(|| "*".to_owned(), |outcome| outcome.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_round_trip() {
        let decided = [Outcome::Win(Color::White), Outcome::Win(Color::Black), Outcome::Draw].map(Some);
        for outcome in decided.into_iter().chain([None]) {
            assert_eq!(read(&write(outcome)), Some(outcome));
        }
        assert_eq!(read("1–0"), Some(Some(Outcome::Win(Color::White))));
        assert_eq!(read("2-0"), None);
    }
}
