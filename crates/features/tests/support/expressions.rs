//! Random feature sets. The generator of numbers stands beside this module, wherever a test puts it.

use super::random_games::SplitMix;

/// A random set with a view: sums of products of attributes, sometimes pairs, tables or a factoriser. What stands behind `^` goes to the
/// end of the sum, so that the text behind it is a set of its own.
pub(crate) fn random_expression(random: &mut SplitMix) -> String {
    let terms = 1 + random.below(3);
    let mut parts = Vec::new();
    for _ in 0..terms {
        parts.push(random_term(random));
    }
    let options = ["", ", rotated", ", king_on_efgh", ", king_on_abcd", ", rotated, king_on_abcd"];
    let factor = random_factor(random, &parts).map(|factor| format!(" ^ {factor}")).unwrap_or_default();
    format!("half({}{factor}{})", parts.join(" + "), options[random.below(options.len())])
}

/// For some sets, a product or two that can be read off one of the parts: attributes are left out, squares made coarser.
fn random_factor(random: &mut SplitMix, parts: &[String]) -> Option<String> {
    let product = parts.iter().find(|part| part.contains("piece.") && !part.contains(['(', '[', '+']))?;
    let attributes: Vec<&str> = product.split(" * ").filter(|attribute| attribute.starts_with("piece.")).collect();
    let products: Vec<String> = (0..random.below(3)).map(|_| coarser_product(random, &attributes)).collect();
    (!products.is_empty()).then(|| products.join(" + "))
}

fn coarser_product(random: &mut SplitMix, attributes: &[&str]) -> String {
    let mut chosen: Vec<&str> = attributes.iter().copied().filter(|_| random.below(2) == 0).collect();
    if chosen.is_empty() {
        chosen.push(attributes[random.below(attributes.len())]);
    }
    let coarser = ["piece.square", "piece.file", "piece.rank", "piece.diagonal"];
    for attribute in chosen.iter_mut().filter(|attribute| **attribute == "piece.square") {
        *attribute = coarser[random.below(coarser.len())];
    }
    chosen.join(" * ")
}

fn random_term(random: &mut SplitMix) -> String {
    match random.below(8) {
        0 => {
            let filters = [
                "",
                ", attacks",
                ", pawns, adjacent",
                ", attacks, enemies",
                ", friends, same_file",
                ", pawns, distant",
            ];
            let filter = filters[random.below(filters.len())];
            let inner = format!("{} * {}", random_product(random, "first", 2), random_product(random, "second", 2));
            let pairs = format!("pairs({inner}{filter})");
            if random.below(2) == 0 { format!("live({pairs})") } else { pairs }
        }
        1 => "move.square * move.target".to_owned(),
        2 => {
            format!("king.bucket[0 1 1 0 / 2 2 1 3] * ({} + dead(3) + kings.square)", random_product(random, "any", 3))
        }
        3 => "top(any.square * any.role * any.color, [700 3 17 222 500 501 502 64 65 66])".to_owned(),
        4 => "king.file * king.rank".to_owned(),
        5 => format!("king.file * {}", random_product(random, "piece", 3)),
        6 => format!("({} + {})", random_product(random, "pawn", 1), random_product(random, "enemy_king", 1)),
        _ => random_product(random, "piece", 3),
    }
}

fn random_product(random: &mut SplitMix, thing: &str, most: usize) -> String {
    let mut properties = vec!["square", "file", "rank", "diagonal", "antidiagonal"];
    if matches!(thing, "piece" | "any" | "first" | "second") {
        properties.extend(["role", "color", "relative_file", "relative_rank"]);
    }
    let count = 1 + random.below(most);
    let chosen: Vec<String> =
        (0..count).map(|_| format!("{thing}.{}", properties[random.below(properties.len())])).collect();
    chosen.join(" * ")
}
