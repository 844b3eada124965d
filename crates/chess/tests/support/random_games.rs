//! Seeded random games: standard, Chess960 and double Chess960 starts, and positions where rare moves happen.

use kiebitz_chess::{FenMode, Move, MoveList, Position, Setup};

/// The SplitMix64 generator (Steele, Lea, Flood): small, seeded, good enough to choose moves.
#[derive(Clone, Debug)]
pub(crate) struct SplitMix(pub(crate) u64);

impl SplitMix {
    pub(crate) fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below `end`, which must not be 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.draw() % end as u64) as usize
    }

    pub(crate) fn choose<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        if from.is_empty() { None } else { from.get(self.below(from.len())) }
    }
}

/// Positions from which a few random moves reach what whole games seldom show.
pub(crate) const RARE_STARTS: &[&str] = &[
    // Everything at once: castling, en passant, promotions, pins.
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    // Promotions on all files, some by capture.
    "r3k2r/1PP3PP/8/8/8/8/pp4pp/R3K2R w KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    // En passant with pins along rank, file and diagonal.
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4k3/2p1p1p1/8/1P1P1P1P/1p1p1p1p/8/P1P1P1P1/4K3 w - - 0 1",
    "6b1/3p1p2/8/K3P2r/8/8/2k5/8 b - - 0 1",
    // Castling with rooks and kings on odd squares.
    "1rk3r1/8/8/8/8/8/8/R3K1R1 w GAgb - 0 1",
    "rkr5/pppppppp/8/8/8/8/PPPPPPPP/5RKR w HFca - 0 1",
    "4k3/8/8/8/8/8/8/qRK3R1 w GB - 0 1",
    // Many queens and knights: long disambiguation.
    "k7/8/8/2Q1Q1Q1/8/2Q1Q1Q1/8/K7 w - - 0 1",
    "7k/8/8/1N1N1N2/8/1N1N4/8/K6n w - - 0 1",
    // Endings where mate, stalemate and bare material are near.
    "8/8/8/8/1k6/1p6/8/1K6 w - - 0 1",
    "8/5k2/8/8/2b5/8/1B3K2/8 w - - 90 70",
    "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1",
    "8/8/4k3/8/2n5/8/3PK3/8 w - - 3 50",
];

/// A start chosen by number and chance: half of them standard, the rest Chess960, double Chess960, or rare.
pub(crate) fn start(random: &mut SplitMix) -> Position {
    let number = |random: &mut SplitMix| random.below(960) as u16;
    match random.below(8) {
        0..3 => Position::default(),
        3..5 => {
            let both = number(random);
            chess960(both, both)
        }
        5 => chess960(number(random), number(random)),
        _ => rare_start(random.below(RARE_STARTS.len())),
    }
}

/// A start position of Chess960, or of double Chess960 if the numbers differ.
pub(crate) fn chess960(white: u16, black: u16) -> Position {
    let setup = Setup::chess960(white, black).expect("numbers below 960");
    Position::try_from(setup).expect("every start position is legal")
}

/// One of [`RARE_STARTS`].
pub(crate) fn rare_start(number: usize) -> Position {
    Position::from_fen(RARE_STARTS[number], FenMode::Strict).expect("legal positions")
}

/// A legal move by chance; promotions to all kinds and castling are as likely as any other move.
pub(crate) fn random_move(position: &Position, random: &mut SplitMix) -> Option<Move> {
    let moves: MoveList = position.legal_moves();
    random.choose(&moves).copied()
}

/// The positions and moves of a random game, from a random start, of at most `plies` moves.
pub(crate) fn game(seed: u64, plies: usize) -> (Position, Vec<Move>) {
    let mut random = SplitMix(seed);
    let start = start(&mut random);
    let mut position = start.clone();
    let mut moves = Vec::new();
    for _ in 0..plies {
        let Some(mv) = random_move(&position, &mut random) else { break };
        position.play(mv);
        moves.push(mv);
    }
    (start, moves)
}

/// Where a random game of exactly this length ends, or earlier if it is over before.
pub(crate) fn position(seed: u64, plies: usize) -> Position {
    let (mut position, moves) = game(seed, plies);
    for mv in moves {
        position.play(mv);
    }
    position
}
