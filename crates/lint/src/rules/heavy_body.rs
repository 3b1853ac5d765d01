//! `heavy-body`: the body has more tokens than the specification advises.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::Skill;
use dibber_text::Span;

/// The most tokens of a body that the specification advises.
const TOKENS_MAX: usize = 5_000;
/// How many characters make a token, roughly and for most languages.
const CHARACTERS_PER_TOKEN: usize = 4;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "heavy-body",
        group: Group::Structure,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the body of `SKILL.md` has more than about 5,000 tokens",
        docs: "
# What it does

Estimates how many tokens the text after the frontmatter has: one for four characters.
Stays quiet where `long-body` is reported for the same file.

# Why is this bad

A model reads the whole body each time it uses the skill, and pays for it with attention that the
task itself needs. After a long conversation some clients keep only the first 5,000 tokens of a
skill, and what stands further down is forgotten.

# Example

```markdown repeated trip-planner/SKILL.md
---
name: trip-planner
description: Plans a day trip. Use when somebody asks where to go at the weekend.
---
- The 8:14 train to the lake takes half an hour, and bicycles travel free of charge.
… 300 such lines …
```

# Instead

```markdown trip-planner/SKILL.md
---
name: trip-planner
description: Plans a day trip. Use when somebody asks where to go at the weekend.
---
Ask how far the family wants to go. For trips by train, read references/trains.md.
```

# Source

Agent Skills specification, progressive disclosure: instructions of fewer than 5,000 tokens.
Claude Code keeps 5,000 tokens of each skill when it shortens a conversation. One in twelve of
921 skills from well-kept public repositories is heavier.
",
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    let body = skill.body_text().trim();
    if body.len() <= TOKENS_MAX * CHARACTERS_PER_TOKEN {
        return;
    }
    let tokens = body.chars().count() / CHARACTERS_PER_TOKEN;
    if tokens <= TOKENS_MAX {
        return;
    }
    let at_least = if skill.is_cut() { "more than" } else { "about" };
    let message = format!(
        "the body has {at_least} {} tokens, more than the 5,000 that the specification advises",
        in_hundreds(tokens)
    );
    let help = "move what is not needed every time into files under `references/`, and say in \
                `SKILL.md` when to read each";
    findings.push(Finding::new(&RULE.meta, first_line(skill), message).help(help));
}

/// Rounded up, so that it is never less than the limit it is compared with: `5,100`.
fn in_hundreds(count: usize) -> String {
    let rounded = count.next_multiple_of(100);
    format!("{},{:03}", rounded / 1000, rounded % 1000)
}

fn first_line(skill: &Skill) -> Span {
    let body = skill.body_text();
    let start = skill.body.start + (body.len() - body.trim_start().len());
    let lines = skill.source.lines();
    Span::new(start, lines.line_span(skill.source.text(), lines.line(start)).end)
}
