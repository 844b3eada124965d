//! How the programs of the ladder read their arguments and end.

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

use kiebitz_chess::{Color, FenError, Move, Position};

/// One program of the ladder: its name and what it does when nothing else is asked.
#[derive(Clone, Copy, Debug)]
pub struct Lesson {
    /// The name after `--example`.
    pub name: &'static str,
    /// One sentence for `--help`.
    pub purpose: &'static str,
    /// The position to look at.
    pub fen: &'static str,
    /// How deep to search, in plies; none if the lesson does not search.
    pub depth: Option<Depth>,
}

/// A depth with the largest value that is still reasonable to ask for.
#[derive(Clone, Copy, Debug)]
pub struct Depth {
    /// When nothing else is asked.
    pub default: u32,
    /// Beyond this the program takes longer than a lesson should.
    pub largest: u32,
}

/// Prints the position that a lesson is about.
fn show(output: &mut dyn Write, position: &Position) -> io::Result<()> {
    writeln!(output, "{}\n{position}\n{} to move\n", position.board(), side(position))
}

fn side(position: &Position) -> &'static str {
    match position.side_to_move() {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// The best move as written in a score sheet.
#[must_use]
pub fn move_text(position: &Position, mv: Option<Move>) -> String {
    mv.map_or_else(|| "none".to_string(), |mv| position.san(mv).to_string())
}

/// What is wrong with the arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgumentError {
    /// The position cannot be read.
    Position(String, FenError),
    /// The depth is not in the lesson's range.
    Depth(u32, u32),
    /// More arguments than a position and a depth, most often a FEN without quotes.
    TooMany,
    /// The lesson does not search.
    NoDepth(String),
}

impl fmt::Display for ArgumentError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Position(text, error) => write!(formatter, "cannot read the position {text:?}: {error}"),
            Self::Depth(depth, largest) => write!(formatter, "depth {depth} is not between 1 and {largest}"),
            Self::TooMany => formatter.write_str("too many arguments; a FEN has spaces, so put it in quotes"),
            Self::NoDepth(text) => write!(formatter, "this program does not search, so it has no use for {text:?}"),
        }
    }
}

impl std::error::Error for ArgumentError {}

/// Teaches a lesson on the position and depth of the command line: reads the arguments, shows the position, calls
/// `teach`, and reports what is wrong. A depth of 0 is handed to lessons that do not search.
pub fn run(lesson: &Lesson, teach: impl FnOnce(&mut dyn Write, &Position, u32) -> io::Result<()>) -> ExitCode {
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
    let mut output = io::stdout().lock();
    if arguments.iter().any(|argument| argument == "--help" || argument == "-h") {
        return ending(write!(output, "{}", help(lesson)));
    }
    match read(lesson, &arguments) {
        Ok((position, depth)) => {
            let shown = show(&mut output, &position);
            ending(shown.and_then(|()| match position.ending() {
                Some(ending) if lesson.depth.is_some() => writeln!(output, "Nothing to search: {ending}."),
                _ => teach(&mut output, &position, depth),
            }))
        }
        Err(error) => {
            // Nobody is left to tell if this fails.
            let _ = writeln!(io::stderr(), "error: {error}\n\n{}", help(lesson).trim_end());
            ExitCode::FAILURE
        }
    }
}

/// A closed pipe means that whoever reads our output has seen enough.
fn ending(result: io::Result<()>) -> ExitCode {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}

fn help(lesson: &Lesson) -> String {
    let Lesson { name, purpose, fen, depth } = lesson;
    let word = if depth.is_some() { " [DEPTH]" } else { "" };
    let mut text = format!(
        "{purpose}\n\nUsage: cargo run --release -p kiebitz-examples --example {name} -- [FEN]{word}\n\n  \
         FEN    the position, in quotes; otherwise\n         \"{fen}\"\n"
    );
    if let Some(Depth { default, largest }) = depth {
        text += &format!("  DEPTH  how many plies to look ahead, 1 to {largest}; otherwise {default}\n");
    }
    text
}

/// A number is the depth, anything else the position; both may be left out.
fn read(lesson: &Lesson, arguments: &[String]) -> Result<(Position, u32), ArgumentError> {
    let mut fen = None;
    let mut depth = None;
    for argument in arguments {
        if let Ok(number) = argument.parse::<u32>() {
            let allowed = lesson.depth.ok_or_else(|| ArgumentError::NoDepth(argument.clone()))?;
            if !(1..=allowed.largest).contains(&number) {
                return Err(ArgumentError::Depth(number, allowed.largest));
            }
            if depth.replace(number).is_some() {
                return Err(ArgumentError::TooMany);
            }
        } else if fen.replace(argument.as_str()).is_some() {
            return Err(ArgumentError::TooMany);
        }
    }
    let fen = fen.unwrap_or(lesson.fen);
    let position = fen.parse().map_err(|error| ArgumentError::Position(fen.to_owned(), error))?;
    Ok((position, depth.or(lesson.depth.map(|depth| depth.default)).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LESSON: Lesson = Lesson {
        name: "0_test",
        purpose: "Tests.",
        fen: "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
        depth: Some(Depth { default: 3, largest: 5 }),
    };

    fn read(arguments: &[&str]) -> Result<(String, u32), ArgumentError> {
        let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
        super::read(&LESSON, &arguments).map(|(position, depth)| (position.to_string(), depth))
    }

    #[test]
    fn everything_may_be_left_out() {
        let bare = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
        assert_eq!(read(&[]), Ok((LESSON.fen.into(), 3)));
        assert_eq!(read(&["5"]), Ok((LESSON.fen.into(), 5)));
        assert_eq!(read(&[bare]), Ok((bare.into(), 3)));
        assert_eq!(read(&["2", bare]), Ok((bare.into(), 2)));
    }

    #[test]
    fn mistakes_are_named() {
        assert_eq!(read(&["0"]), Err(ArgumentError::Depth(0, 5)));
        assert_eq!(read(&["6"]), Err(ArgumentError::Depth(6, 5)));
        assert_eq!(read(&["1", "2"]), Err(ArgumentError::TooMany));
        let unquoted: Vec<&str> = LESSON.fen.split(' ').collect();
        assert_eq!(read(&unquoted), Err(ArgumentError::TooMany));
        assert!(matches!(read(&["rubbish"]), Err(ArgumentError::Position(text, _)) if text == "rubbish"));
        let still = Lesson { depth: None, ..LESSON };
        assert_eq!(super::read(&still, &["3".into()]), Err(ArgumentError::NoDepth("3".into())));
    }

    #[test]
    fn the_help_tells_how_to_call() {
        assert!(help(&LESSON).contains("--example 0_test -- [FEN] [DEPTH]"));
        assert!(!help(&Lesson { depth: None, ..LESSON }).contains("DEPTH"));
    }
}
