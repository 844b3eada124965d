//! What a move changes most in the evaluation before search.

use kiebitz_chess::{Move, Position, Square};
use kiebitz_handcrafted::{Group, explain};
use kiebitz_inference::{AdditiveSplit, additive_split};
use kiebitz_messages::{Evidence, TermChange};

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
        let same = after.piece_at(piece.square) == Some(piece.piece) && piece.square != mv.from();
        let (name, after_tenths) = if same {
            (format!("{} {}", piece.piece, piece.square), share(&second, piece.square))
        } else if piece.square == mv.from() && mv.castling().is_none() {
            (format!("{} {}", piece.piece, mv.to()), share(&second, mv.to()))
        } else if piece.piece.color == before.side_to_move() {
            // Castling moves two pieces whose targets differ between kinds of chess: they are left out.
            continue;
        } else {
            (format!("{} {}", piece.piece, piece.square), 0)
        };
        let before_tenths = i32::try_from(piece.tenths).unwrap_or(0);
        changes.push(TermChange { name, before_tenths, after_tenths });
    }
    (changes, first.centipawns, second.centipawns)
}
