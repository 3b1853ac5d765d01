//! `mixed-shape`: the skill both does the work and schedules it.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::Reason;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "mixed-shape",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the skill both does the work and schedules it",
        docs: "
# What it does

Checks that the `hands` of a skill with a `sprout.yaml` do not name both `task_create` and
`heartbeat_create`. Without `hands`, the `allowed-tools` of `SKILL.md` count. `task.create` means
the same as `task_create`.

# Why is this bad

A skill either does the work each time it runs, or sets up when another skill runs. One that does
both would set up a new schedule each time its schedule fires.

# Example

```markdown evening-chores/SKILL.md
---
name: evening-chores
description: Hands out the evening chores. Use when a parent wants chores done every evening.
---
Create one task for each chore, and make sure that this happens every evening at six.
```

```yaml evening-chores/sprout.yaml
hands:
  - task_create
  - heartbeat_create
```

# Instead

```markdown evening-chores/SKILL.md
---
name: evening-chores
description: Hands out the evening chores. Use when a parent wants chores done this evening.
---
Create one task for each chore.
```

```yaml evening-chores/sprout.yaml
hands:
  - task_create
```

```markdown schedule-evening-chores/SKILL.md
---
name: schedule-evening-chores
description: Schedules the evening chores. Use when a parent wants chores done every evening.
---
Ask which evenings suit the family, and schedule the skill `evening-chores` for them.
```

```yaml schedule-evening-chores/sprout.yaml
hands:
  - heartbeat_create
```

# Source

Sprout's public notes on skills (July 2026): a skill is either run-shaped or assignment-shaped, and
its hands name `task_create` or `heartbeat_create`, not both. Sprout heartbeat tools: a skill that
declares `heartbeat.create` cannot be scheduled itself (`SCHEDULER_AS_RUN_SKILL`).
",
    },
    check: Check::Draft(Reason::MixedShape),
};
