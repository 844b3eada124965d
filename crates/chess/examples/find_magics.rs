//! Finds the magic numbers anew and prints `src/attacks/magic_numbers.rs`.
//!
//! `cargo run --release -p kiebitz-chess --example find_magics [SEED]`

use kiebitz_chess::Square;
use kiebitz_chess::attacks::magic::{self, Slider};

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "an example shows its work")]
fn main() {
    let seed = std::env::args().nth(1).map_or(Ok(magic::SEED), |text| text.parse());
    let Ok(seed) = seed else {
        eprintln!("the seed must be a number");
        return;
    };
    println!("//! Magic numbers found by [`super::magic::find`] from [`super::magic::SEED`].");
    println!("//!");
    println!("//! Printed by the example `find_magics`; a test finds them again.");
    for (slider, name) in [(Slider::Bishop, "BISHOP"), (Slider::Rook, "ROOK")] {
        println!();
        println!("#[rustfmt::skip]");
        println!("pub(super) const {name}_MAGICS: [u64; 64] = [");
        let mut tries = 0;
        for row in Square::ALL.chunks(4) {
            let found = row.iter().map(|&square| magic::find(slider, square, seed));
            let numbers: Vec<String> = found
                .map(|found| {
                    tries += found.tries;
                    format!("{:#018x},", found.magic)
                })
                .collect();
            println!("    {}", numbers.join(" "));
        }
        println!("];");
        eprintln!("{slider:?}: 64 magic numbers in {tries} tries");
    }
}
