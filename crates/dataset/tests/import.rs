//! Import against hand-made games, and against evaluations that python-chess extracted from the same games.

#![allow(clippy::print_stderr, clippy::unwrap_used, reason = "tests say what they skip, and may fail loudly")]

mod support;

use std::io::{BufRead, BufReader};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use kiebitz_chess::{CastlingForm, Color, Outcome, Position, Score};
use kiebitz_dataset::{Chain, ChainDecoder, Filter, GameRemoval, ImportReport, ImportRules, Removal, import};
use kiebitz_pgn::Source;
use support::data;

fn imported(source: Source<'_>, rules: &ImportRules, threads: usize) -> (Vec<Chain>, ImportReport) {
    let mut report = ImportReport::default();
    let mut bytes = Vec::new();
    import(source, rules, NonZeroUsize::new(threads).unwrap(), &mut report, |chains| {
        bytes.extend(chains.bytes);
        ControlFlow::Continue(())
    })
    .unwrap();
    let mut decoder = ChainDecoder::new(&bytes);
    let mut chains = Vec::new();
    let mut chain = Chain::default();
    while decoder.next_chain(&mut chain).unwrap() {
        chains.push(chain.clone());
    }
    assert_eq!(chains.len() as u64, report.counts.chains);
    assert_eq!(chains.iter().map(|chain| chain.samples() as u64).sum::<u64>(), report.counts.samples);
    (chains, report)
}

const GAMES: &[u8] = br#"[WhiteElo "1900"]
[BlackElo "2000"]
[Result "1-0"]

1. e4 { [%eval 0.2] [%clk 0:03:00] } e5 { [%eval #3] [%clk 0:02:58.5] } 2. Qh5 { [%eval #4] } (2. Nf3) Ke7 { [%clk 0:02:50] } 3. Qxe5# 1-0

[WhiteElo "1200"]
[BlackElo "2000"]

1. d4 d5 1/2-1/2

1. c4 *

[WhiteElo "1800"]
[BlackElo "1800"]

1. e5 1-0
"#;

#[test]
fn comments_and_tags_arrive_where_they_belong() {
    let (chains, report) = imported(Source::from_reader("games.pgn", GAMES), &ImportRules::default(), 1);
    assert_eq!((report.games, report.broken, chains.len()), (4, 1, 3));
    let chain = &chains[0];
    assert_eq!(chain.head.ratings, [Some(1900), Some(2000)]);
    assert_eq!(chain.head.result, Some(Outcome::Win(Color::White)));
    let links: Vec<_> = chain.links.iter().map(|link| (link.mv.unwrap().to_string(), link.score, link.clock)).collect();
    // White to move mates with its third move; with Black to move, the fourth is one ply further away.
    let [mate, mated] = [Score::mate_in(5), Score::mated_in(8)].map(|score| score.value() as i16);
    assert_eq!(
        links,
        [
            ("e2e4".to_owned(), None, Some(18_000)),
            // The comment on 1. e4 values the position in which Black is to move.
            ("e7e5".to_owned(), Some(-20), Some(17_850)),
            ("d1h5".to_owned(), Some(mate), None),
            ("e8e7".to_owned(), Some(mated), Some(17_000)),
            ("h5e5".to_owned(), None, None),
        ]
    );
    assert_eq!(chains[2].head.result, None);
}

#[test]
fn a_file_that_is_cut_off_in_a_game_is_noticed() {
    let (_, whole) = imported(Source::from_reader("games.pgn", GAMES), &ImportRules::default(), 1);
    assert_eq!(whole.unterminated, 0);
    let end = GAMES.windows(4).position(|bytes| bytes == b" Ke7").unwrap();
    let (chains, cut) = imported(Source::from_reader("games.pgn", &GAMES[..end]), &ImportRules::default(), 1);
    assert_eq!((cut.games, cut.broken, cut.unterminated, chains.len()), (1, 0, 1, 1));
}

#[test]
fn everything_that_is_left_out_is_counted() {
    let rules = ImportRules {
        ratings: Some(1_700..=2_100),
        filter: Filter { no_captures: true, min_ply: 1, ..Filter::default() },
        per_game: Some(1),
        seed: 5,
        ..ImportRules::default()
    };
    let (chains, report) = imported(Source::from_reader("games.pgn", GAMES), &rules, 1);
    assert_eq!(report.games_removed, [(GameRemoval::Unrated, 1), (GameRemoval::Rating, 1)].into());
    assert_eq!(report.positions_removed, [(Removal::Early, 1), (Removal::Capture, 1), (Removal::NotDrawn, 2)].into());
    assert_eq!((chains.len(), chains[0].samples()), (1, 1));
    assert_eq!(imported(Source::from_reader("games.pgn", GAMES), &rules, 2), (chains, report));
    let short = ImportRules { min_plies: 2, finished_only: true, ..ImportRules::default() };
    let (_, report) = imported(Source::from_reader("games.pgn", GAMES), &short, 1);
    assert_eq!(report.games_removed, [(GameRemoval::Short, 1)].into());
}

/// The catalogue's file of evaluations was made with python-chess from the same games: position for position the same.
#[test]
#[ignore = "reads two months of games"]
fn evaluations_agree_with_python_chess() {
    let files = ["games/lichess_2013-01_train.pgn.zst", "games/lichess_misc_clk_eval_train.pgn.zst"];
    let (Some(first), Some(second)) = (data(files[0]), data(files[1])) else {
        return;
    };
    let Some(expected) = data("evals/lichess_evals_train.tsv.zst") else {
        return;
    };
    let expected = zstd::Decoder::new(std::fs::File::open(expected).unwrap()).unwrap();
    let mut lines = BufReader::new(expected).lines();
    let mut count = 0_u64;
    for path in [first, second] {
        let (chains, _) = imported(Source::open(&path).unwrap(), &ImportRules::default(), 2);
        for chain in chains {
            chain.visit(|position, link| {
                let Some(score) = link.score else { return };
                let line = lines.next().expect("the file has as many evaluations").unwrap();
                assert_eq!(tsv_line(&chain, position, score, link.mv), line, "evaluation {count}");
                count += 1;
            });
        }
    }
    assert!(lines.next().is_none(), "{count} evaluations found");
    assert_eq!(count, 868_832);
}

fn tsv_line(chain: &Chain, position: &Position, score: i16, mv: Option<kiebitz_chess::Move>) -> String {
    let white = if position.side_to_move() == Color::White { score } else { -score };
    let eval = match white {
        31_000.. => format!("#{}", (32_000 - i32::from(white) + 1) / 2),
        ..=-31_000 => format!("#-{}", (32_000 + i32::from(white) + 1) / 2),
        _ => white.to_string(),
    };
    let result = match chain.head.result {
        Some(Outcome::Win(Color::White)) => "1.0",
        Some(Outcome::Win(Color::Black)) => "0.0",
        Some(Outcome::Draw) => "0.5",
        None => "-",
    };
    let mv = mv.map_or("-".to_owned(), |mv| position.uci(mv, CastlingForm::KingMove));
    let [white_elo, black_elo] =
        chain.head.ratings.map(|rating| rating.map_or("-".to_owned(), |rating| rating.to_string()));
    format!("{position}\t{eval}\t{result}\t{mv}\t{white_elo}\t{black_elo}")
}
