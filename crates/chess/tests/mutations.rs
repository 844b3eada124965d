//! Texts that differ from valid ones in a few places: a fuzzer's work, small enough for every test run.
//!
//! The fuzz targets in `fuzz/` check the same with feedback from the code.

mod support;

use kiebitz_chess::{CastlingForm, Position};
use support::random_games::{self, RARE_STARTS, SplitMix};
use support::round_trips;

const MUTATIONS: usize = 20_000;

/// Bytes that mean something to one of the formats, and some that mean nothing.
const INTERESTING: &[u8] = b"rnbqkpRNBQKPwbKQkqABCDEFGHabcdefgh0123456789/-+#=x:;\"!?O \t\n.\xc3\xa9\xff\0";

/// A text with one to four random edits; what is no longer UTF-8 is replaced.
fn mutated(text: &str, random: &mut SplitMix) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=random.below(4) {
        let place = random.below(bytes.len() + 1);
        let byte = INTERESTING[random.below(INTERESTING.len())];
        match random.below(5) {
            0 => bytes.insert(place, byte),
            1 if place < bytes.len() => drop(bytes.remove(place)),
            2 if place < bytes.len() => bytes[place] ^= 1 << random.below(8),
            3 => {
                // A piece of the text once more, somewhere else.
                let end = (place + 1 + random.below(8)).min(bytes.len());
                let piece = bytes[place.min(end)..end].to_vec();
                let target = random.below(bytes.len() + 1);
                bytes.splice(target..target, piece);
            }
            _ if place < bytes.len() => bytes[place] = byte,
            _ => bytes.push(byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Mutates texts made from random positions and checks each.
fn mutate(seed: u64, text: impl Fn(&Position, &mut SplitMix) -> String, check: impl Fn(&Position, &str)) {
    let mut random = SplitMix(seed);
    for _ in 0..MUTATIONS / 20 {
        let position = random_games::position(random.draw(), random.below(120));
        let text = text(&position, &mut random);
        check(&position, &text);
        for _ in 0..20 {
            check(&position, &mutated(&text, &mut random));
        }
    }
}

#[test]
fn of_fens() {
    let write = |position: &Position, random: &mut SplitMix| match random.below(3) {
        0 => position.to_shredder_fen(),
        1 => RARE_STARTS[random.below(RARE_STARTS.len())].to_owned(),
        _ => position.to_string(),
    };
    mutate(1, write, |_, text| round_trips::fen(text));
}

#[test]
fn of_epds() {
    let write = |position: &Position, random: &mut SplitMix| {
        let operations = [" bm e4 Nf3; id \"a; b\";", " ;D1 20 ;D2 400", " hmvc 3; fmvn 7;", " 12 34 c0 \"\";", ""];
        format!("{}{}", position.to_epd_fields(), operations[random.below(operations.len())])
    };
    mutate(2, write, |_, text| round_trips::epd(text));
}

#[test]
fn of_sans() {
    let write = |position: &Position, random: &mut SplitMix| {
        random_games::random_move(position, random).map_or_else(String::new, |mv| position.san(mv).to_string())
    };
    mutate(3, write, |position, text| round_trips::san_bytes(position, text.as_bytes()));
}

#[test]
fn of_uci_moves() {
    let write = |position: &Position, random: &mut SplitMix| {
        random_games::random_move(position, random)
            .map_or_else(String::new, |mv| position.uci(mv, CastlingForm::KingMove))
    };
    mutate(4, write, round_trips::uci_move);
}
