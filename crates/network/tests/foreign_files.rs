//! Files of others, damaged everywhere: they are refused with a sentence that says what was found, or they are another network, which is
//! written back byte for byte. Small architectures have every byte damaged, those of Stockfish many bytes all over the file.

mod support;

use std::collections::BTreeSet;

use kiebitz_network::bullet::{self, OutputOrder};
use kiebitz_network::{FileError, NetworkFile, NetworkSpec, leb128, stockfish};
use support::random_games::SplitMix;
use support::{random_weights, stockfish_small};

/// Every part that the format has, in a few hundred bytes.
const SMALL: &str = "inputs = half(any.role * any.color) trunk = accumulate 4 pairwise shortcut
    -> dense 3 folded+clipped skip -> dense 2 clipped buckets = 2 of (pieces - 1) / 16 heads = value";

/// The same without a shortcut.
const SMALLER: &str = "inputs = half(any.role) trunk = accumulate 3 clipped -> dense 2 clipped heads = value";

const HALFKP: &str =
    "inputs = halfkp_stockfish trunk = accumulate 256 clipped -> dense 32 clipped -> dense 32 clipped heads = value";

/// The architecture of Stockfish's small networks, narrower than any of them.
const NARROW: &str = "inputs = halfkav2_hm trunk = accumulate 2 pairwise shortcut -> dense 15 folded+clipped skip
    -> dense 32 clipped buckets = 8 of (pieces - 1) / 4 heads = value";

const HEADERLESS: &str =
    "inputs = half(any.role * any.color) trunk = accumulate 5 squared buckets = 2 of (pieces - 1) / 16 heads = value
    numbers = accumulator i16*255, dense i8*64, output i16*64 units 400";

fn example(text: &str, compressed: bool) -> NetworkFile {
    let spec = NetworkSpec::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let weights = random_weights(&spec, 11);
    let mut file = NetworkFile::new(spec, weights);
    file.header.description = "a description, é".to_owned();
    file.header.manifest = serde_json::json!({ "nnue_compressed": compressed });
    file
}

/// A sentence that says what was found: all but the place and the numbers in it.
fn kind(error: &FileError) -> String {
    let said = error.to_string();
    assert!(said.len() > 20 && !said.contains('\n'), "{said}");
    let words = said.split(' ').filter(|word| !word.contains(|letter: char| letter.is_ascii_digit()));
    words.take(6).collect::<Vec<_>>().join(" ")
}

/// What becomes of damaged bytes: how they are refused, or nothing if they are another network that is written back as it is.
fn verdict(
    damaged: &[u8],
    read: &impl Fn(&[u8]) -> Result<NetworkFile, FileError>,
    write: &impl Fn(&NetworkFile) -> Result<Vec<u8>, FileError>,
    what: &str,
) -> Option<String> {
    match read(damaged) {
        Err(error) => Some(kind(&error)),
        Ok(file) => {
            let again = write(&file).unwrap_or_else(|error| panic!("{what}: {error}"));
            assert!(again == damaged, "{what}: accepted, but written back otherwise");
            None
        }
    }
}

#[test]
fn small_files_of_stockfishs_format_have_every_bit_flipped() {
    for (text, compressed) in [(SMALL, false), (SMALL, true), (SMALLER, false), (SMALLER, true)] {
        let file = example(text, compressed);
        let spec = file.spec().clone();
        let bytes = stockfish::write_as(&file).expect("a file");
        let read = |bytes: &[u8]| stockfish::read_as(bytes, &spec);
        assert_eq!(read(&bytes).expect("what was written").weights, file.weights);
        let (mut accepted, mut kinds) = (0, BTreeSet::new());
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << bit;
                match verdict(&damaged, &read, &stockfish::write_as, &format!("bit {bit} of byte {at}")) {
                    Some(kind) => drop(kinds.insert(kind)),
                    None => accepted += 1,
                }
            }
            let error = read(&bytes[..at]).expect_err("a file that was cut off");
            assert!(matches!(error, FileError::Truncated { .. }), "cut at byte {at}: {error}");
            let longer = [&bytes[..at], &[0], &bytes[at..]].concat();
            verdict(&longer, &read, &stockfish::write_as, &format!("a zero at byte {at}"));
        }
        assert!(accepted > bytes.len(), "weights may be any: {accepted} of {} flips", 8 * bytes.len());
        let expected = [
            "not a network file: it starts",
            "the whole network has the hash",
            "the header cannot be read: the",
            "the accumulator has the hash",
            "a bucket's layers has the hash",
            "the file ends inside of the",
        ];
        for expected in expected {
            assert!(kinds.iter().any(|kind| kind.starts_with(expected)), "{expected} is not among {kinds:#?}");
        }
        let malformed = kinds.iter().any(|kind| kind.contains("the compressed block"));
        assert_eq!(malformed, compressed, "{kinds:#?}");
        let longer = [bytes.as_slice(), &[0; 3]].concat();
        assert!(matches!(read(&longer), Err(FileError::TrailingBytes { count: 3 })));
        assert!(stockfish::read(&bytes).is_err(), "an architecture that Stockfish never had");
    }
}

/// Blocks of one file are all compressed or all plain, for only that is remembered.
#[test]
fn a_plain_block_behind_a_compressed_one_is_refused() {
    let file = example(SMALLER, true);
    let mut bytes = stockfish::write_as(&file).expect("a file");
    let magic = leb128::MAGIC;
    let second = bytes.windows(magic.len()).rposition(|part| part == magic).expect("a second block");
    bytes[second] = 0;
    let said = stockfish::read_as(&bytes, file.spec()).expect_err("a mixed file").to_string();
    assert_eq!(said, "the accumulator's weights: the compressed block is malformed at byte 0");
}

#[test]
fn integers_of_any_length_come_back_or_are_refused() {
    let mut random = SplitMix(17);
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..200_000 {
        let bits = [8, 16, 31, 32][random.below(4)];
        let length = random.below(9);
        // Bytes that end an integer, and those near the changes of sign, are preferred.
        let byte = |random: &mut SplitMix| match random.below(3) {
            0 => [0x00, 0x7f, 0x80, 0xff, 0x3f, 0x40, 0xbf, 0xc0][random.below(8)],
            1 => random.below(128) as u8,
            _ => random.below(256) as u8,
        };
        let bytes: Vec<u8> = (0..length).map(|_| byte(&mut random)).collect();
        let count = bytes.iter().filter(|&&byte| byte < 0x80).count();
        match leb128::decode(&bytes, count, bits, "a test") {
            Ok(values) => {
                let limit = 1_i64 << (bits - 1);
                assert!(values.iter().all(|&value| (-limit..limit).contains(&value.into())), "{bits}: {values:?}");
                assert_eq!(leb128::encode(values.into_iter()), bytes);
                accepted += 1;
            }
            Err(error) => {
                assert!(error.to_string().starts_with("a test: the compressed block is malformed at byte "), "{error}");
                refused += 1;
            }
        }
        assert!(leb128::decode(&bytes, count + 1, bits, "one too many").is_err());
        assert!(count == 0 || leb128::decode(&bytes, count - 1, bits, "one too few").is_err());
    }
    assert!(accepted > 10_000 && refused > 10_000, "{accepted} {refused}");
}

#[test]
fn headerless_files_have_every_bit_flipped_and_every_end_cut_off() {
    let file = example(HEADERLESS, false);
    let spec = file.spec();
    for order in [OutputOrder::ByBucket, OutputOrder::ByInput] {
        let bytes = bullet::write(&file, order).expect("a file");
        let numbers = 2 * (12 * 5 + 5 + 10 * 2 + 2);
        assert!(bytes.len() > numbers, "there is a filling");
        let read = |bytes: &[u8]| bullet::read(bytes, spec, order);
        let write = |file: &NetworkFile| bullet::write(file, order);
        let judge = |damaged: &[u8], what: &str| verdict(damaged, &read, &write, what);
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << bit;
                // Nothing in such a file tells weights from each other.
                assert_eq!(judge(&damaged, &format!("bit {bit} of byte {at}")), None);
                assert_eq!(read(&damaged).expect("a network").weights == file.weights, at >= numbers);
            }
            let cut = judge(&bytes[..at], &format!("cut at byte {at}"));
            assert_eq!(cut.is_some(), at < numbers, "cut at byte {at}: {cut:?}");
            assert!(cut.is_none_or(|kind| kind.starts_with("the file ends inside of the")));
        }
        for more in 1..100 {
            let longer = [bytes.clone(), vec![7; more]].concat();
            let count = longer.len() - numbers;
            let refused = matches!(read(&longer), Err(FileError::TrailingBytes { count: found }) if found == count);
            assert_eq!(refused, count >= 64, "{more} bytes more");
            judge(&longer, &format!("{more} bytes more"));
        }
    }
}

/// Flips and cuts all over a file of Stockfish's format, the beginning and the layers at its end as often as the weights between them.
fn damage_everywhere(bytes: &[u8], flips: usize) {
    let mut random = SplitMix(5);
    let length = bytes.len();
    let mut damaged = bytes.to_vec();
    let mut refused = 0;
    for number in 0..flips {
        let at = match number % 3 {
            0 => random.below(200),
            1 => number * (length / flips) + random.below(length / flips),
            _ => length - 1 - random.below(2_000),
        };
        let bit = 1 << random.below(8);
        damaged[at] ^= bit;
        let what = format!("bit {bit} of byte {at} of {length}");
        refused += usize::from(verdict(&damaged, &stockfish::read, &stockfish::write, &what).is_some());
        damaged[at] ^= bit;
    }
    assert!(refused > 0 && refused < flips, "{refused} of {flips}");
    for number in 0..60 {
        let at = number * (length / 60) + random.below(length / 60);
        let error = stockfish::read(&bytes[..at]).expect_err("a file that was cut off");
        assert!(matches!(error, FileError::Truncated { .. }), "cut at byte {at}: {error}");
    }
    for more in [1, 64, 4096] {
        let longer = [bytes, &vec![0; more]].concat();
        let error = stockfish::read(&longer).expect_err("a file that is too long");
        assert!(matches!(error, FileError::TrailingBytes { count } if count == more), "{error}");
    }
}

#[test]
fn files_of_stockfishs_architectures_are_damaged_all_over() {
    for (text, compressed, flips) in [(HALFKP, false, 30), (HALFKP, true, 12), (NARROW, false, 90), (NARROW, true, 150)]
    {
        damage_everywhere(&stockfish::write(&example(text, compressed)).expect("a file"), flips);
    }
    if let Some(bytes) = stockfish_small() {
        damage_everywhere(&bytes, 30);
    }
}
