//! On which processors an engine may run.
//!
//! Uses `rustix`, which wraps the system calls safely. Linux only; elsewhere nothing happens, and
//! [`Pinning::Unsupported`] says so.

use std::io;

/// Whether processors were assigned.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pinning {
    /// The engine runs on the given processors only.
    Done,
    /// This system offers no safe way; the engine runs where it likes.
    Unsupported,
}

/// The processors this program may use itself, by number; empty where that cannot be asked.
///
/// # Errors
/// What the operating system says.
#[cfg(target_os = "linux")]
pub fn available_cpus() -> io::Result<Vec<usize>> {
    let set = rustix::thread::sched_getaffinity(None)?;
    Ok((0..rustix::thread::CpuSet::MAX_CPU).filter(|&cpu| set.is_set(cpu)).collect())
}

/// The processors this program may use itself, by number; empty where that cannot be asked.
///
/// # Errors
/// None here.
#[cfg(not(target_os = "linux"))]
pub fn available_cpus() -> io::Result<Vec<usize>> {
    Ok(Vec::new())
}

/// Holds the calling thread, and whatever it starts, to some processors.
///
/// # Errors
/// What the operating system says, for instance that there is no such processor.
#[cfg(target_os = "linux")]
pub fn pin_this_thread(cpus: &[usize]) -> io::Result<Pinning> {
    rustix::thread::sched_setaffinity(None, &cpu_set(cpus)?)?;
    Ok(Pinning::Done)
}

/// Does nothing here.
///
/// # Errors
/// None here.
#[cfg(not(target_os = "linux"))]
pub fn pin_this_thread(_cpus: &[usize]) -> io::Result<Pinning> {
    Ok(Pinning::Unsupported)
}

#[cfg(target_os = "linux")]
fn cpu_set(cpus: &[usize]) -> io::Result<rustix::thread::CpuSet> {
    use rustix::thread::CpuSet;

    let mut set = CpuSet::new();
    for &cpu in cpus {
        if cpu >= CpuSet::MAX_CPU {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, format!("there is no processor {cpu}")));
        }
        set.set(cpu);
    }
    Ok(set)
}

/// Holds a process, with all threads it has now and will have, to some processors.
#[cfg(target_os = "linux")]
pub(crate) fn pin(process: u32, cpus: &[usize]) -> io::Result<Pinning> {
    use rustix::thread::sched_setaffinity;

    let set = cpu_set(cpus)?;
    let main = pid(&process.to_string())?;
    sched_setaffinity(Some(main), &set)?;
    // The kernel knows threads only. New ones inherit from the main thread, those that already run do not.
    let Ok(threads) = std::fs::read_dir(format!("/proc/{process}/task")) else { return Ok(Pinning::Done) };
    for thread in threads.flatten() {
        match sched_setaffinity(Some(pid(&thread.file_name().to_string_lossy())?), &set) {
            // A thread that has ended meanwhile needs no processor.
            Ok(()) | Err(rustix::io::Errno::SRCH) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(Pinning::Done)
}

#[cfg(target_os = "linux")]
fn pid(number: &str) -> io::Result<rustix::process::Pid> {
    let number = number.parse().ok().and_then(rustix::process::Pid::from_raw);
    number.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "not the number of a process"))
}

/// Does nothing here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn pin(_process: u32, _cpus: &[usize]) -> io::Result<Pinning> {
    Ok(Pinning::Unsupported)
}
