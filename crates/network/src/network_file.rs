//! Our own file format.
//!
//! ```text
//! byte 0   magic  "KIEBNET\0"
//! byte 8   version of the format, u32                 all numbers little-endian
//! byte 12  byte-order mark 0x0A0B0C0D, u32
//! byte 16  length of the header, u64
//! byte 24  length of the payload, u64
//! byte 32  SHA-256 of header and payload
//! byte 64  header: JSON with description, certificate, manifest, licence; then zeros up to a multiple of 64
//!          payload: accumulator weights i16, accumulator biases i16, shortcut i32,
//!                   then for every bucket and layer biases i32, weights i8 (i16 with a wide output)
//! ```
//!
//! The payload starts at a multiple of 64 bytes, so that a mapped file can be used as it lies.

use std::io::Read;
#[cfg(not(target_family = "wasm"))]
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::byte_reader::{ByteReader, push_i8s, push_i16s, push_i32s};
use crate::certificate::Certificate;
use crate::numbers::OutputNumbers;
use crate::rows::Rows;
use crate::spec::NetworkSpec;
use crate::weights::{Dense, QuantisedWeights};
use crate::{FileError, hexadecimal, stockfish};

const MAGIC: &[u8; 8] = b"KIEBNET\0";
/// The first bytes of files that gzip made.
const GZIP: [u8; 2] = [0x1f, 0x8b];
/// Nothing larger is unpacked: a small file can pretend to hold anything.
const LARGEST_UNPACKED: u64 = 1 << 30;
const VERSION: u32 = 1;
const BYTE_ORDER: u32 = 0x0A0B_0C0D;
const HEADER_START: usize = 64;
/// Digits of its checksum in the name of one of Stockfish's networks.
const DIGITS_OF_A_NAME: usize = 12;
const ALIGNMENT: usize = 64;

/// A network as a file holds it.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkFile {
    /// Everything but the weights.
    pub header: Header,
    /// The weights.
    pub weights: QuantisedWeights,
}

/// Everything a network file says about its weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// What the network is.
    pub spec: NetworkSpec,
    /// A sentence for people; for an imported network the text of the original.
    pub description: String,
    /// Under which licence the weights are, such as `CC0-1.0`; empty if nobody said.
    pub licence: String,
    /// How the network was trained: whatever the trainer wrote down.
    pub manifest: serde_json::Value,
    /// What was proved and measured.
    pub certificate: Option<Certificate>,
}

impl NetworkFile {
    /// A network with no more than its description.
    #[must_use]
    pub fn new(spec: NetworkSpec, weights: QuantisedWeights) -> Self {
        let header = Header {
            spec,
            description: String::new(),
            licence: String::new(),
            manifest: serde_json::Value::Null,
            certificate: None,
        };
        Self { header, weights }
    }

    /// What the network is.
    #[must_use]
    pub fn spec(&self) -> &NetworkSpec {
        &self.header.spec
    }

    /// Reads a network of any known format, also compressed by gzip.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FileError> {
        if bytes.starts_with(&GZIP) {
            return Self::from_plain_bytes(&unpacked(bytes)?);
        }
        Self::from_plain_bytes(bytes)
    }

    /// Reads a network whose file is called so. Stockfish's networks have no checksum but their name, which is what
    /// [`Self::from_bytes`] cannot see: a file such as `nn-62ef826d1a6d.nnue`, also with another ending behind it, must have
    /// what its name says.
    pub fn from_named_bytes(path: &std::path::Path, bytes: &[u8]) -> Result<Self, FileError> {
        if let Some(found) = promised_checksum(path).filter(|_| stockfish::is_known(bytes)) {
            let computed = checksum(bytes);
            if !computed.starts_with(found) {
                return Err(FileError::Name { found: found.to_owned(), computed: computed[..found.len()].to_owned() });
            }
        }
        Self::from_bytes(bytes)
    }

    fn from_plain_bytes(bytes: &[u8]) -> Result<Self, FileError> {
        if bytes.starts_with(MAGIC) {
            let (header, payload) = open(bytes)?;
            let weights = read_payload(&header.spec, payload, None)?;
            return Ok(Self { header, weights });
        }
        if stockfish::is_known(bytes) {
            return stockfish::read(bytes);
        }
        let start = &bytes[..bytes.len().min(MAGIC.len())];
        let shown = start.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ");
        let found = if bytes.is_empty() { "nothing: it is empty".to_owned() } else { format!("the bytes {shown}") };
        Err(FileError::UnknownFormat { found })
    }

    /// The network in our own format.
    pub fn to_bytes(&self) -> Result<Vec<u8>, FileError> {
        self.header.spec.check()?;
        self.weights.check(&self.header.spec)?;
        let mut content = serde_json::to_vec(&self.header).map_err(|error| FileError::Header(error.to_string()))?;
        let header_length = content.len().next_multiple_of(ALIGNMENT);
        // Blanks, so that the header stays JSON.
        content.resize(header_length, b' ');
        write_payload(&self.header.spec, &self.weights, &mut content);
        let mut bytes = Vec::with_capacity(HEADER_START + content.len());
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&BYTE_ORDER.to_le_bytes());
        bytes.extend_from_slice(&(header_length as u64).to_le_bytes());
        bytes.extend_from_slice(&((content.len() - header_length) as u64).to_le_bytes());
        bytes.extend_from_slice(&Sha256::digest(&content));
        bytes.append(&mut content);
        Ok(bytes)
    }

    /// Reads a network of any known format; our own, unless compressed, is mapped, so that processes share its weights.
    #[cfg(not(target_family = "wasm"))]
    pub fn read(path: &Path) -> Result<Self, FileError> {
        let io = |error| FileError::Io { path: path.display().to_string(), error };
        if !std::fs::metadata(path).map_err(io)?.is_file() {
            // Pipes cannot be mapped, and folders say here what they are.
            return Self::from_bytes(&std::fs::read(path).map_err(io)?);
        }
        let file = crate::mapped_file::MappedFile::open(path).map_err(io)?;
        if !file.bytes().starts_with(MAGIC) {
            return Self::from_named_bytes(path, file.bytes());
        }
        let (header, payload) = open(file.bytes())?;
        let start = file.bytes().len() - payload.len();
        let count = header.spec.features().count() as usize * header.spec.accumulated().width;
        let rows = file.ints(start, count).map(Rows::mapped);
        let weights = read_payload(&header.spec, payload, rows)?;
        Ok(Self { header, weights })
    }

    /// Writes our own format: to a temporary name first, so that no reader ever sees half a file.
    #[cfg(not(target_family = "wasm"))]
    pub fn write(&self, path: &Path) -> Result<(), FileError> {
        write_file(path, &self.to_bytes()?)
    }
}

/// Writes bytes to a temporary file beside `path` and renames it.
#[cfg(not(target_family = "wasm"))]
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    use std::io::Write;

    let mut temporary = path.as_os_str().to_owned();
    temporary.push(format!(".{}.part", std::process::id()));
    let write = || {
        let mut file = std::fs::File::create(&temporary)?;
        file.write_all(bytes)?;
        // A name that survives a loss of power should not be that of half a network.
        file.sync_all()?;
        std::fs::rename(&temporary, path)
    };
    write().map_err(|error| {
        // Half a network is of no use to anybody, least of all on a full disk.
        let _ = std::fs::remove_file(&temporary);
        FileError::Io { path: path.display().to_string(), error }
    })
}

/// The digits in the name of one of Stockfish's networks.
fn promised_checksum(path: &std::path::Path) -> Option<&str> {
    let digits = path.file_name()?.to_str()?.strip_prefix("nn-")?.split('.').next()?;
    (digits.len() == DIGITS_OF_A_NAME && digits.bytes().all(|digit| digit.is_ascii_hexdigit())).then_some(digits)
}

/// The SHA-256 of bytes in hexadecimal; `.nnue` files are named after its first twelve digits.
#[must_use]
pub fn checksum(bytes: &[u8]) -> String {
    hexadecimal::digits(&Sha256::digest(bytes))
}

/// What a compressed file holds.
fn unpacked(bytes: &[u8]) -> Result<Vec<u8>, FileError> {
    let mut plain = Vec::new();
    let read = flate2::read::GzDecoder::new(bytes).take(LARGEST_UNPACKED + 1).read_to_end(&mut plain);
    read.map_err(|error| FileError::Gzip(error.to_string()))?;
    if plain.len() as u64 > LARGEST_UNPACKED {
        return Err(FileError::Gzip(format!("it holds more than {} MiB", LARGEST_UNPACKED >> 20)));
    }
    Ok(plain)
}

/// Checks everything outside of the payload; gives the header and the payload's bytes.
fn open(bytes: &[u8]) -> Result<(Header, &[u8]), FileError> {
    let mut reader = ByteReader::new(bytes);
    reader.take(MAGIC.len(), "the magic")?;
    let version = reader.u32("the version")?;
    if version != VERSION {
        return Err(FileError::UnknownVersion { found: version, known: VERSION });
    }
    let mark = reader.u32("the byte-order mark")?;
    if mark != BYTE_ORDER {
        return Err(FileError::ByteOrder { found: mark, expected: BYTE_ORDER });
    }
    let as_length = |length: u64| usize::try_from(length).unwrap_or(usize::MAX);
    let header_length = as_length(reader.u64("the header's length")?);
    let payload_length = as_length(reader.u64("the payload's length")?);
    let stored = reader.take(32, "the checksum")?;
    let content = reader.rest();
    let header = reader.take(header_length, "the header")?;
    let payload = reader.take(payload_length, "the payload")?;
    reader.end()?;
    let computed = Sha256::digest(content);
    if computed.as_slice() != stored {
        return Err(FileError::Checksum {
            found: hexadecimal::digits(stored),
            computed: hexadecimal::digits(&computed),
        });
    }
    let header: Header = serde_json::from_slice(header).map_err(|error| FileError::Header(error.to_string()))?;
    Ok((header, payload))
}

fn is_wide(spec: &NetworkSpec) -> bool {
    matches!(spec.numbers.output, OutputNumbers::Wide { .. })
}

fn read_payload(spec: &NetworkSpec, payload: &[u8], mapped: Option<Rows>) -> Result<QuantisedWeights, FileError> {
    let mut reader = ByteReader::new(payload);
    let trunk = spec.accumulated();
    let rows = spec.features().count() as usize;
    let count = rows * trunk.width;
    let accumulator_weights = match mapped {
        Some(mapped) => {
            reader.take(2 * count, "the accumulator's weights")?;
            mapped
        }
        None => reader.i16s(count, "the accumulator's weights")?.into(),
    };
    let accumulator_biases = reader.i16s(trunk.width, "the accumulator's biases")?;
    let shortcut = if trunk.shortcut { rows * spec.buckets.count } else { 0 };
    let shortcut_weights = reader.i32s(shortcut, "the shortcut")?;
    let mut stacks = Vec::new();
    for _ in 0..spec.buckets.count {
        let mut layers = Vec::new();
        for shape in spec.layer_shapes() {
            let biases = reader.i32s(shape.outputs, "a layer's biases")?;
            let count = shape.inputs * shape.outputs;
            let weights = if is_wide(spec) {
                reader.i16s(count, "a layer's weights")?
            } else {
                reader.i8s(count, "a layer's weights")?
            };
            layers.push(Dense { inputs: shape.inputs, outputs: shape.outputs, weights, biases });
        }
        stacks.push(layers);
    }
    reader.end()?;
    Ok(QuantisedWeights {
        accumulator_biases,
        accumulator_weights: Arc::new(accumulator_weights),
        shortcut_weights,
        stacks,
    })
}

fn write_payload(spec: &NetworkSpec, weights: &QuantisedWeights, bytes: &mut Vec<u8>) {
    push_i16s(bytes, &weights.accumulator_weights);
    push_i16s(bytes, &weights.accumulator_biases);
    push_i32s(bytes, &weights.shortcut_weights);
    for layer in weights.stacks.iter().flatten() {
        push_i32s(bytes, &layer.biases);
        if is_wide(spec) {
            push_i16s(bytes, &layer.weights);
        } else {
            push_i8s(bytes, &layer.weights);
        }
    }
}
