//! The line that both sides are expected to play.

use kiebitz_chess::Move;

/// The longest line a search can hold, in plies.
pub const LONGEST_LINE: usize = 246;

/// The best lines from every ply of the current path, as a triangle: ply `n` can hold at most the rest.
#[derive(Debug)]
pub struct PrincipalVariations {
    lines: Vec<Line>,
}

#[derive(Clone, Debug)]
struct Line {
    moves: [Move; LONGEST_LINE],
    len: usize,
}

impl Default for PrincipalVariations {
    fn default() -> Self {
        Self { lines: vec![Line { moves: [Move::NULL; LONGEST_LINE], len: 0 }; LONGEST_LINE + 1] }
    }
}

impl PrincipalVariations {
    /// No line is known from this ply.
    #[inline]
    pub fn clear(&mut self, ply: usize) {
        if let Some(line) = self.lines.get_mut(ply) {
            line.len = 0;
        }
    }

    /// The line from this ply is a move and what the next ply has.
    #[inline]
    pub fn prepend(&mut self, ply: usize, mv: Move) {
        let Some((head, tail)) = self.lines.split_at_mut_checked(ply + 1) else { return };
        let (Some(line), Some(rest)) = (head.last_mut(), tail.first()) else { return };
        let len = rest.len.min(LONGEST_LINE - 1);
        line.moves[0] = mv;
        line.moves[1..=len].copy_from_slice(&rest.moves[..len]);
        line.len = len + 1;
    }

    /// The line from this ply.
    #[must_use]
    pub fn line(&self, ply: usize) -> &[Move] {
        self.lines.get(ply).map_or(&[], |line| &line.moves[..line.len])
    }
}
