//! `unknown-manifest-key`: `sprout.yaml` has a key that means nothing.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::manifest::FaultKind;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "unknown-manifest-key",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "`sprout.yaml` has a key that means nothing",
        docs: "
# What it does

Names the keys of `sprout.yaml`, of its inputs and of its heartbeats that mean nothing there, and
says which one was probably meant: `kid_callable` for `kidCallable`, `timezone` for `tz`,
`description` for `summary`.

# Why is this bad

A key that means nothing does nothing. A skill with `age_range: 5-7` is published without ages, and
whoever wrote the line believes that they are there.

# Example

```markdown kid-quiz/SKILL.md
---
name: kid-quiz
description: Asks a child five questions. Use when a parent wants a quiz for the table.
---
Ask {{input.child_name}} five questions.
```

```yaml kid-quiz/sprout.yaml
label: Kid quiz
kid_callable: true
age-range: 5-7
inputs:
  - name: child_name
    optional: true
```

# Instead

```markdown kid-quiz/SKILL.md
---
name: kid-quiz
description: Asks a child five questions. Use when a parent wants a quiz for the table.
---
Ask {{input.child_name}} five questions.
```

```yaml kid-quiz/sprout.yaml
label: Kid quiz
kidCallable: true
ageRange: 5-7
inputs:
  - name: child_name
    required: false
```

# Source

dibber's own: the JSON Schema of `sprout.yaml`, which `dibber schema sprout` prints and which has
no room for other keys.
",
    },
    check: Check::Manifest(FaultKind::UnknownKey),
};
