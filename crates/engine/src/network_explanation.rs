//! A network's evaluation for people: value, parts, and what each piece is worth to it in two ways.

use std::fmt::Write;

use kiebitz_chess::{Color, File, Position, Rank, Square};
use kiebitz_inference::{Evaluator, Network, additive_split, removal_effects};

/// The value from White's view with its parts, in every bucket; a board with the removal effect of every piece, and one with its share.
pub(crate) fn explain_network(network: &Network, position: &Position) -> String {
    let mut evaluator = Evaluator::new(network);
    evaluator.reset(position);
    let parts = evaluator.evaluate_parts(position);
    let spec = network.spec();
    let sign = if position.side_to_move() == Color::White { 1 } else { -1 };
    let white = |units: i32| sign * spec.centipawns.of(units);
    let effects = removal_effects(network, position);
    let split = additive_split(network, position);
    let mut text = format!(
        "{spec}\n\nRemoval effects: the value with a piece less the value without it, in centipawns for White.\n\n"
    );
    draw(&mut text, position, |square| {
        let effect = effects.iter().find(|effect| effect.square == square);
        effect.map(|effect| format!("{:+}", effect.centipawns))
    });
    text.push_str(
        "\nThese do not sum up. Additive split: the share of every piece in the value, in centipawns for White.\n\n",
    );
    draw(&mut text, position, |square| {
        split.pieces.iter().find(|share| share.square == square).map(|share| tenths(share.tenths))
    });
    let pieces: i64 = split.pieces.iter().map(|share| share.tenths).sum();
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        "\nPieces {}, empty board {}, rounding {}: together {:+} cp.\n\n",
        tenths(pieces),
        tenths(split.empty),
        tenths(split.rounding),
        split.centipawns,
    );
    if spec.buckets.count > 1 {
        text.push_str(
            "What every bucket says, in centipawns for White:\n\nBucket  Piece squares  Position     Value\n",
        );
        for bucket in evaluator.evaluate_buckets(position) {
            let mark = if bucket.bucket == parts.bucket { "  <- in use" } else { "" };
            let _ = writeln!(
                text,
                "{:>6} {:>+14} {:>+9} {:>+9}{mark}",
                bucket.bucket,
                white(bucket.shortcut),
                white(bucket.positional),
                white(bucket.units)
            );
        }
        text.push('\n');
    }
    let _ = write!(
        text,
        "Bucket: {}\nPiece squares: {:+} cp\nPosition: {:+} cp\nValue: {:+} cp for White (internal {:+})",
        parts.bucket,
        white(parts.shortcut),
        white(parts.positional),
        white(parts.units),
        sign * parts.units,
    );
    text
}

/// Draws the board with something beside every piece.
fn draw(text: &mut String, position: &Position, beside: impl Fn(Square) -> Option<String>) {
    for rank in Rank::ALL.into_iter().rev() {
        for file in File::ALL {
            let square = Square::new(file, rank);
            let piece = position.piece_at(square).map_or('.', |piece| piece.to_char());
            // Writing to a string cannot fail.
            let _ = write!(text, " {piece} {:<7}", beside(square).unwrap_or_default());
        }
        text.push('\n');
    }
}

/// Tenths of a centipawn as centipawns.
fn tenths(tenths: i64) -> String {
    let sign = if tenths < 0 { '-' } else { '+' };
    format!("{sign}{}.{}", tenths.unsigned_abs() / 10, tenths.unsigned_abs() % 10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kiebitz_network::reference::evaluate_integers;
    use kiebitz_network::{Dense, LayerShape, NetworkFile, NetworkSpec, QuantisedWeights, Rows};
    use std::sync::Arc;

    const PLAIN: &str = "inputs = bullet768 trunk = accumulate 16 clipped -> dense 8 clipped heads = value";
    const BUCKETS: &str = "inputs = bullet768 trunk = accumulate 16 clipped shortcut -> dense 8 clipped
                           buckets = 4 of (pieces - 1) / 8 heads = value";

    /// A network of weights that look random.
    fn network_file(text: &str) -> NetworkFile {
        let spec = NetworkSpec::parse(text).expect("a description");
        let mut state = 1_u64;
        let mut next = |reach: i64| {
            state = state.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
            (state >> 33) as i64 % (2 * reach + 1) - reach
        };
        let rows: Vec<i16> = (0..768 * 16).map(|_| next(30) as i16).collect();
        let shortcut = if spec.accumulated().shortcut { 768 * spec.buckets.count } else { 0 };
        let shortcut_weights = (0..shortcut).map(|_| next(4000) as i32).collect();
        let mut layer = |shape: LayerShape| Dense {
            weights: (0..shape.inputs * shape.outputs).map(|_| next(60) as i16).collect(),
            biases: (0..shape.outputs).map(|_| next(4000) as i32).collect(),
            ..Dense::zero(shape)
        };
        let stacks = (0..spec.buckets.count).map(|_| spec.layer_shapes().into_iter().map(&mut layer).collect());
        let weights = QuantisedWeights {
            accumulator_biases: vec![60; 16],
            accumulator_weights: Arc::new(Rows::from(rows)),
            shortcut_weights,
            stacks: stacks.collect(),
        };
        NetworkFile::new(spec, weights)
    }

    fn tenths_of(word: &str) -> Option<i64> {
        let (whole, tenth) = word.split_once('.')?;
        let size = 10 * whole.get(1..)?.parse::<i64>().ok()? + tenth.parse::<i64>().ok()?;
        Some(if whole.starts_with('-') { -size } else { size })
    }

    #[test]
    fn the_shares_that_are_shown_sum_up_to_the_value_that_is_shown() {
        let network = Network::new(&network_file(PLAIN)).expect("a playable network");
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R b KQ - 4 8",
            "8/pp2r1k1/2p1p3/3pP2p/1P1P1P1P/P5KR/8/8 w - - 0 1",
        ] {
            let text = explain_network(&network, &fen.parse().expect(fen));
            let (_, split) = text.split_once("Additive split").expect("a split");
            let (board, rest) = split.split_once("\nPieces ").expect("a summary");
            let pieces: i64 = board.split_whitespace().filter_map(tenths_of).sum();
            let summary: Vec<&str> = rest.lines().next().expect("a line").split([' ', ',', ':']).collect();
            let told: Vec<i64> = summary.iter().filter_map(|word| tenths_of(word)).collect();
            assert_eq!(told[0], pieces, "{text}");
            let value: i64 = summary[summary.len() - 2].parse().expect("a value");
            assert_eq!(told.iter().sum::<i64>(), 10 * value, "{text}");
            assert!(rest.contains(&format!("Value: {value:+} cp for White")), "{text}");
            assert!(!text.contains("in use"), "a single bucket is no choice");
        }
    }

    /// The same network with one bucket in the place of all others.
    fn with_bucket_everywhere(file: &NetworkFile, bucket: usize) -> NetworkFile {
        let mut file = file.clone();
        let count = file.spec().buckets.count;
        file.weights.stacks = vec![file.weights.stacks[bucket].clone(); count];
        for row in file.weights.shortcut_weights.chunks_mut(count) {
            row.fill(row[bucket]);
        }
        file
    }

    #[test]
    fn every_bucket_is_shown_and_the_one_in_use_is_marked() {
        let file = network_file(BUCKETS);
        let network = Network::new(&file).expect("a playable network");
        for (fen, in_use) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 3),
            ("r4rk1/pp3ppp/2n5/3p4/3P1B2/2P5/PP3PPP/R2QK2R b KQ - 4 18", 2),
            ("8/pp4k1/2p5/8/1P1P4/6K1/8/8 w - - 0 1", 0),
        ] {
            let position: Position = fen.parse().expect(fen);
            let text = explain_network(&network, &position);
            let (_, table) = text.split_once("Position     Value\n").expect("a table");
            let rows: Vec<&str> = table.lines().take_while(|line| !line.is_empty()).collect();
            assert_eq!(rows.len(), 4, "{text}");
            let sign = if position.side_to_move() == Color::White { 1 } else { -1 };
            let mut values = Vec::new();
            for (bucket, row) in rows.iter().enumerate() {
                let alone = with_bucket_everywhere(&file, bucket);
                let expected = evaluate_integers(alone.spec(), &alone.weights, &position);
                assert_eq!(expected.bucket, in_use);
                let parts = [expected.shortcut, expected.positional, expected.units];
                let mut words = vec![bucket.to_string()];
                words.extend(parts.map(|units| format!("{:+}", sign * file.spec().centipawns.of(units))));
                if bucket == in_use {
                    words.extend(["<-", "in", "use"].map(str::to_owned));
                    assert!(text.contains(&format!("Value: {} cp for White", words[3])), "{text}");
                }
                assert_eq!(row.split_whitespace().collect::<Vec<_>>(), words, "{text}");
                values.push(expected.units);
            }
            values.sort_unstable();
            values.dedup();
            assert!(values.len() > 1, "the buckets of this test differ");
        }
    }
}
