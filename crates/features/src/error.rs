//! What can be wrong with the text of a feature set.

/// Why a text describes no feature set. Places count characters from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FeatureError {
    /// The text does not follow the grammar.
    #[error("at character {at}: found {found}, expected {expected}")]
    Syntax {
        /// Where, counted in characters from 1.
        at: usize,
        /// What stands there.
        found: String,
        /// What could stand there.
        expected: String,
    },
    /// A word that means nothing here.
    #[error("at character {at}: '{word}' is unknown here; known are: {known}")]
    UnknownWord {
        /// Where, counted in characters from 1.
        at: usize,
        /// The word.
        word: String,
        /// What could have been meant.
        known: String,
    },
    /// A single word, and no set is called so.
    #[error(
        "no set is called '{name}'; known are: {known}; or write an expression such as half(king_square * piece_square)"
    )]
    UnknownName {
        /// The word.
        name: String,
        /// The names of all sets.
        known: String,
    },
    /// A property that its thing does not have.
    #[error("at character {at}: {attribute} makes no sense: {reason}")]
    Senseless {
        /// Where, counted in characters from 1.
        at: usize,
        /// The attribute as written.
        attribute: String,
        /// Why it distinguishes nothing or cannot be asked.
        reason: &'static str,
    },
    /// A text or an expression beyond the limits that keep memory and time bounded.
    #[error("the feature set is too large: {what} is {found}, at most {limit} are allowed")]
    TooLarge {
        /// What there is too much of.
        what: &'static str,
        /// How much was found.
        found: u64,
        /// How much is allowed.
        limit: u64,
    },
    /// A product that speaks of more than one thing that ranges over the board.
    #[error(
        "the product {product} ranges over {first} and over {second}; a product may range over one thing \
         (besides the own king), pairs are written pairs(first.… * second.…)"
    )]
    SeveralThings {
        /// The product.
        product: String,
        /// One of the things.
        first: &'static str,
        /// The other one.
        second: &'static str,
    },
    /// `first` or `second` outside `pairs(…)`, or anything else inside.
    #[error("{thing} cannot stand {place} pairs(…)")]
    PairOutOfPlace {
        /// The thing that stands there.
        thing: &'static str,
        /// `inside` or `outside`.
        place: &'static str,
    },
    /// A renumbered part in a product.
    #[error("{part} cannot be a factor of a product: put the product inside of it")]
    NotMultipliable {
        /// The part, by its word.
        part: &'static str,
    },
    /// A set that asks for the own king without saying whose view it is.
    #[error("{attribute} needs a view: write half(…) around the whole set")]
    NeedsHalf {
        /// The attribute that cannot be answered.
        attribute: String,
    },
    /// An entry of a table that cannot be used.
    #[error("entry {entry} of the table is wrong: {reason}")]
    Table {
        /// The entry's value.
        entry: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// A factoriser that is no coarser view of the set it should help to train.
    #[error("{factor} behind '^' cannot be read off any product before it: it may only leave out attributes")]
    NotAFactor {
        /// The product behind `^`.
        factor: String,
    },
    /// The set has no features at all.
    #[error("the feature set is empty: no index could ever be active")]
    Empty,
}
