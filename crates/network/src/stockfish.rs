//! Stockfish's `.nnue` files, in and out.
//!
//! | version | networks | inputs |
//! |---|---|---|
//! | `0x7AF32F16` | Stockfish 12 and 13 | HalfKP, 41 024 rows, Black's view rotated |
//! | `0x7AF32F20` | Stockfish 15.1 to 18 | HalfKAv2_hm, blocks plain or LEB128 |
//!
//! Rows that are never active are kept, padding that is not zero is remembered in the manifest, hashes are computed from
//! the description: what was read is written back byte for byte.

use std::sync::Arc;

use crate::byte_reader::{ByteReader, push_i8s, push_i16s, push_i32s};
use crate::network_file::NetworkFile;
use crate::numbers::OutputNumbers;
use crate::spec::{LayerShape, NetworkSpec};
use crate::weights::{Dense, QuantisedWeights};
use crate::{FileError, hexadecimal, leb128};

/// The name of the format in messages.
const FORMAT: &str = "Stockfish's .nnue";

/// Inputs of a layer are padded to a multiple of this.
const PADDING: usize = 32;

const HALFKP_VERSION: u32 = 0x7AF3_2F16;
const HALFKA_VERSION: u32 = 0x7AF3_2F20;

/// The feature sets' own hashes.
const HALFKP_HASH: u32 = 0x5D69_D5B9 ^ 1;
const HALFKA_HASH: u32 = 0x7F23_4CB8;
/// Stands for inputs that Stockfish never had.
const OTHER_HASH: u32 = 0x4B49_4542;

const HALFKP_SPEC: &str = "inputs = halfkp_stockfish
    trunk = accumulate 256 clipped -> dense 32 clipped -> dense 32 clipped
    heads = value  numbers = accumulator i16*127, dense i8*64, output i8*9600/16  centipawns = 100/208
    search = (620 + 8 * material) / 1024";

/// The widest accumulator that a hash is believed to speak of.
const WIDEST: u32 = 8192;

/// Where a network's own header says whether its blocks were compressed.
const COMPRESSED_KEY: &str = "nnue_compressed";

/// Where it keeps padding that is not zero: all padding bytes of all layers, in the order of the file, in hexadecimal.
const PADDING_KEY: &str = "nnue_padding";

/// Whether the bytes start like a file that [`read`] understands.
pub(crate) fn is_known(bytes: &[u8]) -> bool {
    [HALFKP_VERSION, HALFKA_VERSION].iter().any(|version| bytes.starts_with(&version.to_le_bytes()))
}

fn halfka_spec(width: u32) -> Result<NetworkSpec, FileError> {
    Ok(NetworkSpec::parse(&format!(
        "inputs = halfkav2_hm
         trunk = accumulate {width} pairwise shortcut -> dense 15 folded+clipped skip -> dense 32 clipped
         buckets = 8 of (pieces - 1) / 4
         heads = value  numbers = accumulator i16*127, dense i8*64, output i8*9600/16  centipawns = 100/208"
    ))?)
}

/// The version and the accumulator's hash of a description, if the format can say it.
fn identify(spec: &NetworkSpec) -> Result<(u32, u32), FileError> {
    let width = spec.accumulated().width as u32;
    // What a search makes of values is the business of the engine that reads the file.
    let search = NetworkSpec::parse(HALFKP_SPEC)?.search;
    if (NetworkSpec { search, ..spec.clone() }) == NetworkSpec::parse(HALFKP_SPEC)? {
        return Ok((HALFKP_VERSION, HALFKP_HASH ^ (2 * width)));
    }
    if width <= WIDEST && *spec == halfka_spec(width)? {
        return Ok((HALFKA_VERSION, HALFKA_HASH ^ (2 * width)));
    }
    let reason = "only HalfKP 256-32-32 (Stockfish 12) and HalfKAv2_hm N-15-32 with eight buckets (Stockfish 15.1 to 18) \
                  have a place in this format";
    Err(FileError::NotExpressible { format: FORMAT, reason: reason.to_owned() })
}

/// The same for an architecture that Stockfish never had.
fn identify_other(spec: &NetworkSpec) -> Result<(u32, u32), FileError> {
    spec.check()?;
    if let OutputNumbers::Wide { .. } = spec.numbers.output {
        let reason = "its layers have 8-bit weights: the description must say 'output i8*…'".to_owned();
        return Err(FileError::NotExpressible { format: FORMAT, reason });
    }
    Ok((HALFKA_VERSION, OTHER_HASH ^ (2 * spec.accumulated().width as u32)))
}

/// The hash of the layers behind the accumulator.
fn layers_hash(spec: &NetworkSpec) -> u32 {
    let mut hash = 0xEC42_E90D ^ (2 * spec.accumulated().width as u32);
    let shapes = spec.layer_shapes();
    for (number, shape) in shapes.iter().enumerate() {
        let outputs = 0xCC03_DAE4_u32.wrapping_add(shape.outputs as u32);
        hash = outputs ^ hash >> 1 ^ hash << 31;
        if number + 1 < shapes.len() {
            hash = hash.wrapping_add(0x538D_24C7);
        }
    }
    hash
}

fn expect_hash(what: &'static str, found: u32, expected: u32) -> Result<(), FileError> {
    if found == expected { Ok(()) } else { Err(FileError::Hash { what, found, expected }) }
}

/// What stands before the weights.
struct Beginning {
    version: u32,
    hash: u32,
    description: String,
    accumulator_hash: u32,
}

impl Beginning {
    fn read(reader: &mut ByteReader<'_>) -> Result<Self, FileError> {
        let version = reader.u32("the version")?;
        let hash = reader.u32("the network's hash")?;
        let length = reader.u32("the description's length")? as usize;
        let description = reader.take(length, "the description")?;
        let description = str::from_utf8(description)
            .map_err(|error| FileError::Header(format!("the description is not UTF-8: {error}")))?
            .to_owned();
        let accumulator_hash = reader.u32("the accumulator's hash")?;
        Ok(Self { version, hash, description, accumulator_hash })
    }

    fn unknown_version(&self) -> FileError {
        FileError::UnknownFormat { found: format!("the version {:#010x}", self.version) }
    }

    /// The description of one of Stockfish's networks.
    fn spec(&self) -> Result<NetworkSpec, FileError> {
        match self.version {
            HALFKP_VERSION => Ok(NetworkSpec::parse(HALFKP_SPEC)?),
            HALFKA_VERSION => match (self.accumulator_hash ^ HALFKA_HASH) / 2 {
                width @ 2..=WIDEST if width.is_multiple_of(2) => halfka_spec(width),
                _ => {
                    let (what, found) = ("the accumulator", self.accumulator_hash);
                    Err(FileError::Hash { what, found, expected: HALFKA_HASH ^ 256 })
                }
            },
            _ => Err(self.unknown_version()),
        }
    }
}

/// Reads a `.nnue` file.
pub fn read(bytes: &[u8]) -> Result<NetworkFile, FileError> {
    let mut reader = ByteReader::new(bytes);
    let beginning = Beginning::read(&mut reader)?;
    let spec = beginning.spec()?;
    let (_, accumulator_hash) = identify(&spec)?;
    read_weights(reader, beginning, spec, accumulator_hash)
}

/// Reads what [`write_as`] wrote: this format with an architecture that Stockfish never had, so that a description has to come along.
/// Nobody plays such files; they are small enough to damage every byte of them.
pub fn read_as(bytes: &[u8], spec: &NetworkSpec) -> Result<NetworkFile, FileError> {
    let (version, accumulator_hash) = identify_other(spec)?;
    let mut reader = ByteReader::new(bytes);
    let beginning = Beginning::read(&mut reader)?;
    if beginning.version != version {
        return Err(beginning.unknown_version());
    }
    read_weights(reader, beginning, spec.clone(), accumulator_hash)
}

/// Everything behind the beginning.
fn read_weights(
    mut reader: ByteReader<'_>,
    beginning: Beginning,
    spec: NetworkSpec,
    expected: u32,
) -> Result<NetworkFile, FileError> {
    expect_hash("the accumulator", beginning.accumulator_hash, expected)?;
    let layers_hash = layers_hash(&spec);
    expect_hash("the whole network", beginning.hash, expected ^ layers_hash)?;

    let trunk = spec.accumulated();
    let rows = spec.features().count() as usize;
    // Either all blocks are compressed or none is.
    let compressed = reader.rest().starts_with(leb128::MAGIC);
    let accumulator_biases = i16_block(&mut reader, compressed, trunk.width, "the accumulator's biases")?;
    let accumulator_weights = i16_block(&mut reader, compressed, rows * trunk.width, "the accumulator's weights")?;
    let shortcut = if trunk.shortcut { Some(rows * spec.buckets.count) } else { None };
    let shortcut_weights = match shortcut {
        Some(count) => i32_block(&mut reader, compressed, count, "the shortcut")?,
        None => Vec::new(),
    };
    let mut stacks = Vec::new();
    let mut padding = Vec::new();
    for _ in 0..spec.buckets.count {
        expect_hash("a bucket's layers", reader.u32("a bucket's hash")?, layers_hash)?;
        let shapes = spec.layer_shapes();
        let layers = shapes.iter().map(|shape| read_layer(&mut reader, *shape, &mut padding));
        stacks.push(layers.collect::<Result<_, _>>()?);
    }
    reader.end()?;
    let weights = QuantisedWeights {
        accumulator_biases,
        accumulator_weights: Arc::new(accumulator_weights.into()),
        shortcut_weights,
        stacks,
    };
    let mut file = NetworkFile::new(spec, weights);
    file.header.description = beginning.description;
    let mut manifest = serde_json::json!({ "origin": FORMAT, COMPRESSED_KEY: compressed });
    if padding.iter().any(|&byte| byte != 0) {
        manifest[PADDING_KEY] = hexadecimal::digits(&padding).into();
    }
    file.header.manifest = manifest;
    Ok(file)
}

/// Reads a layer; the bytes behind its inputs, which no engine uses, go to `padding`.
fn read_layer(
    reader: &mut ByteReader<'_>,
    shape: LayerShape,
    padding: &mut Vec<u8>,
) -> Result<Dense<i16, i32>, FileError> {
    let LayerShape { inputs, outputs } = shape;
    let biases = reader.i32s(outputs, "a layer's biases")?;
    let mut weights = Vec::with_capacity(inputs * outputs);
    for _ in 0..outputs {
        weights.extend(reader.i8s(inputs, "a layer's weights")?);
        padding.extend_from_slice(reader.take(inputs.next_multiple_of(PADDING) - inputs, "a layer's weights")?);
    }
    Ok(Dense { inputs, outputs, weights, biases })
}

/// The remembered padding, or nothing where it was all zero.
fn remembered_padding(manifest: &serde_json::Value) -> Vec<u8> {
    hexadecimal::bytes(manifest.get(PADDING_KEY).and_then(serde_json::Value::as_str).unwrap_or(""))
}

/// The bytes of a compressed block.
fn compressed_block<'a>(reader: &mut ByteReader<'a>, what: &'static str) -> Result<&'a [u8], FileError> {
    if reader.take(leb128::MAGIC.len(), what)? != leb128::MAGIC {
        return Err(FileError::Compression { what, at: 0 });
    }
    let length = reader.u32(what)? as usize;
    reader.take(length, what)
}

fn i16_block(
    reader: &mut ByteReader<'_>,
    compressed: bool,
    count: usize,
    what: &'static str,
) -> Result<Vec<i16>, FileError> {
    if !compressed {
        return reader.i16s(count, what);
    }
    let values = leb128::decode(compressed_block(reader, what)?, count, 16, what)?;
    Ok(values.into_iter().map(|value| value as i16).collect())
}

fn i32_block(
    reader: &mut ByteReader<'_>,
    compressed: bool,
    count: usize,
    what: &'static str,
) -> Result<Vec<i32>, FileError> {
    if !compressed {
        return reader.i32s(count, what);
    }
    leb128::decode(compressed_block(reader, what)?, count, 32, what)
}

/// Writes a `.nnue` file, if the network has the shape of one.
pub fn write(file: &NetworkFile) -> Result<Vec<u8>, FileError> {
    write_with(file, identify(file.spec())?)
}

/// Writes any network with 8-bit layers in this format, for [`read_as`].
pub fn write_as(file: &NetworkFile) -> Result<Vec<u8>, FileError> {
    write_with(file, identify_other(file.spec())?)
}

fn write_with(file: &NetworkFile, (version, accumulator_hash): (u32, u32)) -> Result<Vec<u8>, FileError> {
    let spec = file.spec();
    file.weights.check(spec)?;
    let layers_hash = layers_hash(spec);
    let weights = &file.weights;
    let compressed = file.header.manifest.get(COMPRESSED_KEY).and_then(serde_json::Value::as_bool);
    let compressed = compressed.unwrap_or(version == HALFKA_VERSION);
    let mut bytes = Vec::new();
    let push_u32 = |bytes: &mut Vec<u8>, value: u32| bytes.extend_from_slice(&value.to_le_bytes());
    push_u32(&mut bytes, version);
    push_u32(&mut bytes, accumulator_hash ^ layers_hash);
    push_u32(&mut bytes, file.header.description.len() as u32);
    bytes.extend_from_slice(file.header.description.as_bytes());
    push_u32(&mut bytes, accumulator_hash);
    if compressed {
        push_compressed(&mut bytes, weights.accumulator_biases.iter().map(|&value| value.into()));
        push_compressed(&mut bytes, weights.accumulator_weights.iter().map(|&value| value.into()));
        if spec.accumulated().shortcut {
            push_compressed(&mut bytes, weights.shortcut_weights.iter().copied());
        }
    } else {
        push_i16s(&mut bytes, &weights.accumulator_biases);
        push_i16s(&mut bytes, &weights.accumulator_weights);
        push_i32s(&mut bytes, &weights.shortcut_weights);
    }
    let mut padding = remembered_padding(&file.header.manifest).into_iter();
    for stack in &weights.stacks {
        push_u32(&mut bytes, layers_hash);
        for layer in stack {
            push_i32s(&mut bytes, &layer.biases);
            for output in 0..layer.outputs {
                push_i8s(&mut bytes, layer.row(output));
                let missing = layer.inputs.next_multiple_of(PADDING) - layer.inputs;
                bytes.extend((0..missing).map(|_| padding.next().unwrap_or(0)));
            }
        }
    }
    Ok(bytes)
}

fn push_compressed(bytes: &mut Vec<u8>, values: impl Iterator<Item = i32>) {
    let block = leb128::encode(values);
    bytes.extend_from_slice(leb128::MAGIC);
    bytes.extend_from_slice(&(block.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&block);
}
