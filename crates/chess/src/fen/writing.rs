//! Writing FEN.

use std::fmt;

use super::outermost_rook;
use crate::{Board, CastlingSide, Color, File, Position, Rank, Square};

/// How castling rights are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CastlingStyle {
    /// `KQkq` where that is clear, else the rook's file: the same text as everybody's in standard chess.
    XFen,
    /// Always the rook's file.
    Shredder,
}

struct FenText<'a> {
    position: &'a Position,
    castling: CastlingStyle,
}

impl fmt::Display for FenText<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = self.position;
        write!(formatter, "{} ", EpdText { position, castling: self.castling })?;
        write!(formatter, "{} {}", position.halfmove_clock, position.fullmove_number)
    }
}

/// The first four fields, each followed by a space.
struct EpdText<'a> {
    position: &'a Position,
    castling: CastlingStyle,
}

impl fmt::Display for EpdText<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = self.position;
        write_placement(formatter, position.board())?;
        write!(formatter, " {} ", position.side_to_move.to_char())?;
        write_castling(formatter, position, self.castling)?;
        match position.en_passant {
            Some(square) => write!(formatter, " {square}"),
            None => write!(formatter, " -"),
        }
    }
}

fn write_placement(formatter: &mut fmt::Formatter<'_>, board: &Board) -> fmt::Result {
    for rank in Rank::ALL.into_iter().rev() {
        if rank != Rank::Eighth {
            formatter.write_str("/")?;
        }
        let mut empty = 0;
        for file in File::ALL {
            match board.piece_at(Square::new(file, rank)) {
                None => empty += 1,
                Some(piece) => {
                    if empty > 0 {
                        write!(formatter, "{empty}")?;
                        empty = 0;
                    }
                    write!(formatter, "{piece}")?;
                }
            }
        }
        if empty > 0 {
            write!(formatter, "{empty}")?;
        }
    }
    Ok(())
}

fn write_castling(formatter: &mut fmt::Formatter<'_>, position: &Position, style: CastlingStyle) -> fmt::Result {
    if position.castling_rooks.is_empty() {
        return formatter.write_str("-");
    }
    for color in Color::ALL {
        for (side, letter) in [(CastlingSide::King, 'k'), (CastlingSide::Queen, 'q')] {
            let Some(rook) = position.castling_rook(color, side) else { continue };
            let clear = outermost_rook(&position.board, color, side) == Some(rook);
            let lower = if style == CastlingStyle::XFen && clear { letter } else { rook.file().to_char() };
            let written = match color {
                Color::White => lower.to_ascii_uppercase(),
                Color::Black => lower,
            };
            write!(formatter, "{written}")?;
        }
    }
    Ok(())
}

/// The FEN; castling as X-FEN, the en-passant square only where a capture is legal.
impl fmt::Display for Position {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        FenText { position: self, castling: CastlingStyle::XFen }.fmt(formatter)
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Position({self})")
    }
}

impl Position {
    /// The first four fields of the FEN, as EPD wants them.
    #[must_use]
    pub fn to_epd_fields(&self) -> String {
        EpdText { position: self, castling: CastlingStyle::XFen }.to_string()
    }

    /// The FEN with castling rights as rook files, as Shredder writes Chess960.
    #[must_use]
    pub fn to_shredder_fen(&self) -> String {
        FenText { position: self, castling: CastlingStyle::Shredder }.to_string()
    }
}
