//! The headerless files of the trainer bullet: accumulator, then one output layer, all of it 16-bit integers.
//!
//! ```text
//! accumulator weights [feature][sum], accumulator biases [sum],
//! output weights [bucket][input] or [input][bucket], output biases [bucket], filling up to a multiple of 64 bytes
//! ```
//!
//! Nothing in such a file says what it is, so the reader has to be told: the description gives the sizes, the order
//! of the output weights is stated beside it, and only the length of the file can be checked. Another filling than that of the trainer
//! is remembered in the manifest: what was read is written back byte for byte.

use std::sync::Arc;

use crate::byte_reader::{ByteReader, push_i16s};
use crate::network_file::NetworkFile;
use crate::numbers::OutputNumbers;
use crate::spec::NetworkSpec;
use crate::weights::{Dense, QuantisedWeights};
use crate::{FileError, hexadecimal};

const FORMAT: &str = "a bullet file";

/// Files are filled up to a multiple of this many bytes.
const ALIGNMENT: usize = 64;

/// What files are filled up with.
const FILLING: &[u8] = b"bullet";

/// Where a network's own header keeps another filling, in hexadecimal.
const FILLING_KEY: &str = "bullet_filling";

/// The usual filling behind so many bytes.
fn filling(length: usize) -> Vec<u8> {
    let missing = length.next_multiple_of(ALIGNMENT) - length;
    FILLING.iter().copied().cycle().take(missing).collect()
}

/// In which order the output weights of several buckets lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutputOrder {
    /// All weights of a bucket together: files saved with `transpose`.
    ByBucket,
    /// All buckets of an input together: what bullet writes by itself.
    ByInput,
}

fn check(spec: &NetworkSpec) -> Result<(), FileError> {
    spec.check()?;
    if matches!(spec.numbers.output, OutputNumbers::Wide { .. }) {
        return Ok(());
    }
    let reason = "its output layer has 16-bit weights: the description must say 'output i16*… units …'".to_owned();
    Err(FileError::NotExpressible { format: FORMAT, reason })
}

/// Reads a file whose description is known from elsewhere.
pub fn read(bytes: &[u8], spec: &NetworkSpec, order: OutputOrder) -> Result<NetworkFile, FileError> {
    check(spec)?;
    let mut reader = ByteReader::new(bytes);
    let (width, buckets) = (spec.accumulated().width, spec.buckets.count);
    let rows = spec.features().count() as usize;
    let inputs = spec.layer_shapes()[0].inputs;
    let accumulator_weights = reader.i16s(rows * width, "the accumulator's weights")?;
    let accumulator_biases = reader.i16s(width, "the accumulator's biases")?;
    let output = reader.i16s(inputs * buckets, "the output's weights")?;
    let biases = reader.i16s(buckets, "the output's biases")?;
    if reader.left() >= ALIGNMENT {
        return Err(FileError::TrailingBytes { count: reader.left() });
    }
    let weight = |bucket: usize, input: usize| match order {
        OutputOrder::ByBucket => output[bucket * inputs + input],
        OutputOrder::ByInput => output[input * buckets + bucket],
    };
    let stack = |bucket: usize| {
        let weights = (0..inputs).map(|input| weight(bucket, input)).collect();
        vec![Dense { inputs, outputs: 1, weights, biases: vec![i32::from(biases[bucket])] }]
    };
    let weights = QuantisedWeights {
        accumulator_biases,
        accumulator_weights: Arc::new(accumulator_weights.into()),
        shortcut_weights: Vec::new(),
        stacks: (0..buckets).map(stack).collect(),
    };
    let mut file = NetworkFile::new(spec.clone(), weights);
    file.header.manifest = serde_json::json!({ "origin": FORMAT });
    let found = reader.rest();
    if found != filling(bytes.len() - found.len()) {
        file.header.manifest[FILLING_KEY] = hexadecimal::digits(found).into();
    }
    Ok(file)
}

/// Writes a headerless file.
pub fn write(file: &NetworkFile, order: OutputOrder) -> Result<Vec<u8>, FileError> {
    let spec = file.spec();
    check(spec)?;
    file.weights.check(spec)?;
    let mut bytes = Vec::new();
    push_i16s(&mut bytes, &file.weights.accumulator_weights);
    push_i16s(&mut bytes, &file.weights.accumulator_biases);
    let layers: Vec<&Dense<i16, i32>> = file.weights.stacks.iter().flatten().collect();
    match order {
        OutputOrder::ByBucket => layers.iter().for_each(|layer| push_i16s(&mut bytes, &layer.weights)),
        OutputOrder::ByInput => {
            for input in 0..spec.layer_shapes()[0].inputs {
                layers.iter().for_each(|layer| push_i16s(&mut bytes, &layer.weights[input..=input]));
            }
        }
    }
    for layer in layers {
        let bias = i16::try_from(layer.biases[0]).map_err(|_| FileError::NotExpressible {
            format: FORMAT,
            reason: format!("an output bias of {} does not fit 16 bits", layer.biases[0]),
        })?;
        push_i16s(&mut bytes, &[bias]);
    }
    let remembered = file.header.manifest.get(FILLING_KEY).and_then(serde_json::Value::as_str);
    bytes.extend(remembered.map_or_else(|| filling(bytes.len()), hexadecimal::bytes));
    Ok(bytes)
}
