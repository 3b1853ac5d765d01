//! `never-fires`: no day matches the schedule of a heartbeat.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::HeartbeatReason;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "never-fires",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "no day matches the schedule of a heartbeat",
        docs: "
# What it does

Looks for `heartbeats` in `sprout.yaml` whose schedule no day matches, because none of its months
has such a day: the 30th of February, the 31st of April. All days of 400 years are looked at, after
which the calendar repeats; the 29th of February stays quiet.

When both the day of the month and the day of the week are given, one of them is enough, as long as
neither begins with `*`: `0 9 31 2 1` fires on every Monday in February.

# Why is this bad

Nothing is wrong to be seen: the heartbeat is there, and it has a name and a schedule. But the day
on which it is waited for does not come.

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
  - name: End of the month
    cron: 0 18 31 2,4,6,9,11 *
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
  - name: End of the month
    cron: 0 18 28 * *
```

# Source

dibber's own, with the semantics of Debian's cron. The answer of `heartbeat.create` has a
`nextFireAt`, and there is none to give.
",
    },
    check: Check::Heartbeat(HeartbeatReason::NeverFires),
};
