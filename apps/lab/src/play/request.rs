//! What a person typed.

/// One line of input, understood as far as that is possible without a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// An empty line.
    Nothing,
    /// Everything that is no command is taken for a move.
    Move(String),
    /// Explain the commands.
    Help,
    /// List the legal moves.
    Moves,
    /// Take back.
    Undo,
    /// Turn the board around.
    Flip,
    /// Show the position as FEN.
    Fen,
    /// Show the game as PGN.
    Pgn,
    /// Give up.
    Resign,
    /// Leave.
    Quit,
}

/// The answer to `help`.
pub(crate) const HELP: &str = "\
You can type
  e4, Nf3, O-O, e8=Q   a move as in a score sheet
  e2e4, e7e8q          or by its squares
  moves                list the legal moves
  undo                 take back your last move and the reply
  flip                 turn the board around
  fen, pgn             print the position or the game
  resign, quit         give up, or just leave";

impl Request {
    /// Reads one line; commands in any case.
    pub(crate) fn read(line: &str) -> Self {
        let text = line.trim();
        match text.to_lowercase().as_str() {
            "" => Self::Nothing,
            "help" | "?" => Self::Help,
            "moves" => Self::Moves,
            "undo" => Self::Undo,
            "flip" => Self::Flip,
            "fen" => Self::Fen,
            "pgn" => Self::Pgn,
            "resign" => Self::Resign,
            "quit" | "exit" | "q" => Self::Quit,
            _ => Self::Move(text.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_and_moves_are_told_apart() {
        assert_eq!(Request::read("  Undo \n"), Request::Undo);
        assert_eq!(Request::read("\n"), Request::Nothing);
        assert_eq!(Request::read(" Nf3\n"), Request::Move("Nf3".into()));
    }

    #[test]
    fn the_help_names_every_command() {
        for word in ["moves", "undo", "flip", "fen", "pgn", "resign", "quit"] {
            assert!(HELP.contains(word));
        }
    }
}
