//! One game of the engine against itself.

use kiebitz_alphabeta::{AlphaBeta, Evaluation, Settings};
use kiebitz_chess::{Claims, GameHistory, Outcome, Position};
use kiebitz_dataset::{Chain, ChainHead, Link};
use kiebitz_search::{Clock, SearchLimits, SearchSignal, Searcher};
use kiebitz_tournament::{Adjudicator, Random};

use crate::Rules;

/// Openings that are tried before the most balanced of them is taken as it is.
const OPENING_ATTEMPTS: usize = 50;

/// Plays games, one after the other.
///
/// **Invariant:** a game is a function of rules, starts, evaluation and its number; what was played before leaves no trace.
pub struct GamePlayer<'a> {
    rules: Rules,
    starts: &'a [Position],
    searcher: AlphaBeta,
    signal: SearchSignal,
}

impl<'a> GamePlayer<'a> {
    /// A player for games that begin with random moves from these positions; with none, from the initial position. The
    /// signal ends a game in the middle.
    #[must_use]
    pub fn new(rules: &Rules, starts: &'a [Position], evaluation: &Evaluation, signal: &SearchSignal) -> Self {
        let settings = Settings {
            hash_mebibytes: rules.hash_mebibytes,
            threads: 1,
            move_overhead: std::time::Duration::ZERO,
            evaluation: evaluation.clone(),
            clock: Clock::system(),
        };
        Self { rules: *rules, starts, searcher: AlphaBeta::new(settings), signal: signal.clone() }
    }

    /// Plays the game with this number; `None` when it was stopped.
    pub fn play(&mut self, number: u64) -> Option<Chain> {
        let start = self.opening(number)?;
        self.searcher.new_game();
        let limits = SearchLimits {
            soft_nodes: Some(self.rules.soft_nodes),
            nodes: Some(self.rules.hard_nodes.max(self.rules.soft_nodes).max(1)),
            ..SearchLimits::default()
        };
        let mut adjudicator = Adjudicator::new(self.rules.adjudication());
        let mut game = GameHistory::new(start.clone());
        let mut links = Vec::new();
        let result = loop {
            if let Some(ending) = game.ending(Claims::Made) {
                break ending.outcome();
            }
            let found = self.searcher.search(&game, &limits, &self.signal, &mut |_| ());
            if self.signal.is_stopped() {
                return None;
            }
            // The game is not over, so there is a move; without one it would end here.
            let Some(mv) = found.best else { break Outcome::Draw };
            // Scores lie within ±32 001 by their own rules.
            links.push(Link { score: Some(found.score.value() as i16), ..Link::new(Some(mv)) });
            let (mover, move_number) = (game.position().side_to_move(), game.position().fullmove_number());
            game.play(mv);
            if game.ending(Claims::Made).is_none()
                && let Some(verdict) = adjudicator.observe(mover, u32::from(move_number), Some(found.score))
            {
                break verdict.outcome();
            }
        };
        Some(Chain { head: ChainHead { start, result: Some(result), ratings: [None; 2] }, links })
    }

    /// Where the game with this number begins: some random moves from one of the starts, not too good for either side; `None`
    /// when it was stopped.
    pub fn opening(&mut self, number: u64) -> Option<Position> {
        let mut chance = Random::stream(self.rules.seed, number);
        let mut best: Option<(u32, Position)> = None;
        for _ in 0..OPENING_ATTEMPTS {
            let Some(position) = random_opening(self.starts, self.rules.random_plies, &mut chance) else { continue };
            if self.rules.opening_nodes == 0 {
                return Some(position);
            }
            self.searcher.new_game();
            let (game, limits) = (GameHistory::new(position.clone()), SearchLimits::nodes(self.rules.opening_nodes));
            let score = self.searcher.search(&game, &limits, &self.signal, &mut |_| ()).score.value().unsigned_abs();
            if self.signal.is_stopped() {
                return None;
            }
            if score <= u32::from(self.rules.opening_limit) {
                return Some(position);
            }
            if best.as_ref().is_none_or(|(least, _)| score < *least) {
                best = Some((score, position));
            }
        }
        best.map(|(_, position)| position).or_else(|| Some(Position::default()))
    }
}

/// A start with some random moves, or `None` when they end the game.
fn random_opening(starts: &[Position], plies: usize, chance: &mut Random) -> Option<Position> {
    let start = starts.get(chance.below(starts.len() as u64) as usize).cloned().unwrap_or_default();
    // Either side shall be the first to think.
    let plies = if plies == 0 { 0 } else { plies + chance.below(2) as usize };
    let mut game = GameHistory::new(start);
    for _ in 0..plies {
        let moves = game.position().legal_moves();
        let mv = moves.get(chance.below(moves.len() as u64) as usize)?;
        game.play(*mv);
    }
    game.ending(Claims::Made).is_none().then(|| game.position().clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quick() -> Rules {
        Rules { soft_nodes: 100, hard_nodes: 1_000, opening_nodes: 100, hash_mebibytes: 1, ..Rules::default() }
    }

    #[test]
    fn a_game_depends_on_its_number_alone() {
        let rules = quick();
        let player = || GamePlayer::new(&rules, &[], &Evaluation::Handcrafted, &SearchSignal::new());
        let (mut one, mut other) = (player(), player());
        let games: Vec<_> = (0..4).map(|number| one.play(number).unwrap()).collect();
        for number in [3, 1, 0, 2] {
            assert_eq!(other.play(number).unwrap(), games[number as usize], "game {number}");
        }
        assert_ne!(games[0].head.start, games[1].head.start);
        let other_seed = Rules { seed: 1, ..rules };
        let mut player = GamePlayer::new(&other_seed, &[], &Evaluation::Handcrafted, &SearchSignal::new());
        assert_ne!(player.play(0).unwrap(), games[0]);
    }

    #[test]
    fn results_are_what_the_last_position_or_the_scores_say() {
        let rules = Rules { win_score: 0, draw_moves: 0, ..quick() };
        let mut player = GamePlayer::new(&rules, &[], &Evaluation::MaterialAndTables, &SearchSignal::new());
        for number in 0..5 {
            let chain = player.play(number).unwrap();
            let mut game = GameHistory::new(chain.head.start.clone());
            for link in &chain.links {
                assert!(game.ending(Claims::Made).is_none(), "game {number} goes on after its end");
                assert!(game.position().is_legal(link.mv.unwrap()));
                game.play(link.mv.unwrap());
            }
            match game.ending(Claims::Made) {
                Some(ending) => assert_eq!(chain.head.result, Some(ending.outcome())),
                None => assert!(chain.links.len() >= 400, "game {number} ends after {} plies", chain.links.len()),
            }
        }
    }

    #[test]
    fn openings_are_balanced_and_come_from_the_book() {
        let book: Vec<Position> = [
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/3P4/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        ]
        .map(|fen| fen.parse().unwrap())
        .to_vec();
        let rules = Rules { random_plies: 0, ..quick() };
        let mut player = GamePlayer::new(&rules, &book, &Evaluation::Handcrafted, &SearchSignal::new());
        let starts: Vec<_> = (0..20).map(|number| player.opening(number).unwrap()).collect();
        assert!(book.iter().all(|start| starts.contains(start)) && starts.iter().all(|start| book.contains(start)));
        // A lost start is taken after all when there is no other.
        let lost: Position = "4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1".parse().unwrap();
        let starts = [lost.clone()];
        let mut player = GamePlayer::new(&rules, &starts, &Evaluation::Handcrafted, &SearchSignal::new());
        assert_eq!(player.opening(0), Some(lost));
    }

    #[test]
    fn a_stopped_game_is_no_game() {
        let signal = SearchSignal::new();
        signal.stop();
        assert_eq!(GamePlayer::new(&quick(), &[], &Evaluation::Handcrafted, &signal).play(0), None);
    }
}
