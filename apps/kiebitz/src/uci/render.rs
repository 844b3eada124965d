//! The engine's values as UCI messages.

use kiebitz_chess::{CastlingForm, Move, Position};
use kiebitz_engine::{EngineOption, OptionKind as Kind, Presentation};
use kiebitz_search::{ScoreBound, SearchReport, SearchResult, WinningChances};
use kiebitz_uci::{BestMove, Bound, EMPTY_TEXT, Info, MoveText, OptionDeclaration, OptionKind, ScoreReport};

/// How moves are written.
pub(crate) fn castling_form(presentation: Presentation) -> CastlingForm {
    if presentation.chess960 { CastlingForm::KingTakesRook } else { CastlingForm::KingMove }
}

/// A report as an `info` line.
pub(crate) fn info(position: &Position, report: &SearchReport, presentation: Presentation, lines: usize) -> Info {
    let bound = match report.bound {
        ScoreBound::Exact => None,
        ScoreBound::Lower => Some(Bound::Lower),
        ScoreBound::Upper => Some(Bound::Upper),
    };
    Info {
        depth: Some(report.depth),
        selective_depth: Some(report.selective_depth.max(report.depth)),
        multi_pv: (lines > 0).then(|| u32::try_from(report.line).unwrap_or(u32::MAX)),
        score: Some(ScoreReport { value: report.score.into(), bound }),
        wdl: presentation.show_wdl.then(|| WinningChances::CONVENTIONAL.of(report.score)),
        nodes: Some(report.nodes),
        nodes_per_second: Some(report.nodes_per_second()),
        hash_full_permille: Some(report.hash_full_permille),
        tablebase_hits: Some(report.tablebase_hits),
        time_ms: Some(u64::try_from(report.elapsed.as_millis()).unwrap_or(u64::MAX)),
        pv: line(position, &report.moves, castling_form(presentation)),
        ..Info::default()
    }
}

fn line(position: &Position, moves: &[Move], form: CastlingForm) -> Vec<MoveText> {
    let mut position = position.clone();
    let mut text = Vec::with_capacity(moves.len());
    for &mv in moves {
        if !position.is_legal(mv) {
            break;
        }
        text.push(MoveText::of(&position, mv, form));
        position.play(mv);
    }
    text
}

/// The answer to a search.
pub(crate) fn best_move(position: &Position, result: &SearchResult, presentation: Presentation) -> BestMove {
    let moves: Vec<Move> = result.best.into_iter().chain(result.ponder).collect();
    let mut text = line(position, &moves, castling_form(presentation)).into_iter();
    BestMove { best: text.next(), ponder: text.next() }
}

/// An option as an `option` line.
pub(crate) fn declaration(option: &EngineOption) -> OptionDeclaration {
    let text = |text: &str| if text.is_empty() { EMPTY_TEXT.to_owned() } else { text.to_owned() };
    let kind = match &option.kind {
        Kind::Check { default } => OptionKind::Check { default: *default },
        Kind::Spin { default, range } => OptionKind::Spin { default: *default, range: range.clone() },
        Kind::Combo { default, values } => {
            OptionKind::Combo { default: text(default), values: values.iter().map(|word| text(word)).collect() }
        }
        Kind::Text { default } => OptionKind::Text { default: text(default) },
        Kind::Button => OptionKind::Button,
    };
    OptionDeclaration { name: option.name.to_owned(), kind }
}
