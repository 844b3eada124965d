//! What a move changed on the board.

use kiebitz_chess::{BoardObserver, Piece, Square};

/// The most pieces one move takes off or puts down: castling lifts two and puts down two.
const MOST: usize = 2;

/// The pieces that left their squares and those that came to stand on one; recorded by listening to a move.
///
/// ```
/// use kiebitz_chess::Position;
/// use kiebitz_features::BoardDelta;
///
/// let mut position = Position::default();
/// let mut delta = BoardDelta::default();
/// position.play_observed(position.parse_san("Nf3")?, &mut delta);
/// assert_eq!(delta.to_string(), "-N g1 +N f3");
/// # Ok::<(), kiebitz_chess::SanError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct BoardDelta {
    removed: PieceList,
    placed: PieceList,
}

#[derive(Clone, Copy, Debug, Default)]
struct PieceList {
    entries: [Option<(Piece, Square)>; MOST],
    length: u8,
}

impl PieceList {
    #[inline(always)]
    fn push(&mut self, piece: Piece, square: Square) {
        debug_assert!(usize::from(self.length) < MOST, "a delta records one move; clear it before the next");
        if let Some(entry) = self.entries.get_mut(usize::from(self.length)) {
            *entry = Some((piece, square));
            self.length += 1;
        }
    }

    #[inline(always)]
    fn iter(&self) -> impl Iterator<Item = (Piece, Square)> + '_ {
        self.entries[..usize::from(self.length).min(MOST)].iter().flatten().copied()
    }
}

impl BoardDelta {
    /// Forgets everything, for the next move.
    #[inline]
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Whether nothing changed, as after a null move.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.removed.length == 0 && self.placed.length == 0
    }

    /// The pieces that left a square, with that square.
    #[inline]
    pub fn removed(&self) -> impl Iterator<Item = (Piece, Square)> + '_ {
        self.removed.iter()
    }

    /// The pieces that came to stand on a square, with that square.
    #[inline]
    pub fn placed(&self) -> impl Iterator<Item = (Piece, Square)> + '_ {
        self.placed.iter()
    }
}

impl BoardObserver for BoardDelta {
    #[inline(always)]
    fn placed(&mut self, piece: Piece, square: Square) {
        self.placed.push(piece, square);
    }

    #[inline(always)]
    fn removed(&mut self, piece: Piece, square: Square) {
        self.removed.push(piece, square);
    }
}

/// `-P e7 +Q e8`.
impl std::fmt::Display for BoardDelta {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let removed = self.removed.iter().map(|entry| ('-', entry));
        for (number, (sign, (piece, square))) in removed.chain(self.placed.iter().map(|entry| ('+', entry))).enumerate()
        {
            write!(formatter, "{}{sign}{piece} {square}", if number == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}
