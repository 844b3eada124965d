//! A feature set: the value everybody else works with.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use kiebitz_chess::{Color, Position, Square};

use crate::dynamics::{self, Sight};
use crate::factoriser::Factoriser;
use crate::feature_names::{self, ColorWords};
use crate::layout::{Block, Layout, Range};
use crate::named_sets::{NAMED_SETS, named_set};
use crate::piece_tables::{PieceTables, PieceView};
use crate::{BoardDelta, Expression, FeatureError, Half, PairFilter, Property, Thing, parser, reach};

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
    dynamic: Vec<Block>,
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
        let parsed = parser::parse(text)?;
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
        let is_dynamic = |block: &&Block| matches!(block.range, Some(Range::Moves | Range::Pairs(_)));
        let dynamic = layout.blocks.iter().filter(is_dynamic).cloned().collect();
        let (body, factor) = (parsed.body, parsed.factor);
        Ok(Self { compiled: Arc::new(Compiled { half, body, factor, layout, factoriser, tables, dynamic }) })
    }

    /// How many indices there are, dead ones included.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.compiled.layout.count
    }

    /// No position has more active features than this in one view, repetitions counted.
    #[must_use]
    pub fn max_active(&self) -> u32 {
        self.compiled.layout.blocks.iter().map(|block| most_active(block.range.as_ref())).sum()
    }

    /// The part of [`Self::max_active`] that comes from features of several pieces at once.
    #[must_use]
    pub fn max_dynamic(&self) -> u32 {
        self.compiled.dynamic.iter().map(|block| most_active(block.range.as_ref())).sum()
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

    /// Calls `found` with every active feature of a position that depends on several pieces at once.
    pub fn for_each_dynamic(&self, position: &Position, perspective: Color, found: &mut impl FnMut(u32)) {
        for block in &self.compiled.dynamic {
            dynamics::for_each_active(block, position, self.sight(perspective, position.king(perspective)), found);
        }
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
        2 * self.compiled.tables.contexts()
    }

    /// The context of an own king: below [`Self::contexts`], and while it stays the same no refresh is needed.
    #[inline]
    #[must_use]
    pub fn context(&self, perspective: Color, own_king: Square) -> usize {
        let sight = self.sight(perspective, own_king);
        2 * self.compiled.tables.context(sight.king) + usize::from(sight.mask & 7 != self.turn_files(sight.own))
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
        if self.has_dynamic() {
            let (mut old, mut new) = (Vec::new(), Vec::new());
            self.for_each_dynamic(before, perspective, &mut |index| old.push(index));
            self.for_each_dynamic(after, perspective, &mut |index| new.push(index));
            difference(&mut old, &mut new, changes);
        }
        Update::Incremental
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
        let Compiled { half, body, layout, tables, dynamic, .. } = &*self.compiled;
        let compiled = Compiled {
            half: *half,
            body: body.clone(),
            factor: None,
            layout: layout.clone(),
            factoriser: None,
            tables: tables.clone(),
            dynamic: dynamic.clone(),
        };
        Self { compiled: Arc::new(compiled) }
    }

    /// Bytes of the compiled tables.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.compiled.tables.memory_bytes()
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

/// Sorts both lists and reports what is in one of them only.
fn difference(old: &mut [u32], new: &mut [u32], changes: &mut FeatureDelta) {
    old.sort_unstable();
    new.sort_unstable();
    let (mut left, mut right) = (old.iter().copied().peekable(), new.iter().copied().peekable());
    loop {
        match (left.peek().copied(), right.peek().copied()) {
            (Some(gone), Some(come)) if gone == come => {
                left.next();
                right.next();
            }
            (Some(gone), come) if come.is_none_or(|come| gone < come) => {
                changes.removed.push(gone);
                left.next();
            }
            (_, Some(come)) => {
                changes.added.push(come);
                right.next();
            }
            _ => break,
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

/// How often a block can be active at once.
///
/// Moves: a side has at most nine queens, two rooks, two bishops, two knights and a king, with 27, 14, 13, 8 and 8
/// squares each; pawns move less than what they turn into. Attacks: a queen, knight or king touches eight pieces, a
/// rook or bishop four, so the same army attacks 112 at most.
fn most_active(range: Option<&Range>) -> u32 {
    const MOVES_OF_A_SIDE: u32 = 9 * 27 + 2 * (14 + 13 + 8) + 8;
    const ATTACKS_OF_A_SIDE: u32 = 9 * 8 + 2 * (4 + 4 + 8) + 8;
    const PIECES: u32 = 32;
    const PAWNS: u32 = 16;
    match range {
        None => 0,
        Some(Range::OwnKing | Range::Pieces(Thing::King | Thing::EnemyKing)) => 1,
        Some(Range::Pieces(Thing::Kings)) => 2,
        Some(Range::Pieces(Thing::Pawn)) => PAWNS,
        Some(Range::Pieces(Thing::Piece)) => PIECES - 2,
        Some(Range::Pieces(_)) => PIECES,
        Some(Range::Moves) => 2 * MOVES_OF_A_SIDE,
        Some(Range::Pairs(filters)) => {
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
