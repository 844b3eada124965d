//! Is a document a game? Every move is checked, and written anew.

use kiebitz_chess::{Claims, FenMode, GameHistory, Position};
use kiebitz_messages::{Fault, FaultCode, GameDocument, GameSummary, Player};
use kiebitz_onlooker::shown_move;

/// The most moves of a tree.
const MOST_NODES: usize = 6000;
/// The longest line, in plies.
const LONGEST_LINE: usize = kiebitz_onlooker::MAX_PLIES;
const MOST_TAGS: usize = 64;
const LONGEST_TAG: usize = 400;
const LONGEST_COMMENT: usize = 4000;
const MOST_GLYPHS: usize = 8;
const LONGEST_NAME: usize = 200;

/// Checks a document and writes start, moves and notation in their canonical form.
///
/// # Errors
/// Says which field is wrong, and for a move which one.
pub(crate) fn check(document: &mut GameDocument) -> Result<GameSummary, Fault> {
    lengths(document)?;
    let start = Position::from_fen(&document.start, FenMode::Lenient)
        .map_err(|error| Fault::new(FaultCode::Chess, format!("The start is no position: {error}.")).at("start"))?;
    document.start = start.to_string();
    // The position after every move, and how many plies it lies behind the start.
    let mut reached: Vec<(Position, usize)> = Vec::with_capacity(document.nodes.len());
    for (index, node) in document.nodes.iter_mut().enumerate() {
        let wrong =
            |what: String| Fault::new(FaultCode::Chess, format!("Move {} of the tree {what}.", index + 1)).at("nodes");
        let (before, ply) = match node.parent {
            None => (&start, 0),
            Some(parent) => match reached.get(parent as usize) {
                Some((position, ply)) => (position, *ply),
                None => return Err(wrong("stands before its parent".to_owned())),
            },
        };
        if ply >= LONGEST_LINE {
            return Err(wrong(format!("makes its line longer than {LONGEST_LINE} plies")));
        }
        let mv = before.parse_uci(&node.uci).map_err(|error| wrong(format!("cannot be played: {error}")))?;
        let shown = shown_move(before, mv);
        let after = before.after(mv);
        (node.uci, node.san) = (shown.uci, shown.san);
        reached.push((after, ply + 1));
    }
    if document.current.is_some_and(|current| current as usize >= document.nodes.len()) {
        return Err(Fault::new(FaultCode::Value, "The current move is none of the tree.").at("current"));
    }
    let main = main_line(document);
    let last = main.last().and_then(|&index| reached.get(index)).map_or(&start, |(position, _)| position);
    Ok(GameSummary {
        id: document.id.clone(),
        changed_ms: document.changed_ms,
        white: document.white.clone(),
        black: document.black.clone(),
        plies: u32::try_from(main.len()).unwrap_or(u32::MAX),
        result: document.result.clone(),
        fen: last.to_string(),
    })
}

fn lengths(document: &GameDocument) -> Result<(), Fault> {
    let limit = |field: &str, what: String| Err(Fault::new(FaultCode::Limit, what).at(field));
    if document.nodes.len() > MOST_NODES {
        return limit("nodes", format!("A tree has at most {MOST_NODES} moves."));
    }
    let long_note = |node: &kiebitz_messages::GameNode| {
        node.comment.len() > LONGEST_COMMENT || node.nags.len() > MOST_GLYPHS || node.uci.len() > 8
    };
    if document.nodes.iter().any(long_note) {
        return limit("nodes", format!("A comment has at most {LONGEST_COMMENT} bytes, a move {MOST_GLYPHS} glyphs."));
    }
    let long_tag = |tag: &kiebitz_messages::Tag| {
        tag.name.len() > LONGEST_TAG || tag.value.len() > LONGEST_TAG || tag.name.is_empty()
    };
    if document.tags.len() > MOST_TAGS || document.tags.iter().any(long_tag) {
        return limit("tags", format!("A game has at most {MOST_TAGS} tags of at most {LONGEST_TAG} bytes."));
    }
    let long_player = |player: &Player| match player {
        Player::Human { name } => name.len() > LONGEST_NAME,
        Player::Engine { opponent, .. } => opponent.len() > LONGEST_NAME,
    };
    let long_reason = document.result.as_ref().is_some_and(|result| result.reason.len() > LONGEST_NAME);
    if long_player(&document.white) || long_player(&document.black) || long_reason {
        return limit("white", format!("Names and reasons have at most {LONGEST_NAME} bytes."));
    }
    Ok(())
}

/// The indices of the main line: from every move on to the first that has it as parent.
pub(super) fn main_line(document: &GameDocument) -> Vec<usize> {
    let mut line = Vec::new();
    let mut parent = None;
    // Parents stand before their children, so one pass finds the whole line.
    for (index, node) in document.nodes.iter().enumerate() {
        if node.parent == parent {
            line.push(index);
            parent = u32::try_from(index).ok();
        }
    }
    line
}

/// How the rules end the main line of a checked document, if they do.
pub(super) fn ending(document: &GameDocument) -> Option<kiebitz_chess::Ending> {
    let start = Position::from_fen(&document.start, FenMode::Lenient).ok()?;
    let mut history = GameHistory::new(start);
    for index in main_line(document) {
        let mv = history.position().parse_uci(&document.nodes.get(index)?.uci).ok()?;
        history.play(mv);
    }
    history.ending(Claims::Made)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use kiebitz_messages::GameNode;

    pub(crate) fn document(moves: &[(Option<u32>, &str)]) -> GameDocument {
        let node = |&(parent, uci): &(Option<u32>, &str)| GameNode {
            parent,
            uci: uci.into(),
            san: String::new(),
            nags: Vec::new(),
            comment: String::new(),
            score: None,
            clock_ms: None,
        };
        GameDocument {
            id: String::new(),
            revision: 0,
            created_ms: 0,
            changed_ms: 0,
            white: Player::Human { name: "Anna".into() },
            black: Player::Engine { opponent: "handcrafted".into(), elo: Some(1500) },
            clock: None,
            start: Position::default().to_string(),
            nodes: moves.iter().map(node).collect(),
            current: None,
            result: None,
            tags: Vec::new(),
        }
    }

    #[test]
    fn moves_are_checked_and_written_anew() {
        let mut game = document(&[(None, "e2e4"), (Some(0), "e7e5"), (Some(0), "c7c5"), (Some(1), "g1f3")]);
        let summary = check(&mut game).unwrap();
        let sans: Vec<&str> = game.nodes.iter().map(|node| node.san.as_str()).collect();
        assert_eq!(sans, ["e4", "e5", "c5", "Nf3"]);
        assert_eq!(summary.plies, 3);
        assert!(summary.fen.starts_with("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/"), "{}", summary.fen);
        assert_eq!(main_line(&game), [0, 1, 3]);
    }

    #[test]
    fn nonsense_is_refused_at_its_field() {
        let field = |mut game: GameDocument| check(&mut game).unwrap_err().field.unwrap();
        assert_eq!(field(document(&[(None, "e2e5")])), "nodes");
        assert_eq!(field(document(&[(Some(0), "e2e4")])), "nodes");
        assert_eq!(field(document(&[(None, "e2e4"), (Some(7), "e7e5")])), "nodes");
        assert_eq!(field(GameDocument { start: "8/8/8".into(), ..document(&[]) }), "start");
        assert_eq!(field(GameDocument { current: Some(0), ..document(&[]) }), "current");
        let mut long = document(&[(None, "e2e4")]);
        long.nodes[0].comment = "x".repeat(LONGEST_COMMENT + 1);
        assert_eq!(field(long), "nodes");
    }
}
