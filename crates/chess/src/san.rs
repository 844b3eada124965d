//! Standard algebraic notation: `Nf3`, `exd5`, `O-O`, `e8=Q+`.

use std::fmt;
use std::str::FromStr;

use crate::attacks::sliders::with_sliders;
use crate::{Bitboard, CastlingSide, Color, File, Move, MoveKind, Piece, PieceKind, Position, Rank, Square, attacks};

/// A move as people write it, without its check mark: what moves where, and just enough of whence.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum San {
    /// Any move but castling.
    Normal {
        /// What moves.
        kind: PieceKind,
        /// The file it comes from, where it is written.
        file: Option<File>,
        /// The rank it comes from, where it is written.
        rank: Option<Rank>,
        /// Whether an `x` is written.
        capture: bool,
        /// Where it goes.
        to: Square,
        /// What a pawn becomes.
        promotion: Option<PieceKind>,
    },
    /// `O-O` or `O-O-O`.
    Castle(CastlingSide),
}

/// The mark behind a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Suffix {
    /// `+`
    Check,
    /// `#`
    Checkmate,
}

/// A move with its check mark.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SanPlus {
    /// The move.
    pub san: San,
    /// The mark.
    pub suffix: Option<Suffix>,
}

/// Why a text is not a move, or not one of this position's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SanError {
    /// Not algebraic notation at all.
    #[error("'{0}' is not a move in algebraic notation")]
    Syntax(String),
    /// No piece can do that.
    #[error("{0} is not legal here")]
    Illegal(San),
    /// More than one piece can do that.
    #[error("{0} is ambiguous here: more than one piece can make the move")]
    Ambiguous(San),
}

impl San {
    /// Reads a move; besides the standard form also `0-0`, `e8Q`, `Ng1-f3` and `Ng1xf3`. Neither check marks nor
    /// comments such as `!?` may follow: see [`SanPlus`] for the former.
    ///
    /// # Errors
    /// The text, if it is not a move.
    pub fn from_ascii(text: &[u8]) -> Result<Self, SanError> {
        parse(text).ok_or_else(|| {
            let shown: String = String::from_utf8_lossy(text).chars().take(32).collect();
            SanError::Syntax(shown)
        })
    }

    /// The legal move that is meant. A missing or superfluous `x` is forgiven, as people do.
    ///
    /// # Errors
    /// Says whether nothing fits or too much.
    #[inline]
    pub fn resolve(self, position: &Position) -> Result<Move, SanError> {
        let found = match self {
            Self::Castle(side) => return castle(position, side).ok_or(SanError::Illegal(self)),
            Self::Normal { kind: PieceKind::Pawn, .. } => {
                return pawn_move(position, self);
            }
            Self::Normal { kind, file, rank, to, promotion: None, .. } => {
                origins(position, kind, to) & hinted(file, rank)
            }
            Self::Normal { .. } => Bitboard::EMPTY,
        };
        let Self::Normal { to, .. } = self else { return Err(SanError::Illegal(self)) };
        match found.first() {
            None => Err(SanError::Illegal(self)),
            Some(_) if found.has_several() => Err(SanError::Ambiguous(self)),
            Some(from) => {
                let capture = position.occupied().contains(to);
                let kind = if capture { MoveKind::Capture } else { MoveKind::Quiet };
                Ok(Move::new(from, to, kind))
            }
        }
    }

    /// The shortest unambiguous way to write a legal move.
    #[must_use]
    pub fn of(position: &Position, mv: Move) -> Self {
        if let Some(side) = mv.castling() {
            return Self::Castle(side);
        }
        let (from, to) = (mv.from(), mv.to());
        let kind = position.board().kind_at(from).unwrap_or(PieceKind::Pawn);
        let capture = mv.is_capture();
        let (mut file, mut rank) = (None, None);
        if kind == PieceKind::Pawn {
            file = capture.then_some(from.file());
        } else {
            let rivals = origins(position, kind, to).without(from);
            if rivals.any() {
                if !rivals.intersects(from.file().bitboard()) {
                    file = Some(from.file());
                } else if !rivals.intersects(from.rank().bitboard()) {
                    rank = Some(from.rank());
                } else {
                    (file, rank) = (Some(from.file()), Some(from.rank()));
                }
            }
        }
        Self::Normal { kind, file, rank, capture, to, promotion: mv.promotion() }
    }
}

/// The squares that a file and a rank leave possible.
#[inline(always)]
fn hinted(file: Option<File>, rank: Option<Rank>) -> Bitboard {
    file.map_or(Bitboard::ALL, File::bitboard) & rank.map_or(Bitboard::ALL, Rank::bitboard)
}

/// Where a piece (not a pawn) of this kind may legally come from; castling does not count.
#[inline(always)]
fn origins(position: &Position, kind: PieceKind, to: Square) -> Bitboard {
    let us = position.side_to_move();
    if position.board().color(us).contains(to) {
        return Bitboard::EMPTY;
    }
    let own = position.pieces(us, kind);
    let mut candidates = attacks::piece(kind, us, to, position.occupied()) & own;
    for from in candidates {
        if !position.king_is_safe_after(from, to) {
            candidates = candidates.without(from);
        }
    }
    candidates
}

/// A pawn's legal move.
fn pawn_move(position: &Position, san: San) -> Result<Move, SanError> {
    let San::Normal { file, rank, capture, to, promotion, .. } = san else { return Err(SanError::Illegal(san)) };
    let us = position.side_to_move();
    let pawns = position.pieces(us, PieceKind::Pawn) & hinted(file, rank);
    let promotes = to.rank() == Rank::Eighth.relative_to(us);
    if promotes != promotion.is_some() || promotion.is_some_and(|kind| !PieceKind::PROMOTIONS.contains(&kind)) {
        return Err(SanError::Illegal(san));
    }
    if !capture && file.is_none_or(|file| file == to.file()) {
        return pawn_push(position, pawns, to, promotion).ok_or(SanError::Illegal(san));
    }
    let kind = if position.en_passant() == Some(to) {
        MoveKind::EnPassant
    } else if position.board().color(!us).contains(to) {
        promotion.map_or(MoveKind::Capture, |kind| MoveKind::promotion(kind, true))
    } else {
        return Err(SanError::Illegal(san));
    };
    let mut found = Err(SanError::Illegal(san));
    for from in attacks::pawn(!us, to) & pawns {
        let mv = Move::new(from, to, kind);
        let legal = match kind {
            MoveKind::EnPassant => position.is_legal(mv),
            _ => position.king_is_safe_after(from, to),
        };
        match (legal, &found) {
            (true, Ok(_)) => return Err(SanError::Ambiguous(san)),
            (true, Err(_)) => found = Ok(mv),
            (false, _) => {}
        }
    }
    found
}

fn pawn_push(position: &Position, pawns: Bitboard, to: Square, promotion: Option<PieceKind>) -> Option<Move> {
    let us = position.side_to_move();
    let back = if us == Color::White { -1 } else { 1 };
    let near = to.offset(0, back)?;
    if position.occupied().contains(to) {
        return None;
    }
    let (from, kind) = if pawns.contains(near) {
        let kind = promotion.map_or(MoveKind::Quiet, |kind| MoveKind::promotion(kind, false));
        (near, kind)
    } else {
        let far = near.offset(0, back)?;
        let may_leap = far.rank() == Rank::Second.relative_to(us);
        if !may_leap || position.occupied().contains(near) || !pawns.contains(far) {
            return None;
        }
        (far, MoveKind::DoublePush)
    };
    position.king_is_safe_after(from, to).then_some(Move::new(from, to, kind))
}

fn castle(position: &Position, side: CastlingSide) -> Option<Move> {
    let us = position.side_to_move();
    let rook = position.castling_rook(us, side)?;
    let kind = match side {
        CastlingSide::King => MoveKind::CastleKing,
        CastlingSide::Queen => MoveKind::CastleQueen,
    };
    let mv = Move::new(position.king(us), rook, kind);
    position.is_legal(mv).then_some(mv)
}

impl Position {
    /// Whether the mover's king is not attacked once a piece has gone from one square to another, taking what
    /// stands there. Says nothing of en passant and castling.
    #[inline(always)]
    fn king_is_safe_after(&self, from: Square, to: Square) -> bool {
        let us = self.side_to_move();
        let king = self.king(us);
        let king = if king == from { to } else { king };
        let occupied = self.occupied().without(from).with(to);
        let attackers = with_sliders!(|sliders| crate::position::attackers(sliders, self.board(), king, !us, occupied));
        attackers.without(to).is_empty()
    }

    /// Reads a move in algebraic notation, with or without check mark or comment (`!`, `?`).
    ///
    /// # Errors
    /// Says whether the text is no move, an illegal one or an ambiguous one.
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        let bare = text.trim().trim_end_matches(['!', '?']);
        bare.parse::<SanPlus>()?.san.resolve(self)
    }

    /// A legal move in algebraic notation with its check mark.
    #[must_use]
    pub fn san(&self, mv: Move) -> SanPlus {
        let san = San::of(self, mv);
        let next = self.after(mv);
        let suffix = match (next.is_check(), next.has_legal_moves()) {
            (false, _) => None,
            (true, true) => Some(Suffix::Check),
            (true, false) => Some(Suffix::Checkmate),
        };
        SanPlus { san, suffix }
    }
}

fn parse(text: &[u8]) -> Option<San> {
    match text {
        b"O-O" | b"0-0" => return Some(San::Castle(CastlingSide::King)),
        b"O-O-O" | b"0-0-0" => return Some(San::Castle(CastlingSide::Queen)),
        _ => {}
    }
    let (kind, rest) = match text.split_first()? {
        (b'N', rest) => (PieceKind::Knight, rest),
        (b'B', rest) => (PieceKind::Bishop, rest),
        (b'R', rest) => (PieceKind::Rook, rest),
        (b'Q', rest) => (PieceKind::Queen, rest),
        (b'K', rest) => (PieceKind::King, rest),
        (b'P', rest) => (PieceKind::Pawn, rest),
        _ => (PieceKind::Pawn, text),
    };
    let (promotion, rest) = match rest {
        [rest @ .., b'=', letter] => (Some(promoted(*letter)?), rest),
        [rest @ .., letter @ b'A'..=b'Z'] => (Some(promoted(*letter)?), rest),
        _ => (None, rest),
    };
    if promotion.is_some() && kind != PieceKind::Pawn {
        return None;
    }
    let [rest @ .., to_file, to_rank] = rest else { return None };
    let to = Square::new(file(*to_file)?, rank(*to_rank)?);
    let (capture, dash, rest) = match rest {
        [rest @ .., b'x' | b':'] => (true, false, rest),
        [rest @ .., b'-'] => (false, true, rest),
        _ => (false, false, rest),
    };
    let (from_file, from_rank) = match rest {
        [] => (None, None),
        [only] => match file(*only) {
            Some(file) => (Some(file), None),
            None => (None, Some(rank(*only)?)),
        },
        [first, second] => (Some(file(*first)?), Some(rank(*second)?)),
        _ => return None,
    };
    // A dash joins two squares and nothing less.
    if dash && (from_file.is_none() || from_rank.is_none()) {
        return None;
    }
    Some(San::Normal { kind, file: from_file, rank: from_rank, capture, to, promotion })
}

fn promoted(letter: u8) -> Option<PieceKind> {
    Some(match letter {
        b'N' => PieceKind::Knight,
        b'B' => PieceKind::Bishop,
        b'R' => PieceKind::Rook,
        b'Q' => PieceKind::Queen,
        _ => return None,
    })
}

fn file(letter: u8) -> Option<File> {
    File::from_char(char::from(letter))
}

fn rank(digit: u8) -> Option<Rank> {
    Rank::from_char(char::from(digit))
}

impl FromStr for San {
    type Err = SanError;

    fn from_str(text: &str) -> Result<Self, SanError> {
        Self::from_ascii(text.as_bytes())
    }
}

impl FromStr for SanPlus {
    type Err = SanError;

    fn from_str(text: &str) -> Result<Self, SanError> {
        let (bare, suffix) = if let Some(bare) = text.strip_suffix('#') {
            (bare, Some(Suffix::Checkmate))
        } else if let Some(bare) = text.strip_suffix("++") {
            // An old way to mark double check.
            (bare, Some(Suffix::Check))
        } else if let Some(bare) = text.strip_suffix('+') {
            (bare, Some(Suffix::Check))
        } else {
            (text, None)
        };
        Ok(Self { san: bare.parse()?, suffix })
    }
}

impl fmt::Display for San {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Castle(CastlingSide::King) => formatter.write_str("O-O"),
            Self::Castle(CastlingSide::Queen) => formatter.write_str("O-O-O"),
            Self::Normal { kind, file, rank, capture, to, promotion } => {
                let letter = |kind| Piece::new(Color::White, kind).to_char();
                if kind != PieceKind::Pawn {
                    write!(formatter, "{}", letter(kind))?;
                }
                if let Some(file) = file {
                    write!(formatter, "{file}")?;
                }
                if let Some(rank) = rank {
                    write!(formatter, "{rank}")?;
                }
                write!(formatter, "{}{to}", if capture { "x" } else { "" })?;
                match promotion {
                    Some(kind) => write!(formatter, "={}", letter(kind)),
                    None => Ok(()),
                }
            }
        }
    }
}

impl fmt::Display for SanPlus {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = match self.suffix {
            None => "",
            Some(Suffix::Check) => "+",
            Some(Suffix::Checkmate) => "#",
        };
        write!(formatter, "{}{mark}", self.san)
    }
}

#[cfg(test)]
mod tests;
