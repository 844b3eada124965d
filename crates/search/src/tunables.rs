//! Numbers and switches that a tuner may turn, one line each.
//!
//! Without the invoking crate's feature `tune` they are constants and cost nothing; with it they are atomics, listed so
//! that UCI options, SPSA and on/off matches can reach them by name.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicI32, Ordering};

/// A number as a tuner sees it.
#[derive(Clone, Debug)]
pub struct Tunable {
    /// Its name in the source.
    pub name: &'static str,
    /// What ships.
    pub default: i32,
    /// What makes sense.
    pub range: RangeInclusive<i32>,
    /// How far a tuner should step at the end of its work; 0 for a switch, which is no matter of degree.
    pub step: i32,
    /// Where it is kept.
    pub value: &'static AtomicI32,
}

impl Tunable {
    /// Whether this turns an idea on and off.
    #[must_use]
    pub fn is_switch(&self) -> bool {
        self.step == 0
    }

    /// Sets it, held to its range.
    pub fn set(&self, value: i32) {
        self.value.store(value.clamp(*self.range.start(), *self.range.end()), Ordering::Relaxed);
    }

    /// What holds now.
    #[must_use]
    pub fn get(&self) -> i32 {
        self.value.load(Ordering::Relaxed)
    }
}

/// Declares numbers: `name = default in low..=high step size;`, each with a doc comment that gives unit and meaning,
/// and switches: `name: on;` for ideas that an on/off match may turn off.
#[macro_export]
macro_rules! tunables {
    (
        numbers { $($(#[$number_doc:meta])* $number:ident = $default:literal in $low:literal..=$high:literal step $step:literal;)* }
        switches { $($(#[$switch_doc:meta])* $switch:ident: on;)* }
    ) => {
        $(
            const _: () = assert!($low <= $default && $default <= $high && $step > 0);
            $(#[$number_doc])*
            #[cfg(not(feature = "tune"))]
            #[inline(always)]
            pub(crate) const fn $number() -> i32 { $default }
            $(#[$number_doc])*
            #[cfg(feature = "tune")]
            #[inline(always)]
            pub(crate) fn $number() -> i32 { cells::$number.load(std::sync::atomic::Ordering::Relaxed) }
        )*
        $(
            $(#[$switch_doc])*
            #[cfg(not(feature = "tune"))]
            #[inline(always)]
            pub(crate) const fn $switch() -> bool { true }
            $(#[$switch_doc])*
            #[cfg(feature = "tune")]
            #[inline(always)]
            pub(crate) fn $switch() -> bool { cells::$switch.load(std::sync::atomic::Ordering::Relaxed) != 0 }
        )*
        #[cfg(feature = "tune")]
        #[allow(non_upper_case_globals, reason = "named as the numbers are")]
        mod cells {
            use std::sync::atomic::AtomicI32;
            $(pub(super) static $number: AtomicI32 = AtomicI32::new($default);)*
            $(pub(super) static $switch: AtomicI32 = AtomicI32::new(1);)*
        }
        /// Every number and switch, for UCI options and tuners.
        #[cfg(feature = "tune")]
        #[must_use]
        pub fn tunables() -> Vec<$crate::Tunable> {
            vec![
                $($crate::Tunable { name: stringify!($number), default: $default, range: $low..=$high, step: $step, value: &cells::$number },)*
                $($crate::Tunable { name: stringify!($switch), default: 1, range: 0..=1, step: 0, value: &cells::$switch },)*
            ]
        }
    };
}
