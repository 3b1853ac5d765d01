//! `heartbeat-name`: the name of a heartbeat is blank or too long.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::HeartbeatReason;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "heartbeat-name",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the name of a heartbeat is blank or too long",
        docs: "
# What it does

Checks that the `name` of each of the `heartbeats` in `sprout.yaml` is not blank, and has at most
100 characters.

# Why is this bad

A server refuses the heartbeat. The name is what a parent sees in the list of all that runs by
itself, and goes by when one of them is to be paused.

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
  - name: \" \"
    cron: 0 8 * * 1-5
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
```

# Source

Sprout heartbeat tools, `heartbeat.create`: `name` is a \"human-readable label, ≤ 100 chars\". That
it needs a character that is not blank comes from Sprout's public notes on heartbeats.
",
    },
    check: Check::Heartbeat(HeartbeatReason::Name),
};
