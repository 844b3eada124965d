//! A player on the command line: `stockfish,name=strong,tc=1+0.01,option.Hash=16`.

use std::env;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use kiebitz_tournament::TimeControl;
use kiebitz_tournament::runner::Contestant;
use kiebitz_uci::EngineCommand;

/// Where Debian puts games; not everybody's PATH leads there.
const DEBIAN_GAMES: &str = "/usr/games";

/// What every player has unless its own text says something else.
#[derive(Clone, Default)]
pub(crate) struct Defaults {
    /// The limits of thinking, in the words of a [`TimeControl`].
    pub(crate) limits: Vec<String>,
    /// What may be overstepped.
    pub(crate) margin: Option<Duration>,
    /// Options for everybody.
    pub(crate) options: Vec<(String, Option<String>)>,
    pub(crate) ponder: bool,
    pub(crate) restart: bool,
}

/// Reads a player.
pub(crate) fn contestant(text: &str, defaults: &Defaults) -> Result<Contestant> {
    read(text, defaults).with_context(|| format!("--engine {text}"))
}

fn read(text: &str, defaults: &Defaults) -> Result<Contestant> {
    let mut parts = split(text).into_iter();
    let program = parts.next().filter(|program| !program.is_empty()).context("no program is named")?;
    let mut command = EngineCommand::new(find_program(&program)?);
    command.options.clone_from(&defaults.options);
    let (mut ponder, mut restart) = (defaults.ponder, defaults.restart);
    let (mut limits, mut margin, mut odds) = (Vec::new(), defaults.margin, 1.0);
    for part in parts {
        let (key, value) = part.split_once('=').unwrap_or((&part, ""));
        match key {
            "name" => command.label = Some(value.to_owned()),
            "tc" | "st" | "movetime" | "nodes" | "depth" => limits.push(part.clone()),
            "margin" => margin = Some(read_margin(value)?),
            "odds" => odds = read_odds(value)?,
            "arg" => command.arguments.push(value.to_owned()),
            "dir" => command.folder = Some(PathBuf::from(value)),
            "ponder" => ponder = read_switch(key, value)?,
            "restart" => restart = read_switch(key, value)?,
            _ => match key.split_once('.') {
                Some(("option", name)) if !name.is_empty() => {
                    command.options.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
                    let value = part.contains('=').then(|| value.to_owned());
                    command.options.push((name.to_owned(), value));
                }
                Some(("env", name)) if !name.is_empty() => {
                    command.environment.push((name.to_owned(), value.to_owned()));
                }
                _ => bail!(
                    "'{part}' is none of name, tc, movetime, nodes, depth, margin, odds, arg, dir, ponder, restart, \
                     option.NAME and env.NAME"
                ),
            },
        }
    }
    let limits = if limits.is_empty() { &defaults.limits } else { &limits };
    ensure!(!limits.is_empty(), "no limit: give --tc, --nodes, --depth or --movetime, for all or behind the engine");
    let mut control: TimeControl = limits.join(" ").parse()?;
    control = control.scaled(odds);
    control.margin = margin.unwrap_or(control.margin);
    let mut contestant = Contestant::new(command, control);
    contestant.ponder = ponder;
    contestant.restart = restart;
    Ok(contestant)
}

/// Splits at commas; `\,` is a comma.
fn split(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let last = parts.len() - 1;
        match letter {
            '\\' if letters.peek() == Some(&',') => {
                letters.next();
                parts[last].push(',');
            }
            ',' => parts.push(String::new()),
            other => parts[last].push(other),
        }
    }
    parts
}

/// Milliseconds, or anything a time control understands.
pub(crate) fn read_margin(text: &str) -> Result<Duration> {
    let bare = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.is_empty();
    let unit = if bare { "ms" } else { "" };
    let control: TimeControl = format!("inf margin={text}{unit}").parse().with_context(|| format!("margin {text}"))?;
    Ok(control.margin)
}

fn read_odds(text: &str) -> Result<f64> {
    let odds: f64 = text.parse().with_context(|| format!("odds={text} is not a number"))?;
    ensure!(odds.is_finite() && odds > 0.0, "odds={text}: all times are multiplied by it, so it must be above zero");
    Ok(odds)
}

fn read_switch(key: &str, value: &str) -> Result<bool> {
    match value {
        "" | "on" | "true" | "yes" => Ok(true),
        "off" | "false" | "no" => Ok(false),
        _ => bail!("{key}={value}: expected on or off"),
    }
}

/// A program by path, or by name in PATH and where Debian puts games.
pub(crate) fn find_program(name: &str) -> Result<PathBuf> {
    let path = PathBuf::from(name);
    if path.components().count() > 1 {
        ensure!(path.is_file(), "there is no program {name}");
        return Ok(std::path::absolute(path)?);
    }
    let folders = env::var_os("PATH").unwrap_or_default();
    let mut places = env::split_paths(&folders).chain([PathBuf::from(DEBIAN_GAMES)]);
    let found = places.find_map(|folder| Some(folder.join(name)).filter(|path| path.is_file()));
    found.with_context(|| format!("there is no program '{name}' in PATH; give a path such as ./{name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn defaults() -> Defaults {
        Defaults { limits: vec!["tc=1+0.01".into()], ..Defaults::default() }
    }

    #[test]
    fn everything_about_a_player_fits_into_one_text() {
        let text =
            "/bin/sh,name=x,nodes=5000,option.Hash=16,option.Clear Hash,arg=-c,arg=a\\,b,env.A=b=c,restart,margin=20";
        let player = contestant(text, &defaults()).unwrap();
        assert_eq!(player.name, "x");
        assert_eq!(player.command.program, PathBuf::from("/bin/sh"));
        assert_eq!(player.command.arguments, ["-c", "a,b"]);
        assert_eq!(player.command.environment, [("A".to_owned(), "b=c".to_owned())]);
        let options = [("Hash".to_owned(), Some("16".to_owned())), ("Clear Hash".to_owned(), None)];
        assert_eq!(player.command.options, options);
        assert_eq!(player.control.to_string(), "nodes=5000 margin=0.02");
        assert!(player.restart && !player.ponder);
    }

    #[test]
    fn own_limits_replace_the_shared_ones_and_odds_scale_them() {
        assert_eq!(contestant("/bin/sh", &defaults()).unwrap().control.to_string(), "1+0.01");
        assert_eq!(contestant("/bin/sh,odds=0.5", &defaults()).unwrap().control.to_string(), "0.5+0.005");
        assert_eq!(contestant("/bin/sh,st=0.2", &defaults()).unwrap().control.to_string(), "movetime=0.2");
        let shared = Defaults { options: vec![("Hash".into(), Some("8".into()))], ..defaults() };
        let player = contestant("/bin/sh,option.hash=32", &shared).unwrap();
        assert_eq!(player.command.options, [("hash".to_owned(), Some("32".to_owned()))]);
    }

    #[test]
    fn mistakes_are_named() {
        for (text, part) in [
            ("no-such-engine", "no program 'no-such-engine'"),
            ("./no/such/engine", "no program"),
            ("/bin/sh,hue=red", "'hue=red' is none of"),
            ("/bin/sh,tc=fast", "time control"),
            ("/bin/sh,odds=-1", "above zero"),
            ("/bin/sh,ponder=maybe", "on or off"),
            ("", "no program is named"),
        ] {
            let error = format!("{:#}", contestant(text, &defaults()).expect_err(text));
            assert!(error.contains(part), "{text}: {error}");
        }
        let error = format!("{:#}", contestant("/bin/sh", &Defaults::default()).unwrap_err());
        assert!(error.contains("no limit"), "{error}");
    }
}
