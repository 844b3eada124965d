//! Lines of EPD: `ce` is the side to move's score in centipawns, `sm` the move, `c9` the result.
//!
//! Lines without these operations are positions without a score, so books and suites can be read too.

use std::path::Path;

use kiebitz_chess::{CastlingForm, Color, Epd, FenMode, Operation, Outcome};

use super::text_lines::TextLines;
use super::{ChainSink, ChainSource};
use crate::output_file::OutputFile;
use crate::{Chain, ChainHead, DatasetError, Link, WrittenFile};

/// The operation that holds the result, as collections of quiet positions have it.
const RESULT: &str = "c9";
const SCORE: &str = "ce";
const MOVE: &str = "sm";

/// Reads lines.
#[derive(Debug)]
pub(crate) struct EpdSource(TextLines);

impl EpdSource {
    pub(crate) fn open(path: &Path) -> Result<Self, DatasetError> {
        TextLines::open(path).map(Self)
    }
}

impl ChainSource for EpdSource {
    fn next_chain(&mut self, chain: &mut Chain) -> Result<bool, DatasetError> {
        loop {
            let Some(line) = self.0.next_line()? else {
                return Ok(false);
            };
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            *chain = read_line(line).map_err(|reason| self.0.damaged(reason))?;
            return Ok(true);
        }
    }

    fn consumed(&self) -> u64 {
        self.0.consumed()
    }
}

fn read_line(line: &str) -> Result<Chain, String> {
    let epd = Epd::parse(line, FenMode::Lenient).map_err(|error| error.to_string())?;
    let score = match epd.text(SCORE) {
        Some(text) => Some(text.parse().map_err(|_| format!("ce {text:?} is not a score"))?),
        None => None,
    };
    let mv = match epd.text(MOVE) {
        // Coordinates are what we write; SAN is what the standard says.
        Some(text) => Some(epd.position.parse_uci(text).ok().map_or_else(|| epd.position.parse_san(text), Ok)),
        None => None,
    };
    let mv = mv.transpose().map_err(|error| error.to_string())?;
    let result = match epd.text(RESULT) {
        Some("1-0") => Some(Outcome::Win(Color::White)),
        Some("0-1") => Some(Outcome::Win(Color::Black)),
        Some("1/2-1/2") => Some(Outcome::Draw),
        _ => None,
    };
    let head = ChainHead { start: epd.position, result, ratings: [None; 2] };
    Ok(Chain { head, links: vec![Link { score, ..Link::new(mv) }] })
}

/// Writes lines.
#[derive(Debug)]
pub(crate) struct EpdSink(OutputFile);

impl EpdSink {
    pub(crate) fn create(path: &Path) -> Result<Self, DatasetError> {
        OutputFile::create(path).map(Self)
    }
}

impl ChainSink for EpdSink {
    fn write(&mut self, chain: &Chain) -> Result<(), DatasetError> {
        let mut text = String::new();
        chain.visit(|position, link| {
            if !link.kept {
                return;
            }
            let mut epd = Epd::new(position.clone());
            let mut add = |opcode: &str, operand: String| {
                epd.operations.push(Operation { opcode: opcode.to_owned(), operands: vec![operand] });
            };
            if let Some(score) = link.score {
                add(SCORE, score.to_string());
            }
            if let Some(mv) = link.mv {
                add(MOVE, position.uci(mv, CastlingForm::KingTakesRook));
            }
            if let Some(result) = chain.head.result {
                add(RESULT, result.to_string());
            }
            text.push_str(&epd.to_string());
            text.push('\n');
        });
        self.0.put(text.as_bytes())
    }

    fn bytes(&self) -> u64 {
        self.0.bytes()
    }

    fn finish(self: Box<Self>) -> Result<Vec<WrittenFile>, DatasetError> {
        Ok(vec![self.0.finish()?])
    }
}
