//! `unknown-time-zone`: the time zone of a heartbeat does not exist.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::HeartbeatReason;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "unknown-time-zone",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the time zone of a heartbeat does not exist",
        docs: "
# What it does

Checks that the `tz` of each of the `heartbeats` in `sprout.yaml` is the name of a time zone, such
as `America/Chicago`, `Europe/London` or `UTC`. Capital letters make no difference. The names come
with dibber, and not from the computer that it runs on.

`EST` and `MST` are known names too, of clocks that are never changed: for the time of a family in
New York or Denver, write `America/New_York` or `America/Denver`.

# Why is this bad

A server refuses the heartbeat. An offset in the place of a name, such as `UTC-5`, would be wrong
for half of the year wherever clocks are changed: the child would hear from the skill an hour before
school in winter, and during breakfast in summer.

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
    cron: 30 7 * * 1-5
    tz: Eastern
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
    cron: 30 7 * * 1-5
    tz: America/New_York
```

# Source

Sprout heartbeat tools, `heartbeat.create`: `tz` is an \"IANA timezone. Defaults to
America/New_York\". The names are those of the IANA time zone database.
",
    },
    check: Check::Heartbeat(HeartbeatReason::UnknownTimeZone),
};
