//! The placeholders of the prompt, and the inputs that fill them.

use std::collections::{BTreeMap, BTreeSet};

use super::{Argument, Reason, Verdict, Verdicts};
use crate::contract::SkillWrite;
use crate::skill::{
    INPUT_NAME_RULE, Placeholder, PlaceholderKind, corrected_name, is_input_name, placeholder_of,
    placeholders,
};
use dibber_text::{Span, closest_match, ellipsize};

/// What a heartbeat fills in by itself, in the values of the inputs; `{{fireDate}}` in a prompt is
/// no slip.
const FIRE_DATE: &str = "fireDate";

/// `UNDECLARED_PLACEHOLDER`, `MALFORMED_PLACEHOLDER`, `DUPLICATE_INPUT` and `UNUSED_INPUT`.
pub(super) fn analyze(arguments: &SkillWrite, verdicts: &mut Verdicts) {
    let declared = declared(arguments, verdicts);
    let used = used(arguments, &declared, verdicts);
    for (index, input) in arguments.input_variables.iter().enumerate() {
        let name = input.name.as_str();
        // A name that no placeholder can hold was reported as such.
        if declared.get(name) == Some(&index) && !used.contains(name) {
            verdicts.push(Reason::UnusedInput, |reason| {
                let message = format!("nothing in the prompt uses the input `{}`", ellipsize(name));
                let placeholder = placeholder_of(&ellipsize(name));
                let fix = format!("write `{placeholder}` where it belongs, or take the input out");
                Verdict::new(reason, Argument::InputName(index), message, fix)
            });
        }
    }
}

/// The inputs whose names a placeholder can hold, each with its first place in the list.
fn declared<'a>(arguments: &'a SkillWrite, verdicts: &mut Verdicts) -> BTreeMap<&'a str, usize> {
    let mut first_of: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, input) in arguments.input_variables.iter().enumerate() {
        let name = input.name.as_str();
        let argument = Argument::InputName(index);
        let first = *first_of.entry(name).or_insert(index);
        if first != index {
            verdicts.push(Reason::DuplicateInput, |reason| {
                let message = format!("the input `{}` is declared twice", ellipsize(name));
                let fix = "take one of the two out, or give it another name";
                Verdict::new(reason, argument, message, fix)
                    .related(Argument::InputName(first), "declared here first")
            });
        } else if !is_input_name(name) {
            verdicts.push(Reason::MalformedPlaceholder, |reason| {
                let message = format!("no placeholder can hold the name `{}`", ellipsize(name));
                let fix = match corrected_name(name) {
                    Some(corrected) => format!("call the input `{}`", ellipsize(&corrected)),
                    None => INPUT_NAME_RULE.to_owned(),
                };
                Verdict::new(reason, argument, message, fix)
            });
        }
    }
    first_of.retain(|name, _| is_input_name(name));
    first_of
}

/// Judges the placeholders of the prompt; gives the names that they use or were meant to.
fn used(
    arguments: &SkillWrite,
    declared: &BTreeMap<&str, usize>,
    verdicts: &mut Verdicts,
) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    for Placeholder { span, kind } in placeholders(&arguments.prompt) {
        match kind {
            PlaceholderKind::Input(name) => {
                if !declared.contains_key(name.as_str()) && !used.contains(&name) {
                    verdicts.push(Reason::UndeclaredPlaceholder, |reason| {
                        undeclared(reason, &name, declared).part(span)
                    });
                }
                used.insert(name);
            }
            PlaceholderKind::Malformed { fault, meant } => {
                push_malformed(span, fault, meant.as_deref(), verdicts);
                used.extend(meant);
            }
            PlaceholderKind::Lookalike(name) => {
                if declared.contains_key(name.as_str()) && name != FIRE_DATE {
                    let fault = if arguments.prompt[span.range()].starts_with("{{") {
                        "does not begin with `input.`"
                    } else {
                        "has one brace on each side in the place of two"
                    };
                    push_malformed(span, fault, Some(&name), verdicts);
                    used.insert(name);
                }
            }
        }
    }
    used
}

fn undeclared(reason: Reason, name: &str, declared: &BTreeMap<&str, usize>) -> Verdict {
    let message = format!("no input is called `{}`", ellipsize(name));
    let fix = match closest_match(name, declared.keys().copied()) {
        Some(known) => {
            format!("write `{}`, or declare it as an input", placeholder_of(known))
        }
        None => "declare it as an input".to_owned(),
    };
    Verdict::new(reason, Argument::Prompt, message, fix)
}

fn push_malformed(span: Span, fault: &str, meant: Option<&str>, verdicts: &mut Verdicts) {
    verdicts.push(Reason::MalformedPlaceholder, |reason| {
        let message = format!("this placeholder {fault}, so nothing fills it in");
        let fix = match meant {
            Some(name) => format!("write `{}`", placeholder_of(&ellipsize(name))),
            None => format!("write it as `{}`, with the name of an input", placeholder_of("name")),
        };
        let correction = meant.map(placeholder_of);
        Verdict::new(reason, Argument::Prompt, message, fix).part(span).correction(correction)
    });
}
