//! What a move changes most in the evaluation before search.

use kiebitz_chess::{CastlingSide, File, Move, Position, Square};
use kiebitz_handcrafted::{Group, explain};
use kiebitz_inference::{AdditiveSplit, additive_split};
use kiebitz_messages::{Evidence, TermChange};

use super::sentence::TAKEN;
use crate::{LoadedNetwork, Mind};

/// Changes that are told.
const TOLD: usize = 5;
/// Changes below this, in tenths of a centipawn, are not worth a word.
const NOTABLE: i32 = 50;

/// The largest changes that a move brings, if there are any worth telling. A side in check has no evaluation.
pub(super) fn changes(position: &Position, mv: Move, mind: &Mind) -> Option<Evidence> {
    let after = position.after(mv);
    if position.is_check() || after.is_check() {
        return None;
    }
    let (mut changes, before_centipawns, after_centipawns) = match mind {
        Mind::Handcrafted => of_terms(position, &after),
        Mind::Network(loaded) => of_pieces(loaded, position, &after, mv),
    };
    let size = |change: &TermChange| (change.after_tenths - change.before_tenths).abs();
    changes.retain(|change| size(change) >= NOTABLE);
    changes.sort_by_key(|change| std::cmp::Reverse(size(change)));
    changes.truncate(TOLD);
    (!changes.is_empty()).then(|| Evidence::Contribution {
        opponent: mind.id(),
        changes,
        before_centipawns,
        after_centipawns,
    })
}

fn of_terms(before: &Position, after: &Position) -> (Vec<TermChange>, i32, i32) {
    let (before, after) = (explain(before), explain(after));
    // Every move gives away the right to move: that explains none.
    let groups = before.groups.iter().zip(&after.groups).filter(|(one, _)| one.group != Group::Tempo);
    let changes = groups.map(|(one, other)| TermChange {
        name: one.group.name().to_owned(),
        before_tenths: before.blended_tenths(one.total()),
        after_tenths: after.blended_tenths(other.total()),
    });
    (changes.collect(), before.white_value, after.white_value)
}

/// Pieces keep their identity: who moved is compared with itself, who was taken with nothing.
fn of_pieces(loaded: &LoadedNetwork, before: &Position, after: &Position, mv: Move) -> (Vec<TermChange>, i32, i32) {
    let (first, second) = (additive_split(&loaded.network, before), additive_split(&loaded.network, after));
    let share = |split: &AdditiveSplit, square: Square| {
        let found = split.pieces.iter().find(|share| share.square == square);
        found.map_or(0, |share| i32::try_from(share.tenths).unwrap_or(0))
    };
    let mut changes: Vec<TermChange> = Vec::new();
    for piece in &first.pieces {
        let place = place_after(before, after, mv, piece.square);
        let (name, after_tenths) = match place.and_then(|place| Some((place, after.piece_at(place)?))) {
            Some((place, now)) => (format!("{now} {place}"), share(&second, place)),
            None => (format!("{} {}{TAKEN}", piece.piece, piece.square), 0),
        };
        let before_tenths = i32::try_from(piece.tenths).unwrap_or(0);
        changes.push(TermChange { name, before_tenths, after_tenths });
    }
    (changes, first.centipawns, second.centipawns)
}

/// Where the piece of a square stands after a move; `None` if it was taken.
fn place_after(before: &Position, after: &Position, mv: Move, square: Square) -> Option<Square> {
    let mover = before.side_to_move();
    if let Some(side) = mv.castling() {
        let file = if side == CastlingSide::King { File::F } else { File::D };
        let king = after.king(mover);
        // The rook is the other piece that is not where it was; some of Chess960 stay.
        let moved = before.piece_at(square).filter(|piece| piece.color == mover);
        return match moved {
            _ if square == before.king(mover) => Some(king),
            Some(piece) if after.piece_at(square) != Some(piece) => Some(Square::new(file, king.rank())),
            _ => Some(square),
        };
    }
    if square == mv.from() {
        return Some(mv.to());
    }
    let piece = before.piece_at(square)?;
    (after.piece_at(square) == Some(piece) && square != mv.to()).then_some(square)
}
