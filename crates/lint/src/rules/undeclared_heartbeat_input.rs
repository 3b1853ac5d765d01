//! `undeclared-heartbeat-input`: a heartbeat fills an input that the skill does not have.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::HeartbeatReason;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "undeclared-heartbeat-input",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a heartbeat fills an input that the skill does not have",
        docs: "
# What it does

Checks that each name in the `input` of a heartbeat in `sprout.yaml` is one of the `inputs` there.
Capital letters count.

# Why is this bad

The value goes nowhere, and the input that was meant stays empty at every fire. Nobody is there to
notice it: a heartbeat runs when no one has asked.

# Example

```markdown before-school/SKILL.md
---
name: before-school
description: Says what the day brings. Use when a family wants the day in one message.
---
Say what the calendar has for {{input.child_name}} today.
```

```yaml before-school/sprout.yaml
inputs:
  - name: child_name
heartbeats:
  - name: Before school
    cron: 0 8 * * 1-5
    input:
      chidl_name: everybody
```

# Instead

```markdown before-school/SKILL.md
---
name: before-school
description: Says what the day brings. Use when a family wants the day in one message.
---
Say what the calendar has for {{input.child_name}} today.
```

```yaml before-school/sprout.yaml
inputs:
  - name: child_name
heartbeats:
  - name: Before school
    cron: 0 8 * * 1-5
    input:
      child_name: everybody
```

# Source

Sprout heartbeat tools, `heartbeat.create`: `skillInput` has \"structured values for the skill's
{{input.*}} placeholders. Same map on every fire.\"
",
    },
    check: Check::Heartbeat(HeartbeatReason::UndeclaredInput),
};
