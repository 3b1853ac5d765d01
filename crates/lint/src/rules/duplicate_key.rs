//! `duplicate-key`: a key stands twice in the same mapping.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::{FaultKind, Skill};
use dibber_text::ellipsize;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "duplicate-key",
        group: Group::Spec,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a key stands twice in the same mapping of the frontmatter",
        docs: "
# What it does

Looks for keys that stand more than once in the same mapping, in the frontmatter itself and in
every mapping inside it.

# Why is this bad

YAML does not allow it, and parsers differ: some refuse the file, so that the skill is not loaded;
most silently take the last one. Whichever was meant, somebody reads the other.

# Example

```markdown trip-planner/SKILL.md
---
name: trip-planner
description: Plans a day trip.
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

YAML 1.2.2, section 3.2.1.3: the keys of a mapping are unique. js-yaml, serde-saphyr and the
reference validator refuse such a file; PyYAML takes the last value without a word.
",
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    for fault in &skill.faults {
        let FaultKind::DuplicateKey { key, first } = &fault.kind else { continue };
        let line = skill.source.line_column(first.start).line;
        let message = format!("the key `{}` stands twice in the same mapping", ellipsize(key));
        findings.push(
            Finding::new(&RULE.meta, fault.span, message)
                .label(*first, "it stands here first")
                .help(format!("delete this one or the one on line {line}")),
        );
    }
}
