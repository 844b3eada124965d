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
use crate::spec::{LayerShape, NetworkSpec};
use crate::weights::{Dense, QuantisedWeights};
use crate::{FileError, leb128};

/// The name of the format in messages.
const FORMAT: &str = "Stockfish's .nnue";

/// Inputs of a layer are padded to a multiple of this.
const PADDING: usize = 32;

const HALFKP_VERSION: u32 = 0x7AF3_2F16;
const HALFKA_VERSION: u32 = 0x7AF3_2F20;

/// The feature sets' own hashes.
const HALFKP_HASH: u32 = 0x5D69_D5B9 ^ 1;
const HALFKA_HASH: u32 = 0x7F23_4CB8;

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

/// Reads a `.nnue` file.
pub fn read(bytes: &[u8]) -> Result<NetworkFile, FileError> {
    let mut reader = ByteReader::new(bytes);
    let version = reader.u32("the version")?;
    let hash = reader.u32("the network's hash")?;
    let length = reader.u32("the description's length")? as usize;
    let description = reader.take(length, "the description")?;
    let description = str::from_utf8(description)
        .map_err(|error| FileError::Header(format!("the description is not UTF-8: {error}")))?
        .to_owned();
    let accumulator_hash = reader.u32("the accumulator's hash")?;
    let spec = match version {
        HALFKP_VERSION => NetworkSpec::parse(HALFKP_SPEC)?,
        HALFKA_VERSION => match (accumulator_hash ^ HALFKA_HASH) / 2 {
            width @ 2..=WIDEST if width.is_multiple_of(2) => halfka_spec(width)?,
            _ => {
                let (what, found) = ("the accumulator", accumulator_hash);
                return Err(FileError::Hash { what, found, expected: HALFKA_HASH ^ 256 });
            }
        },
        _ => return Err(FileError::UnknownFormat { found: format!("the version {version:#010x}") }),
    };
    let (_, expected) = identify(&spec)?;
    expect_hash("the accumulator", accumulator_hash, expected)?;
    let layers_hash = layers_hash(&spec);
    expect_hash("the whole network", hash, expected ^ layers_hash)?;

    let trunk = spec.accumulated();
    let rows = spec.features().count() as usize;
    let compressed = reader.rest().starts_with(leb128::MAGIC);
    let accumulator_biases = i16_block(&mut reader, trunk.width, "the accumulator's biases")?;
    let accumulator_weights = i16_block(&mut reader, rows * trunk.width, "the accumulator's weights")?;
    let shortcut_weights =
        if trunk.shortcut { i32_block(&mut reader, rows * spec.buckets.count, "the shortcut")? } else { Vec::new() };
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
    file.header.description = description;
    let mut manifest = serde_json::json!({ "origin": FORMAT, COMPRESSED_KEY: compressed });
    if padding.iter().any(|&byte| byte != 0) {
        let digits: String = padding.iter().map(|byte| format!("{byte:02x}")).collect();
        manifest[PADDING_KEY] = digits.into();
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
    let digits = manifest.get(PADDING_KEY).and_then(serde_json::Value::as_str).unwrap_or("");
    let pairs = digits.as_bytes().as_chunks::<2>().0.iter();
    pairs.filter_map(|pair| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok()).collect()
}

/// The bytes of a compressed block, or `None` if the block is plain.
fn compressed_block<'a>(reader: &mut ByteReader<'a>, what: &'static str) -> Result<Option<&'a [u8]>, FileError> {
    if !reader.rest().starts_with(leb128::MAGIC) {
        return Ok(None);
    }
    reader.take(leb128::MAGIC.len(), what)?;
    let length = reader.u32(what)? as usize;
    reader.take(length, what).map(Some)
}

fn i16_block(reader: &mut ByteReader<'_>, count: usize, what: &'static str) -> Result<Vec<i16>, FileError> {
    match compressed_block(reader, what)? {
        Some(block) => Ok(leb128::decode(block, count, 16, what)?.into_iter().map(|value| value as i16).collect()),
        None => reader.i16s(count, what),
    }
}

fn i32_block(reader: &mut ByteReader<'_>, count: usize, what: &'static str) -> Result<Vec<i32>, FileError> {
    match compressed_block(reader, what)? {
        Some(block) => leb128::decode(block, count, 32, what),
        None => reader.i32s(count, what),
    }
}

/// Writes a `.nnue` file, if the network has the shape of one.
pub fn write(file: &NetworkFile) -> Result<Vec<u8>, FileError> {
    let spec = file.spec();
    let (version, accumulator_hash) = identify(spec)?;
    file.weights.check(spec)?;
    let layers_hash = layers_hash(spec);
    let weights = &file.weights;
    let compressed = version == HALFKA_VERSION
        && file.header.manifest.get(COMPRESSED_KEY).and_then(serde_json::Value::as_bool).unwrap_or(true);
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
        push_compressed(&mut bytes, weights.shortcut_weights.iter().copied());
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
