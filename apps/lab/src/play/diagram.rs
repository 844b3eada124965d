//! The board as text, in color where the terminal can show it.

use std::fmt::Write as _;

use kiebitz_chess::{Color, File, Move, Piece, PieceKind, Position, Rank, Square};

/// How a board is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paint {
    /// Letters and signs alone, for files, pipes and those who set `NO_COLOR`.
    Plain,
    /// Colored squares through terminal escape sequences.
    Colored,
}

/// Backgrounds from the 256-color palette, of middle brightness so that white and black signs both stand out.
const LIGHT: u8 = 144;
const DARK: u8 = 65;
const LIGHT_MARKED: u8 = 179;
const DARK_MARKED: u8 = 136;
const CHECKED: u8 = 167;
/// Foregrounds from the same palette.
const WHITE_PIECE: u8 = 231;
const BLACK_PIECE: u8 = 16;

/// Draws the position with `bottom`'s side nearest to the reader, and marks the last move.
pub(crate) fn draw(position: &Position, last_move: Option<Move>, bottom: Color, paint: Paint) -> String {
    let mut files = File::ALL;
    let mut ranks = Rank::ALL;
    match bottom {
        Color::White => ranks.reverse(),
        Color::Black => files.reverse(),
    }
    let mut text = String::new();
    for rank in ranks {
        text.push_str(&format!(" {} ", rank.to_char()));
        for file in files {
            let square = Square::new(file, rank);
            match paint {
                Paint::Plain => text.push_str(&plain(position.piece_at(square))),
                Paint::Colored => text.push_str(&colored(position, square, last_move)),
            }
        }
        text.push('\n');
    }
    let letters: String = files.iter().map(|file| format!(" {} ", file.to_char())).collect();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "   {}", letters.trim_end());
    text
}

fn plain(piece: Option<Piece>) -> String {
    format!(" {} ", piece.map_or('·', sign))
}

fn colored(position: &Position, square: Square, last_move: Option<Move>) -> String {
    let marked = last_move.is_some_and(|mv| mv.from() == square || mv.to() == square);
    let in_check = position.is_check() && position.king(position.side_to_move()) == square;
    let background = match (in_check, square.is_light(), marked) {
        (true, _, _) => CHECKED,
        (false, true, true) => LIGHT_MARKED,
        (false, true, false) => LIGHT,
        (false, false, true) => DARK_MARKED,
        (false, false, false) => DARK,
    };
    let (foreground, shape) = match position.piece_at(square) {
        // The filled signs look the same for both sides once the terminal colors them.
        Some(piece) => (piece_color(piece.color), sign(Piece::new(Color::Black, piece.kind))),
        None => (BLACK_PIECE, ' '),
    };
    format!("\x1b[48;5;{background};38;5;{foreground}m {shape} \x1b[0m")
}

fn piece_color(color: Color) -> u8 {
    match color {
        Color::White => WHITE_PIECE,
        Color::Black => BLACK_PIECE,
    }
}

/// The chess sign of Unicode: outlined for White, filled for Black.
fn sign(piece: Piece) -> char {
    match (piece.color, piece.kind) {
        (Color::White, PieceKind::Pawn) => '♙',
        (Color::White, PieceKind::Knight) => '♘',
        (Color::White, PieceKind::Bishop) => '♗',
        (Color::White, PieceKind::Rook) => '♖',
        (Color::White, PieceKind::Queen) => '♕',
        (Color::White, PieceKind::King) => '♔',
        (Color::Black, PieceKind::Pawn) => '♟',
        (Color::Black, PieceKind::Knight) => '♞',
        (Color::Black, PieceKind::Bishop) => '♝',
        (Color::Black, PieceKind::Rook) => '♜',
        (Color::Black, PieceKind::Queen) => '♛',
        (Color::Black, PieceKind::King) => '♚',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_position_from_both_sides() {
        let position = Position::default();
        let white = draw(&position, None, Color::White, Paint::Plain);
        let first = white.lines().next().expect("eight ranks");
        assert_eq!(first, " 8  ♜  ♞  ♝  ♛  ♚  ♝  ♞  ♜ ");
        assert_eq!(white.lines().last(), Some("    a  b  c  d  e  f  g  h"));
        let black = draw(&position, None, Color::Black, Paint::Plain);
        assert!(black.starts_with(" 1  ♖  ♘  ♗  ♔  ♕"));
        assert_eq!(black.lines().last(), Some("    h  g  f  e  d  c  b  a"));
    }

    #[test]
    fn colors_are_escape_sequences_and_end_on_every_square() {
        let text = draw(&Position::default(), None, Color::White, Paint::Colored);
        assert_eq!(text.matches("\x1b[48;5;").count(), 64);
        assert_eq!(text.matches("\x1b[0m").count(), 64);
    }
}
