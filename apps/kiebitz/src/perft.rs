//! `kiebitz perft`: the number of move sequences of a given length, root move by root move.
//!
//! The output has the form that other engines print, so that two of them can be compared line by line. UCI's `go perft`
//! counts here too, and may be stopped.

use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result};
use kiebitz_chess::{CastlingForm, Move, Position, perft};
use kiebitz_search::SearchSignal;

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
pub(crate) fn run(arguments: &Arguments, output: &mut (impl Write + Send)) -> Result<()> {
    let position = match &arguments.fen {
        Some(fen) => fen.parse().with_context(|| format!("cannot read the position {fen:?}"))?,
        None => Position::default(),
    };
    let start = Instant::now();
    let form = if arguments.chess960 { CastlingForm::KingTakesRook } else { CastlingForm::KingMove };
    let mut written = Ok(());
    let nodes = divide(
        &position,
        arguments.depth,
        usize::from(arguments.threads),
        &SearchSignal::new(),
        &mut |mv: Move, count: u64| {
            if written.is_ok() {
                written = writeln!(output, "{}: {count}", position.uci(mv, form));
            }
        },
    );
    written?;
    let seconds = start.elapsed().as_secs_f64();
    let nodes = nodes.unwrap_or_default();
    let speed = nodes as f64 / seconds.max(1e-9) / 1e6;
    writeln!(output, "\nNodes searched: {nodes}")?;
    writeln!(output, "Time: {seconds:.3} s, speed: {speed:.1} million nodes per second")?;
    Ok(())
}

/// The counts as they come in, and how many were told.
struct Told<'a> {
    counts: Vec<Option<u64>>,
    next: usize,
    tell: &'a mut (dyn FnMut(Move, u64) + Send),
}

/// Tells the count below every root move, in the order of the generator whatever the number of threads, and returns the
/// sum; none if the signal says stop first.
pub(crate) fn divide(
    position: &Position,
    depth: u32,
    threads: usize,
    signal: &SearchSignal,
    tell: &mut (dyn FnMut(Move, u64) + Send),
) -> Option<u64> {
    let Some(below) = depth.checked_sub(1) else {
        // The only sequence of no moves is the empty one.
        return Some(1);
    };
    let moves: Vec<Move> = position.legal_moves().to_vec();
    let told = Mutex::new(Told { counts: vec![None; moves.len()], next: 0, tell });
    let next = AtomicUsize::new(0);
    // Root moves differ much in size, so each thread fetches the next one when it is free.
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(mv) = moves.get(index) else { return };
            let count = perft::perft_unless(&position.after(*mv), below, &|| signal.is_stopped());
            if count.is_none() {
                return;
            }
            let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
            told.counts[index] = count;
            while let Some(Some(count)) = told.counts.get(told.next).copied() {
                let mv = moves[told.next];
                (told.tell)(mv, count);
                told.next += 1;
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.min(moves.len()) {
            // Those that can be had count alone.
            drop(thread::Builder::new().spawn_scoped(scope, work));
        }
        work();
    });
    told.into_inner().unwrap_or_else(PoisonError::into_inner).counts.into_iter().sum()
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
    fn a_stopped_count_ends_on_every_thread_without_a_sum() {
        for threads in [1, 3] {
            let signal = SearchSignal::new();
            let stopper = signal.clone();
            let waiting = thread::spawn(move || {
                thread::sleep(std::time::Duration::from_millis(20));
                stopper.stop();
            });
            // Days of work, if the signal were not heard.
            assert_eq!(divide(&Position::default(), 12, threads, &signal, &mut |_, _| ()), None);
            waiting.join().expect("a stop");
        }
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
