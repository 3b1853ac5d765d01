//! `unused-waiver`: a waiver keeps nothing quiet.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};

/// The rule; the runner finds.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "unused-waiver",
        group: Group::Waivers,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a waiver keeps nothing quiet",
        docs: "
# What it does

Checks that each waiver, in a comment or in `dibber.toml`, covers at least one finding. Nothing is
said of a rule that did not run because its level is `allow`, nor of a waiver in `dibber.toml` that
also speaks of files which were not part of this run.

# Why is this bad

What it once covered is gone, or it never covered it: it stands on the wrong line, or its path is
not right. If it stays, it will hide the next finding of that rule, which nobody has looked at.

# Example

```markdown trip-planner/SKILL.md
---
name: trip-planner
description: Plans a day trip. Use when somebody asks where to go at the weekend.
# dibber: allow missing-description — written by the publishing step
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

dibber's own: waiver comments, and `lint.waivers` in `dibber.toml`.
",
    },
    check: Check::Runner,
};
