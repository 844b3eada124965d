//! `kiebitz-lab net eval`: what does a network say about positions?

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::Args;
use kiebitz_chess::{Color, FenMode, Position};
use kiebitz_inference::{Network, PieceShare, additive_split, removal_effects};
use kiebitz_network::{NetworkFile, reference};
use serde::Serialize;

/// A line was no position.
const EXIT_BROKEN: u8 = 1;

/// Which network, and which positions.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A network: ours, or Stockfish's .nnue; .zst files are unpacked.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// A position; may be given several times.
    #[arg(long, value_name = "FEN")]
    fen: Vec<String>,
    /// A file with one position a line, - for the standard input; text behind a tab is ignored.
    #[arg(long, value_name = "LIST")]
    fens: Option<PathBuf>,
    /// Show what every piece is worth in two ways: its removal effect, which does not sum up, and its share, which does.
    #[arg(long)]
    pieces: bool,
    /// One JSON object a line: fen, raw (internal units) and cp (centipawns), both as White sees them.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
All values are as White sees them. A line that is no position is reported and left out.
Exit code: 0, or 1 if a line is no position or something cannot be read.

Examples:
  kiebitz-lab net eval nn-62ef826d1a6d.nnue --fen \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"
  kiebitz-lab net eval kiebitz.knet --fens positions.fen --json > values.jsonl
  kiebitz-lab net eval kiebitz.knet --pieces --fen \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"";

#[derive(Serialize)]
struct Line<'a> {
    fen: &'a str,
    raw: i32,
    cp: i32,
    bucket: usize,
    /// The parts of `raw` that come from the shortcut and through the layers.
    shortcut: i32,
    positional: i32,
    #[serde(flatten)]
    pieces: Option<Pieces>,
}

/// What the pieces are worth; the tenths of a centipawn of all pieces, the empty board and rounding sum up to ten times `cp`.
#[derive(Serialize)]
struct Pieces {
    pieces: Vec<Worth>,
    empty_tenths: i64,
    rounding_tenths: i64,
}

/// What one piece is worth, as White sees it.
#[derive(Serialize)]
struct Worth {
    square: String,
    piece: String,
    /// The value with it less the value without it, in centipawns; none for kings.
    removal: Option<i32>,
    share_tenths: i64,
}

impl Pieces {
    fn of(network: &Network, position: &Position) -> Self {
        let effects = removal_effects(network, position);
        let split = additive_split(network, position);
        let removal = |square| effects.iter().find(|effect| effect.square == square).map(|found| found.centipawns);
        let worth = |share: &PieceShare| Worth {
            square: share.square.to_string(),
            piece: share.piece.to_string(),
            removal: removal(share.square),
            share_tenths: share.tenths,
        };
        let pieces = split.pieces.iter().map(worth).collect();
        Self { pieces, empty_tenths: split.empty, rounding_tenths: split.rounding }
    }

    fn print(&self, output: &mut impl Write) -> Result<()> {
        writeln!(output, "  piece   removal     share")?;
        let tenths = |tenths: i64| tenths as f64 / 10.0;
        for worth in &self.pieces {
            let removal = worth.removal.map_or_else(|| "-".to_owned(), |removal| format!("{removal:+}"));
            writeln!(
                output,
                "  {} {:<5} {removal:>7} {:>+9.1}",
                worth.piece,
                worth.square,
                tenths(worth.share_tenths)
            )?;
        }
        writeln!(output, "  empty board     {:>+9.1}", tenths(self.empty_tenths))?;
        writeln!(output, "  rounding        {:>+9.1}", tenths(self.rounding_tenths))?;
        Ok(())
    }
}

/// Evaluates and prints.
pub(crate) fn run(arguments: &Arguments, output: &mut impl Write) -> Result<ExitCode> {
    ensure!(
        !arguments.fen.is_empty() || arguments.fens.is_some(),
        "no position was given: name some with --fen \"FEN\" or --fens LIST"
    );
    let file = super::read(&arguments.file)?;
    let network = if arguments.pieces { Some(Network::new(&file)?) } else { None };
    let asked = Asked { file, network, json: arguments.json };
    let mut broken = 0;
    for fen in &arguments.fen {
        broken += asked.evaluate(fen, "--fen", output)?;
    }
    if let Some(path) = &arguments.fens {
        let reader: Box<dyn BufRead> = if path.as_os_str() == "-" {
            Box::new(io::stdin().lock())
        } else {
            Box::new(BufReader::new(File::open(path).with_context(|| path.display().to_string())?))
        };
        for (number, line) in reader.lines().enumerate() {
            let place = format!("{}, line {}", path.display(), number + 1);
            let line = line.with_context(|| place.clone())?;
            let fen = line.split('\t').next().unwrap_or("").trim();
            if !fen.is_empty() {
                broken += asked.evaluate(fen, &place, output)?;
            }
        }
    }
    Ok(if broken == 0 { ExitCode::SUCCESS } else { ExitCode::from(EXIT_BROKEN) })
}

/// Who is asked, and how the answer is told.
struct Asked {
    file: NetworkFile,
    /// There if pieces are to be told as well.
    network: Option<Network>,
    json: bool,
}

impl Asked {
    /// Prints one value; gives 1 if the text is no position, and says where it stands.
    fn evaluate(&self, fen: &str, place: &str, output: &mut impl Write) -> Result<u64> {
        let position = match Position::from_fen(fen, FenMode::Lenient) {
            Ok(position) => position,
            Err(error) => {
                writeln!(io::stderr(), "error: {place}: '{fen}' is no position: {error}")?;
                return Ok(1);
            }
        };
        let spec = self.file.spec();
        let evaluation = reference::evaluate_integers(spec, &self.file.weights, &position);
        let white = |value: i32| if position.side_to_move() == Color::White { value } else { -value };
        let line = Line {
            fen,
            raw: white(evaluation.units),
            cp: white(evaluation.centipawns(spec)),
            bucket: evaluation.bucket,
            shortcut: white(evaluation.shortcut),
            positional: white(evaluation.positional),
            pieces: self.network.as_ref().map(|network| Pieces::of(network, &position)),
        };
        if self.json {
            writeln!(output, "{}", serde_json::to_string(&line)?)?;
        } else {
            writeln!(output, "{:>7} cp {:>7} units  {fen}", line.cp, line.raw)?;
            if let Some(pieces) = &line.pieces {
                pieces.print(output)?;
            }
        }
        Ok(0)
    }
}
