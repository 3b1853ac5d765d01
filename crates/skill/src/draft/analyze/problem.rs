//! What the analyzers return, and the collector that limits it.

use super::reason::Reason;
use crate::draft::origins::Argument;
use dibber_text::{CappedByKey, Message, Problem, Span, message};

/// The most problems of one reason that are reported one by one; the last one counts the rest.
pub const REPORTED_MAX: usize = 100;

/// The place of a problem: an argument of `skill_write`, or some bytes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArgumentPart {
    /// The argument.
    pub argument: Argument,
    /// The bytes of the argument; none for all of it.
    pub span: Option<Span>,
}

impl From<Argument> for ArgumentPart {
    fn from(argument: Argument) -> Self {
        Self { argument, span: None }
    }
}

/// Something that is wrong with the arguments of `skill_write`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftProblem {
    /// Why it matters.
    pub reason: Reason,
    /// What is wrong, and where. It always has help.
    pub problem: Problem<ArgumentPart>,
    /// What was probably meant instead of the bytes at the place.
    pub correction: Option<String>,
}

/// The problems of a draft, a limited number of each reason: a hostile prompt could otherwise fill
/// the memory with them.
pub(super) struct DraftProblems(CappedByKey<Reason, DraftProblem>);

impl DraftProblems {
    pub(super) const fn new() -> Self {
        Self(CappedByKey::new(REPORTED_MAX))
    }

    /// Adds a problem, which is only created if there are not enough of its reason yet.
    pub(super) fn push(&mut self, reason: Reason, create: impl FnOnce() -> Problem<ArgumentPart>) {
        self.0.push_with(reason, || DraftProblem { reason, problem: create(), correction: None });
    }

    /// Adds a problem with the string that was probably meant.
    pub(super) fn push_with_correction(
        &mut self,
        reason: Reason,
        correction: Option<String>,
        create: impl FnOnce() -> Problem<ArgumentPart>,
    ) {
        self.0.push_with(reason, || DraftProblem { reason, problem: create(), correction });
    }

    /// Returns the problems; the last one of a reason that has too many counts the others.
    pub(super) fn finish(self) -> Vec<DraftProblem> {
        self.0.into_items(|last, omitted| {
            let more = message![" (and ", omitted, " more like this one)"];
            last.problem.message.push(more);
        })
    }
}

/// Creates a problem of an argument as a whole.
pub(super) fn problem(
    argument: Argument,
    message: impl Into<Message>,
    help: impl Into<Message>,
) -> Problem<ArgumentPart> {
    Problem::new(argument.into(), message).with_help(help)
}
