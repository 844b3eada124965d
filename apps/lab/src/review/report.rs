//! What reviews came to, for people and for programs.

use std::io::{self, Write};
use std::time::Duration;

use kiebitz_chess::{Color, Position, Score};
use kiebitz_onlooker::review::{GameReview, Mark};
use kiebitz_pgn::Game;
use serde_json::{Value, json};

/// A reviewed game.
pub(super) struct Reviewed<'a> {
    /// Its number in the file, from 1.
    pub(super) number: usize,
    pub(super) game: &'a Game,
    pub(super) review: GameReview,
}

/// Everything there is to tell.
pub(super) struct Report<'a> {
    pub(super) engine: String,
    pub(super) nodes: u64,
    pub(super) games: &'a [Reviewed<'a>],
    /// Why other games were left out.
    pub(super) faults: Vec<String>,
    pub(super) elapsed: Duration,
}

impl Report<'_> {
    /// A table of all games, and every marked move.
    pub(super) fn write_text(&self, output: &mut impl Write) -> io::Result<()> {
        for one in self.games {
            writeln!(output, "{}. {}", one.number, one.game.tags().headline())?;
            writeln!(output, "  side   accuracy  moves  centipawns lost   ?!    ?   ??")?;
            for side in Color::ALL {
                let number = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.1}"));
                let [dubious, mistakes, blunders] = Mark::ALL.map(|mark| one.review.count(side, mark));
                writeln!(
                    output,
                    "  {:<5}  {:>6} %  {:>5}  {:>15}  {dubious:>3}  {mistakes:>3}  {blunders:>3}",
                    side_name(side),
                    number(one.review.accuracy(side)),
                    one.review.moves.iter().filter(|mv| mv.mover == side).count(),
                    number(one.review.centipawn_loss(side)),
                )?;
            }
            for line in one.marked() {
                writeln!(output, "  {line}")?;
            }
            writeln!(output)?;
        }
        for fault in &self.faults {
            writeln!(output, "not reviewed: {fault}")?;
        }
        let seconds = self.elapsed.as_secs_f64();
        writeln!(output, "{} games, {}, {} nodes a move, {seconds:.1} s", self.games.len(), self.engine, self.nodes)
    }

    /// One object.
    pub(super) fn write_json(&self, output: &mut impl Write) -> io::Result<()> {
        let value = json!({
            "engine": self.engine,
            "nodes": self.nodes,
            "seconds": self.elapsed.as_secs_f64(),
            "not_reviewed": self.faults,
            "games": self.games.iter().map(Reviewed::json).collect::<Vec<_>>(),
        });
        serde_json::to_writer_pretty(&mut *output, &value).map_err(io::Error::from)?;
        writeln!(output)
    }
}

const fn side_name(side: Color) -> &'static str {
    match side {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// `+0.35` or `#-3`.
fn shown(score: Score, mate: Option<i32>) -> String {
    mate.map_or_else(|| format!("{:+.2}", f64::from(score.value()) / 100.0), |moves| format!("#{moves}"))
}

fn score_json(score: Score, mate: Option<i32>) -> Value {
    mate.map_or_else(|| json!({"centipawns": score.value()}), |moves| json!({"mate": moves}))
}

impl Reviewed<'_> {
    /// The positions before each move.
    fn positions(&self) -> Vec<Position> {
        let mut position = self.game.start().clone();
        let mut all = Vec::new();
        for mv in &self.review.moves {
            all.push(position.clone());
            position.play(mv.played);
        }
        all
    }

    /// A line for every marked move.
    fn marked(&self) -> Vec<String> {
        let moves = self.review.moves.iter().zip(self.positions());
        moves
            .filter_map(|(mv, position)| {
                let sign = match mv.mark()? {
                    Mark::Dubious => "?!",
                    Mark::Mistake => "?",
                    Mark::Blunder => "??",
                };
                let dots = if mv.mover == Color::White { "." } else { "..." };
                let better = mv.before.line.first().map_or_else(String::new, |&best| position.san(best).to_string());
                Some(format!(
                    "{}{dots} {}{sign} {} instead of {better} {}",
                    position.fullmove_number(),
                    position.san(mv.played),
                    shown(mv.score, mv.mate()),
                    shown(mv.before.score, mv.before.score.mate_moves()),
                ))
            })
            .collect()
    }

    fn json(&self) -> Value {
        let side = |side: Color| {
            let [dubious, mistakes, blunders] = Mark::ALL.map(|mark| self.review.count(side, mark));
            json!({
                "accuracy": self.review.accuracy(side),
                "centipawn_loss": self.review.centipawn_loss(side),
                "dubious": dubious, "mistakes": mistakes, "blunders": blunders,
            })
        };
        let moves: Vec<Value> = (self.review.moves.iter().zip(self.positions()))
            .map(|(mv, position)| {
                let mut at = position.clone();
                let line: Vec<String> = (mv.before.line.iter())
                    .map(|&better| {
                        let san = at.san(better).to_string();
                        at.play(better);
                        san
                    })
                    .collect();
                json!({
                    "side": side_name(mv.mover),
                    "move": position.san(mv.played).to_string(),
                    "score": score_json(mv.score, mv.mate()),
                    "best_score": score_json(mv.before.score, mv.before.score.mate_moves()),
                    "best_line": line,
                    "depth": mv.before.depth,
                    "loss": mv.loss,
                    "mark": mv.mark(),
                })
            })
            .collect();
        let tags = self.game.tags();
        json!({
            "number": self.number, "white": tags.white(), "black": tags.black(), "result": tags.get("Result"),
            "accuracy": {"white": side(Color::White), "black": side(Color::Black)},
            "moves": moves,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kiebitz_onlooker::review::{Judgement, review};
    use kiebitz_pgn::{GameReader, Source};

    #[test]
    fn the_table_names_the_mistakes() {
        let text = &b"[White \"A\"]\n[Black \"B\"]\n\n1. f3 e5 2. g4 Qh4# 0-1"[..];
        let game = GameReader::new(Source::from_reader("test", text)).next().unwrap().unwrap();
        let moves = game.main_line().map(|id| game.move_at(id)).collect();
        let judged: Result<_, std::convert::Infallible> = review(game.start(), moves, &mut |history| {
            let position = history.position();
            let best = ["e4", "d5", "Nh3", "Qh4"][history.moves().len()];
            let line = vec![position.parse_san(best).unwrap_or(position.legal_moves()[0])];
            let score = [Score::centipawns(20), Score::centipawns(60), Score::centipawns(-70), Score::mate_in(1)];
            Ok(Judgement { score: score[history.moves().len()], line, depth: Some(7) })
        });
        let games = [Reviewed { number: 1, game: &game, review: judged.unwrap() }];
        let report = Report {
            engine: "test".into(),
            nodes: 10,
            games: &games,
            faults: vec!["game 2: it has no moves".into()],
            elapsed: Duration::from_secs(1),
        };
        let mut output = Vec::new();
        report.write_text(&mut output).unwrap();
        let text = String::from_utf8(output).unwrap();
        assert!(text.contains("2. g4?? #-1 instead of Nh3 -0.70"), "{text}");
        assert!(text.contains("not reviewed: game 2"), "{text}");
        let mut output = Vec::new();
        report.write_json(&mut output).unwrap();
        let value: Value = serde_json::from_slice(&output).unwrap();
        assert_eq!(value["games"][0]["accuracy"]["white"]["blunders"], 1);
        assert_eq!(value["games"][0]["moves"][3]["score"]["mate"], 0);
        assert_eq!(value["games"][0]["moves"][3]["mark"], Value::Null);
    }
}
