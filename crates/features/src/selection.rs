//! Parts of a set: what its last term says, and the set that keeps some of it.

use std::ops::Range;

use crate::{Attribute, Expression, FeatureError, FeatureSet};

impl FeatureSet {
    /// The indices of the last term of the sum that the set is; all of them if it is no sum.
    #[must_use]
    pub fn last_term(&self) -> Range<u32> {
        match self.expression() {
            Expression::Sum(terms) => {
                let before: u32 =
                    terms.split_last().map_or(0, |(_, rest)| rest.iter().map(|term| self.size(term)).sum());
                before..self.count()
            }
            _ => 0..self.count(),
        }
    }

    /// How many indices a term of this set has.
    fn size(&self, term: &Expression) -> u32 {
        let options = self.half().map(|half| half.to_string()).unwrap_or_default();
        let text = if self.half().is_some() { format!("half({term}{options})") } else { term.to_string() };
        // A term of dead indices alone is refused as a set, and still takes its place.
        match (term, Self::parse(&text)) {
            (Expression::Dead(count), _) => *count,
            (_, Ok(set)) => set.count(),
            (_, Err(_)) => 0,
        }
    }

    /// The set of these features alone, in ascending order. A factoriser is dropped: it would have to be written anew.
    ///
    /// # Errors
    ///
    /// When no feature is named, or one that does not exist.
    pub fn only(&self, kept: &[u32]) -> Result<Self, FeatureError> {
        self.selected(kept, 0..self.count(), Vec::new(), self.expression())
    }

    /// The set in which only these features of the last term stay, in ascending order; all other terms stay as they are. A
    /// factoriser is dropped.
    ///
    /// # Errors
    ///
    /// When no feature of the last term is named, or one that does not belong to it.
    pub fn keeping(&self, kept: &[u32]) -> Result<Self, FeatureError> {
        match self.expression() {
            Expression::Sum(terms) => match terms.split_last() {
                Some((last, rest)) => self.selected(kept, self.last_term(), rest.to_vec(), last),
                None => Err(FeatureError::Empty),
            },
            _ => self.only(kept),
        }
    }

    /// The terms before, and the listed features of a part that has the indices of a range.
    fn selected(
        &self,
        kept: &[u32],
        range: Range<u32>,
        mut terms: Vec<Expression>,
        part: &Expression,
    ) -> Result<Self, FeatureError> {
        let mut table = kept.to_vec();
        table.sort_unstable();
        table.dedup();
        if let Some(&foreign) = table.iter().find(|index| !range.contains(index)) {
            let reason = format!("features {} to {} can be chosen", range.start, range.end.saturating_sub(1));
            return Err(FeatureError::Table { entry: foreign.into(), reason });
        }
        if table.is_empty() {
            return Err(FeatureError::Empty);
        }
        table.iter_mut().for_each(|index| *index -= range.start);
        terms.push(Expression::Top(Box::new(part.clone()), table));
        let body = Expression::sum(terms);
        match self.half() {
            Some(half) => Self::parse(&format!("half({body}{half})")),
            None => Self::parse(&body.to_string()),
        }
    }

    /// What a feature consists of: every attribute with its value; `None` if the index is unused or beyond the last.
    #[must_use]
    pub fn meaning(&self, index: u32) -> Option<Vec<(Attribute, u32)>> {
        self.blocks().iter().find_map(|block| {
            let values = block.values(index)?;
            Some(block.places.iter().map(|place| place.attribute.clone()).zip(values).collect())
        })
    }
}
