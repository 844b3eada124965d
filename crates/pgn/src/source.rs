//! Where games come from: files and streams, plain or compressed.
//!
//! The compression is recognised by the first bytes, not by the name: downloads are renamed all the time.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::{SourceError, SourceProblem};

/// The largest window of a zstd file, as a power of two: what `zstd --long=31` writes (2 GiB). Memory is used only as
/// far as a file asks for it.
const ZSTD_WINDOW_LOG: u32 = 31;

/// How much is read from the operating system at a time.
const READ_BUFFER_BYTES: usize = 256 << 10;

/// How a source is compressed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Compression {
    /// Not at all.
    None,
    /// Zstandard, `.zst`.
    Zstd,
    /// `.gz`
    Gzip,
    /// `.bz2`
    Bzip2,
}

impl Compression {
    /// Recognises a compression by the first bytes of a file.
    fn detect(head: &[u8]) -> Self {
        match head {
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Self::Zstd,
            [0x1f, 0x8b, ..] => Self::Gzip,
            [b'B', b'Z', b'h', b'1'..=b'9', ..] => Self::Bzip2,
            _ => Self::None,
        }
    }
}

/// A stream of PGN text with a name for error messages.
pub struct Source<'a> {
    name: Arc<str>,
    reader: Box<dyn Read + Send + 'a>,
    compression: Compression,
    size: Option<u64>,
    consumed: Arc<AtomicU64>,
}

impl fmt::Debug for Source<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Source").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Source<'static> {
    /// Opens a file; `-` is the standard input.
    ///
    /// # Errors
    /// When the file cannot be opened or its first bytes cannot be read.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, SourceError> {
        let path = path.as_ref();
        if path == Path::new("-") {
            return Self::detect("standard input", io::stdin(), None);
        }
        let name = path.display().to_string();
        let open = || {
            let file = File::open(path)?;
            let metadata = file.metadata()?;
            // Opening a folder works; reading it gives a message nobody understands.
            if metadata.is_dir() {
                return Err(io::Error::from(io::ErrorKind::IsADirectory));
            }
            Ok((file, metadata.is_file().then_some(metadata.len())))
        };
        match open() {
            Ok((file, size)) => Self::detect(&name, file, size),
            Err(error) => Err(SourceError { file: name, problem: SourceProblem::Open, error }),
        }
    }
}

impl<'a> Source<'a> {
    /// Plain text from any reader; nothing is decompressed.
    pub fn from_reader(name: &str, reader: impl Read + Send + 'a) -> Self {
        let consumed = Arc::new(AtomicU64::new(0));
        let reader = Counted { reader, count: Arc::clone(&consumed) };
        Self { name: name.into(), reader: Box::new(reader), compression: Compression::None, size: None, consumed }
    }

    /// Text from any reader, decompressed if its first bytes say so. `size` is that of the compressed data, if known.
    ///
    /// # Errors
    /// When the first bytes cannot be read.
    pub fn detect(name: &str, reader: impl Read + Send + 'a, size: Option<u64>) -> Result<Self, SourceError> {
        let consumed = Arc::new(AtomicU64::new(0));
        let counted = Counted { reader, count: Arc::clone(&consumed) };
        let mut buffered = BufReader::with_capacity(READ_BUFFER_BYTES, counted);
        let name: Arc<str> = name.into();
        let failed = |problem, error| SourceError { file: name.to_string(), problem, error };
        let head = loop {
            // A terminal or a pipe may be interrupted before it has said anything.
            match buffered.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other.map_err(|error| failed(SourceProblem::Read, error))?,
            }
        };
        let compression = Compression::detect(head);
        let reader: Box<dyn Read + Send + 'a> = match compression {
            Compression::None => Box::new(buffered),
            Compression::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(buffered)),
            Compression::Bzip2 => Box::new(bzip2::bufread::MultiBzDecoder::new(buffered)),
            Compression::Zstd => {
                let decoder = zstd::stream::read::Decoder::with_buffer(buffered).and_then(|mut decoder| {
                    decoder.window_log_max(ZSTD_WINDOW_LOG)?;
                    Ok(decoder)
                });
                Box::new(decoder.map_err(|error| failed(SourceProblem::Decompress, error))?)
            }
        };
        Ok(Self { name, reader, compression, size, consumed })
    }

    /// The name, as error messages give it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn name_shared(&self) -> Arc<str> {
        Arc::clone(&self.name)
    }

    /// How the source is compressed.
    #[must_use]
    pub const fn compression(&self) -> Compression {
        self.compression
    }

    /// Size of the file as it is on the disk, in bytes, where that is known.
    #[must_use]
    pub const fn size(&self) -> Option<u64> {
        self.size
    }

    /// A counter of the bytes taken from the file so far, compressed ones where it is compressed; for progress bars.
    #[must_use]
    pub fn consumed(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.consumed)
    }

    /// Appends up to `count` bytes; tells how the source ended, once it has.
    pub(crate) fn read_some(&mut self, buffer: &mut Vec<u8>, count: usize) -> Option<Result<(), io::Error>> {
        match self.reader.by_ref().take(count as u64).read_to_end(buffer) {
            Ok(read) if read < count => Some(Ok(())),
            Ok(_) => None,
            Err(error) => Some(Err(error)),
        }
    }

    /// Puts this source's name to an error.
    pub(crate) fn error(&self, error: io::Error) -> SourceError {
        let damaged = matches!(
            error.kind(),
            io::ErrorKind::UnexpectedEof
                | io::ErrorKind::InvalidData
                | io::ErrorKind::InvalidInput
                | io::ErrorKind::Other
        );
        let problem = match self.compression {
            Compression::None => SourceProblem::Read,
            _ if damaged => SourceProblem::Decompress,
            _ => SourceProblem::Read,
        };
        SourceError { file: self.name.to_string(), problem, error }
    }
}

/// The decompressed text.
impl Read for Source<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.reader.read(buffer)
    }
}

/// Counts what passes through.
struct Counted<R> {
    reader: R,
    count: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.count.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}
