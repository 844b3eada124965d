//! Several shards as one source of chains.

use std::path::PathBuf;

use kiebitz_dataset::{Chain, ChainSource, Counts, DatasetError, OwnSource, ShardIndex};

/// Reads shards one after the other.
pub(crate) struct ShardList {
    paths: Vec<PathBuf>,
    next: usize,
    current: Option<OwnSource>,
    before: u64,
}

impl ShardList {
    /// All chains of these shards.
    pub(crate) fn new(paths: &[PathBuf]) -> Self {
        Self { paths: paths.to_vec(), next: 0, current: None, before: 0 }
    }

    /// Bytes and counts of shards.
    pub(crate) fn size(paths: &[PathBuf]) -> Result<(u64, Counts), DatasetError> {
        let (mut bytes, mut counts) = (0, Counts::default());
        for path in paths {
            counts += ShardIndex::read(path)?.counts();
            bytes += std::fs::metadata(path).map_or(0, |data| data.len());
        }
        Ok((bytes, counts))
    }
}

impl ChainSource for ShardList {
    fn next_chain(&mut self, chain: &mut Chain) -> Result<bool, DatasetError> {
        loop {
            if let Some(source) = &mut self.current {
                if source.next_chain(chain)? {
                    return Ok(true);
                }
                self.before += source.consumed();
                self.current = None;
            }
            let Some(path) = self.paths.get(self.next) else { return Ok(false) };
            self.current = Some(OwnSource::open(path)?);
            self.next += 1;
        }
    }

    fn consumed(&self) -> u64 {
        self.before + self.current.as_ref().map_or(0, ChainSource::consumed)
    }
}
