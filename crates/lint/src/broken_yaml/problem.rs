//! A syntax error of YAML with its explanation and fix.

use dibber_skill::diagnostic::Fix;
use dibber_text::{Message, Problem, Span};

/// A syntax error, explained.
pub(crate) struct SyntaxProblem {
    /// The mistake. It always has help.
    pub(crate) problem: Problem,
    /// A fix after which the lines are known to parse.
    pub(crate) repair: Option<Fix<&'static str>>,
}

impl SyntaxProblem {
    pub(crate) fn new(span: Span, message: impl Into<Message>, help: impl Into<Message>) -> Self {
        Self { problem: Problem::new(span, message).with_help(help), repair: None }
    }

    /// Moves it to another place.
    pub(super) fn at(mut self, span: Span) -> Self {
        self.problem.place = span;
        self
    }

    /// Sets the fix.
    pub(super) fn with_repair(self, repair: Option<Fix<&'static str>>) -> Self {
        Self { repair, ..self }
    }

    /// Adds a related place.
    pub(super) fn with_label(self, label: Option<(Span, &'static str)>) -> Self {
        match label {
            Some((span, text)) => Self { problem: self.problem.with_label(span, text), ..self },
            None => self,
        }
    }
}
