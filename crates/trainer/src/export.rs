//! From learned weights to a network file with its certificate.

use kiebitz_chess::{FenMode, Position};
use kiebitz_network::{Certificate, FloatWeights, NetworkFile, quantise};

use crate::error::TrainError;
use crate::recipe::Recipe;

/// Positions on which rounding is measured: openings, middle games and endings from many kinds of play.
pub const SAMPLE_POSITIONS: &str = include_str!("sample_positions.txt");

/// The positions of [`SAMPLE_POSITIONS`].
fn sample_positions() -> Vec<Position> {
    SAMPLE_POSITIONS.lines().filter_map(|line| Position::from_fen(line, FenMode::Strict).ok()).collect()
}

/// Merges, quantises and proves a network; `manifest` is what its card says about training.
///
/// # Errors
///
/// When a number does not fit its integer type, or a sum of them might not.
pub fn export(recipe: &Recipe, weights: &FloatWeights, manifest: serde_json::Value) -> Result<NetworkFile, TrainError> {
    let merged = weights.merge(&recipe.network)?;
    let quantised = quantise(&recipe.network, &merged)?;
    let spec = recipe.network.played();
    let certificate =
        Certificate::new(&spec, &quantised).with_rounding(&spec, &quantised, &merged, &sample_positions());
    let mut file = NetworkFile::new(spec, quantised);
    file.header.description = format!("{}: {}", recipe.name, recipe.description);
    file.header.licence = "CC0-1.0".to_owned();
    file.header.manifest = manifest;
    file.header.certificate = Some(certificate);
    Ok(file)
}
