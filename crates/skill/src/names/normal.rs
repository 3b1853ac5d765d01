//! Text as it is compared, and the mapping back to its bytes: in normal form (NFKC), without
//! invisible characters, diacritics and lookalikes (see [`lookalikes`](super::lookalikes)).
//!
//! Signs that contain no letter stay as they are: a name has none, and normalizing them would
//! only cost time. ASCII is in normal form, and most other characters are recognized without the
//! Unicode tables, so that only the rest is copied and recorded.

use std::borrow::Cow;

use unicode_normalization::char::{canonical_combining_class, decompose_compatible};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use super::letters::is_hidden;
use super::lookalikes::{push_plain, stays_plain};
use super::markup::Markup;
use super::passages::Passage;
use dibber_text::{Span, SpanMap};

/// What replaces an invisible character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hidden {
    /// Nothing, so that it does not hide a name that it is inside of.
    Dropped,
    /// A space, so that it does not hide a name that it is beside.
    Space,
}

/// Text in normal form.
#[derive(Debug)]
pub(super) struct NormalizedText<'a> {
    pub(super) text: Cow<'a, str>,
    /// Where its parts were in the original.
    places: SpanMap,
    /// Whether there was an invisible character.
    pub(super) has_hidden: bool,
}

impl<'a> NormalizedText<'a> {
    /// Converts text to normal form.
    pub(super) fn new(text: &'a str, hidden: Hidden) -> Self {
        if text.is_ascii() {
            return Self {
                text: Cow::Borrowed(text),
                places: SpanMap::default(),
                has_hidden: false,
            };
        }
        let mut builder = Builder::new(text, hidden);
        builder.normalize_up_to(0, text.len());
        builder.finish()
    }

    /// Converts a passage to normal form, with its markup replaced by what that shows, and its
    /// invisible characters removed.
    pub(super) fn rendered(text: &'a str, passage: &Passage<'_>) -> Self {
        let Passage { span: passage, markup } = passage;
        let text = &text[passage.range()];
        let mut builder = Builder::new(text, Hidden::Dropped);
        let mut at = 0;
        for Markup { span, shown } in *markup {
            let span = Span::new(span.start - passage.start, span.end - passage.start);
            at = builder.normalize_up_to(at, span.start);
            builder.replace_with(span, |text| match shown {
                Some(c) if c.is_ascii() => text.push(*c),
                _ => shown.iter().copied().nfkc().for_each(|c| push_plain(c, text)),
            });
            at = at.max(span.end);
        }
        builder.normalize_up_to(at, text.len());
        builder.finish()
    }

    /// Returns the bytes of the original text that a part of the normal form was made of.
    pub(super) fn original(&self, part: Span) -> Span {
        self.places.original(part)
    }
}

#[derive(Debug)]
struct Builder<'a> {
    source: &'a str,
    hidden: Hidden,
    text: String,
    places: SpanMap,
    has_hidden: bool,
    /// The source is copied up to this byte.
    copied_to: usize,
}

impl<'a> Builder<'a> {
    fn new(source: &'a str, hidden: Hidden) -> Self {
        Self {
            source,
            hidden,
            text: String::new(),
            places: SpanMap::default(),
            has_hidden: false,
            copied_to: 0,
        }
    }

    /// Normalizes the source between two bytes, or a few more. Returns the byte to continue at.
    fn normalize_up_to(&mut self, start: usize, end: usize) -> usize {
        let mut at = start;
        let source = &self.source[..end];
        while let Some(next) = next_to_change(source, at) {
            at = self.normalize(next);
        }
        at
    }

    /// Normalizes from `at` up to the next character that does not combine with the one before.
    /// Returns the byte to continue at.
    fn normalize(&mut self, at: usize) -> usize {
        let source = self.source;
        // A combining character is normalized together with the one before it, even if invisible
        // characters are between them.
        let mut start = at;
        let seen = source[at..].chars().find(|c| !is_hidden(*c));
        if seen.is_some_and(|c| !is_starter(c)) {
            let before = source[self.copied_to..at].char_indices().next_back();
            start = before.map_or(at, |(offset, _)| self.copied_to + offset);
        }
        let mut rest = source[at..].char_indices().skip(1);
        let end = rest.find(|(_, c)| !is_hidden(*c) && is_starter(*c));
        let end = end.map_or(source.len(), |(offset, _)| at + offset);
        self.replace(Span::new(start, end));
        end
    }

    fn replace(&mut self, original: Span) {
        let part = &self.source[original.range()];
        let has_hidden = part.contains(is_hidden);
        self.has_hidden |= has_hidden;
        let hidden_as_space = self.hidden == Hidden::Space;
        self.replace_with(original, |text| {
            let visible = part.chars().filter_map(|c| {
                if is_hidden(c) { hidden_as_space.then_some(' ') } else { Some(c) }
            });
            visible.nfkc().for_each(|c| push_plain(c, text));
        });
    }

    /// Replaces a part of the source that begins after what was copied by what `push` appends.
    fn replace_with(&mut self, original: Span, push: impl FnOnce(&mut String)) {
        if original.start < self.copied_to {
            // It was normalized with what is before it.
            return;
        }
        self.text.push_str(&self.source[self.copied_to..original.start]);
        self.copied_to = original.end;
        let start = self.text.len();
        push(&mut self.text);
        let new = Span::new(start, self.text.len());
        if self.text[new.range()] != self.source[original.range()] {
            self.places.push(new, original);
        }
    }

    fn finish(mut self) -> NormalizedText<'a> {
        let text = if self.places.is_empty() {
            Cow::Borrowed(self.source)
        } else {
            self.text.push_str(&self.source[self.copied_to..]);
            Cow::Owned(self.text)
        };
        NormalizedText { text, places: self.places, has_hidden: self.has_hidden }
    }
}

/// Returns the next byte from `at` on at which a character may have another normal form, or
/// combine.
fn next_to_change(text: &str, mut at: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut is_after_sign = false;
    while let Some(first) = bytes.get(at) {
        match first {
            0..0x80 => {
                at = next_wide(bytes, at);
                is_after_sign = false;
            }
            // Most of the Han characters.
            0xE5..=0xE9 => {
                at += 3;
                is_after_sign = false;
            }
            _ => {
                let c = text[at..].chars().next().unwrap_or_default();
                // A selector or joiner between emoji is part of them.
                let is_part = is_after_sign && matches!(c, '\u{FE0F}' | '\u{200D}');
                if !is_part && !is_inert(c) {
                    return Some(at);
                }
                is_after_sign = is_part || is_sign(c);
                at += c.len_utf8();
            }
        }
    }
    None
}

/// Returns the next byte from `at` on that is not ASCII, or the end. It tests eight bytes at once,
/// since most text is ASCII.
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

/// Returns `true` for signs that contain no letter and combine with nothing.
const fn is_sign(c: char) -> bool {
    matches!(c,
        '\u{A0}'..='\u{A7}' | '\u{A9}' | '\u{AB}' | '\u{AC}' | '\u{B0}' | '\u{B1}' | '\u{B7}'
        | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{203E}' | '\u{2190}'..='\u{245F}'
        | '\u{2500}'..='\u{2BFF}' | '\u{3000}'..='\u{3004}' | '\u{3008}'..='\u{3020}'
        | '\u{FF01}'..='\u{FF06}' | '\u{FF08}'..='\u{FF0C}' | '\u{FF1A}'..='\u{FF20}'
        | '\u{FF3B}'..='\u{FF3E}' | '\u{FF5B}'..='\u{FF64}' | '\u{1F300}'..='\u{1FAFF}')
}

/// Returns `true` for common characters that are compared as they are and do not combine with the
/// one before, without looking into the Unicode tables for most of them.
fn is_inert(c: char) -> bool {
    is_sign(c) || is_normal_letter(c) && stays_plain(c)
}

/// Returns `true` for common letters that are in normal form (NFKC) and do not combine with the
/// character before.
const fn is_normal_letter(c: char) -> bool {
    matches!(c,
        '\u{C0}'..='\u{131}' | '\u{141}'..='\u{148}' | '\u{14A}'..='\u{17E}'
        | '\u{388}'..='\u{3CE}' | '\u{400}'..='\u{482}' | '\u{5D0}'..='\u{5EA}'
        | '\u{621}'..='\u{63A}' | '\u{641}'..='\u{64A}' | '\u{904}'..='\u{939}'
        | '\u{E01}'..='\u{E30}' | '\u{3041}'..='\u{3094}' | '\u{30A1}'..='\u{30FE}'
        | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}')
}

/// Returns `true` if a character does not combine with the one before it.
fn is_starter(c: char) -> bool {
    if c.is_ascii() || is_sign(c) || is_normal_letter(c) {
        return true;
    }
    let mut first = None;
    decompose_compatible(c, |part| first = first.or(Some(part)));
    let first = first.unwrap_or(c);
    canonical_combining_class(first) == 0
        && is_nfc_quick(std::iter::once(first)) == IsNormalized::Yes
}
