//! Children's names in what a parent or an agent reads.

use super::problem::{ArgumentPart, DraftProblems};
use super::reason::Reason;
use crate::contract::SkillWrite;
use crate::draft::origins::Argument;
use crate::names::{HELP_IN_NAMES, HELP_IN_PROMPT, HELP_IN_PROSE, Hit, Roster, Scope};
use crate::response_model;
use dibber_text::{Message, Problem, message};

/// `PII_IN_PROMPT`: a string that is published contains a child's name.
pub(super) fn analyze(arguments: &SkillWrite, roster: &Roster, problems: &mut DraftProblems) {
    if roster.is_empty() {
        return;
    }
    let mut search = |argument: Argument, text: &str, scope: Scope| {
        let help = match argument {
            Argument::Prompt => HELP_IN_PROMPT,
            Argument::InputName(_)
            | Argument::InputType(_)
            | Argument::Hand(_)
            | Argument::ResponseModel => HELP_IN_NAMES,
            _ => HELP_IN_PROSE,
        };
        for hit in roster.find(text, scope) {
            problems.push(Reason::ChildName, || {
                let place = ArgumentPart { argument, span: Some(hit.span) };
                Problem::new(place, child_name_message(text, hit)).with_help(help)
            });
        }
    };
    search(Argument::Name, &arguments.name, Scope::Prose);
    search(Argument::Description, &arguments.description, Scope::Prose);
    search(Argument::Prompt, &arguments.prompt, Scope::Prose);
    for (index, hand) in arguments.hands_referenced.iter().enumerate() {
        search(Argument::Hand(index), hand, Scope::FileName);
    }
    for (index, input) in arguments.input_variables.iter().enumerate() {
        search(Argument::InputName(index), &input.name, Scope::FileName);
        let kind = input.kind.as_deref().unwrap_or_default();
        search(Argument::InputType(index), kind, Scope::FileName);
        let description = input.description.as_deref().unwrap_or_default();
        search(Argument::InputDescription(index), description, Scope::Prose);
    }
    for text in arguments.response_model.iter().flat_map(response_model::strings) {
        let is_prose = text.contains(' ');
        let scope = if is_prose { Scope::Prose } else { Scope::FileName };
        search(Argument::ResponseModel, text, scope);
    }
    for index in roster.find_across_items(&arguments.hands_referenced) {
        problems.push(Reason::ChildName, || {
            let message = "contains a child's name, together with the next item";
            Problem::new(Argument::Hand(index).into(), message).with_help(HELP_IN_NAMES)
        });
    }
}

/// Returns a message about a child's name in a string. It says where the name is, without showing
/// it: the author of the string may not have the list of names.
pub fn child_name_message(text: &str, hit: Hit) -> Message {
    let before = &text[..hit.span.start];
    let line = 1 + before.matches('\n').count();
    let start = before.rfind('\n').map_or(0, |feed| feed + 1);
    let column = 1 + before[start..].chars().count();
    message!["contains a child's name at line ", line, ", column ", column]
}
