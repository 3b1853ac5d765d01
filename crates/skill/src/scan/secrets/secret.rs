//! A key or token that was found.

use dibber_text::Span;

/// A key or token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Secret {
    /// What it is, with its article: "a GitHub token".
    pub kind: &'static str,
    /// The span to point at.
    pub span: Span,
    /// The span that is masked.
    pub masked: Span,
}
