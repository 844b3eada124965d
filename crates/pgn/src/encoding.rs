//! From the bytes of a file to text, for tag values and comments.
//!
//! The PGN standard says Latin-1, everybody today writes UTF-8, and old collections hold Windows code pages. So: UTF-8
//! where the bytes are valid UTF-8, else every byte is its Latin-1 character. No name is ever lost to `\u{fffd}`.

use std::borrow::Cow;

/// The UTF-8 mark some editors put in front of a file; concatenated files carry it in the middle, too.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Decodes UTF-8, or Latin-1 where that is not possible.
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect()),
    }
}

/// One line of text: runs of white space and control characters become one space, none at the ends.
///
/// Line breaks inside a comment carry no meaning (writers wrap at 80 columns), and a tag value cannot hold one.
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()) {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

/// The start of a token for an error message: at most `limit` characters, decoded.
pub(crate) fn excerpt(bytes: &[u8], limit: usize) -> String {
    // No UTF-8 character is longer than four bytes; cutting first keeps a 64 MiB token cheap.
    let head = &bytes[..bytes.len().min(4 * limit)];
    let text = String::from_utf8_lossy(head);
    let mut short: String = text.chars().take(limit).collect();
    if head.len() < bytes.len() || text.chars().nth(limit).is_some() {
        short.push('…');
    }
    one_line(&short)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latin_1_names_survive() {
        assert_eq!(decode(b"M\xfcller"), "Müller");
        assert_eq!(decode("Müller".as_bytes()), "Müller");
    }

    #[test]
    fn white_space_collapses() {
        assert_eq!(one_line("  a\r\n\n\tb  "), "a b");
        assert_eq!(one_line(" \n "), "");
    }

    #[test]
    fn excerpts_are_short() {
        assert_eq!(excerpt(b"Qxz9", 10), "Qxz9");
        assert_eq!(excerpt("ü".repeat(30).as_bytes(), 3), "üüü…");
    }
}
