//! The real games of `data/games`: every one replays, and another library agrees. Needs `KIEBITZ_DATA`.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests may fail loudly")]

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;

use kiebitz_chess::{Move, Outcome, Position};
use kiebitz_pgn::{BrokenGame, Chunk, Chunks, GameReader, NodeId, Source, Tags, Visitor, Want, read_parallel};
use pgn_reader::shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, fen::Fen};
use pgn_reader::{RawTag, Reader, SanPlus};

const LICHESS_2013: &str = "lichess_2013-01_train.pgn.zst";
const LICHESS_CLOCKS: &str = "lichess_misc_clk_eval_train.pgn.zst";
const TWIC: &str = "twic_otb_1998-2022_train_a.pgn.zst";

/// A file of games; `None`, with a word to the reader of the log, where the data is missing.
fn open(name: &str) -> Option<Source<'static>> {
    let Some(data) = std::env::var_os("KIEBITZ_DATA") else {
        eprintln!("skipped: KIEBITZ_DATA is not set, so {name} cannot be read");
        return None;
    };
    Some(Source::open(PathBuf::from(data).join("games").join(name)).unwrap())
}

#[derive(Default)]
struct Counter {
    games: usize,
    /// Of main lines.
    plies: usize,
    /// How deep in variations the reading is.
    depth: usize,
    evaluations: usize,
    clocks: usize,
    broken: Vec<BrokenGame>,
}

impl Visitor for Counter {
    fn begin(&mut self, _tags: &Tags, _start: &Position) -> Want {
        self.games += 1;
        Want::Everything
    }

    fn play(&mut self, _before: &Position, mv: Move) {
        self.plies += usize::from(self.depth == 0 && mv != Move::NULL);
    }

    fn begin_variation(&mut self) {
        self.depth += 1;
    }

    fn end_variation(&mut self) {
        self.depth -= 1;
    }

    fn comment(&mut self, comment: kiebitz_pgn::RawComment<'_>) {
        self.evaluations += usize::from(comment.evaluation().is_some());
        self.clocks += usize::from(comment.clock().is_some());
    }

    fn end(&mut self, _end: &Position, _outcome: Option<Outcome>) {}

    fn broken(&mut self, game: BrokenGame) {
        self.broken.push(game);
    }
}

fn count(name: &str) -> Option<Counter> {
    let mut total = Counter::default();
    let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let work = |chunk: &Chunk| {
        let mut counter = Counter::default();
        chunk.visit(&mut counter);
        counter
    };
    read_parallel(Chunks::new(open(name)?), threads, work, |part| {
        total.games += part.games;
        total.plies += part.plies;
        total.evaluations += part.evaluations;
        total.clocks += part.clocks;
        total.broken.extend(part.broken);
        ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!(total.broken, []);
    Some(total)
}

#[test]
#[ignore = "slow: make test-slow"]
fn lichess_2013_replays() {
    let Some(total) = count(LICHESS_2013) else { return };
    assert_eq!((total.games, total.plies), (109_909, 7_384_050));
}

#[test]
#[ignore = "slow: make test-slow"]
fn lichess_with_clocks_replays() {
    let Some(total) = count(LICHESS_CLOCKS) else { return };
    assert_eq!((total.games, total.plies), (54_983, 4_131_242));
    assert!(total.evaluations > 800_000 && total.clocks > 3_000_000, "{} {}", total.evaluations, total.clocks);
}

#[test]
#[ignore = "slow: make test-slow"]
fn twic_replays() {
    let Some(total) = count(TWIC) else { return };
    assert_eq!(total.games, 284_955);
    assert_eq!(total.plies, 23_543_268);
}

/// The first games of each file, as trees: they replay, and they survive writing and reading.
#[test]
fn the_first_games_read_and_write() {
    for name in [LICHESS_2013, LICHESS_CLOCKS, TWIC] {
        let Some(source) = open(name) else { return };
        for game in GameReader::new(source).take(2000) {
            let game = game.unwrap();
            let text = game.to_string();
            let again = GameReader::new(Source::from_reader(name, text.as_bytes())).next().unwrap();
            assert_eq!(again.as_ref(), Ok(&game));
        }
    }
}

/// The last position of a game, by `pgn-reader` and `shakmaty`.
struct LastPosition;

impl pgn_reader::Visitor for LastPosition {
    type Tags = Option<Chess>;
    type Movetext = Chess;
    type Output = String;

    fn begin_tags(&mut self) -> ControlFlow<String, Option<Chess>> {
        ControlFlow::Continue(None)
    }

    fn tag(&mut self, start: &mut Option<Chess>, name: &[u8], value: RawTag<'_>) -> ControlFlow<String> {
        if name == b"FEN" {
            let fen = Fen::from_ascii(value.as_bytes()).unwrap();
            *start = Some(fen.into_position(CastlingMode::Chess960).unwrap());
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, start: Option<Chess>) -> ControlFlow<String, Chess> {
        ControlFlow::Continue(start.unwrap_or_default())
    }

    fn san(&mut self, position: &mut Chess, san: SanPlus) -> ControlFlow<String> {
        let mv = san.san.to_move(position).unwrap();
        position.play_unchecked(mv);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, position: Chess) -> String {
        Fen::from_position(&position, EnPassantMode::Legal).to_string()
    }
}

#[test]
fn another_library_agrees() {
    for name in [LICHESS_2013, LICHESS_CLOCKS, TWIC] {
        let (Some(own), Some(theirs)) = (open(name), open(name)) else { return };
        let mut reader = Reader::new(theirs);
        for game in GameReader::new(own).take(2000) {
            let game = game.unwrap();
            let last = game.position(game.main_line().last().unwrap_or(NodeId::ROOT));
            assert_eq!(reader.read_game(&mut LastPosition).unwrap(), Some(last.to_string()));
        }
    }
}
