//! `byte-order-mark`: an invisible mark stands in front of the first fence.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Applicability, Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::Skill;
use dibber_text::Span;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "byte-order-mark",
        group: Group::Spec,
        level: Level::Deny,
        fix: FixAvailability::Always(Applicability::Safe),
        since: "0.1.0",
        summary: "the file begins with an invisible byte-order mark",
        docs: "
# What it does

Looks for the byte-order mark (U+FEFF, in bytes `EF BB BF`) in front of the first line. Such a
character further inside is for `hidden-unicode` to judge.

# Why is this bad

Some editors on Windows write it by default, and nobody sees it. To a client that looks for `---`
at the very start the file has no frontmatter, and the skill is left out without a word.

# Example

```markdown escaped trip-planner/SKILL.md
\\u{FEFF}---
name: trip-planner
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

Agent Skills specification, `SKILL.md` format: the file begins with the frontmatter. Skills with a
byte-order mark failed to load in crewAI, FastMCP, mistral-vibe and Hermes until each was
repaired; Codex compares the first line with `---` and does not know the mark.
",
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    let mark = Span::new(0, skill.text_start());
    if mark.is_empty() {
        return;
    }
    let message = "the file begins with a byte-order mark, which hides the frontmatter";
    let help = "save the file as \"UTF-8\", not as \"UTF-8 with BOM\"";
    findings.push(
        Finding::new(&RULE.meta, mark, message).note("an invisible U+FEFF").help(help).fix(
            Applicability::Safe,
            "Remove the byte-order mark",
            mark,
            "",
        ),
    );
}
