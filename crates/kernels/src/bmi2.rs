//! Parallel bit extract and deposit (BMI2), where the CPU is fast at them.

use std::arch::x86_64::{__cpuid, _pdep_u64, _pext_u64};
use std::sync::atomic::{AtomicU8, Ordering};

/// Proof that this CPU has BMI2 (and BMI1, LZCNT, POPCNT) and executes `pext` in hardware.
///
/// AMD's Zen 1 and Zen 2 have the instruction but run it as a loop of micro-operations, up to a hundred times
/// slower than on Zen 3; [`Bmi2::detect`] refuses those, because a multiplication is faster there.
#[derive(Clone, Copy, Debug)]
pub struct Bmi2(());

/// What [`DETECTED`] holds before the first question.
const UNKNOWN: u8 = 0;
const ABSENT: u8 = 1;
const PRESENT: u8 = 2;

static DETECTED: AtomicU8 = AtomicU8::new(UNKNOWN);

/// The first AMD family (Zen 3) whose `pext` is a single hardware operation.
const FIRST_FAST_AMD_FAMILY: u32 = 0x19;

impl Bmi2 {
    /// The token, if the CPU has the instructions and is fast at them. Costs one load after the first call.
    #[inline]
    #[must_use]
    pub fn detect() -> Option<Self> {
        match DETECTED.load(Ordering::Relaxed) {
            PRESENT => Some(Self(())),
            ABSENT => None,
            _ => Self::probe(),
        }
    }

    #[cold]
    fn probe() -> Option<Self> {
        let present = is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
            && !pext_is_microcoded();
        DETECTED.store(if present { PRESENT } else { ABSENT }, Ordering::Relaxed);
        present.then_some(Self(()))
    }

    /// Gathers the bits of `value` that `mask` selects into the low bits of the result.
    #[inline(always)]
    #[must_use]
    pub fn pext(self, value: u64, mask: u64) -> u64 {
        // SAFETY: the token exists only where `probe` found BMI2.
        unsafe { _pext_u64(value, mask) }
    }

    /// Scatters the low bits of `value` to the places that `mask` selects; the inverse of [`Self::pext`].
    #[inline(always)]
    #[must_use]
    pub fn pdep(self, value: u64, mask: u64) -> u64 {
        // SAFETY: the token exists only where `probe` found BMI2.
        unsafe { _pdep_u64(value, mask) }
    }

    /// Runs `work` inside a function compiled for this feature set, so that everything that is inlined into
    /// the closure uses the instructions directly instead of through a call.
    #[inline(always)]
    pub fn run<R>(self, work: impl FnOnce(Self) -> R) -> R {
        // SAFETY: the token exists only where `probe` found all four features that `enter` enables.
        unsafe { enter(self, work) }
    }
}

/// # Safety
/// The CPU must have BMI1, BMI2, LZCNT and POPCNT.
#[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
fn enter<R>(token: Bmi2, work: impl FnOnce(Bmi2) -> R) -> R {
    work(token)
}

/// Whether this is an AMD (or Hygon) CPU older than Zen 3.
fn pext_is_microcoded() -> bool {
    let vendor = __cpuid(0);
    let name = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes);
    let amd = matches!(name.as_flattened(), b"AuthenticAMD" | b"HygonGenuine");
    let version = __cpuid(1).eax;
    let base_family = version >> 8 & 0xf;
    let family = if base_family == 0xf { base_family + (version >> 20 & 0xff) } else { base_family };
    amd && family < FIRST_FAST_AMD_FAMILY
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bit by bit, as the manual defines it.
    fn slow_pext(value: u64, mask: u64) -> u64 {
        let selected = (0..64).filter(|bit| mask >> bit & 1 == 1);
        selected.enumerate().map(|(place, bit)| (value >> bit & 1) << place).sum()
    }

    #[test]
    fn pext_and_pdep_follow_their_definition() {
        let Some(bmi2) = Bmi2::detect() else {
            eprintln!("skipped: this CPU has no fast BMI2");
            return;
        };
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..1000 {
            state = state.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
            let (value, mask) = (state, state.rotate_left(29) & state.rotate_left(13));
            assert_eq!(bmi2.pext(value, mask), slow_pext(value, mask));
            assert_eq!(bmi2.pdep(bmi2.pext(value, mask), mask), value & mask);
            assert_eq!(bmi2.run(|inner| inner.pext(value, mask)), slow_pext(value, mask));
        }
    }
}
