//! Reading by a thread, where one cannot wait for a pipe.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Instant;

use super::assembler::{CompleteLine, Flow, LineAssembler};
use super::{CHUNK_BYTES, Line, QUEUE_LINES, Received};
use crate::limits::Limits;

pub(crate) struct LineReader {
    received: Receiver<Received>,
    /// Set once nothing more can come.
    end: Option<Received>,
}

impl LineReader {
    /// Starts the thread. It ends with the stream, with a flood, or at the first line nobody wants.
    pub(crate) fn new(stream: impl Read + Send + 'static, limits: &Limits) -> io::Result<Self> {
        let (sender, received) = sync_channel(QUEUE_LINES);
        let assembler = LineAssembler::new(limits);
        thread::Builder::new().name("uci-reader".into()).spawn(move || pump(stream, assembler, &sender))?;
        Ok(Self { received, end: None })
    }

    /// The next line, if one comes before `deadline`. What has already arrived is delivered even after it.
    pub(crate) fn next(&mut self, deadline: Instant) -> Received {
        if let Some(end) = &self.end {
            return end.clone();
        }
        match self.received.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(Received::Line(line)) => Received::Line(line),
            Err(RecvTimeoutError::Timeout) => Received::TimeUp,
            Ok(end) => self.end.insert(end).clone(),
            Err(RecvTimeoutError::Disconnected) => self.end.insert(Received::Closed).clone(),
        }
    }

    /// The thread takes everything at once.
    #[cfg(not(unix))]
    pub(crate) fn take_arrived(&mut self) {}

    /// The thread hands every line over.
    #[cfg(not(unix))]
    pub(crate) fn next_but_reports(&mut self, deadline: Instant, _reports: &mut super::Reports) -> Received {
        self.next(deadline)
    }
}

fn send(sender: &SyncSender<Received>, line: CompleteLine<'_>, at: Instant) -> bool {
    let line = Line { text: line.text.to_owned(), at, complaints: line.complaints };
    sender.send(Received::Line(line)).is_ok()
}

fn pump(mut stream: impl Read, mut assembler: LineAssembler, sender: &SyncSender<Received>) {
    let mut chunk = [0; CHUNK_BYTES];
    let last = loop {
        match stream.read(&mut chunk) {
            Ok(0) => break Received::Closed,
            Ok(length) => {
                let bytes = chunk.get(..length).unwrap_or_default();
                let at = Instant::now();
                match assembler.take(bytes, at, &mut |line| send(sender, line, at)) {
                    Flow::On => {}
                    Flow::Flood => break Received::Flood,
                    Flow::Unwanted => return,
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => break Received::Closed,
        }
    };
    let at = Instant::now();
    if last == Received::Closed && assembler.finish(&mut |line| send(sender, line, at)) == Flow::Unwanted {
        return;
    }
    // Nobody listening any more is no failure: the engine is being put away.
    let _ = sender.send(last);
}
