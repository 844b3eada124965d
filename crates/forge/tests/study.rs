//! A tiny study: interrupted again and again, it comes to what an undisturbed one finds.

#![allow(clippy::unwrap_used, reason = "what a test cannot do without ends it")]

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use kiebitz_compute::Cpu;
use kiebitz_dataset::{Description, ShardWriter};
use kiebitz_features::FeatureSet;
use kiebitz_forge::{
    Findings, ForgeError, Pace, Speed, Study, StudyEvent, StudyPlan, StudySettings, StudyStep, chapter,
};
use kiebitz_network::NetworkFile;
use kiebitz_search::SearchSignal;
use kiebitz_selfplay::{Evaluation, GamePlayer, Rules};

const PLAN: &str = r#"
name = "tiny"
title = "A tiny study"
about = "Nothing is learned here."
trunk = "accumulate 16 clipped -> dense 8 clipped"
[data]
train = ["TRAIN"]
validation = ["VALIDATION"]
filter = { no_check = true }
[training]
positions = 6000
batch = 512
epoch = 2048
validation = 500
[optimiser]
rate = 0.01
[rates]
tried = [0.01, 1e9]
positions = 1000
[measuring]
positions = 200
games = 3
counted = 500
milliseconds = 1
[matches]
baseline = "piece"
limit = "nodes=100"
games = 0
[[entries]]
name = "piece"
features = "piece768"
[[entries]]
name = "pairs"
features = "half(any.color * any.role * any.square + live(pairs(first.color * first.square * second.color * second.square, pawns)))"
[[entries]]
name = "best-pairs"
select = { from = "pairs", by = "contribution", keep = 60 }
[[entries]]
name = "frequent-pairs"
select = { from = "pairs", by = "frequency", keep = 60 }
width = 8
[[entries]]
name = "triplets"
features = "compact192"
labels = "pqr"
layers = []
[[groups]]
name = "Pairs"
question = "Which?"
entries = ["best-pairs", "frequent-pairs", "pairs"]
"#;

/// Some quick games of the engine against itself.
fn games(path: &Path, numbers: std::ops::Range<u64>) {
    let rules =
        Rules { soft_nodes: 30, hard_nodes: 60, opening_nodes: 0, hash_mebibytes: 1, longest: 40, ..Rules::default() };
    let signal = SearchSignal::new();
    let mut player = GamePlayer::new(&rules, &[], &Evaluation::Handcrafted, &signal);
    let mut shard = ShardWriter::create(path, &Description::default()).unwrap();
    numbers.for_each(|number| shard.write(&player.play(number).unwrap()).unwrap());
    shard.finish().unwrap();
}

fn study(place: &Path, folder: &str, threads: usize) -> Study {
    planned(PLAN, place, folder, threads)
}

fn planned(plan: &str, place: &Path, folder: &str, threads: usize) -> Study {
    let text = plan
        .replace("TRAIN", &place.join("train.kbz").display().to_string())
        .replace("VALIDATION", &place.join("validation.kbz").display().to_string());
    let settings = StudySettings {
        plan: StudyPlan::parse(&text).unwrap(),
        folder: place.join(folder),
        engine: place.join("none"),
        threads: NonZeroUsize::new(threads).unwrap(),
        program: "test".to_owned(),
        command: "kiebitz-lab study tiny.toml".to_owned(),
    };
    Study::new(settings).unwrap()
}

/// Runs, and stops after so many events; tells what happened.
fn run(study: &Study, events: usize) -> (Result<Findings, ForgeError>, Vec<StudyEvent>) {
    let stop = AtomicBool::new(false);
    let mut told = Vec::new();
    let result = study.run(|| Cpu::new(1), &stop, &mut |event| {
        told.push(event.clone());
        stop.store(told.len() >= events, Ordering::Relaxed);
    });
    (result, told)
}

/// Times and threads are all that may differ.
fn timeless(mut findings: Findings) -> Findings {
    findings.threads = 0;
    for entry in &mut findings.entries {
        entry.training.speed = 0.0;
        entry.training.device = String::new();
        entry.speed = Speed { pace: Pace { step: 1.0, value: 1.0 }, nodes_per_second: 1.0 };
    }
    findings
}

#[test]
fn an_interrupted_study_finds_what_an_undisturbed_one_does() {
    let place = tempfile::tempdir().unwrap();
    games(&place.path().join("train.kbz"), 0..24);
    games(&place.path().join("validation.kbz"), 24..30);
    let (peaceful, _) = run(&study(place.path(), "peaceful", 2), usize::MAX);
    let peaceful = timeless(peaceful.unwrap());
    networks_tell_their_filter(&place.path().join("peaceful"));

    let mut stops = 0;
    let disturbed = loop {
        // Every run gets a little further: kept steps are events, too.
        let (result, _) = run(&study(place.path(), "disturbed", 1), 7 + 3 * stops);
        match result {
            Ok(findings) => break timeless(findings),
            Err(ForgeError::Stopped(_)) => stops += 1,
            Err(other) => panic!("{other}"),
        }
    };
    assert!(stops > 5, "only {stops} stops");
    assert_eq!(peaceful, disturbed);

    // Everything is there: nothing is done again.
    let (again, told) = run(&study(place.path(), "disturbed", 2), usize::MAX);
    assert_eq!(timeless(again.unwrap()), peaceful);
    assert!(!told.iter().any(|event| matches!(event, StudyEvent::StepBegun { .. })), "{told:?}");
    let kept = |step| {
        told.iter().filter(|event| matches!(event, StudyEvent::StepKept { step: kept, .. } if *kept == step)).count()
    };
    use StudyStep::{Measure, Pace, Rate, Select, Train};
    assert_eq!([Rate, Train, Measure, Select, Pace].map(kept), [10, 5, 5, 2, 1]);
    check(&peaceful);
}

/// What a network lost can be measured again only by samples of the same filter.
fn networks_tell_their_filter(folder: &Path) {
    let mut pending = vec![folder.to_owned()];
    let mut networks = 0;
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|ending| ending == "net") && !path.to_string_lossy().contains("/run/") {
            let data = &NetworkFile::read(&path).unwrap().header.manifest["recipe"]["data"];
            assert_eq!(data["filter"]["no_check"], true, "{}: {data}", path.display());
            assert!(!data.to_string().contains('/'), "no folders: {data}");
            networks += 1;
        }
    }
    assert!(networks >= 5, "{networks} networks");
}

#[test]
fn an_entry_that_comes_to_nothing_is_told_in_the_report_of_the_others() {
    let place = tempfile::tempdir().unwrap();
    games(&place.path().join("train.kbz"), 0..8);
    games(&place.path().join("validation.kbz"), 8..12);
    let (head, rest) = PLAN.split_once("[[entries]]\nname = \"best-pairs\"").unwrap();
    let groups = &rest[rest.find("[[entries]]\nname = \"triplets\"").unwrap()..rest.find("[[groups]]").unwrap()];
    // The first of all pairs is a pawn on a1 with itself.
    let never = "[[entries]]\nname = \"never\"\nfeatures = \"half(any.color * any.role * any.square + top(pairs(first.color * \
                 first.square * second.color * second.square, pawns), [0]))\"\n\
                 [[entries]]\nname = \"selects\"\nselect = { from = \"never\", by = \"frequency\", keep = 5 }\n\
                 [[entries]]\nname = \"selects-again\"\nselect = { from = \"selects\", by = \"frequency\", keep = 5 }\n";
    let plan = format!("{head}{never}{groups}");
    let (result, told) = run(&planned(&plan, place.path(), "study", 2), usize::MAX);
    let findings = result.unwrap();
    assert_eq!(findings.failed.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["selects", "selects-again"]);
    assert!(findings.failed.iter().all(|(_, reason)| reason.len() > 20), "{:?}", findings.failed);
    assert_eq!(findings.entries.len(), 4);
    assert!(chapter(&findings).contains("- **selects**: "));
    let failed = |event: &&StudyEvent| matches!(event, StudyEvent::EntryFailed { .. });
    assert_eq!(told.iter().filter(failed).count(), 2);
    // What comes after them is done, and kept.
    let (_, told) = run(&planned(&plan, place.path(), "study", 2), usize::MAX);
    let kept = |event: &StudyEvent| matches!(event, StudyEvent::StepKept { entry, .. } if entry == "triplets");
    assert!(told.iter().any(kept), "{told:?}");
}

#[test]
fn every_study_of_the_project_can_be_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runs");
    let mut studies = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        if text.contains("[[entries]]") {
            let plan = StudyPlan::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            assert_eq!(Some(plan.name.as_str()), path.file_stem().and_then(|stem| stem.to_str()));
            assert!(!plan.groups.is_empty() && plan.entries.iter().any(|entry| entry.select.is_some()));
            studies += 1;
        }
    }
    assert!(studies >= 2);
}

fn check(findings: &Findings) {
    let names: Vec<&str> = findings.entries.iter().map(|entry| entry.plan.name.as_str()).collect();
    assert_eq!(names, ["piece", "pairs", "best-pairs", "frequent-pairs", "triplets"]);
    for entry in &findings.entries {
        let (name, training, measured) = (&entry.plan.name, &entry.training, &entry.measurement);
        assert!(training.validations.len() >= 2, "{name}");
        assert!((0.0..0.6).contains(&training.quantised_loss), "{name}: {}", training.quantised_loss);
        let apart = (training.quantised_loss - training.float_loss).abs();
        assert!(apart < 0.02, "{name}: floats and integers are {apart} apart");
        assert!((0.0..=1.0).contains(&measured.ranked_right) && measured.triplets > 50, "{name}");
        assert!(measured.moves > 50 && measured.mean_active > 5.0 && measured.updates_per_move > 1.0, "{name}");
        assert!(
            measured.dead_neurons + measured.full_neurons <= measured.neurons && measured.active_neurons > 0.0,
            "{name}"
        );
        assert_eq!((entry.rate, entry.rates.len()), (0.01, 2), "{name}: such steps as the other rate's teach nothing");
        let [difference, error] = entry.loss_difference.unwrap();
        let usual = findings.entries[0].training.quantised_loss;
        assert!(
            (training.quantised_loss - usual - difference).abs() < 1e-6 && (error > 0.0 || name == "piece"),
            "{name}"
        );
    }
    let pairs = &findings.entries[1].measurement;
    assert!(pairs.updates_per_move > findings.entries[0].measurement.updates_per_move);
    assert_eq!(findings.entries[3].measurement.neurons, 8);
    for entry in &findings.entries[2..4] {
        let selection = entry.selection.as_ref().unwrap();
        assert_eq!(FeatureSet::parse(&selection.features).unwrap().count(), 768 + 60);
        assert_eq!(selection.distances.iter().map(|distance| distance.kept).sum::<usize>(), 60);
        assert!((selection.distances.iter().map(|distance| distance.frequency).sum::<f64>() - 1.0).abs() < 1e-9);
    }
    let (best, frequent) =
        (findings.entries[2].selection.as_ref().unwrap(), findings.entries[3].selection.as_ref().unwrap());
    assert!(best.contribution_share >= frequent.contribution_share);
    assert!(best.frequency_share <= frequent.frequency_share);
    let text = chapter(findings);
    for words in [
        "# A tiny study",
        "### Pairs",
        "files apart",
        "p · Σ (w − w₀)²",
        "kiebitz-lab study tiny.toml",
        "(triplets)",
        " times their share of occurrences. ",
    ] {
        assert!(text.contains(words), "{words} is missing in {text}");
    }
    assert!(!text.contains("NaN") && !text.contains("inf "), "{text}");
    let mut noted = findings.clone();
    noted.plan.matches.games = 2;
    noted.plan.matches.note = "Mind the clocks.\n".to_owned();
    assert!(chapter(&noted).contains("\n\nMind the clocks.\n\n| network | games"));
}
