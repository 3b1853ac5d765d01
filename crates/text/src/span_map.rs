//! Where the parts of a changed string were in the original.

use super::span::Span;

/// The places of what was replaced in a string; what is between them is equal.
#[derive(Debug, Default)]
pub struct SpanMap {
    replacements: Vec<Replacement>,
}

/// A part that differs from the original.
#[derive(Debug)]
struct Replacement {
    /// Its bytes in the changed string; empty if it was removed.
    new: Span,
    /// The bytes in the original.
    original: Span,
}

impl SpanMap {
    /// Records that a part of the original was replaced, after all that were recorded before.
    pub fn push(&mut self, new: Span, original: Span) {
        self.replacements.push(Replacement { new, original });
    }

    /// Returns `true` if nothing was replaced.
    pub const fn is_empty(&self) -> bool {
        self.replacements.is_empty()
    }

    /// Returns the bytes of the original that a part of the changed string was made of.
    pub fn original(&self, part: Span) -> Span {
        Span::new(self.original_start(part.start), self.original_end(part.end))
    }

    fn original_start(&self, at: usize) -> usize {
        let next = self.replacements.partition_point(|replaced| replaced.new.start <= at);
        match self.replacements[..next].last() {
            None => at,
            Some(replaced) if at < replaced.new.end => replaced.original.start,
            Some(replaced) => replaced.original.end + (at - replaced.new.end),
        }
    }

    fn original_end(&self, at: usize) -> usize {
        let next = self.replacements.partition_point(|replaced| replaced.new.start < at);
        match self.replacements[..next].last() {
            None => at,
            Some(replaced) if at <= replaced.new.end => replaced.original.end,
            Some(replaced) => replaced.original.end + (at - replaced.new.end),
        }
    }
}
