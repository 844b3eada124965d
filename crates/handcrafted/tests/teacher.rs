//! Does the evaluation agree with a far stronger judge about who is better?
//!
//! Needs `evals/lichess_evals_train.tsv.zst` in the folder `KIEBITZ_DATA`: positions of people's games with evaluations
//! by Stockfish. The committed numbers were not tuned on them.

#![expect(clippy::print_stderr, reason = "a test that skips says why")]

use std::io::{BufRead, BufReader};
use std::path::PathBuf;

use kiebitz_chess::{Color, Position};
use kiebitz_handcrafted::{Evaluator, material_and_tables};

/// Positions and Stockfish's values for the mover, those in check left out.
fn judged_positions(count: usize) -> Option<Vec<(Position, i32)>> {
    let Some(root) = std::env::var_os("KIEBITZ_DATA").filter(|root| !root.is_empty()) else {
        eprintln!("skipped: KIEBITZ_DATA is not set");
        return None;
    };
    let path = PathBuf::from(root).join("evals/lichess_evals_train.tsv.zst");
    let Ok(file) = std::fs::File::open(&path) else {
        eprintln!("skipped: KIEBITZ_DATA has no evals/lichess_evals_train.tsv.zst");
        return None;
    };
    let lines = BufReader::new(zstd::Decoder::new(file).expect("a zstd file")).lines();
    let judged = lines.map_while(Result::ok).filter_map(|line| {
        let mut fields = line.split('\t');
        let position: Position = fields.next()?.parse().ok()?;
        let white: i32 = fields.next()?.parse().ok()?;
        let value = if position.side_to_move() == Color::White { white } else { -white };
        (!position.is_check()).then_some((position, value))
    });
    Some(judged.take(count).collect())
}

/// The share of positions, among those clearly better for somebody, in which a value points the same way.
fn agreement(judged: &[(Position, i32)], mut value: impl FnMut(&Position) -> i32) -> f64 {
    let clear: Vec<_> = judged.iter().filter(|(_, teacher)| teacher.abs() > 200).collect();
    let same = clear.iter().filter(|(position, teacher)| value(position).signum() == teacher.signum()).count();
    same as f64 / clear.len() as f64
}

#[test]
fn stockfish_agrees_about_who_is_better() {
    let Some(judged) = judged_positions(50_000) else { return };
    let mut evaluator = Evaluator::new();
    let full = agreement(&judged, |position| evaluator.evaluate(position));
    let simple = agreement(&judged, material_and_tables);
    // Seen: 0.93 and 0.87. Captures on the move keep both from more.
    assert!(full > 0.915, "{full:.3}");
    assert!(simple > 0.85, "{simple:.3}");
    assert!(full > simple + 0.04, "{full:.3} {simple:.3}");
    println!("agreement: full {full:.3}, material and tables {simple:.3}");
}
