//! The second stage: every sample has a score.

use std::path::PathBuf;

use kiebitz_dataset::{
    Chain, ChainSource, DatasetError, LabelError, Labelled, Labelling, OldScores, Scorer, ScoringJob, WrittenFile,
};
use serde_json::{Value, json};

use crate::error::ForgeError;
use crate::forge::{Done, Job};
use crate::own_scorer::OwnScorer;
use crate::settings::Teacher;
use crate::shard_list::ShardList;
use crate::stage::{Stage, Workplace};

/// Labelled samples: the shards to go on with, and whose scores they are.
pub(crate) struct Scored {
    pub(crate) done: Done,
    pub(crate) shards: Vec<PathBuf>,
    pub(crate) teacher: String,
}

pub(crate) fn run(job: &mut Job<'_>, imported: &Done) -> Result<Scored, ForgeError> {
    let settings = job.settings;
    let teacher = match &settings.teacher {
        // Another version may search another way.
        Teacher::Own { nodes } => json!({ "own": settings.program, "nodes": nodes }),
        Teacher::Engine { command, limit } => {
            let program = WrittenFile::of(&command.program)?;
            json!({ "engine": program, "arguments": command.arguments, "options": command.options, "limit": limit })
        }
    };
    let shards = imported.files();
    let inputs = json!({ "shards": imported.record.outputs, "teacher": teacher });
    let done = job.stage(Stage::Label, inputs, |job, place| label(job, place, &shards))?;
    let shards = if done.record.outputs.is_empty() { shards } else { done.files() };
    let teacher = done.record.report["teacher"].as_str().unwrap_or_default().to_owned();
    Ok(Scored { done, shards, teacher })
}

/// What the samples' scores look like before anybody adds some.
#[derive(Default)]
struct Survey {
    games: u64,
    scored_games: u64,
    unscored_samples: u64,
}

fn survey(shards: &[PathBuf]) -> Result<Survey, DatasetError> {
    let (mut source, mut chain) = (ShardList::new(shards), Chain::default());
    let mut survey = Survey::default();
    while source.next_chain(&mut chain)? {
        survey.games += 1;
        if chain.has_scores() {
            survey.scored_games += 1;
        } else {
            survey.unscored_samples += chain.samples() as u64;
        }
    }
    Ok(survey)
}

fn label(job: &mut Job<'_>, place: &Workplace, shards: &[PathBuf]) -> Result<(Vec<WrittenFile>, Value), ForgeError> {
    let Survey { games, scored_games, unscored_samples } = survey(shards)?;
    let own_scores = "the games' own evaluations";
    if unscored_samples == 0 {
        return Ok((Vec::new(), json!({ "teacher": own_scores, "scored_games": scored_games, "labelled": 0 })));
    }
    let sources: Vec<String> =
        shards.iter().filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned())).collect();
    let output = place.file("labelled.kbz");
    let open = || -> Result<Box<dyn ChainSource + Send>, DatasetError> { Ok(Box::new(ShardList::new(shards))) };
    let (settings, stop) = (job.settings, job.stop);
    let progress = |done: kiebitz_dataset::LabelProgress| {
        job.progress(Stage::Label, done.samples, unscored_samples, "samples");
    };
    let labelled: Labelled = match &settings.teacher {
        Teacher::Own { nodes } => {
            let scorer = format!("Kiebitz with its hand-crafted evaluation, {nodes} nodes");
            let start = || -> Result<Box<dyn Scorer + Send>, LabelError> { Ok(Box::new(OwnScorer::new(*nodes))) };
            let job = ScoringJob {
                scorer: &scorer,
                identity: &format!("{scorer}, {}", settings.program),
                unit: &format!("centipawns of {scorer}; mates as 32000 less the plies"),
                sources: &sources,
                output: &output,
                scorers: settings.threads,
                old_scores: OldScores::Kept,
            };
            job.run(&open, &start, stop, progress)?
        }
        Teacher::Engine { command, limit } => {
            let labelling = Labelling { engine: command.clone(), limit: *limit, processes: settings.threads };
            let mut labelled = labelling.run(&open, &sources, &output, OldScores::Kept, stop, progress)?;
            labelled.engine = format!("{}, {limit}", labelled.engine);
            labelled
        }
    };
    let Some(written) = labelled.written else { return Err(ForgeError::Stopped("labelling")) };
    let teacher = match scored_games {
        0 => labelled.engine,
        _ => format!("{}; {own_scores} in {scored_games} of {games} games", labelled.engine),
    };
    let report = json!({
        "teacher": teacher,
        "scored_games": scored_games,
        "labelled": labelled.progress.samples,
        "restarts": labelled.progress.restarts,
    });
    Ok((vec![written], report))
}
