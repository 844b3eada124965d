//! The X-ray of a set of samples as one page that needs nothing else.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Display;

use kiebitz_dataset::{Leakage, Removals, Statistics};

use super::reason_name;
use crate::drawing::chart::{bars, board, curve, grouped, rows};
use crate::drawing::page::{END, Page, card, tiles};

/// Everything that the page shows.
pub(super) struct Xray<'a> {
    /// What was looked at.
    pub(super) title: String,
    pub(super) statistics: &'a Statistics,
    pub(super) leakage: Option<Leakage>,
    /// What was removed, by the file or filter that says so.
    pub(super) removed: &'a [(String, Removals)],
}

/// Openings that are shown.
const OPENINGS: usize = 16;

impl Xray<'_> {
    /// The page.
    pub(super) fn page(&self) -> String {
        let statistics = self.statistics;
        let mut page = Page {
            title: &format!("X-ray: {}", self.title),
            heading: "X-ray of a set of samples",
            subtitle: &self.title,
        }
        .begin();
        self.tiles(&mut page);
        page.push_str("<div class=\"cards\">");
        if !statistics.scores.is_empty() {
            let points = statistics.scores.iter().map(|(&score, step)| {
                (f64::from(score), step.points / step.samples.max(1) as f64, step.samples as f64)
            });
            let note = "Mean points of the mover by the score of the mover; larger dots are more samples.";
            card(&mut page, "Score and result", note, &curve(&points.collect::<Vec<_>>()));
            let counts = statistics.scores.iter().map(|(score, step)| (score.to_string(), step.samples as f64));
            card(&mut page, "Scores", "Samples by the mover's score.", &bars(&counts.collect::<Vec<_>>()));
        }
        card(&mut page, "Results", "Chains.", &rows(&named(&statistics.results)));
        card(&mut page, "Phase", "Samples: 24 is the opening, 0 a pawn ending.", &bars(&named(&statistics.phases)));
        let note = "Samples by the mover's surplus of material, in pawns.";
        card(&mut page, "Material", note, &bars(&named(&statistics.material)));
        card(&mut page, "Pieces", "Samples by pieces on the board.", &bars(&named(&statistics.pieces)));
        card(&mut page, "Ply", "Samples by plies since the start of the game.", &bars(&named(&statistics.plies)));
        let note = "The mover's king as the mover sees the board; shades go with the cube root.";
        card(&mut page, "King squares", note, &board(&statistics.king_squares));
        if !statistics.ratings.is_empty() {
            let note = "Chains by the average rating of both players.";
            card(&mut page, "Ratings", note, &bars(&named(&statistics.ratings)));
        }
        self.openings(&mut page);
        self.opening_coverage(&mut page);
        self.removals(&mut page);
        page + END
    }

    fn tiles(&self, page: &mut String) {
        let statistics = self.statistics;
        let samples = statistics.samples.max(1) as f64;
        let percent = |count: u64| format!("{:.1} %", 100.0 * count as f64 / samples);
        let count = |value: u64| grouped(value as f64);
        let mut shown = vec![
            ("chains", count(statistics.chains)),
            ("positions", count(statistics.positions)),
            ("samples", count(statistics.samples)),
            ("with a move", percent(statistics.with_move)),
            ("with a score", percent(statistics.with_score)),
            ("with a clock", percent(statistics.with_clock)),
            ("in check", percent(statistics.in_check)),
            ("move takes or promotes", percent(statistics.captures)),
            ("equal to an earlier one", percent(statistics.duplicates)),
        ];
        if statistics.clear_scores > 0 {
            let noise = 100.0 * statistics.clear_scores_refuted as f64 / statistics.clear_scores as f64;
            shown.push(("of clear scores refuted", format!("{noise:.2} %")));
        }
        if let Some(leakage) = self.leakage {
            let games = match (leakage.games, leakage.validation_games) {
                (Some(games), Some(all)) => format!("{} of {}", count(games), count(all)),
                _ => "unknown: single positions".to_owned(),
            };
            shown.push(("games leaked", games));
            let positions = format!("{} of {}", count(leakage.positions), count(leakage.validation_positions));
            shown.push(("positions leaked", positions));
        }
        tiles(page, &shown);
    }

    fn openings(&self, page: &mut String) {
        let mut openings = named(&self.statistics.openings);
        if openings.is_empty() {
            return;
        }
        openings.sort_by_key(|(_, count)| Reverse(*count as u64));
        let note = format!("Chains by their first two moves: {} different ones.", openings.len());
        openings.truncate(OPENINGS);
        card(page, "Openings", &note, &rows(&openings));
    }

    /// How many ways into the game there are, also where no chain begins at the beginning.
    fn opening_coverage(&self, page: &mut String) {
        let statistics = self.statistics;
        let note = "Chains, the different positions in which they begin, chains of at least eight plies, and the different positions \
                    they have reached then.";
        let counts = [
            ("chains", statistics.chains),
            ("different starts", statistics.chain_starts),
            ("eight plies long", statistics.chains_beyond_opening),
            ("different then", statistics.opening_positions),
        ];
        card(page, "Opening coverage", note, &rows(&counts.map(|(name, count)| (name.to_owned(), count as f64))));
    }

    fn removals(&self, page: &mut String) {
        for (origin, removals) in self.removed {
            let counts: Vec<_> = removals.iter().map(|(reason, &count)| (reason_name(reason), count as f64)).collect();
            if !counts.is_empty() {
                card(page, "Removed", &format!("Positions that were left out: {origin}."), &rows(&counts));
            }
        }
    }
}

fn named<N: Display>(counts: &BTreeMap<N, u64>) -> Vec<(String, f64)> {
    counts.iter().map(|(name, &count)| (name.to_string(), count as f64)).collect()
}
