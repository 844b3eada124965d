use super::*;
use crate::Random;
use crate::statistics::{Estimate, Trinomial, elo_of_score, score_of_elo};

fn add_many(rating: &mut Rating, white: u32, black: u32, wins: u32, draws: u32, losses: u32) {
    let outcomes = [(wins, Outcome::Win(Color::White)), (draws, Outcome::Draw), (losses, Outcome::Win(Color::Black))];
    for (count, outcome) in outcomes {
        (0..count).for_each(|_| rating.add(Player(white), Player(black), outcome));
    }
}

/// Two players, colors balanced, no advantage: the maximum can be found by hand. With 40 wins, 40 draws and 20 losses
/// e^d = 40/20 and ν = 40/√(40·20), for then the expected counts are the observed ones.
#[test]
fn two_players_are_solved_as_by_hand() {
    let mut rating = Rating::new(2).with_prior(0.0);
    add_many(&mut rating, 0, 1, 20, 20, 10);
    add_many(&mut rating, 1, 0, 10, 20, 20);
    let list = rating.list(Anchor::Player(Player(1), 100.0)).unwrap();
    let nu = 40.0 / 800_f64.sqrt();
    let expected = elo_of_score(0.6);
    // The imaginary thousandth of a game moves the last digits.
    assert!((list.elo[0].value - 100.0 - expected).abs() < 0.01, "{} {expected}", list.elo[0]);
    assert_eq!((list.elo[1].value, list.elo[1].error()), (100.0, 0.0));
    assert!((list.draw_ratio - nu / (2.0 + nu)).abs() < 1e-4);
    assert!(list.white_advantage.value.abs() < 1e-6);
    assert!((list.expected_score(Player(0), Player(1)).unwrap() - 0.6).abs() < 1e-4);
    // The strength behind it: e^d = 2.
    assert!((list.strengths[0] - list.strengths[1] - 2_f64.ln()).abs() < 1e-3);
    // The error bars are those of a match with the same games.
    let error = Estimate::of(Trinomial::new(40, 40, 20)).unwrap().elo.error();
    assert!((list.elo[0].error() / error - 1.0).abs() < 0.03, "{} {error}", list.elo[0].error());
}

#[test]
fn the_list_is_consistent_whatever_the_anchor() {
    let mut rating = Rating::new(4);
    let mut random = Random::new(2);
    for _ in 0..500 {
        let (white, black) = (random.below(4) as u32, random.below(4) as u32);
        if white != black {
            add_many(&mut rating, white, black, u32::from(white < black), 1, 0);
        }
    }
    let mean = rating.list(Anchor::Mean(1500.0)).unwrap();
    let fixed = rating.list(Anchor::Player(Player(2), 2000.0)).unwrap();
    assert!((mean.elo.iter().map(|elo| elo.value).sum::<f64>() / 4.0 - 1500.0).abs() < 1e-9);
    assert_eq!(fixed.elo[2].value, 2000.0);
    assert!(fixed.elo[2].error() < 1e-6);
    for player in 0..4 {
        let shift = fixed.elo[player].value - mean.elo[player].value;
        assert!((shift - (2000.0 - mean.elo[2].value)).abs() < 1e-6);
    }
    assert_eq!(mean.ranking(), [Player(0), Player(1), Player(2), Player(3)]);
}

#[test]
fn one_sided_and_separate_results_have_finite_ratings() {
    let mut rating = Rating::new(5);
    add_many(&mut rating, 0, 1, 25, 0, 0);
    add_many(&mut rating, 1, 0, 0, 0, 25);
    add_many(&mut rating, 2, 3, 0, 30, 0);
    let list = rating.list(Anchor::Mean(0.0)).unwrap();
    assert!(list.elo.iter().all(|elo| elo.value.is_finite() && elo.error().is_finite()), "{:?}", list.elo);
    assert!(list.elo[0].value > 100.0 && list.elo[1].value < -100.0, "{:?}", list.elo);
    assert!(list.elo[2].value.abs() < 1.0 && list.elo[4].value.abs() < 1e-6);
    assert!(list.elo[4].error() > list.elo[2].error());
    let bare = rating.with_prior(0.0);
    assert_eq!(bare.list(Anchor::Mean(0.0)), Err(RatingError::NotComparable));
    // Nothing but draws, and nothing but White's wins, both comparable.
    for counts in [(0, 20, 0), (20, 0, 0)] {
        let mut even = Rating::new(2).with_prior(0.0);
        add_many(&mut even, 0, 1, counts.0, counts.1, counts.2);
        add_many(&mut even, 1, 0, counts.0, counts.1, counts.2);
        let list = even.list(Anchor::Mean(0.0)).unwrap();
        assert!(list.elo[0].value.abs() < 1e-6 && list.elo[0].error().is_finite());
    }
}

#[test]
fn bad_requests_are_refused() {
    let mut rating = Rating::new(2);
    assert_eq!(rating.list(Anchor::Mean(0.0)), Err(RatingError::Nothing));
    rating.add(Player(0), Player(1), Outcome::Draw);
    assert!(rating.list(Anchor::Mean(0.0)).is_ok());
    assert_eq!(rating.list(Anchor::Player(Player(2), 0.0)), Err(RatingError::NoSuchPlayer(Player(2))));
    rating.add(Player(0), Player(7), Outcome::Draw);
    assert_eq!(rating.list(Anchor::Mean(0.0)), Err(RatingError::NoSuchPlayer(Player(7))));
}

/// Games drawn from the model: its parameters come back, and the error bars hold them as often as they say.
#[test]
fn simulated_tournaments_give_the_true_ratings_back() {
    let truth = [0.9, 0.3, 0.1, 0.0, -0.5, -0.8];
    let (nu, advantage) = (1.5_f64, 0.25);
    let mut everybody = Rating::new(6);
    for white in 0..6 {
        (0..6).filter(|&black| black != white).for_each(|black| add_many(&mut everybody, white, black, 0, 1, 0));
    }
    let scale = ELO_PER_UNIT * everybody.logistic_factor(&truth, nu);
    let mean = truth.iter().sum::<f64>() / 6.0;
    let mut random = Random::new(9);
    let (mut held, mut bias, runs) = (0, [0.0; 6], 300);
    let mut advantage_held = 0;
    for _ in 0..runs {
        let mut rating = Rating::new(6);
        for white in 0..6_u32 {
            for black in (0..6).filter(|&black| black != white) {
                let half = (truth[white as usize] - truth[black as usize] + advantage) / 2.0;
                let sum = half.exp() + nu + (-half).exp();
                for _ in 0..20 {
                    let luck = random.fraction() * sum;
                    let outcome = if luck < half.exp() {
                        Outcome::Win(Color::White)
                    } else if luck < half.exp() + nu {
                        Outcome::Draw
                    } else {
                        Outcome::Win(Color::Black)
                    };
                    rating.add(Player(white), Player(black), outcome);
                }
            }
        }
        let list = rating.list(Anchor::Mean(0.0)).unwrap();
        for (player, elo) in list.elo.iter().enumerate() {
            let exact = (truth[player] - mean) * scale;
            held += u32::from(elo.contains(exact));
            bias[player] += (elo.value - exact) / f64::from(runs);
        }
        advantage_held += u32::from(list.white_advantage.contains(advantage * scale));
    }
    let share = f64::from(held) / f64::from(6 * runs);
    println!("error bars hold {share:.3} of the ratings; average deviations {bias:.2?} Elo");
    assert!((0.93..0.975).contains(&share), "{share}");
    assert!(bias.iter().all(|bias| bias.abs() < 4.0), "{bias:?}");
    assert!(f64::from(advantage_held) / f64::from(runs) > 0.9);
}

/// Differences in the list predict scores as everybody's Elo does, however many games are drawn.
#[test]
fn the_scale_is_that_of_elo() {
    for draws in [10, 30, 60] {
        let mut rating = Rating::new(2).with_prior(0.0);
        let (wins, losses) = (60 - draws / 2, 40 - draws / 2);
        add_many(&mut rating, 0, 1, 10 * wins, 10 * draws, 10 * losses);
        add_many(&mut rating, 1, 0, 10 * losses, 10 * draws, 10 * wins);
        let list = rating.list(Anchor::Player(Player(1), 0.0)).unwrap();
        assert!((score_of_elo(list.elo[0].value) - 0.6).abs() < 1e-4, "{draws}: {}", list.elo[0]);
    }
}
