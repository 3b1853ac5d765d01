//! A syntax error of YAML with its explanation and fix.

use dibber_skill::diagnostic::{Applicability, Edit};
use dibber_text::Span;

/// A syntax error, explained.
pub(crate) struct SyntaxProblem {
    /// The span of the mistake.
    pub(crate) span: Span,
    /// What is wrong.
    pub(crate) message: String,
    /// What to write instead.
    pub(crate) help: String,
    /// A related span and its label.
    pub(crate) label: Option<(Span, &'static str)>,
    /// The edits that fix it.
    pub(crate) repair: Option<VerifiedRepair>,
}

/// A fix after which the lines are known to parse.
pub(crate) struct VerifiedRepair {
    /// Whether it can be applied without review.
    pub(crate) applicability: Applicability,
    /// What it does, as a title.
    pub(crate) title: &'static str,
    /// The edits.
    pub(crate) edits: Vec<Edit>,
}

impl SyntaxProblem {
    pub(crate) fn new(span: Span, message: impl Into<String>, help: impl Into<String>) -> Self {
        let (message, help) = (message.into(), help.into());
        Self { span, message, help, label: None, repair: None }
    }
}
