use super::*;

fn san_of(fen: &str, uci: &str) -> String {
    let position: Position = fen.parse().unwrap();
    position.san(position.parse_uci(uci).unwrap()).to_string()
}

#[test]
fn moves_are_written_as_short_as_possible() {
    let knights = "4k3/8/8/8/8/8/8/N1N1K1N1 w - - 0 1";
    assert_eq!(san_of(knights, "a1b3"), "Nab3");
    assert_eq!(san_of(knights, "g1f3"), "Nf3");
    let same_file = "4k3/8/8/8/R7/8/8/R3K3 w - - 0 1";
    assert_eq!(san_of(same_file, "a1a2"), "R1a2");
    let queens = "6k1/8/8/Q7/8/8/8/Q3Q2K w - - 0 1";
    assert_eq!(san_of(queens, "a1c3"), "Qa1c3");
    // The knight on e4 is pinned, so that nothing needs to be told apart.
    let pinned = "4r2k/8/8/8/4N3/8/8/2N1K3 w - - 0 1";
    assert_eq!(san_of(pinned, "c1d3"), "Nd3");
}

#[test]
fn marks_follow_check_and_mate() {
    let position = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4";
    assert_eq!(san_of(position, "h5f7"), "Qxf7#");
    assert_eq!(san_of("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8"), "Ra8+");
    assert_eq!(san_of("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7e8q"), "e8=Q");
    assert_eq!(san_of("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"), "O-O+");
}

#[test]
fn what_people_write_is_understood() {
    let position: Position = "r3k2r/1P6/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1".parse().unwrap();
    for (text, uci) in [
        ("0-0", "e1g1"),
        ("O-O-O", "e1c1"),
        ("exd6", "e5d6"),
        ("ed6", "e5d6"),
        ("e5xd6!?", "e5d6"),
        ("bxa8=N", "b7a8n"),
        ("b8Q+", "b7b8q"),
        ("Ra1-a2", "a1a2"),
        ("Rxa8+", "a1a8"),
        ("Ra8", "a1a8"),
    ] {
        assert_eq!(position.parse_san(text), Ok(position.parse_uci(uci).unwrap()), "{text}");
    }
}

#[test]
fn errors_tell_what_is_wrong() {
    let position: Position = "4k3/8/8/8/8/8/8/N1N1K3 w - - 0 1".parse().unwrap();
    let error = |text: &str| position.parse_san(text).unwrap_err();
    assert!(matches!(error("Nb3"), SanError::Ambiguous(_)));
    assert!(matches!(error("Nf3"), SanError::Illegal(_)));
    assert!(matches!(error("e4"), SanError::Illegal(_)));
    for text in ["", "N", "Nf9", "hello", "Ke2=Q", "e8=K", "--", "Nabc3", "a-b2", "é4", "=Q"] {
        assert!(matches!(error(text), SanError::Syntax(_)), "{text}");
    }
}

#[test]
fn promotions_must_be_named() {
    let position: Position = "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1".parse().unwrap();
    assert!(matches!(position.parse_san("e8"), Err(SanError::Illegal(_))));
    let position: Position = "8/6k1/4P3/8/8/8/8/4K3 w - - 0 1".parse().unwrap();
    assert!(matches!(position.parse_san("e7=Q"), Err(SanError::Illegal(_))));
}

#[test]
fn a_pawn_capture_without_its_file_is_read_where_only_one_can_take() {
    let two: Position = "4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1".parse().unwrap();
    assert!(matches!(two.parse_san("xd5"), Err(SanError::Ambiguous(_))));
    let one: Position = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1".parse().unwrap();
    assert_eq!(one.parse_san("xd5"), Ok(one.parse_uci("e4d5").unwrap()));
}
