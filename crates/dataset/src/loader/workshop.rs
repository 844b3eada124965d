//! Where the loader's threads find their next piece of work.
//!
//! A thread makes a batch if its groups are in memory, and otherwise reads a block of the groups that are needed next. Before
//! its first block is read, the samples of a group are dealt to its steps.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use kiebitz_features::FeatureSet;

use super::batch::Batch;
use super::group::{Deal, Group, IndexWidth, Portion, read_block};
use super::plan::{GroupPlan, Plan};
use crate::DatasetError;
use crate::filter::Filter;

/// The shared place of all threads of a loader.
#[derive(Debug)]
pub(super) struct Workshop {
    pub(super) plan: Plan,
    features: FeatureSet,
    filter: Filter,
    /// Finished batches that may wait.
    waiting: u64,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    /// The step of the next batch that nobody makes yet.
    next: u64,
    /// The step of the next batch that is to be taken.
    wanted: u64,
    finished: BTreeMap<u64, Batch>,
    groups: BTreeMap<u64, Stage>,
    /// Memory of blocks that are no longer needed: fresh memory costs as much as what is written to it.
    spare: Vec<Vec<Portion>>,
    failure: Option<DatasetError>,
    closed: bool,
}

/// A group on its way into memory.
#[derive(Debug)]
enum Stage {
    /// Nothing has been done for it yet.
    Planned(GroupPlan),
    /// Somebody deals its samples to its steps.
    Dealing,
    Reading {
        plan: GroupPlan,
        deal: Arc<Deal>,
        /// Blocks that somebody reads or has read.
        begun: usize,
        /// Blocks that were read, by their place in the group.
        read: BTreeMap<usize, Vec<Portion>>,
    },
    Ready(GroupPlan, Arc<Group>),
}

enum Work {
    Deal { plan: GroupPlan },
    Read { group: u64, deal: Arc<Deal>, place: usize, block: u32, memory: Vec<Portion> },
    Make { step: u64, groups: Vec<(GroupPlan, Arc<Group>)> },
}

impl Workshop {
    pub(super) fn new(plan: Plan, features: FeatureSet, filter: Filter, threads: NonZeroUsize, step: u64) -> Self {
        let state = State {
            next: step,
            wanted: step,
            finished: BTreeMap::new(),
            groups: BTreeMap::new(),
            spare: Vec::new(),
            failure: None,
            closed: false,
        };
        let waiting = 2 * threads.get() as u64;
        Self { plan, features, filter, waiting, state: Mutex::new(state), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the batch of a step and takes it.
    pub(super) fn take(&self, step: u64) -> Result<Batch, DatasetError> {
        let mut state = self.state();
        loop {
            if let Some(batch) = state.finished.remove(&step) {
                state.wanted = step + 1;
                self.changed.notify_all();
                return Ok(batch);
            }
            if let Some(error) = state.failure.take() {
                state.closed = true;
                self.changed.notify_all();
                return Err(error);
            }
            if state.closed {
                return Err(DatasetError::Empty);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Sends all threads home.
    pub(super) fn close(&self) {
        self.state().closed = true;
        self.changed.notify_all();
    }

    /// What each thread does until the workshop is closed.
    pub(super) fn work(&self) {
        let mut state = self.state();
        while !state.closed {
            let Some(work) = self.find_work(&mut state) else {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            drop(state);
            match work {
                Work::Make { step, groups } => {
                    let batch = self.make(step, &groups);
                    state = self.state();
                    state.finished.insert(step, batch);
                }
                Work::Deal { plan } => {
                    let deal = Arc::new(self.plan.deal(&plan));
                    state = self.state();
                    if let Some(stage) = state.groups.get_mut(&plan.number) {
                        *stage = Stage::Reading { plan, deal, begun: 0, read: BTreeMap::new() };
                    }
                }
                Work::Read { group, deal, place, block, memory } => {
                    let block = &self.plan.blocks[block as usize];
                    let portions = read_block(block, &self.filter, &self.features, (&deal, place), memory);
                    state = self.put_block(group, place, portions);
                }
            }
            self.changed.notify_all();
        }
    }

    /// What is to be done next, if anything.
    fn find_work(&self, state: &mut State) -> Option<Work> {
        if state.failure.is_some() || state.next >= state.wanted.saturating_add(self.waiting) {
            return None;
        }
        let samples = self.plan.samples_of(state.next);
        let (first, last) = (self.plan.group_of(samples.start), self.plan.group_of(samples.end.saturating_sub(1)));
        while let Some(done) = state.groups.first_entry().filter(|entry| *entry.key() < first) {
            if let Stage::Ready(_, group) = done.remove()
                && let Some(group) = Arc::into_inner(group)
            {
                state.spare.extend(group.into_blocks());
            }
        }
        for number in first..=last + 1 {
            state.groups.entry(number).or_insert_with(|| Stage::Planned(self.plan.group(number)));
        }
        let ready = |number: u64| match state.groups.get(&number) {
            Some(Stage::Ready(plan, group)) => Some((plan.clone(), Arc::clone(group))),
            _ => None,
        };
        if let Some(groups) = (first..=last).map(ready).collect::<Option<Vec<_>>>() {
            let step = state.next;
            state.next += 1;
            return Some(Work::Make { step, groups });
        }
        let State { groups, spare, .. } = state;
        groups.iter_mut().find_map(|(&group, stage)| match stage {
            Stage::Planned(plan) => {
                let work = Work::Deal { plan: plan.clone() };
                *stage = Stage::Dealing;
                Some(work)
            }
            Stage::Reading { plan, deal, begun, .. } => {
                let (place, block) = (*begun, *plan.blocks.get(*begun)?);
                *begun += 1;
                let memory = spare.pop().unwrap_or_default();
                Some(Work::Read { group, deal: Arc::clone(deal), place, block, memory })
            }
            Stage::Dealing | Stage::Ready(..) => None,
        })
    }

    fn put_block(
        &self,
        number: u64,
        place: usize,
        portions: Result<Vec<Portion>, DatasetError>,
    ) -> MutexGuard<'_, State> {
        let mut state = self.state();
        let portions = match portions {
            Ok(portions) => portions,
            Err(error) => {
                state.failure.get_or_insert(error);
                return state;
            }
        };
        let Some(stage) = state.groups.get_mut(&number) else { return state };
        if let Stage::Reading { plan, read, .. } = stage {
            read.insert(place, portions);
            if read.len() == plan.blocks.len() {
                let group = Group::new(std::mem::take(read).into_values().collect(), IndexWidth::of(&self.features));
                *stage = Stage::Ready(plan.clone(), Arc::new(group));
            }
        }
        state
    }

    fn make(&self, step: u64, groups: &[(GroupPlan, Arc<Group>)]) -> Batch {
        let samples = self.plan.samples_of(step);
        let mut batch = Batch::with_capacity((samples.end - samples.start) as usize);
        for (plan, group) in groups {
            group.append_to(self.plan.slot(plan, step), &mut batch);
        }
        batch
    }
}
