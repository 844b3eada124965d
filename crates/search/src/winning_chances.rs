//! From centipawns to chances.

use kiebitz_chess::{Score, Wdl};

/// Winning chances as a logistic curve: at `even_chance` centipawns half of the games are won, and `slope` centipawns
/// further the odds are e to one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WinningChances {
    /// The score, in centipawns, with which half of the games are won.
    pub even_chance: f64,
    /// How fast chances grow, in centipawns.
    pub slope: f64,
}

impl WinningChances {
    /// By convention a pawn wins every other game. The slope is the one with which expected points follow
    /// 1 / (1 + exp(-centipawns / 144.5)), the curve that `kiebitz-lab tune` fitted to results of Stockfish 15.1 against itself.
    /// How many of the points come from draws was not fitted.
    pub const CONVENTIONAL: Self = Self { even_chance: 100.0, slope: 125.0 };

    /// Chances of the side that sees this score.
    #[must_use]
    pub fn of(self, score: Score) -> Wdl {
        let centipawns = f64::from(score.value());
        let chance = |value: f64| 1000.0 / (1.0 + ((self.even_chance - value) / self.slope).exp());
        let permille = |value: f64| chance(value).round().clamp(0.0, 1000.0) as u16;
        let (win, loss) = (permille(centipawns), permille(-centipawns));
        Wdl::new(win, loss.min(1000 - win)).unwrap_or_else(|| unreachable!("held to a thousand"))
    }

    /// The points that this score brings on average, a draw counting half.
    #[must_use]
    pub fn expected_points(self, score: Score) -> f64 {
        self.of(score).expected_points()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_grow_with_the_score_and_mirror() {
        let model = WinningChances::CONVENTIONAL;
        let mut last = 0;
        for value in (-3000..=3000).step_by(50) {
            let wdl = model.of(Score::centipawns(value));
            assert_eq!(wdl.win() + wdl.draw() + wdl.loss(), 1000);
            assert!(wdl.win() >= last);
            last = wdl.win();
            assert_eq!(model.of(Score::centipawns(-value)), wdl.flipped());
        }
        assert_eq!(model.of(Score::centipawns(100)).win(), 500);
        for value in (-1000..=1000).step_by(10) {
            let fitted = 1.0 / (1.0 + (-f64::from(value) / 144.5).exp());
            let points = model.expected_points(Score::centipawns(value));
            assert!((points - fitted).abs() < 0.011, "{value}: {points} {fitted}");
        }
        assert_eq!(model.of(Score::mate_in(3)).win(), 1000);
    }
}
