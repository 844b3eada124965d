//! `kiebitz-lab data`: from games to samples.

mod convert;
mod filter_arguments;
mod import;
mod label;
mod part_arguments;
mod pqr;
mod progress;
mod selfplay;
mod show;
mod shuffle;
mod split;
mod stats;
mod walk;
mod xray;

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Subcommand;
use kiebitz_dataset::{ChainSource, DatasetError, Format};

/// What `kiebitz-lab data` is asked to do.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Make samples from collections of games.
    Import(import::Arguments),
    /// Turn samples from one format into another.
    Convert(convert::Arguments),
    /// Have the engine play itself.
    Selfplay(Box<selfplay::Arguments>),
    /// Walk a few random moves away from games and have a network score where that leads.
    Walk(walk::Arguments),
    /// Have an engine score samples.
    Label(label::Arguments),
    /// Make triplets: a position, the next one, and one that could have been.
    Pqr(pqr::Arguments),
    /// Show samples as boards.
    Show(show::Arguments),
    /// Bring samples into a random order.
    Shuffle(shuffle::Arguments),
    /// Divide samples by game into training and validation.
    Split(split::Arguments),
    /// Say what a set of samples is like.
    Stats(stats::Arguments),
}

/// Does it.
pub(crate) fn run(command: &Command, output: &mut impl Write) -> Result<ExitCode> {
    match command {
        Command::Selfplay(arguments) => return selfplay::run(arguments, output),
        Command::Label(arguments) => return label::run(arguments, output),
        Command::Walk(arguments) => walk::run(arguments, output),
        Command::Pqr(arguments) => pqr::run(arguments, output),
        Command::Import(arguments) => import::run(arguments, output),
        Command::Convert(arguments) => convert::run(arguments, output),
        Command::Show(arguments) => show::run(arguments, output),
        Command::Shuffle(arguments) => shuffle::run(arguments, output),
        Command::Split(arguments) => split::run(arguments, output),
        Command::Stats(arguments) => stats::run(arguments, output),
    }
    .map(|()| ExitCode::SUCCESS)
}

/// The format of a file: as said, or else by its ending.
fn format_of(path: &Path, said: Option<&str>) -> Result<Format> {
    let names = Format::ALL.map(Format::name).join(", ");
    match said {
        Some(name) => Format::named(name).with_context(|| format!("{name:?} is no format; there are {names}")),
        None => Format::of_file(path)
            .with_context(|| format!("the ending of {} says no format; name one of {names}", path.display())),
    }
}

/// Opens a file for reading.
fn open(path: &Path, said: Option<&str>) -> Result<Box<dyn ChainSource + Send>> {
    Ok(format_of(path, said)?.open(path)?)
}

/// A file that ends too early is used as far as it goes, with a word about it; everything else is an error.
fn forgive_truncation(result: Result<(), DatasetError>, output: &mut impl Write) -> Result<()> {
    match result {
        Err(error @ DatasetError::Truncated { .. }) => Ok(writeln!(output, "warning: {error}")?),
        other => Ok(other?),
    }
}

/// A reason for leaving something out, as the JSON reports name it.
fn reason_name(reason: &impl serde::Serialize) -> String {
    serde_json::to_value(reason).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_found_by_name_or_ending() {
        assert_eq!(format_of(Path::new("a.kbz"), None).unwrap(), Format::Kiebitz);
        assert_eq!(format_of(Path::new("a.BF"), None).unwrap(), Format::Bulletformat);
        assert_eq!(format_of(Path::new("a.kbz"), Some("plain")).unwrap(), Format::Plain);
        assert!(format_of(Path::new("a.data"), None).unwrap_err().to_string().contains("binpack"));
        assert!(format_of(Path::new("a.kbz"), Some("zip")).unwrap_err().to_string().contains("no format"));
    }

    #[test]
    fn a_truncated_file_is_a_warning_and_damage_an_error() {
        let file = Path::new("a.kbz").to_owned();
        let mut said = Vec::new();
        forgive_truncation(Err(DatasetError::Truncated { file: file.clone(), at: 7 }), &mut said).unwrap();
        assert!(String::from_utf8(said).unwrap().contains("cut off at byte 7"));
        let damage = DatasetError::Damaged { file, at: 7, reason: "a move".to_owned() };
        assert!(forgive_truncation(Err(damage), &mut Vec::new()).is_err());
    }
}
