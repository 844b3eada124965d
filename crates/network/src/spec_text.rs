//! The text of a description, in and out.
//!
//! ```text
//! inputs = half(…)
//! trunk = accumulate 128 pairwise shortcut -> dense 15 folded+clipped skip -> dense 32 clipped
//! buckets = 8 of (pieces - 1) / 4
//! heads = value
//! numbers = accumulator i16*127, dense i8*64, output i8*9600/16
//! centipawns = 100/208
//! search = (620 + 8 * material) / 1024
//! ```
//!
//! Lines may be joined, `#` starts a comment, commas between words of the trunk are optional; buckets, numbers,
//! centipawns and search may be left out and then have their defaults.

use std::fmt;

use kiebitz_features::FeatureSet;

use crate::numbers::{Centipawns, Numbers, OutputNumbers, SearchScale};
use crate::spec::{
    AccumulatedTrunk, AccumulatorActivation, DenseActivation, DenseLayer, Head, Inputs, Layer, NetworkSpec,
    OutputBuckets, SpecError, Trunk,
};

const KEYS: [&str; 7] = ["inputs", "trunk", "buckets", "heads", "numbers", "centipawns", "search"];

/// Reads the parts; whether they fit together is checked later.
pub(crate) fn parse(text: &str) -> Result<NetworkSpec, SpecError> {
    let parts = Parts::split(text)?;
    let part = |key: &'static str| parts.get(key).ok_or(SpecError::Missing(key));
    Ok(NetworkSpec {
        inputs: Inputs::Sparse(FeatureSet::parse(part("inputs")?)?),
        trunk: Trunk::Accumulated(trunk(part("trunk")?)?),
        buckets: parts.get("buckets").map_or(Ok(OutputBuckets::ONE), buckets)?,
        heads: heads(part("heads")?)?,
        numbers: parts.get("numbers").map_or(Ok(Numbers::default()), numbers)?,
        centipawns: parts.get("centipawns").map_or(Ok(Centipawns::default()), centipawns)?,
        search: parts.get("search").map_or(Ok(SearchScale::ONE), search)?,
    })
}

/// The text behind every `key =`.
struct Parts([Option<String>; KEYS.len()]);

impl Parts {
    fn split(text: &str) -> Result<Self, SpecError> {
        let uncommented: Vec<&str> = text.lines().map(|line| line.split('#').next().unwrap_or("")).collect();
        let joined = uncommented.join(" ");
        let mut parts = Self(Default::default());
        let mut pieces = joined.split('=');
        // Every piece but the last ends with the key of the next one.
        let mut key = pieces.next().unwrap_or("").trim().to_owned();
        let mut pieces = pieces.peekable();
        while let Some(piece) = pieces.next() {
            let piece = piece.trim();
            let (value, next_key) = match pieces.peek() {
                None => (piece, ""),
                Some(_) => piece.rsplit_once(char::is_whitespace).unwrap_or(("", piece)),
            };
            let Some(place) = KEYS.iter().position(|known| *known == key) else {
                return Err(SpecError::UnknownKey(key));
            };
            if parts.0[place].replace(value.trim().to_owned()).is_some() {
                return Err(SpecError::Twice(key));
            }
            key = next_key.to_owned();
        }
        if key.is_empty() { Ok(parts) } else { Err(SpecError::UnknownKey(key)) }
    }

    fn get(&self, key: &str) -> Option<&str> {
        self.0[KEYS.iter().position(|known| *known == key)?].as_deref()
    }
}

/// A walk over the words of a part.
struct Words<'a> {
    key: &'static str,
    words: std::iter::Peekable<std::vec::IntoIter<&'a str>>,
}

impl<'a> Words<'a> {
    /// Words end at blanks and commas; the given symbols are words of their own.
    fn new(key: &'static str, text: &'a str, symbols: &[char]) -> Self {
        let mut words = Vec::new();
        for chunk in text.split(|letter: char| letter.is_whitespace() || letter == ',') {
            let mut rest = chunk;
            while let Some(at) = rest.find(|letter| symbols.contains(&letter)) {
                let (before, after) = rest.split_at(at);
                let length = after.chars().next().map_or(0, char::len_utf8);
                words.extend([before, &after[..length]]);
                rest = &after[length..];
            }
            words.push(rest);
        }
        words.retain(|word| !word.is_empty());
        Self { key, words: words.into_iter().peekable() }
    }

    fn wrong<T>(&self, found: Option<&str>, expected: &'static str) -> Result<T, SpecError> {
        let found = found.unwrap_or("the end").chars().take(32).collect();
        Err(SpecError::Syntax { key: self.key, found, expected })
    }

    fn expect(&mut self, word: &'static str) -> Result<(), SpecError> {
        match self.words.next() {
            Some(found) if found == word => Ok(()),
            other => self.wrong(other, word),
        }
    }

    fn takes(&mut self, word: &str) -> bool {
        self.words.next_if(|found| *found == word).is_some()
    }

    fn number<T: std::str::FromStr>(&mut self) -> Result<T, SpecError> {
        let word = self.words.next();
        word.and_then(|word| word.parse().ok()).map_or_else(|| self.wrong(word, "a number in range"), Ok)
    }

    fn end(mut self) -> Result<(), SpecError> {
        match self.words.next() {
            None => Ok(()),
            other => self.wrong(other, "the end"),
        }
    }
}

fn trunk(text: &str) -> Result<AccumulatedTrunk, SpecError> {
    let mut stages = text.split("->");
    let mut words = Words::new("trunk", stages.next().unwrap_or(""), &[]);
    words.expect("accumulate")?;
    let width = words.number()?;
    let activation = match words.words.next() {
        Some("clipped") => AccumulatorActivation::Clipped,
        Some("squared") => AccumulatorActivation::Squared,
        Some("pairwise") => AccumulatorActivation::Pairwise,
        other => return words.wrong(other, "clipped, squared or pairwise"),
    };
    let shortcut = words.takes("shortcut");
    words.end()?;
    let layers = stages.map(|stage| dense(stage).map(Layer::Dense)).collect::<Result<_, _>>()?;
    Ok(AccumulatedTrunk { width, activation, shortcut, layers })
}

fn dense(text: &str) -> Result<DenseLayer, SpecError> {
    let mut words = Words::new("trunk", text, &['+']);
    words.expect("dense")?;
    let width = words.number()?;
    let mut activations = Vec::new();
    loop {
        activations.push(match words.words.next() {
            Some("clipped") => DenseActivation::Clipped,
            Some("squared") => DenseActivation::Squared,
            Some("folded") => DenseActivation::Folded,
            other => return words.wrong(other, "clipped, squared or folded, joined by +"),
        });
        if !words.takes("+") {
            break;
        }
    }
    let skip = words.takes("skip");
    words.end()?;
    Ok(DenseLayer { width, activations, skip })
}

fn buckets(text: &str) -> Result<OutputBuckets, SpecError> {
    let mut words = Words::new("buckets", text, &['(', ')', '-', '/']);
    let count = words.number()?;
    words.expect("of")?;
    words.expect("(")?;
    words.expect("pieces")?;
    words.expect("-")?;
    let less = words.number()?;
    words.expect(")")?;
    words.expect("/")?;
    let per = words.number()?;
    words.end()?;
    Ok(OutputBuckets { count, less, per })
}

fn heads(text: &str) -> Result<Vec<Head>, SpecError> {
    let mut words = Words::new("heads", text, &[]);
    let mut heads = Vec::new();
    while let Some(word) = words.words.next() {
        match word {
            "value" => heads.push(Head::Value),
            other => return words.wrong(Some(other), "value"),
        }
    }
    Ok(heads)
}

fn numbers(text: &str) -> Result<Numbers, SpecError> {
    let mut words = Words::new("numbers", text, &['*', '/']);
    words.expect("accumulator")?;
    words.expect("i16")?;
    words.expect("*")?;
    let accumulator = words.number()?;
    words.expect("dense")?;
    words.expect("i8")?;
    words.expect("*")?;
    let dense = words.number()?;
    words.expect("output")?;
    let output = if words.takes("i16") {
        words.expect("*")?;
        let scale = words.number()?;
        words.expect("units")?;
        OutputNumbers::Wide { scale, units: words.number()? }
    } else {
        words.takes("i8");
        words.expect("*")?;
        let scale = words.number()?;
        let divisor = if words.takes("/") { words.number()? } else { 16 };
        OutputNumbers::Narrow { scale, divisor }
    };
    words.end()?;
    Ok(Numbers { accumulator, dense, output })
}

fn centipawns(text: &str) -> Result<Centipawns, SpecError> {
    let mut words = Words::new("centipawns", text, &['/']);
    let times = words.number()?;
    words.expect("/")?;
    let per: u32 = words.number()?;
    words.end()?;
    if per == 0 {
        return Err(SpecError::Unfit("centipawns: nothing can be divided by 0".to_owned()));
    }
    Ok(Centipawns { times, per })
}

fn search(text: &str) -> Result<SearchScale, SpecError> {
    let mut words = Words::new("search", text, &['(', ')', '+', '*', '/']);
    words.expect("(")?;
    let base = words.number()?;
    words.expect("+")?;
    let slope = words.number()?;
    for word in ["*", "material", ")", "/", "1024"] {
        words.expect(word)?;
    }
    words.end()?;
    Ok(SearchScale { base, slope })
}

/// The canonical text: one line a part, defaults written out but for the search's, which most networks have.
impl fmt::Display for NetworkSpec {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let trunk = self.accumulated();
        writeln!(formatter, "inputs = {}", self.features())?;
        let activation = match trunk.activation {
            AccumulatorActivation::Clipped => "clipped",
            AccumulatorActivation::Squared => "squared",
            AccumulatorActivation::Pairwise => "pairwise",
        };
        let shortcut = if trunk.shortcut { " shortcut" } else { "" };
        write!(formatter, "trunk = accumulate {} {activation}{shortcut}", trunk.width)?;
        for layer in self.dense_layers() {
            let words: Vec<&str> = layer.activations.iter().map(|activation| activation.word()).collect();
            let skip = if layer.skip { " skip" } else { "" };
            write!(formatter, " -> dense {} {}{skip}", layer.width, words.join("+"))?;
        }
        let OutputBuckets { count, less, per } = self.buckets;
        writeln!(formatter, "\nbuckets = {count} of (pieces - {less}) / {per}")?;
        writeln!(formatter, "heads = value")?;
        let Numbers { accumulator, dense, output } = self.numbers;
        write!(formatter, "numbers = accumulator i16*{accumulator}, dense i8*{dense}, ")?;
        match output {
            OutputNumbers::Narrow { scale, divisor } => writeln!(formatter, "output i8*{scale}/{divisor}")?,
            OutputNumbers::Wide { scale, units } => writeln!(formatter, "output i16*{scale} units {units}")?,
        }
        writeln!(formatter, "centipawns = {}/{}", self.centipawns.times, self.centipawns.per)?;
        match self.search {
            SearchScale::ONE => Ok(()),
            SearchScale { base, slope } => writeln!(formatter, "search = ({base} + {slope} * material) / 1024"),
        }
    }
}

impl DenseActivation {
    const fn word(self) -> &'static str {
        match self {
            Self::Clipped => "clipped",
            Self::Squared => "squared",
            Self::Folded => "folded",
        }
    }
}
