//! Documents as PGN and back.

use std::time::Duration;

use kiebitz_chess::{CastlingForm, Color, FenMode, Move, Outcome as ChessOutcome, Position};
use kiebitz_messages::{Fault, FaultCode, GameDocument, GameNode, GameResult, Outcome, Player, ScoreView, Tag};
use kiebitz_pgn::{Command, Comment, Evaluation, EvaluationScore, Game, GameReader, Nag, NodeId, Source};

use super::check::ending;

/// The most games of one import.
const MOST_IMPORTED: usize = 200;
/// Tags that a document says in other ways.
const DERIVED: [&str; 4] = ["Result", "FEN", "SetUp", "Variant"];

/// Writes a checked document.
pub(crate) fn write_pgn(document: &GameDocument) -> Result<String, Fault> {
    let wrong = |error: String| Fault::new(FaultCode::Chess, error).at("nodes");
    let start = Position::from_fen(&document.start, FenMode::Lenient).map_err(|error| wrong(error.to_string()))?;
    let mut game = Game::new(start);
    for tag in &document.tags {
        // What PGN cannot write, or start and outcome say already, is left out.
        let _ = game.set_tag(&tag.name, &tag.value);
    }
    for (name, player) in [("White", &document.white), ("Black", &document.black)] {
        let told = player_name(player);
        if !told.is_empty() {
            let _ = game.set_tag(name, &told);
        }
    }
    if let Some(result) = &document.result {
        let _ = game.set_tag("Termination", &result.reason);
        game.set_outcome(Some(match result.outcome {
            Outcome::White => ChessOutcome::Win(Color::White),
            Outcome::Black => ChessOutcome::Win(Color::Black),
            Outcome::Draw => ChessOutcome::Draw,
        }));
    } else {
        game.set_outcome(ending(document).map(kiebitz_chess::Ending::outcome));
    }
    let mut ids: Vec<NodeId> = Vec::new();
    for node in &document.nodes {
        let parent = node.parent.map_or(Some(NodeId::ROOT), |parent| ids.get(parent as usize).copied());
        let parent = parent.ok_or_else(|| wrong("A move stands before its parent.".to_owned()))?;
        let mv = game.position(parent).parse_uci(&node.uci).map_err(|error| wrong(format!("{error}.")))?;
        let id = game.add(parent, mv).ok_or_else(|| wrong(format!("{} is not legal.", node.uci)))?;
        for &nag in &node.nags {
            game.add_nag(id, Nag(nag));
        }
        let commands = commands(node);
        if !commands.is_empty() {
            game.add_comment(id, Comment::from_commands(commands));
        }
        game.add_comment(id, Comment::new(&node.comment));
        ids.push(id);
    }
    Ok(game.to_string())
}

fn player_name(player: &Player) -> String {
    match player {
        Player::Human { name } => name.clone(),
        Player::Engine { opponent, elo: Some(elo) } => format!("Kiebitz ({opponent}, {elo})"),
        Player::Engine { opponent, elo: None } => format!("Kiebitz ({opponent})"),
    }
}

fn commands(node: &GameNode) -> Vec<Command> {
    let score = node.score.map(|score| match score {
        ScoreView::Centipawns(value) => EvaluationScore::Centipawns(value),
        ScoreView::Mate(moves) => EvaluationScore::Mate(moves),
    });
    let evaluation = score.map(|score| Command::Evaluation(Evaluation { score, depth: None }));
    let clock = node.clock_ms.map(|ms| Command::Clock(Duration::from_millis(ms.into())));
    evaluation.into_iter().chain(clock).collect()
}

/// Reads the games of a text, and tells what is wrong with the others.
pub(crate) fn read_pgn(text: &str) -> (Vec<GameDocument>, Vec<String>) {
    let (mut games, mut broken) = (Vec::new(), Vec::new());
    let mut reader = GameReader::new(Source::from_reader("the text", text.as_bytes()));
    for game in reader.by_ref() {
        if games.len() >= MOST_IMPORTED {
            broken.push(format!("only the first {MOST_IMPORTED} games are imported"));
            break;
        }
        match game {
            Ok(game) if game.main_line().next().is_none() && game.tags().known("FEN").is_none() => {
                broken.push("a game without moves was left out".to_owned());
            }
            Ok(game) => games.push(document(&game)),
            Err(error) => broken.push(error.to_string()),
        }
    }
    broken.extend(reader.source_error().map(ToString::to_string));
    (games, broken)
}

fn document(game: &Game) -> GameDocument {
    let mut nodes = Vec::new();
    // Parents before children, and the way the game went before its variations.
    let mut open: Vec<(NodeId, Option<u32>, Position)> = Vec::new();
    let children = |id: NodeId, parent: Option<u32>, position: &Position| {
        let mut all: Vec<_> = game.children(id).map(|child| (child, parent, position.clone())).collect();
        all.reverse();
        all
    };
    open.extend(children(NodeId::ROOT, None, game.start()));
    while let Some((id, parent, mut position)) = open.pop() {
        let mv = game.move_at(id);
        // A side that passes has no place on the page: the line ends there.
        if mv == Move::NULL {
            continue;
        }
        let form = if position.is_chess960() { CastlingForm::KingTakesRook } else { CastlingForm::KingMove };
        let index = u32::try_from(nodes.len()).ok();
        nodes.push(node(game, id, parent, position.uci(mv, form)));
        position.play(mv);
        open.extend(children(id, index, &position));
    }
    let tag = |name: &str| game.tags().known(name).unwrap_or_default().to_owned();
    let tags = game.tags().iter().filter(|(name, _)| !DERIVED.contains(name));
    let result = game.outcome().map(|outcome| GameResult {
        outcome: match outcome {
            ChessOutcome::Win(Color::White) => Outcome::White,
            ChessOutcome::Win(Color::Black) => Outcome::Black,
            ChessOutcome::Draw => Outcome::Draw,
        },
        reason: tag("Termination"),
    });
    GameDocument {
        id: String::new(),
        revision: 0,
        created_ms: 0,
        changed_ms: 0,
        white: Player::Human { name: tag("White") },
        black: Player::Human { name: tag("Black") },
        clock: None,
        start: game.start().to_string(),
        nodes,
        current: None,
        result,
        tags: tags.map(|(name, value)| Tag { name: name.to_owned(), value: value.to_owned() }).collect(),
    }
}

fn node(game: &Game, id: NodeId, parent: Option<u32>, uci: String) -> GameNode {
    let comments = game.comments(id);
    let score = comments.iter().find_map(Comment::evaluation).map(|evaluation| match evaluation.score {
        EvaluationScore::Centipawns(value) => ScoreView::Centipawns(value),
        EvaluationScore::Mate(moves) => ScoreView::Mate(moves),
    });
    let clock_ms = comments.iter().find_map(Comment::clock).and_then(|time| u32::try_from(time.as_millis()).ok());
    let texts: Vec<&str> = game.introduction(id).iter().chain(comments).map(Comment::text).collect();
    GameNode {
        parent,
        uci,
        san: String::new(),
        nags: game.nags(id).iter().map(|nag| nag.0).collect(),
        comment: texts.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" "),
        score,
        clock_ms,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::check;

    const GAME: &str = "[Event \"Test\"]\n[White \"Anna\"]\n[Black \"Ben\"]\n[Result \"0-1\"]\n\n1. f3 {[%eval -0.5] \
                        [%clk 0:01:00] weak} (1. e4 e5 (1... c5 2. Nf3) 2. Nf3) 1... e5 2. g4 $4 Qh4# 0-1";

    #[test]
    fn a_game_comes_back() {
        let (mut games, broken) = read_pgn(GAME);
        assert!(broken.is_empty());
        let mut game = games.remove(0);
        let summary = check(&mut game).unwrap();
        assert_eq!((summary.plies, game.nodes.len()), (4, 9));
        assert_eq!(game.nodes[0].score, Some(ScoreView::Centipawns(-50)));
        assert_eq!((game.nodes[0].clock_ms, game.nodes[0].comment.as_str()), (Some(60_000), "weak"));
        assert_eq!(game.result.as_ref().unwrap().outcome, Outcome::Black);
        let written = write_pgn(&game).unwrap();
        let (mut again, _) = read_pgn(&written);
        let mut again = again.remove(0);
        check(&mut again).unwrap();
        again.result = game.result.clone();
        again.tags = game.tags.clone();
        assert_eq!(again, game, "{written}");
    }

    #[test]
    fn broken_games_are_told_and_the_rest_is_read() {
        let (games, broken) = read_pgn("1. e4 e5 *\n\n1. e5 *\n\n1. d4 *\n");
        assert_eq!((games.len(), broken.len()), (2, 1));
        assert!(broken[0].contains("e5"), "{broken:?}");
    }

    #[test]
    fn passing_ends_a_line() {
        let (games, _) = read_pgn("1. e4 -- 2. d4 *");
        assert_eq!(games[0].nodes.len(), 1);
    }
}
