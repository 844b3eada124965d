//! Sets that keep some features of another one.

mod support;

use std::collections::HashMap;

use kiebitz_features::{FeatureSet, FeatureSurvey, NAMED_SETS, Property, Thing};
use support::expressions::random_expression;
use support::random_games::SplitMix;
use support::{SIDES, sorted, walk};

/// Some indices of a range, by chance, each once.
fn drawn(random: &mut SplitMix, start: u32, end: u32) -> Vec<u32> {
    let most = (end - start) as usize;
    let mut drawn: Vec<u32> = (0..most.min(40)).map(|_| start + random.below(most) as u32).collect();
    drawn.sort_unstable();
    drawn.dedup();
    drawn
}

/// The kept features are active exactly when they were before, under the same names; `fixed` features before them stay.
fn check(set: &FeatureSet, smaller: &FeatureSet, fixed: u32, kept: &[u32], seed: u64) {
    let places: HashMap<u32, u32> =
        (0..fixed).map(|index| (index, index)).chain(kept.iter().copied().zip(fixed..)).collect();
    assert_eq!(smaller.count(), fixed + kept.len() as u32, "{smaller}");
    for (&before, &after) in &places {
        assert_eq!(set.meaning(before), smaller.meaning(after), "{set} seed {seed}: {before}");
        // An unused index is called by its number.
        if set.meaning(before).is_some() {
            assert_eq!(set.name(before), smaller.name(after), "{set} seed {seed}: {before}");
        }
    }
    assert_eq!(FeatureSet::parse(&smaller.to_string()).as_ref(), Ok(smaller));
    walk(seed, 1, 60, |_, position, _| {
        for side in SIDES {
            let (mut all, mut some) = (Vec::new(), Vec::new());
            set.active(position, side, &mut all);
            smaller.active(position, side, &mut some);
            let expected = all.iter().filter_map(|index| places.get(index).copied()).collect();
            assert_eq!(sorted(some), sorted(expected), "{set} seed {seed}: {position} for {side}");
        }
    });
}

fn check_both(set: &FeatureSet, random: &mut SplitMix, seed: u64) {
    let set = set.merged();
    let all = drawn(random, 0, set.count());
    check(&set, &set.only(&all).expect("some features"), 0, &all, seed);
    let last = set.last_term();
    let kept = drawn(random, last.start, last.end);
    check(&set, &set.keeping(&kept).expect("some features"), last.start, &kept, seed);
    if last.start > 0 {
        assert!(set.keeping(&[0]).is_err(), "{set}: a feature of another term");
    }
    assert!(set.keeping(&[]).is_err() && set.only(&[set.count()]).is_err(), "{set}");
}

#[test]
fn what_is_kept_stays_what_it_was() {
    let mut random = SplitMix(5);
    for (number, named) in NAMED_SETS.iter().enumerate() {
        let set = FeatureSet::parse(named.name).expect(named.name);
        check_both(&set, &mut random, number as u64);
    }
    for number in 0..60 {
        let text = random_expression(&mut random);
        check_both(&FeatureSet::parse(&text).expect("a set"), &mut random, number);
    }
}

#[test]
fn the_meaning_names_both_squares_of_a_pair() {
    let set = FeatureSet::parse("pawn_pairs").expect("a set");
    let last = set.last_term();
    assert_eq!(last, 768..set.count());
    for index in last {
        let meaning = set.meaning(index).expect("a live pair");
        let file = |thing| {
            let square = meaning
                .iter()
                .find(|(attribute, _)| attribute.thing == thing && attribute.property == Property::Square);
            square.expect("a square").1 & 7
        };
        assert!(file(Thing::First).abs_diff(file(Thing::Second)) <= 1, "{:?}", set.name(index));
    }
    assert_eq!(set.meaning(set.count()), None);
    assert_eq!(set.name(768).expect("a pair"), "own pawn a2 with own pawn b2");
}

#[test]
fn a_survey_counts_what_the_set_says() {
    let set = FeatureSet::parse("halfkp").expect("a set");
    let mut survey = FeatureSurvey::new(&set);
    let (mut active, mut refreshes, mut moves) = (0, 0, 0);
    walk(8, 3, 80, |before, after, delta| {
        survey.observe(before, after, delta);
        moves += 1;
        for side in SIDES {
            let mut indices = Vec::new();
            set.active(after, side, &mut indices);
            active += indices.len();
            refreshes += usize::from(before.king(side) != after.king(side));
        }
    });
    assert_eq!(survey.moves(), moves);
    assert!((survey.mean_active() - active as f64 / (2 * moves) as f64).abs() < 1e-9);
    assert!((survey.refreshes_per_move() - refreshes as f64 / (2 * moves) as f64).abs() < 1e-9);
    assert!(survey.unseen() > set.dead().len() && survey.largest_active() <= 30);
    // A quiet move changes two features of a view, a capture three, a null move none.
    assert!((1.0..=3.0).contains(&survey.updates_per_move()), "{}", survey.updates_per_move());
}
