//! Children's names in what a parent or an agent reads.

use super::problem::{ArgumentPart, DraftProblems};
use super::reason::Reason;
use crate::contract::SkillWrite;
use crate::draft::origins::Argument;
use crate::names::{HELP_IN_NAMES, HELP_IN_PROMPT, HELP_IN_PROSE, Roster, Scope};
use dibber_text::Problem;

/// `PII_IN_PROMPT`: the label, the description, the prompt or an input contains a child's name.
pub(super) fn analyze(arguments: &SkillWrite, roster: &Roster, problems: &mut DraftProblems) {
    if roster.is_empty() {
        return;
    }
    let mut search = |argument: Argument, text: &str, scope: Scope| {
        let help = match argument {
            Argument::Prompt => HELP_IN_PROMPT,
            Argument::InputName(_) => HELP_IN_NAMES,
            _ => HELP_IN_PROSE,
        };
        for hit in roster.find(text, scope) {
            problems.push(Reason::ChildName, || {
                let place = ArgumentPart { argument, span: Some(hit.span) };
                Problem::new(place, hit.message()).with_help(help)
            });
        }
    };
    search(Argument::Name, &arguments.name, Scope::Prose);
    search(Argument::Description, &arguments.description, Scope::Prose);
    search(Argument::Prompt, &arguments.prompt, Scope::Prose);
    for (index, input) in arguments.input_variables.iter().enumerate() {
        search(Argument::InputName(index), &input.name, Scope::FileName);
        let description = input.description.as_deref().unwrap_or_default();
        search(Argument::InputDescription(index), description, Scope::Prose);
    }
}
