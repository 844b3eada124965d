//! The Universal Chess Interface: its messages in both directions as typed values, and foreign engines as
//! processes that are started, asked, watched and, if need be, killed.
//!
//! | part | what it is |
//! |---|---|
//! | [`GuiMessage`], [`EngineMessage`] | everything the two sides can say; `Display` writes, `parse` reads |
//! | [`Complaint`] | what was wrong with a line that could be read all the same |
//! | [`MoveText`], [`resolve_line`] | moves stay text until a position says what they mean |
//! | [`EngineProcess`] | a program whose lines arrive stamped with their time; knows nothing of the protocol's order |
//! | [`Engine`] | the conversation: handshake, options, games, searches, and what an engine may do wrong |
//!
//! Our own engine reads [`GuiMessage`]s and writes [`EngineMessage`]s; a match manager does the reverse through
//! [`Engine`]; a conformance checker uses [`EngineProcess`] where it must break the order on purpose.
//!
//! ```
//! use kiebitz_uci::{EngineMessage, GuiMessage};
//!
//! let order = GuiMessage::parse("go wtime 60000 winc 600 searchmoves e2e4 d2d4");
//! assert_eq!(order.message.unwrap().to_string(), "go wtime 60000 winc 600 searchmoves e2e4 d2d4");
//! let answer = EngineMessage::parse("bestmove e2e4 ponder e7e5").faultless().unwrap();
//! assert_eq!(answer.to_string(), "bestmove e2e4 ponder e7e5");
//! ```
//!
//! **Invariants:** no bytes make the reading panic; no text can smuggle a second line into a message; no engine
//! can make us wait longer than a limit, hold more than a few megabytes or outlive its [`EngineProcess`].

mod affinity;
mod answer;
mod command;
mod complaint;
mod courtesy;
mod engine;
mod error;
mod incident;
mod latency;
mod limits;
mod message;
mod move_text;
mod process;
mod reader;
mod stderr;
mod word;
mod writer;

pub use affinity::{Pinning, available_cpus, pin_this_thread};
pub use answer::Answer;
pub use command::EngineCommand;
pub use complaint::Complaint;
pub use courtesy::{Courtesy, behave};
pub use engine::Engine;
pub use error::{Awaited, BestMoveProblem, EngineError, EngineProblem, Exit};
pub use incident::{Incident, Incidents};
pub use latency::{Latency, LatencySummary};
pub use limits::Limits;
pub use message::{
    BestMove, Bound, Clock, CurrentLine, EMPTY_TEXT, EngineMessage, Go, GuiMessage, Id, Info, OptionDeclaration,
    OptionError, OptionKind, Parsed, PositionError, PositionMessage, Register, ScoreReport, ScoreValue, StartPosition,
    Verdict, find_option,
};
pub use move_text::{IllegalLine, MoveText, resolve_line};
pub use process::{Direction, EngineProcess};
pub use reader::{Line, Received};
