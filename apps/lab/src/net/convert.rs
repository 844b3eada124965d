//! `kiebitz-lab net convert`: one format to another.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use kiebitz_network::bullet::{self, OutputOrder};
use kiebitz_network::{Certificate, NetworkFile, NetworkSpec, checksum, stockfish, write_file};
use serde::Serialize;

/// What to read, and what to write.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A network: ours, Stockfish's .nnue, or with --spec a headerless file of the trainer bullet.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Where to write.
    #[arg(value_name = "OUT")]
    out: PathBuf,
    /// The format to write; by default Stockfish's for a file that ends in .nnue, else our own.
    #[arg(long, value_enum)]
    to: Option<Format>,
    /// A file with the description of a headerless network.
    #[arg(long, value_name = "SPEC")]
    spec: Option<PathBuf>,
    /// In which order the output weights of a headerless file lie; must be stated where there are several output buckets.
    #[arg(long, value_enum)]
    output_order: Option<Order>,
    /// The licence to write down, such as CC0-1.0.
    #[arg(long, value_name = "NAME")]
    licence: Option<String>,
    /// A sentence about the network; replaces that of the file.
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// Report as one JSON object.
    #[arg(long)]
    json: bool,
}

/// What was written.
#[derive(Serialize)]
struct Report {
    file: String,
    format: &'static str,
    bytes: u64,
    sha256: String,
    /// Whether every step is proved not to overflow.
    proved: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Our own format, with a certificate.
    Kiebitz,
    /// Stockfish's .nnue.
    Nnue,
    /// Headerless, as the trainer bullet writes.
    Bullet,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Order {
    /// All weights of a bucket together: files saved with `transpose`.
    Bucket,
    /// All buckets of an input together: what bullet writes by itself.
    Input,
}

const EXAMPLES: &str = "\
Exit code: 0, or 1 if the file cannot be read or the format cannot say what the network is.

Examples:
  kiebitz-lab net convert nn-62ef826d1a6d.nnue stockfish13.knet --licence CC0-1.0
  kiebitz-lab net convert stockfish13.knet back.nnue --to nnue
  kiebitz-lab net convert quantised.bin mine.knet --spec mine.spec --output-order input";

/// Reads, proves, writes.
pub(crate) fn run(arguments: &Arguments, output: &mut impl Write) -> Result<()> {
    let mut file = match &arguments.spec {
        Some(spec) => headerless(&arguments.file, spec, arguments.output_order)?,
        None => super::read(&arguments.file)?,
    };
    if let Some(licence) = &arguments.licence {
        file.header.licence.clone_from(licence);
    }
    if let Some(description) = &arguments.description {
        file.header.description.clone_from(description);
    }
    let is_nnue = arguments.out.extension().is_some_and(|extension| extension == "nnue");
    let format = arguments.to.unwrap_or(if is_nnue { Format::Nnue } else { Format::Kiebitz });
    let bytes = match format {
        Format::Kiebitz => {
            let rounding = file.header.certificate.take().and_then(|stored| stored.rounding);
            file.header.certificate = Some(Certificate { rounding, ..Certificate::new(file.spec(), &file.weights) });
            file.to_bytes()?
        }
        Format::Nnue => stockfish::write(&file)?,
        Format::Bullet => bullet::write(&file, order_of(file.spec(), arguments.output_order)?)?,
    };
    write_file(&arguments.out, &bytes)?;
    let report = Report {
        file: arguments.out.display().to_string(),
        format: match format {
            Format::Kiebitz => "kiebitz",
            Format::Nnue => "nnue",
            Format::Bullet => "bullet",
        },
        bytes: bytes.len() as u64,
        sha256: checksum(&bytes),
        proved: Certificate::new(file.spec(), &file.weights).unproved().count() == 0,
    };
    if arguments.json {
        writeln!(output, "{}", serde_json::to_string_pretty(&report)?)?;
        return Ok(());
    }
    writeln!(output, "{}: {}, sha256 {}", report.file, super::megabytes(report.bytes), report.sha256)?;
    if !report.proved {
        writeln!(output, "not every step is proved: see kiebitz-lab net verify {}", report.file)?;
    }
    Ok(())
}

/// Nothing in a headerless file says in which order the weights of several buckets lie, and in the wrong one they still look like a network.
fn order_of(spec: &NetworkSpec, stated: Option<Order>) -> Result<OutputOrder> {
    match stated {
        Some(Order::Bucket) => Ok(OutputOrder::ByBucket),
        Some(Order::Input) => Ok(OutputOrder::ByInput),
        // With a single bucket both are the same.
        None if spec.buckets.count == 1 => Ok(OutputOrder::ByBucket),
        None => bail!(
            "the network has {} output buckets: say with --output-order in which order their weights lie in the headerless file, 'input' \
             as bullet writes by itself or 'bucket' as it saves with transpose",
            spec.buckets.count
        ),
    }
}

fn headerless(path: &Path, spec: &Path, order: Option<Order>) -> Result<NetworkFile> {
    let text = std::fs::read_to_string(spec).with_context(|| spec.display().to_string())?;
    let spec = NetworkSpec::parse(&text).with_context(|| spec.display().to_string())?;
    let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
    if NetworkFile::from_bytes(&bytes).is_ok() {
        bail!("{} has a header of its own: leave --spec out", path.display());
    }
    bullet::read(&bytes, &spec, order_of(&spec, order)?).with_context(|| path.display().to_string())
}
