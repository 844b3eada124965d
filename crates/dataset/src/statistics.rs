//! What a set of samples is like: the X-ray.

use std::collections::{BTreeMap, HashSet};

use kiebitz_chess::{Color, Outcome, PieceKind, Position};
use serde::Serialize;

use crate::seeded::game_number;
use crate::{Chain, GameTraces, Link, Sample};

/// Width of a step of the score curve, in units of the score.
const SCORE_STEP: i32 = 100;
/// Scores beyond this share the outermost steps.
const SCORE_LIMIT: i32 = 1_500;
/// From this score on a lost game counts as noise.
const CLEAR_SCORE: u16 = 300;
/// Width of a step of the rating curve.
const RATING_STEP: u16 = 100;
/// Width of a step of the ply curve.
const PLY_STEP: u32 = 10;
/// Values of pieces in pawns, as everybody counts them.
const VALUES: [i32; 6] = [1, 3, 3, 5, 9, 0];
/// Larger surpluses count as this, in pawns.
const MATERIAL_LIMIT: i32 = 10;
/// Plies after which openings are told apart.
const OPENING_PLIES: usize = 8;
/// Piece values of phases: 24 at the start, 0 without pieces.
const PHASE: [u32; 6] = [0, 1, 1, 2, 4, 0];

/// Samples of one step of the score curve, and what became of them.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct ScoreStep {
    /// Samples.
    pub samples: u64,
    /// The mover's points in them; half a point counts one half.
    pub points: f64,
}

/// What a validation set shares with the set that is trained on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Leakage {
    /// Games of the validation set that are in the other one, too; nothing where the chains of one of them do not tell games apart.
    pub games: Option<u64>,
    /// Games of the validation set, each counted once; nothing where its chains do not tell games apart.
    pub validation_games: Option<u64>,
    /// Positions of the validation set that are in the other one, too.
    pub positions: u64,
    /// Positions of the validation set, each counted once.
    pub validation_positions: u64,
}

/// Counts of everything worth seeing before training.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Statistics {
    /// Chains.
    pub chains: u64,
    /// Chains of a single position: nobody knows their games.
    pub single_positions: u64,
    /// Positions, kept or not.
    pub positions: u64,
    /// Samples.
    pub samples: u64,
    /// Samples with a move.
    pub with_move: u64,
    /// Samples with a score.
    pub with_score: u64,
    /// Samples with a clock.
    pub with_clock: u64,
    /// Samples in check.
    pub in_check: u64,
    /// Samples whose move takes or promotes.
    pub captures: u64,
    /// Chains by result: `1-0`, `1/2-1/2`, `0-1`, `*`.
    pub results: BTreeMap<String, u64>,
    /// Samples by number of pieces.
    pub pieces: BTreeMap<usize, u64>,
    /// Samples by phase: 24 is the opening, 0 a pawn ending.
    pub phases: BTreeMap<u32, u64>,
    /// Samples by the mover's surplus of material in pawns, up to ten.
    pub material: BTreeMap<i32, u64>,
    /// Samples by ply, in steps of ten.
    pub plies: BTreeMap<u32, u64>,
    /// Samples by the mover's king square, seen by the mover, a1 first.
    pub king_squares: Vec<u64>,
    /// Samples and the mover's points by score, in steps of one hundred.
    pub scores: BTreeMap<i32, ScoreStep>,
    /// Samples whose mover is clearly better or worse, and those of them with the opposite result.
    pub clear_scores: u64,
    /// See [`Self::clear_scores`].
    pub clear_scores_refuted: u64,
    /// Chains by White's and Black's average rating, in steps of one hundred.
    pub ratings: BTreeMap<u16, u64>,
    /// Chains by their first two moves as coordinates, if they begin at the beginning.
    pub openings: BTreeMap<String, u64>,
    /// Different positions in which chains begin, the initial one among them.
    pub chain_starts: u64,
    /// Chains that go on for eight plies or more.
    pub chains_beyond_opening: u64,
    /// Different positions after eight plies of a chain, wherever it began.
    pub opening_positions: u64,
    /// Samples whose position came before.
    pub duplicates: u64,
    #[serde(skip)]
    seen: HashSet<u64>,
    #[serde(skip)]
    games: HashSet<u64>,
    #[serde(skip)]
    start_keys: HashSet<u64>,
    #[serde(skip)]
    opening_keys: HashSet<u64>,
}

impl Statistics {
    /// Looks at a whole chain.
    pub fn add_chain(&mut self, chain: &Chain) {
        self.chains += 1;
        self.single_positions += u64::from(chain.links.len() == 1);
        self.games.insert(game_number(chain));
        let result = chain.head.result.map_or_else(|| "*".to_owned(), |outcome: Outcome| outcome.to_string());
        *self.results.entry(result).or_default() += 1;
        if let [Some(white), Some(black)] = chain.head.ratings {
            let average = white.midpoint(black);
            *self.ratings.entry(average / RATING_STEP * RATING_STEP).or_default() += 1;
        }
        self.start_keys.insert(chain.head.start.key().0);
        self.chain_starts = self.start_keys.len() as u64;
        let from_beginning = chain.head.start == Position::default();
        if let (true, [Link { mv: Some(first), .. }, Link { mv: Some(second), .. }, ..]) =
            (from_beginning, &chain.links[..])
        {
            *self.openings.entry(format!("{first} {second}")).or_default() += 1;
        }
        let mut plies = 0;
        chain.visit(|position, link| {
            if plies == OPENING_PLIES {
                self.chains_beyond_opening += 1;
                self.opening_keys.insert(position.key().0);
            }
            plies += 1;
            self.add(&Sample { head: &chain.head, position, link });
        });
        self.opening_positions = self.opening_keys.len() as u64;
    }

    fn add(&mut self, sample: &Sample<'_>) {
        self.positions += 1;
        if !sample.link.kept {
            return;
        }
        let (position, link) = (sample.position, sample.link);
        let us = position.side_to_move();
        self.samples += 1;
        self.with_move += u64::from(link.mv.is_some());
        self.with_clock += u64::from(link.clock.is_some());
        self.in_check += u64::from(position.is_check());
        self.captures += u64::from(link.mv.is_some_and(|mv| !mv.is_quiet()));
        *self.pieces.entry(position.occupied().len()).or_default() += 1;
        *self.phases.entry(phase(position)).or_default() += 1;
        *self.material.entry(surplus(position).clamp(-MATERIAL_LIMIT, MATERIAL_LIMIT)).or_default() += 1;
        *self.plies.entry(sample.ply() / PLY_STEP * PLY_STEP).or_default() += 1;
        self.king_squares.resize(64, 0);
        self.king_squares[position.king(us).relative_to(us) as usize] += 1;
        self.duplicates += u64::from(!self.seen.insert(position.key().0));
        if let Some(score) = link.score {
            self.add_score(score, sample.points());
        }
    }

    fn add_score(&mut self, score: i16, points: Option<f32>) {
        self.with_score += 1;
        let held = i32::from(score).clamp(-SCORE_LIMIT, SCORE_LIMIT);
        let step = self.scores.entry(held.div_euclid(SCORE_STEP) * SCORE_STEP).or_default();
        step.samples += 1;
        let Some(points) = points else { return };
        step.points += f64::from(points);
        if score.unsigned_abs() >= CLEAR_SCORE {
            self.clear_scores += 1;
            let refuted = if score > 0 { points == 0.0 } else { points == 1.0 };
            self.clear_scores_refuted += u64::from(refuted);
        }
    }

    /// Whether the chains tell games apart.
    #[must_use]
    pub const fn tell_games(&self) -> bool {
        GameTraces { chains: self.chains, single: self.single_positions }.tell_games()
    }

    /// What another set, for validation, shares with this one.
    #[must_use]
    pub fn leakage(&self, validation: &Self) -> Leakage {
        let shared = |own: &HashSet<u64>, other: &HashSet<u64>| other.iter().filter(|key| own.contains(key)).count();
        let known = validation.tell_games();
        Leakage {
            games: (known && self.tell_games()).then(|| shared(&self.games, &validation.games) as u64),
            validation_games: known.then_some(validation.games.len() as u64),
            positions: shared(&self.seen, &validation.seen) as u64,
            validation_positions: validation.seen.len() as u64,
        }
    }
}

/// The mover's material less the other side's, in pawns.
fn surplus(position: &Position) -> i32 {
    let us = position.side_to_move();
    let count = |color, kind| position.pieces(color, kind).len() as i32;
    PieceKind::ALL.into_iter().zip(VALUES).map(|(kind, value)| value * (count(us, kind) - count(!us, kind))).sum()
}

/// How much material of both sides but pawns is left.
fn phase(position: &Position) -> u32 {
    PieceKind::ALL
        .into_iter()
        .map(|kind| {
            let count = Color::ALL.into_iter().map(|color| position.pieces(color, kind).len() as u32).sum::<u32>();
            PHASE[kind as usize] * count
        })
        .sum::<u32>()
        .min(24)
}
