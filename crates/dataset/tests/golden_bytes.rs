//! Formats of others byte by byte, computed by hand from their descriptions: a sign, a view or a nibble that is wrong on the way out
//! and on the way back would pass every round trip.

#![allow(clippy::unwrap_used, reason = "tests may fail loudly")]

use std::fs;

use kiebitz_chess::{Color, FenMode, Outcome, Position};
use kiebitz_dataset::{Chain, ChainHead, Description, Format, Link};

fn written(format: Format, chains: &[Chain]) -> Vec<u8> {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("samples");
    let mut sink = format.create(&path, &Description::default()).unwrap();
    chains.iter().for_each(|chain| sink.write(chain).unwrap());
    sink.finish().unwrap();
    fs::read(path).unwrap()
}

fn read(format: Format, bytes: &[u8]) -> Vec<Chain> {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("samples");
    fs::write(&path, bytes).unwrap();
    let mut source = format.open(&path).unwrap();
    let (mut chains, mut chain) = (Vec::new(), Chain::default());
    while source.next_chain(&mut chain).unwrap() {
        chains.push(chain.clone());
    }
    chains
}

fn position(fen: &str) -> Position {
    Position::from_fen(fen, FenMode::Strict).expect(fen)
}

/// A game from a start, as moves with the scores of whoever moves.
fn game(fen: &str, result: Outcome, moves: &[(&str, i16)]) -> Chain {
    let start = position(fen);
    let mut now = start.clone();
    let mut links = Vec::new();
    for &(text, score) in moves {
        let mv = now.parse_san(text).expect(text);
        links.push(Link { score: Some(score), ..Link::new(Some(mv)) });
        now.play(mv);
    }
    Chain { head: ChainHead { start, result: Some(result), ratings: [None; 2] }, links }
}

fn single(fen: &str, result: Outcome, score: i16) -> Chain {
    let head = ChainHead { start: position(fen), result: Some(result), ratings: [None; 2] };
    Chain { head, links: vec![Link { score: Some(score), ..Link::new(None) }] }
}

const WHITE_WINS: Outcome = Outcome::Win(Color::White);
const BLACK_WINS: Outcome = Outcome::Win(Color::Black);

#[test]
fn bulletformat() {
    // White: Ra1, Kg1, pawns g2 and h2. Black: Kd8, pawn d5. White has won.
    let [white, black] = ["w", "b"].map(|side| format!("3k4/8/8/3p4/8/8/6PP/R5K1 {side} - - 0 1"));
    #[rustfmt::skip]
    let of_white = [
        // Occupied, a1 first: a1 and g1; g2 and h2; d5; d8.
        0x41, 0xC0, 0, 0, 0x08, 0, 0, 0x08,
        // The pieces there, the lower half byte first: rook 3 and king 5; two pawns 0; the opponent's pawn 8 and king 8 + 5.
        0x53, 0x00, 0xD8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        // The mover is 250 ahead, and has won: two half points.
        0xFA, 0x00, 2,
        // The own king on g1 is 6; the opponent's on d8 stands on d1 for its owner, 3.
        6, 3, 0, 0, 0,
    ];
    #[rustfmt::skip]
    let of_black = [
        // Black looks from the other side: d1; d4; g7 and h7; a8 and g8.
        0x08, 0, 0, 0x08, 0, 0, 0xC0, 0x41,
        // The own king 5 and pawn 0; the opponent's pawns 8; rook 8 + 3 and king 8 + 5.
        0x05, 0x88, 0xDB, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        // The mover is 250 behind, and has lost.
        0x06, 0xFF, 0,
        // The own king on d8 stands on d1 for its owner; White's on g1 where it is.
        3, 6, 0, 0, 0,
    ];
    let chains = [single(&white, WHITE_WINS, 250), single(&black, WHITE_WINS, -250)];
    let bytes = [of_white, of_black].concat();
    assert_eq!(written(Format::Bulletformat, &chains), bytes);
    // The side to move becomes White, and the result turns with it.
    let turned = single("r5k1/6pp/8/8/3P4/8/8/3K4 w - - 0 1", BLACK_WINS, -250);
    assert_eq!(read(Format::Bulletformat, &bytes), [chains[0].clone(), turned]);
}

#[test]
fn viriformat() {
    let first = game("r3k3/8/8/8/3pP3/8/8/4K3 b q e3 0 30", WHITE_WINS, &[("dxe3", 100), ("Ke2", -90), ("O-O-O", 32)]);
    let second = game("8/4P1k1/8/8/8/8/8/4K3 w - - 7 40", Outcome::Draw, &[("e8=N+", 300), ("Kf8", -290)]);
    #[rustfmt::skip]
    let bytes = [
        // Occupied: e1; d4 and e4; a8 and e8.
        0x10, 0, 0, 0x18, 0, 0, 0, 0x11,
        // White's king 5 and Black's pawn 8; White's pawn 0 and Black's rook 8 + 6, for it may castle; Black's king 8 + 5.
        0x85, 0xE0, 0x0D, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        // Black to move 128, and a pawn has passed e3, 20; no halfmoves; move 30; no score; White has won, two half points.
        128 + 20, 0, 30, 0, 0, 0, 2, 0,
        // d4 (27) to e3 (20 * 64) en passant (1 * 16384): 17691; 100 for Black are -100 for White.
        0x1B, 0x45, 0x9C, 0xFF,
        // e1 (4) to e2 (12 * 64): 772; -90 for White stay.
        0x04, 0x03, 0xA6, 0xFF,
        // Castling (2 * 16384) takes the own rook: e8 (60) to a8 (56 * 64), 36412; 32 for Black are -32.
        0x3C, 0x8E, 0xE0, 0xFF,
        0, 0, 0, 0,
        // e1; e7 and g7. White's king 5 and pawn 0; Black's king.
        0x10, 0, 0, 0, 0, 0, 0x50, 0,
        0x05, 0x0D, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        // White to move, nothing passed (64); 7 halfmoves; move 40; no score; a draw is one half point.
        64, 7, 40, 0, 0, 0, 1, 0,
        // e7 (52) to e8 (60 * 64), promotion (3 * 16384) to the first kind, the knight (0): 53044; 300 for White.
        0x34, 0xCF, 0x2C, 0x01,
        // g7 (54) to f8 (61 * 64): 3958; -290 for Black are 290.
        0x76, 0x0F, 0x22, 0x01,
        0, 0, 0, 0,
    ];
    let chains = [first, second];
    assert_eq!(written(Format::Viriformat, &chains), bytes);
    assert_eq!(read(Format::Viriformat, &bytes), chains);
}
