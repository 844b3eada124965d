//! What decides a game: everything that its moves depend on besides the player.

use kiebitz_tournament::{AdjudicationRules, DrawRule, ResignRule, ResignSides};
use serde::{Deserialize, Serialize};

/// How games are played. Two runs with equal rules, player and starts play equal games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Rules {
    /// Decides openings, game by game.
    pub seed: u64,
    /// No new iteration begins after so many nodes.
    pub soft_nodes: u64,
    /// No search goes beyond so many nodes.
    pub hard_nodes: u64,
    /// Size of the transposition table of one game, in mebibytes; another size can mean other moves.
    pub hash_mebibytes: usize,
    /// So many random moves come before a game, or one more.
    pub random_plies: usize,
    /// Nodes of the search that looks whether an opening is balanced; 0 takes every opening.
    pub opening_nodes: u64,
    /// The largest score, either way, of a balanced opening.
    pub opening_limit: u16,
    /// Both sides must see at least this score for a win, or at most its negation; 0 plays on to the mate.
    pub win_score: u16,
    /// So many moves in a row by each side.
    pub win_moves: u32,
    /// Both sides must see at most this score, either way, for a draw.
    pub draw_score: u16,
    /// So many moves in a row by each side; 0 plays on.
    pub draw_moves: u32,
    /// No draw before this move number.
    pub draw_from_move: u32,
    /// Moves by each side after which a game is a draw.
    pub longest: u32,
    /// Games in one shard.
    pub games_per_shard: u32,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            seed: 0,
            soft_nodes: 5_000,
            hard_nodes: 50_000,
            hash_mebibytes: 4,
            random_plies: 8,
            opening_nodes: 1_000,
            opening_limit: 300,
            win_score: 1_500,
            win_moves: 3,
            draw_score: 10,
            draw_moves: 8,
            draw_from_move: 40,
            longest: 200,
            games_per_shard: 1_000,
        }
    }
}

impl Rules {
    /// When games end that are decided.
    pub(crate) fn adjudication(&self) -> AdjudicationRules {
        AdjudicationRules {
            draw: (self.draw_moves > 0).then_some(DrawRule {
                from_move: self.draw_from_move,
                moves: self.draw_moves,
                score: self.draw_score.into(),
            }),
            resign: (self.win_score > 0).then_some(ResignRule {
                moves: self.win_moves,
                score: self.win_score.into(),
                sides: ResignSides::Both,
            }),
            longest: Some(self.longest.max(1)),
        }
    }
}
