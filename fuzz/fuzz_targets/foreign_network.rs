//! Networks of others: any bytes as a compressed block, and small valid files with changes, so that header, blocks and layers are all
//! reached. No panic; what is accepted is written back byte for byte, also after a stay in our own format.

#![no_main]

#[path = "../overlay.rs"]
mod overlay;

use std::sync::LazyLock;

use kiebitz_network::bullet::{self, OutputOrder};
use kiebitz_network::{FileError, FloatWeights, NetworkFile, NetworkSpec, leb128, quantise, stockfish};
use libfuzzer_sys::fuzz_target;

/// Architectures with every part that Stockfish's format has, and one of a headerless file.
const SPECS: [&str; 3] = [
    "inputs = half(any.role * any.color) trunk = accumulate 4 pairwise shortcut -> dense 3 folded+clipped skip -> dense 2 clipped
     buckets = 2 of (pieces - 1) / 16 heads = value",
    "inputs = half(any.role) trunk = accumulate 3 clipped -> dense 2 clipped heads = value",
    "inputs = half(piece.file) trunk = accumulate 5 squared buckets = 2 of (pieces - 1) / 16 heads = value
     numbers = accumulator i16*255, dense i8*64, output i16*64 units 400",
];

/// What an input is read as.
struct Format {
    spec: NetworkSpec,
    valid: Vec<u8>,
    read: fn(&[u8], &NetworkSpec) -> Result<NetworkFile, FileError>,
    write: fn(&NetworkFile) -> Result<Vec<u8>, FileError>,
}

impl Format {
    fn new(
        text: &str,
        compressed: bool,
        read: fn(&[u8], &NetworkSpec) -> Result<NetworkFile, FileError>,
        write: fn(&NetworkFile) -> Result<Vec<u8>, FileError>,
    ) -> Self {
        let spec = NetworkSpec::parse(text).expect("a description");
        let floats = FloatWeights::zero(&spec).merge(&spec).expect("the sizes of its own description");
        let mut file = NetworkFile::new(spec.clone(), quantise(&spec, &floats).expect("zeros fit"));
        file.header.manifest = serde_json::json!({ "nnue_compressed": compressed });
        let valid = write(&file).expect("a valid network");
        assert_eq!(read(&valid, &spec).expect("a valid network").weights, file.weights);
        Self { spec, valid, read, write }
    }
}

static FORMATS: LazyLock<[Format; 6]> = LazyLock::new(|| {
    let stockfish = |text, compressed| Format::new(text, compressed, stockfish::read_as, stockfish::write_as);
    let by_bucket = Format::new(
        SPECS[2],
        false,
        |bytes, spec| bullet::read(bytes, spec, OutputOrder::ByBucket),
        |file| bullet::write(file, OutputOrder::ByBucket),
    );
    let by_input = Format::new(
        SPECS[2],
        false,
        |bytes, spec| bullet::read(bytes, spec, OutputOrder::ByInput),
        |file| bullet::write(file, OutputOrder::ByInput),
    );
    [
        stockfish(SPECS[0], false),
        stockfish(SPECS[0], true),
        stockfish(SPECS[1], false),
        stockfish(SPECS[1], true),
        by_bucket,
        by_input,
    ]
});

/// Any bytes as integers of at most 1 to 32 bits, as many as there are ends of integers.
fn block(bits: u8, bytes: &[u8]) {
    let count = bytes.iter().filter(|&&byte| byte < 0x80).count();
    if let Ok(values) = leb128::decode(bytes, count, u32::from(bits % 32) + 1, "a block") {
        assert_eq!(leb128::encode(values.into_iter()), bytes);
    }
}

fuzz_target!(|input: &[u8]| {
    let [choice, bits, changes @ ..] = input else { return };
    let Some(format) = FORMATS.get(usize::from(choice % 8)) else { return block(*bits, changes) };
    let bytes = overlay::overlay(&format.valid, changes);
    let Ok(file) = (format.read)(&bytes, &format.spec) else { return };
    assert!((format.write)(&file).expect("the same format") == bytes);
    let own = file.to_bytes().expect("a readable network can be written");
    let again = NetworkFile::from_bytes(&own).expect("what was written is readable");
    assert!((format.write)(&again).expect("the same format") == bytes);
});
