//! The arguments that a skill needs.

use super::problem::{DraftProblems, problem};
use super::reason::Reason;
use crate::contract::{
    LABEL_CHARACTERS_MAX, PROMPT_CHARACTERS_MAX, SUMMARY_CHARACTERS_MAX, SkillWrite,
};
use crate::draft::origins::Argument;
use dibber_text::{is_blank, message};

/// `BLANK_FIELD` and `TOO_LONG`: the label, the description or the prompt is blank or too long.
pub(super) fn analyze(arguments: &SkillWrite, problems: &mut DraftProblems) {
    check_blank(arguments, problems);
    check_length(arguments, problems);
}

fn check_blank(arguments: &SkillWrite, problems: &mut DraftProblems) {
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

/// A server says the same of an argument, by its name on the wire, before it analyzes anything.
fn check_length(arguments: &SkillWrite, problems: &mut DraftProblems) {
    let fields = [
        (Argument::Name, &arguments.name, "label", LABEL_CHARACTERS_MAX),
        (Argument::Description, &arguments.description, "description", SUMMARY_CHARACTERS_MAX),
        (Argument::Prompt, &arguments.prompt, "prompt", PROMPT_CHARACTERS_MAX),
    ];
    for (argument, text, name, max) in fields {
        let characters = text.chars().count();
        if characters > max {
            problems.push(Reason::TooLong, || {
                let has = message!["the ", name, " has ", characters, " characters"];
                problem(argument, message![has, "; the maximum is ", max], "shorten it")
            });
        }
    }
}
