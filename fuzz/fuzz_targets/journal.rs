//! Any bytes read as the journal of a match: no panic, and every game that is accepted comes back the same.

#![no_main]

use kiebitz_tournament::game::{PgnStyle, StoredGame, pgn_of};
use kiebitz_tournament::runner::JournalReader;
use kiebitz_tournament::TimeControl;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut reader = JournalReader::new(bytes);
    while let Some(Ok(record)) = reader.next() {
        let line = StoredGame::from(&record).to_line();
        let again = StoredGame::from_line(&line).and_then(|stored| stored.record()).expect("our own line");
        assert_eq!(again.history(), record.history());
        assert_eq!(again.outcome(), record.outcome());
        let controls = [TimeControl::default(); 2];
        let style = PgnStyle { event: "fuzz", players: ["one", "two"], controls, times: true };
        assert_eq!(pgn_of(&record, &style).main_line().count(), record.history().moves().len());
    }
    assert!(reader.complete_bytes() <= bytes.len() as u64);
});
