//! `long-compatibility`: the compatibility has more than 500 characters, or none.

use crate::fields::{self, TextField};
use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Applicability, Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::{Entry, Skill};

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "long-compatibility",
        group: Group::Spec,
        level: Level::Deny,
        fix: FixAvailability::Sometimes(Applicability::Safe),
        since: "0.1.0",
        summary: "the compatibility has more than 500 characters, or none",
        docs: "
# What it does

Counts the characters of `compatibility`, if the field is there: as people count them, not bytes,
and without white space around it. The fix takes an empty one out.

# Why is this bad

The field is a note such as \"needs git and Python 3.12\". The reference validator refuses a longer
text; a manual at this place is read by nobody. An empty one says nothing.

# Example

```markdown trip-planner/SKILL.md
---
name: trip-planner
description: Plans a day trip. Use when somebody asks where to go at the weekend.
compatibility:
---
```

# Instead

```markdown trip-planner/SKILL.md
---
name: trip-planner
description: Plans a day trip. Use when somebody asks where to go at the weekend.
compatibility: Needs access to the internet for the weather.
---
```

# Source

Agent Skills specification, `compatibility` field: 1 to 500 characters, if provided.
",
    },
    check: Check::Skill(check),
};

/// The most characters of a compatibility note.
const CHARACTERS_MAX: usize = 500;

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    let Some(entry) = skill.field("compatibility") else { return };
    if fields::is_empty(&entry.value) {
        findings.push(empty(skill, entry));
        return;
    }
    let Some(field) = TextField::of(skill, "compatibility") else { return };
    if field.text.len() <= CHARACTERS_MAX {
        return;
    }
    let count = field.text.chars().count();
    if count > CHARACTERS_MAX {
        let message =
            format!("the `compatibility` is {count} characters long; {CHARACTERS_MAX} are allowed");
        let help = "name only what the skill cannot do without; the body has room for the rest";
        let span = field.after(CHARACTERS_MAX);
        findings.push(Finding::new(&RULE.meta, span, message).help(help));
    }
}

fn empty(skill: &Skill, entry: &Entry) -> Finding {
    let finding = Finding::new(&RULE.meta, entry.key.span, "the `compatibility` is empty")
        .help("say what the skill needs to run, or leave the line out");
    let line = fields::own_line(skill, entry);
    match line.filter(|line| !skill.source.slice(*line).contains('#')) {
        Some(line) => finding.fix(Applicability::Safe, "Take the empty line out", line, ""),
        None => finding,
    }
}
