//! Writes a review into a game.

use std::collections::HashMap;

use kiebitz_chess::{Color, Score};
use kiebitz_pgn::{Command, Comment, Evaluation, EvaluationScore, Game, Nag, NodeId};

use super::judgement::{GameReview, MoveReview, mate_after};

/// Plies of a better line that are shown: enough to see the idea.
const SHOWN_PLIES: usize = 10;
/// How the comment with the accuracy begins; an older one is replaced.
const ACCURACY: &str = "Accuracy: ";
/// The glyphs `!` to `?!`, of which a move has one at most.
const MOVE_GLYPHS: std::ops::RangeInclusive<u16> = 1..=6;

/// The same game with the review of its main line in it. `source` says who reviewed, and how.
#[must_use]
pub fn annotated(game: &Game, review: &GameReview, source: &str) -> Game {
    let mut copy = Game::new(game.start().clone());
    for (name, value) in game.tags().iter() {
        // Tags that follow from start and outcome are there already.
        let _ = copy.set_tag(name, value);
    }
    if game.tags().get("Annotator").is_none() {
        let _ = copy.set_tag("Annotator", source);
    }
    copy.set_outcome(game.outcome());
    copy.add_comment(NodeId::ROOT, Comment::new(&summary(review, source)));
    for comment in game.comments(NodeId::ROOT).iter().filter(|comment| !comment.text().starts_with(ACCURACY)) {
        copy.add_comment(NodeId::ROOT, comment.clone());
    }
    let moves: HashMap<NodeId, &MoveReview> = game.main_line().zip(&review.moves).collect();
    // Old and new parents of what is still to be copied.
    let mut open = vec![(NodeId::ROOT, NodeId::ROOT)];
    while let Some((old_parent, parent)) = open.pop() {
        let mut marked = None;
        for old in game.children(old_parent) {
            // What was legal there still is.
            let Some(new) = copy.add(parent, game.move_at(old)) else { continue };
            let reviewed = moves.get(&old).copied();
            copy_notes(game, old, &mut copy, new, reviewed);
            marked = marked.or(reviewed.filter(|mv| mv.mark().is_some()));
            open.push((old, new));
        }
        if let Some(mv) = marked {
            add_better_line(&mut copy, parent, mv);
        }
    }
    copy
}

fn summary(review: &GameReview, source: &str) -> String {
    let side = |side: Color| review.accuracy(side).map_or_else(|| "?".to_owned(), |value| format!("{value:.1} %"));
    format!("{ACCURACY}White {}, Black {} ({source})", side(Color::White), side(Color::Black))
}

/// Everything that was said about a move, with our glyph and evaluation.
fn copy_notes(game: &Game, old: NodeId, copy: &mut Game, new: NodeId, reviewed: Option<&MoveReview>) {
    let glyphs = game.nags(old);
    glyphs.iter().for_each(|&nag| {
        copy.add_nag(new, nag);
    });
    if !glyphs.iter().any(|nag| MOVE_GLYPHS.contains(&nag.0))
        && let Some(mark) = reviewed.and_then(MoveReview::mark)
    {
        copy.add_nag(new, Nag(mark.glyph()));
    }
    for comment in game.introduction(old) {
        copy.add_introduction(new, comment.clone());
    }
    if let Some(mv) = reviewed.filter(|mv| mv.depth.is_some()) {
        copy.add_comment(new, evaluation(mv.mover, mv.score, mv.depth));
    }
    for comment in game.comments(old) {
        let kept = if reviewed.is_some() { without_evaluation(comment) } else { comment.clone() };
        copy.add_comment(new, kept);
    }
}

/// A comment of an evaluation alone; the score is seen by the side that has just moved.
fn evaluation(mover: Color, score: Score, depth: Option<u32>) -> Comment {
    let white = |value: i32| if mover == Color::White { value } else { -value };
    let score = match mate_after(score) {
        Some(moves) => EvaluationScore::Mate(white(moves)),
        None => EvaluationScore::Centipawns(white(score.value())),
    };
    let depth = depth.and_then(|depth| u16::try_from(depth).ok());
    Comment::from_commands(vec![Command::Evaluation(Evaluation { score, depth })])
}

/// The same score after the first move of its line: a mate is a ply nearer.
fn a_ply_later(score: Score) -> Score {
    if score.is_mate() { score + score.value().signum() } else { score }
}

fn without_evaluation(comment: &Comment) -> Comment {
    if comment.evaluation().is_none() {
        return comment.clone();
    }
    let others = comment.commands().iter().filter(|command| !matches!(command, Command::Evaluation(_)));
    let text: String = others.map(|command| format!("{command} ")).collect();
    Comment::new(&(text + comment.text()))
}

/// What should have been played, as a variation, unless somebody shows it already.
fn add_better_line(copy: &mut Game, parent: NodeId, mv: &MoveReview) {
    let Some(&best) = mv.before.line.first() else { return };
    if copy.children(parent).any(|child| copy.move_at(child) == best) {
        return;
    }
    let mut at = parent;
    for (ply, &better) in mv.before.line.iter().take(SHOWN_PLIES).enumerate() {
        let Some(next) = copy.add(at, better) else { return };
        if ply == 0 {
            copy.add_comment(next, evaluation(mv.mover, a_ply_later(mv.before.score), mv.before.depth));
        }
        at = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::judgement::{Judgement, review};
    use kiebitz_chess::GameHistory;
    use kiebitz_pgn::{GameReader, Source};

    fn game(text: &str) -> Game {
        GameReader::new(Source::from_reader("test", text.as_bytes())).next().unwrap().unwrap()
    }

    fn line(history: &GameHistory, moves: &[&str]) -> Vec<kiebitz_chess::Move> {
        let mut position = history.position().clone();
        let mut line = Vec::new();
        for san in moves {
            let mv = position.parse_san(san).unwrap();
            line.push(mv);
            position.play(mv);
        }
        line
    }

    /// White blunders with 2. Qg4: Nf3 was right.
    fn reviewed(text: &str) -> (Game, GameReview) {
        let game = game(text);
        let moves = game.main_line().map(|id| game.move_at(id)).collect();
        let review: Result<_, std::convert::Infallible> = review(game.start(), moves, &mut |history| {
            let (score, line) = match history.moves().len() {
                0 => (20, line(history, &["e4"])),
                1 => (-20, line(history, &["d5"])),
                2 => (30, line(history, &["Nf3", "Nc6", "Bb5"])),
                _ => (300, line(history, &["d6"])),
            };
            Ok(Judgement { score: Score::centipawns(score), line, depth: Some(12) })
        });
        (game, review.unwrap())
    }

    /// Mate in two for White is three plies before his move, two after it; mated in one is a move of the other side.
    #[test]
    fn mates_are_counted_from_the_position_after_the_move() {
        let written = |mover, score| evaluation(mover, score, None).to_string();
        assert_eq!(written(Color::White, a_ply_later(Score::mate_in(3))), "[%eval #1]");
        assert_eq!(written(Color::White, -Score::mate_in(1)), "[%eval #-1]");
        assert_eq!(written(Color::Black, -Score::mate_in(1)), "[%eval #1]");
        assert_eq!(written(Color::Black, Score::mate_in(4)), "[%eval #-2]");
        assert_eq!(written(Color::Black, Score::centipawns(55)), "[%eval -0.55]");
    }

    /// By hand: 0.5554 points at +30 and 0.0034 at -300, so White's second move keeps 6.3 %; Black goes from 0.4641 to 0.4446.
    #[test]
    fn glyphs_evaluations_and_better_lines_are_written() {
        let (game, review) = reviewed("[White \"A\"]\n\n1. e4 e5 2. Qg4 *");
        let text = annotated(&game, &review, "test").to_string();
        let movetext = text.split("\n\n").nth(1).unwrap().replace('\n', " ");
        assert_eq!(
            movetext.trim_end(),
            "{Accuracy: White 55.3 %, Black 91.6 % (test)} 1. e4 {[%eval 0.2,12]} 1... e5 {[%eval 0.3,12]} 2. Qg4 $4 \
             {[%eval -3.0,12]} (2. Nf3 {[%eval 0.3,12]} 2... Nc6 3. Bb5) *"
        );
        assert!(text.contains("[Annotator \"test\"]"), "{text}");
    }

    #[test]
    fn what_was_there_stays_and_a_second_review_changes_nothing() {
        let text = "[Annotator \"B\"]\n\n{A preface} 1. e4 {[%eval 5.0] [%clk 0:01:00] book} (1. d4 d5 (1... Nf6 2. c4)) \
                    1... e5 2. Qg4 $1 (2. Nf3 {main}) *";
        let (game, review) = reviewed(text);
        let once = annotated(&game, &review, "test");
        let written = once.to_string();
        for part in ["{A preface}", "[%clk 0:01:00] book", "(1. d4 d5 (1... Nf6 2. c4))", "Qg4 $1", "{main}", "\"B\""] {
            assert!(written.replace('\n', " ").contains(part), "{part} in {written}");
        }
        assert!(!written.contains("[%eval 5.0]") && !written.contains("$4") && !written.contains("Bb5"), "{written}");
        assert_eq!(annotated(&once, &review, "test"), once);
    }
}
