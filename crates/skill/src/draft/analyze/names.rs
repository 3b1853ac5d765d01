//! Children's names in what a parent or an agent reads.

use super::{Argument, Reason, Verdict, Verdicts};
use crate::contract::SkillWrite;
use crate::names::{Roster, Scope, WAY_OUT_IN_NAMES, WAY_OUT_IN_PROMPT, WAY_OUT_IN_PROSE};

/// `PII_IN_PROMPT`: a name stands in the label, the description, the prompt or what an input is
/// for.
pub(super) fn analyze(arguments: &SkillWrite, roster: &Roster, verdicts: &mut Verdicts) {
    if roster.is_empty() {
        return;
    }
    let mut look = |argument: Argument, text: &str, scope: Scope| {
        let fix = match argument {
            Argument::Prompt => WAY_OUT_IN_PROMPT,
            Argument::InputName(_) => WAY_OUT_IN_NAMES,
            _ => WAY_OUT_IN_PROSE,
        };
        for hit in roster.find(text, scope) {
            verdicts.push(Reason::ChildName, |reason| {
                Verdict::new(reason, argument, hit.message("here"), fix).part(hit.span)
            });
        }
    };
    look(Argument::Name, &arguments.name, Scope::Prose);
    look(Argument::Description, &arguments.description, Scope::Prose);
    look(Argument::Prompt, &arguments.prompt, Scope::Prose);
    for (index, input) in arguments.input_variables.iter().enumerate() {
        look(Argument::InputName(index), &input.name, Scope::FileName);
        let description = input.description.as_deref().unwrap_or_default();
        look(Argument::InputDescription(index), description, Scope::Prose);
    }
}
