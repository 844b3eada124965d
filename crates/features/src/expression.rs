//! The expression itself, and its canonical text.

use std::fmt;

use crate::Attribute;

/// A part of a feature set, before anything is computed from it.
///
/// Sums and products are flat and have at least two members; this is what makes equal expressions print equally.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expression {
    /// One attribute.
    Attribute(Attribute),
    /// Indices that are never active; they keep a foreign numbering.
    Dead(u32),
    /// All combinations of the members' values; the first member changes slowest.
    Product(Vec<Expression>),
    /// The members one after another.
    Sum(Vec<Expression>),
    /// A sum of products over pairs of pieces that pass all filters.
    Pairs(Box<Expression>, Vec<PairFilter>),
    /// The inner set without its dead features, numbered anew.
    Live(Box<Expression>),
    /// The listed features of the inner set, in the order of the list.
    Top(Box<Expression>, Vec<u32>),
}

/// Which pairs of pieces count. Without [`PairFilter::Attacks`] a pair counts once, with the lower square first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PairFilter {
    /// The first piece attacks (or protects) the second; both orders count.
    Attacks,
    /// Both are pawns.
    Pawns,
    /// They stand on the same or on neighbouring files.
    Adjacent,
    /// They stand on the same file.
    SameFile,
    /// They belong to one side.
    Friends,
    /// They belong to different sides.
    Enemies,
    /// They stand on files that are neither the same nor neighbours.
    Distant,
}

impl PairFilter {
    /// All of them, in canonical order.
    pub const ALL: [Self; 7] =
        [Self::Attacks, Self::Pawns, Self::Adjacent, Self::SameFile, Self::Friends, Self::Enemies, Self::Distant];

    /// The word used in expressions.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Attacks => "attacks",
            Self::Pawns => "pawns",
            Self::Adjacent => "adjacent",
            Self::SameFile => "same_file",
            Self::Friends => "friends",
            Self::Enemies => "enemies",
            Self::Distant => "distant",
        }
    }
}

impl Expression {
    /// A product of factors, flat.
    pub(crate) fn product(factors: Vec<Self>) -> Self {
        let flat = factors.into_iter().flat_map(|factor| match factor {
            Self::Product(inner) => inner,
            other => vec![other],
        });
        Self::one_or(flat.collect(), Self::Product)
    }

    /// A sum of terms, flat.
    pub(crate) fn sum(terms: Vec<Self>) -> Self {
        let flat = terms.into_iter().flat_map(|term| match term {
            Self::Sum(inner) => inner,
            other => vec![other],
        });
        Self::one_or(flat.collect(), Self::Sum)
    }

    fn one_or(mut members: Vec<Self>, several: impl FnOnce(Vec<Self>) -> Self) -> Self {
        match members.pop() {
            Some(only) if members.is_empty() => only,
            last => {
                members.extend(last);
                several(members)
            }
        }
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joined = |formatter: &mut fmt::Formatter<'_>, members: &[Self], separator: &str| {
            for (index, member) in members.iter().enumerate() {
                let gap = if index == 0 { "" } else { separator };
                match member {
                    Self::Sum(_) => write!(formatter, "{gap}({member})")?,
                    _ => write!(formatter, "{gap}{member}")?,
                }
            }
            Ok(())
        };
        match self {
            Self::Attribute(attribute) => attribute.fmt(formatter),
            Self::Dead(count) => write!(formatter, "dead({count})"),
            Self::Product(factors) => joined(formatter, factors, " * "),
            Self::Sum(terms) => joined(formatter, terms, " + "),
            Self::Live(inner) => write!(formatter, "live({inner})"),
            Self::Pairs(inner, filters) => {
                write!(formatter, "pairs({inner}")?;
                filters.iter().try_for_each(|filter| write!(formatter, ", {}", filter.word()))?;
                formatter.write_str(")")
            }
            Self::Top(inner, table) => {
                write!(formatter, "top({inner}, [")?;
                for (index, entry) in table.iter().enumerate() {
                    write!(formatter, "{}{entry}", if index == 0 { "" } else { " " })?;
                }
                formatter.write_str("])")
            }
        }
    }
}
