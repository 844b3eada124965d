//! Moves that change more than one piece on two squares: preferred by chance, and counted. The generator of numbers stands beside this
//! module, wherever a test puts it.

use kiebitz_chess::{Move, MoveKind, Position};

use super::random_games::{self, SplitMix};

/// How often a walk came by such moves.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct RareMoves {
    castlings: usize,
    /// Of these, with a king not on the e-file or a rook not in a corner.
    chess960_castlings: usize,
    en_passants: usize,
    promotions: usize,
    null_moves: usize,
}

impl RareMoves {
    /// What a move in a position adds.
    pub(crate) fn of(position: &Position, mv: Move) -> Self {
        let castles = mv.castling().is_some();
        Self {
            castlings: usize::from(castles),
            chess960_castlings: usize::from(castles && position.is_chess960()),
            en_passants: usize::from(mv.kind() == MoveKind::EnPassant),
            promotions: usize::from(mv.promotion().is_some()),
            null_moves: 0,
        }
    }

    /// What a null move adds.
    pub(crate) fn null_move() -> Self {
        Self { null_moves: 1, ..Self::default() }
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.castlings += other.castlings;
        self.chess960_castlings += other.chess960_castlings;
        self.en_passants += other.en_passants;
        self.promotions += other.promotions;
        self.null_moves += other.null_moves;
    }

    /// Fails if a kind is missing: then a law was not tried on it.
    pub(crate) fn assert_all(self, what: &str) {
        let Self { castlings, chess960_castlings, en_passants, promotions, null_moves } = self;
        let kinds = [castlings - chess960_castlings, chess960_castlings, en_passants, promotions, null_moves];
        assert!(kinds.iter().all(|&count| count > 0), "{what}: {self:?}");
    }
}

/// A random move; castling, en passant and promotions are preferred, for by chance alone dozens of games have no en passant.
pub(crate) fn rare_move(position: &Position, random: &mut SplitMix) -> Option<Move> {
    let is_rare = |mv: &Move| mv.castling().is_some() || mv.kind() == MoveKind::EnPassant || mv.promotion().is_some();
    let rare: Vec<Move> = position.legal_moves().iter().copied().filter(is_rare).collect();
    if random.below(2) == 0 && !rare.is_empty() {
        return random.choose(&rare).copied();
    }
    random_games::random_move(position, random)
}
