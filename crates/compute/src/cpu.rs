//! The operations on the CPU, on all threads of a pool.
//!
//! Work is cut into pieces by its size alone, never by the number of threads, and pieces are put together in their order.

mod dense;
mod operations;
mod room;
mod table;
mod vector;

use std::ops::Range;
use std::sync::Arc;

use kiebitz_kernels::prefer_huge_pages;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::{CheckedSamples, ComputeError};

use self::room::Rooms;
use self::table::Table;

/// Some threads of this machine.
#[derive(Debug)]
pub struct Cpu {
    pool: Arc<ThreadPool>,
    rooms: Rooms,
}

impl Cpu {
    /// A device of so many threads; 0 stands for all that the machine has.
    ///
    /// # Errors
    ///
    /// When the threads cannot be started.
    pub fn new(threads: usize) -> Result<Self, ComputeError> {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| ComputeError::Driver(error.to_string()))?;
        Ok(Self { pool: Arc::new(pool), rooms: Rooms::default() })
    }
}

/// Zeros on large pages: rows of a table are read all over the place.
fn zeros(count: usize) -> Vec<f32> {
    let room = vec![0.0; count];
    prefer_huge_pages(&room);
    room
}

/// A batch in memory, and the bucket of every sample.
#[derive(Debug)]
pub struct Batch {
    samples: CheckedSamples,
    buckets: Vec<u32>,
}

impl Batch {
    fn new(samples: &CheckedSamples) -> Self {
        let mut buckets = Vec::with_capacity(samples.len());
        for (bucket, &end) in samples.bucket_ends.iter().enumerate() {
            buckets.resize(end as usize, bucket as u32);
        }
        Self { samples: samples.clone(), buckets }
    }

    fn len(&self) -> usize {
        self.buckets.len()
    }

    fn views(&self) -> usize {
        self.samples.views.len()
    }

    /// The active rows of a hit, one view of one sample.
    fn rows_of(&self, hit: usize) -> &[u32] {
        let views = self.views();
        self.samples.views[hit % views].row(hit / views)
    }

    /// Up to `most` samples from the first of a range on that share a bucket.
    fn some_of_one_bucket(&self, range: &Range<usize>, most: usize) -> usize {
        let bucket = self.buckets[range.start];
        let last = (range.start + most).min(range.end);
        (range.start..last).take_while(|&sample| self.buckets[sample] == bucket).count()
    }
}
