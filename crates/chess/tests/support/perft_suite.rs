//! Perft suites: positions with the number of move sequences of each length.
//!
//! Two formats are read, told apart by what the lines begin with:
//!
//! ```text
//! rnbqkbnr/… w KQkq - 0 1 ;D1 20 ;D2 400        one position a line, an EPD
//!
//! id name                                       one fact a line, `#` begins a comment
//! epd rnbqkbnr/… w KQkq -
//! perft 1 20
//! perft 2 400
//! ```

use std::collections::HashMap;

use kiebitz_chess::{Epd, FenMode, Position};

/// One position of a suite.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// The suite's name and the position's number in it, counted from 0.
    pub(crate) suite: String,
    pub(crate) index: usize,
    /// What the suite calls it, or its line.
    pub(crate) name: String,
    pub(crate) position: Position,
    /// What the strict reading has against it, if the lenient one had to repair it.
    pub(crate) complaint: Option<String>,
    /// Depth and expected count, in the order they are written.
    pub(crate) counts: Vec<(u32, u64)>,
}

impl Case {
    /// The expected count at a depth.
    pub(crate) fn count(&self, depth: u32) -> Option<u64> {
        self.counts.iter().find(|&&(found, _)| found == depth).map(|&(_, count)| count)
    }
}

/// What a file holds.
#[derive(Default, Debug)]
pub(crate) struct Suite {
    pub(crate) cases: Vec<Case>,
    /// Name and reason for every position that even the lenient reading refuses.
    pub(crate) refused: Vec<(String, String)>,
}

/// Reads a suite.
///
/// # Errors
/// The first line that makes no sense.
pub(crate) fn parse(suite_name: &str, text: &str) -> Result<Suite, String> {
    let mut suite = Suite::default();
    let mut entry = Entry::default();
    let mut index = 0;
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        let place = |problem: String| format!("{suite_name}, line {}: {problem}", number + 1);
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(name) = line.strip_prefix("id ") {
            entry = Entry { name: name.to_owned(), ..Entry::default() };
        } else if let Some(epd) = line.strip_prefix("epd ") {
            entry.number = index;
            index += 1;
            entry.read(suite_name, epd, &mut suite);
        } else if let Some(fact) = line.strip_prefix("perft ") {
            let count =
                fact.split_once(' ').and_then(|(depth, count)| Some((depth.parse().ok()?, count.parse().ok()?)));
            let count = count.ok_or_else(|| place(format!("'{line}' is no count")))?;
            if let Some(case) = entry.is_open.then(|| suite.cases.last_mut()).flatten() {
                case.counts.push(count);
            }
        } else {
            entry = Entry { name: format!("line {}", number + 1), number: index, ..Entry::default() };
            index += 1;
            entry.read(suite_name, line, &mut suite);
            let Some(case) = entry.is_open.then(|| suite.cases.last_mut()).flatten() else { continue };
            case.counts = counts_of(line).map_err(place)?;
        }
    }
    Ok(suite)
}

/// The position that is being read.
#[derive(Default)]
struct Entry {
    name: String,
    number: usize,
    /// Whether the last case of the suite is this one.
    is_open: bool,
}

impl Entry {
    fn read(&mut self, suite_name: &str, text: &str, suite: &mut Suite) {
        let fields = text.split(';').next().unwrap_or("").trim();
        let fen = if fields.split(' ').count() == 4 { format!("{fields} 0 1") } else { fields.to_owned() };
        let complaint = Position::from_fen(&fen, FenMode::Strict).err().map(|error| error.to_string());
        match text.parse::<Epd>() {
            Ok(Epd { position, .. }) => {
                self.is_open = true;
                suite.cases.push(Case {
                    suite: suite_name.to_owned(),
                    index: self.number,
                    name: self.name.clone(),
                    position,
                    complaint,
                    counts: Vec::new(),
                });
            }
            Err(error) => {
                self.is_open = false;
                suite.refused.push((self.name.clone(), error.to_string()));
            }
        }
    }
}

/// The counts of a line such as `… ;D1 20 ;D2 400`.
fn counts_of(line: &str) -> Result<Vec<(u32, u64)>, String> {
    let epd: Epd = line.parse().map_err(|error| format!("{error}"))?;
    let numbers = |opcode: &str, operand: Option<&String>| {
        Some((opcode.strip_prefix('D')?.parse().ok()?, operand?.parse().ok()?))
    };
    epd.operations
        .iter()
        .map(|operation| {
            numbers(&operation.opcode, operation.operands.first())
                .ok_or_else(|| format!("'{}' is no count", operation.opcode))
        })
        .collect()
}

/// Keeps the first of equal positions and gives it what its twins say beyond.
///
/// # Errors
/// Two twins that contradict each other.
pub(crate) fn without_twins(cases: Vec<Case>) -> Result<Vec<Case>, String> {
    let mut unique: Vec<Case> = Vec::new();
    let mut seen: HashMap<String, usize> = HashMap::new();
    for case in cases {
        let first = *seen.entry(case.position.to_epd_fields()).or_insert(unique.len());
        let Some(twin) = unique.get_mut(first) else {
            unique.push(case);
            continue;
        };
        for &(depth, count) in &case.counts {
            match twin.count(depth) {
                None => twin.counts.push((depth, count)),
                Some(other) if other == count => {}
                Some(other) => {
                    return Err(format!(
                        "depth {depth}: {} {} says {other}, {} {} says {count} of the same position",
                        twin.suite, twin.name, case.suite, case.name
                    ));
                }
            }
        }
    }
    Ok(unique)
}
