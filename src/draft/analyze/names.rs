//! Children's names in what a parent or an agent reads.

use super::{Argument, Reason, Verdict, Verdicts};
use crate::contract::SkillWrite;
use crate::names::{Roster, Scope};

/// `PII_IN_PROMPT`: a name stands in the label, the description, the prompt or an input.
pub(super) fn analyze(arguments: &SkillWrite, roster: &Roster, verdicts: &mut Verdicts) {
    if roster.is_empty() {
        return;
    }
    let mut look = |argument: Argument, text: &str| {
        for hit in roster.find(text, Scope::Prose) {
            let message = format!("a child's name stands here: entry #{} of your list", hit.entry);
            let verdict = Verdict::new(Reason::ChildName, argument, message)
                .part(hit.span)
                .fix("write `{{input.child_name}}` and declare that input, so that each family fills in its own");
            verdicts.push(verdict);
        }
    };
    look(Argument::Name, &arguments.name);
    look(Argument::Description, &arguments.description);
    look(Argument::Prompt, &arguments.prompt);
    for (index, input) in arguments.input_variables.iter().enumerate() {
        look(Argument::InputDescription(index), input.description.as_deref().unwrap_or_default());
    }
}
