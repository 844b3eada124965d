//! The threads that a device's operations run on.

use std::sync::Arc;

use rayon::ThreadPool;

/// Threads of a device, apart from the device itself.
///
/// An operation that is called from elsewhere has to wake the threads and to be woken by them. A step has dozens of operations:
/// called from one of the threads, they begin at once.
#[derive(Clone, Debug, Default)]
pub struct Crew(Option<Arc<ThreadPool>>);

impl Crew {
    pub(crate) fn of(pool: &Arc<ThreadPool>) -> Self {
        Self(Some(Arc::clone(pool)))
    }

    /// Works on one of the threads, or here if the device has none.
    pub fn work<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.0 {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }
}
