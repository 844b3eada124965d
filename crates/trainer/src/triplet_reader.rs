//! Triplets from files of `kiebitz-lab data pqr`, in a random order, round after round.
//!
//! **Invariant:** the triplets of a step are a function of files, seed, the number of triplets a step, and the step.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use kiebitz_chess::{FenMode, Position};
use kiebitz_dataset::{Batch, Triplet};
use kiebitz_network::NetworkSpec;

use crate::chance::Chance;
use crate::error::TrainError;

/// A line of a file.
#[derive(Clone, Debug)]
pub(crate) struct TripletLine {
    file: Arc<Path>,
    /// From 1.
    number: usize,
    text: Box<str>,
}

/// An endless sequence of triplets.
#[derive(Debug)]
pub(crate) struct TripletReader {
    lines: Vec<TripletLine>,
    seed: u64,
    size: usize,
    step: u64,
    /// A round and its order.
    order: (u64, Vec<u32>),
}

impl TripletReader {
    /// Begins with the triplets of a step, so many at a time.
    pub(crate) fn open(files: &[PathBuf], seed: u64, size: usize, step: u64) -> Result<Self, TrainError> {
        let mut lines = Vec::new();
        for path in files {
            let text = std::fs::read_to_string(path).map_err(TrainError::io(path))?;
            let file: Arc<Path> = Arc::from(path.as_path());
            for (number, text) in text.lines().enumerate().filter(|(_, text)| !text.trim().is_empty()) {
                lines.push(TripletLine { file: Arc::clone(&file), number: number + 1, text: text.into() });
            }
        }
        if lines.is_empty() {
            return Err(kiebitz_dataset::DatasetError::Empty.into());
        }
        let order = (0, order(seed, 0, lines.len()));
        Ok(Self { lines, seed, size: size.max(1), step, order })
    }

    /// Triplets of a round.
    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    /// The triplets of the next step.
    pub(crate) fn next(&mut self) -> Vec<TripletLine> {
        let (count, first) = (self.lines.len() as u64, self.step * self.size as u64);
        self.step += 1;
        (first..first + self.size as u64)
            .map(|place| {
                let round = place / count;
                if self.order.0 != round {
                    self.order = (round, order(self.seed, round, self.lines.len()));
                }
                self.lines[self.order.1[(place % count) as usize] as usize].clone()
            })
            .collect()
    }
}

/// The order of a round.
fn order(seed: u64, round: u64, count: usize) -> Vec<u32> {
    let mut chance = Chance::new(seed ^ round.wrapping_mul(0xd6e8_feb8_6659_fd93));
    let mut order: Vec<u32> = (0..count as u32).collect();
    for place in (1..count).rev() {
        order.swap(place, (chance.next() % (place as u64 + 1)) as usize);
    }
    order
}

impl TripletLine {
    /// What the line says: FEN, the move played and another one, with tabs between them.
    fn read(&self) -> Result<Triplet, TrainError> {
        let wrong = |reason: String| TrainError::Triplet { path: self.file.to_path_buf(), line: self.number, reason };
        let mut fields = self.text.split('\t');
        let (Some(fen), Some(played), Some(random), None) =
            (fields.next(), fields.next(), fields.next(), fields.next())
        else {
            return Err(wrong("not a FEN and two moves with tabs between them".to_owned()));
        };
        let position = Position::from_fen(fen, FenMode::Strict).map_err(|error| wrong(error.to_string()))?;
        let read = |text: &str| position.parse_uci(text.trim()).map_err(|error| wrong(error.to_string()));
        let (played, random) = (read(played)?, read(random)?);
        Ok(Triplet { position, played, random })
    }
}

/// The positions of triplets, P, Q, R after each other.
pub(crate) fn positions_of(spec: &NetworkSpec, lines: &[TripletLine]) -> Result<Batch, TrainError> {
    let mut batch = Batch::default();
    for line in lines {
        let triplet = line.read()?;
        for position in [&triplet.position, &triplet.after_played(), &triplet.after_random()] {
            let us = position.side_to_move();
            for (rows, side) in [(&mut batch.own, us), (&mut batch.other, !us)] {
                spec.features().for_each_active(position, side, |index| rows.indices.push(index));
                rows.ends.push(rows.indices.len() as u32);
            }
            batch.scores.push(f32::NAN);
            batch.points.push(f32::NAN);
            // A board has 64 squares.
            batch.pieces.push(position.occupied().len() as u8);
            batch.movers.push(us);
        }
    }
    Ok(batch)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_round_has_every_triplet_once_and_any_step_can_be_first() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("few.pqr");
        let text: String = (0..7).map(|number| format!("{number}\n")).collect();
        std::fs::write(&path, text).unwrap();
        let open = |step| TripletReader::open(std::slice::from_ref(&path), 5, 2, step).unwrap();
        let mut reader = open(0);
        let steps: Vec<Vec<usize>> = (0..14).map(|_| reader.next().iter().map(|line| line.number).collect()).collect();
        let all = steps.concat();
        for round in all.chunks_exact(7) {
            let mut round = round.to_vec();
            round.sort_unstable();
            assert_eq!(round, [1, 2, 3, 4, 5, 6, 7]);
        }
        assert_ne!(all[..7], all[7..14], "another order");
        let mut late = open(5);
        assert_eq!(late.next().iter().map(|line| line.number).collect::<Vec<_>>(), steps[5]);
    }
}
