//! What changes hands along a line.

use kiebitz_chess::{GameHistory, Move, MoveKind, PieceKind, Position};
use kiebitz_messages::Evidence;

use crate::{line_moves, shown_move};

/// What pieces are worth in pawns, as people count; kings do not change hands.
const PAWNS: [i32; PieceKind::COUNT] = [1, 3, 3, 5, 9, 0];
/// An exchange that gains this, in centipawns, keeps a position from being quiet.
const A_PAWN: i32 = 100;

/// Pieces that each side has won.
#[derive(Clone, Default)]
struct Balance {
    /// By kind: what the mover has won less what it has given.
    counts: [i32; PieceKind::COUNT],
}

impl Balance {
    fn count(&mut self, position: &Position, mv: Move, sign: i32) {
        if let Some(kind) = taken(position, mv) {
            self.counts[kind as usize] += sign;
        }
        if let Some(kind) = mv.promotion() {
            self.counts[kind as usize] += sign;
            self.counts[PieceKind::Pawn as usize] -= sign;
        }
    }

    fn pawns(&self) -> i32 {
        self.counts.iter().zip(PAWNS).map(|(count, value)| count * value).sum()
    }

    /// The names of the pieces with a sign, the most valuable first.
    fn names(&self, sign: i32) -> Vec<String> {
        let mut names = Vec::new();
        for kind in PieceKind::ALL.into_iter().rev() {
            let count = (self.counts[kind as usize] * sign).max(0);
            names.extend(std::iter::repeat_n(kind_name(kind).to_owned(), count as usize));
        }
        names
    }
}

/// The kind of the piece that a move takes.
pub(super) fn taken(position: &Position, mv: Move) -> Option<PieceKind> {
    if mv.kind() == MoveKind::EnPassant {
        return Some(PieceKind::Pawn);
    }
    mv.is_capture().then(|| position.piece_at(mv.to()).map(|piece| piece.kind)).flatten()
}

/// A kind of piece in words.
pub(super) const fn kind_name(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Pawn => "pawn",
        PieceKind::Knight => "knight",
        PieceKind::Bishop => "bishop",
        PieceKind::Rook => "rook",
        PieceKind::Queen => "queen",
        PieceKind::King => "king",
    }
}

/// The pieces that whoever begins a line wins along it and what is given for them; `None` if nothing is won.
pub(super) fn won(history: &GameHistory, line: &[Move]) -> Option<(Vec<String>, Vec<String>)> {
    match along(history, line)? {
        Evidence::Material { pawns, won, given, .. } if pawns > 0 => Some((won, given)),
        _ => None,
    }
}

/// What the mover wins or loses along a line, counted at its last quiet position; `None` if that is nothing. A piece that the
/// opponent took with the last move of the game counts too: taking back wins nothing.
pub(super) fn along(history: &GameHistory, line: &[Move]) -> Option<Evidence> {
    let mut balance = Balance::default();
    if let Some((before, last)) = history.past().last() {
        balance.count(before, last, -1);
    }
    let mut at = history.position().clone();
    let mut exchanges = Vec::new();
    let mut sign = 1;
    let mut quiet = None;
    for (ply, &mv) in line.iter().enumerate() {
        if !at.is_legal(mv) {
            break;
        }
        if mv.is_capture() || mv.is_promotion() {
            exchanges.push(shown_move(&at, mv));
        }
        balance.count(&at, mv, sign);
        at.play(mv);
        sign = -sign;
        if is_quiet(&at) {
            quiet = Some((ply + 1, exchanges.len(), balance.clone()));
        }
    }
    let (plies, count, balance) = quiet?;
    exchanges.truncate(count);
    let pawns = balance.pawns();
    (pawns != 0 && count > 0).then(|| Evidence::Material {
        pawns,
        won: balance.names(1),
        given: balance.names(-1),
        moves: exchanges,
        line: line_moves(history.position(), &line[..plies]),
    })
}

/// Whether nothing hangs for the side to move, and nothing forces it.
fn is_quiet(position: &Position) -> bool {
    !position.is_check()
        && !position.legal_moves().iter().any(|&mv| mv.is_promotion() || position.exchange_reaches(mv, A_PAWN))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(fen: &str, sans: &[&str]) -> Option<(i32, Vec<String>, Vec<String>, usize)> {
        let start: Position = fen.parse().unwrap();
        let mut at = start.clone();
        let mut line = Vec::new();
        for san in sans {
            let mv = at.parse_san(san).unwrap();
            line.push(mv);
            at.play(mv);
        }
        match along(&GameHistory::new(start), &line)? {
            Evidence::Material { pawns, won, given, line, .. } => Some((pawns, won, given, line.len())),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_free_piece_is_won_and_an_exchange_is_not() {
        let hanging = "4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1";
        assert_eq!(found(hanging, &["Rxd5"]), Some((3, vec!["knight".into()], vec![], 1)));
        let even = "4k3/4p3/3n4/8/8/8/8/3RK2N w - - 0 1";
        assert_eq!(found(even, &["Rxd6", "exd6"]), Some((-2, vec!["knight".into()], vec!["rook".into()], 2)));
        assert_eq!(found("4k3/4p3/3r4/8/8/8/8/3RK3 w - - 0 1", &["Rxd6", "exd6"]), None);
    }

    #[test]
    fn a_line_that_ends_within_an_exchange_is_cut_before_it() {
        // After Rxd6 the rook hangs: the line says nothing yet.
        assert_eq!(found("4k3/4p3/3n4/8/8/8/8/3RK2N w - - 0 1", &["Rxd6"]), None);
    }

    #[test]
    fn taking_back_wins_nothing() {
        let mut history = GameHistory::new("4k3/4p3/3r4/8/8/8/8/3RK3 w - - 0 1".parse().unwrap());
        history.play(history.position().parse_san("Rxd6").unwrap());
        let back = history.position().parse_san("exd6").unwrap();
        assert_eq!(along(&history, &[back]), None);
    }

    #[test]
    fn promotions_count() {
        let (pawns, won, given, _) = found("8/P6k/8/8/8/8/8/4K3 w - - 0 1", &["a8=Q"]).unwrap();
        assert_eq!((pawns, won, given), (8, vec!["queen".into()], vec!["pawn".into()]));
    }
}
