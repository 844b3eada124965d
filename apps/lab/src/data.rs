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

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Subcommand;
use kiebitz_dataset::{ChainSource, DatasetError, Format, ManifestFile};

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

/// Refuses a command that would replace what it reads, or write two outputs to one place.
fn keep_apart(inputs: &[PathBuf], outputs: &[&PathBuf]) -> Result<()> {
    // A file that is not there yet has no other name.
    let place = |path: &PathBuf| fs::canonicalize(path).unwrap_or_else(|_| path.clone());
    for (number, output) in outputs.iter().enumerate() {
        if inputs.iter().any(|input| place(input) == place(output)) {
            bail!("{} is an input and would be replaced; choose another name for the output", output.display());
        }
        if outputs[..number].iter().any(|other| place(other) == place(output)) {
            bail!("two outputs would go to {}; give each a name of its own", output.display());
        }
    }
    Ok(())
}

/// Says what was written, and how much a sample takes.
fn print_files(files: &[ManifestFile], output: &mut impl Write) -> Result<()> {
    for ManifestFile { written, counts } in files {
        write!(output, "{}: {} bytes", written.file, written.bytes)?;
        // Where two files hold one set, only the first counts its samples.
        if counts.samples > 0 {
            write!(output, ", {:.3} a sample", written.bytes as f64 / counts.samples as f64)?;
        }
        writeln!(output)?;
    }
    Ok(())
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
    fn what_is_read_is_not_replaced() {
        let place = tempfile::tempdir().unwrap();
        let [input, output] = ["in.kbz", "out.kbz"].map(|name| place.path().join(name));
        fs::write(&input, "").unwrap();
        let inputs = std::slice::from_ref(&input);
        let other_name = place.path().join(".").join("in.kbz");
        keep_apart(inputs, &[&output]).unwrap();
        assert!(keep_apart(inputs, &[&input]).unwrap_err().to_string().contains("is an input"));
        assert!(keep_apart(inputs, &[&output, &other_name]).is_err());
        assert!(keep_apart(inputs, &[&output, &output]).unwrap_err().to_string().contains("two outputs"));
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
