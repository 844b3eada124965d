//! The X-ray of a set of samples as one page that needs nothing else.

mod chart;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::{Display, Write};

use kiebitz_dataset::{Leakage, Removals, Statistics};

use self::chart::{bars, board, curve, escaped, grouped, rows};
use super::reason_name;

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

const STYLE: &str = "\
:root{--paper:#fafaf7;--card:#fff;--ink:#22262a;--soft:#6b7280;--grid:#e5e7eb;--accent:#2f6f8f;--second:#c2703d;color-scheme:light dark}
@media (prefers-color-scheme:dark){:root{--paper:#14171a;--card:#1d2125;--ink:#e6e8ea;--soft:#9aa3ad;--grid:#333a41;--accent:#6db3d1;--second:#e39a68}}
*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
main{max-width:1180px;margin:0 auto;padding:28px 20px 60px}h1{font-size:24px;margin:0 0 2px}h2{font-size:15px;margin:0 0 2px}
p{margin:0 0 12px;color:var(--soft);overflow-wrap:anywhere}small{color:var(--soft);display:block;margin-bottom:10px}
.tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(150px,1fr));gap:12px;margin:18px 0}
.tile,.card{background:var(--card);border:1px solid var(--grid);border-radius:10px;padding:14px 16px}
.tile b{display:block;font-size:20px;font-variant-numeric:tabular-nums}.tile span{color:var(--soft);font-size:13px}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,520px),1fr));gap:14px}
svg{width:100%;height:auto;display:block}svg.board{max-width:320px;margin:0 auto}svg text{fill:var(--soft);font-size:11px}
.bar,.cell{fill:var(--accent)}.cell{stroke:var(--grid)}.grid{stroke:var(--grid)}.line{fill:none;stroke:var(--second);stroke-width:2}
.dot{fill:var(--second)}.rows{display:grid;grid-template-columns:auto 1fr auto;gap:4px 12px;align-items:center;font-size:13px}
.rows div{background:var(--grid);border-radius:3px;height:10px}.rows i{display:block;height:10px;border-radius:3px;background:var(--accent)}
.rows b{text-align:right;font-weight:500;font-variant-numeric:tabular-nums}
@media (max-width:600px){svg text{font-size:18px}svg.board text{font-size:11px}.spare{display:none}main{padding:18px 12px 40px}}";

impl Xray<'_> {
    /// The page.
    pub(super) fn page(&self) -> String {
        let statistics = self.statistics;
        let mut page = format!(
            "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
             content=\"width=device-width,initial-scale=1\"><title>X-ray: {0}</title><style>{STYLE}</style></head><body><main>\
             <h1>X-ray of a set of samples</h1><p>{0}</p>",
            escaped(&self.title)
        );
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
        self.removals(&mut page);
        page.push_str("</div></main></body></html>\n");
        page
    }

    fn tiles(&self, page: &mut String) {
        let statistics = self.statistics;
        let samples = statistics.samples.max(1) as f64;
        let percent = |count: u64| format!("{:.1} %", 100.0 * count as f64 / samples);
        let count = |value: u64| grouped(value as f64);
        let mut tiles = vec![
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
            tiles.push(("of clear scores refuted", format!("{noise:.2} %")));
        }
        if let Some(leakage) = self.leakage {
            tiles.push(("games leaked", format!("{} of {}", count(leakage.games), count(leakage.validation_games))));
            let positions = format!("{} of {}", count(leakage.positions), count(leakage.validation_positions));
            tiles.push(("positions leaked", positions));
        }
        page.push_str("<div class=\"tiles\">");
        for (name, value) in tiles {
            let _ = write!(page, "<div class=\"tile\"><b>{value}</b><span>{name}</span></div>");
        }
        page.push_str("</div>");
    }

    fn openings(&self, page: &mut String) {
        let mut openings = named(&self.statistics.openings);
        if openings.is_empty() {
            return;
        }
        openings.sort_by_key(|(_, count)| Reverse(*count as u64));
        let note = format!(
            "Chains by their first two moves: {} different ones, and {} different positions after eight plies.",
            openings.len(),
            grouped(self.statistics.opening_positions as f64)
        );
        openings.truncate(OPENINGS);
        card(page, "Openings", &note, &rows(&openings));
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

fn card(page: &mut String, title: &str, note: &str, drawing: &str) {
    let _ = write!(
        page,
        "<section class=\"card\"><h2>{}</h2><small>{}</small>{drawing}</section>",
        escaped(title),
        escaped(note)
    );
}

fn named<N: Display>(counts: &BTreeMap<N, u64>) -> Vec<(String, f64)> {
    counts.iter().map(|(name, &count)| (name.to_string(), count as f64)).collect()
}
