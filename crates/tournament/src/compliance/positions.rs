//! Does the engine understand what it is to look at?

use std::time::Duration;

use kiebitz_chess::{CastlingForm, CastlingSide};
use kiebitz_uci::{MoveText, OptionKind};

use super::asked::{self, Asked};
use super::dialogue::Dialogue;
use super::search::Search;
use super::{Check, Objection, fine, fine_with, skipped};

/// A search that costs nothing and still needs the position.
const SMALL: &str = "go depth 2";

/// The answer must be a move of the position that was asked about.
fn understands(dialogue: &mut Dialogue, asked: &Asked) -> Result<Search, Objection> {
    let search = dialogue.search(asked, SMALL, Duration::ZERO)?;
    if search.best.best.as_ref().is_some_and(|best| best.resolve(&asked.position).is_ok()) {
        return Ok(search);
    }
    Err(Objection::fail(format!("a bestmove that is legal in {}", asked.position), search.shown()))
}

pub(super) const START: Check = Check {
    name: "position-startpos",
    about: "position startpos",
    why: "nearly every game begins here",
    run: |dialogue| understands(dialogue, &Asked::start()).and_then(|_| fine()),
};

pub(super) const FEN: Check = Check {
    name: "position-fen",
    about: "position fen, for both sides to move",
    why: "books and analysis begin anywhere",
    run: |dialogue| {
        for fen in [asked::MIDDLEGAME, asked::ENDGAME, "8/P7/8/8/8/8/k7/2K5 w - - 99 200"] {
            understands(dialogue, &Asked::fen(fen))?;
        }
        fine()
    },
};

pub(super) const MOVES: Check = Check {
    name: "position-moves",
    about: "position with moves: castling, en passant, promotion",
    why: "the whole game is sent with every move; one misunderstood move is a lost game",
    run: |dialogue| {
        for command in [
            "position startpos moves",
            "position startpos moves e2e4 c7c5 g1f3",
            "position startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1",
            "position startpos moves e2e4 a7a6 e4e5 d7d5 e5d6",
            "position fen 8/P7/8/8/8/8/k7/2K5 w - - 0 1 moves a7a8q a2b3",
            "position fen 8/P7/8/8/8/8/k7/2K5 w - - 0 1 moves a7a8n a2b3",
        ] {
            understands(dialogue, &Asked::command(command))?;
        }
        fine()
    },
};

/// Plies of the long game.
const LONG: usize = 320;

pub(super) const LONG_HISTORY: Check = Check {
    name: "long-game",
    about: "a game of 320 plies in one position command",
    why: "buffers of fixed size overflow in long endgames, in the middle of a match",
    run: |dialogue| understands(dialogue, &Asked::game(&asked::long_game(LONG))).and_then(|_| fine()),
};

pub(super) const NO_MOVES: Check = Check {
    name: "no-legal-moves",
    about: "mated and stalemated positions are answered with bestmove (none) or 0000",
    why: "analysis programs ask about final positions; an engine that is silent or dies there takes them along",
    run: |dialogue| {
        for fen in [asked::MATED, asked::STALEMATED] {
            let search = dialogue.search(&Asked::fen(fen), SMALL, Duration::ZERO)?;
            if search.best.best.is_some() {
                return Err(Objection::fail("bestmove (none) or bestmove 0000", search.shown()));
            }
        }
        fine()
    },
};

/// Asks for castling and nothing else, and looks at how it is written.
fn castles(dialogue: &mut Dialogue, asked: &Asked, form: CastlingForm, side: CastlingSide) -> Result<(), Objection> {
    let castling = asked.position.legal_moves().iter().copied().find(|mv| mv.castling() == Some(side));
    let Some(castling) = castling else { return Ok(()) };
    let wanted = asked.position.uci(castling, form);
    let search = dialogue.search(asked, &format!("go depth 2 searchmoves {wanted}"), Duration::ZERO)?;
    let expected = format!("bestmove {wanted}");
    let is_other_move = |best: &MoveText| {
        let mv = best.resolve(&asked.position);
        mv.is_ok_and(|mv| mv != castling && best.is_written_as(&asked.position, mv, form))
    };
    match &search.best.best {
        Some(best) if best.to_string() == wanted => Ok(()),
        // Another move, written as it should be: only the restriction was ignored.
        Some(best) if is_other_move(best) => {
            Err(Objection::warn(format!("{expected}, the only move it was allowed"), search.shown()))
        }
        _ => Err(Objection::fail(expected, search.shown())),
    }
}

pub(super) const CASTLING: Check = Check {
    name: "castling",
    about: "castling is written e1g1 and e1c1",
    why: "every other form is an illegal move to a match runner",
    run: |dialogue| {
        let asked = Asked::fen(asked::MIDDLEGAME);
        castles(dialogue, &asked, CastlingForm::KingMove, CastlingSide::King)?;
        castles(dialogue, &asked, CastlingForm::KingMove, CastlingSide::Queen)?;
        fine()
    },
};

/// The exact name of the option, if it is offered as a check box.
fn chess960(dialogue: &Dialogue) -> Option<String> {
    let option = dialogue.option("UCI_Chess960")?;
    matches!(option.kind, OptionKind::Check { .. }).then(|| option.name.clone())
}

pub(super) const CHESS960: Check = Check {
    name: "chess960-castling",
    about: "with UCI_Chess960 castling is king takes rook, both ways",
    why: "e1g1 may be a king's step in Chess960, so the form decides what is played",
    run: |dialogue| {
        let Some(name) = chess960(dialogue) else { return skipped("UCI_Chess960 is not offered") };
        dialogue.set(&name, "true")?;
        for fen in [asked::MIDDLEGAME, "bqnbrkr1/pppppppp/8/8/8/5N2/PPPPPPPP/BQNBRKR1 w GEge - 0 1"] {
            castles(dialogue, &Asked::fen(fen), CastlingForm::KingTakesRook, CastlingSide::King)?;
            castles(dialogue, &Asked::fen(fen), CastlingForm::KingTakesRook, CastlingSide::Queen)?;
        }
        fine()
    },
};

pub(super) const CHESS960_FENS: Check = Check {
    name: "chess960-fens",
    about: "Shredder-FEN and X-FEN castling rights, and castling moves in the game's history",
    why: "books and interfaces write either",
    run: |dialogue| {
        let Some(name) = chess960(dialogue) else { return skipped("UCI_Chess960 is not offered") };
        dialogue.set(&name, "true")?;
        let commands = [
            "position fen 1r1k2r1/pppppppp/8/8/8/8/PPPPPPPP/1R1K2R1 w GBgb - 0 1 moves d1g1 d8b8",
            "position fen 1r1k2r1/pppppppp/8/8/8/8/PPPPPPPP/1R1K2R1 w KQkq - 0 1 moves d1g1 d8b8",
            // The castling rook is not the outermost one: X-FEN falls back to the file.
            "position fen 4k3/8/8/8/8/8/8/R1R1K3 w C - 0 1 moves e1c1",
        ];
        for command in commands {
            understands(dialogue, &Asked::command(command))?;
        }
        fine_with(format!("{} positions", commands.len()))
    },
};
