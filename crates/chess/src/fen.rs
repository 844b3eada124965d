//! Forsyth–Edwards Notation, with X-FEN and Shredder-FEN castling.

mod writing;

use std::fmt;
use std::str::FromStr;

use crate::validity::{self, Violation};
use crate::{Bitboard, Board, CastlingSide, Color, File, Piece, PieceKind, Position, Rank, Setup, Square};

/// How much a FEN may stray.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FenMode {
    /// Six fields with single spaces, and everything they say must hold.
    Strict,
    /// Any white space; missing fields mean White to move, no rights, clocks 0 and 1; a move number of 0 means 1;
    /// castling rights without king or rook and en-passant squares that nobody passed are dropped.
    Lenient,
}

/// The six fields of a FEN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FenField {
    /// Who stands where.
    Placement,
    /// `w` or `b`.
    SideToMove,
    /// `KQkq`, rook files or `-`.
    Castling,
    /// A square or `-`.
    EnPassant,
    /// Plies since the last capture or pawn move.
    HalfmoveClock,
    /// The number of the current move.
    FullmoveNumber,
}

impl fmt::Display for FenField {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Placement => "piece placement",
            Self::SideToMove => "side to move",
            Self::Castling => "castling rights",
            Self::EnPassant => "en-passant square",
            Self::HalfmoveClock => "halfmove clock",
            Self::FullmoveNumber => "move number",
        })
    }
}

/// What is wrong with a FEN, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// A field cannot be read.
    #[error("FEN column {column}, {field}: {problem}")]
    Field {
        /// Which field.
        field: FenField,
        /// The first offending character, counted from 1.
        column: usize,
        /// What is wrong, in words.
        problem: String,
    },
    /// The FEN is readable but describes no legal position.
    #[error("FEN describes no legal position: {0}")]
    Illegal(Violation),
}

/// Written out, because the message already contains the violation's: as a source it would be printed twice.
impl From<Violation> for FenError {
    fn from(violation: Violation) -> Self {
        Self::Illegal(violation)
    }
}

/// A piece of the text with the place it was found at.
#[derive(Clone, Copy)]
struct Field<'a> {
    name: FenField,
    text: &'a str,
    /// Characters before it.
    start: usize,
}

impl Field<'_> {
    fn error(&self, offset: usize, problem: impl Into<String>) -> FenError {
        FenError::Field { field: self.name, column: self.start + offset + 1, problem: problem.into() }
    }
}

/// The fields of a text, each with the number of characters before it.
struct Fields<'a> {
    fields: [Option<(usize, &'a str)>; 6],
    /// Where something follows the sixth field.
    excess: Option<usize>,
}

/// Cuts a text into fields: at single spaces if strict, else at any white space.
fn split(text: &str, mode: FenMode) -> Fields<'_> {
    let mut found = Fields { fields: [None; 6], excess: None };
    let words: &mut dyn Iterator<Item = &str> = match mode {
        FenMode::Strict => &mut text.split(' '),
        FenMode::Lenient => &mut text.split_whitespace(),
    };
    for (index, word) in words.enumerate() {
        // Both are parts of one text, so that the difference of their addresses is the word's place.
        let bytes = word.as_ptr() as usize - text.as_ptr() as usize;
        let column = text[..bytes].chars().count();
        match found.fields.get_mut(index) {
            Some(slot) => *slot = Some((column, word)),
            None => {
                found.excess = Some(column);
                break;
            }
        }
    }
    found
}

impl Setup {
    /// Reads a FEN without asking whether the position is legal.
    ///
    /// # Errors
    /// The field that cannot be read, and the column.
    pub fn from_fen(text: &str, mode: FenMode) -> Result<Self, FenError> {
        use FenField::{Castling, EnPassant, FullmoveNumber, HalfmoveClock, Placement, SideToMove};
        let Fields { fields, excess } = split(text, mode);
        let end = text.chars().count();
        let field = |index: usize, name: FenField, default: &'static str| match fields[index] {
            Some((start, text)) => Ok(Field { name, text, start }),
            None if mode == FenMode::Lenient && index > 0 => Ok(Field { name, text: default, start: end }),
            None => Err(FenError::Field { field: name, column: end + 1, problem: "missing".to_owned() }),
        };
        let board = placement(field(0, Placement, "")?)?;
        let side_to_move = side(field(1, SideToMove, "w")?)?;
        let castling_rooks = castling(field(2, Castling, "-")?, &board, mode)?;
        let en_passant = en_passant(field(3, EnPassant, "-")?)?;
        let halfmove_clock = number(field(4, HalfmoveClock, "0")?)?;
        let mut fullmove_number = number(field(5, FullmoveNumber, "1")?)?;
        if mode == FenMode::Lenient {
            fullmove_number = fullmove_number.max(1);
        }
        if let Some(column) = excess {
            let problem = "nothing may follow the sixth field".to_owned();
            return Err(FenError::Field { field: FullmoveNumber, column: column + 1, problem });
        }
        Ok(Self { board, side_to_move, castling_rooks, en_passant, halfmove_clock, fullmove_number })
    }
}

fn placement(field: Field<'_>) -> Result<Board, FenError> {
    let mut board = Board::EMPTY;
    let (mut file, mut rank) = (0, 7);
    let mut after_digit = false;
    for (column, letter) in field.text.chars().enumerate() {
        let digit = letter.to_digit(10).map(|digit| digit as usize);
        match (letter, digit) {
            ('/', _) => {
                if file != 8 {
                    let problem = format!("rank {} has {file} squares instead of 8", rank + 1);
                    return Err(field.error(column, problem));
                }
                if rank == 0 {
                    return Err(field.error(column, "more than eight ranks"));
                }
                (file, rank) = (0, rank - 1);
                after_digit = false;
                continue;
            }
            (_, Some(empty @ 1..=8)) if !after_digit => file += empty,
            (_, Some(1..=8)) => return Err(field.error(column, "two digits in a row")),
            _ => {
                let Some(piece) = Piece::from_char(letter) else {
                    return Err(field.error(column, format!("'{}' is no piece", letter.escape_default())));
                };
                if let Some(square) = Square::from_index(rank * 8 + file).filter(|_| file < 8) {
                    board.place(piece, square);
                }
                file += 1;
            }
        }
        after_digit = digit.is_some();
        if file > 8 {
            return Err(field.error(column, format!("rank {} has more than 8 squares", rank + 1)));
        }
    }
    if (file, rank) == (8, 0) {
        return Ok(board);
    }
    let problem = format!("ends on rank {} after {file} squares", rank + 1);
    Err(field.error(field.text.chars().count(), problem))
}

fn side(field: Field<'_>) -> Result<Color, FenError> {
    let mut letters = field.text.chars();
    match (letters.next().and_then(Color::from_char), letters.next()) {
        (Some(color), None) => Ok(color),
        _ => Err(field.error(0, "expected 'w' or 'b'")),
    }
}

fn castling(field: Field<'_>, board: &Board, mode: FenMode) -> Result<Bitboard, FenError> {
    let mut rooks = Bitboard::EMPTY;
    if field.text == "-" {
        return Ok(rooks);
    }
    if field.text.is_empty() {
        return Err(field.error(0, "expected rights or '-'"));
    }
    for (column, letter) in field.text.chars().enumerate() {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let rank = Rank::First.relative_to(color);
        let wanted = letter.to_ascii_lowercase();
        let rook = match (wanted, File::from_char(wanted)) {
            ('k', _) => outermost_rook(board, color, CastlingSide::King),
            ('q', _) => outermost_rook(board, color, CastlingSide::Queen),
            (_, Some(file)) => Some(Square::new(file, rank)),
            _ => {
                let problem = format!(
                    "'{}' is no castling right; expected K, Q, k, q, a rook's file or '-'",
                    letter.escape_default()
                );
                return Err(field.error(column, problem));
            }
        };
        match rook {
            Some(square) if rooks.contains(square) => {
                return Err(field.error(column, format!("the right '{letter}' stands twice")));
            }
            Some(square) => rooks = rooks.with(square),
            None if mode == FenMode::Lenient => {}
            None => {
                return Err(field.error(column, format!("no {color} rook for the right '{letter}'")));
            }
        }
    }
    Ok(rooks)
}

/// The rook that X-FEN means by `K` or `Q`: the outermost one beyond the king on the back rank.
fn outermost_rook(board: &Board, color: Color, side: CastlingSide) -> Option<Square> {
    let back_rank = Rank::First.relative_to(color);
    let king = board.king(color).filter(|king| king.rank() == back_rank)?;
    let rooks = board.pieces(color, PieceKind::Rook) & back_rank.bitboard();
    match side {
        CastlingSide::King => rooks.last().filter(|rook| rook.file() > king.file()),
        CastlingSide::Queen => rooks.first().filter(|rook| rook.file() < king.file()),
    }
}

fn en_passant(field: Field<'_>) -> Result<Option<Square>, FenError> {
    if field.text == "-" {
        return Ok(None);
    }
    match field.text.parse() {
        Ok(square) => Ok(Some(square)),
        Err(_) => Err(field.error(0, "expected a square or '-'")),
    }
}

fn number(field: Field<'_>) -> Result<u16, FenError> {
    let digits = field.text.bytes().all(|byte| byte.is_ascii_digit());
    match field.text.parse() {
        Ok(value) if digits => Ok(value),
        _ => Err(field.error(0, "expected a number from 0 to 65535")),
    }
}

impl Position {
    /// Reads a FEN.
    ///
    /// # Errors
    /// What cannot be read, or why the position is not legal.
    pub fn from_fen(text: &str, mode: FenMode) -> Result<Self, FenError> {
        let mut setup = Setup::from_fen(text, mode)?;
        if mode == FenMode::Lenient {
            repair(&mut setup);
        }
        Ok(Self::try_from(setup)?)
    }
}

/// Drops the rights and chances that the placement contradicts.
fn repair(setup: &mut Setup) {
    loop {
        match validity::check(setup) {
            Err(Violation::CastlingKing(color)) => {
                setup.castling_rooks -= setup.castling_rooks_of(color);
            }
            Err(Violation::CastlingRook { square, .. }) => {
                setup.castling_rooks = setup.castling_rooks.without(square);
            }
            Err(Violation::EnPassant(_) | Violation::EnPassantCheck(_)) => setup.en_passant = None,
            _ => return,
        }
    }
}

/// Reads leniently; see [`FenMode`].
impl FromStr for Position {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        Self::from_fen(text, FenMode::Lenient)
    }
}

#[cfg(test)]
mod tests;
