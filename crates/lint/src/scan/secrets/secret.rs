//! A key or token that was found.

use dibber_text::Span;

/// A key or token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Secret {
    /// What it is, with its article: "a GitHub token".
    pub(crate) kind: &'static str,
    /// The span to point at.
    pub(crate) span: Span,
    /// The span that is never shown.
    pub(crate) hidden: Span,
}
