//! Pages with charts that need nothing else: one file of HTML, drawings inside of it.

pub(crate) mod chart;
pub(crate) mod comparison;
pub(crate) mod page;
