//! Laws that hold for every position and every text.
//!
//! Positions come from seeded random games, so a failure names a seed and a length that bring it back.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests fail loudly")]

mod support;

use std::collections::HashSet;

use kiebitz_chess::{
    Board, BoardObserver, CastlingForm, Color, Epd, FenMode, Move, MoveList, Piece, Position, Setup, Square, Stage,
};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use support::random_games;
use support::round_trips;

const SEED: u64 = 0x6c61_7773;

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, rng_seed: RngSeed::Fixed(SEED), failure_persistence: None, ..ProptestConfig::default() }
}

/// Seed and length of a random game.
fn games() -> impl Strategy<Value = (u64, usize)> {
    (any::<u64>(), 0..200_usize)
}

/// Where a random game ends.
fn positions() -> impl Strategy<Value = Position> {
    games().prop_map(|(seed, plies)| random_games::position(seed, plies))
}

/// Texts of every sort: anything at all, and things that look like what is asked for.
fn texts(similar: &'static str) -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), "[ -~]{0,100}", similar]
}

const LIKE_FEN: &str =
    "([rnbqkpRNBQKP1-8]{1,8}/){7}[rnbqkpRNBQKP1-8]{1,8} [wb] [KQkqA-Ha-h-]{1,4} (-|[a-h][36]) [0-9]{1,5} [0-9]{1,5}";
const LIKE_OPERATIONS: &str = "( ?;?[a-zA-Z0-9]{1,4}( [a-zA-Z0-9+#-]{1,5}| \"[ -~]{0,6}\"){0,3};?){0,4}";
const LIKE_SAN: &str = "[NBRQKP]?[a-h]?[1-8]?[x:-]?[a-h][1-8](=?[NBRQK])?[+#!?]{0,2}";
const LIKE_UCI: &str = "[a-h][1-8][a-h][1-8][qrbnkp]?";

/// A board that does what it is told, and insists that it makes sense.
struct Copyist(Board);

impl BoardObserver for Copyist {
    fn placed(&mut self, piece: Piece, square: Square) {
        assert_eq!(self.0.piece_at(square), None, "{piece} is placed on {square}");
        self.0.set(square, Some(piece));
    }

    fn removed(&mut self, piece: Piece, square: Square) {
        assert_eq!(self.0.piece_at(square), Some(piece), "{piece} is removed from {square}");
        self.0.set(square, None);
    }
}

fn set_of(moves: &[Move]) -> HashSet<Move> {
    let set: HashSet<Move> = moves.iter().copied().collect();
    assert_eq!(set.len(), moves.len(), "a move stands twice in {moves:?}");
    set
}

/// The position with colors and ranks exchanged.
fn mirrored(position: &Position) -> Position {
    let mut board = Board::EMPTY;
    for (square, piece) in position.board().iter() {
        board.set(square.flip_rank(), Some(Piece::new(!piece.color, piece.kind)));
    }
    let setup = Setup {
        board,
        side_to_move: !position.side_to_move(),
        castling_rooks: position.castling_rooks().flip_ranks(),
        en_passant: position.en_passant().map(Square::flip_rank),
        ..position.to_setup()
    };
    Position::try_from(setup).unwrap()
}

proptest! {
    #![proptest_config(config(1000))]

    #[test]
    fn positions_of_games_are_sound_and_survive_writing(position in positions()) {
        round_trips::sound(&position);
        round_trips::fen(&position.to_string());
        round_trips::fen(&position.to_shredder_fen());
        for written in [position.to_string(), position.to_shredder_fen()] {
            prop_assert_eq!(Position::from_fen(&written, FenMode::Strict), Ok(position.clone()));
        }
        prop_assert_eq!(Position::try_from(position.to_setup()), Ok(position.clone()));
        let epd = Epd::new(position);
        for mode in [FenMode::Strict, FenMode::Lenient] {
            prop_assert_eq!(Epd::parse(&epd.to_string(), mode), Ok(epd.clone()));
        }
    }

    #[test]
    fn an_observer_can_follow_the_board((seed, plies) in games()) {
        let (mut position, moves) = random_games::game(seed, plies);
        let mut copyist = Copyist(position.board().clone());
        for mv in moves {
            let expected = position.after(mv);
            let mut next = random_games::rare_start(0);
            position.play_into(mv, &mut next, &mut Copyist(position.board().clone()));
            prop_assert_eq!(&next, &expected);
            let mut played = position.clone();
            played.play(mv);
            prop_assert_eq!(&played, &expected);
            position.play_observed(mv, &mut copyist);
            prop_assert_eq!(&position, &expected);
            prop_assert_eq!(&copyist.0, position.board());
        }
    }

    #[test]
    fn stages_are_parts_of_the_whole(position in positions()) {
        let legality = position.legality();
        let stage = |stage| {
            let mut list = MoveList::new();
            position.collect_stage(stage, &legality, &mut list);
            set_of(&list)
        };
        let (all, noisy, quiet) = (stage(Stage::All), stage(Stage::Noisy), stage(Stage::Quiet));
        prop_assert!(noisy.is_disjoint(&quiet));
        prop_assert_eq!(&noisy | &quiet, all.clone());
        prop_assert!(noisy.iter().all(|mv| !mv.is_quiet()) && quiet.iter().all(|mv| mv.is_quiet()));
        prop_assert_eq!(all.len(), position.count_legal_moves());
        prop_assert_eq!(position.has_legal_moves(), !all.is_empty());
        prop_assert_eq!(set_of(&position.legal_moves()), all.clone());
        let mut piece_by_piece = MoveList::new();
        for square in position.board().color(position.side_to_move()) {
            position.collect_moves_of(square.bitboard(), &legality, &mut piece_by_piece);
        }
        prop_assert_eq!(set_of(&piece_by_piece), all);
    }

    #[test]
    fn passing_twice_changes_only_the_clocks(position in positions()) {
        prop_assume!(!position.is_check());
        let mut passed = position.clone();
        passed.play_null();
        round_trips::sound(&passed);
        prop_assert_ne!(passed.key(), position.key());
        passed.play_null();
        let expected = Setup {
            en_passant: None,
            halfmove_clock: position.halfmove_clock() + 2,
            fullmove_number: position.fullmove_number() + 1,
            ..position.to_setup()
        };
        prop_assert_eq!(passed.to_setup(), expected);
        prop_assert_eq!(passed.key() == position.key(), position.en_passant().is_none());
    }

    #[test]
    fn the_other_side_of_the_table_sees_the_same(position in positions()) {
        let mirror = mirrored(&position);
        prop_assert_eq!(mirrored(&mirror), position.clone());
        let flipped = |mv: Move| Move::new(mv.from().flip_rank(), mv.to().flip_rank(), mv.kind());
        let moves: HashSet<Move> = position.legal_moves().into_iter().map(flipped).collect();
        prop_assert_eq!(set_of(&mirror.legal_moves()), moves);
        prop_assert_eq!(mirror.is_check(), position.is_check());
        prop_assert_eq!(mirror.ending().is_some(), position.ending().is_some());
        for mv in position.legal_moves() {
            prop_assert_eq!(mirror.exchange(flipped(mv)), position.exchange(mv));
            prop_assert_eq!(mirror.san(flipped(mv)).to_string().len(), position.san(mv).to_string().len());
        }
    }

    #[test]
    fn an_exchange_reaches_what_it_is_worth(position in positions(), threshold in -25_000..25_000_i32) {
        for mv in position.legal_moves() {
            let worth = position.exchange(mv);
            for threshold in [threshold, threshold / 20, worth - 1, worth, worth + 1, i32::MIN, i32::MAX] {
                prop_assert_eq!(position.exchange_reaches(mv, threshold), worth >= threshold, "{} {}", mv, threshold);
            }
        }
    }

    #[test]
    fn the_keys_of_parts_depend_on_those_parts_only((seed, plies) in games()) {
        use kiebitz_chess::PieceKind::{Bishop, Knight, Pawn};
        let (mut position, moves) = random_games::game(seed, plies);
        for mv in moves {
            let before = position.clone();
            position.play(mv);
            let pawns = |position: &Position| position.board().kind(Pawn);
            let minors = |position: &Position| position.board().kind(Bishop) | position.board().kind(Knight);
            // A part that stays where it is keeps its key; the board's other changes do not matter.
            if pawns(&before) == pawns(&position) {
                prop_assert_eq!(before.pawn_key(), position.pawn_key());
            } else {
                prop_assert_ne!(before.pawn_key(), position.pawn_key());
            }
            if minors(&before) != minors(&position) {
                prop_assert_ne!(before.minor_piece_key(), position.minor_piece_key());
            }
            for color in Color::ALL {
                let pieces = |position: &Position| position.board().color(color) - pawns(position);
                if pieces(&before) != pieces(&position) {
                    prop_assert_ne!(before.piece_key(color), position.piece_key(color));
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(config(2000))]

    #[test]
    fn any_text_as_fen(text in texts(LIKE_FEN)) {
        round_trips::fen(&text);
    }

    #[test]
    fn any_text_as_epd(text in texts(LIKE_FEN), operations in texts(LIKE_OPERATIONS), position in positions()) {
        round_trips::epd(&text);
        round_trips::epd(&format!("{text}{operations}"));
        round_trips::epd(&format!("{}{operations}", position.to_epd_fields()));
        round_trips::epd(&format!("{position} {operations}"));
    }

    #[test]
    fn any_text_as_san(text in texts(LIKE_SAN), position in positions()) {
        round_trips::san(&position, &text);
        round_trips::san_bytes(&position, text.as_bytes());
    }

    #[test]
    fn any_text_as_uci_move(text in texts(LIKE_UCI), position in positions()) {
        round_trips::uci_move(&position, &text);
    }
}

proptest! {
    #![proptest_config(config(24))]

    #[test]
    fn every_packed_move_is_legal_or_not(position in positions()) {
        let legal = set_of(&position.legal_moves());
        for bits in 0..=u16::MAX {
            let Some(mv) = Move::from_bits(bits) else { continue };
            prop_assert_eq!(mv.to_bits(), bits);
            prop_assert_eq!(position.is_legal(mv), legal.contains(&mv), "{:?}", mv);
        }
    }

    #[test]
    fn every_uci_text_is_a_move_or_not(position in positions()) {
        let mut written = HashSet::new();
        for mv in position.legal_moves() {
            written.insert(position.uci(mv, CastlingForm::KingTakesRook));
            let king = position.king(position.side_to_move());
            if mv.castling().is_none() || king.file() == kiebitz_chess::File::E {
                written.insert(position.uci(mv, CastlingForm::KingMove));
            }
        }
        for from in Square::ALL {
            for to in Square::ALL {
                for promotion in ["", "q", "r", "b", "n"] {
                    let text = format!("{from}{to}{promotion}");
                    prop_assert_eq!(position.parse_uci(&text).is_ok(), written.contains(&text), "{}", text);
                    round_trips::uci_move(&position, &text);
                }
            }
        }
    }
}
