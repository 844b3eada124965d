//! What a graphical interface or a match manager says.

use std::fmt;

use super::{Go, Parsed, PositionMessage, parse_line};
use crate::complaint::{Complaint, excerpt};
use crate::word::{OneLine, Words};

/// A message to an engine.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum GuiMessage {
    /// Speak UCI and introduce yourself.
    Uci,
    /// Say more about yourself in `info string`, or no longer.
    Debug(bool),
    /// Answer `readyok` when everything so far is done.
    IsReady,
    /// Change an option.
    SetOption {
        /// Its name, which may contain spaces; case does not matter.
        name: String,
        /// Its new value; none for a button.
        value: Option<String>,
    },
    /// Who uses the engine.
    Register(Register),
    /// The next search belongs to another game.
    NewGame,
    /// What to look at.
    Position(PositionMessage),
    /// Search.
    Go(Box<Go>),
    /// Answer with the best move at once.
    Stop,
    /// The opponent played the move the engine has been pondering on.
    PonderHit,
    /// End the program.
    Quit,
}

/// An answer to an engine that wants to know its user.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Register {
    /// Not now.
    Later,
    /// A name and a code.
    As {
        /// Who.
        name: String,
        /// The code that came with the engine.
        code: String,
    },
}

const LEADING: [&str; 11] =
    ["uci", "debug", "isready", "setoption", "register", "ucinewgame", "position", "go", "stop", "ponderhit", "quit"];

impl GuiMessage {
    /// Reads a line. Never fails: see [`Parsed`].
    ///
    /// ```
    /// use kiebitz_uci::GuiMessage;
    ///
    /// assert_eq!(GuiMessage::parse("  please  ucinewgame\r\n").message, Some(GuiMessage::NewGame));
    /// ```
    #[must_use]
    pub fn parse(line: &str) -> Parsed<Self> {
        parse_line(line, &LEADING, |first, words| match first {
            "uci" => Some(Self::Uci),
            "debug" => read_debug(words),
            "isready" => Some(Self::IsReady),
            "setoption" => read_set_option(words),
            "register" => read_register(words).map(Self::Register),
            "ucinewgame" => Some(Self::NewGame),
            "position" => PositionMessage::read(words).map(Self::Position),
            "go" => Some(Self::Go(Box::new(Go::read(words)))),
            "stop" => Some(Self::Stop),
            "ponderhit" => Some(Self::PonderHit),
            _ => Some(Self::Quit),
        })
    }
}

fn read_debug(words: &mut Words<'_>) -> Option<GuiMessage> {
    match words.next() {
        Some("on") => Some(GuiMessage::Debug(true)),
        Some("off") => Some(GuiMessage::Debug(false)),
        Some(other) => {
            words.complain(Complaint::NotAllowed { field: "debug", token: excerpt(other) });
            None
        }
        None => {
            words.complain(Complaint::Missing { field: "debug" });
            None
        }
    }
}

fn read_set_option(words: &mut Words<'_>) -> Option<GuiMessage> {
    if let Some(word) = words.peek().filter(|&word| word != "name") {
        words.skip_unknown(word, |word| word == "name");
    }
    words.next();
    let name = words.text_until(|word| word == "value");
    if name.is_empty() {
        words.complain(Complaint::Missing { field: "name" });
        return None;
    }
    let value = words.next().map(|_| words.rest());
    Some(GuiMessage::SetOption { name, value })
}

fn read_register(words: &mut Words<'_>) -> Option<Register> {
    match words.next() {
        Some("later") => Some(Register::Later),
        Some("name") => {
            let name = words.text_until(|word| word == "code");
            if words.next().is_none() {
                words.complain(Complaint::Missing { field: "code" });
            }
            Some(Register::As { name, code: words.rest() })
        }
        Some(unknown) => {
            words.skip_unknown(unknown, |_| false);
            None
        }
        None => {
            words.complain(Complaint::Missing { field: "name" });
            None
        }
    }
}

impl fmt::Display for GuiMessage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uci => formatter.write_str("uci"),
            Self::Debug(true) => formatter.write_str("debug on"),
            Self::Debug(false) => formatter.write_str("debug off"),
            Self::IsReady => formatter.write_str("isready"),
            Self::SetOption { name, value: None } => write!(formatter, "setoption name {}", OneLine(name)),
            Self::SetOption { name, value: Some(value) } => {
                write!(formatter, "setoption name {} value {}", OneLine(name), OneLine(value))
            }
            Self::Register(Register::Later) => formatter.write_str("register later"),
            Self::Register(Register::As { name, code }) => {
                write!(formatter, "register name {} code {}", OneLine(name), OneLine(code))
            }
            Self::NewGame => formatter.write_str("ucinewgame"),
            Self::Position(position) => position.fmt(formatter),
            Self::Go(go) => go.fmt(formatter),
            Self::Stop => formatter.write_str("stop"),
            Self::PonderHit => formatter.write_str("ponderhit"),
            Self::Quit => formatter.write_str("quit"),
        }
    }
}
