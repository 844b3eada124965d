//! Reading what an engine writes.
//!
//! Each line is stamped with the time it was read. Where the operating system lets us wait for a pipe, whoever waits for
//! an engine does so itself: engines report many times in a search, and handing every report from one thread to another
//! would cost more than all the rest that a match manager does. Elsewhere a thread reads.
//!
//! Memory is bounded three times: a line is cut, the queue is short, and when it is full nothing is read any more, which in
//! the end blocks the engine and not us.

mod assembler;
#[cfg(unix)]
mod polled;
mod reports;
// Compiled for the tests as well, so that it is known to work.
#[cfg(any(test, not(unix)))]
mod threaded;

#[cfg(unix)]
pub(crate) use polled::LineReader;
#[cfg(not(unix))]
pub(crate) use threaded::LineReader;

pub(crate) use reports::{Reports, is_report, looks_like_main_line};

use std::time::Instant;

use crate::complaint::Complaint;

/// Lines that may wait to be looked at; times the longest line, this is what an engine can occupy.
const QUEUE_LINES: usize = 1024;
/// Bytes asked of the pipe at once.
const CHUNK_BYTES: usize = 16 * 1024;

/// A line and when it arrived.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// What stands on it, without the line break.
    pub text: String,
    /// When its last byte was read.
    pub at: Instant,
    /// What was wrong with it as a line: no UTF-8, or too long.
    pub complaints: Vec<Complaint>,
}

/// What came, or did not come.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Received {
    /// A line.
    Line(Line),
    /// Nothing in time.
    TimeUp,
    /// More than the limits allow; nothing is read any more.
    Flood,
    /// The program has closed its output, most likely by ending.
    Closed,
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::time::Duration;

    use super::*;
    use crate::limits::Limits;

    /// What both ways of reading must do alike.
    macro_rules! laws {
        ($name:ident) => {
            mod $name {
                use super::*;
                use crate::reader::$name::LineReader;

                fn soon() -> Instant {
                    Instant::now() + Duration::from_secs(30)
                }

                fn text(received: Received) -> String {
                    match received {
                        Received::Line(line) => line.text,
                        other => panic!("{other:?}"),
                    }
                }

                #[test]
                fn lines_come_in_order_and_then_the_end() {
                    let (stream, mut writer) = std::io::pipe().unwrap();
                    let mut reader = LineReader::new(stream, &Limits::default()).unwrap();
                    assert_eq!(reader.next(Instant::now()), Received::TimeUp);
                    writer.write_all(b"one\r\ntwo\nthr").unwrap();
                    assert_eq!(text(reader.next(soon())), "one");
                    assert_eq!(text(reader.next(soon())), "two");
                    assert_eq!(reader.next(Instant::now()), Received::TimeUp);
                    writer.write_all(b"ee\nunfinished").unwrap();
                    assert_eq!(text(reader.next(soon())), "three");
                    drop(writer);
                    assert_eq!(text(reader.next(soon())), "unfinished");
                    assert_eq!(reader.next(soon()), Received::Closed);
                    assert_eq!(reader.next(Instant::now()), Received::Closed);
                }

                #[test]
                fn a_flood_ends_the_reading() {
                    let (stream, mut writer) = std::io::pipe().unwrap();
                    let limits = Limits { lines_per_second: 2, ..Limits::default() };
                    let mut reader = LineReader::new(stream, &limits).unwrap();
                    writer.write_all(b"one\ntwo\nthree\nfour\n").unwrap();
                    let texts = [(); 3].map(|()| text(reader.next(soon())));
                    assert_eq!(texts, ["one", "two", "three"]);
                    assert_eq!(reader.next(soon()), Received::Flood);
                    assert_eq!(reader.next(soon()), Received::Flood);
                }
            }
        };
    }

    #[cfg(unix)]
    laws!(polled);
    laws!(threaded);

    #[cfg(unix)]
    #[test]
    fn what_has_arrived_is_stamped_when_it_is_taken() {
        let (stream, mut writer) = std::io::pipe().unwrap();
        let mut reader = LineReader::new(stream, &Limits::default()).unwrap();
        writer.write_all(b"early\n").unwrap();
        reader.take_arrived();
        let between = Instant::now();
        writer.write_all(b"late\n").unwrap();
        let soon = between + Duration::from_secs(30);
        let [early, late] = [(); 2].map(|()| match reader.next(soon) {
            Received::Line(line) => line,
            other => panic!("{other:?}"),
        });
        assert!(early.at <= between && between <= late.at);
    }

    #[cfg(unix)]
    #[test]
    fn reports_are_passed_over_up_to_the_next_line() {
        let (stream, mut writer) = std::io::pipe().unwrap();
        let mut reader = LineReader::new(stream, &Limits::default()).unwrap();
        let mut reports = Reports::default();
        writer.write_all(b"info score cp 1\ninfo score cp 2\ninfo str").unwrap();
        assert_eq!(reader.next_but_reports(Instant::now(), &mut reports), Received::TimeUp);
        writer.write_all(b"ing x\nbestmove e2e4\ninfo score cp 3\n").unwrap();
        let soon = Instant::now() + Duration::from_secs(30);
        let texts = [(); 2].map(|()| match reader.next_but_reports(soon, &mut reports) {
            Received::Line(line) => line.text,
            other => panic!("{other:?}"),
        });
        assert_eq!(texts, ["bestmove e2e4", "info score cp 3"]);
        let (count, last) = reports.collect();
        assert_eq!((count, last.unwrap().text.as_str()), (3, "info score cp 2"));
    }

    #[cfg(unix)]
    #[test]
    fn nobody_can_fill_our_memory() {
        let (stream, mut writer) = std::io::pipe().unwrap();
        let mut reader = LineReader::new(stream, &Limits::default()).unwrap();
        for _ in 0..4 {
            writer.write_all(&[b'\n'; CHUNK_BYTES]).unwrap();
            reader.take_arrived();
        }
        assert!(reader.waiting() < QUEUE_LINES + CHUNK_BYTES);
    }
}
