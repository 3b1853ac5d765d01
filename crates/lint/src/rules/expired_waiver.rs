//! `expired-waiver`: a waiver in `dibber.toml` is past its date.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};

/// The rule; the runner finds.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "expired-waiver",
        group: Group::Waivers,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a waiver in `dibber.toml` has expired",
        docs: "
# What it does

Checks the `expires` dates of the waivers in `dibber.toml`. A waiver holds through that day. From
the next day on it keeps nothing quiet: its findings are reported again, and so is the waiver.

# Why is this bad

The date was set so that somebody looks again. A waiver that went on silently after it would be
the end of that promise; one that only vanished would leave nobody to know why findings are back.

# Example

```toml dibber.toml
[[lint.waivers]]
rule = \"missing-description\"
path = \"trip-planner/SKILL.md\"
reason = \"the description is with the translators until the end of May\"
expires = 2025-05-31
```

```markdown trip-planner/SKILL.md
---
name: trip-planner
---
```

# Instead

Repair what was waived and remove the waiver; or, if the reason still holds, give it a new date.

```toml dibber.toml
[[lint.waivers]]
rule = \"missing-description\"
path = \"trip-planner/SKILL.md\"
reason = \"the description is with the translators until the end of May\"
expires = 2099-05-31
```

```markdown trip-planner/SKILL.md
---
name: trip-planner
---
```

# Source

dibber's own: `lint.waivers` in `dibber.toml`.
",
    },
    check: Check::Runner,
};
