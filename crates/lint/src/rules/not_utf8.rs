//! `not-utf8`: the file is not UTF-8.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::Skill;
use dibber_text::Span;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "not-utf8",
        group: Group::Spec,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "`SKILL.md` is not UTF-8",
        docs: "
# What it does

Checks that `SKILL.md` is UTF-8, points at the first byte that is not, and says what the file
seems to be instead. Other files of the skill are not looked at.

# Why is this bad

YAML has to be UTF-8 here, and clients read the file as such. One byte that is not makes some of
them stop with an error, and others show a wrong character to the model.

# Example

```markdown escaped trip-planner/SKILL.md
---
name: trip-planner
description: Plans a trip to a caf\\xE9. Use when somebody asks where to go at the weekend.
---
```

# Instead

```markdown trip-planner/SKILL.md
---
name: trip-planner
description: Plans a trip to a café. Use when somebody asks where to go at the weekend.
---
```

# Source

YAML 1.2.2, section 5.2, character encodings. The reference validator of the Agent Skills
specification stops with an error of its own at such a file.
",
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    let Some(found) = skill.source.not_utf8() else { return };
    let span = Span::new(found.at, found.at + 1);
    let finding = Finding::new(&RULE.meta, span, found.describe()).help(found.remedy());
    findings.push(finding.note(format!("the byte {:02X}", found.byte)));
}
