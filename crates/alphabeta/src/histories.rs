//! What moves did elsewhere in the tree: tables that order moves and steer reductions.
//!
//! Every number is pulled towards a bonus in proportion to how far it already is: `h += bonus - h·|bonus| / limit`, so
//! that it never leaves ±limit and forgets at the rate at which it learns.

use kiebitz_chess::{Bitboard, Color, Move, Piece, PieceKind, Position, Square};

/// No history leaves this range.
const HISTORY_LIMIT: i32 = 16_384;

/// A piece and the square it went to: the index by which moves follow one another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PieceTo(u16);

impl PieceTo {
    /// How many there are, [`Self::NONE`] not counted.
    pub(crate) const COUNT: usize = Piece::COUNT * Square::COUNT;
    /// Stands for a null move and for what was before the root.
    pub(crate) const NONE: Self = Self(Self::COUNT as u16);

    /// The mover's piece and target.
    #[inline]
    pub(crate) fn of(position: &Position, mv: Move) -> Self {
        let kind = position.board().kind_at(mv.from());
        let piece = kind.map_or(0, |kind| Piece::new(position.side_to_move(), kind).index());
        Self((piece * Square::COUNT + mv.to().index()) as u16)
    }

    #[inline]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// How many tables of quiet moves a color has.
const QUIET_TABLES: usize = 4;
/// How many pawn structures are told apart.
const PAWN_STRUCTURES: usize = 1024;

/// The tables of one thread.
#[derive(Debug)]
pub(crate) struct Histories {
    /// By color, origin, target, and whether either square is attacked by pawns.
    quiet: Vec<[[i16; Square::COUNT]; Square::COUNT]>,
    /// By piece, target and victim.
    capture: Vec<[i16; PieceKind::COUNT]>,
    /// By the earlier move and this one.
    continuation: Vec<[i16; PieceTo::COUNT]>,
    /// By pawn structure and move.
    pawn: Vec<[i16; PieceTo::COUNT]>,
}

impl Default for Histories {
    fn default() -> Self {
        Self {
            quiet: vec![[[0; Square::COUNT]; Square::COUNT]; Color::COUNT * QUIET_TABLES],
            capture: vec![[0; PieceKind::COUNT]; PieceTo::COUNT],
            continuation: vec![[0; PieceTo::COUNT]; PieceTo::COUNT + 1],
            pawn: vec![[0; PieceTo::COUNT]; PAWN_STRUCTURES],
        }
    }
}

/// Moves a number towards a bonus, within ±limit.
#[inline]
pub(crate) fn pull(slot: &mut i16, bonus: i32, limit: i32) {
    let old = i32::from(*slot);
    let bonus = bonus.clamp(-limit, limit);
    *slot = (old + bonus - old * bonus.abs() / limit) as i16;
}

/// What the enemy's pawns attack, for telling flights and blunders from other quiet moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Threats(pub(crate) Bitboard);

impl Histories {
    /// Forgets everything, in the same memory: fresh memory would be made page by page while the next search runs.
    pub(crate) fn clear(&mut self) {
        self.quiet.as_flattened_mut().as_flattened_mut().fill(0);
        self.capture.as_flattened_mut().fill(0);
        self.continuation.as_flattened_mut().fill(0);
        self.pawn.as_flattened_mut().fill(0);
    }

    /// Which of a color's tables has the move.
    #[inline(always)]
    fn quiet_table(threats: Threats, mv: Move) -> usize {
        let from = usize::from(threats.0.contains(mv.from()));
        let to = usize::from(threats.0.contains(mv.to()));
        from * 2 + to
    }

    #[inline]
    pub(crate) fn quiet(&self, color: Color, threats: Threats, mv: Move) -> i32 {
        let table = color.index() * QUIET_TABLES + Self::quiet_table(threats, mv);
        i32::from(self.quiet[table][mv.from().index()][mv.to().index()])
    }

    #[inline]
    pub(crate) fn learn_quiet(&mut self, color: Color, threats: Threats, mv: Move, bonus: i32) {
        let table = color.index() * QUIET_TABLES + Self::quiet_table(threats, mv);
        pull(&mut self.quiet[table][mv.from().index()][mv.to().index()], bonus, HISTORY_LIMIT);
    }

    #[inline]
    pub(crate) fn capture(&self, moved: PieceTo, victim: PieceKind) -> i32 {
        i32::from(self.capture[moved.index()][victim.index()])
    }

    #[inline]
    pub(crate) fn learn_capture(&mut self, moved: PieceTo, victim: PieceKind, bonus: i32) {
        pull(&mut self.capture[moved.index()][victim.index()], bonus, HISTORY_LIMIT);
    }

    #[inline]
    pub(crate) fn continuation(&self, earlier: PieceTo, moved: PieceTo) -> i32 {
        i32::from(self.continuation[earlier.index()][moved.index()])
    }

    #[inline]
    pub(crate) fn learn_continuation(&mut self, earlier: PieceTo, moved: PieceTo, bonus: i32) {
        pull(&mut self.continuation[earlier.index()][moved.index()], bonus, HISTORY_LIMIT);
    }

    #[inline]
    pub(crate) fn learn_pawn(&mut self, position: &Position, moved: PieceTo, bonus: i32) {
        pull(&mut self.pawn[position.pawn_key().0 as usize % PAWN_STRUCTURES][moved.index()], bonus, HISTORY_LIMIT);
    }
}

/// What the histories say about the quiet moves of one position: their rows are looked up once, and not for every move.
pub(crate) struct QuietRecords<'a> {
    threats: Threats,
    quiet: &'a [[[i16; Square::COUNT]; Square::COUNT]],
    /// After the last move, the one before, and the mover's second last.
    continuation: [&'a [i16; PieceTo::COUNT]; 3],
    pawn: &'a [i16; PieceTo::COUNT],
}

impl Histories {
    #[inline]
    pub(crate) fn quiet_records(
        &self,
        position: &Position,
        threats: Threats,
        earlier: [PieceTo; 3],
    ) -> QuietRecords<'_> {
        let first = position.side_to_move().index() * QUIET_TABLES;
        QuietRecords {
            threats,
            quiet: &self.quiet[first..first + QUIET_TABLES],
            continuation: earlier.map(|earlier| &self.continuation[earlier.index()]),
            pawn: &self.pawn[position.pawn_key().0 as usize % PAWN_STRUCTURES],
        }
    }
}

impl QuietRecords<'_> {
    /// By origin and target.
    #[inline(always)]
    pub(crate) fn quiet(&self, mv: Move) -> i32 {
        i32::from(self.quiet[Histories::quiet_table(self.threats, mv)][mv.from().index()][mv.to().index()])
    }

    /// As an answer to what was played before.
    #[inline(always)]
    pub(crate) fn continuation(&self, moved: PieceTo) -> i32 {
        let [last, before, second] = self.continuation.map(|row| i32::from(row[moved.index()]));
        last + before + second / 2
    }

    /// Among these pawns.
    #[inline(always)]
    pub(crate) fn pawn(&self, moved: PieceTo) -> i32 {
        i32::from(self.pawn[moved.index()])
    }
}

/// What a capture takes; a pawn when promoting without one, which is only an index.
#[inline]
pub(crate) fn victim(position: &Position, mv: Move) -> PieceKind {
    position.board().kind_at(mv.to()).unwrap_or(PieceKind::Pawn)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn histories_stay_in_range_and_forget() {
        let mut slot = 0;
        for _ in 0..1000 {
            pull(&mut slot, 2000, HISTORY_LIMIT);
            assert!(i32::from(slot) <= HISTORY_LIMIT);
        }
        assert!(i32::from(slot) > HISTORY_LIMIT * 9 / 10);
        for _ in 0..20 {
            pull(&mut slot, -2000, HISTORY_LIMIT);
        }
        assert!(slot < 0);
    }
}
