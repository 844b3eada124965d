//! How many probes a second one thread makes: `cargo run --release --example probe_speed -- FOLDERS`.

#![expect(clippy::print_stdout, reason = "it prints what it measures")]

use std::hint::black_box;
use std::time::Instant;

use kiebitz_chess::{Color, Piece, PieceKind, Position, Setup, Square};
use kiebitz_tablebase::{SyzygyTables, Tablebase};

const POSITIONS: usize = 100_000;

/// Positions spread over all tables, always the same ones.
fn positions(men: usize) -> Vec<Position> {
    let mut state = 1_u64;
    let mut below = |limit: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % limit as u64) as usize
    };
    let mut found = Vec::with_capacity(POSITIONS);
    while found.len() < POSITIONS {
        let mut setup = Setup { side_to_move: Color::ALL[below(2)], ..Setup::EMPTY };
        for color in Color::ALL {
            setup.board.set(Square::ALL[below(64)], Some(Piece::new(color, PieceKind::King)));
        }
        for _ in 2..men {
            let piece = Piece::new(Color::ALL[below(2)], PieceKind::ALL[below(5)]);
            setup.board.set(Square::ALL[below(64)], Some(piece));
        }
        found.extend(Position::try_from(setup).ok().filter(|position| position.occupied().len() == men));
    }
    found
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folders = std::env::args().nth(1).ok_or("name the folders with the tables")?;
    let tables = SyzygyTables::open(&folders)?;
    println!("{} files, up to {} pieces", tables.files(), tables.largest());
    for men in 3..=tables.largest() {
        let positions = positions(men);
        for (name, probe) in [
            (
                "win-draw-loss",
                (|tables, position| tables.wdl(position).is_some()) as fn(&SyzygyTables, &Position) -> bool,
            ),
            ("distance", |tables, position| tables.dtz(position).is_some()),
        ] {
            // The first round opens files and reads them.
            let answered = positions.iter().filter(|position| probe(&tables, position)).count();
            let start = Instant::now();
            black_box(positions.iter().filter(|position| probe(&tables, position)).count());
            let rate = POSITIONS as f64 / start.elapsed().as_secs_f64();
            println!("{men} pieces, {name}: {rate:.0} probes/s, {answered} of {POSITIONS} answered");
        }
    }
    Ok(())
}
