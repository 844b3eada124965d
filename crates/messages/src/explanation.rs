//! Why a move: sentences, each with the checked fact it was made from.

use serde::{Deserialize, Serialize};

use crate::{LineMove, ScoreView};

/// A move and what a search says about it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ComparedMove {
    /// The move.
    pub played: LineMove,
    /// What it leads to, for White.
    pub score: ScoreView,
    /// The line after it, the move itself first.
    pub line: Vec<LineMove>,
    /// Depth of the search, in plies.
    pub depth: u32,
}

/// How the share of a piece, or a term of the hand-crafted evaluation, changes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct TermChange {
    /// A piece and its square (`N f3`), or the name of a term.
    pub name: String,
    /// Its share before, in tenths of a centipawn for White.
    pub before_tenths: i32,
    /// Its share after.
    pub after_tenths: i32,
}

/// The fact behind a sentence.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Evidence {
    /// The line that the search expects.
    MainLine {
        /// The move and its line.
        searched: ComparedMove,
    },
    /// The move is not what the search prefers.
    Better {
        /// What it prefers.
        best: ComparedMove,
        /// The move in question.
        searched: ComparedMove,
        /// Expected points given away, in thousandths.
        loss_permille: u32,
    },
    /// The rules leave no choice.
    OnlyMove {
        /// The move.
        played: LineMove,
    },
    /// The game is over after it.
    GameOver {
        /// How, in words.
        ending: String,
    },
    /// A forced mate.
    Mate {
        /// Moves until mate; negative if the mover is mated.
        moves: i32,
        /// The line to the end.
        line: Vec<LineMove>,
    },
    /// Material that changes hands along the line.
    Material {
        /// What the mover gains, in pawns (1, 3, 3, 5, 9); negative when it loses.
        pawns: i32,
        /// The pieces that the mover wins, equal ones of both sides struck off: `pawn`, `knight`, ….
        won: Vec<String>,
        /// The pieces that the mover gives. A piece that the opponent took with the last move counts.
        given: Vec<String>,
        /// The captures and promotions, in order.
        moves: Vec<LineMove>,
        /// The line up to the last of them.
        line: Vec<LineMove>,
    },
    /// What the move threatens: found by letting the opponent pass.
    Threat {
        /// What would follow if the opponent passed; its first move is the mover's.
        line: Vec<LineMove>,
        /// What that gains in centipawns, over the move and over the best move of the position alike.
        gain_centipawns: i32,
        /// Moves until mate, if it is one.
        mate: Option<i32>,
        /// The pieces that it would win, equal ones of both sides struck off; not empty unless it is mate.
        won: Vec<String>,
        /// The pieces that it would give for them.
        given: Vec<String>,
    },
    /// What the opponent threatened before the move: found by letting the mover pass.
    Averted {
        /// What the opponent would have played.
        line: Vec<LineMove>,
        /// What that would have gained for the opponent, in centipawns.
        gain_centipawns: i32,
        /// Moves until mate, if it was one.
        mate: Option<i32>,
        /// The pieces that the opponent would have won; not empty unless it was mate.
        won: Vec<String>,
        /// The pieces that the opponent would have given for them.
        given: Vec<String>,
    },
    /// Why a natural alternative is worse.
    Refutation {
        /// The alternative with the line that refutes it.
        alternative: ComparedMove,
        /// The move in question.
        searched: ComparedMove,
        /// Why the alternative is natural: `takes back`, `takes`, `gives check`, `castles`, `second choice`.
        why_natural: String,
        /// Expected points that it gives away against the move, in thousandths.
        loss_permille: u32,
    },
    /// What the move changes most in the evaluation before search.
    Contribution {
        /// Whose evaluation.
        opponent: String,
        /// The changes, the largest first.
        changes: Vec<TermChange>,
        /// The evaluation before, in centipawns for White.
        before_centipawns: i32,
        /// The evaluation after the move, in centipawns for White.
        after_centipawns: i32,
    },
}

/// A sentence with its evidence.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Sentence {
    /// The sentence.
    pub text: String,
    /// The fact.
    pub evidence: Evidence,
}

/// Why a move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct MoveExplanation {
    /// The position before the move as FEN.
    pub fen: String,
    /// The move.
    pub played: LineMove,
    /// The sentences, the most important first.
    pub sentences: Vec<Sentence>,
    /// Positions that were visited to check them.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub nodes: u64,
}
