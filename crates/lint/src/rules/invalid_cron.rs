//! `invalid-cron`: the schedule of a heartbeat is not five fields of cron.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::HeartbeatReason;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "invalid-cron",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the schedule of a heartbeat is not five fields of cron",
        docs: "
# What it does

Checks that the `cron` of each of the `heartbeats` in `sprout.yaml` is a schedule of five fields:
minute, hour, day of the month, month and day of the week. A field has `*` for all, or numbers with
commas, ranges and steps: `3`, `1,15`, `1-5`, `*/2`. Months and weekdays may be written as three
letters, such as `JAN` and `MON`; 0 and 7 are both Sunday.

Six fields with seconds, nicknames such as `@daily`, and the `L`, `W`, `#` and `?` of other kinds of
cron are not read. A schedule that begins with `*` needs quotes, because YAML has a meaning of its
own for a star; without them, `invalid-manifest` says so.

# Why is this bad

A server refuses the heartbeat. Where it does not, it may read something else than was meant: some
kinds of cron count the weekdays from 1 for Sunday, and have seconds in front.

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
    cron: 0 8 * * MON-FRY
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
    cron: 0 8 * * MON-FRI
```

# Source

Sprout heartbeat tools, `heartbeat.create`: `cron` is a \"5-field cron in the heartbeat's
timezone\". What the fields may say is taken from `crontab(5)` as Debian has it.
",
    },
    check: Check::Heartbeat(HeartbeatReason::InvalidCron),
};
