//! `kiebitz perft`: the number of move sequences of a given length, root move by root move.
//!
//! The output has the form that other engines print, so that two of them can be compared line by line.

use std::io::Write;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result};
use kiebitz_chess::{CastlingForm, Move, Position, perft};

/// What `kiebitz perft` is asked to do.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Number of plies to look ahead.
    depth: u32,
    /// The position to start from; the standard start position when left out.
    #[arg(long)]
    fen: Option<String>,
    /// Write castling as the king taking its own rook.
    #[arg(long)]
    chess960: bool,
    /// How many threads share the root moves.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

/// Counts, and prints each root move with its share, the sum, the time and the speed.
pub(crate) fn run(arguments: &Arguments, output: &mut impl Write) -> Result<()> {
    let position = match &arguments.fen {
        Some(fen) => fen.parse().with_context(|| format!("cannot read the position {fen:?}"))?,
        None => Position::default(),
    };
    let start = Instant::now();
    let counts = divide(&position, arguments.depth, usize::from(arguments.threads));
    let seconds = start.elapsed().as_secs_f64();
    let form = if arguments.chess960 { CastlingForm::KingTakesRook } else { CastlingForm::KingMove };
    for (mv, count) in &counts {
        writeln!(output, "{}: {count}", position.uci(*mv, form))?;
    }
    // The only sequence of no moves is the empty one.
    let nodes = if arguments.depth == 0 { 1 } else { counts.iter().map(|(_, count)| count).sum::<u64>() };
    let speed = nodes as f64 / seconds.max(1e-9) / 1e6;
    writeln!(output, "\nNodes searched: {nodes}")?;
    writeln!(output, "Time: {seconds:.3} s, speed: {speed:.1} million nodes per second")?;
    Ok(())
}

/// The count below every root move, in the order of the generator whatever the number of threads.
fn divide(position: &Position, depth: u32, threads: usize) -> Vec<(Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    let moves: Vec<Move> = position.legal_moves().to_vec();
    let counts: Vec<AtomicU64> = moves.iter().map(|_| AtomicU64::new(0)).collect();
    let next = AtomicUsize::new(0);
    // Root moves differ much in size, so each thread fetches the next one when it is free.
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let (Some(mv), Some(count)) = (moves.get(index), counts.get(index)) else { break };
            count.store(perft::perft(&position.after(*mv), depth - 1), Ordering::Relaxed);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.min(moves.len()) {
            scope.spawn(work);
        }
        work();
    });
    moves.into_iter().zip(counts.into_iter().map(AtomicU64::into_inner)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(depth: u32, threads: u16, chess960: bool, fen: Option<&str>) -> String {
        let mut output = Vec::new();
        run(&Arguments { depth, fen: fen.map(String::from), chess960, threads }, &mut output).expect("a count");
        String::from_utf8(output).expect("text")
    }

    #[test]
    fn every_root_move_has_its_line() {
        let text = printed(2, 1, false, None);
        assert!(text.contains("e2e4: 20\n"));
        assert!(text.contains("\n\nNodes searched: 400\n"));
        assert!(printed(0, 1, false, None).contains("Nodes searched: 1\n"));
    }

    #[test]
    fn threads_do_not_change_the_answer() {
        let without_time =
            |text: String| text.lines().filter(|line| !line.starts_with("Time")).collect::<Vec<_>>().join("\n");
        assert_eq!(without_time(printed(3, 1, false, None)), without_time(printed(3, 3, false, None)));
    }

    #[test]
    fn castling_is_written_as_asked() {
        let fen = Some("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        assert!(printed(1, 1, false, fen).contains("e1g1: 1\n"));
        assert!(printed(1, 1, true, fen).contains("e1h1: 1\n"));
    }

    #[test]
    fn a_bad_position_is_an_error() {
        let arguments = Arguments { depth: 1, fen: Some("nonsense".into()), chess960: false, threads: 1 };
        let error = run(&arguments, &mut Vec::new()).expect_err("not a position");
        assert!(format!("{error:#}").contains("nonsense"));
    }
}
