//! One property of one thing: the letters of the algebra.

use std::fmt;
use std::sync::Arc;

use crate::Thing;

/// What is asked of a thing. Squares, files and ranks are those of the view: the own side plays upwards.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Property {
    /// Where it stands: 64 values, a1 first.
    Square,
    /// Its file: 8 values.
    File,
    /// Its rank: 8 values.
    Rank,
    /// Its diagonal, parallel to a1–h8: file − rank + 7, 15 values.
    Diagonal,
    /// Its antidiagonal, parallel to a8–h1: file + rank, 15 values.
    Antidiagonal,
    /// Pawn, knight, bishop, rook, queen and, where the thing can be one, king.
    Role,
    /// Own, then enemy; in sets without a view White, then Black.
    Color,
    /// File of the own king − file + 7: 15 values.
    RelativeFile,
    /// Rank of the own king − rank + 7: 15 values.
    RelativeRank,
    /// Where a move ends: 64 values.
    Target,
    /// The square's number in a table.
    Bucket(BucketTable),
}

/// A number for every square, so that squares may share one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct BucketTable {
    buckets: Arc<[u8; 64]>,
    count: u32,
}

impl BucketTable {
    /// A table from its 64 numbers, a1 first; the count of buckets is one more than the largest number.
    #[must_use]
    pub fn new(buckets: [u8; 64]) -> Self {
        let count = buckets.iter().map(|&bucket| u32::from(bucket) + 1).max().unwrap_or(1);
        Self { buckets: Arc::new(buckets), count }
    }

    /// How many buckets there are.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The bucket of a square, given as its number.
    #[must_use]
    pub fn bucket(&self, square: u8) -> u32 {
        u32::from(self.buckets[usize::from(square & 63)])
    }

    fn is_symmetric(&self) -> bool {
        (0..64).all(|square| self.buckets[square] == self.buckets[square ^ 7])
    }
}

/// `[0 1 2 3 / 4 5 6 7]`: ranks from the first one up, equal last ranks left out, the right half left out where
/// it mirrors the left one.
impl fmt::Display for BucketTable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = if self.is_symmetric() { 4 } else { 8 };
        let rank = |rank: usize| &self.buckets[8 * rank..8 * rank + 8];
        let ranks = (1..8).rev().find(|&upper| rank(upper) != rank(upper - 1)).map_or(1, |upper| upper + 1);
        let rows: Vec<String> =
            (0..ranks).map(|row| rank(row)[..width].iter().map(u8::to_string).collect::<Vec<_>>().join(" ")).collect();
        write!(formatter, "[{}]", rows.join(" / "))
    }
}

/// A property of a thing, such as `piece.square`: a set with a fixed number of values.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Attribute {
    /// Whom it is asked of.
    pub thing: Thing,
    /// What is asked.
    pub property: Property,
}

impl Attribute {
    /// How many values there are.
    #[must_use]
    pub fn size(&self) -> u32 {
        match &self.property {
            Property::Square | Property::Target => 64,
            Property::File | Property::Rank => 8,
            Property::Diagonal | Property::Antidiagonal | Property::RelativeFile | Property::RelativeRank => 15,
            Property::Role => self.thing.roles(),
            Property::Color => self.thing.colors(),
            Property::Bucket(table) => table.count(),
        }
    }

    /// Why this attribute distinguishes nothing, if so.
    pub(crate) fn objection(&self) -> Option<&'static str> {
        match self.property {
            Property::Role if self.thing.roles() == 1 => Some("it is always the same kind of piece"),
            Property::Color if self.thing.colors() == 1 => Some("it always has the same color"),
            Property::Target if self.thing != Thing::Move => Some("only a move has a target"),
            Property::RelativeFile | Property::RelativeRank if self.thing == Thing::King => {
                Some("it is the king that things are relative to")
            }
            _ => None,
        }
    }

    /// Whether the value depends on where the own king stands.
    pub(crate) fn depends_on_king(&self) -> bool {
        self.thing == Thing::King || matches!(self.property, Property::RelativeFile | Property::RelativeRank)
    }

    /// The value for what a product is bound to.
    #[inline]
    pub(crate) fn value(&self, binding: &Binding) -> u32 {
        let subject = match self.thing {
            Thing::King => &Subject { square: binding.king, color: 0, role: KING },
            Thing::Second => &binding.second,
            _ => &binding.first,
        };
        let (file, rank) = (u32::from(subject.square & 7), u32::from(subject.square >> 3));
        match &self.property {
            Property::Square => u32::from(subject.square),
            Property::File => file,
            Property::Rank => rank,
            Property::Diagonal => file + 7 - rank,
            Property::Antidiagonal => file + rank,
            Property::Role if self.size() == 1 => 0,
            Property::Role => u32::from(subject.role),
            Property::Color => u32::from(subject.color),
            Property::RelativeFile => u32::from(binding.king & 7) + 7 - file,
            Property::RelativeRank => u32::from(binding.king >> 3) + 7 - rank,
            Property::Target => u32::from(binding.target),
            Property::Bucket(table) => table.bucket(subject.square),
        }
    }

    /// This attribute's value, read off the value of another attribute of the same thing, where that is possible.
    pub(crate) fn value_from(&self, other: &Self, value: u32) -> Option<u32> {
        if self == other {
            return Some(value);
        }
        let reads_squares = matches!(
            self.property,
            Property::File | Property::Rank | Property::Diagonal | Property::Antidiagonal | Property::Bucket(_)
        );
        if self.thing != other.thing || other.property != Property::Square || !reads_squares {
            return None;
        }
        let subject = Subject { square: value as u8 & 63, color: 0, role: 0 };
        Some(self.value(&Binding { king: subject.square, first: subject, second: subject, target: 0 }))
    }
}

/// The number of the king among the kinds of pieces.
pub(crate) const KING: u8 = 5;

/// A piece as a view sees it: square turned, color 0 for the own side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Subject {
    pub(crate) square: u8,
    pub(crate) color: u8,
    pub(crate) role: u8,
}

/// What the things of a product stand for at the moment. Things that do not occur hold anything.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Binding {
    pub(crate) king: u8,
    pub(crate) first: Subject,
    pub(crate) second: Subject,
    pub(crate) target: u8,
}

impl Property {
    /// The properties that are written as a word alone.
    pub(crate) const PLAIN: [(&'static str, Self); 10] = [
        ("square", Self::Square),
        ("file", Self::File),
        ("rank", Self::Rank),
        ("diagonal", Self::Diagonal),
        ("antidiagonal", Self::Antidiagonal),
        ("role", Self::Role),
        ("color", Self::Color),
        ("relative_file", Self::RelativeFile),
        ("relative_rank", Self::RelativeRank),
        ("target", Self::Target),
    ];
}

impl fmt::Display for Property {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bucket(table) => write!(formatter, "bucket{table}"),
            plain => {
                let found = Self::PLAIN.iter().find(|(_, property)| property == plain);
                formatter.write_str(found.map_or("", |(word, _)| word))
            }
        }
    }
}

impl fmt::Display for Attribute {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}", self.thing, self.property)
    }
}
