//! Reading by whoever waits.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::assembler::{Flow, LineAssembler};
use super::{CHUNK_BYTES, Line, QUEUE_LINES, Received};
use crate::limits::Limits;

pub(crate) struct LineReader {
    stream: File,
    assembler: LineAssembler,
    lines: VecDeque<Line>,
    chunk: Box<[u8]>,
    /// Set once nothing more will be read.
    end: Option<Received>,
}

impl LineReader {
    pub(crate) fn new(stream: impl Into<OwnedFd>, limits: &Limits) -> io::Result<Self> {
        let stream = File::from(stream.into());
        // Only our end of the pipe: the engine's end is another open file.
        rustix::io::ioctl_fionbio(&stream, true)?;
        Ok(Self {
            stream,
            assembler: LineAssembler::new(limits),
            lines: VecDeque::new(),
            chunk: vec![0; CHUNK_BYTES].into(),
            end: None,
        })
    }

    /// The next line, if one comes before `deadline`. What has already arrived is delivered even after it.
    pub(crate) fn next(&mut self, deadline: Instant) -> Received {
        loop {
            if let Some(line) = self.lines.pop_front() {
                return Received::Line(line);
            }
            if let Some(end) = &self.end {
                return end.clone();
            }
            match self.wait(deadline) {
                Ok(true) => {
                    self.read();
                }
                Ok(false) => return Received::TimeUp,
                Err(_) => self.end = Some(Received::Closed),
            }
        }
    }

    /// Takes what has arrived, without waiting, so that its time is known.
    pub(crate) fn take_arrived(&mut self) {
        while self.end.is_none() && self.lines.len() < QUEUE_LINES && self.read() == CHUNK_BYTES {}
    }

    /// Waits until there is something to be read; `false` if the time is up.
    fn wait(&self, deadline: Instant) -> io::Result<bool> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let timeout = Timespec::try_from(left).map_err(|_| io::ErrorKind::InvalidInput)?;
            match poll(&mut [PollFd::new(&self.stream, PollFlags::IN)], Some(&timeout)) {
                Ok(ready) => return Ok(ready > 0),
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Reads once, without waiting, and tells how many bytes came.
    fn read(&mut self) -> usize {
        let length = match self.stream.read(&mut self.chunk) {
            Ok(length) => length,
            Err(error) if matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock) => return 0,
            Err(_) => 0,
        };
        let at = Instant::now();
        if length == 0 {
            self.lines.extend(self.assembler.unfinished(at));
            self.end = Some(Received::Closed);
        }
        let bytes = self.chunk.get(..length).unwrap_or_default();
        let lines = &mut self.lines;
        let flow = self.assembler.take(bytes, at, &mut |line| {
            lines.push_back(line);
            true
        });
        if flow == Flow::Flood {
            self.end = Some(Received::Flood);
        }
        length
    }

    /// How many lines wait to be looked at.
    #[cfg(test)]
    pub(super) fn waiting(&self) -> usize {
        self.lines.len()
    }
}
