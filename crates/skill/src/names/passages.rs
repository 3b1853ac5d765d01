//! The passages around the markup of a string: only there, it is rendered as something else than it
//! is written.
//!
//! Every passage begins and ends where no name continues: after a sign that is neither part of a
//! name nor between its words, or after an empty line. So the passages are searched one by one, with
//! the same result as the whole string.

use super::markup::Markup;
use dibber_text::Span;

/// The number of bytes that are rather searched than left out: each passage has a cost of its own.
const GAP_BYTES_MIN: usize = 64;

/// A part of a string with markup in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Passage<'m> {
    /// Its bytes.
    pub(super) span: Span,
    /// The markup in it.
    pub(super) markup: &'m [Markup],
}

/// Returns the passages of a string around its markup, in order.
pub(super) fn passages<'m>(text: &str, markup: &'m [Markup]) -> Vec<Passage<'m>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let (Some(first), Some(last)) = (markup.first(), markup.last()) else { return found };
    let mut start = last_end(bytes, Span::new(0, first.span.start)).unwrap_or(0);
    let mut done = 0;
    for (index, pair) in markup.windows(2).enumerate() {
        let between = Span::new(pair[0].span.end, pair[1].span.start);
        let Some(gap) = gap(bytes, between) else { continue };
        let markup = &markup[done..=index];
        found.push(Passage { span: Span::new(start, gap.start), markup });
        (done, start) = (index + 1, gap.end);
    }
    let end = first_end(bytes, Span::new(last.span.end, text.len())).unwrap_or(text.len());
    found.push(Passage { span: Span::new(start, end), markup: &markup[done..] });
    found
}

/// Returns what is between two passages, if it is long enough.
fn gap(bytes: &[u8], between: Span) -> Option<Span> {
    let is_long = |span: &Span| span.len() >= GAP_BYTES_MIN;
    is_long(&between).then_some(())?;
    let gap = Span::new(first_end(bytes, between)?, last_end(bytes, between)?);
    is_long(&gap).then_some(gap)
}

/// Returns the first byte of a part after which no name continues.
fn first_end(bytes: &[u8], part: Span) -> Option<usize> {
    (part.start + 1..=part.end).find(|at| is_end(bytes, part.start, *at))
}

/// Returns the last byte of a part after which no name continues.
fn last_end(bytes: &[u8], part: Span) -> Option<usize> {
    (part.start + 1..=part.end).rev().find(|at| is_end(bytes, part.start, *at))
}

/// Returns `true` if no name continues from before byte `at` to after it. What is before `from` is
/// rendered as something else.
fn is_end(bytes: &[u8], from: usize, at: usize) -> bool {
    // A mark would be normalized together with the sign before it.
    let is_before_mark = bytes.get(at).is_some_and(|byte| !byte.is_ascii());
    match &bytes[from..at] {
        [.., b'\n', b'\n'] => !is_before_mark,
        [.., sign] => separates_names(*sign) && !is_before_mark,
        [] => false,
    }
}

/// Returns `true` for signs that are neither part of a name nor between its words.
const fn separates_names(byte: u8) -> bool {
    matches!(
        byte,
        b'!' | b'"'
            | b'#'
            | b'$'
            | b'('
            | b')'
            | b','
            | b';'
            | b'='
            | b'?'
            | b'@'
            | b'['
            | b']'
            | b'^'
            | b'{'
            | b'|'
            | b'}'
    )
}
