//! The game so far: positions, moves, how it ended, and its score.

use std::fmt::Write as _;

use kiebitz_chess::{Claims, Color, Ending, GameHistory, Move, Outcome, Position};

/// Where the lines of a score are broken.
const COLUMNS: usize = 80;

/// A game and how it is written down.
pub(crate) struct ScoreSheet {
    game: GameHistory,
}

impl ScoreSheet {
    /// A game that has not begun.
    pub(crate) fn new(start: Position) -> Self {
        Self { game: GameHistory::new(start) }
    }

    /// The game with its past.
    pub(crate) fn game(&self) -> &GameHistory {
        &self.game
    }

    /// The position on the board.
    pub(crate) fn position(&self) -> &Position {
        self.game.position()
    }

    /// The move that led to it.
    pub(crate) fn last_move(&self) -> Option<Move> {
        self.game.moves().last()
    }

    /// Plays a legal move.
    pub(crate) fn push(&mut self, mv: Move) {
        self.game.play(mv);
    }

    /// Takes the last move back and says whose it was.
    pub(crate) fn pop(&mut self) -> Option<Color> {
        self.game.undo()?;
        Some(self.position().side_to_move())
    }

    /// Who made each of the moves.
    pub(crate) fn movers(&self) -> impl Iterator<Item = Color> {
        self.game.past().map(|(position, _)| position.side_to_move())
    }

    /// All legal moves as written in a score, broken into lines.
    pub(crate) fn legal_moves(&self) -> String {
        let position = self.position();
        wrapped(position.legal_moves().into_iter().map(|mv| position.san(mv).to_string()))
    }

    /// A move with its number, such as `12... Nf6`.
    pub(crate) fn numbered(&self, mv: Move) -> String {
        numbered(self.position(), mv)
    }

    /// How the game has ended, if it has.
    ///
    /// A referee would wait for somebody to claim a repetition or fifty moves; a friendly game just ends.
    pub(crate) fn ending(&self) -> Option<Ending> {
        self.game.ending(Claims::Made)
    }

    /// The game as PGN; `resigned` when it was decided away from the board.
    pub(crate) fn pgn(&self, [white, black]: [&str; 2], resigned: Option<Outcome>) -> String {
        let outcome = resigned.or_else(|| self.ending().map(Ending::outcome));
        let result = outcome.map_or_else(|| "*".to_string(), |outcome| outcome.to_string());
        let mut text = format!(
            "[Event \"Game in the terminal\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"-\"]\n\
             [White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n"
        );
        let start = self.game.start();
        if *start != Position::default() {
            let variant = if start.is_chess960() { "[Variant \"Chess960\"]\n" } else { "" };
            // Writing to a string cannot fail.
            let _ = write!(text, "{variant}[SetUp \"1\"]\n[FEN \"{start}\"]\n");
        }
        let words = self.game.past().enumerate().map(|(index, (position, mv))| {
            let needs_number = index == 0 || position.side_to_move() == Color::White;
            if needs_number { numbered(position, mv) } else { position.san(mv).to_string() }
        });
        text + "\n" + &wrapped(words.chain([result])) + "\n"
    }
}

fn numbered(position: &Position, mv: Move) -> String {
    let dots = if position.side_to_move() == Color::White { "." } else { "..." };
    format!("{}{dots} {}", position.fullmove_number(), position.san(mv))
}

fn wrapped(words: impl Iterator<Item = String>) -> String {
    let mut text = String::new();
    let mut column = 0;
    for word in words {
        if column > 0 {
            let fits = column + 1 + word.len() < COLUMNS;
            text.push(if fits { ' ' } else { '\n' });
            column = if fits { column + 1 } else { 0 };
        }
        column += word.len();
        text.push_str(&word);
    }
    text
}
