//! Ending games that the players have already decided between them.
//!
//! The rules look only at the scores that the players report with their moves, each from its own point of view. Scores
//! are claims: a rule that asks both players cannot be abused by one of them, so that is the default for resigning.
//!
//! **Invariants:** no chess is known here, no clock, no tablebase. A missing score never counts towards anything.

use kiebitz_chess::{Color, Outcome, Score};

/// Draw when both players see nothing for a while.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DrawRule {
    /// No draw before this move number has been reached, as the game record counts moves.
    pub from_move: u32,
    /// So many moves in a row by *each* player; never less than one.
    pub moves: u32,
    /// The largest absolute score that counts as nothing, in centipawns.
    pub score: i32,
}

/// Whose scores a [`ResignRule`] asks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum ResignSides {
    /// Both: the loser despairs and the winner agrees.
    #[default]
    Both,
    /// The loser alone.
    Loser,
}

/// End a game that is lost.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ResignRule {
    /// So many moves in a row by each player who is asked; never less than one.
    pub moves: u32,
    /// The score, in centipawns, from which a game counts as decided. Mates always do.
    pub score: i32,
    /// Whose scores are asked.
    pub sides: ResignSides,
}

/// All rules of a match; by default none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct AdjudicationRules {
    /// When a game is a draw.
    pub draw: Option<DrawRule>,
    /// When a game is lost.
    pub resign: Option<ResignRule>,
    /// Moves by each player after which a game is a draw, counted from the first move that the players made.
    pub longest: Option<u32>,
}

/// Why a game was ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Adjudication {
    /// Both players see nothing.
    Draw,
    /// A player sees no hope; the other one has won.
    Resignation {
        /// Who has won.
        winner: Color,
    },
    /// The game has become too long.
    TooLong,
}

impl Adjudication {
    /// The result.
    #[must_use]
    pub const fn outcome(self) -> Outcome {
        match self {
            Self::Resignation { winner } => Outcome::Win(winner),
            Self::Draw | Self::TooLong => Outcome::Draw,
        }
    }
}

impl std::fmt::Display for Adjudication {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Draw => formatter.write_str("draw adjudicated"),
            Self::Resignation { winner } => write!(formatter, "{} resigns", !*winner),
            Self::TooLong => formatter.write_str("draw by maximum length"),
        }
    }
}

/// The lengths of one player's current streaks, in moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Streaks {
    quiet: u32,
    winning: u32,
    losing: u32,
}

/// Watches one game.
///
/// ```
/// use kiebitz_chess::{Color, Score};
/// use kiebitz_tournament::{Adjudication, AdjudicationRules, Adjudicator, ResignRule, ResignSides};
/// let resign = Some(ResignRule { moves: 1, score: 600, sides: ResignSides::Both });
/// let mut game = Adjudicator::new(AdjudicationRules { resign, ..AdjudicationRules::default() });
/// assert_eq!(game.observe(Color::White, 40, Some(Score::centipawns(650))), None);
/// let verdict = game.observe(Color::Black, 40, Some(Score::mated_in(8)));
/// assert_eq!(verdict, Some(Adjudication::Resignation { winner: Color::White }));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Adjudicator {
    rules: AdjudicationRules,
    streaks: [Streaks; Color::COUNT],
    plies: u32,
}

impl Adjudicator {
    /// A game before its first move.
    #[must_use]
    pub const fn new(rules: AdjudicationRules) -> Self {
        const NONE: Streaks = Streaks { quiet: 0, winning: 0, losing: 0 };
        Self { rules, streaks: [NONE; Color::COUNT], plies: 0 }
    }

    /// `color` has made the move with this number and reported this score, from its own point of view, or none. Says
    /// whether the game ends here. The rules of chess come first: a move that ends the game needs no adjudication.
    pub fn observe(&mut self, color: Color, move_number: u32, score: Option<Score>) -> Option<Adjudication> {
        self.plies += 1;
        let score = score.map(Score::value);
        let extend = |streak: &mut u32, holds: bool| *streak = if holds { *streak + 1 } else { 0 };
        let streaks = &mut self.streaks[color as usize];
        if let Some(rule) = self.rules.resign {
            extend(&mut streaks.winning, score.is_some_and(|score| score >= rule.score));
            extend(&mut streaks.losing, score.is_some_and(|score| score <= -rule.score));
        }
        if let Some(rule) = self.rules.draw {
            let early = move_number < rule.from_move;
            extend(&mut streaks.quiet, !early && score.is_some_and(|score| score.abs() <= rule.score));
        }
        self.verdict()
    }

    fn verdict(&self) -> Option<Adjudication> {
        let side = |color: Color| self.streaks[color as usize];
        if let Some(rule) = self.rules.resign {
            let enough = rule.moves.max(1);
            for winner in Color::ALL {
                let agreed = rule.sides == ResignSides::Loser || side(winner).winning >= enough;
                if agreed && side(!winner).losing >= enough {
                    return Some(Adjudication::Resignation { winner });
                }
            }
        }
        if let Some(rule) = self.rules.draw
            && Color::ALL.into_iter().all(|color| side(color).quiet >= rule.moves.max(1))
        {
            return Some(Adjudication::Draw);
        }
        self.rules.longest.filter(|&moves| self.plies >= moves.saturating_mul(2)).map(|_| Adjudication::TooLong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAW: DrawRule = DrawRule { from_move: 34, moves: 3, score: 20 };
    const RESIGN: ResignRule = ResignRule { moves: 3, score: 600, sides: ResignSides::Both };

    /// The ply (from 0) at which a stream of scores in centipawns, White first, from each mover's view, ends the game.
    fn end(rules: AdjudicationRules, first_move: u32, scores: &[Option<i32>]) -> Option<(usize, Adjudication)> {
        let mut game = Adjudicator::new(rules);
        scores.iter().enumerate().find_map(|(ply, score)| {
            let color = if ply % 2 == 0 { Color::White } else { Color::Black };
            let verdict = game.observe(color, first_move + ply as u32 / 2, score.map(Score::centipawns));
            verdict.map(|verdict| (ply, verdict))
        })
    }

    fn rules(draw: Option<DrawRule>, resign: Option<ResignRule>, longest: Option<u32>) -> AdjudicationRules {
        AdjudicationRules { draw, resign, longest }
    }

    #[test]
    fn a_draw_needs_both_players_the_number_and_the_streak() {
        let drawn = rules(Some(DRAW), None, None);
        let flat = [Some(5); 20];
        assert_eq!(end(drawn, 40, &flat), Some((5, Adjudication::Draw)));
        // The streak counts only from move 34: 34, 35, 36, both players.
        assert_eq!(end(drawn, 30, &flat), Some((13, Adjudication::Draw)));
        assert_eq!(end(drawn, 1, &flat), None);
        // One score out of line by either side starts it again; the limit itself still counts.
        let mut bumpy = flat;
        bumpy[3] = Some(-21);
        assert_eq!(end(drawn, 40, &bumpy), Some((9, Adjudication::Draw)));
        bumpy[3] = Some(-20);
        assert_eq!(end(drawn, 40, &bumpy), Some((5, Adjudication::Draw)));
        bumpy[2] = None;
        assert_eq!(end(drawn, 40, &bumpy), Some((8, Adjudication::Draw)));
    }

    #[test]
    fn one_player_alone_does_not_make_a_draw() {
        let one_sided: Vec<_> = (0..40).map(|ply| Some(if ply % 2 == 0 { 0 } else { 90 })).collect();
        assert_eq!(end(rules(Some(DRAW), None, None), 40, &one_sided), None);
    }

    #[test]
    fn resigning_needs_the_opponents_consent() {
        let lost = rules(None, Some(RESIGN), None);
        let won_by_black = Some((5, Adjudication::Resignation { winner: Color::Black }));
        let agreed: Vec<_> = (0..10).map(|ply| Some(if ply % 2 == 0 { -700 } else { 650 })).collect();
        assert_eq!(end(lost, 1, &agreed), won_by_black);
        let doubted: Vec<_> = (0..10).map(|ply| Some(if ply % 2 == 0 { -700 } else { 500 })).collect();
        assert_eq!(end(lost, 1, &doubted), None);
        let alone = rules(None, Some(ResignRule { sides: ResignSides::Loser, ..RESIGN }), None);
        assert_eq!(end(alone, 1, &doubted), Some((4, Adjudication::Resignation { winner: Color::Black })));
        // Both see themselves winning: nobody resigns.
        assert_eq!(end(lost, 1, &[Some(900); 20]), None);
        // An interruption starts the streak again.
        let mut hopeful = agreed;
        hopeful[2] = Some(-10);
        assert_eq!(end(lost, 1, &hopeful), Some((8, Adjudication::Resignation { winner: Color::Black })));
    }

    #[test]
    fn mates_count_as_decided_and_never_as_quiet() {
        let mut game =
            Adjudicator::new(rules(Some(DrawRule { moves: 1, ..DRAW }), Some(ResignRule { moves: 1, ..RESIGN }), None));
        assert_eq!(game.observe(Color::White, 50, Some(Score::mate_in(9))), None);
        let verdict = game.observe(Color::Black, 50, Some(Score::mated_in(30)));
        assert_eq!(verdict, Some(Adjudication::Resignation { winner: Color::White }));
        assert_eq!(verdict.unwrap().outcome(), Outcome::Win(Color::White));
        assert_eq!(verdict.unwrap().to_string(), "black resigns");
    }

    #[test]
    fn games_end_at_the_longest_length() {
        let limited = rules(None, None, Some(4));
        assert_eq!(end(limited, 20, &[None; 20]), Some((7, Adjudication::TooLong)));
        assert_eq!(Adjudication::TooLong.outcome(), Outcome::Draw);
        assert_eq!(end(AdjudicationRules::default(), 1, &[Some(0); 400]), None);
    }
}
