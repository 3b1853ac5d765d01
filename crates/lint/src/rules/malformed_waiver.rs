//! `malformed-waiver`: a waiver comment cannot be followed.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};

/// The rule; the runner finds.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "malformed-waiver",
        group: Group::Waivers,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a waiver comment has no reason, names no rule, or cannot be read",
        docs: "
# What it does

Checks comments that begin with `dibber:`. A waiver is `dibber: allow`, the rule or several with
commas between them, a dash (`—`, `–`, `--`, `-` or `:`) and the reason:

- `<!-- dibber: allow RULE — reason -->` in Markdown covers its own line and, when it stands alone,
  the paragraph, list, table, heading or code block that follows;
- `# dibber: allow RULE — reason` in the frontmatter or in `sprout.yaml` covers the whole skill.

# Why is this bad

A waiver that cannot be read keeps nothing quiet, though it looks as if it did. One without a
reason leaves whoever comes next to guess whether it may go.

# Example

```markdown trip-planner/SKILL.md
---
name: trip-planner
description: Plans a day trip. Use when somebody asks where to go at the weekend.
# dibber: allow missing-description
---
```

# Instead

```markdown trip-planner/SKILL.md
---
name: trip-planner
# dibber: allow missing-description — written by the publishing step
---
```

# Source

dibber's own: the form of waiver comments.
",
    },
    check: Check::Runner,
};
