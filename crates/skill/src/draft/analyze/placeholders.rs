//! The placeholders of the prompt, and the inputs that fill them.

use std::collections::{BTreeMap, BTreeSet};

use super::problem::{ArgumentPart, DraftProblems, problem};
use super::reason::Reason;
use crate::contract::SkillWrite;
use crate::draft::origins::Argument;
use crate::skill::{
    INPUT_NAME_RULE, Placeholder, PlaceholderKind, corrected_name, is_input_name, placeholder_of,
    placeholders,
};
use dibber_text::{Problem, Span, closest_match, message, quote};

/// What a heartbeat replaces in the values of inputs, so that `{{fireDate}}` in a prompt is not a
/// typing error.
const FIRE_DATE: &str = "fireDate";

/// `UNDECLARED_PLACEHOLDER`, `MALFORMED_PLACEHOLDER`, `DUPLICATE_INPUT` and `UNUSED_INPUT`.
pub(super) fn analyze(arguments: &SkillWrite, problems: &mut DraftProblems) {
    let declared = check_inputs(arguments, problems);
    let used = check_placeholders(arguments, &declared, problems);
    for (index, input) in arguments.input_variables.iter().enumerate() {
        let name = input.name.as_str();
        // A name that is not valid in a placeholder has its own problem.
        if declared.get(name) == Some(&index) && !used.contains(name) {
            problems.push(Reason::UnusedInput, || {
                let message = message!["the prompt does not use the input `", quote(name), "`"];
                let help = message![
                    "write `{{input.",
                    quote(name),
                    "}}` where it belongs, or remove the input"
                ];
                problem(Argument::InputName(index), message, help)
            });
        }
    }
}

/// Checks the names of the inputs. Returns those that are valid in a placeholder, each with its
/// first index in the list.
fn check_inputs<'a>(
    arguments: &'a SkillWrite,
    problems: &mut DraftProblems,
) -> BTreeMap<&'a str, usize> {
    let mut first_index: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, input) in arguments.input_variables.iter().enumerate() {
        let name = input.name.as_str();
        let argument = Argument::InputName(index);
        let first = *first_index.entry(name).or_insert(index);
        if first != index {
            problems.push(Reason::DuplicateInput, || {
                let message = message!["duplicate input `", quote(name), "`"];
                let help = "remove one of the two, or rename it";
                problem(argument, message, help)
                    .with_label(Argument::InputName(first).into(), "declared here first")
            });
        } else if !is_input_name(name) {
            problems.push(Reason::MalformedPlaceholder, || {
                let message = message!["`", quote(name), "` is not valid in a placeholder"];
                let help = match corrected_name(name) {
                    Some(corrected) => {
                        message!["rename the input to `", quote(&corrected).derived_from(name), "`"]
                    }
                    None => INPUT_NAME_RULE.into(),
                };
                problem(argument, message, help)
            });
        }
    }
    first_index.retain(|name, _| is_input_name(name));
    first_index
}

/// Checks the placeholders of the prompt. Returns the names that they use or were meant to use.
fn check_placeholders(
    arguments: &SkillWrite,
    declared: &BTreeMap<&str, usize>,
    problems: &mut DraftProblems,
) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    for Placeholder { span, kind } in placeholders(&arguments.prompt) {
        match kind {
            PlaceholderKind::Input(name) => {
                if !declared.contains_key(name.as_str()) && !used.contains(&name) {
                    problems
                        .push(Reason::UndeclaredPlaceholder, || undeclared(span, &name, declared));
                }
                used.insert(name);
            }
            PlaceholderKind::Malformed { fault, meant } => {
                push_malformed(&arguments.prompt, span, (fault, meant.as_deref()), problems);
                used.extend(meant);
            }
            PlaceholderKind::Lookalike(name) => {
                if declared.contains_key(name.as_str()) && name != FIRE_DATE {
                    let fault = if arguments.prompt[span.range()].starts_with("{{") {
                        "does not begin with `input.`"
                    } else {
                        "has single braces instead of double ones"
                    };
                    push_malformed(&arguments.prompt, span, (fault, Some(&name)), problems);
                    used.insert(name);
                }
            }
        }
    }
    used
}

const fn in_prompt(span: Span) -> ArgumentPart {
    ArgumentPart { argument: Argument::Prompt, span: Some(span) }
}

fn undeclared(span: Span, name: &str, declared: &BTreeMap<&str, usize>) -> Problem<ArgumentPart> {
    let message = message!["undeclared input `", quote(name), "`"];
    let help = match closest_match(name, declared.keys().copied()) {
        Some(known) => {
            message!["write `{{input.", quote(known), "}}`, or declare it as an input"]
        }
        None => message!["declare it as an input"],
    };
    Problem::new(in_prompt(span), message).with_help(help)
}

fn push_malformed(
    prompt: &str,
    span: Span,
    (fault, meant): (&'static str, Option<&str>),
    problems: &mut DraftProblems,
) {
    let correction = meant.map(placeholder_of);
    problems.push_with_correction(Reason::MalformedPlaceholder, correction, || {
        let message = message!["this placeholder ", fault, ", so it is not filled in"];
        let help = match meant {
            Some(name) => {
                let name = quote(name).derived_from(&prompt[span.range()]);
                message!["write `{{input.", name, "}}`"]
            }
            None => {
                message!["write it as `{{input.name}}`, with the name of an input"]
            }
        };
        Problem::new(in_prompt(span), message).with_help(help)
    });
}
