//! The last words of an engine on standard error, for the report of its death.

use std::collections::VecDeque;
use std::io::Read;
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Bytes of a line that are kept.
const LONGEST_LINE: usize = 1024;
/// Bytes asked of the pipe at once.
const CHUNK_BYTES: usize = 4096;

/// A ring of the last lines. A thread keeps reading, so that an engine which talks much there is never blocked.
#[derive(Debug)]
pub(crate) struct StderrTail {
    ring: Arc<Mutex<Ring>>,
    /// Closed when the engine has closed the stream.
    ended: Receiver<()>,
}

#[derive(Debug, Default)]
struct Ring {
    lines: VecDeque<Vec<u8>>,
    /// The last line has not ended yet.
    open: bool,
}

impl StderrTail {
    pub(crate) fn read(stream: impl Read + Send + 'static, capacity: usize) -> std::io::Result<Self> {
        let ring = Arc::new(Mutex::new(Ring::default()));
        let (end, ended) = sync_channel(0);
        let filled = Arc::clone(&ring);
        thread::Builder::new().name("uci-stderr".into()).spawn(move || {
            // Dropped when the thread ends, which tells the other side.
            let _end = end;
            pump(stream, &filled, capacity);
        })?;
        Ok(Self { ring, ended })
    }

    /// The lines so far, oldest first.
    pub(crate) fn lines(&self) -> Vec<String> {
        let ring = self.ring.lock().unwrap_or_else(PoisonError::into_inner);
        ring.lines.iter().map(|line| String::from_utf8_lossy(line).trim_end().to_owned()).collect()
    }

    /// The lines of an engine that has ended: waits a little for what is still in the pipe.
    pub(crate) fn last_lines(&self, patience: Duration) -> Vec<String> {
        // Both outcomes, closed and too late, mean to take what is there.
        let _ = self.ended.recv_timeout(patience);
        self.lines()
    }
}

fn pump(mut stream: impl Read, ring: &Mutex<Ring>, capacity: usize) {
    let mut chunk = [0; CHUNK_BYTES];
    loop {
        match stream.read(&mut chunk) {
            Ok(0) => return,
            Ok(length) => {
                let bytes = chunk.get(..length).unwrap_or_default();
                ring.lock().unwrap_or_else(PoisonError::into_inner).take(bytes, capacity);
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

impl Ring {
    fn take(&mut self, bytes: &[u8], capacity: usize) {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            if !self.open {
                self.lines.push_back(Vec::new());
            }
            if let Some(line) = self.lines.back_mut() {
                let room = LONGEST_LINE.saturating_sub(line.len());
                line.extend_from_slice(piece.get(..room.min(piece.len())).unwrap_or_default());
            }
            self.open = piece.last() != Some(&b'\n');
            while self.lines.len() > capacity {
                self.lines.pop_front();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_lines_are_kept() {
        let text: String = (0..100).map(|number| format!("line {number}\n")).collect::<String>() + "unfinished";
        let tail = StderrTail::read(std::io::Cursor::new(text), 3).unwrap();
        assert_eq!(tail.last_lines(Duration::from_secs(10)), ["line 98", "line 99", "unfinished"]);
    }

    #[test]
    fn long_lines_are_cut() {
        let tail = StderrTail::read(std::io::Cursor::new(vec![b'x'; 100_000]), 3).unwrap();
        assert_eq!(tail.last_lines(Duration::from_secs(10)), ["x".repeat(LONGEST_LINE)]);
    }
}
