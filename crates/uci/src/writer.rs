//! Writing to an engine that may not read.
//!
//! A pipe holds some 64 KB; a hung engine leaves it full, and a plain write would then hang us too. On Unix the
//! pipe is therefore written without blocking and waited for with a limit. Elsewhere a write may block.

use std::io::{self, Write};
use std::process::ChildStdin;
use std::time::{Duration, Instant};

pub(crate) struct PatientWriter {
    stdin: ChildStdin,
}

impl PatientWriter {
    pub(crate) fn new(stdin: ChildStdin) -> io::Result<Self> {
        // Only our end of the pipe: the engine's end is another open file.
        #[cfg(unix)]
        rustix::io::ioctl_fionbio(&stdin, true)?;
        Ok(Self { stdin })
    }

    /// Writes everything or fails, with [`io::ErrorKind::TimedOut`] if the engine does not read.
    pub(crate) fn write(&mut self, bytes: &[u8], limit: Duration) -> io::Result<()> {
        let begun = Instant::now();
        let mut rest = bytes;
        while !rest.is_empty() {
            match self.stdin.write(rest) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(written) => rest = rest.get(written..).unwrap_or_default(),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    let left = limit.checked_sub(begun.elapsed()).filter(|left| !left.is_zero());
                    self.wait(left.ok_or(io::ErrorKind::TimedOut)?)?;
                }
                Err(error) => return Err(error),
            }
        }
        self.stdin.flush()
    }

    /// Waits until there is room in the pipe, or for so long.
    #[cfg(unix)]
    fn wait(&self, limit: Duration) -> io::Result<()> {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let timeout = Timespec::try_from(limit).map_err(|_| io::ErrorKind::InvalidInput)?;
        match poll(&mut [PollFd::new(&self.stdin, PollFlags::OUT)], Some(&timeout)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    #[cfg(not(unix))]
    fn wait(&self, limit: Duration) -> io::Result<()> {
        std::thread::sleep(limit.min(Duration::from_millis(1)));
        Ok(())
    }
}
