//! The stage that believes nothing: bounds are proved again, and what plays is compared with what was meant.

use kiebitz_chess::{FenMode, Position};
use kiebitz_dataset::WrittenFile;
use kiebitz_inference::{Evaluator, Network};
use kiebitz_network::{Certificate, NetworkFile, reference};
use kiebitz_trainer::{Recipe, SAMPLE_POSITIONS};
use serde_json::{Value, json};

use crate::error::ForgeError;
use crate::forge::{Done, Job};
use crate::stage::Stage;
use crate::training::BEGUN_WITH;

pub(crate) fn run(job: &mut Job<'_>, imported: &Done, teacher: &str, trained: &Done) -> Result<Done, ForgeError> {
    let settings = job.settings;
    let sources = imported.record.inputs["files"].clone();
    let mut losses = trained.record.report.clone();
    if let Some(losses) = losses.as_object_mut() {
        // Threads must not show in the network's bytes.
        losses.remove("device");
        losses.remove(BEGUN_WITH);
    }
    let begun_with = trained.record.report.get(BEGUN_WITH).cloned();
    let inputs = json!({
        "network": trained.record.outputs,
        "sources": sources,
        "seed": settings.seed,
        "teacher": teacher,
        "program": settings.program,
    });
    job.stage(Stage::Prove, inputs, |_, place| {
        let trained = trained.files();
        let source = trained.first().cloned().unwrap_or_default();
        let mut file = NetworkFile::read(&source).map_err(ForgeError::network(&source))?;
        // Filter and seed belong to the loss that is told; where the samples lay does not.
        let recipe: Recipe = serde_json::from_value(file.header.manifest["recipe"].take())
            .map_err(|error| ForgeError::Unproved(format!("its recipe cannot be read: {error}")))?;
        let mut manifest = json!({
            "forged_from": sources,
            "seed": settings.seed,
            "teacher": teacher,
            "made_by": settings.program,
            "recipe": recipe.without_folders(),
            "losses": losses,
        });
        if let Some(begun_with) = &begun_with {
            manifest[BEGUN_WITH] = begun_with.clone();
        }
        file.header.manifest = manifest;
        let report = prove(&file)?;
        let path = place.file(&format!("{}.net", settings.name()));
        file.write(&path).map_err(ForgeError::network(&path))?;
        Ok((vec![WrittenFile::of(&path)?], report))
    })
}

/// Proves the bounds again and compares fast evaluation with the exact reference.
pub(crate) fn prove(file: &NetworkFile) -> Result<Value, ForgeError> {
    let certificate = Certificate::new(file.spec(), &file.weights);
    if let Some(bounds) = certificate.unproved().next() {
        return Err(ForgeError::Unproved(format!("{} may overflow", bounds.step)));
    }
    let stored = file.header.certificate.as_ref();
    if stored.map(|stored| &stored.bounds) != Some(&certificate.bounds) {
        return Err(ForgeError::Unproved("its certificate is missing or says something else".to_owned()));
    }
    let network = Network::new(file)?;
    let mut evaluator = Evaluator::new(&network);
    let mut compared = 0;
    for line in SAMPLE_POSITIONS.lines() {
        let Ok(position) = Position::from_fen(line, FenMode::Strict) else { continue };
        evaluator.reset(&position);
        let (played, meant) = (
            evaluator.evaluate(&position),
            reference::evaluate_integers(file.spec(), &file.weights, &position).centipawns(file.spec()),
        );
        if played != meant {
            return Err(ForgeError::Unproved(format!("it plays {played} instead of {meant} in {line}")));
        }
        compared += 1;
    }
    Ok(json!({
        "network": file.spec().to_string(),
        "parameters": file.spec().parameters(),
        "proved_steps": certificate.bounds.len(),
        "compared_positions": compared,
        "rounding": stored.and_then(|stored| stored.rounding.clone()),
    }))
}
