//! Files: what is written is read, and what is damaged is refused.

mod support;

use kiebitz_chess::Position;
use kiebitz_network::bullet::{self, OutputOrder};
use kiebitz_network::{FileError, NetworkFile, NetworkSpec, reference, stockfish};
use support::random_games::SplitMix;
use support::{SPECS, random_weights};

fn example(text: &str, seed: u64) -> NetworkFile {
    let spec = NetworkSpec::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let weights = random_weights(&spec, seed);
    NetworkFile::new(spec, weights)
}

#[test]
fn files_on_disk_are_mapped() {
    let folder = std::env::temp_dir().join(format!("kiebitz-network-test-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let path = folder.join("example.knet");
    let file = example(SPECS[0], 1);
    file.write(&path).expect("a written file");
    let again = NetworkFile::read(&path).expect("a network");
    assert!(again.weights.accumulator_weights.is_mapped());
    assert_eq!(again, file);
    // Replacing the file leaves the mapping as it was.
    example(SPECS[1], 2).write(&path).expect("a written file");
    assert_eq!(again, file);
    assert_eq!(std::fs::read_dir(&folder).expect("the folder").count(), 1, "temporary files are gone");
    std::fs::remove_dir_all(&folder).expect("the folder of the test");
    assert!(matches!(NetworkFile::read(&path), Err(FileError::Io { .. })));
}

#[test]
fn damaged_files_are_refused() {
    let bytes = example(SPECS[1], 3).to_bytes().expect("a file");
    let mut random = SplitMix(4);
    for _ in 0..300 {
        let mut damaged = bytes.clone();
        let at = random.below(bytes.len());
        damaged[at] ^= 1 << random.below(8);
        assert!(NetworkFile::from_bytes(&damaged).is_err(), "bit flipped in byte {at}");
        assert!(NetworkFile::from_bytes(&bytes[..at]).is_err(), "cut at byte {at}");
    }
    let longer = [bytes.as_slice(), &[0]].concat();
    assert!(matches!(NetworkFile::from_bytes(&longer), Err(FileError::TrailingBytes { count: 1 })));
}

/// A weight that changed shows nowhere in Stockfish's format, but the name of the file tells.
#[test]
fn the_name_of_a_foreign_network_is_its_checksum() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let file = example(SPECS[7], 2);
    let mut bytes = stockfish::write(&file).expect("the architecture of Stockfish 16");
    let name = format!("nn-{}.nnue", &kiebitz_network::checksum(&bytes)[..12]);
    let path = folder.path().join(&name);
    std::fs::write(&path, &bytes).expect("a written file");
    assert_eq!(NetworkFile::read(&path).expect("a network").weights, file.weights);
    assert!(NetworkFile::from_named_bytes(&folder.path().join(name + ".zst"), &bytes).is_ok());
    let last = bytes.len() - 1;
    bytes[last] ^= 4;
    std::fs::write(&path, &bytes).expect("a written file");
    let error = NetworkFile::read(&path).expect_err("another weight");
    assert!(matches!(error, FileError::Name { .. }), "{error}");
    let other = folder.path().join("mine.nnue");
    std::fs::write(&other, &bytes).expect("a written file");
    assert!(NetworkFile::read(&other).is_ok(), "without such a name nothing can be said");
}

#[test]
fn what_is_no_file_is_told_apart() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let said = NetworkFile::read(folder.path()).expect_err("a folder").to_string();
    assert!(said.contains("directory"), "{said}");
    // A folder of that name is in the way, so writing fails; nothing half-written stays behind.
    let taken = folder.path().join("taken.knet");
    std::fs::create_dir(&taken).expect("a folder");
    assert!(example(SPECS[1], 1).write(&taken).is_err());
    assert_eq!(std::fs::read_dir(folder.path()).expect("the folder").count(), 1, "temporary files are gone");
}

/// A weight of a narrow layer that 8 bits cannot hold would be another one in the file: nothing is written.
#[test]
fn weights_beyond_their_type_are_named() {
    let narrow = example(SPECS[8], 5);
    let place = narrow.weights.stacks[2][1].inputs * 7 + 3;
    for (weight, fits) in [(-128, true), (-129, false), (127, true), (128, false), (i16::MIN, false)] {
        let mut file = narrow.clone();
        file.weights.stacks[2][1].weights[place] = weight;
        let written = file.to_bytes();
        if fits {
            let bytes = written.expect("a file");
            assert_eq!(NetworkFile::from_bytes(&bytes).expect("a network").weights, file.weights);
        } else {
            assert_eq!(
                written.expect_err("too large").to_string(),
                format!(
                    "the weights do not fit the description: bucket 2, layer 2: the weight of input 3 to output 7 is {weight}, and 8 \
                     bits hold -128 to 127"
                )
            );
        }
    }
    let mut foreign = example(SPECS[7], 2);
    foreign.weights.stacks[0][2].weights[31] = 200;
    let error = stockfish::write(&foreign).expect_err("too large");
    assert!(error.to_string().contains("bucket 0, layer 3: the weight of input 31 to output 0 is 200"), "{error}");
    // Wide outputs have 16 bits.
    let mut wide = example(SPECS[3], 5);
    wide.weights.stacks[0][0].weights[5] = i16::MIN;
    let bytes = wide.to_bytes().expect("a file");
    assert_eq!(NetworkFile::from_bytes(&bytes).expect("a network").weights, wide.weights);
}

#[test]
fn refusals_say_what_was_found() {
    let said = |bytes: &[u8]| NetworkFile::from_bytes(bytes).expect_err("no network").to_string();
    assert!(said(b"").starts_with("not a network file: it starts with nothing: it is empty"));
    assert!(said(b"PK\x03\x04 and so on").starts_with("not a network file: it starts with the bytes 50 4b 03 04"));
    let mut bytes = example(SPECS[1], 6).to_bytes().expect("a file");
    bytes[8] = 9;
    assert!(said(&bytes).starts_with("format version 9 is not understood; this program reads version 1"));
    bytes[8] = 1;
    bytes[12..16].reverse();
    assert!(said(&bytes).starts_with("the byte-order mark is 0x0d0c0b0a instead of 0x0a0b0c0d"));
    bytes[12..16].reverse();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    assert!(said(&bytes).starts_with("the checksum is "));
    assert!(said(&bytes[..1000]).starts_with("the file ends inside of "), "{}", said(&bytes[..1000]));
}

#[test]
fn bullet_files_come_back_the_same() {
    for text in &SPECS[3..5] {
        let file = example(text, 8);
        for order in [OutputOrder::ByBucket, OutputOrder::ByInput] {
            let bytes = bullet::write(&file, order).expect("a bullet file");
            assert_eq!(bytes.len() % 64, 0);
            let again = bullet::read(&bytes, file.spec(), order).expect("a bullet file");
            assert_eq!(again.weights, file.weights);
            assert!(bullet::read(&bytes[..bytes.len() - 64], file.spec(), order).is_err());
            assert!(bullet::read(&[bytes.as_slice(), &[0; 64]].concat(), file.spec(), order).is_err());
        }
    }
    assert!(bullet::write(&example(SPECS[0], 1), OutputOrder::ByBucket).is_err());
}

/// A tiny network of bullet, byte by byte and computed by hand: a wrong order or a wrong view would pass every round trip.
#[test]
fn a_bullet_file_means_what_its_trainer_meant() {
    let spec: NetworkSpec =
        "inputs = bullet768 trunk = accumulate 2 clipped buckets = 2 of (pieces - 1) / 2 heads = value
        numbers = accumulator i16*255, dense i8*64, output i16*64 units 400 centipawns = 1/1"
            .parse()
            .expect("a description");
    let mut rows = vec![[0_i16; 2]; 768];
    // An own pawn (0 * 64) on d4 (27), seen by White.
    rows[27] = [100, -10];
    // The opponent's (384) pawn on d4, which for Black is d5 (35).
    rows[384 + 35] = [5, 200];
    let mut numbers: Vec<i16> = rows.concat();
    numbers.extend([30, 40]);
    // Both buckets of each input together: the mover's two sums, then the other side's.
    numbers.extend([50, 2, 50, 3, 50, -1, 50, -4]);
    numbers.extend([7, 1000]);
    let mut bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    // 3096 bytes so far.
    bytes.extend(b"bulletbulletbulletbulletbulletbulletbull");
    let file = bullet::read(&bytes, &spec, OutputOrder::ByInput).expect("a bullet file");
    assert_eq!(bullet::write(&file, OutputOrder::ByInput).expect("a bullet file"), bytes);
    // White's sums are 130 and 30, Black's 35 and 240; three pieces are bucket 1. White to move: 130 * 2 + 30 * 3 - 35 - 240 * 4 + 1000 = 355;
    // Black to move: 35 * 2 + 240 * 3 - 130 - 30 * 4 + 1000 = 1540. Times 400, divided by 255 * 64.
    for (side, expected) in [("w", 8), ("b", 37)] {
        let position: Position = format!("4k3/8/8/8/3P4/8/8/4K3 {side} - - 0 1").parse().expect("a position");
        let evaluation = reference::evaluate_integers(&spec, &file.weights, &position);
        assert_eq!((evaluation.units, evaluation.bucket), (expected, 1), "{side}");
    }
    // The same numbers bucket by bucket.
    let transposed = [&numbers[..768 * 2 + 2], &[50, 50, 50, 50, 2, 3, -1, -4, 7, 1000]].concat();
    let mut by_bucket: Vec<u8> = transposed.iter().flat_map(|number| number.to_le_bytes()).collect();
    by_bucket.extend(&bytes[3096..]);
    assert_eq!(bullet::write(&file, OutputOrder::ByBucket).expect("a bullet file"), by_bucket);
    assert_eq!(bullet::read(&by_bucket, &spec, OutputOrder::ByBucket).expect("a bullet file").weights, file.weights);
}

#[test]
fn only_stockfishs_shapes_become_nnue_files() {
    let error = stockfish::write(&example(SPECS[1], 1)).expect_err("another architecture");
    assert!(error.to_string().starts_with("cannot be written as Stockfish's .nnue: only HalfKP"), "{error}");
    let file = example(SPECS[7], 2);
    let bytes = stockfish::write(&file).expect("the architecture of Stockfish 16");
    assert_eq!(stockfish::read(&bytes).expect("what was written").weights, file.weights);
}
