//! `assignment-skill-is-run-skill`: a heartbeat runs a skill that makes schedules.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::HeartbeatReason;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "assignment-skill-is-run-skill",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a heartbeat runs a skill that makes schedules",
        docs: "
# What it does

Looks for `heartbeats` in `sprout.yaml` that run a skill which makes schedules: one whose
`assignmentSkill` is the name of the skill itself, or one in a skill whose `hands` name
`heartbeat_create`. Without `hands`, the `allowed-tools` of `SKILL.md` count. `heartbeat.create`
means the same as `heartbeat_create`.

A heartbeat runs the skill that its `sprout.yaml` belongs to. `assignmentSkill` may name the other
skill, which a parent talks to when the schedule is made; it may be left out.

# Why is this bad

A server refuses the heartbeat: a skill that makes a schedule each time its schedule fires would
never come to an end.

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
    assignmentSkill: before-school
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
    assignmentSkill: schedule-mornings
```

```markdown schedule-mornings/SKILL.md
---
name: schedule-mornings
description: Schedules the morning message. Use when a parent wants it on school days.
---
Ask when the family gets up, and schedule the skill `before-school` for half an hour later.
```

```yaml schedule-mornings/sprout.yaml
hands:
  - heartbeat_create
```

# Source

Sprout heartbeat tools, `heartbeat.create`: `SCHEDULER_AS_RUN_SKILL`, when the skill that runs
declares `heartbeat.create` or both ids are the same. Which of the two a skill declares is known
from its folder; what the skill that `assignmentSkill` names declares is not looked at.
",
    },
    check: Check::Heartbeat(HeartbeatReason::AssignmentIsRun),
};
