//! `schedule-conflict`: two heartbeats fire in the same minute.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::HeartbeatReason;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "schedule-conflict",
        group: Group::Sprout,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "two heartbeats fire in the same minute",
        docs: "
# What it does

Looks for two `heartbeats` in `sprout.yaml` that fire in the same minute. Each is reported once, at
the later one, however many others it meets: of ten that fire at eight, nine are reported.

Within one time zone nothing is missed, be it a day that comes once in forty years. A clock change
can bring two together as well: where the clocks skip from 2 to 3 at night, what is due at 2:30
fires at 3:00. Such days, and heartbeats in different time zones, are looked at for the year ahead.

# Why is this bad

The skill runs twice at once, and the family has two messages that do not know of each other. Often
one of the two was meant to take the place of the other and was left there.

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
  - name: Start of the week
    cron: 0 8 * * 1
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
  - name: Start of the week
    cron: 30 8 * * 1
```

# Source

Sprout heartbeat tools, `heartbeat.describe`: the warning `schedule_conflict`, of which the tools do
not say more. It is a warning there, and so it is here.
",
    },
    check: Check::Heartbeat(HeartbeatReason::Conflict),
};
