//! Ranges of bytes in a file.

use std::ops::Range;

/// A half-open range of bytes in one file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

impl Span {
    /// Creates the span of the bytes `start..end`.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// Creates the empty span before the byte `at`.
    pub const fn empty(at: usize) -> Self {
        Self { start: at, end: at }
    }

    /// Returns the number of bytes.
    pub const fn len(self) -> usize {
        self.end - self.start
    }

    /// Returns `true` if the span has no bytes.
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Returns the span as a range, to index with.
    pub const fn range(self) -> Range<usize> {
        self.start..self.end
    }

    /// Returns the span moved `by` bytes towards the end of the file.
    #[must_use]
    pub const fn shift(self, by: usize) -> Self {
        Self { start: self.start + by, end: self.end + by }
    }

    /// Returns `true` if the byte `at` is inside.
    pub const fn contains(self, at: usize) -> bool {
        self.start <= at && at < self.end
    }

    /// Returns `true` if the two spans have a byte in common.
    pub const fn overlaps(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Self {
        Self::new(range.start, range.end)
    }
}
