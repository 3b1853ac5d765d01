//! What of the arguments nobody is shown: the names of children, and secrets.

use crate::cli::mask::mask;
use dibber_skill::contract::{InputVariable, SkillWrite};
use dibber_skill::names::Roster;

/// What keeps arguments from being given away as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Private {
    /// A child's name stands in it.
    Name,
    /// A key or token stands in it.
    Secret,
}

/// Why arguments cannot be given away as they are; nothing when they can.
pub(in crate::cli) fn private(arguments: &SkillWrite, roster: &Roster) -> Option<Private> {
    if in_every_text(arguments, |text| roster.mask(text).into_owned()) != *arguments {
        Some(Private::Name)
    } else if in_every_text(arguments, |text| dibber_lint::mask_secrets(text).into_owned())
        != *arguments
    {
        Some(Private::Secret)
    } else {
        None
    }
}

/// The arguments as they can be shown.
pub(in crate::cli) fn masked(arguments: &SkillWrite, roster: &Roster) -> SkillWrite {
    in_every_text(arguments, |text| mask(text, roster))
}

fn in_every_text(arguments: &SkillWrite, change: impl Fn(&str) -> String) -> SkillWrite {
    let change_all = |texts: &[String]| texts.iter().map(|text| change(text)).collect();
    let inputs = arguments.input_variables.iter().map(|input| InputVariable {
        name: change(&input.name),
        kind: input.kind.as_deref().map(&change),
        description: input.description.as_deref().map(&change),
    });
    SkillWrite {
        name: change(&arguments.name),
        description: change(&arguments.description),
        category: arguments.category,
        prompt: change(&arguments.prompt),
        hands_referenced: change_all(&arguments.hands_referenced),
        input_variables: inputs.collect(),
        kid_callable: arguments.kid_callable,
        canvas_ids: change_all(&arguments.canvas_ids),
        age_range: arguments.age_range.as_deref().map(&change),
    }
}
