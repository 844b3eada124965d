//! Laws that hold for every game and every text: what is written reads back, and cutting a file into chunks or sharing
//! it among threads changes nothing.

#![allow(clippy::unwrap_used, reason = "tests may fail loudly")]

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

#[path = "support/round_trips.rs"]
mod round_trips;

use kiebitz_chess::{Color, Move, Outcome, Position};
use kiebitz_pgn::{Chunks, Comment, Game, GameReader, Nag, NodeId, Source, read_parallel};
use proptest::prelude::*;
use round_trips::read;

/// One thing an author does to a game.
#[derive(Clone, Debug)]
enum Step {
    /// Plays the n-th legal move at the end of the line.
    Play(usize),
    /// Passes, if not in check.
    Pass,
    /// Goes back to the n-th move of the tree, where the next move begins a variation.
    Return(usize),
    Comment(String),
    Introduction(String),
    Nag(u16),
    Tag(String, String),
}

fn comment_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "\\PC{0,12}",
        "[ \n\t{}()\\[\\]%;\"]{1,4}",
        Just("[%eval 0.17,20]".to_owned()),
        Just("[%clk 0:00:30.5] [%csl Gd4]".to_owned()),
        Just("[%eval oops]".to_owned()),
        Just("\n\n[Event \"trap\"]\n".to_owned()),
        Just("%escape".to_owned()),
        Just("word ".repeat(30)),
    ];
    prop::collection::vec(piece, 0..4).prop_map(|pieces| pieces.concat())
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        12 => any::<usize>().prop_map(Step::Play),
        1 => Just(Step::Pass),
        2 => any::<usize>().prop_map(Step::Return),
        2 => comment_text().prop_map(Step::Comment),
        1 => comment_text().prop_map(Step::Introduction),
        1 => any::<u16>().prop_map(Step::Nag),
        1 => ("[A-Za-z0-9_]{0,8}", "\\PC{0,20}|[\"\\\\\\] \n]{0,6}").prop_map(|(name, value)| Step::Tag(name, value)),
    ]
}

fn start() -> impl Strategy<Value = Position> {
    prop_oneof![
        4 => Just(Position::default()),
        1 => Just("4k3/P6p/8/8/8/8/p6P/4K3 b - - 12 99".parse().unwrap()),
        1 => Just("nbbrk1rq/pppppppp/8/8/8/8/PPPPPPPP/NBBRK1RQ w GDgd - 0 9".parse().unwrap()),
        1 => Just("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1".parse().unwrap()),
    ]
}

fn outcome() -> impl Strategy<Value = Option<Outcome>> {
    prop::sample::select(vec![
        Some(Outcome::Win(Color::White)),
        Some(Outcome::Win(Color::Black)),
        Some(Outcome::Draw),
        None,
    ])
}

fn build(start: Position, outcome: Option<Outcome>, steps: &[Step]) -> Game {
    let mut game = Game::new(start);
    game.set_outcome(outcome);
    let mut at = NodeId::ROOT;
    let mut nodes = vec![at];
    for step in steps {
        match step {
            Step::Play(index) => {
                let moves = game.position(at).legal_moves();
                if let Some(&mv) = moves.get(index % moves.len().max(1)) {
                    at = game.add(at, mv).unwrap();
                    nodes.push(at);
                }
            }
            Step::Pass => {
                if let Some(id) = game.add(at, Move::NULL) {
                    at = id;
                    nodes.push(at);
                }
            }
            Step::Return(index) => at = nodes[index % nodes.len()],
            Step::Comment(text) => game.add_comment(at, Comment::new(text)),
            Step::Introduction(text) => {
                game.add_introduction(at, Comment::new(text));
            }
            Step::Nag(number) => {
                game.add_nag(at, Nag(*number));
            }
            Step::Tag(name, value) => {
                game.set_tag(name, value);
            }
        }
    }
    game
}

/// Pieces of PGN, sound and unsound, that a text is thrown together from.
fn scraps() -> impl Strategy<Value = String> {
    let scrap = prop::sample::select(vec![
        "[Event \"A\"]\n",
        "[White \"x\"]",
        "[Site \"y\"]\n\n",
        "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n",
        "[",
        "]",
        "\"",
        "\n",
        "\n\n",
        "\r\n",
        "\r\n\r\n",
        " ",
        "\t",
        "1. ",
        "1.",
        "12... ",
        "e4 ",
        "e5 ",
        "d4",
        " Nf3",
        " Nc6",
        " O-O ",
        "e8Q ",
        "e2e4 ",
        "-- ",
        "{",
        "}",
        "{comment} ",
        "{[%clk 0:01:00]}",
        "(",
        ")",
        " ;",
        ";\n",
        "%",
        "\n%",
        "$1 ",
        "!?",
        "1-0\n",
        "1/2-1/2 ",
        "*\n\n",
        "*",
        "0-1 ",
        "huh ",
        "\u{feff}",
        "½-½",
        "\u{1a}",
        "é",
    ]);
    prop::collection::vec(scrap, 0..60).prop_map(|scraps| scraps.concat())
}

proptest! {
    #[test]
    fn what_is_written_reads_back(
        start in start(),
        outcome in outcome(),
        steps in prop::collection::vec(step(), 0..60),
    ) {
        let game = build(start, outcome, &steps);
        let text = game.to_string();
        let games = read(text.as_bytes());
        prop_assert_eq!(games.len(), 1, "{}", &text);
        prop_assert_eq!(games[0].as_ref(), Ok(&game), "{}", &text);
        // Only words that cannot be broken, and comments' first `%`, make a line longer.
        let long = text.lines().skip_while(|line| !line.is_empty()).find(|line| {
            line.chars().count() > 80 && line.split(' ').all(|word| word.chars().count() < 20) && !line.contains('%')
        });
        prop_assert_eq!(long, None);
    }

    #[test]
    fn games_can_follow_each_other(
        first in prop::collection::vec(step(), 0..20),
        second in prop::collection::vec(step(), 0..20),
    ) {
        let games = [first, second].map(|steps| build(Position::default(), None, &steps));
        let mut text = Vec::new();
        for game in &games {
            kiebitz_pgn::write_game(&mut text, game).unwrap();
        }
        let read: Vec<Game> = read(&text).into_iter().map(Result::unwrap).collect();
        prop_assert_eq!(read, games);
    }

    #[test]
    fn any_text_keeps_the_laws(text in scraps()) {
        round_trips::pgn(text.as_bytes());
    }

    #[test]
    fn chunks_and_threads_change_nothing(text in scraps(), size in 1_usize..200, threads in 1_usize..4) {
        let expected = read(text.as_bytes());
        let chunks = || Chunks::with_chunk_bytes(Source::from_reader("bytes", text.as_bytes()), size);
        let chunked: Vec<_> = GameReader::from_chunks(chunks()).collect();
        prop_assert_eq!(&chunked, &expected);
        let mut parallel = Vec::new();
        let threads = NonZeroUsize::new(threads).unwrap();
        read_parallel(chunks(), threads, |chunk| chunk.games().collect::<Vec<_>>(), |games| {
            parallel.extend(games);
            ControlFlow::Continue(())
        })
        .unwrap();
        prop_assert_eq!(&parallel, &expected);
    }

    #[test]
    fn any_bytes_keep_the_laws(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        round_trips::pgn(&bytes);
    }
}

#[test]
fn a_worker_that_panics_does_not_hang_the_rest() {
    let text = "1. e4 *\n\n".repeat(1000);
    let chunks = Chunks::with_chunk_bytes(Source::from_reader("bytes", text.as_bytes()), 1);
    let threads = NonZeroUsize::new(3).unwrap();
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        read_parallel(
            chunks,
            threads,
            |chunk| assert!(chunk.first_number() != 7, "on purpose"),
            |()| ControlFlow::Continue(()),
        )
    }));
    assert!(result.is_err());
}

#[test]
fn reading_can_be_stopped() {
    let text = "1. e4 *\n\n".repeat(1000);
    for threads in 1..4 {
        let chunks = Chunks::with_chunk_bytes(Source::from_reader("bytes", text.as_bytes()), 1);
        let mut seen = 0;
        let take = |count: usize| {
            seen += count;
            if seen < 10 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        read_parallel(chunks, NonZeroUsize::new(threads).unwrap(), |chunk| chunk.len(), take).unwrap();
        assert_eq!(seen, 10);
    }
}
