//! Games in random order, and on two sides that share none.

use std::path::PathBuf;

use kiebitz_dataset::{ChainSource, Description, Division, Format, Shuffle, ShuffleUnit, Split, WrittenFile};
use serde_json::json;

use crate::error::ForgeError;
use crate::forge::{Done, Job};
use crate::label::Scored;
use crate::shard_list::ShardList;
use crate::stage::Stage;

/// Bytes of chains that are held at a time.
const MEMORY: u64 = 256 << 20;

fn checksums(shards: &[PathBuf]) -> Result<Vec<WrittenFile>, ForgeError> {
    Ok(shards.iter().map(|path| WrittenFile::of(path)).collect::<Result<_, _>>()?)
}

pub(crate) fn shuffle(job: &mut Job<'_>, labelled: &Scored) -> Result<Done, ForgeError> {
    let (shards, seed) = (&labelled.shards, job.settings.seed);
    let inputs = json!({ "shards": checksums(shards)?, "seed": seed });
    job.stage(Stage::Shuffle, inputs, |job, place| {
        let (bytes, counts) = ShardList::size(shards)?;
        let unit = ShuffleUnit::Chain;
        let expected_bytes = Shuffle::expected_bytes(unit, bytes, counts);
        let shuffle = Shuffle { unit, seed, memory: MEMORY, expected_bytes };
        let description =
            Description { score_unit: format!("centipawns of {}", labelled.teacher), ..Description::default() };
        let mut source = ShardList::new(shards);
        let output = place.file("shuffled.kbz");
        let (written, counts) = shuffle.run(&mut source, &output, &description, |consumed| {
            job.progress(Stage::Shuffle, consumed, bytes, "bytes");
        })?;
        Ok((vec![written], json!(counts)))
    })
}

/// The sides of a split, training first.
const SIDES: [&str; 2] = ["train.kbz", "validation.kbz"];

pub(crate) fn split(job: &mut Job<'_>, shuffled: &Done) -> Result<Done, ForgeError> {
    let split = Split { validation: job.settings.validation, seed: job.settings.seed };
    let shards = shuffled.files();
    let inputs = json!({ "shards": shuffled.record.outputs, "share": split.validation, "seed": split.seed });
    let done = job.stage(Stage::Split, inputs, |job, place| {
        let (bytes, _) = ShardList::size(&shards)?;
        let create = |name: &str| Format::Kiebitz.create(&place.file(name), &Description::default());
        let mut sides = [create(SIDES[0])?, create(SIDES[1])?];
        let (mut source, mut division) = (ShardList::new(&shards), Division::default());
        split.divide(&mut source as &mut dyn ChainSource, &mut sides, &mut division, |consumed| {
            job.progress(Stage::Split, consumed, bytes, "bytes");
        })?;
        let mut written = Vec::new();
        for side in sides {
            written.extend(side.finish()?);
        }
        let counts = division.counts;
        Ok((written, json!({ "train": counts[0].samples, "validation": counts[1].samples })))
    })?;
    if done.count("train") == 0 {
        return Err(ForgeError::NothingLeft("too few games; all of them went to validation".to_owned()));
    }
    Ok(done)
}
