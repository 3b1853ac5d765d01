//! `vendor-word-in-name`: the name has the word `claude` or `anthropic`.

use crate::fields::TextField;
use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::{BundleKind, Skill};

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "vendor-word-in-name",
        group: Group::Portability,
        level: Level::Allow,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the name has the word `claude` or `anthropic`",
        docs: "
# What it does

Looks for `claude` and `anthropic` anywhere in the `name`.

# Why is this bad

The Skills API reserves both words and refuses a skill that has one of them in its name. Other
clients do not mind, so that the rule has to be turned on.

# Example

```markdown claude-recipes/SKILL.md
---
name: claude-recipes
description: Finds recipes. Use when somebody asks what to cook.
---
```

# Instead

```markdown recipes/SKILL.md
---
name: recipes
description: Finds recipes. Use when somebody asks what to cook.
---
```

# Source

Skills API documentation: the name \"cannot contain reserved words: anthropic, claude\".
",
    },
    check: Check::Skill(check),
};

const WORDS: [&str; 2] = ["anthropic", "claude"];

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    if skill.bundle.kind == BundleKind::SkillsProtocol {
        return;
    }
    let Some(field) = TextField::of(skill, "name") else { return };
    // Lowering ASCII letters alone keeps every byte in its place.
    let name = field.text.to_ascii_lowercase();
    let first = WORDS.iter().filter_map(|word| Some((name.find(word)?, word))).min();
    let Some((at, word)) = first else { return };
    let message = format!("the `name` has the word `{word}`, which the Skills API reserves");
    let help = "leave the word out, and give the skill's folder the same name";
    let span = field.part(at..at + word.len());
    findings.push(Finding::new(&RULE.meta, span, message).help(help));
}
