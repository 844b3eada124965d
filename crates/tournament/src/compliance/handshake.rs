//! Introduction, readiness, and what an engine should pass over.

use kiebitz_uci::{EngineMessage, Id, OptionKind};

use super::asked::Asked;
use super::dialogue::Dialogue;
use super::{Check, Objection, Outcome, fine, fine_with};

pub(super) const INTRODUCTION: Check = Check {
    name: "uci",
    about: "uci is answered with id name, id author and uciok",
    why: "interfaces wait for uciok before anything else and show the engine under its name",
    run: |dialogue| {
        let has = |wanted: fn(&Id) -> bool| {
            dialogue
                .introduction
                .iter()
                .any(|line| matches!(EngineMessage::parse(line).message, Some(EngineMessage::Id(id)) if wanted(&id)))
        };
        let named = has(|id| matches!(id, Id::Name(name) if !name.is_empty()));
        let signed = has(|id| matches!(id, Id::Author(author) if !author.is_empty()));
        let missing = match (named, signed) {
            (true, true) => return fine_with(dialogue.name().unwrap_or_default()),
            (false, _) => "a line 'id name …' before uciok",
            (true, false) => "a line 'id author …' before uciok",
        };
        let lines = dialogue.introduction.iter().filter(|line| !line.starts_with("option"));
        Err(Objection::fail(missing, lines.map(|line| format!("< {line}")).collect()))
    },
};

pub(super) const OPTION_LINES: Check = Check {
    name: "option-lines",
    about: "every option line is well formed, its default allowed, its name unique",
    why: "interfaces build their dialogues from these lines and match runners check values against them",
    run: option_lines,
};

fn option_lines(dialogue: &mut Dialogue) -> Outcome {
    let mut wrong = Vec::new();
    let mut names: Vec<String> = Vec::new();
    for line in dialogue.introduction.iter().filter(|line| line.trim_start().starts_with("option")) {
        let parsed = EngineMessage::parse(line);
        let mut problems: Vec<String> = parsed.complaints.iter().map(ToString::to_string).collect();
        if let Some(EngineMessage::Option(option)) = parsed.message {
            let name = option.name.to_ascii_lowercase();
            if names.contains(&name) {
                problems.push("the name was used before".into());
            }
            if let OptionKind::Spin { range, .. } = option.kind
                && range.is_empty()
            {
                problems.push("min is above max".into());
            }
            names.push(name);
        }
        if !problems.is_empty() {
            wrong.push(format!("< {line}"));
            wrong.extend(problems);
        }
    }
    if wrong.is_empty() {
        return fine_with(format!("{} options", names.len()));
    }
    Err(Objection::fail("option name … type check|spin|combo|button|string default … [min … max …] [var …]", wrong))
}

pub(super) const OBLIGATORY_OPTIONS: Check = Check {
    name: "hash-and-threads",
    about: "the options Hash and Threads exist and are integers",
    why: "every match runner and test framework sets both; without them games are not comparable",
    run: |dialogue| {
        let is_spin =
            |name: &&str| dialogue.option(name).is_some_and(|option| matches!(option.kind, OptionKind::Spin { .. }));
        let missing: Vec<String> = ["Hash", "Threads"]
            .iter()
            .filter(|name| !is_spin(name))
            .map(|name| format!("no line 'option name {name} type spin …'"))
            .collect();
        if missing.is_empty() { fine() } else { Err(Objection::fail("the options Hash and Threads", missing)) }
    },
};

pub(super) const READY: Check = Check {
    name: "isready",
    about: "isready is answered when idle",
    why: "it is how everybody waits until an engine has done what it was told",
    run: |dialogue| {
        dialogue.ready()?;
        let time = dialogue.ready()?;
        fine_with(format!("{:.1} ms", time.as_secs_f64() * 1e3))
    },
};

pub(super) const READY_SEARCHING: Check = Check {
    name: "isready-searching",
    about: "isready is answered during a search, and the search goes on",
    why: "interfaces find out so whether an engine still lives; one that does not read while searching cannot be stopped",
    run: |dialogue| {
        dialogue.go(&Asked::start(), "go infinite")?;
        dialogue.ready()?;
        if !dialogue.is_searching() {
            return Err(dialogue.objection("readyok without the end of the search"));
        }
        dialogue.stays_silent("stop")?;
        dialogue.send("stop")?;
        dialogue.answer(std::time::Duration::ZERO)?;
        fine()
    },
};

pub(super) const UNKNOWN_COMMANDS: Check = Check {
    name: "unknown-commands",
    about: "unknown commands and empty lines are ignored",
    why: "protocol extensions and typing errors must not end a game",
    run: |dialogue| {
        for line in ["xyzzy", "", "   ", "position", "setoption", "go_away 1 2 3", "register later", "debug off"] {
            dialogue.send(line)?;
        }
        dialogue.ready()?;
        fine()
    },
};

pub(super) const WHITE_SPACE: Check = Check {
    name: "white-space",
    about: "any white space between words, and CRLF at the end of lines",
    why: "the specification allows it, and Windows programs send it",
    run: |dialogue| {
        dialogue.ready_as("  isready \t\r")?;
        let asked = Asked::command("position \t startpos   moves  e2e4\t e7e5 \r");
        let search = dialogue.search(&asked, " go \t depth   2 \r", std::time::Duration::ZERO)?;
        let legal = search.best.best.as_ref().is_some_and(|best| best.resolve(&asked.position).is_ok());
        if legal { fine() } else { Err(Objection::fail("a move that is legal after 1. e4 e5", search.shown())) }
    },
};

pub(super) const STOP_IDLE: Check = Check {
    name: "stop-idle",
    about: "stop and ponderhit without a search are ignored",
    why: "they cross with a bestmove on the way; a second bestmove would be taken for the next move",
    run: |dialogue| {
        let strays = dialogue.strays.len();
        for line in ["stop", "stop", "ponderhit"] {
            dialogue.send(line)?;
        }
        dialogue.ready()?;
        dialogue.wait(dialogue.patience.silence)?;
        if dialogue.strays.len() > strays {
            return Err(dialogue.objection("no bestmove without a search"));
        }
        fine()
    },
};

pub(super) const NEW_GAME: Check = Check {
    name: "ucinewgame",
    about: "ucinewgame, then isready, then a search",
    why: "every game begins so",
    run: |dialogue| {
        for _ in 0..2 {
            dialogue.send("ucinewgame")?;
            dialogue.ready()?;
            dialogue.search(&Asked::start(), "go depth 2", std::time::Duration::ZERO)?;
        }
        fine()
    },
};
