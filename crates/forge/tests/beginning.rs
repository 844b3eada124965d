//! A network that begins with the weights of another run: the job knows them, and its card says whose evaluations they learned.

#![allow(clippy::unwrap_used, reason = "what a test cannot do without ends it")]

use std::fs;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use kiebitz_compute::Cpu;
use kiebitz_dataset::{Description, ShardWriter};
use kiebitz_forge::{ContestSettings, Event, Forge, ForgeSettings, Forged, Stage, Teacher};
use kiebitz_network::NetworkFile;
use kiebitz_search::SearchSignal;
use kiebitz_selfplay::{Evaluation, GamePlayer, Rules};
use kiebitz_trainer::{Recipe, Run};

/// Some quick games of the engine against itself.
fn games(path: &Path) {
    let rules =
        Rules { soft_nodes: 30, hard_nodes: 60, opening_nodes: 0, hash_mebibytes: 1, longest: 40, ..Rules::default() };
    let signal = SearchSignal::new();
    let mut player = GamePlayer::new(&rules, &[], &Evaluation::Handcrafted, &signal);
    let mut shard = ShardWriter::create(path, &Description::default()).unwrap();
    (0..16).for_each(|number| shard.write(&player.play(number).unwrap()).unwrap());
    shard.finish().unwrap();
}

fn recipe(samples: &Path, teacher: &str) -> Recipe {
    Recipe::parse(&format!(
        "name = 'first'\nnetwork = 'inputs = piece768 trunk = accumulate 8 clipped heads = value'\n[data]\ntrain = ['{}']\n\
         teacher = '{teacher}'\nfilter = {{ no_check = true }}\n[training]\npositions = 2000\nbatch = 128\nepoch = 1024\nvalidation = 100\n",
        samples.display()
    ))
    .unwrap()
}

/// The run whose weights are taken over.
fn begin(place: &Path, seed: u64) {
    let folder = place.join("first");
    let _ = fs::remove_dir_all(&folder);
    let mut recipe = recipe(&place.join("games.kbz"), "a walker");
    recipe.seed = seed;
    let mut run = Run::open(&recipe, &folder, Cpu::new(1).unwrap(), NonZeroUsize::MIN, false, "a test").unwrap();
    run.train(&mut |_| ControlFlow::Continue(())).unwrap();
}

/// The job, and the stages that were done before.
fn forge(place: &Path, start: Option<PathBuf>) -> (Forged, Vec<Stage>) {
    let samples = place.join("games.kbz");
    let mut recipe = recipe(&samples, "");
    recipe.training.start = start;
    let settings = ForgeSettings {
        inputs: vec![samples.clone()],
        out: place.join("out.net"),
        seed: 3,
        samples: 100_000,
        per_game: 10,
        teacher: Teacher::Own { nodes: 30 },
        validation: 0.3,
        recipe,
        // Nobody plays.
        contest: ContestSettings { engine: samples, against: None, limit: "nodes=100".parse().unwrap(), games: 0 },
        threads: NonZeroUsize::MIN,
        program: "a test".to_owned(),
    };
    let mut kept = Vec::new();
    let forged = Forge::new(settings).unwrap().run(|| Cpu::new(1), &AtomicBool::new(false), &mut |event| {
        if let Event::StageKept { stage, .. } = event {
            kept.push(*stage);
        }
    });
    (forged.unwrap(), kept)
}

#[test]
fn the_first_teacher_is_told_and_other_weights_to_begin_with_are_noticed() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    games(&place.join("games.kbz"));
    begin(place, 1);
    let start = Some(place.join("first/checkpoints"));
    let (forged, _) = forge(place, start.clone());
    let manifest = NetworkFile::read(&forged.network).unwrap().header.manifest;
    assert_eq!(manifest["begun_with"][0]["data"]["teacher"], "a walker", "{manifest}");
    assert_eq!(manifest["begun_with"][0]["data"]["train"][0], "games.kbz", "no folders: {manifest}");
    let recipe = &manifest["recipe"];
    let filter = &recipe["data"]["filter"];
    assert_eq!((&filter["no_check"], &filter["scored_only"]), (&true.into(), &true.into()), "{manifest}");
    assert_eq!(
        (&recipe["seed"], &recipe["name"]),
        (&3.into(), &"out".into()),
        "the recipe as it was followed: {manifest}"
    );
    assert!(!recipe["data"].to_string().contains('/'), "no folders: {manifest}");
    let told = &forged.card.begun_with;
    assert_eq!((told.len(), told[0].name.as_str(), told[0].teacher.as_str()), (1, "first", "a walker"));
    let text = fs::read_to_string(&forged.text).unwrap();
    assert!(text.contains("| begun with | first (2000 positions, teacher: a walker) |"), "{text}");

    let (_, kept) = forge(place, start.clone());
    assert!(kept.contains(&Stage::Train) && kept.contains(&Stage::Prove), "{kept:?}");
    begin(place, 2);
    let (again, kept) = forge(place, start);
    assert!(kept.contains(&Stage::Split) && !kept.contains(&Stage::Train), "{kept:?}");
    assert!(again.card.file != forged.card.file);
    let (alone, _) = forge(place, None);
    assert!(alone.card.begun_with.is_empty() && !fs::read_to_string(&alone.text).unwrap().contains("begun with"));
    assert!(NetworkFile::read(&alone.network).unwrap().header.manifest.get("begun_with").is_none());
}
