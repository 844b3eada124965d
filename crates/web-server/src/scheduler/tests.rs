//! Turns, cancellations, and who goes first.

use super::*;
use std::sync::mpsc;

use kiebitz_chess::Position;
use kiebitz_messages::{AnalysisLimit, Line, Request};
use kiebitz_onlooker::{Limits, Mind};

const LIMITS: Limits = Limits { threads: 4, hash_mebibytes: 16, lines: 5, review_nodes: 1000 };

fn line() -> Line {
    Line { start: Position::default().to_string(), moves: Vec::new() }
}

fn analysis(id: u32) -> Task {
    let request = Request::Analyse {
        id,
        line: line(),
        opponent: "handcrafted".into(),
        lines: 1,
        threads: 1,
        hash_mebibytes: 1,
        limit: AnalysisLimit::default(),
    };
    Task::new(&request, Mind::Handcrafted, &LIMITS).unwrap().unwrap()
}

fn thought(id: u32) -> Task {
    let opponent = "handcrafted".into();
    let request = Request::Think { id, line: line(), opponent, elo: None, clock: None, time_ms: Some(20) };
    Task::new(&request, Mind::Handcrafted, &LIMITS).unwrap().unwrap()
}

fn outlet() -> (Outlet, mpsc::Receiver<Event>) {
    let (sender, receiver) = mpsc::channel();
    let sender = Mutex::new(sender);
    let outlet: Outlet = Arc::new(move |event| {
        let _ = sender.lock().unwrap().send(event);
    });
    (outlet, receiver)
}

fn wait_for(receiver: &mpsc::Receiver<Event>, wanted: impl Fn(&Event) -> bool) -> Event {
    let until = Instant::now() + Duration::from_secs(20);
    loop {
        let event = receiver.recv_timeout(until - Instant::now()).expect("the event in time");
        if wanted(&event) {
            return event;
        }
    }
}

#[test]
fn a_player_need_not_wait_for_an_analysis() {
    let scheduler = Scheduler::start(1);
    let (analyses, seen) = outlet();
    let _job = scheduler.submit(analysis(1), analyses, &LastTurn::default());
    wait_for(&seen, |event| matches!(event, Event::Analysis { .. }));
    let (thoughts, answers) = outlet();
    let begun = Instant::now();
    let _thought = scheduler.submit(thought(2), thoughts, &LastTurn::default());
    wait_for(&answers, |event| matches!(event, Event::Thought { id: 2, .. }));
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    // And the analysis goes on afterwards.
    while seen.try_recv().is_ok() {}
    wait_for(&seen, |event| matches!(event, Event::Analysis { id: 1, .. }));
}

#[test]
fn everybody_gets_a_turn() {
    let scheduler = Scheduler::start(1);
    let (events, seen) = outlet();
    let page = LastTurn::default();
    let jobs: Vec<JobHandle> = (0..3).map(|id| scheduler.submit(analysis(id), Arc::clone(&events), &page)).collect();
    for wanted in 0..3 {
        wait_for(&seen, |event| matches!(event, Event::Analysis { id, .. } if *id == wanted));
    }
    jobs.iter().for_each(JobHandle::cancel);
    for _ in 0..3 {
        wait_for(&seen, |event| matches!(event, Event::AnalysisEnded { end: AnalysisEnd::Stopped, .. }));
    }
    let until = Instant::now() + Duration::from_secs(5);
    while scheduler.load() != (Load { running: 0, waiting: 0 }) {
        assert!(Instant::now() < until, "{:?}", scheduler.load());
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_page_that_asks_for_much_gets_no_more_turns() {
    let scheduler = Scheduler::start(1);
    let (events, seen) = outlet();
    let (greedy, modest) = (LastTurn::default(), LastTurn::default());
    let _many: Vec<JobHandle> = (0..5).map(|id| scheduler.submit(analysis(id), Arc::clone(&events), &greedy)).collect();
    let _one = scheduler.submit(analysis(9), Arc::clone(&events), &modest);
    // Nobody asked later than the modest page, and only one goes before it.
    let mut turns: Vec<u32> = Vec::new();
    while turns.len() < 3 {
        let event = wait_for(&seen, |event| matches!(event, Event::Analysis { .. }));
        let Event::Analysis { id, .. } = event else { unreachable!() };
        if !turns.contains(&id) {
            turns.push(id);
        }
    }
    assert_eq!(turns, [0, 9, 1]);
}

#[test]
fn a_review_uses_its_turn_like_an_analysis() {
    let scheduler = Scheduler::start(1);
    let (events, seen) = outlet();
    let moves = ["e2e4", "e7e5", "g1f3", "b8c6"].map(str::to_owned).to_vec();
    let line = Line { moves, ..line() };
    let request = Request::Review { id: 5, line, pgn: None, opponent: "handcrafted".into(), nodes: 1000 };
    let review = Task::new(&request, Mind::Handcrafted, &LIMITS).unwrap().unwrap();
    let submit = |task| scheduler.submit(task, Arc::clone(&events), &LastTurn::default());
    let _jobs = [submit(analysis(0)), submit(review), submit(analysis(1)), submit(analysis(2))];
    wait_for(&seen, |event| matches!(event, Event::ReviewProgress { .. }));
    let next = wait_for(&seen, |event| matches!(event, Event::Analysis { .. } | Event::Review { .. }));
    assert!(matches!(next, Event::Review { .. }), "{next:?}");
}

#[test]
fn a_cancelled_search_ends_at_once() {
    let scheduler = Scheduler::start(1);
    let (events, seen) = outlet();
    let page = LastTurn::default();
    let job = scheduler.submit(analysis(1), Arc::clone(&events), &page);
    let waiting = scheduler.submit(analysis(2), Arc::clone(&events), &page);
    wait_for(&seen, |event| matches!(event, Event::Analysis { id: 1, .. }));
    waiting.replace();
    wait_for(&seen, |event| matches!(event, Event::AnalysisEnded { id: 2, end: AnalysisEnd::Replaced }));
    let begun = Instant::now();
    job.cancel();
    wait_for(&seen, |event| matches!(event, Event::AnalysisEnded { id: 1, .. }));
    assert!(begun.elapsed() < Duration::from_millis(500), "{:?}", begun.elapsed());
}
