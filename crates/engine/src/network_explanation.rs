//! A network's evaluation for people: value, parts, and what each piece is worth to it.

use std::fmt::Write;

use kiebitz_chess::{Color, File, Position, Rank, Square};
use kiebitz_inference::{Evaluator, Network, removal_effects};

/// The value from White's view with its parts, and a board with the removal effect of every piece.
pub(crate) fn explain_network(network: &Network, position: &Position) -> String {
    let mut evaluator = Evaluator::new(network);
    evaluator.reset(position);
    let parts = evaluator.evaluate_parts(position);
    let spec = network.spec();
    let sign = if position.side_to_move() == Color::White { 1 } else { -1 };
    let white = |units: i32| sign * spec.centipawns.of(units);
    let mut text = format!("{spec}\n\n");
    let effects = removal_effects(network, position);
    for rank in Rank::ALL.into_iter().rev() {
        for file in File::ALL {
            let square = Square::new(file, rank);
            let effect = effects.iter().find(|effect| effect.square == square);
            let piece = position.piece_at(square).map_or('.', |piece| piece.to_char());
            let value = effect.and_then(|effect| effect.centipawns).map_or(String::new(), |value| format!("{value:+}"));
            // Writing to a string cannot fail.
            let _ = write!(text, " {piece} {value:<6}");
        }
        text.push('\n');
    }
    let _ = write!(
        text,
        "\nBeside each piece: the value with it less the value without it, in centipawns for White; these do not sum up.\n\n\
         Bucket: {}\nPiece squares: {:+} cp\nPosition: {:+} cp\nValue: {:+} cp for White (internal {:+})",
        parts.bucket,
        white(parts.shortcut),
        white(parts.positional),
        white(parts.units),
        sign * parts.units,
    );
    text
}
