//! How a side sees the board: whose pieces are its own, and how squares are turned.

use std::fmt;

use kiebitz_chess::{Color, Square};

/// How the board is turned for Black, so that the own side always plays upwards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Turn {
    /// Ranks are swapped: a1 becomes a8. Kings keep their wing.
    #[default]
    Flipped,
    /// The board is rotated: a1 becomes h8. Stockfish 12 and 13 did this.
    Rotated,
}

/// Whether the board is mirrored so that the own king always stands on one wing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Mirror {
    /// It is not.
    #[default]
    Never,
    /// The own king comes to stand on the files e to h.
    KingOnEfgh,
    /// The own king comes to stand on the files a to d.
    KingOnAbcd,
}

/// How both sides look at the board in a set written `half(…)`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Half {
    /// How Black's view is turned.
    pub turn: Turn,
    /// Whether views are mirrored by the own king's wing.
    pub mirror: Mirror,
}

impl Half {
    /// What a square's number is combined with (exclusive or) to get the view's square.
    #[inline]
    #[must_use]
    pub fn mask(self, perspective: Color, own_king: Square) -> u8 {
        let turn = match (perspective, self.turn) {
            (Color::White, _) => 0,
            (Color::Black, Turn::Flipped) => 56,
            (Color::Black, Turn::Rotated) => 63,
        };
        let on_left = (own_king as u8 ^ turn) & 4 == 0;
        let mirrors = match self.mirror {
            Mirror::Never => false,
            Mirror::KingOnEfgh => on_left,
            Mirror::KingOnAbcd => !on_left,
        };
        if mirrors { turn ^ 7 } else { turn }
    }

    /// Whether the own king can stand on a square of the view.
    pub(crate) fn admits_king(self, square: u8) -> bool {
        match self.mirror {
            Mirror::Never => true,
            Mirror::KingOnEfgh => square & 4 != 0,
            Mirror::KingOnAbcd => square & 4 == 0,
        }
    }
}

/// The options behind the expression, each with a comma in front.
impl fmt::Display for Half {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.turn == Turn::Rotated {
            write!(formatter, ", {ROTATED}")?;
        }
        match self.mirror {
            Mirror::Never => Ok(()),
            Mirror::KingOnEfgh => write!(formatter, ", {KING_ON_EFGH}"),
            Mirror::KingOnAbcd => write!(formatter, ", {KING_ON_ABCD}"),
        }
    }
}

/// The words for the options, as the parser and the printer know them.
pub(crate) const ROTATED: &str = "rotated";
pub(crate) const KING_ON_EFGH: &str = "king_on_efgh";
pub(crate) const KING_ON_ABCD: &str = "king_on_abcd";
