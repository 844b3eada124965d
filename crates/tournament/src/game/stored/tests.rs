//! Games survive being stored, and nonsense is refused.

use super::*;

fn record(termination: Termination) -> GameRecord {
    let start: Position = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".parse().unwrap();
    let book = vec![start.parse_uci("e1g1").unwrap()];
    let after = start.after(book[0]);
    let mv = after.parse_uci("e8c8").unwrap();
    let told = MoveRecord {
        mv,
        score: Some(Score::mated_in(4)),
        depth: Some(12),
        nodes: Some(u64::MAX),
        elapsed: Duration::from_micros(12_345),
        clock: Some(Duration::from_millis(61_500)),
    };
    GameRecord {
        game: PlannedGame {
            id: GameId { encounter: 1, turn: 2, leg: 1 },
            round: 3,
            white: Player(4),
            black: Player(0),
            opening: u64::MAX,
        },
        opening: Opening { start, moves: book },
        moves: vec![told],
        termination,
        begun: UNIX_EPOCH + Duration::from_secs(1_700_000_000),
        duration: Duration::from_millis(1500),
        notes: vec![Note { color: Color::Black, text: "odd \"words\"\n".into() }],
    }
}

#[test]
fn every_kind_of_end_reads_back() {
    let loser = Color::Black;
    let reason = || "it said \"no\"".to_owned();
    let late = Duration::from_millis(30);
    let mut ends = vec![
        Termination::Rules(Ending::Checkmate { winner: Color::Black }),
        Termination::Adjudicated(Adjudication::Draw),
        Termination::Adjudicated(Adjudication::TooLong),
        Termination::Adjudicated(Adjudication::Resignation { winner: Color::White }),
        Termination::Tablebase(Outcome::Draw),
        Termination::Tablebase(Outcome::Win(Color::Black)),
        Termination::TimeForfeit { loser, late, moved: false, stalled: None },
        Termination::TimeForfeit { loser, late, moved: true, stalled: Some(late) },
        Termination::IllegalMove { loser, reason: reason() },
        Termination::Crash { loser, reason: reason() },
        Termination::Hang { loser, reason: reason() },
    ];
    ends.extend(ENDINGS[1..].iter().map(|(_, ending)| Termination::Rules(*ending)));
    for end in ends {
        let record = record(end);
        let line = StoredGame::from(&record).to_line();
        assert!(!line.contains('\n'));
        assert_eq!(StoredGame::from_line(&line).unwrap().record().unwrap(), record);
    }
}

#[test]
fn nonsense_is_refused() {
    let line = StoredGame::from(&record(Termination::Tablebase(Outcome::Draw))).to_line();
    for (from, to) in [
        ("\"e8a8\"", "\"e8h1\""),
        ("1/2-1/2", "2-0"),
        ("tablebase", "boredom"),
        ("tablebase", "resignation"),
        ("tablebase", "crash"),
        ("r3k2r/8", "r3k2r/9"),
        ("1.5", "-1.5"),
    ] {
        let damaged = line.replacen(from, to, 1);
        assert_ne!(damaged, line, "{from}");
        let read = StoredGame::from_line(&damaged).and_then(|stored| stored.record());
        assert!(read.is_err(), "{from} -> {to}");
    }
    assert!(StoredGame::from_line(&line[..line.len() - 1]).is_err());
}

#[test]
fn scores_survive() {
    for score in [Score::DRAW, Score::centipawns(-250), Score::mate_in(1), Score::mate_in(999), Score::mated_in(0)] {
        assert_eq!(read_score(score.value()), score);
    }
    for wild in [i32::MIN, i32::MAX, 32_001, -40_000] {
        let _ = read_score(wild);
    }
}
