//! `long-name`: the name has more than 64 characters.

use crate::fields::TextField;
use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::name as skill_name;
use dibber_skill::skill::{BundleKind, Skill};

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "long-name",
        group: Group::Spec,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the name has more than 64 characters",
        docs: "
# What it does

Counts the characters of the `name`: as people count them, not bytes, without white space around
it, and an accent together with its letter.

# Why is this bad

Codex does not load a skill with a longer name, and the Skills API refuses it. Where a plugin's
name is put in front of it, as Codex does, even less room is left.

# Example

```markdown example/SKILL.md
---
name: plan-a-day-trip-for-the-whole-family-with-weather-tickets-and-packing-list
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

Agent Skills specification, `name` field: 1 to 64 characters. Counted as the reference validator
does, after Unicode normalization (NFKC).
",
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    if skill.bundle.kind == BundleKind::SkillsProtocol {
        return;
    }
    let Some(field) = TextField::of(skill, "name") else { return };
    if field.text.len() <= skill_name::CHARACTERS_MAX {
        return;
    }
    let normalized = skill_name::normalized(field.text);
    let count = normalized.chars().count();
    if count > skill_name::CHARACTERS_MAX {
        let is_exact = normalized == field.text;
        let span =
            if is_exact { field.after(skill_name::CHARACTERS_MAX) } else { field.value.span };
        let limit = skill_name::CHARACTERS_MAX;
        let message = format!("the `name` is {count} characters long; {limit} are allowed");
        let help = "choose a shorter name, and give the skill's folder the same name";
        findings.push(Finding::new(&RULE.meta, span, message).help(help));
    }
}
