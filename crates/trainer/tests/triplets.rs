//! Training on triplets: from lines of moves to a network that prefers what was played.

#![allow(clippy::unwrap_used, reason = "tests may fail loudly")]

use std::fmt::Write;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use kiebitz_chess::{CastlingForm, Color, PieceKind, Position};
use kiebitz_compute::Cpu;
use kiebitz_network::{NetworkFile, reference};
use kiebitz_trainer::{Event, Recipe, Run, TrainError};

fn material(position: &Position, side: Color) -> i32 {
    [(PieceKind::Pawn, 1), (PieceKind::Knight, 3), (PieceKind::Bishop, 3), (PieceKind::Rook, 5), (PieceKind::Queen, 9)]
        .into_iter()
        .map(|(kind, value)| value * position.pieces(side, kind).len() as i32)
        .sum()
}

/// Players who take the most valuable thing, and a random other move: whoever learns from them learns that pieces are worth something.
fn triplets(place: &Path, name: &str, seed: u64, count: usize) -> PathBuf {
    let mut state = seed;
    let mut chance = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let (mut text, mut found) = (String::new(), 0);
    while found < count {
        let mut position = Position::default();
        for _ in 0..60 {
            let moves = position.legal_moves();
            if moves.len() < 2 {
                break;
            }
            let gain = |mv| -material(&position.after(mv), !position.side_to_move());
            let best = (0..moves.len()).max_by_key(|&number| gain(moves[number])).unwrap();
            let other = chance(moves.len());
            if gain(moves[best]) > gain(moves[other]) {
                let uci = |number: usize| position.uci(moves[number], CastlingForm::KingMove);
                writeln!(text, "{position}\t{}\t{}", uci(best), uci(other)).unwrap();
                found += 1;
            }
            position.play(moves[chance(moves.len())]);
        }
    }
    let path = place.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

fn recipe(train: &Path, validation: &Path, more: &str) -> String {
    format!(
        "name = 'ranking'\nnetwork = 'inputs = half(any.color * any.role * any.square) trunk = accumulate 16 clipped -> dense 8 clipped buckets = 2 of \
         (pieces - 1) / 16 heads = value'\n[data]\ntrain = ['{}']\nvalidation = ['{}']\n[training]\npositions = 120000\nepoch = 24000\nvalidation = 3000\n{more}",
        train.display(),
        validation.display()
    )
}

const PQR: &str = "batch = 600\n[loss]\nkind = 'pqr'\nscore_scale = 100.0\n[optimiser]\nrate = 0.01";

fn train(recipe: &Recipe, folder: &Path, threads: usize) -> Result<(PathBuf, Vec<f64>), TrainError> {
    let threads = NonZeroUsize::new(threads).unwrap();
    let mut run = Run::open(recipe, folder, Cpu::new(threads.get())?, threads, false, "a test")?;
    let mut losses = Vec::new();
    let path = run.train(&mut |event| {
        if let Event::Validation { loss, .. } = event {
            losses.push(*loss);
        }
        ControlFlow::Continue(())
    })?;
    Ok((path, losses))
}

#[test]
fn a_network_learns_from_moves_alone() {
    let place = tempfile::tempdir().unwrap();
    let files = [triplets(place.path(), "train.pqr", 1, 3000), triplets(place.path(), "validation.pqr", 2, 1000)];
    let recipe = Recipe::parse(&recipe(&files[0], &files[1], PQR)).unwrap();
    let (path, losses) = train(&recipe, &place.path().join("one"), 1).unwrap();
    // Whoever knows nothing has the loss log 2; consistency is part of the loss, too.
    assert!(*losses.last().unwrap() < 0.6 * std::f64::consts::LN_2, "{losses:?}");
    let (again, _) = train(&recipe, &place.path().join("two"), 2).unwrap();
    assert!(std::fs::read(&path).unwrap() == std::fs::read(again).unwrap(), "other threads, other bytes");
    let file = NetworkFile::read(&path).unwrap();
    assert_eq!(file.header.certificate.as_ref().unwrap().unproved().count(), 0);
    let quantised = file.header.manifest["quantised_validation_loss"].as_f64().unwrap();
    assert!((quantised - losses.last().unwrap()).abs() < 0.05 * quantised, "{losses:?}, quantised {quantised}");
    // The played network itself prefers the move that was played, on triplets that it has never seen.
    let (mut right, mut all) = (0, 0);
    for line in std::fs::read_to_string(&files[1]).unwrap().lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let position: Position = fields[0].parse().unwrap();
        let after = |text: &str| position.after(position.parse_uci(text).unwrap());
        let value = |position: &Position| reference::evaluate_integers(file.spec(), &file.weights, position).units;
        right += usize::from(value(&after(fields[1])) < value(&after(fields[2])));
        all += 1;
    }
    assert!(right * 10 > all * 8, "{right} of {all}");
}

#[test]
fn what_is_wrong_with_triplets_is_told() {
    let place = tempfile::tempdir().unwrap();
    let good = triplets(place.path(), "good.pqr", 3, 300);
    let error = |train: &Path, more: &str| match Recipe::parse(&recipe(train, &good, more)) {
        Err(error) => error.to_string(),
        Ok(recipe) => {
            self::train(&recipe, &tempfile::tempdir().unwrap().path().join("run"), 1).unwrap_err().to_string()
        }
    };
    assert!(error(&good, "batch = 100\n[loss]\nkind = 'pqr'").contains("a multiple of 3"));
    assert!(error(&place.path().join("none.pqr"), PQR).contains("none.pqr"));
    for (text, reason) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\te2e4\te2e5", "line 2"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 e2e4", "two moves with tabs"),
        ("not a position\te2e4\td2d4", "bad.pqr, line 2"),
    ] {
        let bad = place.path().join("bad.pqr");
        std::fs::write(&bad, format!("{}\n{text}\n", std::fs::read_to_string(&good).unwrap().lines().next().unwrap()))
            .unwrap();
        let told = error(&bad, PQR);
        assert!(told.contains(reason), "{told}");
    }
}
