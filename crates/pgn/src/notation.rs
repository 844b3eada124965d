//! Moves as people write them.
//!
//! Nearly every word of a game is proper SAN and is read by [`read_san`] without a detour. The rest is brought into
//! that form first: `e2-e4`, `e7e8q`, `e8Q`, `o-o`, `0-0-0`, `e4:d5`, `♘f3`, `Nf3++`, `exd6ep`.

use kiebitz_chess::{CastlingSide, File, PieceKind, Rank, San, Square};

/// A move as written, not yet looked for in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WrittenMove {
    San(San),
    /// Origin and target without a piece, as engines write moves.
    Squares {
        from: Square,
        to: Square,
        promotion: Option<PieceKind>,
    },
    /// A move that is none: `--` or `Z0`. The other side moves next.
    Null,
}

const KING_SIDE: WrittenMove = WrittenMove::San(San::Castle(CastlingSide::King));
const QUEEN_SIDE: WrittenMove = WrittenMove::San(San::Castle(CastlingSide::Queen));

const fn piece_letter(byte: u8) -> Option<PieceKind> {
    Some(match byte {
        b'N' => PieceKind::Knight,
        b'B' => PieceKind::Bishop,
        b'R' => PieceKind::Rook,
        b'Q' => PieceKind::Queen,
        b'K' => PieceKind::King,
        b'P' => PieceKind::Pawn,
        _ => return None,
    })
}

#[inline(always)]
const fn file(byte: u8) -> Option<File> {
    File::from_index(byte.wrapping_sub(b'a') as usize)
}

#[inline(always)]
const fn rank(byte: u8) -> Option<Rank> {
    Rank::from_index(byte.wrapping_sub(b'1') as usize)
}

/// Reads a word in proper SAN (check signs and `!?` already gone), or four-letter coordinates.
#[inline(always)]
pub(crate) fn read_san(word: &[u8]) -> Option<WrittenMove> {
    let (kind, body) = match *word {
        [b'a'..=b'h', ..] => (PieceKind::Pawn, word),
        [b'O', ref rest @ ..] => {
            return match rest {
                b"-O" => Some(KING_SIDE),
                b"-O-O" => Some(QUEEN_SIDE),
                _ => None,
            };
        }
        [letter, ref rest @ ..] => (piece_letter(letter)?, rest),
        [] => return None,
    };
    let (body, promotion) = match *body {
        [ref rest @ .., b'=', letter] => match piece_letter(letter) {
            Some(PieceKind::Pawn | PieceKind::King) | None => return None,
            promoted => (rest, promoted),
        },
        _ => (body, None),
    };
    let [origin @ .., to_file, to_rank] = body else { return None };
    let to = Square::new(file(*to_file)?, rank(*to_rank)?);
    let (origin, capture) = match origin {
        [rest @ .., b'x'] => (rest, true),
        _ => (origin, false),
    };
    let (from_file, from_rank) = match *origin {
        [] => (None, None),
        [one] => match file(one) {
            None => (None, Some(rank(one)?)),
            some => (some, None),
        },
        [one, two] => {
            let (from_file, from_rank) = (file(one)?, rank(two)?);
            // A pawn move never needs both: these are coordinates, and any piece may be meant.
            if kind == PieceKind::Pawn && !capture && word.len() == body.len() + if promotion.is_some() { 2 } else { 0 }
            {
                return Some(WrittenMove::Squares { from: Square::new(from_file, from_rank), to, promotion });
            }
            (Some(from_file), Some(from_rank))
        }
        _ => return None,
    };
    Some(WrittenMove::San(San::Normal { kind, file: from_file, rank: from_rank, capture, to, promotion }))
}

/// How a word in SAN may begin: the piece and how many letters say so; no piece's letter is 0 long only for pawns.
#[derive(Clone, Copy)]
struct Opening {
    kind: PieceKind,
    letters: u8,
    is_move: bool,
}

static OPENINGS: [Opening; 256] = {
    let mut table = [Opening { kind: PieceKind::Pawn, letters: 0, is_move: false }; 256];
    let mut byte = b'A';
    while byte <= b'h' {
        if let Some(kind) = piece_letter(byte) {
            table[byte as usize] = Opening { kind, letters: 1, is_move: true };
        } else if byte >= b'a' {
            table[byte as usize] = Opening { kind: PieceKind::Pawn, letters: 0, is_move: true };
        }
        byte += 1;
    }
    table
};

/// Reads a move at the beginning of eight bytes, and how long it is without its check mark.
///
/// The same as [`read_san`] for all but a few moves in a hundred (castling, promotion, origin with file and rank), with
/// no loop and hardly a branch that a processor could guess wrong: this is where the time of an import goes.
#[inline(always)]
pub(crate) fn read_quickly(bytes: [u8; 8]) -> Option<(San, usize)> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let word = u64::from_le_bytes(bytes);
    // The highest bit of each byte below '0': blanks, dots, check marks. Later bytes may be wrong, the first is right.
    let ends = word.wrapping_sub(ONES * b'0' as u64) & !word & (ONES << 7);
    let length = (ends.trailing_zeros() / 8) as usize;
    // Shifted out of the register: to index the array would mean a trip through memory.
    let byte = |index: usize| (word >> ((index * 8) & 63)) as u8;
    let opening = OPENINGS[bytes[0] as usize];
    if !opening.is_move || !(2..8).contains(&length) {
        return None;
    }
    let to = Square::new(file(byte(length - 2))?, rank(byte(length - 1))?);
    let capture = length > 2 && byte(length.wrapping_sub(3)) == b'x';
    let letters = opening.letters as usize;
    let (mut from_file, mut from_rank) = (None, None);
    match length.wrapping_sub(2 + capture as usize + letters) {
        0 => {}
        1 => {
            from_file = file(byte(letters));
            if from_file.is_none() {
                from_rank = Some(rank(byte(letters))?);
            }
        }
        _ => return None,
    }
    let (kind, promotion) = (opening.kind, None);
    Some((San::Normal { kind, file: from_file, rank: from_rank, capture, to, promotion }, length))
}

/// Longest word that is tried as a move, in bytes; figurines take three each.
const LONGEST_WORD: usize = 24;

/// Reads a word that is not proper SAN but can be nothing else than a move.
#[cold]
pub(crate) fn read_leniently(word: &[u8]) -> Option<WrittenMove> {
    if word.len() > LONGEST_WORD {
        return None;
    }
    let text = str::from_utf8(word).ok()?;
    if matches!(text, "--" | "–" | "—" | "Z0" | "@@@@" | "null" | "NULL" | "pass") {
        return Some(WrittenMove::Null);
    }
    let text = text.trim_end_matches(['+', '#']);
    let text = text.strip_suffix("ep").unwrap_or(text).trim_end_matches(['+', '#']);
    let mut plain = [0; LONGEST_WORD];
    let mut length = 0;
    for c in text.chars() {
        plain[length] = match c {
            '-' | '–' | '—' | '=' | '/' => continue,
            ':' | '×' => b'x',
            '♔' | '♚' => b'K',
            '♕' | '♛' => b'Q',
            '♖' | '♜' => b'R',
            '♗' | '♝' => b'B',
            '♘' | '♞' => b'N',
            '♙' | '♟' => b'P',
            _ => u8::try_from(c).ok().filter(u8::is_ascii_alphanumeric)?,
        };
        length += 1;
    }
    let plain = &plain[..length];
    if plain.iter().all(|byte| matches!(byte, b'O' | b'o' | b'0')) {
        return match length {
            2 => Some(KING_SIDE),
            3 => Some(QUEEN_SIDE),
            _ => None,
        };
    }
    // What stands after the target square is what a pawn becomes.
    match *plain {
        [ref rest @ .., b'1'..=b'8', letter @ (b'A'..=b'Z' | b'b' | b'n' | b'q' | b'r')] => {
            let body = &plain[..=rest.len()];
            let mut proper = [0; LONGEST_WORD + 2];
            proper[..body.len()].copy_from_slice(body);
            proper[body.len()] = b'=';
            proper[body.len() + 1] = letter.to_ascii_uppercase();
            read_san(&proper[..body.len() + 2])
        }
        _ => read_san(plain),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(word: &str) -> Option<WrittenMove> {
        read_san(word.as_bytes()).or_else(|| read_leniently(word.as_bytes()))
    }

    #[test]
    fn many_ways_to_write_a_move() {
        for (proper, others) in [
            ("e4", &["Pe4", "♙e4"][..]),
            ("e2e4", &["e2-e4", "e2–e4"]),
            ("Ng1f3", &["Ng1-f3", "♘g1f3", "Ng1f3+"]),
            ("exd5", &["e:d5", "e×d5", "exd5+", "exd5#", "exd5ep", "exd5++"]),
            ("e8=Q", &["e8Q", "e8q", "e8=q", "e8/Q", "e8=Q+"]),
            ("exd8=N", &["exd8N", "exd8=n", "e:d8n"]),
            ("e7e8=Q", &["e7e8q", "e7-e8=Q", "e7e8Q"]),
            ("O-O", &["o-o", "0-0", "O–O", "OO", "O-O+"]),
            ("O-O-O", &["o-o-o", "0-0-0", "000", "O-O-O#"]),
            ("Bb5", &["♗b5", "Bb5+"]),
        ] {
            let expected = read_san(proper.as_bytes());
            assert!(expected.is_some(), "{proper}");
            for other in others {
                assert_eq!(read(other), expected, "{other}");
            }
        }
        assert_eq!(read("--"), Some(WrittenMove::Null));
        assert_eq!(read("Z0"), Some(WrittenMove::Null));
        assert_eq!(
            read("e7e8q"),
            Some(WrittenMove::Squares { from: Square::E7, to: Square::E8, promotion: Some(PieceKind::Queen) })
        );
    }

    #[test]
    fn the_quick_way_agrees() {
        let words = "e4 Nf3 exd5 Nbd2 R1e2 Qh4xe1 Nbxd2 Pe4 Pxe4 axb8 e8=Q exd8=N e2e4 O-O O-O-O Ng1f3 K Ke x xe4 e44 Nx4 Nxx4 \
                     Nf3! Nf3? e4; e4} e4+ e4# Nf9 i4 Nif3 N9f3 2e4 e e4e5e6e7e8 \u{e4}4 Bb5 bxa1 --";
        for word in words.split_whitespace() {
            for tail in [" ", "+ ", "# ", ".", "\n", ") "] {
                let text = format!("{word}{tail}        ");
                let bytes: [u8; 8] = text.as_bytes()[..8].try_into().unwrap();
                if let Some((san, length)) = read_quickly(bytes) {
                    assert_eq!(read_san(&bytes[..length]), Some(WrittenMove::San(san)), "{text}");
                }
            }
        }
        assert!(read_quickly(*b"Nbxd2+ x").is_some() && read_quickly(*b"e4 e5   ").is_some());
    }

    #[test]
    fn what_is_no_move() {
        for word in
            ["", "e", "e9", "i4", "Xe4", "e8=K", "e8=P", "Q@e4", "Nf33", "hello", "[x]", "O-O-O-O", "O", "e4e5e6"]
        {
            assert_eq!(read(word), None, "{word}");
        }
    }
}
