//! Writes games in the export format of the PGN standard: roster first, one empty line, lines under 80 columns.

use std::fmt::{self, Write as _};
use std::io;

use kiebitz_chess::{Color, Move, Position, San};

use crate::comment::Comment;
use crate::game::{self, Game, NodeId};
use crate::marker;

/// Longest line of movetext, in characters. A single longer word (a command in a comment) is not broken.
const LINE_WIDTH: usize = 79;

/// Writes a game, followed by an empty line so that games can follow each other.
///
/// # Errors
/// When writing fails.
pub fn write_game(writer: &mut impl io::Write, game: &Game) -> io::Result<()> {
    write!(writer, "{game}\n\n")
}

impl fmt::Display for Game {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "{}", self.tags())?;
        let mut text = Wrapped::new(formatter);
        write_moves(self, &mut text)?;
        text.word(&marker::write(self.outcome()))?;
        text.finish()
    }
}

/// What is still to be written, the next on top.
enum Task {
    /// What follows a move; `numbered` if the next move needs its number whoever plays it.
    Continue {
        after: NodeId,
        position: Position,
        numbered: bool,
    },
    /// A variation, from the position it starts in.
    Variation {
        first: NodeId,
        position: Position,
    },
    Close,
}

fn write_moves(game: &Game, text: &mut Wrapped<'_, '_>) -> fmt::Result {
    write_comments(game.comments(NodeId::ROOT), text)?;
    let mut tasks = vec![Task::Continue { after: NodeId::ROOT, position: game.start().clone(), numbered: true }];
    while let Some(task) = tasks.pop() {
        match task {
            Task::Close => text.close(),
            Task::Variation { first, mut position } => {
                text.open();
                write_comments(game.introduction(first), text)?;
                let numbered = write_move(game, first, &mut position, true, text)?;
                tasks.push(Task::Close);
                tasks.push(Task::Continue { after: first, position, numbered });
            }
            Task::Continue { mut after, mut position, mut numbered } => {
                while let Some(next) = game.next(after) {
                    let mut variations: Vec<NodeId> = game.children(after).skip(1).collect();
                    let before = if variations.is_empty() { None } else { Some(position.clone()) };
                    numbered = write_move(game, next, &mut position, numbered, text)?;
                    after = next;
                    if let Some(before) = before {
                        tasks.push(Task::Continue { after, position, numbered: true });
                        variations.reverse();
                        let variation = |first| Task::Variation { first, position: before.clone() };
                        tasks.extend(variations.into_iter().map(variation));
                        break;
                    }
                }
            }
        }
    }
    Ok(())
}

/// Writes a move and plays it; tells whether the next move needs its number.
fn write_move(
    game: &Game,
    id: NodeId,
    position: &mut Position,
    numbered: bool,
    text: &mut Wrapped<'_, '_>,
) -> Result<bool, fmt::Error> {
    let black = position.side_to_move() == Color::Black;
    if numbered || !black {
        text.word(&format!("{}{}", position.fullmove_number(), if black { "..." } else { "." }))?;
    }
    let mv = game.move_at(id);
    let mut san = String::new();
    if mv == Move::NULL {
        san.push_str("--");
        game::play(position, mv);
    } else {
        write!(san, "{}", San::of(position, mv))?;
        game::play(position, mv);
        if position.is_check() {
            san.push(if position.has_legal_moves() { '+' } else { '#' });
        }
    }
    text.word(&san)?;
    for nag in game.nags(id) {
        text.word(&nag.to_string())?;
    }
    write_comments(game.comments(id), text)?;
    Ok(!game.comments(id).is_empty())
}

fn write_comments(comments: &[Comment], text: &mut Wrapped<'_, '_>) -> fmt::Result {
    for comment in comments {
        text.glue("{");
        for command in comment.commands() {
            text.word(&command.to_string())?;
        }
        for word in comment.text().split(' ').filter(|word| !word.is_empty()) {
            // A `%` in the first column would hide the line from other programs.
            text.word_on_line(word, word.starts_with('%'))?;
        }
        text.append("}");
    }
    Ok(())
}

/// Puts words into lines. The last word is held back, because a parenthesis or brace may still be glued to it.
struct Wrapped<'a, 'f> {
    out: &'a mut fmt::Formatter<'f>,
    /// The word that is held back, and what is to be glued to the front of the next.
    word: String,
    prefix: String,
    column: usize,
}

impl<'a, 'f> Wrapped<'a, 'f> {
    fn new(out: &'a mut fmt::Formatter<'f>) -> Self {
        Self { out, word: String::new(), prefix: String::new(), column: 0 }
    }

    /// Begins a new word.
    fn word(&mut self, word: &str) -> fmt::Result {
        self.flush()?;
        std::mem::swap(&mut self.word, &mut self.prefix);
        self.word.push_str(word);
        Ok(())
    }

    fn flush(&mut self) -> fmt::Result {
        if self.word.is_empty() {
            return Ok(());
        }
        let width = self.word.chars().count();
        if self.column > 0 && self.column + 1 + width > LINE_WIDTH {
            self.out.write_str("\n")?;
            self.column = 0;
        } else if self.column > 0 {
            self.out.write_str(" ")?;
            self.column += 1;
        }
        self.out.write_str(&self.word)?;
        self.column += width;
        self.word.clear();
        Ok(())
    }

    /// Begins a new word, on the same line as the last if it must.
    fn word_on_line(&mut self, word: &str, must: bool) -> fmt::Result {
        // With something glued to its front it cannot be the first of its line anyway.
        if must && self.prefix.is_empty() {
            self.word.push(' ');
            self.word.push_str(word);
            return Ok(());
        }
        self.word(word)
    }

    /// Adds to the last word.
    fn append(&mut self, text: &str) {
        self.word.push_str(text);
    }

    fn glue(&mut self, text: &str) {
        self.prefix.push_str(text);
    }

    fn open(&mut self) {
        self.glue("(");
    }

    fn close(&mut self) {
        self.append(")");
    }

    fn finish(mut self) -> fmt::Result {
        self.flush()?;
        self.out.write_str("\n")
    }
}
