//! The arguments that a skill cannot do without.

use super::{Argument, Reason, Verdict, Verdicts};
use crate::contract::SkillWrite;

/// `BLANK_FIELD`: the label, the description or the prompt is blank.
pub(super) fn analyze(arguments: &SkillWrite, verdicts: &mut Verdicts) {
    let fields = [
        (Argument::Name, &arguments.name, "the label", "write what a parent would call the skill"),
        (
            Argument::Description,
            &arguments.description,
            "the summary",
            "write in one or two sentences what the skill does, and when to use it",
        ),
        (
            Argument::Prompt,
            &arguments.prompt,
            "the prompt",
            "write below the frontmatter what the agent is to do, step by step",
        ),
    ];
    for (argument, text, what, fix) in fields {
        if text.trim().is_empty() {
            let message = format!("{what} is blank");
            verdicts.push(Verdict::new(Reason::BlankField, argument, message).fix(fix));
        }
    }
}
