//! The game as it was told to an engine last.
//!
//! Before every search an engine is told the whole game again. Only its end is new, so the text is kept and continued.

use std::fmt::Write as _;

use kiebitz_chess::{CastlingForm, GameHistory, Move, Position};

use crate::MoveText;
use crate::message::PositionMessage;

/// A game and the message that tells it.
#[derive(Debug, Default)]
pub(super) struct ToldGame {
    start: Position,
    moves: Vec<Move>,
    form: Option<CastlingForm>,
    text: String,
}

impl ToldGame {
    /// The message that tells an engine of a game so far, as [`PositionMessage::of`] would write it.
    pub(super) fn message(&mut self, game: &GameHistory, form: CastlingForm) -> &str {
        let known = self.moves.len();
        if known == 0
            || self.form != Some(form)
            || self.start != *game.start()
            || !game.moves().starts_with(&self.moves)
        {
            self.text = PositionMessage::of(game, form).to_string();
            self.start = game.start().clone();
            self.form = Some(form);
            self.moves.clear();
            self.moves.extend_from_slice(game.moves());
        } else {
            for (position, mv) in game.past().skip(known) {
                // Writing to a text does not fail.
                let _ = write!(self.text, " {}", MoveText::of(position, mv, form));
                self.moves.push(mv);
            }
        }
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays moves by their numbers, told after each to an engine that hears of two games in turn.
    #[test]
    fn what_is_told_is_the_whole_game() {
        let starts = [
            Position::default(),
            Position::from_fen(
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                kiebitz_chess::FenMode::Strict,
            )
            .unwrap(),
        ];
        let mut told = ToldGame::default();
        for seed in 0..40_usize {
            let mut game = GameHistory::new(starts[seed % 2].clone());
            for ply in 0..60 {
                let form = if ply < 50 { CastlingForm::KingMove } else { CastlingForm::KingTakesRook };
                assert_eq!(told.message(&game, form), PositionMessage::of(&game, form).to_string());
                let moves = game.position().legal_moves();
                let Some(&mv) = moves.get((seed * 7 + ply * 13) % moves.len().max(1)) else { break };
                if ply % 9 == 5 {
                    // A move that is thought about and then not played.
                    let mut imagined = game.clone();
                    imagined.play(moves[0]);
                    assert_eq!(told.message(&imagined, form), PositionMessage::of(&imagined, form).to_string());
                }
                game.play(mv);
            }
        }
    }
}
