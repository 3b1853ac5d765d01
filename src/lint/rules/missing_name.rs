//! `missing-name`: the frontmatter has no name.

use crate::diagnostic::{Finding, FixAvailability, Group, Level, RuleMeta};
use crate::lint::{Check, Rule};
use crate::skill::{BundleKind, Skill};

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "missing-name",
        group: Group::Spec,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the frontmatter has no `name`",
        docs: "
# What it does

Checks that the frontmatter has a `name` that is not empty.

# Why is this bad

The name is how a client lists and calls the skill. The specification requires it, and clients
such as Codex and OpenCode leave a skill without one out, often without a word.

# Example

```markdown trip-planner/SKILL.md
---
description: Plans a day trip. Use when somebody asks where to go at the weekend.
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

Agent Skills specification, `name` field: required, 1 to 64 characters.
",
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    let Some(frontmatter) = &skill.frontmatter else { return };
    if skill.bundle.kind == BundleKind::SkillsProtocol || !skill.has_whole_frontmatter() {
        return;
    }
    let name = skill.bundle.name.as_deref().unwrap_or("the-folder's-name");
    let help = format!("add a line `name: {name}`, the name of the skill's folder");
    match skill.field("name") {
        None => {
            let message = "the frontmatter has no `name`";
            findings.push(Finding::new(&RULE.meta, frontmatter.opening, message).help(help));
        }
        Some(entry) if entry.value.as_str().is_some_and(|name| name.trim().is_empty()) => {
            let message = "the `name` is empty";
            findings.push(Finding::new(&RULE.meta, entry.key.span, message).help(help));
        }
        Some(_) => {}
    }
}
