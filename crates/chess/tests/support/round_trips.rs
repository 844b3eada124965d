//! What must hold for any text at all: no panic, and what is accepted comes back the same.
//!
//! The laws, the mutation tests and the fuzz targets in `fuzz/` all check exactly this.

use kiebitz_chess::{CastlingForm, Epd, FenMode, MoveKind, Position, San, SanPlus, validity};

const MODES: [FenMode; 2] = [FenMode::Strict, FenMode::Lenient];

/// A text read as a FEN.
pub(crate) fn fen(text: &str) {
    for mode in MODES {
        let Ok(position) = Position::from_fen(text, mode) else { continue };
        sound(&position);
        for written in [position.to_string(), position.to_shredder_fen()] {
            assert_eq!(Position::from_fen(&written, FenMode::Strict), Ok(position.clone()), "{text:?} as {written:?}");
        }
        if mode == FenMode::Strict {
            assert_eq!(Position::from_fen(text, FenMode::Lenient), Ok(position), "{text:?} leniently");
        }
    }
}

/// A text read as an EPD.
pub(crate) fn epd(text: &str) {
    for mode in MODES {
        let Ok(epd) = Epd::parse(text, mode) else { continue };
        sound(&epd.position);
        let written = epd.to_string();
        // What was read strictly is read so again; the lenient mode knows names that the strict one refuses.
        for mode in if mode == FenMode::Strict { &MODES[..] } else { &[FenMode::Lenient] } {
            assert_eq!(Epd::parse(&written, *mode), Ok(epd.clone()), "{text:?} as {written:?}, {mode:?}");
        }
        for opcode in ["bm", "am", "pm"] {
            for mv in epd.moves(opcode).unwrap_or_default() {
                assert!(epd.position.is_legal(mv), "{text:?}: {mv:?}");
            }
        }
    }
}

/// A text read as a move in algebraic notation.
pub(crate) fn san(position: &Position, text: &str) {
    if let Ok(san) = text.parse::<San>() {
        assert_eq!(san.to_string().parse(), Ok(san), "{text:?}");
        assert_eq!(San::from_ascii(text.as_bytes()), Ok(san), "{text:?}");
    }
    if let Ok(san) = text.parse::<SanPlus>() {
        assert_eq!(san.to_string().parse(), Ok(san), "{text:?}");
    }
    let Ok(mv) = position.parse_san(text) else { return };
    assert!(position.is_legal(mv), "{position}: {text:?} gives {mv:?}");
    let written = position.san(mv).to_string();
    assert_eq!(position.parse_san(&written), Ok(mv), "{position}: {text:?} as {written:?}");
}

/// Bytes that need not be text, read as a move in algebraic notation.
pub(crate) fn san_bytes(position: &Position, bytes: &[u8]) {
    if let Ok(san) = San::from_ascii(bytes) {
        assert_eq!(san.to_string().parse(), Ok(san), "{bytes:?}");
        if let Ok(mv) = san.resolve(position) {
            assert!(position.is_legal(mv), "{position}: {bytes:?} gives {mv:?}");
        }
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        self::san(position, text);
    }
}

/// A text read as a move in UCI notation.
pub(crate) fn uci_move(position: &Position, text: &str) {
    let Ok(mv) = position.parse_uci(text) else { return };
    assert!(position.is_legal(mv), "{position}: {text:?} gives {mv:?}");
    let takes_rook = position.uci(mv, CastlingForm::KingTakesRook);
    assert_eq!(position.parse_uci(&takes_rook), Ok(mv), "{position}: {text:?} as {takes_rook:?}");
    let king_move = position.uci(mv, CastlingForm::KingMove);
    assert!(king_move == text || takes_rook == text, "{position}: {text:?} gives {mv:?}");
    if !position.is_chess960() {
        assert_eq!(position.parse_uci(&king_move), Ok(mv), "{position}: {text:?} as {king_move:?}");
    }
}

/// What every position promises, wherever it came from.
pub(crate) fn sound(position: &Position) {
    assert_eq!(validity::check(&position.to_setup()), Ok(()), "{position}");
    assert_eq!(position.key(), position.key_from_scratch(), "{position}");
    let moves = position.legal_moves();
    assert_eq!(moves.len(), position.count_legal_moves(), "{position}");
    for mv in &moves {
        let next = position.after(mv);
        assert_eq!(validity::check(&next.to_setup()), Ok(()), "{position}: {mv:?}");
        assert_eq!(next.key(), next.key_from_scratch(), "{position}: {mv:?}");
        let is_simple = mv.castling().is_none() && mv.kind() != MoveKind::EnPassant && next.en_passant().is_none();
        if is_simple && next.castling_rooks() == position.castling_rooks() {
            assert_eq!(position.likely_key_after(mv), next.key(), "{position}: {mv:?}");
        }
    }
}
