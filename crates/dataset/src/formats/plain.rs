//! Stockfish's readable training data: one line each for `fen`, `move`, `score`, `ply` and `result`, then `e`.
//!
//! Score and result are the side to move's; `result` is 1, 0 or -1.

use std::fmt::Write;
use std::path::Path;

use kiebitz_chess::{CastlingForm, Color, FenMode, Outcome, Position};

use super::linking::Linker;
use super::text_lines::TextLines;
use super::{ChainSink, ChainSource};
use crate::output_file::OutputFile;
use crate::{Chain, ChainHead, DatasetError, Link, WrittenFile};

/// Reads entries.
#[derive(Debug)]
pub(crate) struct PlainSource {
    lines: TextLines,
    linker: Linker,
    ended: bool,
}

/// What the lines of an entry have said so far.
#[derive(Default)]
struct Entry {
    position: Option<Position>,
    mv: Option<String>,
    score: Option<i16>,
    result: Option<i32>,
}

impl PlainSource {
    pub(crate) fn open(path: &Path) -> Result<Self, DatasetError> {
        Ok(Self { lines: TextLines::open(path)?, linker: Linker::default(), ended: false })
    }

    /// Reads one entry; `false` behind the last.
    fn read_entry(&mut self) -> Result<bool, DatasetError> {
        let mut entry = Entry::default();
        let mut begun = false;
        loop {
            let Some(line) = self.lines.next_line()? else {
                return if begun { Err(self.lines.damaged("the file ends inside an entry")) } else { Ok(false) };
            };
            let (word, value) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
            match word {
                "e" => break,
                "" => continue,
                _ => {}
            }
            begun = true;
            entry.read(word, value.trim()).map_err(|reason| self.lines.damaged(reason))?;
        }
        let (position, result, link) = entry.complete().map_err(|reason| self.lines.damaged(reason))?;
        self.linker.add(ChainHead { start: position, result, ratings: [None; 2] }, link);
        Ok(true)
    }
}

impl Entry {
    fn read(&mut self, word: &str, value: &str) -> Result<(), String> {
        let number = |value: &str| value.parse::<i32>().map_err(|_| format!("{value:?} is not a number"));
        match word {
            "fen" => {
                let position = Position::from_fen(value, FenMode::Lenient).map_err(|error| error.to_string())?;
                self.position = Some(position);
            }
            "move" => self.mv = Some(value.to_owned()),
            "score" => {
                let score = i16::try_from(number(value)?).map_err(|_| format!("the score {value} is too large"))?;
                self.score = Some(score);
            }
            "result" => self.result = Some(number(value)?),
            // The FEN already counts moves.
            "ply" => {}
            _ => return Err(format!("{word:?} begins no line of an entry")),
        }
        Ok(())
    }

    fn complete(self) -> Result<(Position, Option<Outcome>, Link), String> {
        let position = self.position.ok_or("an entry has no fen")?;
        let mv = match self.mv.as_deref() {
            None | Some("0000" | "none" | "(none)") => None,
            Some(text) => Some(position.parse_uci(text).map_err(|error| error.to_string())?),
        };
        let mover = position.side_to_move();
        let result = match self.result {
            None => None,
            Some(0) => Some(Outcome::Draw),
            Some(1) => Some(Outcome::Win(mover)),
            Some(-1) => Some(Outcome::Win(!mover)),
            Some(other) => return Err(format!("{other} is not a result: 1, 0 or -1")),
        };
        Ok((position, result, Link { score: self.score, ..Link::new(mv) }))
    }
}

impl ChainSource for PlainSource {
    fn next_chain(&mut self, chain: &mut Chain) -> Result<bool, DatasetError> {
        loop {
            if let Some(next) = self.linker.take() {
                *chain = next;
                return Ok(true);
            }
            if self.ended {
                return Ok(false);
            }
            if !self.read_entry()? {
                self.linker.end();
                self.ended = true;
            }
        }
    }

    fn consumed(&self) -> u64 {
        self.lines.consumed()
    }
}

/// Writes entries.
#[derive(Debug)]
pub(crate) struct PlainSink(OutputFile);

impl PlainSink {
    pub(crate) fn create(path: &Path) -> Result<Self, DatasetError> {
        OutputFile::create(path).map(Self)
    }
}

impl ChainSink for PlainSink {
    fn write(&mut self, chain: &Chain) -> Result<(), DatasetError> {
        let mut text = String::new();
        chain.visit(|position, link| {
            if !link.kept {
                return;
            }
            // Writing to a string cannot fail.
            let _ = writeln!(text, "fen {position}");
            if let Some(mv) = link.mv {
                let form = if position.is_chess960() { CastlingForm::KingTakesRook } else { CastlingForm::KingMove };
                let _ = writeln!(text, "move {}", position.uci(mv, form));
            }
            if let Some(score) = link.score {
                let _ = writeln!(text, "score {score}");
            }
            let _ = writeln!(text, "ply {}", position.ply());
            if let Some(result) = chain.head.result {
                let result = match result {
                    Outcome::Draw => 0,
                    Outcome::Win(winner) if winner == position.side_to_move() => 1,
                    Outcome::Win(Color::White | Color::Black) => -1,
                };
                let _ = writeln!(text, "result {result}");
            }
            text.push_str("e\n");
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
