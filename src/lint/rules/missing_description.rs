//! `missing-description`: the frontmatter has no description.

use crate::diagnostic::{Finding, FixAvailability, Group, Level, RuleMeta};
use crate::lint::{Check, Rule};
use crate::skill::{BundleKind, Skill};

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "missing-description",
        group: Group::Spec,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the frontmatter has no `description`",
        docs: "
# What it does

Checks that the frontmatter has a `description` that is not empty.

# Why is this bad

The description is all that a model sees before it decides to use the skill. The specification
requires it, and its guide for clients says to skip a skill that has none.

# Example

```markdown trip-planner/SKILL.md
---
name: trip-planner
description:
---
```

# Instead

```markdown trip-planner/SKILL.md
---
name: trip-planner
description: Plans a day trip. Use when somebody asks where to go at the weekend.
---
```

# Source

Agent Skills specification, `description` field: required, 1 to 1024 characters, not empty.
",
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    let Some(frontmatter) = &skill.frontmatter else { return };
    if skill.bundle.kind == BundleKind::SkillsProtocol || !skill.has_whole_frontmatter() {
        return;
    }
    let help = "say what the skill does and when to use it, in one or two sentences";
    match skill.field("description") {
        None => {
            let message = "the frontmatter has no `description`";
            findings.push(Finding::new(&RULE.meta, frontmatter.opening, message).help(help));
        }
        Some(entry) if entry.value.as_str().is_some_and(|text| text.trim().is_empty()) => {
            let message = "the `description` is empty";
            findings.push(Finding::new(&RULE.meta, entry.key.span, message).help(help));
        }
        Some(_) => {}
    }
}
