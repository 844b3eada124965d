//! Numeric annotation glyphs: `!`, `?!`, `$14`.

use std::fmt;

/// A numeric annotation glyph.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Nag(pub u16);

impl Nag {
    /// `!`
    pub const GOOD_MOVE: Self = Self(1);
    /// `?`
    pub const MISTAKE: Self = Self(2);
    /// `!!`
    pub const BRILLIANT_MOVE: Self = Self(3);
    /// `??`
    pub const BLUNDER: Self = Self(4);
    /// `!?`
    pub const INTERESTING_MOVE: Self = Self(5);
    /// `?!`
    pub const DUBIOUS_MOVE: Self = Self(6);

    /// The glyph a text sign stands for: what people and programs write instead of a number.
    #[must_use]
    pub fn from_sign(sign: &str) -> Option<Self> {
        Some(Self(match sign {
            "!" => 1,
            "?" => 2,
            "!!" => 3,
            "??" => 4,
            "!?" => 5,
            "?!" => 6,
            "□" => 7,
            "=" => 10,
            "∞" | "~" => 13,
            "+=" | "+/=" | "⩲" => 14,
            "=+" | "=/+" | "⩱" => 15,
            "+/-" | "±" => 16,
            "-/+" | "∓" => 17,
            "+-" | "+−" | "+–" => 18,
            "-+" | "−+" | "–+" => 19,
            "N" => 146,
            _ => return None,
        }))
    }
}

impl fmt::Display for Nag {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "${}", self.0)
    }
}
