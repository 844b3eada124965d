//! A comment of a game: commands for programs and text for people.

use std::fmt;
use std::time::Duration;

use crate::annotation::{BoardMark, Command, EngineNote, Evaluation, RawComment};
use crate::encoding;

/// A comment, its commands taken out of the text.
///
/// **Invariant:** the text is one line without braces and holds no well-formed command, so that what is written reads
/// back as the same comment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Comment {
    commands: Vec<Command>,
    text: String,
}

impl Comment {
    /// Takes a text apart. PGN has no way to write braces inside a comment: they become parentheses.
    ///
    /// ```
    /// use kiebitz_pgn::Comment;
    /// let comment = Comment::new("best [%eval 0.17] by test");
    /// assert_eq!(comment.text(), "best by test");
    /// assert_eq!(comment.to_string(), "[%eval 0.17] best by test");
    /// ```
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut text = encoding::one_line(&text.replace('{', "(").replace('}', ")"));
        let mut commands = Vec::new();
        // Taking a command out may bring the halves of another together.
        loop {
            let mut rest = String::with_capacity(text.len());
            let mut kept = 0;
            for (range, command) in RawComment(text.as_bytes()).commands() {
                commands.push(command);
                rest.push_str(&text[kept..range.start]);
                rest.push(' ');
                kept = range.end;
            }
            if kept == 0 {
                return Self { commands, text };
            }
            rest.push_str(&text[kept..]);
            text = encoding::one_line(&rest);
        }
    }

    /// Decodes and takes apart a comment from a file.
    #[must_use]
    pub fn from_raw(raw: RawComment<'_>) -> Self {
        Self::new(&encoding::decode(raw.0))
    }

    /// A comment of commands alone.
    #[must_use]
    pub fn from_commands(commands: Vec<Command>) -> Self {
        Self { commands, text: String::new() }
    }

    /// What is left for people to read.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The commands, in order.
    #[must_use]
    pub fn commands(&self) -> &[Command] {
        &self.commands
    }

    /// Whether there is nothing in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.commands.is_empty() && self.text.is_empty()
    }

    /// The first evaluation.
    #[must_use]
    pub fn evaluation(&self) -> Option<Evaluation> {
        self.commands.iter().find_map(|command| match command {
            Command::Evaluation(evaluation) => Some(*evaluation),
            _ => None,
        })
    }

    /// What the mover has left on the clock.
    #[must_use]
    pub fn clock(&self) -> Option<Duration> {
        self.commands.iter().find_map(|command| match command {
            Command::Clock(time) => Some(*time),
            _ => None,
        })
    }

    /// How long the mover thought.
    #[must_use]
    pub fn elapsed(&self) -> Option<Duration> {
        self.commands.iter().find_map(|command| match command {
            Command::Elapsed(time) => Some(*time),
            _ => None,
        })
    }

    /// All arrows and marked squares.
    pub fn marks(&self) -> impl Iterator<Item = BoardMark> {
        self.commands
            .iter()
            .flat_map(|command| match command {
                Command::Arrows(marks) | Command::Squares(marks) => marks.as_slice(),
                _ => &[],
            })
            .copied()
    }

    /// What an engine match wrote about the move.
    #[must_use]
    pub fn engine_note(&self) -> Option<EngineNote> {
        EngineNote::read(self.text.as_bytes())
    }
}

impl fmt::Display for Comment {
    /// Commands first, without braces.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, command) in self.commands.iter().enumerate() {
            write!(formatter, "{}{command}", if index == 0 { "" } else { " " })?;
        }
        if !self.commands.is_empty() && !self.text.is_empty() {
            formatter.write_str(" ")?;
        }
        formatter.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_read_back_as_written() {
        for text in [
            "",
            "plain",
            "a [%clk 0:00:01] b [%eval #2] c",
            "[%eval bad] [%eval 0.1] [%eval 0.2]",
            "[%eval [%clk 0:00:01] 0.5]",
            "braces {in} text",
            " lines\n\nand\ttabs ",
            "[%cal Ga1b2,Rc3d4] [%csl Ye4]",
        ] {
            let comment = Comment::new(text);
            assert_eq!(Comment::new(&comment.to_string()), comment, "{text}");
            assert!(!comment.text().contains(['{', '}', '\n']));
        }
        assert_eq!(Comment::new("[%eval [%clk 0:00:01] 0.5]").commands().len(), 2);
        assert_eq!(Comment::new("[%cal Ga1b2] [%csl Ye4]").marks().count(), 2);
    }
}
