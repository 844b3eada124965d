//! What a feature means, in words.

use kiebitz_chess::{PieceKind, Square};

use crate::layout::{Block, Range};
use crate::{PairFilter, Property, Thing};

/// How the two colors are called.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ColorWords {
    /// In sets with a view.
    OwnAndEnemy,
    /// In sets without.
    WhiteAndBlack,
}

/// The name of the feature with the given values, such as `king e1, own knight d4`.
pub(crate) fn name(block: &Block, values: &[u32], colors: ColorWords) -> String {
    let mut things: Vec<Thing> = Vec::new();
    for place in &block.places {
        if !things.contains(&place.attribute.thing) {
            things.push(place.attribute.thing);
        }
    }
    let parts: Vec<(Thing, String)> =
        things.into_iter().map(|thing| (thing, describe(block, values, thing, colors))).collect();
    let joint = match &block.range {
        Some(Range::Pairs(filters)) if filters.contains(&PairFilter::Attacks) => " attacks ",
        Some(Range::Pairs(_)) => " with ",
        _ => ", ",
    };
    let mut name = String::new();
    for (number, (thing, text)) in parts.iter().enumerate() {
        let gap = match (number, thing) {
            (0, _) => "",
            (_, Thing::Second) => joint,
            _ => ", ",
        };
        name.push_str(gap);
        name.push_str(text);
    }
    name
}

fn describe(block: &Block, values: &[u32], thing: Thing, colors: ColorWords) -> String {
    let of_thing = |wanted: fn(&Property) -> bool| {
        block
            .places
            .iter()
            .zip(values)
            .find(|(place, _)| place.attribute.thing == thing && wanted(&place.attribute.property))
            .map(|(_, &value)| value)
    };
    let mut words: Vec<String> = Vec::new();
    if let Some(color) = of_thing(|property| *property == Property::Color) {
        let pair = match colors {
            ColorWords::OwnAndEnemy => ["own", "enemy"],
            ColorWords::WhiteAndBlack => ["white", "black"],
        };
        words.push(pair[color as usize & 1].to_owned());
    }
    let role = of_thing(|property| *property == Property::Role);
    let are_pawns = matches!(&block.range, Some(Range::Pairs(filters)) if filters.contains(&PairFilter::Pawns));
    words.push(match (thing, role) {
        (_, Some(role)) => PieceKind::from_index(role as usize).map_or_else(String::new, |kind| kind.to_string()),
        (Thing::EnemyKing, None) => "enemy king".to_owned(),
        (Thing::King | Thing::Kings, None) => "king".to_owned(),
        (Thing::Pawn, None) => "pawn".to_owned(),
        (Thing::First | Thing::Second, None) if are_pawns => "pawn".to_owned(),
        (Thing::Move, None) => "move".to_owned(),
        _ => "piece".to_owned(),
    });
    let mine = block.places.iter().zip(values).filter(|(place, _)| place.attribute.thing == thing);
    for (place, &value) in mine {
        let square = || Square::from_index(value as usize).map_or_else(String::new, |square| square.to_string());
        let offset = i64::from(value) - 7;
        let text = match &place.attribute.property {
            Property::Color | Property::Role => continue,
            Property::Square => square(),
            Property::File => format!("file {}", char::from(b'a' + (value as u8 & 7))),
            Property::Rank => format!("rank {}", value + 1),
            Property::Diagonal => format!("diagonal {offset:+}"),
            Property::Antidiagonal => format!("antidiagonal {offset:+}"),
            Property::RelativeFile => format!("king's file {offset:+}"),
            Property::RelativeRank => format!("king's rank {offset:+}"),
            Property::Target => format!("to {}", square()),
            Property::Bucket(_) => format!("bucket {value}"),
        };
        words.push(text);
    }
    words.join(" ")
}
