//! Our rules against those of `shakmaty`, position by position through random games.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests fail loudly and say what they ran")]

mod support;

use std::collections::HashMap;
use std::time::Instant;

use kiebitz_chess::{CastlingForm, CastlingSide, Color, FenMode, Key, Move, Position};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};
use support::random_games::{self, SplitMix};

/// The base of all games' seeds; a failing game prints its own.
const SEED: u64 = 0x6b69_6562_6974_7a02;
/// Longer games add little but shuffling.
const LONGEST_GAME_PLIES: usize = 200;

/// The same position in both libraries.
struct Pair {
    ours: Position,
    theirs: Chess,
}

/// A position's two hashes and what they are hashes of.
struct Hashes {
    ours: Key,
    theirs: Zobrist64,
    facts: String,
}

impl Pair {
    fn new(ours: Position) -> Self {
        let fen: Fen = ours.to_shredder_fen().parse().unwrap();
        Self { theirs: fen.into_position(CastlingMode::Chess960).unwrap(), ours }
    }

    fn play(&mut self, mv: Move) {
        let uci: UciMove = mv.to_string().parse().unwrap();
        self.theirs.play_unchecked(uci.to_move(&self.theirs).unwrap());
        self.ours.play(mv);
    }

    /// Compares everything that both can say.
    fn compare(&self) -> Hashes {
        self.compare_fen();
        self.compare_status();
        self.compare_moves();
        let hash = self.theirs.zobrist_hash(EnPassantMode::Legal);
        Hashes { ours: self.ours.key(), theirs: hash, facts: self.ours.to_shredder_fen() }
    }

    fn compare_fen(&self) {
        let Self { ours, theirs } = self;
        let text = Fen::from_position(theirs, EnPassantMode::Legal).to_string();
        assert_eq!(ours.to_string(), text);
        assert_eq!(ours.to_shredder_fen(), text.replace(&castling_field(&text), &shredder_rights(theirs)), "{text}");
        assert_eq!(Position::from_fen(&text, FenMode::Strict).as_ref(), Ok(ours));
        let read_back: Fen = ours.to_shredder_fen().parse().unwrap();
        assert_eq!(read_back.into_position::<Chess>(CastlingMode::Chess960).as_ref().ok(), Some(theirs));
        assert_eq!(ours.key(), ours.key_from_scratch(), "{ours}");
    }

    fn compare_status(&self) {
        let Self { ours, theirs } = self;
        assert_eq!(ours.is_check(), theirs.is_check(), "{ours}");
        assert_eq!(ours.is_checkmate(), theirs.is_checkmate(), "{ours}");
        assert_eq!(ours.is_stalemate(), theirs.is_stalemate(), "{ours}");
        assert_eq!(ours.is_insufficient_material(), theirs.is_insufficient_material(), "{ours}");
        assert_eq!(ours.checkers().0, theirs.checkers().0, "{ours}");
    }

    fn compare_moves(&self) {
        let Self { ours, theirs } = self;
        let mut our_moves: Vec<(String, Move)> =
            ours.legal_moves().into_iter().map(|mv| (mv.to_string(), mv)).collect();
        let their_moves = theirs.legal_moves().into_iter();
        let mut their_moves: Vec<(String, shakmaty::Move)> =
            their_moves.map(|mv| (mv.to_uci(CastlingMode::Chess960).to_string(), mv)).collect();
        our_moves.sort_by(|left, right| left.0.cmp(&right.0));
        their_moves.sort_by(|left, right| left.0.cmp(&right.0));
        let names = |moves: &[(String, Move)]| moves.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        let their_names: Vec<String> = their_moves.iter().map(|(name, _)| name.clone()).collect();
        assert_eq!(names(&our_moves), their_names, "{ours}");
        for ((_, our_move), (_, their_move)) in our_moves.into_iter().zip(their_moves) {
            self.compare_notation(our_move, their_move);
        }
    }

    fn compare_notation(&self, our_move: Move, their_move: shakmaty::Move) {
        let Self { ours, theirs } = self;
        assert_eq!(our_move.is_capture(), their_move.is_capture(), "{ours} {our_move}");
        assert_eq!(our_move.promotion().is_some(), their_move.is_promotion(), "{ours} {our_move}");
        let our_san = ours.san(our_move).to_string();
        let their_san = SanPlus::from_move(theirs.clone(), their_move).to_string();
        assert_eq!(our_san, their_san, "{ours}");
        assert_eq!(ours.parse_san(&their_san), Ok(our_move), "{ours} {their_san}");
        let read: SanPlus = our_san.parse().unwrap();
        assert_eq!(read.san.to_move(theirs), Ok(their_move), "{ours} {our_san}");
        if !ours.is_chess960() {
            let their_uci = their_move.to_uci(CastlingMode::Standard).to_string();
            assert_eq!(ours.uci(our_move, CastlingForm::KingMove), their_uci, "{ours}");
            assert_eq!(ours.parse_uci(&their_uci), Ok(our_move), "{ours} {their_uci}");
        }
    }
}

fn castling_field(fen: &str) -> String {
    format!(" {} ", fen.split(' ').nth(2).unwrap())
}

/// The castling field as Shredder writes it, made from the rights as `shakmaty` knows them.
fn shredder_rights(theirs: &Chess) -> String {
    let mut field = String::new();
    for color in [shakmaty::Color::White, shakmaty::Color::Black] {
        for side in [shakmaty::CastlingSide::KingSide, shakmaty::CastlingSide::QueenSide] {
            if let Some(rook) = theirs.castles().rook(color, side) {
                let letter = rook.file().char();
                field.push(if color.is_white() { letter.to_ascii_uppercase() } else { letter });
            }
        }
    }
    format!(" {} ", if field.is_empty() { "-" } else { &field })
}

/// Plays one random game and compares every position of it.
fn compare_game(seed: u64) -> Vec<Hashes> {
    let mut random = SplitMix(seed);
    let start = random_games::start(&mut random);
    let played = std::panic::catch_unwind(move || {
        let mut pair = Pair::new(start);
        let mut hashes = vec![pair.compare()];
        for _ in 0..LONGEST_GAME_PLIES {
            let Some(mv) = random_games::random_move(&pair.ours, &mut random) else { break };
            pair.play(mv);
            hashes.push(pair.compare());
        }
        hashes
    });
    played.unwrap_or_else(|_| panic!("the game of seed {seed} shows a difference"))
}

/// Equal positions have equal keys and different ones different keys, in both libraries.
fn compare_hashes(all: &[Hashes]) -> usize {
    let mut by_ours: HashMap<Key, (&Hashes, &str)> = HashMap::new();
    let mut by_theirs: HashMap<Zobrist64, &Hashes> = HashMap::new();
    for hashes in all {
        // The clocks do not count.
        let facts = hashes.facts.rsplitn(3, ' ').nth(2).unwrap();
        let (twin, twin_facts) = by_ours.entry(hashes.ours).or_insert((hashes, facts));
        assert_eq!(*twin_facts, facts, "two positions with one key");
        assert_eq!(twin.theirs, hashes.theirs, "{facts}: one key of ours, two of theirs");
        let twin = by_theirs.entry(hashes.theirs).or_insert(hashes);
        assert_eq!(twin.ours, hashes.ours, "{facts}: one key of theirs, two of ours");
    }
    by_ours.len()
}

fn compare_positions(at_least: usize) {
    let begin = Instant::now();
    let (mut all, mut games) = (Vec::new(), 0);
    while all.len() < at_least {
        let seeds = (games..games + 64).map(|game| SEED.wrapping_add(game)).collect();
        games += 64;
        all.extend(support::in_parallel(seeds, compare_game).into_iter().flatten());
    }
    let different = compare_hashes(&all);
    eprintln!("{} positions of {games} games ({different} different), seed {SEED}: {:.1?}", all.len(), begin.elapsed());
}

#[test]
fn sixty_thousand_positions() {
    compare_positions(60_000);
}

#[test]
#[ignore = "slow: make test-slow"]
fn a_million_positions() {
    compare_positions(1_000_000);
}

#[test]
fn every_rare_start_and_every_castling_wing() {
    for number in 0..random_games::RARE_STARTS.len() {
        Pair::new(random_games::rare_start(number)).compare();
    }
    for number in 0..960 {
        let pair = Pair::new(random_games::chess960(number, 959 - number));
        pair.compare();
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                assert!(pair.ours.castling_rook(color, side).is_some(), "{}", pair.ours);
            }
        }
    }
}

/// The counts of our own perft suite are theirs too.
#[test]
fn our_perft_suite_is_right() {
    let text = include_str!("../../../testdata/perft.txt");
    let suite = support::perft_suite::parse("perft.txt", text).unwrap();
    for case in suite.cases {
        let theirs = Pair::new(case.position).theirs;
        for (depth, count) in case.counts {
            assert_eq!(shakmaty::perft(&theirs, depth), count, "{}, depth {depth}", case.name);
        }
    }
}
