//! The moves of a position that has few enough pieces, ranked by tables.

use std::cmp::Reverse;
use std::collections::HashSet;

use kiebitz_chess::{GameHistory, Move, Position};

use crate::dtz::FIFTY_MOVES;
use crate::{Dtz, FiftyMoveRule, TableResult, Tablebase};

/// A move and what the tables make of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RootMove {
    /// The move.
    pub mv: Move,
    /// What the mover gets, with the fifty-move counter as it stands. Where rounded tables cannot tell, the worse.
    pub result: TableResult,
    /// Plies to the next capture or pawn move, this move included; `None` when only win-draw-loss tables are there.
    pub dtz: Option<Dtz>,
}

/// All legal moves, best first: by result, then towards the next capture or pawn move when winning, away from it when
/// losing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RootRanking {
    moves: Vec<RootMove>,
    has_repeated: bool,
}

impl RootRanking {
    /// Every legal move, best first.
    #[must_use]
    pub fn moves(&self) -> &[RootMove] {
        &self.moves
    }

    /// The best move; `None` when there is no legal one.
    #[must_use]
    pub fn best(&self) -> Option<&RootMove> {
        self.moves.first()
    }

    /// The moves that a searcher may choose from without giving the result away.
    ///
    /// Normally that is every move with the best result, so that a search can pick the one that wins fastest. Only the
    /// shortest way counts when positions have already come back (a search alone could shuffle until the win is
    /// gone) and when a win is in doubt because of the fifty-move rule.
    #[must_use]
    pub fn keeping_the_result(&self) -> &[RootMove] {
        let Some(best) = self.best() else { return &[] };
        let strict = best.result == TableResult::CursedWin || best.result == TableResult::Win && self.has_repeated;
        let kept = self.moves.partition_point(|mv| mv.result == best.result && (!strict || mv.dtz == best.dtz));
        &self.moves[..kept]
    }

    /// The same ranking of some of the moves.
    #[must_use]
    pub fn among(&self, is_wanted: impl Fn(Move) -> bool) -> Self {
        let moves = self.moves.iter().filter(|root| is_wanted(root.mv)).copied().collect();
        Self { moves, has_repeated: self.has_repeated }
    }

    /// All moves in groups, best first: those that keep the result, those that would keep it if these were not there, and so on.
    /// The moves of a group have one result.
    pub fn groups(&self) -> impl Iterator<Item = Vec<RootMove>> {
        let mut rest = self.clone();
        std::iter::from_fn(move || {
            let group = rest.keeping_the_result().to_vec();
            rest.moves.drain(..group.len());
            (!group.is_empty()).then_some(group)
        })
    }
}

/// Ranks all legal moves; without distance tables by result alone.
pub(crate) fn rank<T: Tablebase + ?Sized>(tables: &T, game: &GameHistory, rule: FiftyMoveRule) -> Option<RootRanking> {
    let position = game.position();
    if position.occupied().len() > tables.largest() || position.castling_rooks().any() {
        return None;
    }
    let legal = position.legal_moves();
    let by_distance: Option<Vec<_>> = legal.iter().map(|&mv| by_distance(tables, game, mv, rule)).collect();
    let mut moves = match by_distance {
        Some(moves) => moves,
        None => legal.iter().map(|&mv| by_result(tables, position, mv, rule)).collect::<Option<Vec<_>>>()?,
    };
    // Less is better for the winner, and more (so less with the sign) for the loser; stable, so that equals keep the
    // generator's order.
    moves.sort_by_key(|mv| (Reverse(mv.result), mv.dtz.map_or(0, |dtz| dtz.plies)));
    Some(RootRanking { moves, has_repeated: has_repeated(game) })
}

fn by_distance<T: Tablebase + ?Sized>(
    tables: &T,
    game: &GameHistory,
    mv: Move,
    rule: FiftyMoveRule,
) -> Option<RootMove> {
    let position = game.position();
    let after = position.after(mv);
    if after.is_checkmate() {
        let dtz = Some(Dtz::before_zeroing(TableResult::Win));
        return Some(RootMove { mv, result: TableResult::Win, dtz });
    }
    if after.halfmove_clock() == 0 {
        let result = (-tables.wdl(&after)?).under(rule);
        return Some(RootMove { mv, result, dtz: Some(Dtz::before_zeroing(result)) });
    }
    let out_of_moves = rule == FiftyMoveRule::Honoured && u32::from(after.halfmove_clock()) >= FIFTY_MOVES;
    if out_of_moves || occurs_for_the_third_time(game, &after) {
        let dtz = Some(Dtz::before_zeroing(TableResult::Draw));
        return Some(RootMove { mv, result: TableResult::Draw, dtz });
    }
    let dtz = tables.dtz(&after)?.one_ply_earlier();
    let doubtful = if dtz.plies > 0 { TableResult::CursedWin } else { TableResult::Loss };
    let result = dtz.result(position.halfmove_clock(), rule).unwrap_or(doubtful);
    Some(RootMove { mv, result, dtz: Some(dtz) })
}

fn by_result<T: Tablebase + ?Sized>(
    tables: &T,
    position: &Position,
    mv: Move,
    rule: FiftyMoveRule,
) -> Option<RootMove> {
    let result = (-tables.wdl(&position.after(mv))?).under(rule);
    Some(RootMove { mv, result, dtz: None })
}

/// The positions since the last capture or pawn move, without the current one.
fn reversible_past(game: &GameHistory) -> impl Iterator<Item = &Position> {
    let count = usize::from(game.position().halfmove_clock());
    let past = game.past();
    let skipped = past.len().saturating_sub(count);
    past.skip(skipped).map(|(position, _)| position)
}

fn occurs_for_the_third_time(game: &GameHistory, after: &Position) -> bool {
    reversible_past(game).filter(|earlier| earlier.key() == after.key() && earlier.repeats(after)).count() >= 2
}

fn has_repeated(game: &GameHistory) -> bool {
    let mut seen = HashSet::new();
    reversible_past(game).chain([game.position()]).any(|position| !seen.insert(position.key().0))
}
