//! The last step: all networks are timed by turns, so that what else the machine does in a minute does not fall on one of them.

use std::path::PathBuf;
use std::time::Duration;

use kiebitz_dataset::WrittenFile;
use kiebitz_inference::Network;
use kiebitz_network::NetworkFile;
use serde_json::json;

use super::event::StudyStep;
use super::findings::Speed;
use super::run::Course;
use crate::error::ForgeError;
use crate::pace::{Pace, nodes_per_second};

/// Where the speeds lie among the folders of the entries.
const SPEEDS: &str = "speeds";

/// So often every network has its turn; its best turn counts.
const TURNS: u32 = 5;

/// Times networks; the speeds come in the order of the files.
pub(super) fn run(course: &mut Course<'_>, files: &[PathBuf]) -> Result<Vec<Speed>, ForgeError> {
    let milliseconds = course.plan().measuring.milliseconds;
    let written = files.iter().map(|file| WrittenFile::of(file)).collect::<Result<Vec<_>, _>>()?;
    let inputs = json!({ "networks": written, "milliseconds": milliseconds });
    let finished = course.step(SPEEDS, StudyStep::Pace, inputs, |course, _| {
        let turn = Duration::from_millis(milliseconds) / TURNS;
        let mut best = vec![Speed { pace: Pace { step: 0.0, value: 0.0 }, nodes_per_second: 0.0 }; files.len()];
        for _ in 0..TURNS {
            for (path, best) in files.iter().zip(&mut best) {
                if course.is_stopped() {
                    return Err(ForgeError::Stopped("timing"));
                }
                let file = NetworkFile::read(path).map_err(ForgeError::network(path))?;
                let network = Network::new(&file)?;
                let pace = Pace::of(&network, turn);
                best.pace.step = best.pace.step.max(pace.step);
                best.pace.value = best.pace.value.max(pace.value);
                best.nodes_per_second = best.nodes_per_second.max(nodes_per_second(&network, turn));
            }
        }
        Ok((Vec::new(), json!(best)))
    })?;
    finished.report()
}
