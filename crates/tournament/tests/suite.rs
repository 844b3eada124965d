//! Suites, from the file to the totals.

mod engines;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use engines::{NO_STOCKFISH, mock, stockfish};
use kiebitz_tournament::suite::{Effort, Tasks, Totals, Trial, Workers, read, solve};
use kiebitz_uci::Limits;

const SUITE: &[u8] = include_bytes!("../testdata/suite.epd");

fn tasks() -> Tasks {
    read("suite.epd", SUITE)
}

fn totals(tasks: &Tasks, trials: &[Trial]) -> Totals {
    let mut totals = Totals::default();
    tasks.usable.iter().zip(trials).for_each(|(task, trial)| totals.add(task, trial));
    totals
}

#[test]
fn the_file_is_read_as_a_person_would() {
    let tasks = tasks();
    assert_eq!(tasks.usable.iter().map(|task| task.line).collect::<Vec<_>>(), [2, 3, 4, 5, 6, 10]);
    assert_eq!(tasks.unusable.iter().map(|line| line.line).collect::<Vec<_>>(), [7, 8, 9]);
    assert_eq!(tasks.usable[5].best.len(), 2);
}

proptest::proptest! {
    #[test]
    fn no_text_is_too_dirty(
        pieces in proptest::collection::vec(
            proptest::sample::select(vec![
                "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - -", " bm", " Ra8", " am Kf1", ";", " dm 3", " #", "#-2", "-2147483648",
                " =", "Q", "\0", "\"", "'", "\n", "\r", " 0-0", " -1 12", "é", " id x",
            ]),
            0..30,
        )
    ) {
        let text = pieces.concat();
        let tasks = read("test.epd", text.as_bytes());
        let lines = text.split(['\n', '\r']).count();
        proptest::prop_assert!(tasks.usable.len() + tasks.unusable.len() <= lines);
    }
}

#[test]
fn every_task_gets_one_trial_whatever_the_number_of_engines() {
    let tasks = tasks();
    for count in [1, 3, 20] {
        let workers = Workers { count: NonZeroUsize::new(count).unwrap(), ..Workers::new(mock("good")) };
        let mut seen = Vec::new();
        let (name, trials) = solve(&tasks.usable, &workers, Effort::Nodes(1), |index, _| seen.push(index)).unwrap();
        seen.sort_unstable();
        assert_eq!((name.as_str(), seen), ("Mock", (0..tasks.usable.len()).collect()));
        // The first legal move of the mock avoids what it should, and finds nothing.
        let totals = totals(&tasks, &trials);
        assert_eq!((totals.positions, totals.with_moves, totals.solved), (6, 4, 1));
        assert_eq!((totals.with_mate, totals.mates_found, totals.errors), (3, 0, 0));
        assert_eq!(totals.nodes, 6);
    }
}

#[test]
fn engines_that_die_or_lie_do_not_end_the_suite() {
    let tasks = tasks();
    for (vice, reason) in [("die-at-go", "exit code 42"), ("illegal-move", "a1a1"), ("hang-at-go", "bestmove")] {
        let brief = Duration::from_millis(200);
        let limits = Limits { stop: brief, ..Limits::default() };
        let workers = Workers { limits, longest_search: brief, ..Workers::new(mock(vice)) };
        let (_, trials) = solve(&tasks.usable[..2], &workers, Effort::Depth(1), |_, _| {}).unwrap();
        for trial in &trials {
            assert!(trial.error.as_deref().is_some_and(|error| error.contains(reason)), "{vice}: {trial:?}");
            assert_eq!(trial.solved, Some(false));
        }
    }
    let (_, trials) = solve(&tasks.usable, &Workers::new(mock("illegal-pv")), Effort::Nodes(1), |_, _| {}).unwrap();
    assert_eq!(totals(&tasks, &trials).illegal_lines, 6);
    assert!(solve(&tasks.usable, &Workers::new(mock("die-at-start")), Effort::Nodes(1), |_, _| {}).is_err());
}

#[test]
fn stockfish_solves_our_suite() {
    let Some(command) = stockfish() else { return println!("{NO_STOCKFISH}") };
    let tasks = tasks();
    let (_, trials) = solve(&tasks.usable, &Workers::new(command), Effort::Nodes(20_000), |_, _| {}).unwrap();
    let totals = totals(&tasks, &trials);
    // The last task is there for the reading: every move wins.
    assert!(trials[..5].iter().zip(&tasks.usable).all(|(trial, task)| trial.is_success(task)), "{trials:#?}");
    assert_eq!((totals.mates_found, totals.best_mates), (3, 3));
    assert_eq!((totals.illegal_lines, totals.wrong_mate_lines, totals.errors), (0, 0, 0));
}

#[test]
fn stockfish_solves_the_beginning_of_a_classic() {
    let Some(command) = stockfish() else { return println!("{NO_STOCKFISH}") };
    let file = std::env::var_os("KIEBITZ_DATA").map(|data| PathBuf::from(data).join("suites/tactics/wacnew.epd"));
    let Some(text) = file.and_then(|file| std::fs::read(file).ok()) else {
        println!("skipped: no suites/tactics/wacnew.epd in KIEBITZ_DATA");
        return;
    };
    let mut tasks = read("wacnew.epd", &text);
    assert_eq!((tasks.usable.len(), tasks.unusable.len()), (300, 0));
    tasks.usable.truncate(10);
    let (_, trials) = solve(&tasks.usable, &Workers::new(command), Effort::Nodes(20_000), |_, _| {}).unwrap();
    let totals = totals(&tasks, &trials);
    assert!(totals.solved >= 7 && totals.errors == 0 && totals.illegal_lines == 0, "{totals:?}");
}
