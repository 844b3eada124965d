//! What must not change between the runs of one match.
//!
//! Kept as `match.json` in the match's folder: every setting that results depend on, with fingerprints of the engines'
//! programs and of the book, so that a rebuilt engine is noticed. What results do not depend on (concurrency, processors,
//! where PGN goes) may change, and a match whose games are known beforehand may become longer.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::check::{MatchError, wrong};
use super::plan::StopRule;
use super::settings::{Contestant, MatchSettings};
use crate::pairing::Format;

/// The settings by name, as text.
pub(super) type Identity = BTreeMap<String, String>;

/// The version of the folder's format.
const VERSION: &str = "1";
/// The one setting that may grow.
const TURNS: &str = "turns";

pub(super) fn identity(settings: &MatchSettings, has_oracle: bool) -> Result<Identity, MatchError> {
    let mut identity = Identity::new();
    let mut set = |name: &str, value: String| {
        identity.insert(name.to_owned(), value);
    };
    set("version", VERSION.to_owned());
    for (number, contestant) in settings.contestants.iter().enumerate() {
        set(&format!("player {}", number + 1), describe(contestant)?);
    }
    set("format", format!("{:?}", settings.format));
    set(TURNS, settings.turns.to_string());
    set("legs", settings.legs.count().to_string());
    set("seed", settings.seed.to_string());
    let openings = &settings.openings;
    set("book", openings.book.as_deref().map_or_else(|| Ok("none".to_owned()), fingerprint)?);
    set("book plies", format!("{:?}", openings.plies));
    set("book order", format!("{}, skipping {}", if openings.in_order { "file" } else { "drawn" }, openings.skip));
    set("adjudication", format!("{:?}", settings.adjudication));
    let stop_rule = match &settings.stop_rule {
        None => "none".to_owned(),
        Some(StopRule::Sprt(test)) => format!("sprt {test}"),
        Some(StopRule::Race(race)) => format!("{race:?}"),
    };
    set("stop rule", stop_rule);
    set("deterministic", settings.deterministic.to_string());
    set("chess960", settings.chess960.to_string());
    set("losses in stalls", format!("{:?}", settings.excused));
    set("tablebases", if has_oracle { "yes" } else { "no" }.to_owned());
    Ok(identity)
}

fn describe(contestant: &Contestant) -> Result<String, MatchError> {
    let command = &contestant.command;
    // A bare name is looked up by the system, and only the system knows what it finds.
    let is_path = command.program.components().count() > 1;
    let program = if is_path { fingerprint(&command.program)? } else { command.program.display().to_string() };
    Ok(format!(
        "{} = {program} {:?} in {:?} with {:?} and {:?}, {}{}{}",
        contestant.name,
        command.arguments,
        command.folder,
        command.environment,
        command.options,
        contestant.control,
        if contestant.ponder { ", pondering" } else { "" },
        if contestant.restart { ", restarted" } else { "" },
    ))
}

/// A file's name, size and checksum (64-bit FNV-1a: against accidents, not against malice).
fn fingerprint(path: &Path) -> Result<String, MatchError> {
    let bytes = fs::read(path).map_err(|error| MatchError::File { path: path.to_path_buf(), error })?;
    let mix = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325, mix);
    Ok(format!("{} ({} bytes, {hash:016x})", path.display(), bytes.len()))
}

/// Writes the identity of a new match.
pub(super) fn write(path: &Path, identity: &Identity) -> Result<(), MatchError> {
    let fail = |error| MatchError::File { path: path.to_path_buf(), error };
    let text = serde_json::to_string_pretty(identity).map_err(|error| fail(error.into()))?;
    let temporary = path.with_extension("json.part");
    fs::write(&temporary, text + "\n").and_then(|()| fs::rename(&temporary, path)).map_err(fail)
}

/// Compares with the identity of the match that is to go on.
pub(super) fn compare(path: &Path, now: &Identity, format: Format) -> Result<(), MatchError> {
    let fail = |error| MatchError::File { path: path.to_path_buf(), error };
    let text = fs::read_to_string(path).map_err(fail)?;
    let before: Identity = serde_json::from_str(&text).map_err(|error| fail(error.into()))?;
    let may_grow = matches!(format, Format::RoundRobin | Format::Gauntlet { .. });
    for (name, now) in now {
        let then = before.get(name).map_or("nothing", String::as_str);
        let number = |text: &str| text.parse::<u64>().unwrap_or(0);
        if then == now || (name == TURNS && may_grow && number(now) > number(then)) {
            continue;
        }
        return Err(wrong(format!(
            "this match cannot be resumed with other settings: {name} was {then} and is now {now}; \
             begin a new match in another folder"
        )));
    }
    match before.keys().find(|name| !now.contains_key(*name)) {
        None => Ok(()),
        Some(name) => Err(wrong(format!("this match cannot be resumed with other settings: {name} is missing now"))),
    }
}
