//! The analyzers: what is wrong with a skill that is to be written, from its arguments alone.

mod audience;
mod canvases;
mod content;
mod fields;
mod hands;
mod names;
mod placeholders;
mod problem;
mod reason;

use crate::contract::SkillWrite;
use crate::names::Roster;

pub use names::child_name_message;
pub use problem::{ArgumentPart, DraftProblem, REPORTED_MAX};
pub use reason::{Gate, Reason};

/// Returns everything that is wrong with the arguments of `skill_write`: at most
/// [`REPORTED_MAX`] problems of one reason.
pub fn analyze(arguments: &SkillWrite, roster: &Roster) -> Vec<DraftProblem> {
    let mut problems = problem::DraftProblems::new();
    names::analyze(arguments, roster, &mut problems);
    fields::analyze(arguments, &mut problems);
    placeholders::analyze(arguments, &mut problems);
    hands::analyze(arguments, &mut problems);
    audience::analyze(arguments, &mut problems);
    canvases::analyze(arguments, &mut problems);
    content::analyze(arguments, &mut problems);
    problems.finish()
}
