//! Opening book files, compressed or not.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{BufReader, Cursor, Read};
use std::path::Path;

use kiebitz_pgn::Source;
use zip::ZipArchive;

use super::{Book, BookError, Polyglot};

/// The largest book inside an archive, in bytes: what claims to be larger is refused rather than unpacked.
const LARGEST_MEMBER: u64 = 1 << 30;

/// What a book consists of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Positions,
    Pgn,
    Polyglot,
}

impl Kind {
    /// What the name says, compression aside.
    fn of(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        let bare = [".zst", ".gz", ".bz2"].iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(&name);
        match Path::new(bare).extension().and_then(OsStr::to_str) {
            Some("epd" | "fen" | "txt") => Some(Self::Positions),
            Some("pgn") => Some(Self::Pgn),
            Some("bin") => Some(Self::Polyglot),
            _ => None,
        }
    }
}

/// Opens a book of any kind.
pub(super) fn open(path: &Path, plies: Option<usize>) -> Result<Book, BookError> {
    let name = path.display().to_string();
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zip")) {
        return open_archive(path, &name, plies);
    }
    let kind = Kind::of(&name).ok_or_else(|| BookError::UnknownKind { file: name.clone() })?;
    read(kind, Source::open(path)?, plies)
}

fn read(kind: Kind, source: Source<'_>, plies: Option<usize>) -> Result<Book, BookError> {
    let name = source.name().to_owned();
    match kind {
        Kind::Positions => Book::from_position_lines(&name, source),
        Kind::Pgn => Book::from_pgn(source, plies),
        Kind::Polyglot => Polyglot::from_reader(&name, source)?.book(plies.unwrap_or(Polyglot::DEFAULT_PLIES)),
    }
}

/// Reads the only book in a zip archive.
fn open_archive(path: &Path, name: &str, plies: Option<usize>) -> Result<Book, BookError> {
    let problem = |problem: String| BookError::Archive { file: name.to_owned(), problem };
    let damaged = |error: &dyn std::fmt::Display| problem(format!("cannot be unpacked: {error}"));
    let file = File::open(path).map_err(|error| problem(format!("cannot be opened: {error}")))?;
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(|error| damaged(&error))?;
    let names: Vec<String> = archive.file_names().flatten().map(|name| name.into_owned()).collect();
    let books: Vec<(usize, Kind)> =
        names.iter().enumerate().filter_map(|(index, name)| Some((index, Kind::of(name)?))).collect();
    let &[(index, kind)] = &books[..] else {
        return Err(problem(format!("expected one book inside, found {} in {names:?}", books.len())));
    };
    let member = archive.by_index(index).map_err(|error| damaged(&error))?;
    if member.size() > LARGEST_MEMBER {
        return Err(problem(format!("{} is larger than {} MiB", names[index], LARGEST_MEMBER >> 20)));
    }
    let mut bytes = Vec::new();
    // What an archive says about sizes need not be true.
    member.take(LARGEST_MEMBER).read_to_end(&mut bytes).map_err(|error| damaged(&error))?;
    read(kind, Source::detect(name, Cursor::new(bytes), None)?, plies)
}
