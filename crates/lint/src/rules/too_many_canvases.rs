//! `too-many-canvases`: the skill links more canvases than a skill may.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::Reason;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "too-many-canvases",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the skill links more canvases than a skill may",
        docs: "
# What it does

Counts the `canvases` in `sprout.yaml`, and points at the first one beyond five. One that is named
twice counts once.

# Why is this bad

A server refuses the skill. More than five canvases are also more than a child can choose from, and
often a sign that the skill is several skills in one.

# Example

```markdown rainy-day/SKILL.md
---
name: rainy-day
description: Finds something to play indoors. Use when a child is bored on a rainy day.
---
Let the child choose one of the games.
```

```yaml rainy-day/sprout.yaml
canvases:
  - 3f2b8c1e-94d7-4a60-b5e2-7c0d9a1f6e31
  - 3f2b8c1e-94d7-4a60-b5e2-7c0d9a1f6e32
  - 3f2b8c1e-94d7-4a60-b5e2-7c0d9a1f6e33
  - 3f2b8c1e-94d7-4a60-b5e2-7c0d9a1f6e34
  - 3f2b8c1e-94d7-4a60-b5e2-7c0d9a1f6e35
  - 3f2b8c1e-94d7-4a60-b5e2-7c0d9a1f6e36
```

# Instead

```markdown rainy-day/SKILL.md
---
name: rainy-day
description: Finds something to play indoors. Use when a child is bored on a rainy day.
---
Let the child choose one of the games.
```

```yaml rainy-day/sprout.yaml
canvases:
  - 3f2b8c1e-94d7-4a60-b5e2-7c0d9a1f6e31
  - 3f2b8c1e-94d7-4a60-b5e2-7c0d9a1f6e32
  - 3f2b8c1e-94d7-4a60-b5e2-7c0d9a1f6e33
```

# Source

Sprout skill tools, `skill.update`: `CANVAS_LIMIT_EXCEEDED` with more than 5 canvases in total. The
page of `skill.write` gives no limit; that the same one holds there is dibber's choice.
",
    },
    check: Check::Draft(Reason::TooManyCanvases),
};
