//! Legal moves.
//!
//! Nothing illegal is ever generated: [`Legality`] finds the checkers and the pinning rays once, and every
//! piece's targets are intersected with what they allow. Pawns are moved all at once. The same generator
//! fills lists, counts without listing, and serves a searcher stage by stage.

mod generate;
mod legality;
mod side;
mod sink;

pub use legality::Legality;

use crate::attacks::sliders::with_sliders;
use crate::{Bitboard, Color, Move, MoveList, Position, Square};
use generate::{All, Generator, Noisy, Quiet};
use side::{BlackSide, WhiteSide};
use sink::{Counter, Lister, Sink};

/// Which moves a searcher asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Every legal move.
    All,
    /// Captures (en passant included) and promotions.
    Noisy,
    /// Everything else, castling included.
    Quiet,
}

impl Position {
    /// Checkers and pins of the side to move; computed once, it serves all stages of a node.
    #[inline]
    #[must_use]
    pub fn legality(&self) -> Legality {
        Legality::compute(self)
    }

    /// Every legal move.
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.collect_legal_moves(&mut list);
        list
    }

    /// Appends every legal move to a list that the caller may use again.
    #[inline]
    pub fn collect_legal_moves(&self, list: &mut MoveList) {
        with_sliders!(|sliders| {
            let legality = Legality::compute(self);
            let mut sink = Lister::new(list, self);
            generate_for_mover::<All, _, _>(sliders, self, &legality, Bitboard::ALL, &mut sink);
        });
    }

    /// Appends the legal moves of one stage.
    pub fn collect_stage(&self, stage: Stage, legality: &Legality, list: &mut MoveList) {
        with_sliders!(|sliders| {
            let sink = &mut Lister::new(list, self);
            let movers = Bitboard::ALL;
            match stage {
                Stage::All => generate_for_mover::<All, _, _>(sliders, self, legality, movers, sink),
                Stage::Noisy => {
                    generate_for_mover::<Noisy, _, _>(sliders, self, legality, movers, sink);
                }
                Stage::Quiet => {
                    generate_for_mover::<Quiet, _, _>(sliders, self, legality, movers, sink);
                }
            }
        });
    }

    /// Appends the legal moves of the pieces on `movers`.
    pub fn collect_moves_of(&self, movers: Bitboard, legality: &Legality, list: &mut MoveList) {
        with_sliders!(|sliders| {
            let sink = &mut Lister::new(list, self);
            generate_for_mover::<All, _, _>(sliders, self, legality, movers, sink);
        });
    }

    /// How many legal moves there are, without listing them.
    #[inline]
    #[must_use]
    pub fn count_legal_moves(&self) -> usize {
        with_sliders!(|sliders| {
            let legality = Legality::compute(self);
            let mut counter = Counter::default();
            generate_for_mover::<All, _, _>(sliders, self, &legality, Bitboard::ALL, &mut counter);
            counter.count()
        })
    }

    /// Whether any move is legal.
    #[must_use]
    pub fn has_legal_moves(&self) -> bool {
        self.count_legal_moves() > 0
    }

    /// Whether a move, from wherever it came, is legal here.
    #[must_use]
    pub fn is_legal(&self, mv: Move) -> bool {
        self.is_legal_with(mv, &self.legality())
    }

    /// As [`Self::is_legal`], for callers that already know checkers and pins.
    #[must_use]
    pub fn is_legal_with(&self, mv: Move, legality: &Legality) -> bool {
        if !self.board().color(self.side_to_move()).contains(mv.from()) {
            return false;
        }
        let mut list = MoveList::new();
        self.collect_moves_of(mv.from().bitboard(), legality, &mut list);
        list.contains(&mv)
    }

    /// Whether the side to move can legally take en passant on this square.
    pub(crate) fn can_take_en_passant(&self, square: Square) -> bool {
        with_sliders!(|sliders| legality::en_passant_takers(sliders, self, square).any())
    }
}

/// Chooses the color once, so that directions and ranks below are constants.
#[inline(always)]
fn generate_for_mover<G: Generator, S: crate::attacks::sliders::Sliders, K: Sink>(
    sliders: S,
    position: &Position,
    legality: &Legality,
    movers: Bitboard,
    sink: &mut K,
) {
    match position.side_to_move {
        Color::White => generate::run::<WhiteSide, G, S, K>(sliders, position, legality, movers, sink),
        Color::Black => generate::run::<BlackSide, G, S, K>(sliders, position, legality, movers, sink),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perft::perft;

    /// A published count that includes an en-passant capture in front of a check which no game explains. Reading
    /// such a FEN drops the chance; the generator knows what to do with it all the same.
    #[test]
    fn en_passant_may_block_a_check() {
        let mut position: Position = "8/8/8/1k6/3Pp3/8/8/4KQ2 b - - 0 1".parse().unwrap();
        position.en_passant = Some(Square::D3);
        assert_eq!([1, 2, 3].map(|depth| perft(&position, depth)), [6, 121, 711]);
    }
}
