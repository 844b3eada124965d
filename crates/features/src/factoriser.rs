//! Factorisers: coarser features that help in training and are merged before play.
//!
//! `A ^ B` trains the rows of `A` together with *virtual* rows `B`. Every product of `B` must be readable off a
//! product of `A` by leaving attributes out (or by coarsening a square to its file, rank, diagonal or bucket), so a
//! feature of `A` always brings the same virtual features, and the merged row is the sum of the row and theirs.

use crate::FeatureError;
use crate::layout::{Block, Layout};

/// The virtual features behind `^`.
#[derive(Clone, Debug)]
pub struct Factoriser {
    layout: Layout,
    links: Vec<Link>,
}

/// A product of the set from which a product of the factoriser can be read.
#[derive(Clone, Debug)]
struct Link {
    body: usize,
    factor: usize,
    /// For every attribute of the factor, the place of the body's attribute it is read from.
    sources: Vec<usize>,
}

impl Factoriser {
    pub(crate) fn new(body: &Layout, factor: Layout) -> Result<Self, FeatureError> {
        let mut links = Vec::new();
        for (number, block) in factor.blocks.iter().enumerate() {
            let before = links.len();
            for (body_number, body_block) in body.blocks.iter().enumerate() {
                if let Some(sources) = sources(block, body_block) {
                    links.push(Link { body: body_number, factor: number, sources });
                }
            }
            if links.len() == before {
                return Err(FeatureError::NotAFactor { factor: block.text() });
            }
        }
        Ok(Self { layout: factor, links })
    }

    /// How many virtual features there are.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.layout.count
    }

    /// How many virtual features a feature of the set brings with it, at most.
    #[must_use]
    pub fn most(&self) -> usize {
        let bodies = self.links.iter().map(|link| link.body);
        bodies.map(|body| self.links.iter().filter(|link| link.body == body).count()).max().unwrap_or(0)
    }

    /// The virtual features that a feature of the set brings with it, numbered from 0.
    pub(crate) fn of(&self, body: &Layout, index: u32) -> Vec<u32> {
        let Some((number, values)) =
            body.blocks.iter().enumerate().find_map(|(number, block)| Some((number, block.values(index)?)))
        else {
            return Vec::new();
        };
        let links = self.links.iter().filter(|link| link.body == number);
        links
            .map(|link| {
                let (factor, body) = (&self.layout.blocks[link.factor], &body.blocks[number]);
                let read = factor.places.iter().zip(&link.sources).map(|(place, &source)| {
                    place.attribute.value_from(&body.places[source].attribute, values[source]).unwrap_or(0)
                });
                factor.index_of_values(&read.collect::<Vec<_>>())
            })
            .collect()
    }
}

/// Where each attribute of a factor can be read in a product of the set, if all of them can.
fn sources(factor: &Block, body: &Block) -> Option<Vec<usize>> {
    if factor.range != body.range {
        return None;
    }
    let source = |place: &crate::layout::Place| {
        body.places.iter().position(|other| place.attribute.value_from(&other.attribute, 0).is_some())
    };
    factor.places.iter().map(source).collect()
}
