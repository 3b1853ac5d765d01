//! Values with their place in the file.

use dibber_text::Span;

/// A value, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// The bytes of it in the file, quotes included.
    pub span: Span,
}
