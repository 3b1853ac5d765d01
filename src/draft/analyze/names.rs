//! Children's names in what a parent or an agent reads.

use super::{Argument, Reason, Verdict, Verdicts};
use crate::contract::SkillWrite;
use crate::names::{Roster, Scope};

/// `PII_IN_PROMPT`: a name stands in the label, the description, the prompt or what an input is
/// for.
pub(super) fn analyze(arguments: &SkillWrite, roster: &Roster, verdicts: &mut Verdicts) {
    if roster.is_empty() {
        return;
    }
    let mut look = |argument: Argument, text: &str| {
        let fix = match argument {
            Argument::Prompt => {
                "write `{{input.child_name}}` in its place and declare that input, so that the \
                 name is filled in at each run"
            }
            _ => "say it without the name: \"the child\"",
        };
        for hit in roster.find(text, Scope::Prose) {
            let message = format!("a child's name stands here: entry #{} of the names", hit.entry);
            verdicts.push(Reason::ChildName, |reason| {
                Verdict::new(reason, argument, message, fix).part(hit.span)
            });
        }
    };
    look(Argument::Name, &arguments.name);
    look(Argument::Description, &arguments.description);
    look(Argument::Prompt, &arguments.prompt);
    for (index, input) in arguments.input_variables.iter().enumerate() {
        look(Argument::InputDescription(index), input.description.as_deref().unwrap_or_default());
    }
}
