//! The arguments that a skill needs.

use super::problem::{DraftProblems, problem};
use super::reason::Reason;
use crate::contract::SkillWrite;
use crate::draft::origins::Argument;
use dibber_text::is_blank;

/// `BLANK_FIELD`: the label, the description or the prompt is blank.
pub(super) fn analyze(arguments: &SkillWrite, problems: &mut DraftProblems) {
    let fields = [
        (
            Argument::Name,
            &arguments.name,
            "the label is blank",
            "write what a parent would call the skill",
        ),
        (
            Argument::Description,
            &arguments.description,
            "the description is blank",
            "write in one or two sentences what the skill does, and when to use it",
        ),
        (
            Argument::Prompt,
            &arguments.prompt,
            "the prompt is blank",
            "write what the agent is to do, step by step",
        ),
    ];
    for (argument, text, message, help) in fields {
        if is_blank(text) {
            problems.push(Reason::BlankField, || problem(argument, message, help));
        }
    }
}
