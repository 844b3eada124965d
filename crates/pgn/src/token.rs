//! The words of movetext.
//!
//! Works on the text of one game, from after its tags to its end. Nothing is dropped: what is not understood comes out
//! as [`Token::Unknown`], so that a damaged game is never taken for a sound one. The alternative, the crate
//! `pgn-reader`, skips such words silently (`e8Q` among them); tests compare the two where they must agree.

use kiebitz_chess::Outcome;

use crate::encoding::{self, BYTE_ORDER_MARK};
use crate::marker;
use crate::nag::Nag;
use crate::notation::{self, WrittenMove};

/// A word of movetext that means something; move numbers do not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Token<'a> {
    Move(WrittenMove),
    Nag(Nag),
    /// Without its braces, or without its `;`.
    Comment(&'a [u8]),
    Open,
    Close,
    /// The result, `None` for `*`.
    Outcome(Option<Outcome>),
    Unknown(&'a [u8]),
    UnclosedComment,
}

/// Which bytes end a word.
static ENDS_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte <= b' ' as usize {
        table[byte] = true;
        byte += 1;
    }
    let marks = b"{}()!?$;.*";
    let mut index = 0;
    while index < marks.len() {
        table[marks[index] as usize] = true;
        index += 1;
    }
    table
};

/// The tokens of a movetext, one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Tokens<'a> {
    text: &'a [u8],
    at: usize,
    /// Where the last token began.
    start: usize,
}

impl<'a> Tokens<'a> {
    /// Begins at byte `at` of a game's text.
    pub(crate) fn new(text: &'a [u8], at: usize) -> Self {
        Self { text, at, start: at }
    }

    /// Where the last token began, in bytes from the beginning of the game.
    pub(crate) fn start(&self) -> usize {
        self.start
    }

    /// The last token as it is written; a blank may follow it.
    pub(crate) fn written(&self) -> &'a [u8] {
        &self.text[self.start..self.at]
    }

    /// The next token, if any is left.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let byte = *self.text.get(self.at)?;
            match byte {
                0..=b' ' | b'.' => self.at += 1,
                b'1'..=b'9' => {
                    self.start = self.at;
                    self.at += 1;
                    while let Some(b'0'..=b'9') = self.text.get(self.at) {
                        self.at += 1;
                    }
                    match self.text.get(self.at) {
                        // The blank after it, too: a round of this loop is not free.
                        Some(b'.') => self.at += 1 + usize::from(self.text.get(self.at + 1) == Some(&b' ')),
                        // A result is the only word that goes on like this; anything else is the number of a move.
                        Some(b'-' | b'/' | 0xe2) => {
                            if let Some(token) = self.result_or_word() {
                                return Some(token);
                            }
                        }
                        _ => {}
                    }
                }
                b'a'..=b'h' | b'A'..=b'Z' => {
                    if let Some(token) = self.word() {
                        return Some(token);
                    }
                }
                _ => {
                    if let Some(token) = self.mark(byte) {
                        return Some(token);
                    }
                }
            }
        }
    }

    /// Takes the word that begins at `at`.
    #[inline(always)]
    fn take_word(&mut self) -> &'a [u8] {
        self.start = self.at;
        self.at += 1;
        while self.text.get(self.at).is_some_and(|&byte| !ENDS_WORD[byte as usize]) {
            self.at += 1;
        }
        &self.text[self.start..self.at]
    }

    #[inline(always)]
    fn word(&mut self) -> Option<Token<'a>> {
        if let Some((bytes, _)) = self.text[self.at..].split_first_chunk()
            && let Some((san, length)) = notation::read_quickly(*bytes)
        {
            let mut end = self.at + length;
            end += usize::from(matches!(self.text.get(end), Some(b'+' | b'#')));
            let after = self.text.get(end).copied().unwrap_or(b'\n');
            if ENDS_WORD[after as usize] {
                self.start = self.at;
                self.at = end + usize::from(after == b' ');
                return Some(Token::Move(WrittenMove::San(san)));
            }
        }
        self.rare_word()
    }

    #[inline(never)]
    fn rare_word(&mut self) -> Option<Token<'a>> {
        let word = self.take_word();
        let body = match word {
            [body @ .., b'+' | b'#'] => body,
            _ => word,
        };
        match notation::read_san(body) {
            Some(written) => Some(Token::Move(written)),
            None => self.strange_word(word),
        }
    }

    /// Anything that does not begin like a move or a move number.
    #[inline]
    fn mark(&mut self, byte: u8) -> Option<Token<'a>> {
        self.start = self.at;
        let rest = &self.text[self.at + 1..];
        match byte {
            b'{' => {
                let Some(length) = memchr::memchr(b'}', rest) else {
                    self.at = self.text.len();
                    return Some(Token::UnclosedComment);
                };
                self.at += length + 2;
                Some(Token::Comment(&rest[..length]))
            }
            b'(' | b')' => {
                self.at += 1;
                Some(if byte == b'(' { Token::Open } else { Token::Close })
            }
            b'*' => {
                self.at += 1;
                Some(Token::Outcome(None))
            }
            b'!' | b'?' => {
                self.at += 1;
                let second = rest.first().filter(|next| matches!(next, b'!' | b'?'));
                self.at += usize::from(second.is_some());
                let nag = match (byte, second) {
                    (b'!', None) => Nag::GOOD_MOVE,
                    (b'!', Some(b'!')) => Nag::BRILLIANT_MOVE,
                    (b'!', Some(_)) => Nag::INTERESTING_MOVE,
                    (_, None) => Nag::MISTAKE,
                    (_, Some(b'!')) => Nag::DUBIOUS_MOVE,
                    (_, Some(_)) => Nag::BLUNDER,
                };
                Some(Token::Nag(nag))
            }
            b'$' => {
                let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
                self.at += 1 + digits;
                let number = str::from_utf8(&rest[..digits]).ok().and_then(|digits| digits.parse().ok());
                Some(number.map_or_else(|| Token::Unknown(self.written()), |number| Token::Nag(Nag(number))))
            }
            b';' => {
                let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                self.at += 1 + length;
                Some(Token::Comment(&rest[..length]))
            }
            b'%' if self.at == 0 || self.text[self.at - 1] == b'\n' => {
                self.at += 1 + memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                None
            }
            b'}' => {
                self.at += 1;
                Some(Token::Unknown(self.written()))
            }
            _ => self.foreign(),
        }
    }

    /// Words that begin with `0`, a sign or a byte outside ASCII.
    #[cold]
    fn foreign(&mut self) -> Option<Token<'a>> {
        let rest = &self.text[self.at..];
        // Byte order marks of concatenated files, and blanks that only look like blanks.
        for blank in [BYTE_ORDER_MARK, "\u{a0}".as_bytes(), "\u{2003}".as_bytes(), "\u{200b}".as_bytes()] {
            if rest.starts_with(blank) {
                self.at += blank.len();
                return None;
            }
        }
        self.result_or_word()
    }

    #[cold]
    fn result_or_word(&mut self) -> Option<Token<'a>> {
        self.at = self.start;
        let word = self.take_word();
        if word.iter().all(u8::is_ascii_digit) {
            // The number of a move after all, though it begins with zero.
            return None;
        }
        match marker::read(&encoding::decode(word)) {
            Some(outcome) => Some(Token::Outcome(outcome)),
            None => self.strange_word(word),
        }
    }

    #[cold]
    fn strange_word(&mut self, word: &'a [u8]) -> Option<Token<'a>> {
        // `e.p.` stands alone or is glued to the move; the dots have cut it into pieces.
        if let Some(body) = word.strip_suffix(b"e")
            && self.text[self.at..].starts_with(b".p.")
        {
            self.at += b".p.".len();
            return match notation::read_san(body) {
                None if body.is_empty() => None,
                None => Some(Token::Unknown(self.written())),
                Some(written) => Some(Token::Move(written)),
            };
        }
        if let Some(nag) = Nag::from_sign(&encoding::decode(word)) {
            return Some(Token::Nag(nag));
        }
        Some(notation::read_leniently(word).map_or(Token::Unknown(word), Token::Move))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut tokens = Tokens::new(text.as_bytes(), 0);
        let mut words = Vec::new();
        while let Some(token) = tokens.next() {
            let written = String::from_utf8_lossy(tokens.written().trim_ascii_end());
            words.push(match token {
                Token::Move(_) => format!("move {written}"),
                Token::Nag(nag) => nag.to_string(),
                Token::Comment(text) => format!("{{{}}}", String::from_utf8_lossy(text)),
                Token::Open => "(".into(),
                Token::Close => ")".into(),
                Token::Outcome(outcome) => marker::write(outcome),
                Token::Unknown(word) => format!("unknown {}", String::from_utf8_lossy(word)),
                Token::UnclosedComment => "unclosed".into(),
            });
        }
        words
    }

    #[test]
    fn movetext_is_cut_into_words() {
        assert_eq!(
            words("1.e4 e5 2. Nf3!? Nc6$14 3... O-O"),
            ["move e4", "move e5", "move Nf3", "$5", "move Nc6", "$14", "move O-O"]
        );
        assert_eq!(
            words("e4 {a (b) ; c} (d4;x\nNf6??) 1-0"),
            ["move e4", "{a (b) ; c}", "(", "move d4", "{x}", "move Nf6", "$4", ")", "1-0",]
        );
        assert_eq!(
            words("1e4 0-0-0 0-0 0-1 1/2-1/2 ½–½ *"),
            ["move e4", "move 0-0-0", "move 0-0", "0-1", "1/2-1/2", "1/2-1/2", "*"]
        );
        assert_eq!(words("exd6 e.p. exd6e.p. 0 00 007"), ["move exd6", "move exd6e.p."]);
        assert_eq!(words("%x\ne4\n%y e5\n%"), ["move e4"]);
    }

    #[test]
    fn nothing_is_dropped() {
        assert_eq!(
            words("e4 foo } $ $70000 50% 2-0"),
            ["move e4", "unknown foo", "unknown }", "unknown $", "unknown $70000", "unknown %", "unknown 2-0"]
        );
        assert_eq!(words("e4 {never"), ["move e4", "unclosed"]);
        assert_eq!(words("e4 +- N = □"), ["move e4", "$18", "$146", "$10", "$7"]);
        assert_eq!(words("\u{feff}e4 \u{a0} e5 \u{1a}"), ["move e4", "move e5"]);
    }
}
