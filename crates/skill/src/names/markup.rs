//! Markup that a reader does not see: emphasis inside words (`**Em**ma`), tags and comments inside
//! words, and characters in encoded form: HTML references (`&#69;mma`), percent-encoding, escapes
//! and the colours of a terminal.

use super::letters::{is_hidden, is_word};
use dibber_text::{EncodedChar, Span};

/// The most bytes of a tag or a comment.
pub(super) const TAG_BYTES_MAX: usize = 64;

/// A piece of markup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Markup {
    /// Its bytes.
    pub(super) span: Span,
    /// The character that it shows.
    pub(super) shown: Option<char>,
}

/// Finds the markup of a string in order: every encoded character, and emphasis and tags inside
/// words.
pub(super) fn find(text: &str) -> Vec<Markup> {
    let bytes = text.as_bytes();
    let mut found: Vec<Markup> = Vec::new();
    let mut at = 0;
    while let Some(next) = next_candidate(bytes, at) {
        at = next + 1;
        if let Some(encoded) = encoded(text, next) {
            at = encoded.span.end;
            found.push(encoded);
            continue;
        }
        let done = found.last().map_or(0, |markup| markup.span.end);
        let start = next - trailing_underscores(&bytes[done..next]);
        let end = invisible_end(text, next);
        let is_after_letter = done == start && !found.is_empty()
            || text[..start].chars().next_back().is_some_and(is_part_of_word);
        let is_before_letter =
            encoded(text, end).is_some() || text[end..].chars().next().is_some_and(is_part_of_word);
        if end > next && is_after_letter && is_before_letter {
            found.push(Markup { span: Span::new(start, end), shown: None });
        } else {
            // Tags are shown as nothing, but their attributes and links are text, too.
            found.extend(encoded_in(text, Span::new(at, end)));
        }
        at = found.last().map_or(end, |markup| markup.span.end).max(at).max(end);
    }
    found
}

/// Returns the next byte from `at` on with which markup may begin. It tests eight bytes at once,
/// as the search for names does.
fn next_candidate(bytes: &[u8], mut at: usize) -> Option<usize> {
    while let Some(block) = bytes[at..].first_chunk() {
        let marks = candidates(u64::from_le_bytes(*block));
        if marks != 0 {
            return Some(at + (marks.trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    let rest = bytes[at..].iter().position(|byte| candidates(u64::from(*byte)) != 0);
    rest.map(|offset| at + offset)
}

/// Marks the bytes of a block with which markup may begin by the highest bit of each.
const fn candidates(block: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x80 * ONES;
    // Without its highest bit, a byte is less than 0x80, so that no subtraction borrows from the
    // next, and only from equal bytes is the highest bit left.
    let low = block & !HIGH;
    let marks = (HIGH - (low ^ (b'*' as u64 * ONES)))
        | (HIGH - (low ^ (b'~' as u64 * ONES)))
        | (HIGH - (low ^ (b'`' as u64 * ONES)))
        | (HIGH - (low ^ (b'<' as u64 * ONES)))
        | (HIGH - (low ^ (b'&' as u64 * ONES)))
        | (HIGH - (low ^ (b'%' as u64 * ONES)))
        | (HIGH - (low ^ (b'\\' as u64 * ONES)))
        | (HIGH - (low ^ (0x1B * ONES)));
    marks & !block & HIGH
}

fn trailing_underscores(bytes: &[u8]) -> usize {
    bytes.iter().rev().take_while(|byte| **byte == b'_').count()
}

fn is_part_of_word(c: char) -> bool {
    is_word(c) || is_hidden(c)
}

/// Returns the end of the emphasis and the tags from a byte on. Underscores alone do not emphasize
/// a part of a word.
fn invisible_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut end = start;
    while let Some(byte) = bytes.get(end) {
        end = match byte {
            b'*' | b'~' | b'`' | b'_' => end + 1,
            b'<' => match tag_end(bytes, end) {
                Some(after) => after,
                None => return end,
            },
            _ => return end,
        };
    }
    end
}

/// Returns the end of the HTML tag or comment that starts with the `<` at a byte.
pub(super) fn tag_end(bytes: &[u8], start: usize) -> Option<usize> {
    let tag = bytes.get(start..bytes.len().min(start + TAG_BYTES_MAX))?;
    if tag.starts_with(b"<!--") {
        let length = tag.windows(3).skip(4).position(|end| end == b"-->")?;
        return Some(start + 4 + length + 3);
    }
    let tag = tag.strip_prefix(b"<")?;
    let name = tag.strip_prefix(b"/").unwrap_or(tag);
    let is_name = name.first().is_some_and(u8::is_ascii_alphabetic);
    let length = tag.iter().position(|byte| matches!(byte, b'>' | b'<' | b'\n'))?;
    (is_name && tag[length] == b'>').then_some(start + 1 + length + 1)
}

/// Finds the encoded characters that begin in a part of a string.
fn encoded_in(text: &str, part: Span) -> Vec<Markup> {
    let (mut found, mut at) = (Vec::new(), part.start);
    while let Some(next) = next_candidate(text.as_bytes(), at).filter(|next| *next < part.end) {
        let encoded = encoded(text, next);
        at = encoded.map_or(next + 1, |encoded| encoded.span.end);
        found.extend(encoded);
    }
    found
}

/// Parses a character in encoded form.
fn encoded(text: &str, at: usize) -> Option<Markup> {
    let EncodedChar { span, decoded } = EncodedChar::parse(text, at)?;
    Some(Markup { span, shown: decoded.filter(|c| !is_hidden(*c)) })
}
