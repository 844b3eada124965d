//! What earlier visits to a position found out, shared by all threads without locks.
//!
//! ```text
//! cluster, one cache line:  entry entry entry entry
//! entry, two words:         key ^ data | data
//! data:                     move 16 | value 16 | evaluation 16 | depth 8 | bound 2 | on a principal line 1 | age 5
//! ```
//! Two threads may write one entry at the same time, so that its words come from different writers; their exclusive or is
//! then no position's key, and the entry is not found. A torn entry is a lost entry, never a wrong one.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use kiebitz_chess::{Key, Move};
use kiebitz_kernels::{prefer_huge_pages, prefetch};

use crate::value::Value;

/// What a stored value says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Bound {
    /// It is at most this.
    Upper = 1,
    /// It is at least this.
    Lower = 2,
    /// It is this.
    Exact = 3,
}

impl Bound {
    /// Whether the true value is known to be at least the stored one.
    #[inline]
    pub(crate) fn is_lower(self) -> bool {
        self as u8 & Self::Lower as u8 != 0
    }

    /// Whether the true value is known to be at most the stored one.
    #[inline]
    pub(crate) fn is_upper(self) -> bool {
        self as u8 & Self::Upper as u8 != 0
    }

    /// Whether a stored value of this kind decides a comparison with `limit`.
    #[inline]
    pub(crate) fn decides(self, value: Value, limit: Value) -> bool {
        if value >= limit { self.is_lower() } else { self.is_upper() }
    }

    fn from_bits(bits: u64) -> Option<Self> {
        match bits & 3 {
            1 => Some(Self::Upper),
            2 => Some(Self::Lower),
            3 => Some(Self::Exact),
            _ => None,
        }
    }
}

/// An entry as the search sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TableEntry {
    /// The best move, or [`Move::NULL`].
    pub(crate) best: Move,
    /// Counted from the node.
    pub(crate) value: Value,
    /// The evaluation without any correction; [`crate::value::NONE`] in check.
    pub(crate) evaluation: Value,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
    pub(crate) on_principal_line: bool,
}

impl TableEntry {
    fn pack(self, age: u8) -> u64 {
        u64::from(self.best.to_bits())
            | u64::from(self.value as i16 as u16) << 16
            | u64::from(self.evaluation as i16 as u16) << 32
            | (self.depth.clamp(0, 255) as u64) << 48
            | (self.bound as u64) << 56
            | u64::from(self.on_principal_line) << 58
            | u64::from(age) << 59
    }

    fn unpack(data: u64) -> Option<Self> {
        Some(Self {
            best: Move::from_bits(data as u16)?,
            value: Value::from((data >> 16) as i16),
            evaluation: match (data >> 32) as i16 {
                NO_EVALUATION => crate::value::NONE,
                value => Value::from(value),
            },
            depth: (data >> 48 & 255) as i32,
            bound: Bound::from_bits(data >> 56)?,
            on_principal_line: data >> 58 & 1 == 1,
        })
    }
}

/// `NONE` as sixteen bits keep it.
const NO_EVALUATION: i16 = crate::value::NONE as i16;
const _: () = assert!(crate::value::NONE <= i16::MAX as Value);

const WORDS_PER_CLUSTER: usize = 8;
const ENTRIES_PER_CLUSTER: usize = 4;
const CLUSTER_BYTES: usize = 64;
/// The smallest page in which a system hands out memory.
const WORDS_PER_PAGE: usize = (4 << 10) / size_of::<AtomicU64>();
/// Less than 16 MiB are wiped sooner than another thread has started.
const WORDS_PER_WIPER: usize = (16 << 20) / size_of::<AtomicU64>();
const AGES: u8 = 32;
/// How many plies of depth an entry loses in worth with every search that it is older.
const WORTH_OF_AGE: i32 = 4;

/// The table.
#[derive(Debug)]
pub(crate) struct TranspositionTable {
    words: Vec<AtomicU64>,
    /// The first word that begins a cache line.
    first: usize,
    clusters: usize,
    age: AtomicU8,
    /// Whether a search may have written something.
    is_used: bool,
}

impl TranspositionTable {
    /// A table of about so many mebibytes; smaller if there is not that much memory.
    ///
    /// Fresh memory is zero, but the system makes a page so only when it is first touched: with large pages that takes longer than a
    /// thousand nodes. No search shall pay for it while its clock runs, so all of it is touched here.
    pub(crate) fn new(mebibytes: usize) -> Self {
        let mut clusters = (mebibytes.max(1) << 20) / CLUSTER_BYTES;
        loop {
            if let Ok(words) = bytemuck::allocation::try_zeroed_vec::<AtomicU64>((clusters + 1) * WORDS_PER_CLUSTER) {
                prefer_huge_pages(&words);
                let misplaced = words.as_ptr() as usize % CLUSTER_BYTES;
                let first = (CLUSTER_BYTES - misplaced) % CLUSTER_BYTES / size_of::<AtomicU64>();
                in_parts(&words, wiping_threads(words.len(), processors()), &|part| {
                    part.iter().step_by(WORDS_PER_PAGE).for_each(|word| word.store(0, Ordering::Relaxed));
                });
                return Self { words, first, clusters, age: AtomicU8::new(0), is_used: false };
            }
            clusters /= 2;
        }
    }

    /// Size in mebibytes.
    pub(crate) fn mebibytes(&self) -> usize {
        (self.clusters * CLUSTER_BYTES) >> 20
    }

    /// Forgets everything. Clocks run meanwhile, so every processor helps, however many threads search.
    pub(crate) fn clear(&mut self) {
        if self.is_used {
            self.wipe(wiping_threads(self.words.len(), processors()));
        }
    }

    fn wipe(&mut self, threads: usize) {
        in_parts(&self.words, threads, &|part| part.iter().for_each(|word| word.store(0, Ordering::Relaxed)));
        self.age = AtomicU8::new(0);
        self.is_used = false;
    }

    /// A new search begins: what is there counts as one search older.
    pub(crate) fn grow_older(&mut self) {
        let age = self.age.get_mut();
        *age = (*age + 1) % AGES;
        self.is_used = true;
    }

    #[inline]
    fn cluster(&self, key: Key) -> &[AtomicU64] {
        let index = ((u128::from(key.0) * self.clusters as u128) >> 64) as usize;
        let start = self.first + index * WORDS_PER_CLUSTER;
        self.words.get(start..start + WORDS_PER_CLUSTER).unwrap_or(&[])
    }

    /// Starts to bring a position's cluster near.
    #[inline]
    pub(crate) fn prefetch(&self, key: Key) {
        if let Some(word) = self.cluster(key).first() {
            prefetch(word);
        }
    }

    /// What is known about a position.
    #[inline]
    pub(crate) fn probe(&self, key: Key) -> Option<TableEntry> {
        self.cluster(key).chunks_exact(2).find_map(|entry| {
            let data = entry[1].load(Ordering::Relaxed);
            if data != 0 && entry[0].load(Ordering::Relaxed) ^ data == key.0 { TableEntry::unpack(data) } else { None }
        })
    }

    /// Writes what was found out, over what is worth least.
    pub(crate) fn store(&self, key: Key, mut new: TableEntry) {
        let age = self.age.load(Ordering::Relaxed);
        let cluster = self.cluster(key);
        let mut slot: &[AtomicU64] = &[];
        let mut least = i32::MAX;
        for entry in cluster.chunks_exact(2) {
            let data = entry[1].load(Ordering::Relaxed);
            if data != 0 && entry[0].load(Ordering::Relaxed) ^ data == key.0 {
                let Some(old) = TableEntry::unpack(data) else { break };
                let is_stale = age_of(data) != age;
                // A shallow bound does not wipe out a deep search of the same position.
                if new.bound != Bound::Exact && new.depth + 4 < old.depth && !is_stale {
                    return;
                }
                if new.best == Move::NULL {
                    new.best = old.best;
                }
                slot = entry;
                break;
            }
            let worth = if data == 0 {
                i32::MIN
            } else {
                let older = i32::from((AGES + age - age_of(data)) % AGES);
                (data >> 48 & 255) as i32 - WORTH_OF_AGE * older
            };
            if worth < least {
                least = worth;
                slot = entry;
            }
        }
        if let [check, word] = slot {
            let data = new.pack(age);
            check.store(key.0 ^ data, Ordering::Relaxed);
            word.store(data, Ordering::Relaxed);
        }
    }

    /// How much of the table this search has filled, in thousandths, by a sample.
    pub(crate) fn full_permille(&self) -> u32 {
        let sample = self.clusters.min(250);
        let start = self.first;
        let words = self.words.get(start..start + sample * WORDS_PER_CLUSTER).unwrap_or(&[]);
        let age = self.age.load(Ordering::Relaxed);
        let is_fresh = |entry: &&[AtomicU64]| {
            let data = entry[1].load(Ordering::Relaxed);
            data != 0 && age_of(data) == age
        };
        let used = words.chunks_exact(2).filter(is_fresh).count();
        (used * 1000 / (sample * ENTRIES_PER_CLUSTER).max(1)) as u32
    }
}

/// Into how many parts a table is divided to be wiped.
fn wiping_threads(words: usize, processors: usize) -> usize {
    if cfg!(target_arch = "wasm32") { 1 } else { (words / WORDS_PER_WIPER).clamp(1, processors.max(1)) }
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Does something with all words, on so many threads.
fn in_parts(words: &[AtomicU64], threads: usize, work: &(impl Fn(&[AtomicU64]) + Sync)) {
    if threads < 2 {
        return work(words);
    }
    std::thread::scope(|scope| {
        for part in words.chunks(words.len().div_ceil(threads)) {
            if std::thread::Builder::new().spawn_scoped(scope, move || work(part)).is_err() {
                work(part);
            }
        }
    });
}

#[inline]
fn age_of(data: u64) -> u8 {
    (data >> 59) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use kiebitz_chess::{MoveKind, Square};
    use proptest::prelude::*;

    fn entry(depth: i32, value: Value) -> TableEntry {
        TableEntry {
            best: Move::new(Square::E2, Square::E4, MoveKind::DoublePush),
            value,
            evaluation: crate::value::NONE,
            depth,
            bound: Bound::Lower,
            on_principal_line: true,
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]
        #[test]
        fn what_is_stored_is_found(key: u64, depth in 0..250, value in -32_000..32_000, evaluation in -15_000..15_000) {
            let table = TranspositionTable::new(1);
            let new = TableEntry { evaluation, ..entry(depth, value) };
            table.store(Key(key), new);
            prop_assert_eq!(table.probe(Key(key)), Some(new));
            prop_assert_eq!(table.probe(Key(key ^ 1)), None);
        }
    }

    #[test]
    fn deep_and_young_entries_survive() {
        let mut table = TranspositionTable::new(1);
        // Keys of one cluster: the upper bits choose it.
        let keys = [0, 1, 2, 3, 4].map(Key);
        for (key, depth) in keys.into_iter().zip([9, 3, 7, 8]) {
            table.store(key, entry(depth, 0));
        }
        table.store(keys[4], entry(1, 0));
        assert_eq!(table.probe(keys[1]), None);
        table.grow_older();
        table.grow_older();
        // Two searches later a shallow entry of now is worth more than a deeper one of then.
        table.store(keys[1], entry(2, 0));
        assert_eq!(table.probe(keys[4]), None);
        assert!(table.probe(keys[0]).is_some());
    }

    #[test]
    fn large_tables_are_wiped_by_all_processors() {
        let words = |mebibytes: usize| (mebibytes << 20) / size_of::<AtomicU64>();
        for (mebibytes, processors, expected) in [(1, 8, 1), (16, 8, 1), (64, 8, 4), (4096, 8, 8), (4096, 1, 1)] {
            assert_eq!(wiping_threads(words(mebibytes), processors), expected, "{mebibytes} MiB, {processors}");
        }
    }

    /// Memory of this program that is there and not only promised, in mebibytes.
    #[cfg(target_os = "linux")]
    fn resident_mebibytes() -> usize {
        let text = std::fs::read_to_string("/proc/self/smaps_rollup").expect("Linux tells");
        let line = text.lines().find_map(|line| line.strip_prefix("Rss:")).expect("a line of all that is resident");
        line.split_whitespace().next().and_then(|kib| kib.parse::<usize>().ok()).expect("kibibytes") >> 10
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn no_search_waits_for_fresh_memory() {
        let before = resident_mebibytes();
        let table = TranspositionTable::new(256);
        let after = resident_mebibytes();
        assert!(after - before > 200, "{before} to {after} MiB for {} MiB", table.mebibytes());
    }

    #[test]
    fn clusters_begin_cache_lines_and_clearing_empties() {
        for mebibytes in [1, 3, 16] {
            let mut table = TranspositionTable::new(mebibytes);
            assert_eq!(table.mebibytes(), mebibytes);
            table.grow_older();
            for key in (0..2000).map(|n: u64| Key(n.wrapping_mul(0x9e37_79b9_7f4a_7c15))) {
                assert_eq!(std::ptr::from_ref(&table.cluster(key)[0]) as usize % CLUSTER_BYTES, 0);
                table.store(key, entry(5, 5));
            }
            let is_empty =
                |table: &TranspositionTable| table.words.iter().all(|word| word.load(Ordering::Relaxed) == 0);
            table.wipe(3);
            assert!(is_empty(&table) && table.full_permille() == 0);
            // Only a search makes a table worth clearing.
            table.grow_older();
            table.store(Key(7), entry(5, 5));
            table.clear();
            assert!(is_empty(&table));
        }
    }
}
