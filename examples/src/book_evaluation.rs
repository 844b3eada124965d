//! Rung 1: what a position is worth at a glance.
//!
//! Pieces are counted, and each counts a little more in the center and a little less at the rim. The numbers are
//! those of a textbook, so that its results can be repeated. Nothing is calculated ahead: a queen about to be taken
//! counts in full, and so does a king about to be mated. Looking ahead is what the next rungs are for.

use kiebitz_chess::{Color, PieceKind, Position, Score, Square};

/// What a piece counts for wherever it stands, in centipawns. Both sides always have their king, so it counts nothing.
///
/// A bishop is ten points better than a knight, so that the pair of bishops is kept; two rooks beat a queen.
pub const PIECE_VALUES: [i32; PieceKind::COUNT] = [100, 310, 320, 500, 900, 0];

/// What a piece gains or loses by its square, in centipawns; the king excepted.
///
/// **A row is a file here, and a column a rank**: the book's figure prints rows as ranks, but its program looks up
/// `[file][rank]`, which turns the board by a quarter. We do as the program does, because the published results are
/// its results. A happy accident follows: read this way, the table does not change when the board is turned upside
/// down, so both sides can share it and the evaluation is fair.
#[rustfmt::skip]
pub const PLACEMENT_VALUES: [[i32; 8]; 8] = [
    [-50, -40, -30, -30, -30, -30, -40, -50], // a1 … a8
    [-40, -20,   0,   0,   0,   0, -20, -40],
    [-30,   0,  10,  15,  15,  10,   0, -30],
    [-30,   5,  15,  20,  20,  15,   5, -30], // d1 … d8
    [-30,   0,  15,  20,  20,  15,   0, -30], // e1 … e8
    [-30,   5,  10,  15,  15,  10,   5, -30],
    [-40, -20,   0,   5,   5,   0, -20, -40],
    [-50, -40, -30, -30, -30, -30, -40, -50], // h1 … h8
];

/// The worth of one piece on its square.
#[must_use]
pub fn piece_worth(kind: PieceKind, square: Square) -> i32 {
    match kind {
        PieceKind::King => 0,
        _ => PIECE_VALUES[kind.index()] + PLACEMENT_VALUES[square.file().index()][square.rank().index()],
    }
}

/// All that one side has on the board.
#[must_use]
pub fn side_worth(position: &Position, color: Color) -> i32 {
    position
        .board()
        .color(color)
        .into_iter()
        .filter_map(|square| {
            let kind = position.board().kind_at(square)?;
            Some(piece_worth(kind, square))
        })
        .sum()
}

/// White's worth minus Black's: positive when White is better, whoever is to move.
///
/// ```
/// use kiebitz_chess::{Position, Score};
/// use kiebitz_examples::{MATE_IN_ONE, book_evaluation::evaluate};
///
/// // Black's pieces stand better, so the glance prefers Black. It cannot see that White mates in one.
/// let position: Position = MATE_IN_ONE.parse()?;
/// assert_eq!(evaluate(&position), Score::centipawns(-55));
/// # Ok::<(), kiebitz_chess::FenError>(())
/// ```
#[must_use]
pub fn evaluate(position: &Position) -> Score {
    Score::centipawns(side_worth(position, Color::White) - side_worth(position, Color::Black))
}

/// Turns a score from White's view into `color`'s view, and back.
#[must_use]
pub fn seen_by(color: Color, score: Score) -> Score {
    match color {
        Color::White => score,
        Color::Black => -score,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MATE_IN_ONE;

    #[test]
    fn the_book_prefers_black_by_55() {
        let position: Position = MATE_IN_ONE.parse().unwrap();
        assert_eq!(evaluate(&position).value(), -55);
        assert_eq!(seen_by(Color::Black, evaluate(&position)).value(), 55);
    }

    #[test]
    fn a_knight_in_the_center_counts_twenty_more() {
        assert_eq!(piece_worth(PieceKind::Knight, Square::E4), 330);
        assert_eq!(piece_worth(PieceKind::King, Square::E4), 0);
    }

    #[test]
    fn both_sides_are_treated_alike() {
        assert_eq!(evaluate(&Position::default()), Score::DRAW);
        for row in PLACEMENT_VALUES {
            let mut upside_down = row;
            upside_down.reverse();
            assert_eq!(row, upside_down);
        }
    }
}
