//! A game from its start to now.

use crate::{Ending, Move, Position};

/// Which endings count that a player would have to claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claims {
    /// Threefold repetition and fifty moves end the game, as in engine matches and on servers.
    Made,
    /// Only the fifth repetition and seventy-five moves do, as the laws of chess have it unasked.
    Waived,
}

/// A position with its past: what repetition and taking back need.
///
/// ```
/// use kiebitz_chess::{Claims, Ending, GameHistory};
///
/// let mut game = GameHistory::default();
/// for san in ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"] {
///     game.play(game.position().parse_san(san)?);
/// }
/// assert_eq!(game.occurrences(), 3);
/// assert_eq!(game.ending(Claims::Made), Some(Ending::ThreefoldRepetition));
/// assert_eq!(game.ending(Claims::Waived), None);
/// # Ok::<(), kiebitz_chess::SanError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct GameHistory {
    current: Position,
    /// Each earlier position.
    past: Vec<Position>,
    /// The moves that left them.
    moves: Vec<Move>,
}

/// Plies without capture or pawn move after which a draw can be claimed.
const FIFTY_MOVES: u16 = 100;
/// Plies without capture or pawn move after which the game is drawn unasked.
const SEVENTY_FIVE_MOVES: u16 = 150;

impl GameHistory {
    /// A game that begins here.
    #[must_use]
    pub fn new(start: Position) -> Self {
        Self { current: start, past: Vec::new(), moves: Vec::new() }
    }

    /// The position now.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.current
    }

    /// The position the game began with.
    #[must_use]
    pub fn start(&self) -> &Position {
        self.past.first().unwrap_or(&self.current)
    }

    /// The moves so far.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Each earlier position with the move played in it.
    pub fn past(&self) -> impl ExactSizeIterator<Item = (&Position, Move)> + '_ {
        self.past.iter().zip(self.moves.iter().copied())
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        let next = self.current.after(mv);
        self.past.push(std::mem::replace(&mut self.current, next));
        self.moves.push(mv);
    }

    /// Takes the last move back and returns it.
    pub fn undo(&mut self) -> Option<Move> {
        self.current = self.past.pop()?;
        self.moves.pop()
    }

    /// How often the current position has stood on the board, now included.
    #[must_use]
    pub fn occurrences(&self) -> usize {
        let key = self.current.key();
        let reversible = usize::from(self.current.halfmove_clock());
        let earlier = self.past.iter().rev().take(reversible).skip(1).step_by(2);
        1 + earlier.filter(|position| position.key() == key && position.repeats(&self.current)).count()
    }

    /// Whether and why the game is over.
    #[must_use]
    pub fn ending(&self, claims: Claims) -> Option<Ending> {
        let by_position = self.current.ending();
        if by_position.is_some() {
            return by_position;
        }
        let clock = self.current.halfmove_clock();
        let occurrences = self.occurrences();
        if clock >= SEVENTY_FIVE_MOVES {
            Some(Ending::SeventyFiveMoves)
        } else if occurrences >= 5 {
            Some(Ending::FivefoldRepetition)
        } else if claims == Claims::Waived {
            None
        } else if clock >= FIFTY_MOVES {
            Some(Ending::FiftyMoves)
        } else if occurrences >= 3 {
            Some(Ending::ThreefoldRepetition)
        } else {
            None
        }
    }
}

impl Position {
    /// Whether two positions are the same for repetition: everything but the clocks.
    #[must_use]
    pub fn repeats(&self, other: &Self) -> bool {
        self.board() == other.board()
            && self.side_to_move() == other.side_to_move()
            && self.castling_rooks() == other.castling_rooks()
            && self.en_passant() == other.en_passant()
    }
}
