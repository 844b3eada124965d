//! A feature set: the value everybody else works with.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use kiebitz_chess::{Bitboard, Board, Color, Position, Square};

use crate::dynamic_block::{DynamicBlock, OwnedFeature, Sight};
use crate::factoriser::Factoriser;
use crate::feature_names::{self, ColorWords};
use crate::layout::{Block, Layout, Range};
use crate::named_sets::{NAMED_SETS, named_set};
use crate::piece_tables::{PieceTables, PieceView};
use crate::{BoardDelta, Expression, FeatureError, Half, Property, Thing, parser, reach};

/// A set of features: what it is called, how many there are, and which of them a position has.
///
/// A set is compiled once and shared cheaply. Features count as often as they occur: a set in which two pieces
/// share a feature lists its index twice.
///
/// ```
/// use kiebitz_chess::{Color, Position};
/// use kiebitz_features::FeatureSet;
///
/// let halfkp = FeatureSet::parse("half(king_square * piece_square)")?;
/// assert_eq!((halfkp.count(), halfkp.max_active()), (40960, 30));
/// let mut active = Vec::new();
/// halfkp.active(&Position::default(), Color::White, &mut active);
/// assert_eq!(halfkp.name(active[0]).unwrap(), "king e1, own pawn a2");
/// # Ok::<(), kiebitz_features::FeatureError>(())
/// ```
#[derive(Clone)]
pub struct FeatureSet {
    compiled: Arc<Compiled>,
}

struct Compiled {
    half: Option<Half>,
    body: Expression,
    factor: Option<Expression>,
    layout: Layout,
    factoriser: Option<Factoriser>,
    tables: PieceTables,
    /// The blocks over moves and pairs.
    dynamic: Vec<DynamicBlock>,
    /// One of them depends on the own king, so that every square of it is a context.
    every_square_matters: bool,
}

/// How the features of one side follow a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Update {
    /// The lists of changes are complete.
    Incremental,
    /// The own king changed its context: collect the features of the new position instead.
    Refresh,
}

/// What changed between two positions, index by index; an index may occur several times.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeatureDelta {
    /// Features that are gone.
    pub removed: Vec<u32>,
    /// Features that are new.
    pub added: Vec<u32>,
}

impl FeatureSet {
    /// Reads an expression or the name of a set.
    pub fn parse(text: &str) -> Result<Self, FeatureError> {
        let text = named_set(text.trim()).map_or(text, |set| set.text);
        let parsed = parser::parse(text).map_err(|error| match error {
            FeatureError::UnknownWord { word, .. } if word == text.trim() => {
                let names: Vec<&str> = NAMED_SETS.iter().map(|set| set.name).collect();
                FeatureError::UnknownName { name: word, known: names.join(", ") }
            }
            other => other,
        })?;
        let half = parsed.half;
        let admits_king = |square: u8| half.is_none_or(|half| half.admits_king(square));
        let layout = Layout::of(&parsed.body, &admits_king)?;
        if layout.blocks.is_empty() || layout.count == 0 {
            return Err(FeatureError::Empty);
        }
        if half.is_none() {
            refuse_own_king(&layout)?;
        }
        let factoriser = match &parsed.factor {
            Some(factor) => Some(Factoriser::new(&layout, Layout::of(factor, &admits_king)?)?),
            None => None,
        };
        let tables = PieceTables::new(&layout.blocks);
        let dynamic: Vec<DynamicBlock> = layout.blocks.iter().filter_map(DynamicBlock::new).collect();
        let (body, factor) = (parsed.body, parsed.factor);
        let every_square_matters = dynamic.iter().any(DynamicBlock::depends_on_king);
        let compiled = Compiled { half, body, factor, layout, factoriser, tables, dynamic, every_square_matters };
        Ok(Self { compiled: Arc::new(compiled) })
    }

    /// How many indices there are, dead ones included.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.compiled.layout.count
    }

    /// No position has more active features than this in one view, repetitions counted.
    #[must_use]
    pub fn max_active(&self) -> u32 {
        self.compiled.layout.blocks.iter().filter_map(|block| block.range.as_ref()).map(Range::most_active).sum()
    }

    /// The part of [`Self::max_active`] that comes from features of several pieces at once.
    #[must_use]
    pub fn max_dynamic(&self) -> u32 {
        self.compiled.dynamic.iter().map(DynamicBlock::most_active).sum()
    }

    /// How the two sides look at the board; `None` if there is one view only, White's.
    #[must_use]
    pub fn half(&self) -> Option<Half> {
        self.compiled.half
    }

    /// The expression inside of `half(…)`.
    #[must_use]
    pub fn expression(&self) -> &Expression {
        &self.compiled.body
    }

    pub(crate) fn blocks(&self) -> &[Block] {
        &self.compiled.layout.blocks
    }

    /// The name of this set, if it has one.
    #[must_use]
    pub fn known_name(&self) -> Option<&'static str> {
        let found = NAMED_SETS.iter().find(|set| Self::parse(set.text).is_ok_and(|known| known == *self));
        found.map(|set| set.name)
    }

    /// What a feature means, such as `king e1, own knight d4`; `None` beyond the last index.
    #[must_use]
    pub fn name(&self, index: u32) -> Option<String> {
        if index >= self.count() {
            return None;
        }
        let colors = if self.half().is_some() { ColorWords::OwnAndEnemy } else { ColorWords::WhiteAndBlack };
        let blocks = &self.compiled.layout.blocks;
        let found = blocks.iter().find_map(|block| Some((block, block.values(index)?)));
        Some(
            found.map_or_else(
                || format!("unused {index}"),
                |(block, values)| feature_names::name(block, &values, colors),
            ),
        )
    }

    /// The features that no legal placement of pieces makes active, in ascending order.
    #[must_use]
    pub fn dead(&self) -> Vec<u32> {
        let half = self.compiled.half;
        let live = reach::live(&self.compiled.layout, &|square| half.is_none_or(|half| half.admits_king(square)));
        (0..self.count()).filter(|&index| !live[index as usize]).collect()
    }

    /// Fills `indices` with the active features of a position, in no particular order.
    pub fn active(&self, position: &Position, perspective: Color, indices: &mut Vec<u32>) {
        indices.clear();
        self.for_each_active(position, perspective, |index| indices.push(index));
    }

    /// Calls `found` with every active feature of a position.
    #[inline]
    pub fn for_each_active(&self, position: &Position, perspective: Color, mut found: impl FnMut(u32)) {
        self.piece_view(perspective, position.king(perspective)).for_each_of(position, &mut found);
        self.for_each_dynamic(position, perspective, &mut found);
    }

    /// Appends the active features of a position as `first` sees them, then as the other side does, and says how many each of
    /// them has: the fast way to the inputs of a network, in an order that depends on the set and the position alone.
    pub fn append_both(&self, position: &Position, first: Color, indices: &mut Vec<u32>) -> [usize; 2] {
        let views = [first, !first].map(|side| self.piece_view(side, position.king(side)));
        if self.compiled.dynamic.is_empty()
            && let Some(count) = self.compiled.tables.append_both(position.board(), views, indices)
        {
            return [count, count];
        }
        [first, !first].map(|side| {
            let before = indices.len();
            self.for_each_active(position, side, |index| indices.push(index));
            indices.len() - before
        })
    }

    /// Calls `found` with every active feature of a position that depends on several pieces at once.
    pub fn for_each_dynamic(&self, position: &Position, perspective: Color, found: &mut impl FnMut(u32)) {
        self.for_each_owned_dynamic(position, perspective, &mut |feature| found(feature.index));
    }

    /// Calls `found` with every active feature of a position and the pieces it speaks of. The own king, which gives others
    /// their context, counts only where a feature speaks of nothing else.
    pub fn for_each_owned(&self, position: &Position, perspective: Color, found: &mut impl FnMut(OwnedFeature)) {
        let view = self.piece_view(perspective, position.king(perspective));
        for (square, piece) in position.board().iter() {
            view.for_each(piece, square, |index| found(OwnedFeature { index, owners: [square, square] }));
        }
        self.for_each_owned_dynamic(position, perspective, found);
    }

    fn for_each_owned_dynamic(&self, position: &Position, perspective: Color, found: &mut impl FnMut(OwnedFeature)) {
        let sight = self.sight(perspective, position.king(perspective));
        self.compiled.dynamic.iter().for_each(|block| block.for_each_active(position.board(), sight, found));
    }

    /// Whether some features depend on several pieces at once, so that the pieces a move touches do not tell all.
    #[must_use]
    pub fn has_dynamic(&self) -> bool {
        !self.compiled.dynamic.is_empty()
    }

    /// The features of single pieces as a side sees them with its king on `own_king`.
    #[inline]
    #[must_use]
    pub fn piece_view(&self, perspective: Color, own_king: Square) -> PieceView<'_> {
        let sight = self.sight(perspective, own_king);
        self.compiled.tables.view(sight.own, sight.mask, sight.king)
    }

    /// How many contexts an own king can be in, in one view.
    #[must_use]
    pub fn contexts(&self) -> usize {
        2 * if self.compiled.every_square_matters { Square::COUNT } else { self.compiled.tables.contexts() }
    }

    /// The context of an own king: below [`Self::contexts`], and while it stays the same no refresh is needed.
    #[inline]
    #[must_use]
    pub fn context(&self, perspective: Color, own_king: Square) -> usize {
        let sight = self.sight(perspective, own_king);
        let is_mirrored = usize::from(sight.mask & 7 != self.turn_files(sight.own));
        if self.compiled.every_square_matters {
            return 2 * usize::from(sight.king) + is_mirrored;
        }
        2 * self.compiled.tables.context(sight.king) + is_mirrored
    }

    /// The changes that a move brings for one side, and whether they are all there is.
    ///
    /// `delta` is what the move did on the board; the two positions are those before and after it.
    pub fn changed(
        &self,
        before: &Position,
        after: &Position,
        delta: &BoardDelta,
        perspective: Color,
        changes: &mut FeatureDelta,
    ) -> Update {
        changes.removed.clear();
        changes.added.clear();
        let king = after.king(perspective);
        if self.context(perspective, before.king(perspective)) != self.context(perspective, king) {
            return Update::Refresh;
        }
        let view = self.piece_view(perspective, king);
        for (piece, square) in delta.removed() {
            view.for_each(piece, square, |index| changes.removed.push(index));
        }
        for (piece, square) in delta.placed() {
            view.for_each(piece, square, |index| changes.added.push(index));
        }
        self.changed_dynamic(before.board(), after.board(), delta, perspective, king, changes);
        Update::Incremental
    }

    /// Appends what a move changes among the features that depend on several pieces at once, for a side whose king does not
    /// change its context and ends on `own_king`. An index may be both removed and added.
    pub fn changed_dynamic(
        &self,
        before: &Board,
        after: &Board,
        delta: &BoardDelta,
        perspective: Color,
        own_king: Square,
        changes: &mut FeatureDelta,
    ) {
        if !self.has_dynamic() || delta.is_empty() {
            return;
        }
        let touched: Bitboard = delta.removed().chain(delta.placed()).map(|(_, square)| square).collect();
        let sight = self.sight(perspective, own_king);
        let FeatureDelta { removed, added } = changes;
        let (mut gone, mut come) =
            (|feature: OwnedFeature| removed.push(feature.index), |feature: OwnedFeature| added.push(feature.index));
        for block in &self.compiled.dynamic {
            block.for_each_change(before, after, touched, sight, &mut gone, &mut come);
        }
    }

    /// The factoriser behind `^`, if there is one.
    #[must_use]
    pub fn factoriser(&self) -> Option<&Factoriser> {
        self.compiled.factoriser.as_ref()
    }

    /// The virtual features that a feature brings with it in training, numbered from 0.
    #[must_use]
    pub fn virtual_features(&self, index: u32) -> Vec<u32> {
        self.factoriser().map_or_else(Vec::new, |factoriser| factoriser.of(&self.compiled.layout, index))
    }

    /// The same set without its factoriser, as it is played.
    #[must_use]
    pub fn merged(&self) -> Self {
        let Compiled { half, body, layout, tables, dynamic, every_square_matters, .. } = &*self.compiled;
        let compiled = Compiled {
            half: *half,
            body: body.clone(),
            factor: None,
            layout: layout.clone(),
            factoriser: None,
            tables: tables.clone(),
            dynamic: dynamic.clone(),
            every_square_matters: *every_square_matters,
        };
        Self { compiled: Arc::new(compiled) }
    }

    /// Bytes of the compiled tables.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let dynamic: usize = self.compiled.dynamic.iter().map(DynamicBlock::memory_bytes).sum();
        self.compiled.tables.memory_bytes() + dynamic
    }

    #[inline]
    fn sight(&self, perspective: Color, own_king: Square) -> Sight {
        match self.compiled.half {
            Some(half) => {
                let mask = half.mask(perspective, own_king);
                Sight { own: perspective, mask, king: own_king as u8 ^ mask }
            }
            None => Sight { own: Color::White, mask: 0, king: 0 },
        }
    }

    /// How the turn alone treats files: 7 if it mirrors them.
    #[inline]
    fn turn_files(&self, own: Color) -> u8 {
        match self.compiled.half {
            Some(half) if own == Color::Black && half.turn == crate::Turn::Rotated => 7,
            _ => 0,
        }
    }
}

/// The own king and what is measured from it mean nothing without a view.
fn refuse_own_king(layout: &Layout) -> Result<(), FeatureError> {
    for block in &layout.blocks {
        for place in &block.places {
            let attribute = &place.attribute;
            let needs_view = matches!(attribute.thing, Thing::King | Thing::EnemyKing)
                || matches!(attribute.property, Property::RelativeFile | Property::RelativeRank);
            if needs_view {
                return Err(FeatureError::NeedsHalf { attribute: attribute.to_string() });
            }
        }
    }
    Ok(())
}

impl FromStr for FeatureSet {
    type Err = FeatureError;

    fn from_str(text: &str) -> Result<Self, FeatureError> {
        Self::parse(text)
    }
}

/// Equal sets have equal canonical texts.
impl PartialEq for FeatureSet {
    fn eq(&self, other: &Self) -> bool {
        let (left, right) = (&self.compiled, &other.compiled);
        left.half == right.half && left.body == right.body && left.factor == right.factor
    }
}

impl Eq for FeatureSet {}

/// The canonical text, which [`FeatureSet::parse`] reads back to an equal set.
impl fmt::Display for FeatureSet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Compiled { half, body, factor, .. } = &*self.compiled;
        let factor = factor.as_ref().map(|factor| format!(" ^ {factor}")).unwrap_or_default();
        match half {
            Some(half) => write!(formatter, "half({body}{factor}{half})"),
            None => write!(formatter, "{body}{factor}"),
        }
    }
}

impl fmt::Debug for FeatureSet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "FeatureSet({self})")
    }
}
