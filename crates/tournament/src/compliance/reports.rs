//! Are reports, scores and moves true? Most of these look at every search of every check before them.

use std::time::Duration;

use kiebitz_uci::{Complaint, ScoreValue, resolve_line};

use super::asked::{self, Asked};
use super::dialogue::Dialogue;
use super::search::Search;
use super::{Check, Objection, Outcome, fine, fine_with, skipped};
use crate::mate_line::MateFault;

/// Failures of one kind that are shown.
const EXAMPLES: usize = 2;

/// All searches so far; a few are made if the usual ones are missing, for a check that was asked for alone.
fn searches(dialogue: &mut Dialogue) -> Result<Vec<Search>, Objection> {
    if !dialogue.searches.iter().any(|search| search.asked.command.ends_with(asked::MATE_IN_2)) {
        for fen in [asked::MIDDLEGAME, asked::ENDGAME, asked::MATE_IN_1, asked::MATE_IN_2, asked::MATED_IN_1] {
            dialogue.search(&Asked::fen(fen), "go depth 5", Duration::from_secs(2))?;
        }
        dialogue.ready()?;
    }
    Ok(dialogue.searches.clone())
}

/// Applies `judge` to all searches; what it returns are failures of the kind `expected` denies.
fn audit(dialogue: &mut Dialogue, expected: &str, mut judge: impl FnMut(&Search) -> Option<Vec<String>>) -> Outcome {
    let searches = searches(dialogue)?;
    let wrong: Vec<Vec<String>> = searches.iter().filter_map(&mut judge).collect();
    if wrong.is_empty() {
        return fine_with(format!("{} searches", searches.len()));
    }
    let mut found: Vec<String> = wrong.iter().take(EXAMPLES).flatten().cloned().collect();
    if wrong.len() > EXAMPLES {
        found.push(format!("… in {} of {} searches", wrong.len(), searches.len()));
    }
    Err(Objection::fail(expected, found))
}

/// The last exact score of the first line.
fn final_score(search: &Search) -> Option<(ScoreValue, &str)> {
    search.infos.iter().rev().find_map(|(info, line)| {
        let score = info.score.filter(|score| info.is_main_line() && score.bound.is_none())?;
        Some((score.value, line.as_str()))
    })
}

pub(super) const SCORE_VIEW: Check = Check {
    name: "score-view",
    about: "scores are seen from the side to move",
    why: "adjudication would resign won games",
    run: |dialogue| {
        for (placement, side, wins) in [
            (asked::QUEEN_UP, "w KQkq", true),
            (asked::QUEEN_UP, "b KQkq", false),
            (asked::QUEEN_DOWN, "w KQkq", false),
            (asked::QUEEN_DOWN, "b KQkq", true),
        ] {
            let asked = Asked::fen(&format!("{placement} {side} - 0 1"));
            let search = dialogue.search(&asked, "go depth 5", Duration::from_secs(2))?;
            let expected = if wins { "a score above 0, for a queen more" } else { "a score below 0, for a queen less" };
            match final_score(&search) {
                Some((score, _)) if wins == (score.score().value() > 0) && score.score().value() != 0 => {}
                Some((_, line)) => return Err(Objection::fail(expected, search.shown_with(line))),
                None => return Err(Objection::fail(expected, search.shown())),
            }
        }
        fine()
    },
};

pub(super) const MATE_SCORE: Check = Check {
    name: "mate-score",
    about: "mates are counted in moves, negative for the side that is mated",
    why: "interfaces and adjudication read 'mate 3' as three moves, not plies",
    run: |dialogue| {
        for (fen, moves) in [(asked::MATE_IN_1, 1), (asked::MATE_IN_2, 2), (asked::MATED_IN_1, -1)] {
            let search = dialogue.search(&Asked::fen(fen), "go depth 8", Duration::from_secs(2))?;
            let expected = format!("score mate {moves}");
            match final_score(&search) {
                Some((ScoreValue::Mate(told), _)) if told == moves => {}
                Some((ScoreValue::Mate(told), line)) => {
                    // A longer mate is slow play; a count in plies or of the wrong sign is a fault.
                    let plies = if moves > 0 { 2 * moves - 1 } else { 2 * moves };
                    let objection = Objection::fail(expected, search.shown_with(line));
                    let is_fault = told == plies || told.signum() != moves.signum();
                    return Err(if is_fault { objection } else { objection.softened() });
                }
                Some((ScoreValue::Centipawns(_), line)) => {
                    return Err(Objection::warn(expected, search.shown_with(line)));
                }
                None => return Err(Objection::warn(expected, search.shown())),
            }
        }
        fine()
    },
};

pub(super) const SCORED: Check = Check {
    name: "info-score",
    about: "at least one info with a score before each bestmove",
    why: "match runners adjudicate by it and some refuse games without",
    run: |dialogue| {
        audit(dialogue, "info … score cp|mate … before bestmove", |search| {
            let scored = search.infos.iter().any(|(info, _)| info.score.is_some());
            (!scored && search.asked.position.has_legal_moves()).then(|| search.shown())
        })
    },
};

pub(super) const INTEGERS: Check = Check {
    name: "integers",
    about: "all numbers in info are integers",
    why: "the protocol knows no dots; readers drop the line or read half of the number",
    run: |dialogue| {
        audit(dialogue, "integers", |search| {
            let mut wrong = search.complaints.iter();
            let (complaint, line) = wrong.find(|(complaint, _)| matches!(complaint, Complaint::NotAnInteger { .. }))?;
            Some([search.shown_with(line), vec![complaint.to_string()]].concat())
        })
    },
};

pub(super) const READABLE: Check = Check {
    name: "info-lines",
    about: "nothing but well-formed lines during a search",
    why: "what readers do not know they drop, and it may be what the user wanted to see",
    run: |dialogue| {
        let outcome = audit(dialogue, "lines of the protocol (anything else behind 'info string')", |search| {
            // Numbers and moves have checks of their own.
            let (complaint, line) = search.complaints.iter().find(|(complaint, line)| {
                !matches!(complaint, Complaint::NotAnInteger { .. }) && !line.trim_start().starts_with("bestmove")
            })?;
            Some([search.shown_with(line), vec![complaint.to_string()]].concat())
        });
        outcome.map_err(Objection::softened)
    },
};

pub(super) const LEGAL_BEST_MOVE: Check = Check {
    name: "bestmove-legal",
    about: "every bestmove is a legal move in the right form",
    why: "an illegal move loses the game at once",
    run: |dialogue| {
        audit(dialogue, "bestmove and a legal move", |search| {
            let position = &search.asked.position;
            // Where there is none, another check asks what is said instead.
            if !position.has_legal_moves() {
                return None;
            }
            let remark = match &search.best.best {
                None => "there are legal moves".to_owned(),
                Some(best) => match best.resolve(position) {
                    Err(reason) => format!("{reason} ({position})"),
                    Ok(mv) if !best.is_written_as(position, mv, search.form) => {
                        format!("this castling is written {}", position.uci(mv, search.form))
                    }
                    Ok(_) => return None,
                },
            };
            Some([search.shown(), vec![remark]].concat())
        })
    },
};

pub(super) const LEGAL_PONDER: Check = Check {
    name: "ponder-legal",
    about: "every ponder move is legal after its bestmove",
    why: "it is sent back as the position to ponder on",
    run: |dialogue| {
        audit(dialogue, "a ponder move that is legal after the bestmove", |search| {
            let best = search.best.best.as_ref()?.resolve(&search.asked.position).ok()?;
            let reason = search.best.ponder.as_ref()?.resolve(&search.asked.position.after(best)).err()?;
            Some([search.shown(), vec![reason.to_string()]].concat())
        })
    },
};

pub(super) const ONE_BEST_MOVE: Check = Check {
    name: "one-bestmove",
    about: "exactly one bestmove for each go",
    why: "a second one is taken for the answer to the next go, and that move is illegal",
    run: |dialogue| {
        let count = searches(dialogue)?.len();
        // One that is on its way would be missed.
        dialogue.search(&Asked::fen(asked::ENDGAME), "go depth 2", Duration::ZERO)?;
        dialogue.wait(dialogue.patience.silence)?;
        dialogue.ready()?;
        match dialogue.strays.first() {
            None => fine_with(format!("{} searches", count + 1)),
            Some(lines) => {
                let more = format!("{} such answers in {} searches", dialogue.strays.len(), count + 1);
                Err(Objection::fail("no bestmove without go", [lines.clone(), vec![more]].concat()))
            }
        }
    },
};

pub(super) const LEGAL_PV: Check = Check {
    name: "pv-legal",
    about: "every principal variation is legal from the position that was asked about",
    why: "boards replay it move by move; an illegal one betrays a bug in the search or its memory",
    run: |dialogue| {
        audit(dialogue, "a line of legal moves", |search| {
            search.infos.iter().find_map(|(info, line)| {
                let error = resolve_line(&search.asked.position, &info.pv).err()?;
                Some([search.shown_with(line), vec![error.to_string()]].concat())
            })
        })
    },
};

pub(super) const MATE_PV: Check = Check {
    name: "mate-pv",
    about: "the variation of a mate score ends in mate after the claimed number of moves",
    why: "it is the only proof of the mate that a user can see",
    run: |dialogue| {
        let searches = searches(dialogue)?;
        let (mut seen, mut short) = (0, None);
        for search in &searches {
            for (info, line) in &search.infos {
                seen += usize::from(matches!(info.score, Some(score) if matches!(score.value, ScoreValue::Mate(_))));
                let Some(fault) = MateFault::of(&search.asked.position, info) else { continue };
                let objection = Objection::fail(
                    "a variation as long as the mate, with mate at its end",
                    [search.shown_with(line), vec![fault.to_string()]].concat(),
                );
                if !matches!(fault, MateFault::Short { .. }) {
                    return Err(objection);
                }
                // A line cut off proves nothing, but does not contradict either.
                short.get_or_insert(objection.softened());
            }
        }
        match short {
            Some(objection) => Err(objection),
            None if seen == 0 => skipped("no mate was announced"),
            None => fine_with(format!("{seen} mate scores")),
        }
    },
};
