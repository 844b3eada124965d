//! Which rules a game was played by.

/// Ways to name chess itself in a `Variant` tag, in lower case without blanks and signs.
const CHESS: [&str; 8] = ["", "standard", "chess", "standardchess", "normal", "classical", "orthodox", "fromposition"];

/// Ways to name Chess960.
const CHESS960: [&str; 10] = [
    "chess960",
    "960",
    "fischerandom",
    "fischerrandom",
    "fischerrandomchess",
    "fischerrandomchess960",
    "fischerandomchess",
    "frc",
    "dfrc",
    "freestyle",
];

fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether the value of a `Variant` tag names rules we know: chess and Chess960.
pub(crate) fn is_supported(name: &str) -> bool {
    CHESS.contains(&plain(name).as_str()) || is_chess960(name)
}

/// Whether the value of a `Variant` tag names Chess960.
pub(crate) fn is_chess960(name: &str) -> bool {
    CHESS960.contains(&plain(name).as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_chess() {
        for name in ["Standard", "From Position", "chess 960", "Chess960", "fischerandom", "Fischer Random", "?", "-"] {
            assert!(is_supported(name), "{name}");
        }
        for name in ["Antichess", "Crazyhouse", "Three-check", "King of the Hill", "Atomic"] {
            assert!(!is_supported(name), "{name}");
        }
    }
}
