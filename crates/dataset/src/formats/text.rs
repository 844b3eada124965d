//! Lines of `FEN | score | result`: what most trainers read, both numbers from White's view.

use std::path::Path;

use kiebitz_chess::{Color, FenMode, Outcome, Position};

use super::text_lines::TextLines;
use super::{ChainSink, ChainSource};
use crate::output_file::OutputFile;
use crate::{Chain, ChainHead, DatasetError, Link, Sample, WrittenFile};

/// Reads lines.
#[derive(Debug)]
pub(crate) struct TextSource(TextLines);

impl TextSource {
    pub(crate) fn open(path: &Path) -> Result<Self, DatasetError> {
        TextLines::open(path).map(Self)
    }
}

impl ChainSource for TextSource {
    fn next_chain(&mut self, chain: &mut Chain) -> Result<bool, DatasetError> {
        loop {
            let Some(line) = self.0.next_line()? else {
                return Ok(false);
            };
            if line.trim().is_empty() {
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
    let [fen, score, result] = line.split('|').map(str::trim).collect::<Vec<_>>()[..] else {
        return Err(format!("{line:?} is not FEN | score | result"));
    };
    let start = Position::from_fen(fen, FenMode::Lenient).map_err(|error| error.to_string())?;
    let white: i16 = score.parse().map_err(|_| format!("{score:?} is not a score"))?;
    let result = match result {
        "1.0" | "1" => Outcome::Win(Color::White),
        "0.5" => Outcome::Draw,
        "0.0" | "0" => Outcome::Win(Color::Black),
        _ => return Err(format!("{result:?} is not a result: 1.0, 0.5 or 0.0")),
    };
    let score = if start.side_to_move() == Color::White { white } else { white.saturating_neg() };
    let link = Link { score: Some(score), ..Link::new(None) };
    Ok(Chain { head: ChainHead { start, result: Some(result), ratings: [None; 2] }, links: vec![link] })
}

/// Writes lines.
#[derive(Debug)]
pub(crate) struct TextSink(OutputFile);

impl TextSink {
    pub(crate) fn create(path: &Path) -> Result<Self, DatasetError> {
        OutputFile::create(path).map(Self)
    }
}

impl ChainSink for TextSink {
    fn write(&mut self, chain: &Chain) -> Result<(), DatasetError> {
        let mut lines = String::new();
        let mut missing = None;
        chain.visit(|position, link| {
            let sample = Sample { head: &chain.head, position, link };
            let result = match chain.head.result {
                Some(Outcome::Win(Color::White)) => "1.0",
                Some(Outcome::Draw) => "0.5",
                Some(Outcome::Win(Color::Black)) => "0.0",
                None => {
                    missing = Some("result");
                    return;
                }
            };
            match sample.white_score() {
                _ if !link.kept => {}
                Some(score) => lines.push_str(&format!("{position} | {score} | {result}\n")),
                None => missing = Some("score"),
            }
        });
        match missing {
            Some(what) => Err(self.0.inexpressible(super::lacking(what))),
            None => self.0.put(lines.as_bytes()),
        }
    }

    fn bytes(&self) -> u64 {
        self.0.bytes()
    }

    fn finish(self: Box<Self>) -> Result<Vec<WrittenFile>, DatasetError> {
        Ok(vec![self.0.finish()?])
    }
}
