//! The game so far: positions, moves, how it ended, and its score.

use kiebitz_chess::{Claims, Color, Ending, GameHistory, Move, Outcome, Position};
use kiebitz_pgn::{Game, NodeId};

/// Where lists of moves are broken.
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
        self.game.moves().last().copied()
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
        let mut game = Game::new(self.game.start().clone());
        for (tag, value) in [("Event", "Game in the terminal"), ("Round", "-"), ("White", white), ("Black", black)] {
            game.set_tag(tag, value);
        }
        game.set_outcome(resigned.or_else(|| self.ending().map(Ending::outcome)));
        let mut last = NodeId::ROOT;
        for &mv in self.game.moves() {
            // Every move of the history is legal where it stands.
            let Some(node) = game.add(last, mv) else { break };
            last = node;
        }
        game.to_string()
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
