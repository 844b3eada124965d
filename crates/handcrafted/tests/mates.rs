//! Basic mates are won: a shallow search that knows nothing but this evaluation finds its way to the end.

use kiebitz_chess::{GameHistory, Position};
use kiebitz_handcrafted::Evaluator;

const MATE: i32 = 30_000;

/// Plain alpha-beta without any extension.
fn search(position: &Position, depth: i32, mut alpha: i32, beta: i32, evaluator: &mut Evaluator) -> i32 {
    let moves = position.legal_moves();
    if moves.is_empty() {
        return if position.is_check() { -MATE - depth } else { 0 };
    }
    if depth == 0 {
        return evaluator.evaluate(position);
    }
    for mv in moves {
        let mut next = position.clone();
        next.play(mv);
        let value = -search(&next, depth - 1, -beta, -alpha, evaluator);
        alpha = alpha.max(value);
        if alpha >= beta {
            break;
        }
    }
    alpha
}

fn wins(fen: &str, depth: i32) -> bool {
    let start: Position = fen.parse().expect("a legal position");
    let mut game = GameHistory::new(start);
    let mut evaluator = Evaluator::new();
    for _ in 0..100 {
        let position = game.position().clone();
        let mut best = None;
        let mut best_value = -MATE * 2;
        for mv in position.legal_moves() {
            let mut next = game.clone();
            next.play(mv);
            // A repetition is no progress.
            let drawn = next.occurrences() > 1;
            let value =
                if drawn { 0 } else { -search(next.position(), depth - 1, -MATE * 2, -best_value, &mut evaluator) };
            if value > best_value {
                (best, best_value) = (Some(mv), value);
            }
        }
        let Some(mv) = best else { break };
        game.play(mv);
    }
    game.position().legal_moves().is_empty() && game.position().is_check()
}

#[test]
fn queen_rook_and_two_bishops_mate() {
    for (fen, depth) in [
        ("8/8/8/3k4/8/8/8/KQ6 w - - 0 1", 3),
        ("8/8/8/3k4/8/8/8/KR6 w - - 0 1", 4),
        ("8/8/8/3k4/8/8/8/KBB5 w - - 0 1", 5),
    ] {
        assert!(wins(fen, depth), "{fen}");
    }
}
