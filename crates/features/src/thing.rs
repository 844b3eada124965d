//! What an attribute speaks of.

use std::fmt;

/// A thing on the board that attributes are asked of, as one view sees it.
///
/// Most things *range*: the product in which they stand has one feature for each of them that stands on the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Thing {
    /// The king of the view's own side. It does not range: it is the context of the other things, and a move
    /// of it may call for a refresh.
    King,
    /// The other side's king.
    EnemyKing,
    /// Both kings.
    Kings,
    /// Every pawn.
    Pawn,
    /// Every piece but the kings, pawns included.
    Piece,
    /// Every piece, kings included.
    Any,
    /// Every way in which a piece of either side could go: no legality is asked, no castling, no en passant.
    Move,
    /// The first of a pair of pieces.
    First,
    /// The second of a pair of pieces.
    Second,
}

impl Thing {
    /// All of them, in the order of the documentation.
    pub const ALL: [Self; 9] = [
        Self::King,
        Self::EnemyKing,
        Self::Kings,
        Self::Pawn,
        Self::Piece,
        Self::Any,
        Self::Move,
        Self::First,
        Self::Second,
    ];

    /// The word used in expressions.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::King => "king",
            Self::EnemyKing => "enemy_king",
            Self::Kings => "kings",
            Self::Pawn => "pawn",
            Self::Piece => "piece",
            Self::Any => "any",
            Self::Move => "move",
            Self::First => "first",
            Self::Second => "second",
        }
    }

    /// The thing that a word stands for.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|thing| thing.word() == word)
    }

    /// How many kinds of pieces the thing can be.
    pub(crate) const fn roles(self) -> u32 {
        match self {
            Self::King | Self::EnemyKing | Self::Kings | Self::Pawn => 1,
            Self::Piece => 5,
            Self::Any | Self::Move | Self::First | Self::Second => 6,
        }
    }

    /// How many colors the thing can have.
    pub(crate) const fn colors(self) -> u32 {
        match self {
            Self::King | Self::EnemyKing => 1,
            _ => 2,
        }
    }

    pub(crate) const fn is_of_pair(self) -> bool {
        matches!(self, Self::First | Self::Second)
    }
}

impl fmt::Display for Thing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.word())
    }
}
