//! From expression to blocks: where in the numbering each product lies.
//!
//! Whatever sums and products an expression nests, it comes down to a list of *blocks*. A block is a product of
//! attributes, each with a stride, and a start: the index of a feature is the start plus the sum of value times stride.
//! Parts that are numbered anew (`live`, `top`) look the result up in a table.

use std::sync::Arc;

use crate::attribute::Binding;
use crate::{Attribute, Expression, FeatureError, PairFilter, Thing, reach};

/// The most indices a set may have, dead ones included: sixteen gigabytes of weights at width 128.
const MOST_FEATURES: u64 = 1 << 26;

/// The most products an expression may come down to.
const MOST_BLOCKS: u64 = 256;

/// The most features that an expression may number anew, all its `live` and `top` together: their tables take some twenty bytes for each.
const MOST_RENUMBERED: u64 = 1 << 23;

/// Marks an index that a table leaves out.
pub(crate) const NONE: u32 = u32::MAX;

/// One attribute of a block.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) attribute: Attribute,
    pub(crate) stride: u32,
}

/// What a block has a feature for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Range {
    /// The own king itself.
    OwnKing,
    /// Every piece that a thing stands for.
    Pieces(Thing),
    /// Every way of moving.
    Moves,
    /// Every pair that passes the filters.
    Pairs(Vec<PairFilter>),
}

impl Range {
    /// How many of its features can be active at once.
    ///
    /// Moves: a side has at most nine queens, two rooks, two bishops, two knights and a king, with 27, 14, 13, 8 and 8
    /// squares each; pawns move less than what they turn into. Attacks: a queen, knight or king touches eight pieces, a
    /// rook or bishop four, so the same army attacks 112 at most.
    pub(crate) fn most_active(&self) -> u32 {
        const MOVES_OF_A_SIDE: u32 = 9 * 27 + 2 * (14 + 13 + 8) + 8;
        const ATTACKS_OF_A_SIDE: u32 = 9 * 8 + 2 * (4 + 4 + 8) + 8;
        const PIECES: u32 = 32;
        const PAWNS: u32 = 16;
        match self {
            Self::OwnKing | Self::Pieces(Thing::King | Thing::EnemyKing) => 1,
            Self::Pieces(Thing::Kings) => 2,
            Self::Pieces(Thing::Pawn) => PAWNS,
            Self::Pieces(Thing::Piece) => PIECES - 2,
            Self::Pieces(_) => PIECES,
            Self::Moves => 2 * MOVES_OF_A_SIDE,
            Self::Pairs(filters) => {
                let pawns = filters.contains(&PairFilter::Pawns);
                match (filters.contains(&PairFilter::Attacks), pawns) {
                    (true, true) => 2 * PAWNS,
                    (true, false) => 2 * ATTACKS_OF_A_SIDE,
                    (false, true) => PAWNS * (PAWNS - 1) / 2,
                    (false, false) => PIECES * (PIECES - 1) / 2,
                }
            }
        }
    }
}

/// A table from a numbering to a denser one.
#[derive(Clone, Debug)]
pub(crate) struct Renumbering {
    /// From the inner index to the outer one, or [`NONE`].
    outer: Arc<[u32]>,
    /// From the outer index to the inner one.
    inner: Arc<[u32]>,
    start: u32,
}

/// A product of attributes with its place in the numbering.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    start: u32,
    pub(crate) places: Vec<Place>,
    pub(crate) range: Option<Range>,
    renumbering: Option<Renumbering>,
}

impl Block {
    /// The index of the feature for what the product is bound to, or [`NONE`] if a table leaves it out.
    #[inline]
    pub(crate) fn index(&self, binding: &Binding) -> u32 {
        self.numbered(self.places.iter().map(|place| place.stride * place.attribute.value(binding)).sum::<u32>())
    }

    /// The index of the feature whose values times strides sum up to `sum`, or [`NONE`] if a table leaves it out.
    #[inline]
    pub(crate) fn numbered(&self, sum: u32) -> u32 {
        match &self.renumbering {
            None => self.start + sum,
            Some(table) => match table.outer.get((self.start + sum) as usize) {
                Some(&outer) if outer != NONE => table.start + outer,
                _ => NONE,
            },
        }
    }

    /// The values of the block's attributes for an index, if the index belongs to the block.
    pub(crate) fn values(&self, index: u32) -> Option<Vec<u32>> {
        let inner = match &self.renumbering {
            None => index,
            Some(table) => *table.inner.get(index.checked_sub(table.start)? as usize)?,
        };
        let mut rest = inner.checked_sub(self.start)?;
        let mut values = Vec::with_capacity(self.places.len());
        for place in &self.places {
            let value = rest / place.stride;
            if value >= place.attribute.size() {
                return None;
            }
            values.push(value);
            rest %= place.stride;
        }
        (rest == 0).then_some(values)
    }

    /// The index without any table; used for factorisers, which have none.
    pub(crate) fn index_of_values(&self, values: &[u32]) -> u32 {
        self.start + self.places.iter().zip(values).map(|(place, value)| place.stride * value).sum::<u32>()
    }

    pub(crate) fn depends_on_king(&self) -> bool {
        self.range != Some(Range::OwnKing) && self.places.iter().any(|place| place.attribute.depends_on_king())
    }

    /// The product as text, for messages.
    pub(crate) fn text(&self) -> String {
        self.places.iter().map(|place| place.attribute.to_string()).collect::<Vec<_>>().join(" * ")
    }

    /// Finds out what the block ranges over, unless `pairs` has already said so.
    fn settle(&mut self) -> Result<(), FeatureError> {
        if self.range.is_some() {
            return Ok(());
        }
        let mut ranging: Option<Thing> = None;
        for thing in self.places.iter().map(|place| place.attribute.thing).filter(|&thing| thing != Thing::King) {
            if thing.is_of_pair() {
                return Err(FeatureError::PairOutOfPlace { thing: thing.word(), place: "outside" });
            }
            match ranging {
                Some(other) if other != thing => {
                    let (first, second) = (other.word(), thing.word());
                    return Err(FeatureError::SeveralThings { product: self.text(), first, second });
                }
                _ => ranging = Some(thing),
            }
        }
        self.range = Some(match ranging {
            None => Range::OwnKing,
            Some(Thing::Move) => Range::Moves,
            Some(thing) => Range::Pieces(thing),
        });
        Ok(())
    }

    fn moved(mut self, by: u32) -> Self {
        match &mut self.renumbering {
            None => self.start += by,
            Some(table) => table.start += by,
        }
        self
    }
}

/// Blocks together with the number of indices they are spread over.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) blocks: Vec<Block>,
    pub(crate) count: u32,
    /// How many features were numbered anew on the way.
    renumbered: u64,
}

impl Layout {
    /// The layout of a whole expression; `admits_king` says on which squares of the view the own king may stand.
    pub(crate) fn of(expression: &Expression, admits_king: &dyn Fn(u8) -> bool) -> Result<Self, FeatureError> {
        let mut layout = Self::of_part(expression, admits_king)?;
        layout.settle()?;
        Ok(layout)
    }

    fn settle(&mut self) -> Result<(), FeatureError> {
        self.blocks.iter_mut().try_for_each(Block::settle)
    }

    fn of_part(expression: &Expression, admits_king: &dyn Fn(u8) -> bool) -> Result<Self, FeatureError> {
        match expression {
            Expression::Attribute(attribute) => {
                let places = vec![Place { attribute: attribute.clone(), stride: 1 }];
                let block = Block { start: 0, places, range: None, renumbering: None };
                Ok(Self { blocks: vec![block], count: attribute.size(), renumbered: 0 })
            }
            Expression::Dead(count) => {
                let count = bounded(u64::from(*count))?;
                Ok(Self { blocks: Vec::new(), count, renumbered: 0 })
            }
            Expression::Sum(terms) => {
                let mut sum = Self { blocks: Vec::new(), count: 0, renumbered: 0 };
                for term in terms {
                    let term = Self::of_part(term, admits_king)?;
                    sum.blocks.extend(term.blocks.into_iter().map(|block| block.moved(sum.count)));
                    sum.count = bounded(u64::from(sum.count) + u64::from(term.count))?;
                    bounded_blocks(sum.blocks.len())?;
                    sum.renumbered = bounded_renumbering(sum.renumbered + term.renumbered)?;
                }
                Ok(sum)
            }
            Expression::Product(factors) => {
                let mut parts = factors.iter().map(|factor| match factor {
                    Expression::Pairs(..) => Err(FeatureError::NotMultipliable { part: "pairs(…)" }),
                    Expression::Live(_) => Err(FeatureError::NotMultipliable { part: "live(…)" }),
                    Expression::Top(..) => Err(FeatureError::NotMultipliable { part: "top(…)" }),
                    other => Self::of_part(other, admits_king),
                });
                let first = parts.next().ok_or(FeatureError::Empty)??;
                parts.try_fold(first, |product, part| product.times(&part?))
            }
            Expression::Pairs(inner, filters) => Self::of_part(inner, admits_king)?.over_pairs(filters),
            Expression::Live(inner) => {
                let mut layout = Self::of_part(inner, admits_king)?;
                layout.settle()?;
                layout.count_renumbering()?;
                let live = reach::live(&layout, admits_king);
                let table = (0..layout.count).filter(|&index| live[index as usize]).collect();
                layout.renumbered(table)
            }
            Expression::Top(inner, table) => {
                let mut layout = Self::of_part(inner, admits_king)?;
                layout.settle()?;
                layout.count_renumbering()?;
                layout.renumbered(table.clone())
            }
        }
    }

    fn times(self, right: &Self) -> Result<Self, FeatureError> {
        let count = bounded(u64::from(self.count) * u64::from(right.count))?;
        bounded_blocks(self.blocks.len() * right.blocks.len())?;
        let mut blocks = Vec::with_capacity(self.blocks.len() * right.blocks.len());
        for left in &self.blocks {
            for block in &right.blocks {
                if left.renumbering.is_some() || block.renumbering.is_some() {
                    return Err(FeatureError::NotMultipliable { part: "a renumbered part" });
                }
                if left.range.is_some() || block.range.is_some() {
                    return Err(FeatureError::NotMultipliable { part: "pairs(…)" });
                }
                let mut places: Vec<Place> = left.places.clone();
                places.iter_mut().for_each(|place| place.stride *= right.count);
                places.extend(block.places.iter().cloned());
                let start = left.start * right.count + block.start;
                blocks.push(Block { start, places, range: None, renumbering: None });
            }
        }
        let renumbered = bounded_renumbering(self.renumbered + right.renumbered)?;
        Ok(Self { blocks, count, renumbered })
    }

    fn over_pairs(mut self, filters: &[PairFilter]) -> Result<Self, FeatureError> {
        for block in &mut self.blocks {
            let wrong = |thing: &Thing| !thing.is_of_pair() && *thing != Thing::King;
            if let Some(thing) = block.places.iter().map(|place| place.attribute.thing).find(wrong) {
                return Err(FeatureError::PairOutOfPlace { thing: thing.word(), place: "inside" });
            }
            if block.range.is_some() {
                return Err(FeatureError::PairOutOfPlace { thing: "pairs(…)", place: "inside" });
            }
            block.range = Some(Range::Pairs(filters.to_vec()));
        }
        Ok(self)
    }

    /// Asked before any table is made.
    fn count_renumbering(&mut self) -> Result<(), FeatureError> {
        self.renumbered = bounded_renumbering(self.renumbered + u64::from(self.count))?;
        Ok(())
    }

    /// Keeps the features of a table only, in its order.
    fn renumbered(self, table: Vec<u32>) -> Result<Self, FeatureError> {
        let mut outer = vec![NONE; self.count as usize];
        for (place, &entry) in table.iter().enumerate() {
            let wrong = |reason: String| FeatureError::Table { entry: entry.into(), reason };
            let Some(slot) = outer.get_mut(entry as usize) else {
                return Err(wrong(format!("the inner set has {} features only", self.count)));
            };
            if *slot != NONE {
                return Err(wrong("it is listed twice".to_owned()));
            }
            *slot = place as u32;
        }
        let (count, renumbered) = (table.len() as u32, self.renumbered);
        let (outer, inner): (Arc<[u32]>, Arc<[u32]>) = (outer.into(), table.into());
        let blocks = self.blocks.into_iter().map(|block| {
            let renumbering = match &block.renumbering {
                None => Renumbering { outer: outer.clone(), inner: inner.clone(), start: 0 },
                Some(first) => first.then(&outer, &inner),
            };
            Block { renumbering: Some(renumbering), ..block }
        });
        Ok(Self { blocks: blocks.collect(), count, renumbered })
    }
}

impl Renumbering {
    /// This table followed by another one.
    fn then(&self, outer: &[u32], inner: &[u32]) -> Self {
        let through = |&middle: &u32| {
            if middle == NONE { NONE } else { outer.get((self.start + middle) as usize).copied().unwrap_or(NONE) }
        };
        // Indices of other parts have no inner index here; they point beyond every block.
        let back = |&middle: &u32| {
            middle.checked_sub(self.start).and_then(|own| self.inner.get(own as usize)).copied().unwrap_or(NONE)
        };
        let (outer, inner): (Vec<u32>, Vec<u32>) =
            (self.outer.iter().map(through).collect(), inner.iter().map(back).collect());
        Self { outer: outer.into(), inner: inner.into(), start: 0 }
    }
}

fn bounded(count: u64) -> Result<u32, FeatureError> {
    match u32::try_from(count) {
        Ok(count) if u64::from(count) <= MOST_FEATURES => Ok(count),
        _ => Err(FeatureError::TooLarge { what: "the number of features", found: count, limit: MOST_FEATURES }),
    }
}

fn bounded_renumbering(found: u64) -> Result<u64, FeatureError> {
    if found > MOST_RENUMBERED {
        let what = "the number of features that live(…) and top(…) number anew";
        return Err(FeatureError::TooLarge { what, found, limit: MOST_RENUMBERED });
    }
    Ok(found)
}

fn bounded_blocks(count: usize) -> Result<(), FeatureError> {
    let found = count as u64;
    if found > MOST_BLOCKS {
        return Err(FeatureError::TooLarge { what: "the number of products", found, limit: MOST_BLOCKS });
    }
    Ok(())
}
