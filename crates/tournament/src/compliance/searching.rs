//! Does the engine answer every kind of `go`, in time and not before?

use std::time::Duration;

use super::asked::{self, Asked};
use super::dialogue::Dialogue;
use super::search::Search;
use super::{Check, Objection, Outcome, fine, fine_with, skipped};

const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

fn middlegame() -> Asked {
    Asked::fen(asked::MIDDLEGAME)
}

fn shown_ms(time: Duration) -> String {
    format!("{:.0} ms", time.as_secs_f64() * 1e3)
}

/// A search that must be answered before `budget` is over. A little later is a warning: that may be our machine.
fn in_time(dialogue: &mut Dialogue, asked: &Asked, go: &str, budget: Duration) -> Result<Search, Objection> {
    let search = dialogue.search(asked, go, budget)?;
    let expected = format!("bestmove within {}", shown_ms(budget));
    let found = || {
        let mut lines = search.shown();
        lines.push(format!("it took {}", shown_ms(search.elapsed)));
        lines
    };
    if search.elapsed <= budget {
        Ok(search)
    } else if search.elapsed <= budget + dialogue.patience.margin {
        Err(Objection::warn(expected, found()))
    } else {
        Err(Objection::fail(expected, found()))
    }
}

pub(super) const DEPTH: Check = Check {
    name: "go-depth",
    about: "go depth is answered",
    why: "fixed depth is how engines are compared and debugged",
    run: |dialogue| {
        for go in ["go depth 1", "go depth 5"] {
            dialogue.search(&middlegame(), go, ms(2000))?;
        }
        fine()
    },
};

/// What a search of limited nodes may take.
const NODES_ASKED: u64 = 5_000;
/// Engines look at their counters now and then only.
const NODES_ALLOWED: u64 = 50_000;

pub(super) const NODES: Check = Check {
    name: "go-nodes",
    about: "go nodes is answered and kept to",
    why: "fixed nodes make matches independent of the machine",
    run: |dialogue| {
        let search = dialogue.search(&middlegame(), &format!("go nodes {NODES_ASKED}"), ms(2000))?;
        let counted = search.infos.iter().rev().find_map(|(info, line)| Some((info.nodes?, line)));
        match counted {
            Some((nodes, line)) if nodes > NODES_ALLOWED => {
                Err(Objection::warn(format!("about {NODES_ASKED} nodes"), search.shown_with(line)))
            }
            Some((nodes, _)) => fine_with(format!("{nodes} of {NODES_ASKED} nodes")),
            None => fine_with("it does not tell its nodes"),
        }
    },
};

pub(super) const MOVE_TIME: Check = Check {
    name: "go-movetime",
    about: "go movetime is answered in that time",
    why: "a move that comes too late loses the game",
    run: |dialogue| {
        let search = in_time(dialogue, &middlegame(), "go movetime 100", ms(100) + dialogue.patience.margin)?;
        fine_with(shown_ms(search.elapsed))
    },
};

pub(super) const CLOCK: Check = Check {
    name: "go-clock",
    about: "go wtime btime winc binc is answered before the clock runs out",
    why: "games are played so",
    run: |dialogue| {
        let search = in_time(dialogue, &middlegame(), "go wtime 1000 btime 1000 winc 10 binc 10", ms(1000))?;
        fine_with(shown_ms(search.elapsed))
    },
};

pub(super) const MOVES_TO_GO: Check = Check {
    name: "go-movestogo",
    about: "go with movestogo 1 and 40",
    why: "classical time controls; the last move before the control is where engines overstep",
    run: |dialogue| {
        in_time(dialogue, &middlegame(), "go wtime 500 btime 500 movestogo 1", ms(500))?;
        let search = in_time(dialogue, &middlegame(), "go wtime 500 btime 500 movestogo 40", ms(500))?;
        fine_with(shown_ms(search.elapsed))
    },
};

pub(super) const ONE_CLOCK: Check = Check {
    name: "go-one-clock",
    about: "go with wtime alone for White, btime alone for Black",
    why: "match runners leave the other clock out when it is not limited",
    run: |dialogue| {
        in_time(dialogue, &middlegame(), "go wtime 300", ms(300))?;
        in_time(dialogue, &Asked::fen(asked::ENDGAME), "go btime 300", ms(300))?;
        fine()
    },
};

pub(super) const SHORTEST: Check = Check {
    name: "go-one-millisecond",
    about: "go with a millisecond left",
    why: "in time trouble any legal move is better than a crash or a long thought",
    run: |dialogue| {
        let allowed = ms(1) + dialogue.patience.margin;
        in_time(dialogue, &middlegame(), "go movetime 1", allowed)?;
        let search = in_time(dialogue, &middlegame(), "go wtime 1 btime 1 winc 0 binc 0", allowed)?;
        fine_with(shown_ms(search.elapsed))
    },
};

pub(super) const ZERO_INCREMENT: Check = Check {
    name: "go-no-increment",
    about: "go with increments of zero, and without increments",
    why: "sudden death is common, and a division by the increment is a crash",
    run: |dialogue| {
        in_time(dialogue, &middlegame(), "go wtime 300 btime 300 winc 0 binc 0", ms(300))?;
        in_time(dialogue, &middlegame(), "go wtime 300 btime 300", ms(300))?;
        fine()
    },
};

/// Begins a search that must wait, watches it, then lets it go.
fn waits(dialogue: &mut Dialogue, asked: &Asked, go: &str, release: &str) -> Result<Search, Objection> {
    dialogue.go(asked, go)?;
    dialogue.stays_silent(release)?;
    dialogue.send(release)?;
    dialogue.answer(Duration::ZERO)
}

pub(super) const INFINITE: Check = Check {
    name: "go-infinite",
    about: "go infinite is answered at stop, not before",
    why: "a bestmove ahead of stop is taken for the answer to the next question",
    run: |dialogue| waits(dialogue, &middlegame(), "go infinite", "stop").and_then(|_| fine()),
};

pub(super) const INFINITE_MATE: Check = Check {
    name: "go-infinite-mate",
    about: "the same where a mate is found or there is nothing to search",
    why: "many engines stop by themselves there and confuse analysis boards",
    run: |dialogue| {
        for fen in [asked::MATE_IN_1, asked::MATE_IN_2, asked::MATED] {
            waits(dialogue, &Asked::fen(fen), "go infinite", "stop")?;
        }
        fine()
    },
};

fn ponders(dialogue: &Dialogue) -> bool {
    dialogue.option("Ponder").is_some()
}

/// The end of a check on pondering: the specification ties it to the option.
fn pondered(dialogue: &Dialogue) -> Outcome {
    if ponders(dialogue) { fine() } else { fine_with("although the option Ponder is not offered") }
}

/// Engines that do not offer to ponder need not know how.
fn as_offered(dialogue: &Dialogue, objection: Objection) -> Objection {
    if ponders(dialogue) { objection } else { objection.softened() }
}

pub(super) const PONDER_HIT: Check = Check {
    name: "ponderhit",
    about: "go ponder waits for ponderhit, then answers within its time",
    why: "a bestmove while pondering is an illegal move in the game",
    run: |dialogue| {
        let asked = Asked::command("position startpos moves e2e4 e7e5");
        let budget = ms(500);
        let result = dialogue.go(&asked, "go ponder wtime 500 btime 500").and_then(|()| {
            dialogue.stays_silent("ponderhit")?;
            dialogue.send("ponderhit")?;
            let hit = std::time::Instant::now();
            let search = dialogue.answer(budget)?;
            if hit.elapsed() <= budget + dialogue.patience.margin {
                return Ok(());
            }
            Err(Objection::fail(format!("bestmove within {} of ponderhit", shown_ms(budget)), search.shown()))
        });
        result.map_err(|objection| as_offered(dialogue, objection))?;
        pondered(dialogue)
    },
};

pub(super) const PONDER_STOP: Check = Check {
    name: "ponder-stop",
    about: "go ponder ends at stop",
    why: "the opponent played another move than expected, which is most of the time",
    run: |dialogue| {
        let asked = Asked::command("position startpos moves e2e4 e7e5");
        let result = waits(dialogue, &asked, "go ponder wtime 60000 btime 60000", "stop");
        result.map_err(|objection| as_offered(dialogue, objection))?;
        pondered(dialogue)
    },
};

pub(super) const MATE: Check = Check {
    name: "go-mate",
    about: "go mate 2 finds a mate in two moves",
    why: "problem solvers use it; engines that do not know it should at least end the search",
    run: |dialogue| {
        dialogue.go(&Asked::fen(asked::MATE_IN_2), "go mate 2")?;
        let Some(search) = dialogue.wait(ms(1000))? else {
            dialogue.send("stop")?;
            dialogue.answer(Duration::ZERO)?;
            return Err(dialogue.objection("bestmove once the mate is found").softened());
        };
        let claims = search.infos.iter().filter_map(|(info, _)| info.score);
        if claims.into_iter().any(|score| score.value == kiebitz_uci::ScoreValue::Mate(2)) {
            return fine();
        }
        Err(Objection::warn("a report with score mate 2", search.shown()))
    },
};

pub(super) const SEARCH_MOVES: Check = Check {
    name: "go-searchmoves",
    about: "go searchmoves is kept to",
    why: "interfaces exclude moves so, and split analyses between machines",
    run: |dialogue| {
        let search = dialogue.search(&Asked::start(), "go depth 4 searchmoves a2a3 h2h3", Duration::ZERO)?;
        match &search.best.best {
            Some(best) if ["a2a3", "h2h3"].contains(&best.to_string().as_str()) => fine(),
            _ => Err(Objection::warn("bestmove a2a3 or h2h3", search.shown())),
        }
    },
};

pub(super) const REPEATABLE: Check = Check {
    name: "repeatable",
    about: "the same go nodes after ucinewgame visits the same nodes with one thread",
    why: "what cannot be repeated cannot be debugged, and bench signatures depend on it",
    run: |dialogue| {
        let Some(threads) = dialogue.option("Threads").map(|option| option.name.clone()) else {
            return skipped("there is no option Threads");
        };
        dialogue.set(&threads, "1")?;
        let mut seen: Option<(Option<u64>, Search)> = None;
        for _ in 0..3 {
            dialogue.send("ucinewgame")?;
            let search = dialogue.search(&middlegame(), "go nodes 10000", ms(2000))?;
            let nodes = search.infos.iter().rev().find_map(|(info, _)| info.nodes);
            match &seen {
                Some((first, earlier)) if *first != nodes || earlier.best != search.best => {
                    let found = [earlier.shown(), search.shown()].concat();
                    return Err(Objection::warn("the same nodes and the same move each time", found));
                }
                _ => seen = Some((nodes, search)),
            }
        }
        match seen.and_then(|(nodes, _)| nodes) {
            Some(nodes) => fine_with(format!("3 × {nodes} nodes")),
            None => skipped("it does not tell its nodes"),
        }
    },
};

pub(super) const MULTI_PV: Check = Check {
    name: "multipv",
    about: "MultiPV 3 gives three lines with different first moves",
    why: "analysis boards show them side by side",
    run: |dialogue| {
        let Some(name) = dialogue.option("MultiPV").map(|option| option.name.clone()) else {
            return skipped("MultiPV is not offered");
        };
        dialogue.set(&name, "3")?;
        let search = dialogue.search(&middlegame(), "go depth 5", ms(2000))?;
        let last = |number: u32| {
            let lines = search.infos.iter().rev();
            lines.into_iter().find(|(info, _)| info.multi_pv == Some(number) && !info.pv.is_empty())
        };
        let lines: Vec<_> = (1..=3).filter_map(last).collect();
        let found = || search.shown().into_iter().chain(lines.iter().map(|(_, line)| format!("< {line}"))).collect();
        if lines.len() < 3 {
            return Err(Objection::fail("reports with multipv 1, 2 and 3", found()));
        }
        let first = |index: usize| lines[index].0.pv.first();
        if first(0) == first(1) || first(1) == first(2) || first(0) == first(2) {
            return Err(Objection::fail("three different first moves", found()));
        }
        fine()
    },
};
