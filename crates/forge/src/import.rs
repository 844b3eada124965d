//! The first stage: games and samples of all inputs become shards.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use kiebitz_dataset::{
    ConversionRules, Counts, Description, Filter, Format, ImportRules, IntakeOutput, ManifestFile, PartFate, PartLimit,
    ShardIndex, WrittenFile, convert_files, import_files,
};
use serde_json::json;

use crate::error::ForgeError;
use crate::forge::{Done, Job};
use crate::stage::{Stage, Workplace};

/// Bytes after which a part of a shard is safe from interruptions.
const PART_BYTES: u64 = 4 << 20;

/// What an input is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Games in PGN.
    Games,
    /// Samples.
    Samples(Format),
}

/// What every input is, by its name.
pub(crate) fn kinds(inputs: &[PathBuf]) -> Result<Vec<Kind>, ForgeError> {
    inputs.iter().map(|path| kind(path)).collect()
}

fn kind(path: &Path) -> Result<Kind, ForgeError> {
    let name = path.to_string_lossy().to_ascii_lowercase();
    if [".pgn", ".pgn.zst", ".pgn.gz", ".pgn.bz2"].iter().any(|ending| name.ends_with(ending)) {
        return Ok(Kind::Games);
    }
    Format::of_file(path).map(Kind::Samples).ok_or_else(|| {
        let endings: Vec<String> =
            Format::ALL.iter().flat_map(|format| format.endings()).map(|ending| format!(".{ending}")).collect();
        ForgeError::UnknownInput { file: path.to_owned(), endings: endings.join(", ") }
    })
}

pub(crate) fn run(job: &mut Job<'_>) -> Result<Done, ForgeError> {
    let settings = job.settings;
    let files = settings.inputs.iter().map(|path| WrittenFile::of(path)).collect::<Result<Vec<_>, _>>()?;
    // What depends on scores waits until all samples have one.
    let filter = Filter {
        max_score: None,
        scored_only: false,
        score_against_result: None,
        ..settings.recipe.data.filter.clone()
    };
    let rules = ImportRules {
        finished_only: true,
        min_plies: 1,
        filter,
        per_game: Some(settings.per_game),
        seed: settings.seed,
        ..ImportRules::default()
    };
    let inputs = json!({ "files": files, "rules": rules, "samples": settings.samples });
    let done = job.stage(Stage::Import, inputs, |job, place| take_in(job, place, &rules))?;
    if done.count("samples") == 0 {
        return Err(ForgeError::NothingLeft("they are empty, or the filter removes everything".to_owned()));
    }
    Ok(done)
}

fn take_in(
    job: &mut Job<'_>,
    place: &Workplace,
    rules: &ImportRules,
) -> Result<(Vec<WrittenFile>, serde_json::Value), ForgeError> {
    let settings = job.settings;
    let mut games = Vec::new();
    let mut samples = Vec::new();
    for (path, kind) in settings.inputs.iter().zip(kinds(&settings.inputs)?) {
        match kind {
            Kind::Games => games.push(path.clone()),
            Kind::Samples(format) => samples.push((path.clone(), format)),
        }
    }
    let names: Vec<String> =
        settings.inputs.iter().filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned())).collect();
    let description = Description {
        score_unit: "centipawns of the games' comments; mates as 32000 less the plies".to_owned(),
        sources: names,
        ..Description::default()
    };
    let limit = PartLimit { bytes: PART_BYTES, samples: u64::MAX };
    let mut watch = |progress: kiebitz_dataset::IntakeProgress<'_>| {
        job.progress(Stage::Import, progress.counts.samples, settings.samples, "samples");
        if job.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let mut written: Vec<ManifestFile> = Vec::new();
    let (mut counts, mut report) = (Counts::default(), json!({}));
    for (name, is_wanted) in [("games.kbz", !games.is_empty()), ("samples.kbz", !samples.is_empty())] {
        let left = settings.samples.saturating_sub(counts.samples);
        if !is_wanted || left == 0 {
            continue;
        }
        let path = place.file(name);
        let into = IntakeOutput {
            path: &path,
            format: Format::Kiebitz,
            description: description.clone(),
            limit,
            fate: PartFate::Joined,
        };
        if name == "games.kbz" {
            let (found, files) = import_files(&games, rules, &into, settings.threads, Some(left), &mut watch)?;
            if let Some(cut_off) = found.cut_off.first() {
                return Err(ForgeError::CutOff(cut_off.clone()));
            }
            counts += found.counts;
            report["games"] = json!(found);
            written.extend(files);
        } else {
            let conversion = ConversionRules {
                filter: rules.filter.clone(),
                most_samples: Some(left),
                ..ConversionRules::default()
            };
            let (found, files) = convert_files(&samples, &conversion, &into, &mut watch)?;
            counts += found.counts;
            report["converted"] = json!(found);
            written.extend(files);
        }
    }
    report["own_scores"] = json!(own_scores(&games, &samples)?);
    report["chains"] = json!(counts.chains);
    report["positions"] = json!(counts.positions);
    report["samples"] = json!(counts.samples);
    Ok((written.into_iter().map(|file| file.written).collect(), report))
}

/// Whose scores the inputs bring along, in words.
fn own_scores(games: &[PathBuf], samples: &[(PathBuf, Format)]) -> Result<String, ForgeError> {
    let mut words: Vec<String> = Vec::new();
    if !games.is_empty() {
        words.push("evaluations in the games' comments".to_owned());
    }
    for (path, format) in samples {
        let unit = match format {
            Format::Kiebitz => ShardIndex::read(path)?.description.score_unit,
            _ => String::new(),
        };
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        words.push(if unit.is_empty() { format!("the scores of {name}") } else { format!("{unit} ({name})") });
    }
    Ok(words.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_known_by_their_endings() {
        assert_eq!(kind(Path::new("a.PGN.zst")).unwrap(), Kind::Games);
        assert_eq!(kind(Path::new("a.binpack")).unwrap(), Kind::Samples(Format::Binpack));
        let error = kind(Path::new("a.doc")).unwrap_err().to_string();
        assert!(error.contains("a.doc is neither") && error.contains(".kbz"), "{error}");
    }
}
