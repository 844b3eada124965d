//! `kiebitz-lab net info`: what is this file?

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use kiebitz_network::{Certificate, checksum};
use serde::Serialize;

/// Which file.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A network: ours, or Stockfish's .nnue; .zst files are unpacked.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Report as JSON.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Exit code: 0, or 1 if the file is no network.

Examples:
  kiebitz-lab net info nn-62ef826d1a6d.nnue
  kiebitz-lab net info --json kiebitz.knet";

/// Nothing is proved here: any bounds can be written into a file.
const AS_STORED: &str = "(as stored; kiebitz-lab net verify proves them again)";

#[derive(Serialize)]
struct Report {
    file: String,
    bytes: u64,
    sha256: String,
    spec: String,
    features: u32,
    width: usize,
    buckets: usize,
    parameters: u64,
    description: String,
    licence: String,
    manifest: serde_json::Value,
    certificate: Option<Certificate>,
}

/// Reads the file and tells what it is.
pub(crate) fn run(arguments: &Arguments, output: &mut impl Write) -> Result<()> {
    let file = super::read(&arguments.file)?;
    let bytes = std::fs::read(&arguments.file)?;
    let spec = file.spec();
    let report = Report {
        file: arguments.file.display().to_string(),
        bytes: bytes.len() as u64,
        sha256: checksum(&bytes),
        spec: spec.to_string(),
        features: spec.features().count(),
        width: spec.accumulated().width,
        buckets: spec.buckets.count,
        parameters: spec.parameters(),
        description: file.header.description.clone(),
        licence: file.header.licence.clone(),
        manifest: file.header.manifest.clone(),
        certificate: file.header.certificate.clone(),
    };
    if arguments.json {
        serde_json::to_writer_pretty(&mut *output, &report).map_err(io::Error::from)?;
        writeln!(output)?;
        return Ok(());
    }
    writeln!(output, "{}: {}, {} parameters", report.file, super::megabytes(report.bytes), report.parameters)?;
    writeln!(output, "sha256 {}\n", report.sha256)?;
    write!(output, "{}", report.spec)?;
    let or_none = |text: &str| if text.is_empty() { "none stated".to_owned() } else { text.replace('\n', " ") };
    writeln!(output, "\ndescription: {}", or_none(&report.description))?;
    writeln!(output, "licence: {}", or_none(&report.licence))?;
    writeln!(output, "manifest: {}", report.manifest)?;
    match &report.certificate {
        None => writeln!(output, "certificate: none stored (see kiebitz-lab net verify)")?,
        Some(certificate) => match certificate.unproved().count() {
            0 => writeln!(output, "certificate: {} steps, all proved {AS_STORED}", certificate.bounds.len())?,
            open => writeln!(output, "certificate: {} steps, {open} not proved {AS_STORED}", certificate.bounds.len())?,
        },
    }
    Ok(())
}
