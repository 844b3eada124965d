//! Whole files of games or samples into one output, so that an interrupted job goes on where it was.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use kiebitz_pgn::{Source, SourceError, SourceProblem};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use thiserror::Error;

use crate::{
    Chain, Counts, DatasetError, Description, Filter, Format, ImportReport, ImportRules, ManifestFile, PartFate,
    PartLimit, Parts, Removals, import_from,
};

/// Where an intake's chains go.
#[derive(Clone, Debug)]
pub struct IntakeOutput<'a> {
    /// The file.
    pub path: &'a Path,
    /// Its format.
    pub format: Format,
    /// What it says about itself.
    pub description: Description,
    /// When a part of it is full.
    pub limit: PartLimit,
    /// What becomes of the parts.
    pub fate: PartFate,
}

/// How far an intake has come.
#[derive(Clone, Copy, Debug)]
pub struct IntakeProgress<'a> {
    /// The file that is being read.
    pub file: &'a Path,
    /// Bytes of it that were read.
    pub consumed: u64,
    /// Bytes that it has, where that is known.
    pub size: u64,
    /// What was taken from all files so far.
    pub counts: Counts,
}

/// Why an intake came to no end.
#[derive(Debug, Error)]
pub enum IntakeError {
    /// A file of samples cannot be read, or the output not be written.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// A file of games cannot be read.
    #[error(transparent)]
    Games(#[from] SourceError),
    /// Somebody asked to stop; finished parts stay.
    #[error("stopped; the same job goes on where it was")]
    Stopped,
}

/// What becomes of samples on their way.
#[derive(Clone, PartialEq, Debug)]
pub struct ConversionRules {
    /// Which samples are welcome.
    pub filter: Filter,
    /// What every score is multiplied with; scores that leave their range become its ends.
    pub score_factor: f64,
    /// The conversion ends behind the chain that reaches so many samples.
    pub most_samples: Option<u64>,
}

impl Default for ConversionRules {
    fn default() -> Self {
        Self { filter: Filter::default(), score_factor: 1.0, most_samples: None }
    }
}

impl ConversionRules {
    fn apply(&self, chain: &mut Chain, removed: &mut Removals) {
        if self.score_factor != 1.0 {
            for score in chain.links.iter_mut().filter_map(|link| link.score.as_mut()) {
                *score = (f64::from(*score) * self.score_factor).round() as i16;
            }
        }
        if self.filter != Filter::default() {
            self.filter.apply(chain, removed);
        }
    }
}

/// What an intake of samples gave.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ConversionReport {
    /// What was taken.
    #[serde(flatten)]
    pub counts: Counts,
    /// How many positions were removed, and why.
    pub removed: Removals,
    /// Files that were cut off, with what was said of them.
    pub cut_off: Vec<String>,
}

/// The state of an import behind its last finished part.
#[derive(Default, Serialize, Deserialize)]
struct ImportState {
    files: usize,
    chunks: u64,
    report: ImportReport,
}

/// The files of a job with their sizes, so that a changed input is not taken for the old one.
#[must_use]
pub fn inputs_with_sizes(paths: &[PathBuf]) -> Value {
    let size = |path: &PathBuf| std::fs::metadata(path).map_or(0, |data| data.len());
    json!(paths.iter().map(|path| (path.display().to_string(), size(path))).collect::<Vec<_>>())
}

/// Imports files of games by rules; compressed files that are cut off as far as they go. With `most_samples` it ends behind the chunk of games that reaches so many; `watch` may stop it.
///
/// # Errors
///
/// When a file cannot be read, the disk is full, or `watch` stops it.
pub fn import_files(
    files: &[PathBuf],
    rules: &ImportRules,
    output: &IntakeOutput<'_>,
    threads: NonZeroUsize,
    most_samples: Option<u64>,
    watch: &mut dyn FnMut(IntakeProgress<'_>) -> ControlFlow<()>,
) -> Result<(ImportReport, Vec<ManifestFile>), IntakeError> {
    let job = json!({
        "files": inputs_with_sizes(files),
        "rules": rules,
        "part": [output.limit.bytes, output.limit.samples],
        "most": most_samples,
    });
    let mut parts = Parts::open(output.format, output.path, &output.description, output.limit, output.fate, job)?;
    let mut reached: ImportState = serde_json::from_value(parts.note().clone()).unwrap_or_default();
    let mut units = parts.consumed();
    let is_enough = |report: &ImportReport| most_samples.is_some_and(|most| report.counts.samples >= most);
    for (number, file) in files.iter().enumerate().skip(reached.files) {
        if is_enough(&reached.report) {
            break;
        }
        let source = Source::open(file)?;
        let (consumed, size) = (source.consumed(), source.size().unwrap_or(0));
        let mut outcome = Ok(());
        let result = import_from(source, reached.chunks, rules, threads, |found, chains| {
            reached.report.add(&found);
            reached.chunks += 1;
            units += 1;
            outcome = parts
                .write_encoded(&chains)
                .and_then(|()| parts.unit_done(units, || json!(reached)))
                .map_err(IntakeError::from);
            let (consumed, counts) = (consumed.load(Ordering::Relaxed), reached.report.counts);
            if outcome.is_ok() && watch(IntakeProgress { file, consumed, size, counts }).is_break() {
                outcome = Err(IntakeError::Stopped);
            }
            if outcome.is_ok() && !is_enough(&reached.report) {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        outcome?;
        match result {
            Err(error) if error.problem == SourceProblem::Decompress => reached.report.cut_off.push(error.to_string()),
            other => other?,
        }
        (reached.files, reached.chunks) = (number + 1, 0);
    }
    let counts = reached.report.counts;
    Ok((reached.report, finish(parts, output, counts, watch)?))
}

/// Takes the samples of files of any format that the rules welcome. Files that are cut off are used as far as they go.
///
/// # Errors
///
/// When a file is damaged or of another format, the disk is full, or `watch` stops it.
pub fn convert_files(
    files: &[(PathBuf, Format)],
    rules: &ConversionRules,
    output: &IntakeOutput<'_>,
    watch: &mut dyn FnMut(IntakeProgress<'_>) -> ControlFlow<()>,
) -> Result<(ConversionReport, Vec<ManifestFile>), IntakeError> {
    let paths: Vec<PathBuf> = files.iter().map(|(path, _)| path.clone()).collect();
    let job = json!({
        "files": inputs_with_sizes(&paths),
        "filter": rules.filter,
        "score_factor": rules.score_factor,
        "part": [output.limit.bytes, output.limit.samples],
        "most": rules.most_samples,
    });
    let mut parts = Parts::open(output.format, output.path, &output.description, output.limit, output.fate, job)?;
    let mut report: ConversionReport = serde_json::from_value(parts.note().clone()).unwrap_or_default();
    let (before, mut number) = (parts.consumed(), 0);
    report.cut_off.clear();
    for (file, format) in files {
        let mut source = format.open(file)?;
        let size = std::fs::metadata(file).map_or(0, |data| data.len());
        let mut chain = Chain::default();
        while rules.most_samples.is_none_or(|most| report.counts.samples < most) {
            match source.next_chain(&mut chain) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error @ DatasetError::Truncated { .. }) => {
                    report.cut_off.push(error.to_string());
                    break;
                }
                Err(error) => return Err(error.into()),
            }
            number += 1;
            // What is in finished parts is only passed by, which takes its time as well.
            if number > before {
                rules.apply(&mut chain, &mut report.removed);
                report.counts +=
                    Counts { chains: 1, positions: chain.links.len() as u64, samples: chain.samples() as u64 };
                parts.write(&chain)?;
                parts.unit_done(number, || json!(report))?;
            }
            let progress = IntakeProgress { file, consumed: source.consumed(), size, counts: report.counts };
            if watch(progress).is_break() {
                return Err(IntakeError::Stopped);
            }
        }
    }
    let counts = report.counts;
    Ok((report, finish(parts, output, counts, watch)?))
}

/// Completes the output; joining its parts shows as progress of a file of its name, which nothing stops any more.
fn finish(
    parts: Parts,
    output: &IntakeOutput<'_>,
    counts: Counts,
    watch: &mut dyn FnMut(IntakeProgress<'_>) -> ControlFlow<()>,
) -> Result<Vec<ManifestFile>, DatasetError> {
    parts.finish(|consumed, size| {
        let _ = watch(IntakeProgress { file: output.path, consumed, size, counts });
    })
}
