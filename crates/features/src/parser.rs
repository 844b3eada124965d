//! From text to expression.
//!
//! ```text
//! set       = "half" "(" factored { "," option } ")" | factored
//! factored  = sum [ "^" sum ]
//! sum       = product { "+" product }
//! product   = part { "*" part }
//! part      = "(" sum ")" | "dead" "(" number ")" | "live" "(" sum ")" | "pairs" "(" sum { "," filter } ")"
//!           | "top" "(" sum "," "[" { number } "]" ")" | thing "." property | abbreviation
//! property  = word | "bucket" "[" rank { "/" rank } "]"      (a rank is four or eight numbers)
//! ```

use crate::attribute::BucketTable;
use crate::named_sets;
use crate::view::{Half, KING_ON_ABCD, KING_ON_EFGH, Mirror, ROTATED, Turn};
use crate::{Attribute, Expression, FeatureError, PairFilter, Property, Thing};

/// The longest text that is read, in bytes: room for a table of a hundred thousand entries.
const LONGEST_TEXT: usize = 1 << 20;

/// How deep parts may be nested, so that a hostile text cannot exhaust the stack.
const DEEPEST: u32 = 32;

/// What a text says, before it is checked as a whole.
pub(crate) struct ParsedSet {
    pub(crate) half: Option<Half>,
    pub(crate) body: Expression,
    pub(crate) factor: Option<Expression>,
}

/// Reads a whole set.
pub(crate) fn parse(text: &str) -> Result<ParsedSet, FeatureError> {
    if text.len() > LONGEST_TEXT {
        let (found, limit) = (text.len() as u64, LONGEST_TEXT as u64);
        return Err(FeatureError::TooLarge { what: "the length of the text", found, limit });
    }
    let mut parser = Parser { text, at: 0, depth: 0 };
    let set = parser.set()?;
    parser.skip_blanks();
    if parser.at < text.len() {
        let inside = "the end: everything that belongs to the set stands inside of half(…)";
        return Err(parser.unexpected(if set.half.is_some() { inside } else { "the end, or one of + * ^" }));
    }
    Ok(set)
}

/// Reads an expression that is part of this crate's own tables.
fn parse_abbreviation(text: &str, depth: u32) -> Result<Expression, FeatureError> {
    Parser { text, at: 0, depth }.sum()
}

struct Parser<'a> {
    text: &'a str,
    /// In bytes.
    at: usize,
    depth: u32,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn skip_blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// The place for messages: characters from 1.
    fn place(&self) -> usize {
        self.text.get(..self.at).map_or(0, |before| before.chars().count()) + 1
    }

    fn unexpected(&self, expected: &str) -> FeatureError {
        let found = self.rest().chars().next().map_or("the end".to_owned(), |letter| format!("'{letter}'"));
        FeatureError::Syntax { at: self.place(), found, expected: expected.to_owned() }
    }

    fn takes(&mut self, symbol: char) -> bool {
        self.skip_blanks();
        let found = self.rest().starts_with(symbol);
        if found {
            self.at += symbol.len_utf8();
        }
        found
    }

    fn expect(&mut self, symbol: char) -> Result<(), FeatureError> {
        if self.takes(symbol) { Ok(()) } else { Err(self.unexpected(&format!("'{symbol}'"))) }
    }

    fn word(&mut self) -> &'a str {
        self.skip_blanks();
        let rest = self.rest();
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let word = rest.split(|letter| !is_part(letter)).next().unwrap_or("");
        self.at += word.len();
        word
    }

    fn number(&mut self) -> Result<u32, FeatureError> {
        self.skip_blanks();
        let start = self.at;
        let word = self.word();
        word.parse().map_err(|_| {
            self.at = start;
            self.unexpected("a number below 4294967296")
        })
    }

    fn set(&mut self) -> Result<ParsedSet, FeatureError> {
        let start = self.at;
        if self.word() != "half" {
            self.at = start;
            let (body, factor) = self.factored()?;
            return Ok(ParsedSet { half: None, body, factor });
        }
        self.expect('(')?;
        let (body, factor) = self.factored()?;
        let mut half = Half::default();
        while self.takes(',') {
            self.skip_blanks();
            let at = self.place();
            match self.word() {
                ROTATED if half.turn == Turn::Flipped => half.turn = Turn::Rotated,
                KING_ON_EFGH if half.mirror == Mirror::Never => half.mirror = Mirror::KingOnEfgh,
                KING_ON_ABCD if half.mirror == Mirror::Never => half.mirror = Mirror::KingOnAbcd,
                word @ (ROTATED | KING_ON_EFGH | KING_ON_ABCD) => {
                    let expected = format!("each option once, and one of {KING_ON_EFGH} and {KING_ON_ABCD} at most");
                    return Err(FeatureError::Syntax { at, found: format!("'{word}' once more"), expected });
                }
                word => {
                    let known = [ROTATED, KING_ON_EFGH, KING_ON_ABCD].join(", ");
                    return Err(FeatureError::UnknownWord { at, word: word.to_owned(), known });
                }
            }
        }
        self.expect(')')?;
        Ok(ParsedSet { half: Some(half), body, factor })
    }

    fn factored(&mut self) -> Result<(Expression, Option<Expression>), FeatureError> {
        let body = self.sum()?;
        let factor = if self.takes('^') { Some(self.sum()?) } else { None };
        Ok((body, factor))
    }

    fn sum(&mut self) -> Result<Expression, FeatureError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let (found, limit) = (u64::from(self.depth), u64::from(DEEPEST));
            return Err(FeatureError::TooLarge { what: "the depth of nested parts", found, limit });
        }
        let mut terms = vec![self.product()?];
        while self.takes('+') {
            terms.push(self.product()?);
        }
        self.depth -= 1;
        Ok(Expression::sum(terms))
    }

    fn product(&mut self) -> Result<Expression, FeatureError> {
        let mut factors = vec![self.part()?];
        while self.takes('*') {
            factors.push(self.part()?);
        }
        Ok(Expression::product(factors))
    }

    fn part(&mut self) -> Result<Expression, FeatureError> {
        if self.takes('(') {
            let inner = self.sum()?;
            self.expect(')')?;
            return Ok(inner);
        }
        self.skip_blanks();
        let at = self.place();
        let word = self.word();
        match word {
            "" => Err(self.unexpected("a thing such as king or piece, or one of ( dead live pairs top")),
            "dead" => {
                self.expect('(')?;
                let count = self.number()?;
                self.expect(')')?;
                Ok(Expression::Dead(count))
            }
            "live" => {
                self.expect('(')?;
                let inner = self.sum()?;
                self.expect(')')?;
                Ok(Expression::Live(Box::new(inner)))
            }
            "pairs" => self.pairs(),
            "top" => self.top(),
            word => match (Thing::from_word(word), named_sets::abbreviation(word)) {
                (Some(thing), _) => self.attribute(thing, at),
                (None, Some(text)) => parse_abbreviation(text, self.depth),
                (None, None) => {
                    let things = Thing::ALL.map(Thing::word).join(", ");
                    let abbreviations = named_sets::ABBREVIATIONS.map(|(name, _)| name).join(", ");
                    let known = format!("{things}, dead, live, pairs, top, {abbreviations}");
                    Err(FeatureError::UnknownWord { at, word: word.to_owned(), known })
                }
            },
        }
    }

    fn pairs(&mut self) -> Result<Expression, FeatureError> {
        self.expect('(')?;
        let inner = self.sum()?;
        let mut filters = Vec::new();
        while self.takes(',') {
            self.skip_blanks();
            let at = self.place();
            let word = self.word();
            let Some(filter) = PairFilter::ALL.into_iter().find(|filter| filter.word() == word) else {
                let known = PairFilter::ALL.map(PairFilter::word).join(", ");
                return Err(FeatureError::UnknownWord { at, word: word.to_owned(), known });
            };
            filters.push(filter);
        }
        self.expect(')')?;
        filters.sort_unstable();
        filters.dedup();
        Ok(Expression::Pairs(Box::new(inner), filters))
    }

    fn top(&mut self) -> Result<Expression, FeatureError> {
        self.expect('(')?;
        let inner = self.sum()?;
        self.expect(',')?;
        self.expect('[')?;
        let mut table = Vec::new();
        while !self.takes(']') {
            table.push(self.number()?);
        }
        self.expect(')')?;
        Ok(Expression::Top(Box::new(inner), table))
    }

    fn attribute(&mut self, thing: Thing, at: usize) -> Result<Expression, FeatureError> {
        self.expect('.')?;
        self.skip_blanks();
        let word_at = self.place();
        let word = self.word();
        let property = match Property::PLAIN.iter().find(|(name, _)| *name == word) {
            Some((_, property)) => property.clone(),
            None if word == "bucket" => Property::Bucket(self.bucket_table()?),
            None => {
                let known = Property::PLAIN.map(|(name, _)| name).join(", ") + ", bucket";
                return Err(FeatureError::UnknownWord { at: word_at, word: word.to_owned(), known });
            }
        };
        let attribute = Attribute { thing, property };
        match attribute.objection() {
            Some(reason) => Err(FeatureError::Senseless { at, attribute: attribute.to_string(), reason }),
            None => Ok(Expression::Attribute(attribute)),
        }
    }

    fn bucket_table(&mut self) -> Result<BucketTable, FeatureError> {
        self.expect('[')?;
        let mut ranks: Vec<Vec<u8>> = vec![Vec::new()];
        loop {
            if self.takes('/') {
                ranks.push(Vec::new());
            } else if self.takes(']') {
                break;
            } else {
                let number = self.number()?;
                let bucket = u8::try_from(number).ok().filter(|&bucket| bucket < 64).ok_or_else(|| {
                    FeatureError::Table { entry: number.into(), reason: "a bucket is a number below 64".to_owned() }
                })?;
                ranks.last_mut().map(|rank| rank.push(bucket)).unwrap_or_default();
            }
        }
        let wrong = |entry: usize, reason: &str| FeatureError::Table { entry: entry as u64, reason: reason.to_owned() };
        if ranks.len() > 8 {
            return Err(wrong(ranks.len(), "a table has at most eight ranks"));
        }
        let mut buckets = [0; 64];
        for rank in 0..8 {
            let row = ranks.get(rank).or(ranks.last()).map_or(&[][..], Vec::as_slice);
            for file in 0..8 {
                let column = match row.len() {
                    8 => file,
                    4 => file.min(7 - file),
                    other => return Err(wrong(other, "a rank of a table has four or eight numbers")),
                };
                buckets[8 * rank + file] = row[column];
            }
        }
        Ok(BucketTable::new(buckets))
    }
}
