//! A program at the other end of three pipes.

use std::fmt::{self, Write as _};
use std::io;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::affinity::{self, Pinning};
use crate::command::EngineCommand;
use crate::courtesy;
use crate::error::Exit;
use crate::limits::{Limits, deadline};
use crate::reader::{LineReader, Received, Reports};
use crate::stderr::StderrTail;
use crate::writer::PatientWriter;

/// Waiting for the end of a program begins with naps of this length and doubles them.
const SHORTEST_NAP: Duration = Duration::from_micros(500);
/// The longest nap.
const LONGEST_NAP: Duration = Duration::from_millis(20);
/// How long the last lines of standard error may take once the program has ended.
const STDERR_PATIENCE: Duration = Duration::from_millis(200);

/// Who says a line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// We, to the engine.
    ToEngine,
    /// The engine, to us.
    FromEngine,
}

type Observer = Box<dyn FnMut(Direction, Instant, &str) + Send>;

/// A running program that is written to and read from line by line. It is killed when this value goes.
///
/// It knows nothing of the protocol's order, so that a conformance checker can break it; everybody else uses
/// [`crate::Engine`].
pub struct EngineProcess {
    child: Child,
    exit: Option<Exit>,
    writer: Option<PatientWriter>,
    write_limit: Duration,
    /// What is being written; kept because there is something to write for every move.
    outgoing: String,
    reader: LineReader,
    stderr: StderrTail,
    pinning: Option<Pinning>,
    observer: Option<Observer>,
}

impl EngineProcess {
    /// Starts the program, on its processors if the command names some.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn spawn(command: &EngineCommand, limits: &Limits) -> io::Result<Self> {
        let mut builder = Command::new(command.program_path());
        builder.args(&command.arguments).envs(command.environment.iter().map(|(name, value)| (name, value)));
        builder.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = &command.folder {
            builder.current_dir(folder);
        }
        // A group of its own: an engine behind a shell script dies with the script, and Ctrl-C reaches only us,
        // who can then end the game properly.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut builder, 0);
        let child = Leashed(Some(courtesy::as_usual(|| builder.spawn())?));
        Self::attach(child, command, limits)
    }

    fn attach(mut leashed: Leashed, command: &EngineCommand, limits: &Limits) -> io::Result<Self> {
        let missing = || io::Error::other("a pipe to the program is missing");
        let child = leashed.0.as_mut().ok_or_else(missing)?;
        let pinning = match command.cpus.as_slice() {
            [] => None,
            cpus => Some(affinity::pin(child.id(), cpus)?),
        };
        let writer = Some(PatientWriter::new(child.stdin.take().ok_or_else(missing)?)?);
        let reader = LineReader::new(child.stdout.take().ok_or_else(missing)?, limits)?;
        let stderr = child.stderr.take().ok_or_else(missing)?;
        let stderr = courtesy::as_usual(|| StderrTail::read(stderr, limits.stderr_lines))?;
        Ok(Self {
            child: leashed.0.take().ok_or_else(missing)?,
            exit: None,
            writer,
            write_limit: limits.write,
            outgoing: String::new(),
            reader,
            stderr,
            pinning,
            observer: None,
        })
    }

    /// Calls `observer` with every line in either direction from now on, for a log.
    pub fn observe(&mut self, observer: impl FnMut(Direction, Instant, &str) + Send + 'static) {
        self.observer = Some(Box::new(observer));
    }

    /// Takes over the observer of a process that has been replaced.
    pub(crate) fn inherit_observer(&mut self, old: &mut Self) {
        self.observer = old.observer.take();
    }

    /// The process number.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The processor time that the program has had, all its threads together but not its children; exact to some 10 ms. `None`
    /// where that cannot be asked.
    #[must_use]
    pub fn processor_time(&self) -> Option<Duration> {
        if self.exit.is_some() {
            // The number may belong to somebody else by now.
            return None;
        }
        processor_time(self.child.id())
    }

    /// Holds the program to some processors from now on.
    ///
    /// # Errors
    /// What the operating system says, for instance that there is no such processor.
    pub fn pin(&mut self, cpus: &[usize]) -> io::Result<Pinning> {
        let pinning = affinity::pin(self.child.id(), cpus)?;
        self.pinning = Some(pinning);
        Ok(pinning)
    }

    /// Whether processors were assigned; `None` if nobody asked for that.
    #[must_use]
    pub fn pinning(&self) -> Option<Pinning> {
        self.pinning
    }

    /// Writes one line. Line breaks inside `line` are written as they are: messages have none. Tells when, just before: the
    /// system may let the program answer before it comes back to us, and what arrived earlier cannot be an answer.
    ///
    /// # Errors
    /// [`io::ErrorKind::TimedOut`] if the program does not read, [`io::ErrorKind::BrokenPipe`] if it is gone.
    pub fn send(&mut self, line: impl fmt::Display) -> io::Result<Instant> {
        self.send_together(&[&line])
    }

    /// Writes several lines in one piece, so that the program wakes up only once.
    ///
    /// # Errors
    /// As for [`Self::send`].
    pub fn send_together(&mut self, lines: &[&dyn fmt::Display]) -> io::Result<Instant> {
        let mut text = std::mem::take(&mut self.outgoing);
        text.clear();
        for line in lines {
            writeln!(text, "{line}").map_err(io::Error::other)?;
        }
        let written = self.write(&text);
        self.outgoing = text;
        written
    }

    fn write(&mut self, text: &str) -> io::Result<Instant> {
        let writer = self.writer.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        // What has arrived by now cannot be an answer, and its time shall say so.
        self.reader.take_arrived();
        let begun = Instant::now();
        writer.write(text.as_bytes(), self.write_limit)?;
        if let Some(observer) = &mut self.observer {
            text.split_terminator('\n').for_each(|line| observer(Direction::ToEngine, begun, line));
        }
        Ok(begun)
    }

    /// The next line, if one comes before `deadline`. What has already arrived is delivered even after it.
    pub fn receive(&mut self, deadline: Instant) -> Received {
        let received = self.reader.next(deadline);
        if let (Received::Line(line), Some(observer)) = (&received, &mut self.observer) {
            observer(Direction::FromEngine, line.at, &line.text);
        }
        received
    }

    /// The same, but reports are only counted, and the last one on the first choice is kept. An observer still sees every
    /// line; then reports are handed over too.
    pub(crate) fn receive_but_reports(&mut self, deadline: Instant, reports: &mut Reports) -> Received {
        if self.observer.is_some() {
            return self.receive(deadline);
        }
        self.reader.next_but_reports(deadline, reports)
    }

    /// Takes what a program says while nobody waits for it, up to a limit: with its pipe full it would be blocked.
    pub fn attend(&mut self) {
        self.reader.take_arrived();
    }

    /// The last lines on standard error so far, oldest first.
    #[must_use]
    pub fn stderr(&self) -> Vec<String> {
        self.stderr.lines()
    }

    /// The last lines on standard error of a program that has ended: waits a moment for what is on the way.
    #[must_use]
    pub fn last_stderr(&self) -> Vec<String> {
        self.stderr.last_lines(STDERR_PATIENCE)
    }

    /// How the program ended, if it does within `patience`.
    pub fn wait(&mut self, patience: Duration) -> Option<Exit> {
        let begun = Instant::now();
        let mut nap = SHORTEST_NAP;
        loop {
            if self.exit.is_some() {
                return self.exit;
            }
            match self.child.try_wait() {
                Ok(Some(status)) => self.exit = Some(status.into()),
                Ok(None) if begun.elapsed() < patience => {
                    thread::sleep(nap);
                    nap = (nap * 2).min(LONGEST_NAP);
                }
                _ => return None,
            }
        }
    }

    /// Closes the program's input and waits until it has ended, passing over what it still says. `None` if it
    /// has not ended in time.
    pub fn close(&mut self, patience: Duration) -> Option<Exit> {
        self.writer = None;
        let begun = Instant::now();
        let deadline = deadline(patience);
        while let Received::Line(_) = self.receive(deadline) {
            if Instant::now() >= deadline {
                break;
            }
        }
        self.wait(patience.saturating_sub(begun.elapsed()))
    }

    /// Ends the program, and all it has started, at once. Harmless if it has ended already.
    pub fn kill(&mut self) -> Exit {
        if let Some(exit) = self.exit {
            return exit;
        }
        let exit = end(&mut self.child);
        self.exit = Some(exit);
        exit
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A child that is killed if its attachment fails halfway.
struct Leashed(Option<Child>);

impl Drop for Leashed {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            end(child);
        }
    }
}

/// What Linux counts times in when it tells them to programs, whatever its own ticks are.
#[cfg(target_os = "linux")]
const TICK: Duration = Duration::from_millis(10);

/// The processor time of a process, as Linux tells it.
#[cfg(target_os = "linux")]
fn processor_time(id: u32) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name in brackets may hold anything; the twelfth and thirteenth field behind it are the times.
    let mut fields = stat.rsplit_once(") ")?.1.split(' ').skip(11);
    let mut ticks = || fields.next()?.parse::<u64>().ok();
    let ticks = ticks()? + ticks()?;
    Some(TICK.saturating_mul(u32::try_from(ticks).ok()?))
}

#[cfg(not(target_os = "linux"))]
fn processor_time(_id: u32) -> Option<Duration> {
    None
}

/// Kills and reaps: without the second part a zombie would stay until we end ourselves.
fn end(child: &mut Child) -> Exit {
    // Not reaped yet, so that the number still belongs to this child and its group.
    #[cfg(unix)]
    if let Ok(None) = child.try_wait() {
        let group = rustix::process::Pid::from_child(child);
        // It may have ended this moment; then there is nothing to kill.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
    child.wait().map_or(Exit::Unknown, Exit::from)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_program_at_work_is_seen_to_use_a_processor() {
        let mut command = EngineCommand::new("sh");
        command.arguments = vec!["-c".into(), "while :; do :; done".into()];
        let mut process = EngineProcess::spawn(&command, &Limits::default()).unwrap();
        let begun = Instant::now();
        while process.processor_time().unwrap() < Duration::from_millis(50) {
            assert!(begun.elapsed() < Duration::from_secs(60));
            thread::sleep(LONGEST_NAP);
        }
        process.kill();
        assert_eq!(process.processor_time(), None);
    }
}
