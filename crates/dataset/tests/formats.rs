//! Every format gives back what was written; our readers agree with others on real files.

#![allow(clippy::print_stderr, clippy::unwrap_used, reason = "tests say what they skip, and may fail loudly")]

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use kiebitz_chess::{CastlingForm, Outcome};
use kiebitz_dataset::{Chain, DatasetError, Description, Format, ShardIndex, ShardReader};
use proptest::prelude::*;
use support::{data, random_chain};

fn write(format: Format, path: &Path, chains: &[Chain]) {
    let mut sink = format.create(path, &Description::default()).unwrap();
    for chain in chains {
        sink.write(chain).unwrap();
    }
    sink.finish().unwrap();
}

fn read(format: Format, path: &Path) -> Vec<Chain> {
    let mut source = format.open(path).unwrap();
    let mut chains = Vec::new();
    let mut chain = Chain::default();
    while source.next_chain(&mut chain).unwrap() {
        chains.push(chain.clone());
    }
    // Two files stand behind one name.
    if format != Format::Npy {
        assert_eq!(source.consumed(), fs::metadata(path).unwrap().len());
    }
    chains
}

/// The files that a format writes under a name.
fn files(format: Format, path: &Path) -> Vec<PathBuf> {
    match format {
        Format::Npy => ["input", "output"]
            .map(|which| path.with_file_name(format!("{}_{which}.npy", path.file_stem().unwrap().display())))
            .to_vec(),
        _ => vec![path.to_owned()],
    }
}

/// What a format can say of a chain, as the chains it gives back.
fn expressible(format: Format, chain: &Chain) -> Vec<Chain> {
    let mut pieces = Vec::new();
    match format {
        Format::Kiebitz => pieces.push(chain.clone()),
        Format::Binpack | Format::Viriformat | Format::Plain | Format::Parquet => {
            chain.kept_runs(|run| pieces.push(run));
        }
        Format::Bulletformat | Format::Text | Format::Epd | Format::Npy => chain.singles(|single| pieces.push(single)),
    }
    for piece in &mut pieces {
        if !matches!(format, Format::Kiebitz | Format::Parquet) {
            piece.head.ratings = [None; 2];
            piece.links.iter_mut().for_each(|link| link.clock = None);
        }
        if matches!(format, Format::Bulletformat | Format::Text) {
            piece.links.iter_mut().for_each(|link| link.mv = None);
        }
    }
    pieces
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read(seeds in prop::collection::vec(any::<u64>(), 1..6)) {
        let place = tempfile::tempdir().unwrap();
        for format in Format::ALL {
            if format == Format::Parquet && cfg!(not(feature = "parquet")) {
                continue;
            }
            // Formats without marks for missing scores and results get chains that have them.
            let complete = !matches!(format, Format::Kiebitz | Format::Plain | Format::Epd | Format::Parquet);
            let chains: Vec<_> = seeds.iter().map(|&seed| random_chain(seed, complete)).collect();
            let path = place.path().join("samples").with_extension(format.endings()[0]);
            prop_assert_eq!(Format::of_file(&path), Some(format));
            write(format, &path, &chains);
            let expected: Vec<_> = chains.iter().flat_map(|chain| expressible(format, chain)).collect();
            let found = read(format, &path);
            if matches!(format, Format::Bulletformat | Format::Npy) {
                // Turned boards, or boards without rights: written again they must be the same bytes.
                let again = place.path().join("again").with_extension(format.endings()[0]);
                write(format, &again, &found);
                for (one, other) in files(format, &path).into_iter().zip(files(format, &again)) {
                    prop_assert_eq!(fs::read(one).unwrap(), fs::read(other).unwrap());
                }
                prop_assert_eq!(found.len(), expected.len());
            } else {
                prop_assert_eq!(found, expected, "{}", format);
            }
        }
    }

    /// A shard cut anywhere gives back its complete blocks and says where it is cut; flipped bits are noticed.
    #[test]
    fn cut_and_damaged_shards_are_noticed(seed in any::<u64>(), cut in 0.0..1.0_f64, flip in 0.0..1.0_f64) {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("samples.kbz");
        let chains: Vec<_> = (0..20).map(|number| random_chain(seed.wrapping_add(number), false)).collect();
        write(Format::Kiebitz, &path, &chains);
        let whole = fs::read(&path).unwrap();
        fs::write(&path, &whole[..(whole.len() as f64 * cut) as usize]).unwrap();
        match ShardReader::open(&path) {
            Err(DatasetError::Foreign { .. }) => {}
            Err(other) => panic!("{other}"),
            Ok(mut reader) => {
                let mut block = kiebitz_dataset::Block::default();
                let header = reader.at();
                match reader.next_block(&mut block) {
                    Ok(more) => prop_assert!(!more, "the only block is incomplete"),
                    Err(DatasetError::Truncated { at, .. }) => prop_assert_eq!(at, header),
                    Err(other) => panic!("{other}"),
                }
                prop_assert!(ShardIndex::read(&path).unwrap().blocks.is_empty());
            }
        }
        let mut damaged = whole.clone();
        let place = (whole.len() as f64 * flip) as usize;
        damaged[place] ^= 1 << (place % 8);
        fs::write(&path, damaged).unwrap();
        let mut chain = Chain::default();
        let outcome = Format::Kiebitz.open(&path).and_then(|mut source| {
            while source.next_chain(&mut chain)? {}
            Ok(())
        });
        prop_assert!(outcome.is_err(), "byte {} of {}", place, whole.len());
    }
}

#[test]
fn binpack_agrees_with_sfbinpack() {
    for (file, positions, all) in [
        ("evals/sf_small.binpack", usize::MAX, true),
        ("selfplay/stockfish15.1-nodes1000-more.binpack", 150_000, false),
    ] {
        let Some(path) = data(file) else { return };
        let mut ours = Format::Binpack.open(&path).unwrap();
        let mut theirs = sfbinpack::CompressedTrainingDataEntryReader::new(fs::File::open(&path).unwrap()).unwrap();
        let mut count = 0;
        let mut chain = Chain::default();
        while count < positions && ours.next_chain(&mut chain).unwrap() {
            chain.visit(|position, link| {
                let entry = theirs.next();
                count += 1;
                assert_eq!(entry.pos.fen().unwrap(), position.to_string(), "{file}");
                assert_eq!(entry.mv.as_uci(), position.uci(link.mv.unwrap(), CastlingForm::KingMove), "{position}");
                // 32002 is how the format says that there is no score.
                assert_eq!(Some(entry.score).filter(|&score| score != 32_002), link.score);
                assert_eq!(u32::from(entry.ply), position.ply());
                let expected = match chain.head.result.unwrap() {
                    Outcome::Draw => 0,
                    Outcome::Win(winner) => {
                        if winner == position.side_to_move() {
                            1
                        } else {
                            -1
                        }
                    }
                };
                assert_eq!(entry.result, expected);
            });
        }
        assert!(!all || !theirs.has_next(), "{count} positions read");
    }
}

/// Real files come back byte for byte; the second one was written elsewhere.
#[test]
fn real_files_come_back_byte_for_byte() {
    let place = tempfile::tempdir().unwrap();
    for (file, format) in [("evals/bullet_batch.bf", Format::Bulletformat), ("evals/sf_small.binpack", Format::Binpack)]
    {
        let Some(path) = data(file) else { return };
        let chains = read(format, &path);
        let again = place.path().join("again").with_extension(format.endings()[0]);
        write(format, &again, &chains);
        assert!(fs::read(&path).unwrap() == fs::read(&again).unwrap(), "{file}");
        // And through our own format, too.
        let own = place.path().join("own.kbz");
        write(Format::Kiebitz, &own, &chains);
        assert_eq!(read(Format::Kiebitz, &own), chains, "{file}");
    }
}

/// A binpack file without the headers of its chunks: `BINP` and a length of four bytes.
fn binpack_content(path: &Path) -> Vec<u8> {
    let bytes = fs::read(path).unwrap();
    let mut rest = &bytes[..];
    let mut content = Vec::new();
    while let Some((header, behind)) = rest.split_first_chunk::<8>() {
        assert_eq!(&header[..4], b"BINP");
        let length = u32::from_le_bytes([header[4], header[5], header[6], header[7]]) as usize;
        content.extend(&behind[..length]);
        rest = &behind[length..];
    }
    content
}

/// All of the self-play, which Stockfish's tools wrote: what we write of it reads back as the same games, chain by chain.
#[test]
#[ignore = "reads and writes thirteen million positions several times"]
fn all_of_the_selfplay_comes_back() {
    let place = tempfile::tempdir().unwrap();
    for name in ["train", "third", "more"] {
        let Some(path) = data(&format!("selfplay/stockfish15.1-nodes1000-{name}.binpack")) else { return };
        let mut positions = 0;
        let mut chain = Chain::default();
        let [binpack, own] = [Format::Binpack, Format::Kiebitz].map(|format| {
            let again = place.path().join("again").with_extension(format.endings()[0]);
            let mut sink = format.create(&again, &Description::default()).unwrap();
            let mut source = Format::Binpack.open(&path).unwrap();
            positions = 0;
            while source.next_chain(&mut chain).unwrap() {
                positions += chain.links.len();
                sink.write(&chain).unwrap();
            }
            sink.finish().unwrap();
            again
        });
        assert!(positions > 1_000_000, "{name}: {positions} positions");
        for (format, again) in [(Format::Binpack, &binpack), (Format::Kiebitz, &own)] {
            let mut original = Format::Binpack.open(&path).unwrap();
            let mut source = format.open(again).unwrap();
            let (mut expected, mut number) = (Chain::default(), 0);
            while original.next_chain(&mut expected).unwrap() {
                assert!(source.next_chain(&mut chain).unwrap(), "{name}, {format}: it ends after {number} chains");
                assert_eq!(chain, expected, "{name}, {format}: chain {number}");
                number += 1;
            }
            assert!(!source.next_chain(&mut chain).unwrap(), "{name}, {format}: more than {number} chains");
        }
        // Chunks of other sizes are the only difference.
        assert!(binpack_content(&path) == binpack_content(&binpack), "{name}: other bytes");
    }
}
