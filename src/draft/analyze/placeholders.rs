//! The placeholders of the prompt, and the inputs that fill them.

use std::collections::{BTreeMap, BTreeSet};

use super::{Argument, Reason, Verdict, Verdicts};
use crate::contract::SkillWrite;
use crate::skill::{Placeholder, PlaceholderKind, placeholders};
use crate::text::{nearest, shorten};

/// `UNDECLARED_PLACEHOLDER`, `MALFORMED_PLACEHOLDER`, `DUPLICATE_INPUT` and `UNUSED_INPUT`.
pub(super) fn analyze(arguments: &SkillWrite, verdicts: &mut Verdicts) {
    let mut declared: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, input) in arguments.input_variables.iter().enumerate() {
        if declared.insert(&input.name, index).is_some() {
            let message = format!("the input `{}` is declared twice", shorten(&input.name));
            let verdict = Verdict::new(Reason::DuplicateInput, Argument::InputName(index), message)
                .fix("take one of them out, or give it another name");
            verdicts.push(verdict);
        }
    }
    let used = in_prompt(arguments, &declared, verdicts);
    for (name, index) in &declared {
        if !used.contains(*name) {
            let message = format!("nothing in the prompt uses the input `{}`", shorten(name));
            let verdict = Verdict::new(Reason::UnusedInput, Argument::InputName(*index), message)
                .fix(format!(
                    "write `{{{{input.{name}}}}}` where it belongs, or take the input out"
                ));
            verdicts.push(verdict);
        }
    }
}

/// Judges the placeholders of the prompt; gives the names of those that are well-formed.
fn in_prompt(
    arguments: &SkillWrite,
    declared: &BTreeMap<&str, usize>,
    verdicts: &mut Verdicts,
) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    for Placeholder { span, kind } in placeholders(&arguments.prompt) {
        match kind {
            PlaceholderKind::Input(name) => {
                if !declared.contains_key(name.as_str()) && !used.contains(&name) {
                    let message = format!("no input is called `{}`", shorten(&name));
                    let fix = match nearest(&name, declared.keys().copied()) {
                        Some(known) => format!("write `{{{{input.{known}}}}}`, or declare it"),
                        None => "declare it under `inputs` in `sprout.yaml`".to_owned(),
                    };
                    let verdict =
                        Verdict::new(Reason::UndeclaredPlaceholder, Argument::Prompt, message)
                            .part(span)
                            .fix(fix);
                    verdicts.push(verdict);
                }
                used.insert(name);
            }
            PlaceholderKind::Malformed { fault, correction } => {
                let message = format!("this placeholder {fault}, so nothing fills it in");
                let fix = match &correction {
                    Some(correction) => format!("write `{correction}`"),
                    None => "write it as `{{input.name}}`".to_owned(),
                };
                let verdict = Verdict::new(Reason::MalformedPlaceholder, Argument::Prompt, message)
                    .part(span)
                    .fix(fix)
                    .correction(correction);
                verdicts.push(verdict);
            }
        }
    }
    used
}
