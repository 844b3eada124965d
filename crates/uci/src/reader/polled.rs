//! Reading by whoever waits.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::assembler::{CompleteLine, Flow, LineAssembler};
use super::{CHUNK_BYTES, Line, QUEUE_LINES, Received, Reports};
use crate::limits::Limits;

/// The line after which reports belong to the next search.
const READY: &str = "readyok";

pub(crate) struct LineReader {
    stream: File,
    assembler: LineAssembler,
    lines: VecDeque<Line>,
    chunk: Box<[u8]>,
    /// Something was asked since anybody last looked whether there is an answer.
    is_asked: bool,
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
            is_asked: false,
            end: None,
        })
    }

    /// The next line, if one comes before `deadline`. What has already arrived is delivered even after it.
    pub(crate) fn next(&mut self, deadline: Instant) -> Received {
        self.listen(deadline, None)
    }

    /// The next line that is no report, as long as nothing waits in front of the reports.
    pub(crate) fn next_but_reports(&mut self, deadline: Instant, reports: &mut Reports) -> Received {
        self.listen(deadline, Some(reports))
    }

    fn listen(&mut self, deadline: Instant, mut reports: Option<&mut Reports>) -> Received {
        loop {
            if let Some(line) = self.lines.pop_front() {
                return Received::Line(line);
            }
            if let Some(end) = &self.end {
                return end.clone();
            }
            // Whoever gives way to the engine comes back from asking when the answer is there, and need not wait for it.
            if std::mem::take(&mut self.is_asked) && self.read(reports.as_deref_mut()) > 0 {
                continue;
            }
            let now = Instant::now();
            match self.wait(deadline.saturating_duration_since(now)) {
                Ok(true) => {
                    self.read(reports.as_deref_mut());
                    // One that never stops reporting must not be listened to for ever.
                    if reports.is_some() && now > deadline && self.lines.is_empty() && self.end.is_none() {
                        return Received::TimeUp;
                    }
                }
                Ok(false) => return Received::TimeUp,
                Err(_) => self.end = Some(Received::Closed),
            }
        }
    }

    /// Takes what has arrived, without waiting, so that its time is known: something is about to be asked.
    pub(crate) fn take_arrived(&mut self) {
        self.is_asked = true;
        while self.end.is_none() && self.lines.len() < QUEUE_LINES && self.read(None) == CHUNK_BYTES {}
    }

    /// Waits for so long until there is something to be read; `false` if the time is up.
    fn wait(&self, limit: Duration) -> io::Result<bool> {
        let timeout = Timespec::try_from(limit).map_err(|_| io::ErrorKind::InvalidInput)?;
        match poll(&mut [PollFd::new(&self.stream, PollFlags::IN)], Some(&timeout)) {
            Ok(ready) => Ok(ready > 0),
            // Nothing is read then, and the wait begins anew.
            Err(rustix::io::Errno::INTR) => Ok(true),
            Err(error) => Err(error.into()),
        }
    }

    /// Reads once, without waiting, and tells how many bytes came.
    fn read(&mut self, mut reports: Option<&mut Reports>) -> usize {
        let length = match self.stream.read(&mut self.chunk) {
            Ok(length) => length,
            Err(error) if matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock) => return 0,
            Err(_) => 0,
        };
        let at = Instant::now();
        let bytes = self.chunk.get(..length).unwrap_or_default();
        let lines = &mut self.lines;
        let mut keep = |line: CompleteLine<'_>| {
            let is_taken = match &mut reports {
                Some(reports) => {
                    // Reports before a `readyok` belong to something earlier, those behind an answer to nothing.
                    let is_open = lines.back().is_none_or(|line| line.text == READY);
                    if line.text == READY {
                        reports.collect();
                    }
                    is_open && line.complaints.is_empty() && reports.take(line.text, at)
                }
                None => false,
            };
            if !is_taken {
                lines.push_back(Line { text: line.text.to_owned(), at, complaints: line.complaints });
            }
            true
        };
        if length == 0 {
            self.assembler.finish(&mut keep);
            self.end = Some(Received::Closed);
        } else if self.assembler.take(bytes, at, &mut keep) == Flow::Flood {
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
