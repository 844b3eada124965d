//! The program's side of the board.
//!
//! It plays with the top of the teaching ladder: alpha-beta with quiescence on the textbook's evaluation. That is
//! enough to punish an oversight at once, and not enough to be feared.

use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use kiebitz_chess::{Claims, GameHistory, Move, Outcome, Position, Score, Setup};
use kiebitz_examples::alphabeta::AlphaBeta;
use kiebitz_examples::book_evaluation::seen_by;

/// How many Chess960 start positions there are.
const CHESS960_STARTS: u64 = 960;

/// The opponent looks one ply deeper for as long as it has visited fewer positions than this. Counting positions
/// instead of seconds makes it play the same on every machine.
const PATIENCE_NODES: u64 = 60_000;

/// Deep enough for any ending that is simple enough to be searched so deep.
const DEEPEST: u32 = 12;

/// A player whose whole character is its seed.
pub(crate) struct Opponent {
    state: u64,
}

impl Opponent {
    /// An opponent who plays the same game again when everything else is the same.
    pub(crate) fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The move it plays; none when there is no legal move. Among equally good moves the seed decides.
    pub(crate) fn choose(&mut self, game: &GameHistory) -> Option<Move> {
        let position = game.position();
        let mut moves = position.legal_moves().to_vec();
        self.shuffle(&mut moves);
        // The search knows positions but not the past, so draws by repetition are set aside beforehand.
        let (drawing, mut moves): (Vec<Move>, Vec<Move>) = moves.into_iter().partition(|&mv| draws(game, mv));
        let searched = search(position, &mut moves);
        match (searched, drawing.first()) {
            (Some((_, score)), Some(&draw)) if score < Score::DRAW => Some(draw),
            (Some((best, _)), _) => Some(best),
            (None, draw) => draw.copied(),
        }
    }

    /// Puts moves into an order drawn by lot: of equally good moves a search takes the first.
    fn shuffle(&mut self, moves: &mut [Move]) {
        for last in (1..moves.len()).rev() {
            let chosen = self.draw_lot(last as u64 + 1) as usize;
            moves.swap(last, chosen);
        }
    }

    /// A number below `bound`, by the generator SplitMix64.
    fn draw_lot(&mut self, bound: u64) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.state;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (word ^ (word >> 31)) % bound.max(1)
    }
}

/// Whether a move ends the game as a draw.
fn draws(game: &GameHistory, mv: Move) -> bool {
    let mut next = game.clone();
    next.play(mv);
    next.ending(Claims::Made).is_some_and(|ending| ending.outcome() == Outcome::Draw)
}

/// The best of these moves and its score for the side to move, searched deeper and deeper.
fn search(position: &Position, moves: &mut [Move]) -> Option<(Move, Score)> {
    let mut found = None;
    let mut visited = 0;
    for depth in 1..=DEEPEST {
        let finding = AlphaBeta::QUIET.search_moves(position, moves, depth);
        let best = finding.best_move?;
        found = Some((best, seen_by(position.side_to_move(), finding.score)));
        visited += finding.nodes.total();
        if visited >= PATIENCE_NODES || finding.score.is_mate() {
            break;
        }
        // What was best so far is tried first: the sooner a good move is seen, the more can be skipped.
        if let Some(place) = moves.iter().position(|&mv| mv == best) {
            moves[..=place].rotate_right(1);
        }
    }
    found
}

/// A seed nobody chose.
pub(crate) fn seed_from_time() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    // Short enough to be typed again.
    u64::from(since.subsec_nanos()) % 1_000_000
}

/// One of the start positions of Chess960, the same for both sides.
pub(crate) fn drawn_start(seed: u64) -> Result<Position> {
    let number = u16::try_from(Opponent::new(seed).draw_lot(CHESS960_STARTS))?;
    let setup = Setup::chess960(number, number).context("there is no such start position")?;
    Ok(Position::try_from(setup)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(fen: &str) -> GameHistory {
        GameHistory::new(fen.parse().expect("a legal position"))
    }

    fn reply(fen: &str, seed: u64) -> String {
        let game = game(fen);
        let mv = Opponent::new(seed).choose(&game).expect("a move");
        game.position().san(mv).to_string()
    }

    #[test]
    fn it_mates_and_takes_what_hangs() {
        for seed in 0..5 {
            assert_eq!(reply(kiebitz_examples::MATE_IN_ONE, seed), "Qxf7#");
            assert_eq!(reply("4k3/8/8/3q4/8/2N5/8/4K3 w - - 0 1", seed), "Nxd5");
        }
    }

    #[test]
    fn the_seed_decides_among_equals_and_nothing_else_does() {
        let start = Position::default().to_string();
        let replies: Vec<String> = (0..8).map(|seed| reply(&start, seed)).collect();
        assert!(replies.iter().any(|other| *other != replies[0]), "{replies:?}");
        assert_eq!(reply(&start, 3), reply(&start, 3));
    }

    #[test]
    fn repetition_is_sought_when_losing_and_avoided_when_winning() {
        // A king walks to and fro twice; one more step repeats the position for the third time.
        let steps = ["Kg1", "Kg8", "Kh1", "Kh8", "Kg1", "Kg8", "Kh1"];
        for (fen, repeats) in [("7k/8/8/8/1q6/8/8/7K w - - 0 1", false), ("7k/8/8/8/1Q6/8/8/7K w - - 0 1", true)] {
            let mut game = game(fen);
            for san in steps {
                game.play(game.position().parse_san(san).expect("a legal move"));
            }
            let mv = Opponent::new(1).choose(&game).expect("a move");
            assert_eq!(game.position().san(mv).to_string() == "Kh8", repeats, "{fen}");
        }
    }

    #[test]
    fn a_finished_game_has_no_reply() {
        assert_eq!(Opponent::new(1).choose(&game("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")), None);
    }
}
