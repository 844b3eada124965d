//! Does the engine survive its own options, bad positions, and end when told?

use kiebitz_uci::Exit;

use super::asked::Asked;
use super::dialogue::Dialogue;
use super::{Check, Objection, Outcome, fine, fine_with, skipped};

/// Largest size of a table that is tried, in megabytes.
const LARGEST_TABLE: i64 = 64;

/// Whether the option decides how much memory is taken.
fn takes_memory(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["hash", "cache", "memory", "ram"].iter().any(|word| name.contains(word))
}

/// Whether the option decides how many threads are started.
fn takes_threads(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["thread", "cores", "workers"].iter().any(|word| name.contains(word))
}

pub(super) const SPIN_LIMITS: Check = Check {
    name: "spin-limits",
    about: "every integer option can be set to its smallest and largest value",
    why: "the range is a promise; tuning programs go to its ends",
    run: |dialogue| {
        let spins = dialogue.spins();
        for (name, default, min, max) in &spins {
            dialogue.set(name, &min.to_string())?;
            dialogue.ready()?;
            // No machine should be filled up by a check.
            if !takes_threads(name) {
                let max = if takes_memory(name) { (*max).min(LARGEST_TABLE.max(*min)) } else { *max };
                dialogue.set(name, &max.to_string())?;
                dialogue.ready()?;
            }
            dialogue.set(name, &default.to_string())?;
            dialogue.ready()?;
        }
        searches_on(dialogue)?;
        fine_with(format!("{} options; tables up to {LARGEST_TABLE} MB, threads at the smallest number", spins.len()))
    },
};

pub(super) const SPIN_BEYOND: Check = Check {
    name: "spin-out-of-range",
    about: "values outside the range of an integer option do no harm",
    why: "users and tuning programs try them",
    run: |dialogue| {
        for (name, default, min, max) in dialogue.spins() {
            let mut values = vec![min.saturating_sub(1).to_string()];
            // An engine that takes the nearest allowed value would fill the machine.
            if !takes_memory(&name) && !takes_threads(&name) {
                values.extend([max.saturating_add(1).to_string(), "99999999999999999999".to_owned()]);
            }
            for value in values {
                dialogue.set(&name, &value)?;
                dialogue.ready()?;
            }
            dialogue.set(&name, &default.to_string())?;
            dialogue.ready()?;
        }
        searches_on(dialogue)
    },
};

pub(super) const SPIN_TEXT: Check = Check {
    name: "spin-text",
    about: "texts instead of integers do not kill it",
    why: "a typing error in a configuration should give a message, not a crash",
    run: |dialogue| {
        let Some((name, default, ..)) = dialogue.spins().into_iter().next() else {
            return skipped("there is no integer option");
        };
        for value in ["abc", "1.5", ""] {
            dialogue.set(&name, value).and_then(|()| dialogue.ready()).map_err(Objection::softened)?;
        }
        dialogue.set(&name, &default.to_string())?;
        searches_on(dialogue)
    },
};

pub(super) const UNKNOWN_OPTION: Check = Check {
    name: "unknown-option",
    about: "options the engine does not have are ignored",
    why: "match runners set the same options for everybody",
    run: |dialogue| {
        for line in ["setoption name No Such Option value 1", "setoption name Another", "setoption value 3"] {
            dialogue.send(line)?;
            dialogue.ready()?;
        }
        searches_on(dialogue)
    },
};

/// The engine must still play.
fn searches_on(dialogue: &mut Dialogue) -> Outcome {
    dialogue.search(&Asked::start(), "go depth 2", std::time::Duration::ZERO)?;
    fine()
}

/// Descriptions that describe nothing.
const BAD_FENS: [&str; 6] = [
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "this is no position",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w - - 0 1",
    "rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR/8/8 w KQkq - 0 1",
    "Pnbqkbnr/1ppppppp/8/8/8/8/PPPPPPP1/RNBQKBNp w - - 0 1",
];

pub(super) const BAD_FEN: Check = Check {
    name: "bad-fen",
    about: "positions without kings, with wrong letters or no sense at all do not kill it",
    why: "a typing error should not end the program, though the specification does not promise that",
    run: |dialogue| {
        dialogue.use_up();
        let mut killers = Vec::new();
        for fen in BAD_FENS {
            let command = format!("position fen {fen}");
            if let Err(objection) = dialogue.send(&command).and_then(|()| dialogue.ready()) {
                killers.push(format!("> {command}"));
                killers.extend(objection.found.into_iter().filter(|line| !line.starts_with(['<', '>'])));
                dialogue.restart()?;
                dialogue.use_up();
            }
        }
        if killers.is_empty() {
            return searches_on(dialogue);
        }
        Err(Objection::warn("readyok after each of them", killers))
    },
};

/// Judges the end of a program.
fn ended(dialogue: &Dialogue, exit: Option<Exit>) -> Outcome {
    let limit = dialogue.patience.quit;
    match exit {
        Some(Exit::Code(0)) => fine(),
        Some(exit) => {
            let mut objection = dialogue.objection("exit code 0").softened();
            objection.found.push(format!("it ended with {exit}"));
            Err(objection)
        }
        None => {
            let mut objection = dialogue.objection(format!("the end of the program within {limit:?}"));
            objection.found.push("it still ran and was killed".into());
            Err(objection)
        }
    }
}

pub(super) const END_OF_INPUT: Check = Check {
    name: "end-of-input",
    about: "the end of its input ends the program",
    why: "when an interface crashes, its engines must not stay behind and burn the processor",
    run: |dialogue| {
        let exit = dialogue.ends_without_input();
        ended(dialogue, exit)
    },
};

pub(super) const QUIT: Check = Check {
    name: "quit",
    about: "quit ends the program",
    why: "an engine that has to be killed may lose what it wanted to save",
    run: |dialogue| {
        dialogue.send("quit")?;
        let exit = dialogue.ends();
        ended(dialogue, exit)
    },
};

pub(super) const QUIT_SEARCHING: Check = Check {
    name: "quit-searching",
    about: "quit ends the program during a search",
    why: "tournaments are interrupted in the middle of games",
    run: |dialogue| {
        dialogue.go(&Asked::start(), "go infinite")?;
        dialogue.stays_silent("quit")?;
        dialogue.send("quit")?;
        let exit = dialogue.ends();
        ended(dialogue, exit)
    },
};
