//! What holds for every feature set, named or random.

mod support;

use std::collections::{BTreeMap, HashSet};

use kiebitz_chess::{Color, Position};
use kiebitz_features::{Factoriser, FeatureDelta, FeatureSet, NAMED_SETS, Turn, Update};
use support::expressions::random_expression;
use support::random_games::SplitMix;
use support::rare_moves::RareMoves;
use support::swapped::swapped;
use support::{SIDES, sorted, walk};

/// Changes a list of features as told; a feature that is not there cannot be removed.
fn apply(active: &mut Vec<u32>, changes: &FeatureDelta) {
    for gone in &changes.removed {
        let place = active.iter().position(|index| index == gone).expect("only active features are removed");
        active.swap_remove(place);
    }
    active.extend(&changes.added);
}

fn check_updates(set: &FeatureSet, seed: u64, games: usize) -> RareMoves {
    let dead: HashSet<u32> = set.dead().into_iter().collect();
    let mut changes = FeatureDelta::default();
    walk(seed, games, 120, |before, after, delta| {
        for side in SIDES {
            let (mut old, mut new) = (Vec::new(), Vec::new());
            set.active(before, side, &mut old);
            set.active(after, side, &mut new);
            assert!(new.len() as u32 <= set.max_active(), "{set} seed {seed}: {} active in {after}", new.len());
            assert!(new.iter().all(|&index| index < set.count()), "{set} seed {seed}: {after}");
            assert!(new.iter().all(|index| !dead.contains(index)), "{set} seed {seed}: a dead feature in {after}");
            if set.changed(before, after, delta, side, &mut changes) == Update::Incremental {
                apply(&mut old, &changes);
                assert_eq!(sorted(old), sorted(new), "{set} seed {seed}: {before} to {after} for {side}");
            } else {
                assert_ne!(before.king(side), after.king(side), "only a king's move calls for a refresh");
            }
        }
    })
}

fn occurrences(indices: &[u32]) -> BTreeMap<u32, usize> {
    let mut counts = BTreeMap::new();
    indices.iter().for_each(|&index| *counts.entry(index).or_default() += 1);
    counts
}

/// Virtual features are the features of what stands behind `^`, once for every product that they can be read off.
fn check_factoriser(text: &str, set: &FeatureSet, seed: u64) {
    let Some((_, factor)) = text.split_once(" ^ ") else {
        assert!(set.factoriser().is_none());
        return;
    };
    let coarse = FeatureSet::parse(&format!("half({factor}")).unwrap_or_else(|error| panic!("{text}: {error}"));
    let merged = set.merged();
    assert_eq!(set.factoriser().map(Factoriser::count), Some(coarse.count()), "{text}");
    assert!(merged.factoriser().is_none() && merged.count() == set.count(), "{text}");
    walk(seed, 1, 60, |position, _, _| {
        for side in SIDES {
            let (mut fine, mut same, mut expected) = (Vec::new(), Vec::new(), Vec::new());
            set.active(position, side, &mut fine);
            merged.active(position, side, &mut same);
            coarse.active(position, side, &mut expected);
            assert_eq!(sorted(fine.clone()), sorted(same), "{text}: merging changes what is active in {position}");
            let virtuals: Vec<u32> = fine.iter().flat_map(|&index| set.virtual_features(index)).collect();
            let (virtuals, expected) = (occurrences(&virtuals), occurrences(&expected));
            assert!(virtuals.keys().eq(expected.keys()), "{text}: {virtuals:?}, not {expected:?} in {position}");
            let multiples = virtuals.values().zip(expected.values());
            assert!(multiples.into_iter().all(|(found, once)| found % once == 0), "{text}: {virtuals:?} in {position}");
        }
    });
}

/// Both views at once are the two views, one after the other.
fn check_both_views(set: &FeatureSet, seed: u64) {
    let (mut both, mut view) = (Vec::new(), Vec::new());
    walk(seed, 4, 60, |position, _, _| {
        for first in SIDES {
            both.clear();
            both.push(7);
            let counts = set.append_both(position, first, &mut both);
            assert_eq!(both.len(), 1 + counts[0] + counts[1], "{set}: {position}");
            let (one, other) = both[1..].split_at(counts[0]);
            for (side, found) in [(first, one), (!first, other)] {
                set.active(position, side, &mut view);
                assert_eq!(sorted(found.to_vec()), sorted(view.clone()), "{set}: {position} for {side}");
            }
        }
    });
}

fn check_color_swap(set: &FeatureSet, seed: u64) {
    let mask = match set.half().expect("sets with a view").turn {
        Turn::Flipped => 56,
        Turn::Rotated => 63,
    };
    walk(seed, 4, 60, |position, _, _| {
        let Some(other) = swapped(position, mask) else { return };
        for side in SIDES {
            let (mut here, mut there) = (Vec::new(), Vec::new());
            set.active(position, side, &mut here);
            set.active(&other, !side, &mut there);
            assert_eq!(sorted(here), sorted(there), "{set}: {position} for {side}");
        }
    });
}

fn check_text(set: &FeatureSet) {
    let text = set.to_string();
    let again = FeatureSet::parse(&text).expect("canonical text is readable");
    assert_eq!(&again, set);
    assert_eq!(again.to_string(), text);
    assert_eq!(again.count(), set.count());
}

fn check_names(set: &FeatureSet, most: u32) {
    let step = (set.count() / most).max(1);
    let mut seen = HashSet::new();
    for index in (0..set.count()).step_by(step as usize) {
        let name = set.name(index).expect("every index has a name");
        assert!(seen.insert(name.clone()), "{set}: two features are called {name}");
    }
    assert_eq!(set.name(set.count()), None);
}

#[test]
fn named_sets_obey_all_laws() {
    for named in NAMED_SETS {
        let set = FeatureSet::parse(named.name).expect(named.name);
        assert_eq!(set.known_name(), Some(named.name));
        check_text(&set);
        check_names(&set, 5000);
        let games = if set.has_dynamic() { 4 } else { 12 };
        check_updates(&set, 20_261_116, games).assert_all(named.name);
        check_both_views(&set, 20_261_116);
        check_color_swap(&set, 7);
    }
}

#[test]
fn random_sets_obey_all_laws() {
    let mut random = SplitMix(99);
    let (mut factorised, mut seen) = (0, RareMoves::default());
    for number in 0..150 {
        let text = random_expression(&mut random);
        let set = FeatureSet::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        check_text(&set);
        seen.add(check_updates(&set, number, 1));
        check_both_views(&set, number);
        check_color_swap(&set, number);
        check_factoriser(&text, &set, number);
        factorised += usize::from(set.factoriser().is_some());
    }
    assert!((20..130).contains(&factorised), "{factorised} sets with a factoriser");
    seen.assert_all("random sets");
}

#[test]
fn sets_without_a_view_show_both_sides_the_same() {
    let set = FeatureSet::parse("any.square * any.role * any.color").expect("a set");
    check_text(&set);
    check_updates(&set, 5, 6);
    check_both_views(&set, 5);
    let position = Position::default().after(Position::default().parse_san("e4").expect("legal"));
    let (mut white, mut black) = (Vec::new(), Vec::new());
    set.active(&position, Color::White, &mut white);
    set.active(&position, Color::Black, &mut black);
    assert_eq!(white, black);
    assert_eq!(set.name(white[0]).expect("named"), "white pawn a2");
}

#[test]
fn virtual_features_are_the_features_of_the_coarser_set() {
    let set = FeatureSet::parse("half(king_square * piece_square ^ piece_square)").expect("a set");
    let coarse = FeatureSet::parse("half(piece_square)").expect("a set");
    check_text(&set);
    assert_eq!(set.factoriser().map(|factoriser| factoriser.count()), Some(640));
    walk(3, 4, 80, |position, _, _| {
        let (mut fine, mut expected) = (Vec::new(), Vec::new());
        set.active(position, Color::Black, &mut fine);
        coarse.active(position, Color::Black, &mut expected);
        let virtuals: Vec<u32> = fine.iter().flat_map(|&index| set.virtual_features(index)).collect();
        assert_eq!(sorted(virtuals), sorted(expected));
    });
    assert_eq!(set.merged().to_string(), "half(king.square * piece.square * piece.role * piece.color)");
}

#[test]
fn a_factoriser_says_how_many_virtual_features_a_feature_has_at_most() {
    for (text, expected) in [
        ("half(king_square * piece_square ^ piece_square)", 1),
        ("half(king.square * any.color * any.role * any.square ^ any.color * any.role + any.square)", 2),
        ("half(king.square * any.color * any.role + any.square * any.role ^ any.color + any.square)", 1),
    ] {
        let set = FeatureSet::parse(text).expect("a set");
        let counted = (0..set.count()).map(|index| set.virtual_features(index).len()).max();
        let told = set.factoriser().map(|factoriser| factoriser.most());
        assert_eq!((told, counted), (Some(expected), Some(expected)), "{text}");
    }
}
