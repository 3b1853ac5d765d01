//! A text in one form: NFKC, without what nobody sees, and the way back to its bytes.
//!
//! Signs that no letter comes of stay as they are, since a name has none: normal form would only
//! cost time.

use std::borrow::Cow;

use unicode_normalization::char::{canonical_combining_class, decompose_compatible};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use super::letters::is_hidden;
use dibber_text::Span;

/// What becomes of a character that nobody sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hidden {
    /// It goes, so that it hides no name that it stands in.
    Dropped,
    /// It parts words, so that it hides no name that it stands beside.
    Space,
}

/// A text in normal form.
#[derive(Debug)]
pub(super) struct Normal<'a> {
    pub(super) text: Cow<'a, str>,
    /// The parts that are not as they were, in order; between them, every byte is.
    changes: Vec<Change>,
    /// Whether there was anything that nobody sees.
    pub(super) has_hidden: bool,
}

/// A part of the text that is not as it was.
#[derive(Debug)]
struct Change {
    /// Its bytes in the normal form; none when it has gone.
    now: Span,
    /// The bytes that it was made of.
    before: Span,
}

impl<'a> Normal<'a> {
    /// Brings a text into normal form. Text in ASCII is, and is not looked at any further.
    pub(super) fn of(text: &'a str, hidden: Hidden) -> Self {
        if text.is_ascii() {
            return Self { text: Cow::Borrowed(text), changes: Vec::new(), has_hidden: false };
        }
        let mut builder = Builder {
            source: text,
            hidden,
            text: String::new(),
            changes: Vec::new(),
            has_hidden: false,
            copied_to: 0,
        };
        let mut at = 0;
        while let Some(next) = next_to_change(text, at) {
            at = builder.read(next);
        }
        builder.finish()
    }

    /// The bytes of the original text that a part of the normal form was made of.
    pub(super) fn original(&self, part: Span) -> Span {
        Span::new(self.original_start(part.start), self.original_end(part.end))
    }

    fn original_start(&self, at: usize) -> usize {
        match self.changes[..self.changes.partition_point(|change| change.now.start <= at)].last() {
            None => at,
            Some(change) if at < change.now.end => change.before.start,
            Some(change) => change.before.end + (at - change.now.end),
        }
    }

    fn original_end(&self, at: usize) -> usize {
        match self.changes[..self.changes.partition_point(|change| change.now.start < at)].last() {
            None => at,
            Some(change) if at <= change.now.end => change.before.end,
            Some(change) => change.before.end + (at - change.now.end),
        }
    }
}

#[derive(Debug)]
struct Builder<'a> {
    source: &'a str,
    hidden: Hidden,
    text: String,
    changes: Vec<Change>,
    has_hidden: bool,
    /// What is in front of this byte of the source has been taken over.
    copied_to: usize,
}

impl<'a> Builder<'a> {
    /// Brings what begins at `at` into normal form, up to the next character that does not
    /// combine with it; gives the byte to go on at.
    fn read(&mut self, at: usize) -> usize {
        let source = self.source;
        // What combines with the character in front of it is taken together with that one, also
        // when characters that nobody sees stand between.
        let mut start = at;
        let seen = source[at..].chars().find(|c| !is_hidden(*c));
        if seen.is_some_and(|c| !begins(c)) {
            let before = source[self.copied_to..at].char_indices().next_back();
            start = before.map_or(at, |(offset, _)| self.copied_to + offset);
        }
        let mut rest = source[at..].char_indices().skip(1);
        let end = rest.find(|(_, c)| !is_hidden(*c) && begins(*c));
        let end = end.map_or(source.len(), |(offset, _)| at + offset);
        self.change(Span::new(start, end));
        end
    }

    fn change(&mut self, before: Span) {
        let part = &self.source[before.range()];
        self.text.push_str(&self.source[self.copied_to..before.start]);
        self.copied_to = before.end;
        let start = self.text.len();
        if part.contains(is_hidden) {
            self.has_hidden = true;
            match self.hidden {
                Hidden::Dropped => {
                    self.text.extend(part.chars().filter(|c| !is_hidden(*c)).nfkc());
                }
                Hidden::Space => {
                    let spaced = part.chars().map(|c| if is_hidden(c) { ' ' } else { c });
                    self.text.extend(spaced.nfkc());
                }
            }
        } else {
            self.text.extend(part.nfkc());
        }
        let now = Span::new(start, self.text.len());
        if self.text[now.range()] != *part {
            self.changes.push(Change { now, before });
        }
    }

    fn finish(mut self) -> Normal<'a> {
        let text = if self.changes.is_empty() {
            Cow::Borrowed(self.source)
        } else {
            self.text.push_str(&self.source[self.copied_to..]);
            Cow::Owned(self.text)
        };
        Normal { text, changes: self.changes, has_hidden: self.has_hidden }
    }
}

/// The next byte from `at` on at which a character may have another normal form, or combine.
fn next_to_change(text: &str, mut at: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut is_behind_sign = false;
    while let Some(first) = bytes.get(at) {
        match first {
            0..0x80 => {
                at = next_wide(bytes, at);
                is_behind_sign = false;
            }
            // Most of the Han characters.
            0xE5..=0xE9 => {
                at += 3;
                is_behind_sign = false;
            }
            _ => {
                let c = text[at..].chars().next().unwrap_or_default();
                // A selector or joiner between emoji is part of them.
                let is_part = is_behind_sign && matches!(c, '\u{FE0F}' | '\u{200D}');
                if !is_part && !is_inert(c) {
                    return Some(at);
                }
                is_behind_sign = is_part || is_sign(c);
                at += c.len_utf8();
            }
        }
    }
    None
}

/// The next byte from `at` on that is not ASCII, or the end.
fn next_wide(bytes: &[u8], mut at: usize) -> usize {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    while let Some(block) = bytes[at..].first_chunk() {
        let wide = u64::from_le_bytes(*block) & HIGH;
        if wide != 0 {
            return at + (wide.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    let rest = bytes[at..].iter().take_while(|byte| byte.is_ascii()).count();
    at + rest
}

/// Signs that no letter comes of, and that combine with nothing.
const fn is_sign(c: char) -> bool {
    matches!(c,
        '\u{A0}'..='\u{A7}' | '\u{A9}' | '\u{AB}' | '\u{AC}' | '\u{B0}' | '\u{B1}' | '\u{B7}'
        | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{203E}' | '\u{2190}'..='\u{245F}'
        | '\u{2500}'..='\u{2BFF}' | '\u{3000}'..='\u{3004}' | '\u{3008}'..='\u{3020}'
        | '\u{FF01}'..='\u{FF06}' | '\u{FF08}'..='\u{FF0C}' | '\u{FF1A}'..='\u{FF20}'
        | '\u{FF3B}'..='\u{FF3E}' | '\u{FF5B}'..='\u{FF64}' | '\u{1F300}'..='\u{1FAFF}')
}

/// Common characters that stay as they are, and do not combine with the one in front: a short
/// way around the tables.
const fn is_inert(c: char) -> bool {
    is_sign(c)
        || matches!(c,
            '\u{C0}'..='\u{131}' | '\u{141}'..='\u{148}' | '\u{14A}'..='\u{17E}'
            | '\u{388}'..='\u{3CE}' | '\u{400}'..='\u{482}' | '\u{5D0}'..='\u{5EA}'
            | '\u{621}'..='\u{63A}' | '\u{641}'..='\u{64A}' | '\u{904}'..='\u{939}'
            | '\u{E01}'..='\u{E30}' | '\u{3041}'..='\u{3094}' | '\u{30A1}'..='\u{30FE}'
            | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}')
}

/// Tells whether a character does not combine with the one in front of it.
fn begins(c: char) -> bool {
    if c.is_ascii() || is_inert(c) {
        return true;
    }
    let mut first = None;
    decompose_compatible(c, |part| first = first.or(Some(part)));
    let first = first.unwrap_or(c);
    canonical_combining_class(first) == 0
        && is_nfc_quick(std::iter::once(first)) == IsNormalized::Yes
}
