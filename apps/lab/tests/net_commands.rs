//! What the `net` commands write, say and refuse, as people and scripts meet them.

#![allow(clippy::unwrap_used, reason = "what a test cannot do without ends it")]

#[path = "../../../crates/network/tests/support/mod.rs"]
mod networks;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use kiebitz_chess::{FenMode, Position};
use kiebitz_network::bullet::{self, OutputOrder};
use kiebitz_network::{Certificate, NetworkFile, NetworkSpec, checksum, reference, stockfish};
use networks::{SPECS, data, positions, random_weights, stockfish_13};
use serde_json::Value;

fn net(arguments: &[&str], paths: &[&Path]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_kiebitz-lab")).arg("net").args(arguments).args(paths).output().unwrap()
}

fn succeed(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn json(output: &Output) -> Value {
    serde_json::from_str(&succeed(output)).unwrap()
}

/// What a refused command says: one line that begins with `error: `, and nothing where results belong.
fn refusal(output: &Output) -> String {
    let said = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(said.starts_with("error: ") && said.lines().count() == 1, "{said}");
    said
}

fn keys(object: &Value) -> Vec<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}

fn scratch(name: &str) -> PathBuf {
    let place = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    // What an earlier run has left.
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(&place).unwrap();
    place
}

/// A network of random weights with its certificate.
fn example(text: &str) -> NetworkFile {
    let spec = NetworkSpec::parse(text).unwrap();
    let weights = random_weights(&spec, 13);
    let mut file = NetworkFile::new(spec, weights);
    file.header.certificate = Some(Certificate::new(file.spec(), &file.weights));
    file
}

fn written(place: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = place.join(name);
    fs::write(&path, bytes).unwrap();
    path
}

/// The architecture of Stockfish's small networks, narrower than any of them.
const NARROW: &str =
    "inputs = halfkav2_hm trunk = accumulate 4 pairwise shortcut -> dense 15 folded+clipped skip -> dense 32 clipped
     buckets = 8 of (pieces - 1) / 4 heads = value";

#[test]
fn a_list_is_evaluated_one_object_a_line_as_white_sees_it() {
    let place = scratch("net-eval");
    let file = example(SPECS[7]);
    let path = written(&place, "example.net", &file.to_bytes().unwrap());
    let positions = positions(3, 40);
    let lines: Vec<String> = positions.iter().map(|position| format!("{position}\tand a remark\n\n")).collect();
    let list = written(&place, "positions.fen", lines.concat().as_bytes());
    let fens = format!("--fens={}", list.display());
    let said = succeed(&net(&["eval", &fens, "--json"], &[&path]));
    assert_eq!(said.lines().count(), positions.len());
    for (line, position) in said.lines().zip(&positions) {
        let line: Value = serde_json::from_str(line).unwrap();
        let evaluation = reference::evaluate_integers(file.spec(), &file.weights, position);
        let raw = evaluation.units_for_white(position);
        assert_eq!(line["fen"], position.to_string());
        assert_eq!((&line["raw"], &line["cp"]), (&raw.into(), &(raw * 100 / 208).into()), "{position}");
        assert_eq!(line["bucket"], evaluation.bucket);
        assert_eq!(keys(&line), ["bucket", "cp", "fen", "positional", "raw", "shortcut"]);
    }
    let fen = positions[0].to_string();
    let line = json(&net(&["eval", "--pieces", "--json", "--fen", &fen], &[&path]));
    let pieces = line["pieces"].as_array().unwrap();
    assert_eq!(pieces.len(), positions[0].occupied().len());
    assert_eq!(keys(&pieces[0]), ["piece", "removal", "share_tenths", "square"]);
    let shares: i64 = pieces.iter().map(|piece| piece["share_tenths"].as_i64().unwrap()).sum();
    let rest = line["empty_tenths"].as_i64().unwrap() + line["rounding_tenths"].as_i64().unwrap();
    assert_eq!(shares + rest, 10 * line["cp"].as_i64().unwrap(), "{line}");
    let said = succeed(&net(&["eval", "--fen", &fen], &[&path]));
    assert_eq!(said, format!("{:>7} cp {:>7} units  {fen}\n", line["cp"].to_string(), line["raw"].to_string()));
}

#[test]
fn stockfish_13_is_evaluated_as_listed() {
    let (Some(packed), Some(golden)) =
        (data("nets/nn-62ef826d1a6d.nnue.zst"), data("nets/golden_halfkp_nn-62ef826d1a6d.tsv"))
    else {
        return;
    };
    let place = scratch("net-eval-stockfish");
    let golden = fs::read_to_string(golden).unwrap();
    let (_, rows) = golden.split_once('\n').unwrap();
    let fens = format!("--fens={}", written(&place, "golden.tsv", rows.as_bytes()).display());
    let said = succeed(&net(&["eval", &fens, "--json"], &[&packed]));
    assert_eq!((said.lines().count(), rows.lines().count()), (641, 641));
    for (line, row) in said.lines().zip(rows.lines()) {
        let line: Value = serde_json::from_str(line).unwrap();
        let fields: Vec<&str> = row.split('\t').collect();
        let raw: i64 = fields[3].parse().unwrap();
        assert_eq!((&line["raw"], &line["cp"]), (&raw.into(), &(raw * 100 / 208).into()), "{row}");
        assert_eq!(line["fen"], fields[0]);
    }
}

#[test]
fn a_broken_position_is_named_with_its_place_and_the_others_are_evaluated() {
    let place = scratch("net-eval-broken");
    let path = written(&place, "example.net", &example(SPECS[1]).to_bytes().unwrap());
    let start = Position::default().to_string();
    let list = written(&place, "list.fen", format!("{start}\n\nno position\n{start}\n").as_bytes());
    let output = net(&["eval", "--json", &format!("--fens={}", list.display())], &[&path]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 2);
    let error = Position::from_fen("no position", FenMode::Lenient).unwrap_err();
    assert_eq!(said, format!("error: {}, line 3: 'no position' is no position: {error}\n", list.display()));
    let said = refusal(&net(&["eval", "--fen", "8/8"], &[&path]));
    assert!(said.starts_with("error: --fen: '8/8' is no position: "), "{said}");
    // Bytes that are no text have a place as well.
    let list = written(&place, "bytes.fen", b"\n\xff\xfe\n");
    let said = refusal(&net(&["eval", &format!("--fens={}", list.display())], &[&path]));
    assert!(said.starts_with(&format!("error: {}, line 2: ", list.display())), "{said}");
    let said = refusal(&net(&["eval"], &[&path]));
    assert!(said.contains("no position was given: name some with --fen"), "{said}");
}

#[test]
fn files_that_are_no_networks_are_refused_with_a_sentence_by_every_command() {
    let place = scratch("net-refused");
    let bytes = example(SPECS[1]).to_bytes().unwrap();
    let mut flipped = bytes.clone();
    flipped[bytes.len() / 2] ^= 16;
    let refused = [
        (place.join("missing.net"), "No such file"),
        (place.clone(), "directory"),
        (written(&place, "empty.net", b""), "it is empty"),
        (written(&place, "text.net", b"not a network at all"), "not a network file: it starts with the bytes 6e 6f 74"),
        (written(&place, "flipped.net", &flipped), "the file is damaged"),
        (written(&place, "cut.net", &bytes[..bytes.len() - 9]), "the file ends inside of the payload"),
        (written(&place, "longer.net", &[&bytes[..], b"?"].concat()), "1 bytes follow the end of the network"),
        (written(&place, "broken.zst", b"not packed"), "cannot be unpacked"),
    ];
    let out = place.join("out.net");
    for (path, expected) in &refused {
        for command in ["info", "describe", "verify", "bench", "eval", "convert"] {
            let output = match command {
                "eval" => net(&[command, "--fen", &Position::default().to_string()], &[path]),
                "convert" => net(&[command], &[path, &out]),
                _ => net(&[command], &[path]),
            };
            let said = refusal(&output);
            assert!(said.contains(&path.display().to_string()) && said.contains(expected), "{command}: {said}");
        }
    }
    assert!(!out.exists());
}

#[test]
fn a_certificate_is_proved_again() {
    let place = scratch("net-verify");
    let mut file = example(SPECS[1]);
    let sound = written(&place, "sound.net", &file.to_bytes().unwrap());
    let report = json(&net(&["verify", "--json"], &[&sound]));
    assert_eq!((&report["proved"], &report["certificate_agrees"]), (&true.into(), &true.into()), "{report}");
    assert_eq!(report["file"], sound.display().to_string());
    assert_eq!((&report["steps_not_stored"], &report["rounding"]), (&0.into(), &Value::Null));
    let bounds = report["bounds"].as_array().unwrap();
    assert!(bounds.len() > 3 && keys(&bounds[0]) == ["highest", "limit", "lowest", "step"], "{report}");
    assert_eq!(report["vector_steps"][0]["step"], "bucket 0, layer 1, pairs of products");
    let said = succeed(&net(&["verify"], &[&sound]));
    assert!(
        said.contains("the stored certificate says the same\n") && said.contains(": no step can overflow"),
        "{said}"
    );

    let stored = file.header.certificate.as_mut().unwrap();
    stored.bounds[1].highest += 1;
    let wrong = written(&place, "wrong.net", &file.to_bytes().unwrap());
    let output = net(&["verify"], &[&wrong]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("the stored certificate says something ELSE: do not trust this file"), "{said}");

    file.weights.stacks[0][0].biases[3] = i32::MAX;
    file.header.certificate = None;
    let open = written(&place, "open.net", &file.to_bytes().unwrap());
    let output = net(&["verify", "--json"], &[&open]);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["proved"], &report["certificate_agrees"]), (&false.into(), &Value::Null), "{report}");
    let said = String::from_utf8(net(&["verify"], &[&open]).stdout).unwrap();
    assert!(said.contains("bucket 0, layer 1") && said.contains("NOT PROVED"), "{said}");
    assert!(said.ends_with(": some steps may overflow for all that is known\n"), "{said}");
}

/// Through our own format and back the bytes are the same, whatever is said about the network on the way.
fn converts_both_ways(original: &Path, place: &Path, plain: &[u8]) {
    let (own, back) = (place.join("own.net"), place.join("back.nnue"));
    let report = json(&net(&["convert", "--json", "--licence", "CC0-1.0"], &[original, &own]));
    let bytes = fs::read(&own).unwrap();
    assert_eq!(keys(&report), ["bytes", "file", "format", "proved", "sha256"]);
    assert_eq!((&report["format"], &report["bytes"]), (&"kiebitz".into(), &bytes.len().into()));
    assert_eq!((&report["sha256"], &report["file"]), (&checksum(&bytes).into(), &own.display().to_string().into()));
    let file = NetworkFile::from_bytes(&bytes).unwrap();
    assert_eq!((file.header.licence.as_str(), file.header.certificate.is_some()), ("CC0-1.0", true));
    let report = json(&net(&["convert", "--json"], &[&own, &back]));
    assert_eq!((&report["format"], &report["sha256"]), (&"nnue".into(), &checksum(plain).into()));
    assert!(fs::read(&back).unwrap() == plain, "the bytes differ");
}

#[test]
fn stockfishs_format_comes_back_byte_for_byte() {
    let place = scratch("net-convert");
    let mut file = example(NARROW);
    for compressed in [true, false] {
        file.header.manifest = serde_json::json!({ "nnue_compressed": compressed });
        file.header.description = "a text of Stockfish's".to_owned();
        let bytes = stockfish::write(&file).unwrap();
        converts_both_ways(&written(&place, "original.nnue", &bytes), &place, &bytes);
    }
    if let (Some(bytes), Some(packed)) = (stockfish_13(), data("nets/nn-62ef826d1a6d.nnue.zst")) {
        converts_both_ways(&packed, &place, &bytes);
    }
}

#[test]
fn walks_are_scored_by_packed_networks_too() {
    let place = scratch("net-packed");
    let bytes = example(SPECS[1]).to_bytes().unwrap();
    let data = |arguments: &[&str], paths: &[&Path]| {
        Command::new(env!("CARGO_BIN_EXE_kiebitz-lab")).arg("data").args(arguments).args(paths).output().unwrap()
    };
    let games = written(&place, "games.pgn", b"1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 1/2-1/2\n");
    let shard = place.join("games.kbz");
    succeed(&data(&["import", "--output"], &[&shard, &games]));
    let walk = |network: &str, bytes: &[u8]| {
        let (walks, text) = (place.join(format!("{network}.kbz")), place.join(format!("{network}.plain")));
        let options = ["walk", "--walks", "4", "--seed", "5", "--net"];
        succeed(&data(&options, &[&written(&place, network, bytes), Path::new("--output"), &walks, &shard]));
        succeed(&data(&["convert", "--output"], &[&text, &walks]));
        fs::read_to_string(&text).unwrap()
    };
    let plain = walk("example.net", &bytes);
    assert!(plain.matches("score ").count() > 10, "{plain}");
    assert_eq!(walk("example.net.zst", &zstd::encode_all(bytes.as_slice(), 3).unwrap()), plain);
}

#[test]
fn headerless_files_come_back_in_either_order() {
    let place = scratch("net-convert-bullet");
    let file = example(SPECS[4]);
    let spec = written(&place, "example.spec", SPECS[4].as_bytes());
    let spec = format!("--spec={}", spec.display());
    for (word, order) in [("bucket", OutputOrder::ByBucket), ("input", OutputOrder::ByInput)] {
        let bytes = bullet::write(&file, order).unwrap();
        let (own, back) = (place.join("own.net"), place.join("back.bin"));
        let original = written(&place, "original.bin", &bytes);
        succeed(&net(&["convert", &spec, "--output-order", word], &[&original, &own]));
        assert_eq!(NetworkFile::read(&own).unwrap().weights, file.weights, "{word}");
        let report = json(&net(&["convert", "--json", "--to", "bullet", "--output-order", word], &[&own, &back]));
        assert_eq!(report["format"], "bullet");
        assert!(fs::read(&back).unwrap() == bytes, "{word}: the bytes differ");
        let said = refusal(&net(&["convert", &spec], &[&own, &back]));
        assert!(said.contains("own.net has a header of its own: leave --spec out"), "{said}");
        let short = written(&place, "short.bin", &bytes[..1000]);
        let said = refusal(&net(&["convert", &spec, "--output-order", word], &[&short, &back]));
        assert!(said.contains("short.bin: the file ends inside of the accumulator's weights"), "{said}");
    }
    // In the wrong order the weights of eight buckets would be read without a complaint, so none is assumed.
    let original = written(&place, "unstated.bin", &bullet::write(&file, OutputOrder::ByInput).unwrap());
    let (own, back) = (place.join("unstated.net"), place.join("unstated-back.bin"));
    let expected = "the network has 8 output buckets: say with --output-order in which order their weights lie";
    let said = refusal(&net(&["convert", &spec], &[&original, &own]));
    assert!(said.contains(expected) && !own.exists(), "{said}");
    fs::write(&own, file.to_bytes().unwrap()).unwrap();
    let said = refusal(&net(&["convert", "--to", "bullet"], &[&own, &back]));
    assert!(said.contains(expected) && !back.exists(), "{said}");
    // With a single bucket there is only one.
    let single = example(SPECS[3]);
    let original = written(&place, "single.bin", &bullet::write(&single, OutputOrder::ByInput).unwrap());
    let spec = format!("--spec={}", written(&place, "single.spec", SPECS[3].as_bytes()).display());
    succeed(&net(&["convert", &spec], &[&original, &own]));
    assert_eq!(NetworkFile::read(&own).unwrap().weights, single.weights);
    let own = written(&place, "other.net", &example(SPECS[1]).to_bytes().unwrap());
    let said = refusal(&net(&["convert"], &[&own, &place.join("other.nnue")]));
    assert!(said.contains("cannot be written as Stockfish's .nnue"), "{said}");
    let wrong = written(&place, "wrong.spec", b"inputs = piece768");
    let said = refusal(&net(&["convert", &format!("--spec={}", wrong.display())], &[&own, &place.join("x.net")]));
    assert!(said.contains("wrong.spec: the description has no line 'trunk = …'"), "{said}");
}

#[test]
fn a_file_is_told_in_numbers_and_in_words() {
    let place = scratch("net-info");
    let mut file = example(SPECS[7]);
    file.header.description = "one\ntwo".to_owned();
    let bytes = file.to_bytes().unwrap();
    let path = written(&place, "example.net", &bytes);
    let report = json(&net(&["info", "--json"], &[&path]));
    let expected = [
        "buckets",
        "bytes",
        "certificate",
        "description",
        "features",
        "file",
        "licence",
        "manifest",
        "parameters",
        "sha256",
        "spec",
        "width",
    ];
    assert_eq!(keys(&report), expected);
    assert_eq!((&report["features"], &report["width"], &report["buckets"]), (&22_528.into(), &64.into(), &8.into()));
    assert_eq!((&report["bytes"], &report["sha256"]), (&bytes.len().into(), &checksum(&bytes).into()));
    assert_eq!(report["parameters"], file.spec().parameters());
    assert_eq!(&NetworkSpec::parse(report["spec"].as_str().unwrap()).unwrap(), file.spec());
    let said = succeed(&net(&["info"], &[&path]));
    assert!(said.contains("description: one two\nlicence: none stated\n"), "{said}");
    assert!(said.contains(&format!("sha256 {}\n", checksum(&bytes))), "{said}");
    let bounds = file.header.certificate.as_ref().unwrap().bounds.len();
    let stored =
        format!("certificate: {bounds} steps, all proved (as stored; kiebitz-lab net verify proves them again)\n");
    assert!(said.contains(&stored), "{said}");

    let parts = json(&net(&["describe", "--json"], &[&path]));
    let parts = parts.as_array().unwrap();
    assert_eq!(parts.len(), 2 + 8 * 3, "accumulator, shortcut, three layers of eight buckets");
    assert_eq!(keys(&parts[0]), ["inputs", "largest", "outputs", "part", "smallest", "zero"]);
    assert_eq!(
        (&parts[0]["part"], &parts[0]["inputs"], &parts[0]["outputs"]),
        (&"accumulator".into(), &22_528.into(), &64.into())
    );
    assert_eq!((&parts[0]["smallest"], &parts[0]["largest"]), (&(-60).into(), &60.into()));
    assert_eq!((&parts[25]["part"], &parts[25]["inputs"]), (&"bucket 7, layer 3".into(), &32.into()));
    let zeros = file.weights.accumulator_weights.iter().filter(|&&weight| weight == 0).count();
    let share = zeros as f64 / file.weights.accumulator_weights.len() as f64;
    assert!((parts[0]["zero"].as_f64().unwrap() - share).abs() < 1e-12);
    let said = succeed(&net(&["describe"], &[&path]));
    assert_eq!(said.lines().count(), 1 + parts.len(), "{said}");
}

#[test]
fn speeds_are_told_for_every_instruction_set() {
    let place = scratch("net-bench");
    let path = written(&place, "example.net", &example(SPECS[1]).to_bytes().unwrap());
    let rates = json(&net(&["bench", "--json", "--milliseconds", "1"], &[&path]));
    let rates = rates.as_array().unwrap();
    assert!(rates.iter().any(|rate| rate["instruction_set"] == "scalar"), "{rates:?}");
    for rate in rates {
        assert_eq!(keys(rate), ["instruction_set", "step", "value"]);
        assert!(rate["step"].as_f64() > Some(0.0) && rate["value"].as_f64() > Some(0.0), "{rate}");
    }
    let said = succeed(&net(&["bench", "--milliseconds", "1"], &[&path]));
    assert_eq!(said.lines().count(), 1 + rates.len(), "{said}");
}
