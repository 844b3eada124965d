use super::*;

fn strict(text: &str) -> Result<Position, FenError> {
    Position::from_fen(text, FenMode::Strict)
}

fn error_place(text: &str) -> (FenField, usize) {
    match strict(text) {
        Err(FenError::Field { field, column, .. }) => (field, column),
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn the_start_position_is_written_as_everybody_writes_it() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(Position::default().to_string(), start);
    assert_eq!(strict(start), Ok(Position::default()));
    assert_eq!(Position::default().to_shredder_fen(), start.replace("KQkq", "HAha"));
}

#[test]
fn errors_name_field_and_column() {
    use FenField::{Castling, EnPassant, FullmoveNumber, HalfmoveClock, Placement, SideToMove};
    for (text, expected) in [
        ("", (Placement, 1)),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", (SideToMove, 44)),
        ("rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", (Placement, 14)),
        ("rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", (Placement, 18)),
        ("rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", (Placement, 17)),
        ("rnbqkbnr/pppppppp/44/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", (Placement, 20)),
        ("8/8/8/8/8/8/8 w - - 0 1", (Placement, 14)),
        ("8/8/8/8/8/8/8/8/8 w - - 0 1", (Placement, 16)),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", (SideToMove, 21)),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", (Castling, 23)),
        ("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", (Castling, 25)),
        ("4k3/8/8/8/8/8/8/4K2R w KH - 0 1", (Castling, 25)),
        ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", (EnPassant, 25)),
        ("4k3/8/8/8/8/8/8/4K3 w - - x 1", (HalfmoveClock, 27)),
        ("4k3/8/8/8/8/8/8/4K3 w - - +1 1", (HalfmoveClock, 27)),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 70000", (FullmoveNumber, 29)),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 x", (FullmoveNumber, 31)),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 ", (FullmoveNumber, 31)),
        ("4k3/8/8/8/8/8/8/4K3  w - - 0 1", (SideToMove, 21)),
    ] {
        assert_eq!(error_place(text), expected, "{text}");
    }
}

#[test]
fn illegal_positions_say_why() {
    for (text, expected) in [
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", Violation::Kings { color: Color::Black, count: 0 }),
        ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", Violation::OpponentInCheck(Color::Black)),
        ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", Violation::PawnOnLastRank(Square::H8)),
        ("4k3/8/8/8/8/8/8/4K2R w A - 0 1", Violation::CastlingRook { color: Color::White, square: Square::A1 }),
        ("4k3/8/8/8/8/4K3/8/7R w H - 0 1", Violation::CastlingKing(Color::White)),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", Violation::EnPassant(Square::E6)),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 0", Violation::FullmoveNumber),
    ] {
        assert_eq!(strict(text), Err(FenError::Illegal(expected)), "{text}");
    }
}

#[test]
fn lenient_reading_fills_in_and_drops() {
    for (text, expected) in [
        ("  4k3/8/8/8/8/8/8/4K3\t", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/8/4K3 b", "4k3/8/8/8/8/8/8/4K3 b - - 0 1"),
        ("4k3/8/8/8/8/8/8/4K3   w  -  -", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/8/4K2R w KQkq e6 0 0", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
        ("4k3/8/8/8/8/8/8/4K2R w HA - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
    ] {
        assert_eq!(text.parse::<Position>().map(|p| p.to_string()), Ok(expected.to_owned()), "{text}");
    }
}

#[test]
fn castling_rights_are_clear_in_x_fen() {
    // Two rooks beyond the king: the inner one's right needs its file.
    let inner = "4k3/8/8/8/8/8/8/4KR1R w F - 0 1";
    let outer = "4k3/8/8/8/8/8/8/4KR1R w K - 0 1";
    assert_eq!(strict(inner).unwrap().to_string(), inner);
    assert_eq!(strict(outer).unwrap().castling_rooks(), Square::H1.bitboard());
    assert_eq!(strict(outer).unwrap().to_shredder_fen(), outer.replace('K', "H").replace("4HR", "4KR"));
    assert!(!strict(outer).unwrap().is_chess960());
    assert!(strict(inner).unwrap().is_chess960());
}

#[test]
fn en_passant_is_kept_only_where_a_capture_is_legal() {
    let taken = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2";
    assert_eq!(strict(taken).unwrap().to_string(), taken);
    let nobody = "4k3/8/8/3p4/8/8/8/4K3 w - d6 0 2";
    assert_eq!(strict(nobody).unwrap().to_string(), nobody.replace("d6", "-"));
    // Both pawns would leave the fifth rank and open it for the rook.
    let pinned = "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 2";
    assert_eq!(strict(pinned).unwrap().to_string(), pinned.replace("d6", "-"));
}
