//! What an engine says.

use std::fmt;

use super::{BestMove, Info, OptionDeclaration, Parsed, parse_line};
use crate::complaint::{Complaint, excerpt};
use crate::word::{OneLine, Words};

/// A message from an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EngineMessage {
    /// Who it is.
    Id(Id),
    /// It speaks UCI and has told all about itself.
    UciOk,
    /// Everything so far is done.
    ReadyOk,
    /// The answer to a search.
    BestMove(BestMove),
    /// How its copy protection stands.
    CopyProtection(Verdict),
    /// How its registration stands.
    Registration(Verdict),
    /// What it tells of its search.
    Info(Box<Info>),
    /// An option it has.
    Option(OptionDeclaration),
}

/// Half of an introduction.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Id {
    /// The engine's name and version.
    Name(String),
    /// Who wrote it.
    Author(String),
}

/// How copy protection or registration stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// The engine is looking.
    Checking,
    /// All is well.
    Ok,
    /// The engine will not work, or not fully.
    Error,
}

const LEADING: [&str; 8] = ["id", "uciok", "readyok", "bestmove", "copyprotection", "registration", "info", "option"];

impl EngineMessage {
    /// Reads a line. Never fails: see [`Parsed`].
    ///
    /// ```
    /// use kiebitz_uci::{Complaint, EngineMessage};
    ///
    /// let parsed = EngineMessage::parse("info depth 12 nps 1.5e6");
    /// let Some(EngineMessage::Info(info)) = parsed.message else { panic!() };
    /// assert_eq!(info.nodes_per_second, Some(1_500_000));
    /// assert_eq!(parsed.complaints, [Complaint::NotAnInteger { field: "nps", token: "1.5e6".into() }]);
    /// ```
    #[must_use]
    pub fn parse(line: &str) -> Parsed<Self> {
        parse_line(line, &LEADING, |first, words| match first {
            "id" => read_id(words).map(Self::Id),
            "uciok" => Some(Self::UciOk),
            "readyok" => Some(Self::ReadyOk),
            "bestmove" => Some(Self::BestMove(BestMove::read(words))),
            "copyprotection" => read_verdict("copyprotection", words).map(Self::CopyProtection),
            "registration" => read_verdict("registration", words).map(Self::Registration),
            "info" => Some(Self::Info(Box::new(Info::read(words)))),
            _ => OptionDeclaration::read(words).map(Self::Option),
        })
    }
}

fn read_id(words: &mut Words<'_>) -> Option<Id> {
    match words.next() {
        Some("name") => Some(Id::Name(words.rest())),
        Some("author") => Some(Id::Author(words.rest())),
        Some(unknown) => {
            words.skip_unknown(unknown, |_| false);
            None
        }
        None => {
            words.complain(Complaint::Missing { field: "id" });
            None
        }
    }
}

fn read_verdict(field: &'static str, words: &mut Words<'_>) -> Option<Verdict> {
    match words.next() {
        Some("checking") => Some(Verdict::Checking),
        Some("ok") => Some(Verdict::Ok),
        Some("error") => Some(Verdict::Error),
        Some(other) => {
            words.complain(Complaint::NotAllowed { field, token: excerpt(other) });
            None
        }
        None => {
            words.complain(Complaint::Missing { field });
            None
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Checking => "checking",
            Self::Ok => "ok",
            Self::Error => "error",
        })
    }
}

impl fmt::Display for EngineMessage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id(Id::Name(name)) => write!(formatter, "id name {}", OneLine(name)),
            Self::Id(Id::Author(author)) => write!(formatter, "id author {}", OneLine(author)),
            Self::UciOk => formatter.write_str("uciok"),
            Self::ReadyOk => formatter.write_str("readyok"),
            Self::BestMove(best) => best.fmt(formatter),
            Self::CopyProtection(verdict) => write!(formatter, "copyprotection {verdict}"),
            Self::Registration(verdict) => write!(formatter, "registration {verdict}"),
            Self::Info(info) => info.fmt(formatter),
            Self::Option(option) => option.fmt(formatter),
        }
    }
}
