//! What ends a conversation with an engine, or a game.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

use thiserror::Error;

use crate::message::OptionError;

/// What went wrong, and with whom.
#[derive(Debug, Error)]
#[error("{engine}: {problem}")]
pub struct EngineError {
    /// What the engine is called.
    pub engine: String,
    /// What went wrong.
    pub problem: Box<EngineProblem>,
}

impl EngineError {
    /// Whether the engine has to be restarted before it can be used again.
    #[must_use]
    pub fn is_fatal(&self) -> bool {
        match &*self.problem {
            EngineProblem::Spawn { .. }
            | EngineProblem::NoAnswer { .. }
            | EngineProblem::Died { .. }
            | EngineProblem::Flood { .. }
            | EngineProblem::Deaf { .. }
            | EngineProblem::Write(_) => true,
            EngineProblem::BestMove(_)
            | EngineProblem::Option(_)
            | EngineProblem::Affinity(_)
            | EngineProblem::NotSearching => false,
        }
    }
}

/// What can go wrong with an engine.
#[derive(Debug, Error)]
pub enum EngineProblem {
    /// The program could not be started.
    #[error("cannot start {}: {error}", program.display())]
    Spawn {
        /// The program.
        program: PathBuf,
        /// What the operating system says.
        error: io::Error,
    },
    /// It hangs.
    #[error("no {awaited} within {limit:?}{}", LastWords(stderr))]
    NoAnswer {
        /// What was waited for.
        awaited: Awaited,
        /// How long.
        limit: Duration,
        /// Its last lines on standard error.
        stderr: Vec<String>,
    },
    /// It ended, or closed its output, while something was awaited.
    #[error("ended with {exit} instead of {awaited}{}", LastWords(stderr))]
    Died {
        /// What was waited for.
        awaited: Awaited,
        /// How it ended.
        exit: Exit,
        /// Its last lines on standard error.
        stderr: Vec<String>,
    },
    /// It writes faster than anybody could want, or a line without end. It has been killed.
    #[error("floods us with output (more than {lines_per_second} lines per second, or a line without end)")]
    Flood {
        /// The limit.
        lines_per_second: u32,
    },
    /// It does not read its input.
    #[error("does not read its input within {limit:?}")]
    Deaf {
        /// How long was waited.
        limit: Duration,
    },
    /// Its input cannot be written.
    #[error("cannot be written to: {0}")]
    Write(io::Error),
    /// Its answer to a search is no legal move.
    #[error(transparent)]
    BestMove(#[from] BestMoveProblem),
    /// An option cannot be set so.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// It could not be held to its processors.
    #[error("cannot assign processors: {0}")]
    Affinity(io::Error),
    /// Somebody waited for an answer without having asked.
    #[error("is not searching")]
    NotSearching,
}

/// What was waited for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Awaited {
    /// The answer to `uci`.
    UciOk,
    /// The answer to `isready`.
    ReadyOk,
    /// The answer to `go` or `stop`.
    BestMove,
    /// The end of the program after `quit`.
    Exit,
    /// Nothing: we were about to speak.
    Nothing,
}

impl fmt::Display for Awaited {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::UciOk => "uciok",
            Self::ReadyOk => "readyok",
            Self::BestMove => "bestmove",
            Self::Exit => "exit",
            Self::Nothing => "listening",
        })
    }
}

/// Why a `bestmove` is none.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum BestMoveProblem {
    /// Not the form of a move.
    #[error("answers 'bestmove {text}', which is not a move, in {fen}")]
    Unreadable {
        /// What it said; empty if nothing followed.
        text: String,
        /// The position it was asked about.
        fen: String,
    },
    /// The form of a move, but not legal.
    #[error("answers with the illegal move {text} in {fen}")]
    Illegal {
        /// The move.
        text: String,
        /// The position it was asked about.
        fen: String,
    },
    /// `(none)` or `0000` although there are legal moves.
    #[error("answers with no move in {fen}")]
    NoMove {
        /// The position it was asked about.
        fen: String,
    },
}

/// How a program ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Exit {
    /// By itself, with this code; 0 means success.
    Code(i32),
    /// By a signal (Unix).
    Signal(i32),
    /// The operating system does not tell, or the program still runs without its output.
    Unknown,
}

impl From<ExitStatus> for Exit {
    fn from(status: ExitStatus) -> Self {
        #[cfg(unix)]
        if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
            return Self::Signal(signal);
        }
        status.code().map_or(Self::Unknown, Self::Code)
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(formatter, "exit code {code}"),
            Self::Signal(signal) => {
                // The same numbers on all Unix systems, except SIGBUS.
                let name = match signal {
                    4 => " (illegal instruction)",
                    6 => " (abort)",
                    8 => " (arithmetic error)",
                    9 => " (killed)",
                    11 => " (segmentation fault)",
                    15 => " (terminated)",
                    _ => "",
                };
                write!(formatter, "signal {signal}{name}")
            }
            Self::Unknown => formatter.write_str("closed output"),
        }
    }
}

/// The lines of standard error at the end of a message.
struct LastWords<'a>(&'a [String]);

impl fmt::Display for LastWords<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => Ok(()),
            lines => write!(formatter, "; its last words: {}", lines.join(" | ")),
        }
    }
}
