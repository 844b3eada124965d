//! The 960 start positions of Fischer random chess.

use crate::{Color, File, Piece, PieceKind, Rank, Setup, Square};

/// The back rank of a start position by Reinhard Scharnagl's numbering.
fn back_rank(number: u16) -> Option<[PieceKind; 8]> {
    if number >= 960 {
        return None;
    }
    let mut row: [Option<PieceKind>; 8] = [None; 8];
    let number = usize::from(number);
    row[number % 4 * 2 + 1] = Some(PieceKind::Bishop);
    row[number / 4 % 4 * 2] = Some(PieceKind::Bishop);
    place(&mut row, number / 16 % 6, PieceKind::Queen);
    // The ten ways to put two knights on five free squares.
    let (first, second) = [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)][number / 96];
    // The later one first: placing a piece shifts the free squares behind it only.
    place(&mut row, second, PieceKind::Knight);
    place(&mut row, first, PieceKind::Knight);
    for kind in [PieceKind::Rook, PieceKind::King, PieceKind::Rook] {
        place(&mut row, 0, kind);
    }
    Some(row.map(|kind| kind.unwrap_or(PieceKind::Rook)))
}

/// Puts a piece on the free square with this number.
fn place(row: &mut [Option<PieceKind>; 8], free: usize, kind: PieceKind) {
    if let Some(slot) = row.iter_mut().filter(|slot| slot.is_none()).nth(free) {
        *slot = Some(kind);
    }
}

/// The start position with one number for each side.
pub(crate) fn start(white: u16, black: u16) -> Option<Setup> {
    let mut setup = Setup::EMPTY;
    for (color, number) in [(Color::White, white), (Color::Black, black)] {
        for (file, kind) in File::ALL.into_iter().zip(back_rank(number)?) {
            let square = Square::new(file, Rank::First.relative_to(color));
            let pawn = Square::new(file, Rank::Second.relative_to(color));
            setup.board.place(Piece::new(color, kind), square);
            setup.board.place(Piece::new(color, PieceKind::Pawn), pawn);
            if kind == PieceKind::Rook {
                setup.castling_rooks = setup.castling_rooks.with(square);
            }
        }
    }
    Some(setup)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::Position;

    #[test]
    fn number_518_is_the_standard_start() {
        assert_eq!(start(518, 518), Some(Setup::default()));
        assert_eq!(start(960, 0), None);
    }

    #[test]
    fn all_960_are_different_and_legal() {
        let all: HashSet<String> =
            (0..960).map(|number| Position::try_from(start(number, number).unwrap()).unwrap().to_string()).collect();
        assert_eq!(all.len(), 960);
    }

    #[test]
    fn published_numbers_agree() {
        use PieceKind::{Bishop, King, Knight, Queen, Rook};
        let first = [Bishop, Bishop, Queen, Knight, Knight, Rook, King, Rook];
        let last = [Rook, King, Rook, Knight, Knight, Queen, Bishop, Bishop];
        assert_eq!(back_rank(0), Some(first));
        assert_eq!(back_rank(959), Some(last));
    }
}
