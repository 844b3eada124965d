//! Probing the 3- and 4-man tables against expected values, the rules themselves, and damaged files.

#![allow(clippy::print_stderr, clippy::unwrap_used, reason = "tests say what they skip, and may fail loudly")]

use std::fs;
use std::path::PathBuf;

use kiebitz_chess::{Color, GameHistory, Outcome, PieceKind, Position, Setup, Square};
use kiebitz_tablebase::{FiftyMoveRule, OpenError, ProbeError, SyzygyTables, TableResult, Tablebase};

const FOLDER: &str = "suites/syzygy34";

/// The folder of tables, if it is there; else one line says that the test is skipped.
fn folder() -> Option<PathBuf> {
    let Some(root) = std::env::var_os("KIEBITZ_DATA").filter(|root| !root.is_empty()) else {
        eprintln!("skipped: KIEBITZ_DATA is not set");
        return None;
    };
    let found = PathBuf::from(root).join(FOLDER);
    if !found.exists() {
        eprintln!("skipped: KIEBITZ_DATA has no {FOLDER}");
        return None;
    }
    Some(found)
}

fn tables() -> Option<SyzygyTables> {
    folder().map(|folder| SyzygyTables::open(folder.to_str().unwrap()).unwrap())
}

/// A small repeatable source of numbers; tests need no more.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % limit as u64) as usize
    }
}

/// A random legal position with two kings and so many further men.
fn random_position(random: &mut Random, men: usize) -> Position {
    loop {
        let mut setup = Setup { side_to_move: Color::ALL[random.below(2)], ..Setup::EMPTY };
        let mut kinds = vec![(Color::White, PieceKind::King), (Color::Black, PieceKind::King)];
        kinds.extend((0..men).map(|_| (Color::ALL[random.below(2)], PieceKind::ALL[random.below(5)])));
        for (color, kind) in kinds {
            let square = Square::ALL[random.below(64)];
            setup.board.set(square, Some(kiebitz_chess::Piece::new(color, kind)));
        }
        if let Ok(position) = Position::try_from(setup)
            && position.occupied().len() == men + 2
        {
            return position;
        }
    }
}

#[test]
fn expected_values() {
    let Some(tables) = tables() else { return };
    assert_eq!((tables.largest(), tables.files()), (4, 70));
    let csv = fs::read_to_string(folder().unwrap().join("shakmaty_syzygy_expected.csv")).unwrap();
    let mut count = 0;
    for line in csv.lines().skip(1) {
        let [epd, wdl, dtz] = line.split(',').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let position = format!("{epd} 0 1").parse::<Position>().unwrap();
        if position.occupied().len() > tables.largest() {
            continue;
        }
        let found = tables.probe_wdl(&position).unwrap();
        assert_eq!(found as i32 - 2, wdl.parse::<i32>().unwrap(), "{epd}");
        assert_eq!(tables.probe_dtz(&position).unwrap().plies, dtz.parse::<i32>().unwrap(), "{epd}");
        count += 1;
    }
    assert_eq!(count, 200);
}

/// The value of a position is the best of its successors': an oracle that knows only the rules.
#[test]
fn tables_agree_with_themselves_one_move_later() {
    let Some(tables) = tables() else { return };
    let mut random = Random(7);
    for _ in 0..5_000 {
        let men = 1 + random.below(2);
        let position = random_position(&mut random, men);
        let found = tables.probe_wdl(&position).unwrap();
        let moves = position.legal_moves();
        let successors = moves.iter().map(|&mv| {
            let after = position.after(mv);
            if after.is_checkmate() { TableResult::Win } else { -tables.probe_wdl(&after).unwrap() }
        });
        let stuck = if position.is_check() { TableResult::Loss } else { TableResult::Draw };
        // A reversible move may lose the fifty-move race in between; on a win of 4 men that never happens.
        assert_eq!(found, successors.max().unwrap_or(stuck), "{position}");
        let ranking = tables.rank_root(&GameHistory::new(position.clone()), FiftyMoveRule::Honoured).unwrap();
        assert_eq!(ranking.best().map_or(stuck, |best| best.result), found, "{position}");
    }
}

/// The winner plays by the ranking, the loser too: the result on the board is the one that the tables said.
#[test]
fn playing_by_the_ranking_keeps_every_result() {
    let Some(tables) = tables() else { return };
    let mut random = Random(11);
    for round in 0..300 {
        let position = random_position(&mut random, 2);
        let expected = tables.verdict(&position, FiftyMoveRule::Honoured).unwrap().outcome(position.side_to_move());
        let mut game = GameHistory::new(position);
        let ending = loop {
            if let Some(ending) = game.ending(kiebitz_chess::Claims::Made) {
                break ending;
            }
            let ranking = tables.rank_root(&game, FiftyMoveRule::Honoured).unwrap();
            let kept = ranking.keeping_the_result();
            let groups: Vec<_> = ranking.groups().collect();
            assert_eq!(groups[0], kept);
            assert_eq!(groups.concat(), ranking.moves());
            assert!(groups.iter().flatten().all(|mv| ranking.among(|other| other == mv.mv).moves() == [*mv]));
            // The winner may choose freely among the kept moves in every other game: the counter must hold all the same.
            let choice = if round % 2 == 0 { 0 } else { random.below(kept.len()) };
            game.play(kept[choice].mv);
        };
        assert_eq!(ending.outcome(), expected, "{} after {}", game.position(), game.start());
    }
}

#[test]
fn the_counter_turns_wins_into_draws() {
    let Some(tables) = tables() else { return };
    let mate_is_far = |clock: u16| -> Position { format!("8/8/8/3k4/8/8/8/KBN5 w - - {clock} 80").parse().unwrap() };
    let dtz = tables.probe_dtz(&mate_is_far(0)).unwrap();
    assert!(dtz.plies > 40, "{dtz:?}");
    let verdict = |clock, rule| tables.verdict(&mate_is_far(clock), rule);
    assert_eq!(verdict(0, FiftyMoveRule::Honoured), Some(TableResult::Win));
    let late = 101 - dtz.plies as u16;
    assert_eq!(verdict(late - 2, FiftyMoveRule::Honoured), Some(TableResult::Win));
    assert_eq!(verdict(late, FiftyMoveRule::Honoured), Some(TableResult::CursedWin));
    assert_eq!(verdict(late, FiftyMoveRule::Ignored), Some(TableResult::Win));
    assert_eq!(verdict(late, FiftyMoveRule::Honoured).unwrap().outcome(Color::White), Outcome::Draw);
    // At the end only mate helps, and a mate that comes with the hundredth ply counts.
    let in_one: Position = "7k/8/5NKB/8/8/8/8/8 w - - 99 90".parse().unwrap();
    let ranking = tables.rank_root(&GameHistory::new(in_one), FiftyMoveRule::Honoured).unwrap();
    assert_eq!(ranking.best().unwrap().result, TableResult::Win, "{ranking:?}");
    assert!(ranking.moves()[1..].iter().all(|mv| mv.result == TableResult::Draw), "{ranking:?}");
    assert_eq!(ranking.keeping_the_result().len(), 1);
}

#[test]
fn what_tables_do_not_hold_is_none() {
    let Some(tables) = tables() else { return };
    let castling: Position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().unwrap();
    assert!(matches!(tables.probe_wdl(&castling), Err(ProbeError::Castling)));
    assert_eq!((tables.wdl(&castling), tables.dtz(&castling)), (None, None));
    assert_eq!(tables.rank_root(&GameHistory::new(castling), FiftyMoveRule::Honoured), None);
    let error = tables.probe_wdl(&Position::default()).unwrap_err();
    assert_eq!(error.to_string(), "32 pieces stand on the board, the largest table covers 4");
    let stalemate: Position = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1".parse().unwrap();
    assert_eq!(tables.wdl(&stalemate), Some(TableResult::Draw));
    let ranking = tables.rank_root(&GameHistory::new(stalemate), FiftyMoveRule::Honoured).unwrap();
    assert!(ranking.moves().is_empty() && ranking.best().is_none() && ranking.keeping_the_result().is_empty());
}

#[test]
fn without_distances_moves_are_ranked_by_result() {
    let Some(folder) = folder() else { return };
    let only_results = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "rtbw") {
            fs::copy(&path, only_results.path().join(path.file_name().unwrap())).unwrap();
        }
    }
    let tables = SyzygyTables::open(only_results.path().to_str().unwrap()).unwrap();
    let position: Position = "8/8/8/3k4/8/8/8/KQ6 w - - 0 1".parse().unwrap();
    assert_eq!(tables.dtz(&position), None);
    assert!(tables.probe_dtz(&position).unwrap_err().to_string().contains("KQvK"));
    let ranking = tables.rank_root(&GameHistory::new(position), FiftyMoveRule::Honoured).unwrap();
    assert!(ranking.moves().iter().all(|mv| mv.dtz.is_none()));
    // Every move wins but those that leave the queen to be taken.
    assert!(ranking.keeping_the_result().iter().all(|mv| mv.result == TableResult::Win));
    assert_eq!(ranking.moves().last().unwrap().result, TableResult::Draw);
}

#[test]
fn missing_folders_and_strange_files_are_named() {
    let place = tempfile::tempdir().unwrap();
    let open = |folders: &str| SyzygyTables::open(folders).unwrap_err();
    assert!(matches!(open(""), OpenError::NoFolder));
    let missing = place.path().join("nowhere");
    assert!(open(missing.to_str().unwrap()).to_string().contains("nowhere"));
    let path = place.path().to_str().unwrap();
    assert!(open(path).to_string().contains("there are no Syzygy tables"));
    fs::write(place.path().join("KQvK.rtbw"), b"not a table at all").unwrap();
    let message = open(path).to_string();
    assert!(message.contains("KQvK.rtbw") && message.contains("download it again"), "{message}");
    // The right beginning, but cut: sizes of whole tables leave a remainder of 16 when divided by 64.
    fs::write(place.path().join("KQvK.rtbw"), [0x71, 0xe8, 0x23, 0x5d, 0, 0, 0]).unwrap();
    assert!(matches!(open(path), OpenError::Damaged { .. }));
}

/// Bytes of a real table are changed at random: probes may answer or fail, but never panic.
#[test]
fn damaged_tables_never_panic() {
    let Some(folder) = folder() else { return };
    let mut random = Random(23);
    let mut refusals = 0;
    for round in 0..400 {
        let place = tempfile::tempdir().unwrap();
        for name in ["KRvK.rtbw", "KRvK.rtbz", "KPvK.rtbw", "KPvK.rtbz", "KQvKP.rtbw", "KQvKP.rtbz"] {
            let mut bytes = fs::read(folder.join(name)).unwrap();
            for _ in 0..1 + random.below(20) {
                // The header is small and rules over everything else, so half of the damage goes there.
                let reach = if random.below(2) == 0 { bytes.len().min(256) } else { bytes.len() };
                let place = 4 + random.below(reach - 4);
                bytes[place] = random.below(256) as u8;
            }
            if round % 5 == 0 {
                let whole = (bytes.len() / 64).saturating_sub(1 + random.below(3)) * 64 + 16;
                bytes.truncate(whole);
            }
            fs::write(place.path().join(name), bytes).unwrap();
        }
        let tables = SyzygyTables::open(place.path().to_str().unwrap()).unwrap();
        for fen in ["8/8/8/3k4/8/8/8/KR6 w - - 0 1", "8/8/8/3k4/8/8/8/KR6 b - - 3 1", "8/8/8/3k4/8/4P3/8/K7 w - - 0 1"]
        {
            let position: Position = fen.parse().unwrap();
            refusals += usize::from(tables.probe_dtz(&position).is_err());
            let _ = tables.rank_root(&GameHistory::new(position), FiftyMoveRule::Honoured);
        }
        for _ in 0..20 {
            let position = random_position(&mut random, 2);
            let _ = (tables.wdl(&position), tables.dtz(&position));
        }
    }
    assert!(refusals > 100, "{refusals} refusals: the damage should show");
}
