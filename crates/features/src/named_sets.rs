//! Feature sets that have a name, and words that stand for a part of an expression.

/// A set that can be asked for by name.
#[derive(Clone, Copy, Debug)]
pub struct NamedSet {
    /// The name.
    pub name: &'static str,
    /// What it stands for.
    pub text: &'static str,
    /// One sentence about it.
    pub about: &'static str,
}

/// Every named set.
pub const NAMED_SETS: &[NamedSet] = &[
    NamedSet {
        name: "piece768",
        text: "half(any.square * any.role * any.color)",
        about: "Every piece on its square: the most natural encoding.",
    },
    NamedSet {
        name: "compact192",
        text: "half(any.file * any.role * any.color + any.rank * any.role * any.color)",
        about: "Files and ranks apart: the smallest set that still tells most positions from each other.",
    },
    NamedSet {
        name: "halfkp",
        text: "half(king_square * piece_square)",
        about: "Own king times every other piece: the set that made incremental networks famous.",
    },
    NamedSet {
        name: "halfkp_stockfish",
        text: "half(king.square * (dead(1) + piece.role * piece.color * piece.square), rotated)",
        about: "HalfKP as Stockfish 12 and 13 number it: rotated for Black, one dead index a king square.",
    },
    NamedSet {
        name: "halfkav2_hm",
        text: "half(king.bucket[28 29 30 31 / 24 25 26 27 / 20 21 22 23 / 16 17 18 19 / 12 13 14 15 / 8 9 10 11 \
               / 4 5 6 7 / 0 1 2 3] * (piece.role * piece.color * piece.square + kings.square), king_on_efgh)",
        about: "Own king times every piece, kings merged, mirrored: Stockfish since version 15.",
    },
    NamedSet {
        name: "piece_move",
        text: "half(any_square + move.square * move.target)",
        about: "Every piece on its square, and every way from square to square; refreshing beats updating here.",
    },
    NamedSet {
        name: "half_relative_h",
        text: "half(piece.relative_file * piece.rank * piece.role * piece.color)",
        about: "Pieces by how many files they are away from the own king, and by rank.",
    },
    NamedSet {
        name: "half_relative_v",
        text: "half(piece.file * piece.relative_rank * piece.role * piece.color)",
        about: "Pieces by file, and by how many ranks they are away from the own king.",
    },
    NamedSet {
        name: "half_relative_hv",
        text: "half(piece.relative_file * piece.relative_rank * piece.role * piece.color)",
        about: "Pieces by their distance from the own king in files and ranks.",
    },
    NamedSet {
        name: "half_top_pp",
        text: concat!("half(top(pairs(pair_squares), [", include_str!("top_pairs.txt"), "]))"),
        about: "The 2048 pairs of pieces that occur most often in games; the table was counted by `features top`.",
    },
    NamedSet {
        name: "bullet768",
        text: "half(any.color * any.role * any.square)",
        about: "Every piece on its square, in the order the trainer bullet uses.",
    },
    NamedSet {
        name: "bucketed768",
        text: "half(king.bucket[0 1 2 3 / 4 4 5 5 / 6 6 7 7 / 8 8 8 8 / 9 9 9 9] \
               * any.color * any.role * any.square, king_on_abcd)",
        about: "Every piece on its square, ten regions of the own king, mirrored.",
    },
    NamedSet {
        name: "threats",
        text: "half(any.color * any.role * any.square + live(pairs(pair_squares, attacks)))",
        about: "Every piece on its square, and every piece that attacks or protects another one.",
    },
    NamedSet {
        name: "pawn_pairs",
        text: "half(any.color * any.role * any.square \
               + live(pairs(first.color * first.square * second.color * second.square, pawns, adjacent)))",
        about: "Every piece on its square, and pairs of pawns on the same or on neighbouring files.",
    },
];

/// Words that stand for a part of an expression.
pub(crate) const ABBREVIATIONS: [(&str, &str); 4] = [
    ("king_square", "king.square"),
    ("piece_square", "piece.square * piece.role * piece.color"),
    ("any_square", "any.square * any.role * any.color"),
    ("pair_squares", "first.square * first.role * first.color * second.square * second.role * second.color"),
];

pub(crate) fn abbreviation(word: &str) -> Option<&'static str> {
    ABBREVIATIONS.iter().find(|(name, _)| *name == word).map(|(_, text)| *text)
}

/// The set with a name.
#[must_use]
pub fn named_set(name: &str) -> Option<&'static NamedSet> {
    NAMED_SETS.iter().find(|set| set.name == name)
}
