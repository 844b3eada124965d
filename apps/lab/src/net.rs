//! `kiebitz-lab net`: look at networks, check them, convert them, ask them.

mod bench;
mod convert;
mod describe;
mod eval;
mod info;
mod loss;
mod verify;

use std::io::{Read, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::Subcommand;
use kiebitz_network::NetworkFile;

/// What `kiebitz-lab net` is asked to do.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Say what a network file is.
    Info(info::Arguments),
    /// Explain a network layer by layer.
    Describe(describe::Arguments),
    /// Prove that no integer of a network can overflow, and check the stored certificate.
    Verify(verify::Arguments),
    /// Write a network in another format.
    Convert(convert::Arguments),
    /// Evaluate positions.
    Eval(eval::Arguments),
    /// Measure the loss of a network's integers on samples.
    Loss(loss::Arguments),
    /// Measure how fast a network is on this machine.
    Bench(bench::Arguments),
}

/// Does it.
pub(crate) fn run(command: &Command, output: &mut impl Write) -> Result<ExitCode> {
    match command {
        Command::Info(arguments) => info::run(arguments, output)?,
        Command::Describe(arguments) => describe::run(arguments, output)?,
        Command::Verify(arguments) => return verify::run(arguments, output),
        Command::Convert(arguments) => convert::run(arguments, output)?,
        Command::Loss(arguments) => loss::run(arguments, output)?,
        Command::Bench(arguments) => bench::run(arguments, output)?,
        Command::Eval(arguments) => return eval::run(arguments, output),
    }
    Ok(ExitCode::SUCCESS)
}

/// Nothing larger is unpacked: a small file can pretend to hold anything.
const LARGEST_UNPACKED: u64 = 1 << 30;

/// Reads a network of any known format; `.zst` files are unpacked first.
pub(crate) fn read(path: &Path) -> Result<NetworkFile> {
    let shown = path.display();
    if path.extension().is_some_and(|extension| extension == "zst") {
        let packed = std::fs::File::open(path).with_context(|| shown.to_string())?;
        let mut bytes = Vec::new();
        let unpacked =
            zstd::Decoder::new(packed).and_then(|decoder| decoder.take(LARGEST_UNPACKED + 1).read_to_end(&mut bytes));
        unpacked.with_context(|| format!("{shown} cannot be unpacked"))?;
        ensure!(bytes.len() as u64 <= LARGEST_UNPACKED, "{shown} holds more than {} MiB", LARGEST_UNPACKED >> 20);
        return NetworkFile::from_named_bytes(path, &bytes).with_context(|| shown.to_string());
    }
    NetworkFile::read(path).with_context(|| shown.to_string())
}

/// What the lines of `info` and `describe` call a number of bytes.
fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}
