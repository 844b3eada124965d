//! Asking for large pages of memory.
//!
//! Tables of many megabytes are read all over the place, and with small pages nearly every read has to look up the page first.

/// Memory below this size, in bytes, is not worth the asking: one large page of x86-64.
const LEAST: usize = 2 << 20;

/// Asks the system to back the room that a vector has reserved with large pages; does nothing for small vectors and where
/// there is nobody to ask. It helps most before the room is written to for the first time.
pub fn prefer_huge_pages<T>(room: &Vec<T>) {
    let length = room.capacity().saturating_mul(size_of::<T>());
    if length >= LEAST {
        advise(room.as_ptr() as usize, length);
    }
}

#[cfg(all(target_os = "linux", not(miri)))]
fn advise(start: usize, length: usize) {
    use std::ffi::{c_int, c_void};

    /// `MADV_HUGEPAGE` of Linux.
    const HUGE_PAGE: c_int = 14;
    /// The smallest page; the call wants to begin at one.
    const PAGE: usize = 4096;

    unsafe extern "C" {
        fn madvise(address: *mut c_void, length: usize, advice: c_int) -> c_int;
    }

    let first = start.next_multiple_of(PAGE);
    let length = (start + length).saturating_sub(first) / PAGE * PAGE;
    // SAFETY: the range lies inside of one allocation, and the advice changes no content. It may be refused, which changes
    // nothing either.
    let _ = unsafe { madvise(first as *mut c_void, length, HUGE_PAGE) };
}

#[cfg(not(all(target_os = "linux", not(miri))))]
fn advise(_: usize, _: usize) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn asking_changes_nothing() {
        for length in [0, 10, LEAST / 8, 3 * LEAST / 8 + 5] {
            let mut room: Vec<u64> = Vec::with_capacity(length);
            prefer_huge_pages(&room);
            room.extend(0..length as u64);
            prefer_huge_pages(&room);
            assert!(room.iter().enumerate().all(|(place, &value)| value == place as u64));
        }
    }
}
