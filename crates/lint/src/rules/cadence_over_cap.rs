//! `cadence-over-cap`: a heartbeat fires more often than a server allows.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::HeartbeatReason;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "cadence-over-cap",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a heartbeat fires more often than a server allows",
        docs: "
# What it does

Counts how often each of the `heartbeats` in `sprout.yaml` fires. At most 4 times in any 24 hours
are allowed, by the clock of its time zone; without `tz`, that is New York's.

A fire counts at the time that is written down, also on a day on which a clock change moves it. When
the clocks are set back, a schedule whose minutes or hours begin with `*` follows the clock and
fires again in the hour that comes twice: `*/15 1 * * *` has 4 times on most days and 8 on that one,
while `0,15,30,45 1 * * *` always has 4. Each heartbeat is counted by itself, and the average does
not matter: ten times on Saturdays alone are too many.

# Why is this bad

A server refuses the heartbeat, and none of it runs. `*/10` in the place of the minutes is a common
slip: it does not mean \"at ten past\" but \"every ten minutes\", and a family that hears from its
skill that often turns it off.

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
    cron: \"*/10 7 * * 1-5\"
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
    cron: 0,30 7 * * 1-5
```

# Source

Sprout heartbeat tools, `heartbeat.create`: heartbeats are \"server-capped at 4 fires per 24h in the
heartbeat's timezone\"; more is `BAD_INPUT`. How clock changes are counted is dibber's own reading,
with the semantics of Debian's cron.
",
    },
    check: Check::Heartbeat(HeartbeatReason::OverCap),
};
