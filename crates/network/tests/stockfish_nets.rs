//! Networks of others, against what their own engine says. Needs `KIEBITZ_DATA`.

#[path = "support/rank_correlation.rs"]
mod rank_correlation;
mod support;

use std::collections::HashSet;

use kiebitz_chess::{Color, FenMode, Move, PieceKind, Position};
use kiebitz_examples::alphabeta::AlphaBeta;
use kiebitz_network::{NetworkFile, checksum, reference, stockfish};
use rank_correlation::rank_correlation;
use support::{data, stockfish_13, stockfish_small};

#[test]
fn stockfish_13_gives_the_listed_integers() {
    let (Some(bytes), Some(golden)) = (stockfish_13(), data("nets/golden_halfkp_nn-62ef826d1a6d.tsv")) else { return };
    assert_eq!(&checksum(&bytes)[..12], "62ef826d1a6d");
    let file = NetworkFile::from_bytes(&bytes).expect("a network");
    let golden = std::fs::read_to_string(golden).expect("a readable file");
    let mut positions = 0;
    for line in golden.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let position = Position::from_fen(fields[0], FenMode::Lenient).expect(line);
        let evaluation = reference::evaluate_integers(file.spec(), &file.weights, &position);
        let expected: i32 = fields[3].parse().expect(line);
        assert_eq!(evaluation.units_for_white(&position), expected, "{line}");
        positions += 1;
    }
    assert_eq!(positions, 641);
}

#[test]
fn stockfish_13_is_written_back_byte_for_byte() {
    let Some(bytes) = stockfish_13() else { return };
    let file = stockfish::read(&bytes).expect("a network");
    assert!(stockfish::write(&file).expect("the same format") == bytes, "the bytes differ");
    // The way through our own format loses nothing either.
    let own = file.to_bytes().expect("our format");
    let again = NetworkFile::from_bytes(&own).expect("our format");
    assert!(stockfish::write(&again).expect("the same format") == bytes, "the bytes differ");
}

#[test]
fn the_small_network_is_written_back_byte_for_byte() {
    let Some(bytes) = stockfish_small() else { return };
    assert_eq!(&checksum(&bytes)[..12], "37f18f62d772");
    let file = stockfish::read(&bytes).expect("a network");
    assert!(stockfish::write(&file).expect("the same format") == bytes, "the bytes differ");
}

/// The first plies belong to opening books: scores are small there and hardly differ, so that ranks say little. Stockfish's
/// own generator of training data leaves out as many.
const OPENING_PLIES: u32 = 16;

/// A position with Stockfish's score of it, in centipawns for White.
type Sample = (Position, f64);

/// Quiet as trainers of networks choose positions: out of the opening, and what was played is neither a capture nor a
/// promotion.
fn is_trainers_choice(position: &Position, played: Move) -> bool {
    let plies = 2 * u32::from(position.fullmove_number() - 1) + position.side_to_move() as u32;
    plies >= OPENING_PLIES && played.is_quiet()
}

/// Quiet as a search sees it: the side to move gains nothing by captures and promotions, all of them played out.
fn stands_pat(position: &Position, _played: Move) -> bool {
    AlphaBeta::QUIET.search(position, 0).score == AlphaBeta::BOOK.search(position, 0).score
}

/// Quiet positions with the side to move not in check and no mate in sight. Every position is taken once, and they are spread
/// over the whole file.
fn quiet_samples(file: &std::path::Path, is_quiet: fn(&Position, Move) -> bool) -> Vec<Sample> {
    const EVERY: usize = 97;
    let text = zstd::Decoder::new(std::fs::File::open(file).expect("a readable file")).expect("a zstd file");
    let mut seen = HashSet::new();
    let mut samples = Vec::new();
    for line in std::io::BufRead::lines(std::io::BufReader::new(text)).step_by(EVERY) {
        let line = line.expect("readable lines");
        let fields: Vec<&str> = line.split('\t').collect();
        let (Ok(position), Ok(score)) = (Position::from_fen(fields[0], FenMode::Lenient), fields[1].parse::<f64>())
        else {
            continue;
        };
        let Ok(played) = position.parse_uci(fields[3]) else { continue };
        if !position.is_check() && is_quiet(&position, played) && seen.insert(position.key()) {
            samples.push((position, score));
        }
    }
    samples
}

#[test]
fn both_networks_agree_with_stockfishs_scores() {
    let (Some(thirteen), Some(small), Some(scores)) =
        (stockfish_13(), stockfish_small(), data("evals/lichess_evals_train.tsv.zst"))
    else {
        return;
    };
    let samples = quiet_samples(&scores, is_trainers_choice);
    let by_search = quiet_samples(&scores, stands_pat);
    assert!(samples.len() > 4000, "{} quiet positions", samples.len());
    let unequal: Vec<Sample> = samples.iter().filter(|(position, _)| material(position) != 0).cloned().collect();
    // The small network is made for positions in which one side is ahead, and is at its best there.
    for (bytes, least, least_unequal) in [(thirteen, 0.80, 0.85), (small, 0.75, 0.85)] {
        let file = NetworkFile::from_bytes(&bytes).expect("a network");
        let (all, ahead) = (agreement(&file, &samples), agreement(&file, &unequal));
        println!(
            "rank correlation {all:.3} over {} quiet positions, {ahead:.3} over the {} with unequal material",
            samples.len(),
            unequal.len()
        );
        println!("{:.3} over {} positions that are quiet for a search", agreement(&file, &by_search), by_search.len());
        assert!(all > least && ahead > least_unequal, "{all} {ahead}");
    }
}

/// The rank correlation of a network's values with given scores.
fn agreement(file: &NetworkFile, samples: &[Sample]) -> f64 {
    let value = |position: &Position| {
        f64::from(reference::evaluate_integers(file.spec(), &file.weights, position).units_for_white(position))
    };
    let values: Vec<f64> = samples.iter().map(|(position, _)| value(position)).collect();
    let scores: Vec<f64> = samples.iter().map(|(_, score)| *score).collect();
    rank_correlation(&values, &scores)
}

/// White's material less Black's in pawns, as children count it.
fn material(position: &Position) -> i32 {
    let values = [1, 3, 3, 5, 9, 0];
    let count = |color, kind| position.pieces(color, kind).len() as i32;
    PieceKind::ALL
        .into_iter()
        .zip(values)
        .map(|(kind, value)| value * (count(Color::White, kind) - count(Color::Black, kind)))
        .sum()
}

/// What Stockfish 17.1 prints as its final evaluation of lopsided positions, for which it uses the small network:
/// two parts weighted 125 and 131, less where they disagree, more with material, in pawns of its win-rate model.
#[test]
fn the_small_network_gives_stockfishs_evaluations() {
    let Some(bytes) = stockfish_small() else { return };
    let file = NetworkFile::from_bytes(&bytes).expect("a network");
    let printed = [
        ("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5.98),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1", -5.22),
        ("4rrk1/pp1n3p/3q2p1/2p1pb2/2PP4/2P3N1/P2B2PP/6K1 b - - 0 19", -7.95),
        ("6k1/6p1/6Pp/ppp5/3p3P/1P3K2/1PP2P2/3NR3 b - - 0 1", 6.97),
        ("2r3k1/1p3ppp/8/8/8/1P6/5PPP/3RR1K1 w - - 0 1", 5.34),
        ("8/5k2/8/8/3Q4/8/5K2/7r b - - 0 1", 1.93),
    ];
    for (fen, expected) in printed {
        let position = Position::from_fen(fen, FenMode::Lenient).expect(fen);
        let evaluation = reference::evaluate_integers(file.spec(), &file.weights, &position);
        let (shortcut, positional) = (evaluation.shortcut, evaluation.positional);
        let blend = (125 * shortcut + 131 * positional) / 128;
        let blend = blend - blend * (shortcut - positional).abs() / 18_000;
        let count = |kind| position.board().kind(kind).len() as i32;
        let [pawns, knights, bishops, rooks, queens] = [0, 1, 2, 3, 4].map(|kind| count(PieceKind::ALL[kind]));
        let material = 535 * pawns + 781 * knights + 825 * bishops + 1276 * rooks + 2538 * queens;
        let value = f64::from(blend * (77_777 + material) / 77_777);
        let phase = f64::from((pawns + 3 * (knights + bishops) + 5 * rooks + 9 * queens).clamp(17, 78)) / 58.0;
        let pawn = ((-13.500_301_98 * phase + 40.927_808_83) * phase - 36.827_535_45) * phase + 386.830_040_70;
        let white = if position.side_to_move() == Color::White { value } else { -value };
        assert!((white / pawn - expected).abs() < 0.006, "{fen}: {} instead of {expected}", white / pawn);
    }
}
