//! `unknown-hand`: a hand is no public tool.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::Reason;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "unknown-hand",
        group: Group::Sprout,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a hand is no public tool",
        docs: "
# What it does

Compares the `hands` in `sprout.yaml` with the tools that Sprout's public pages name, such as
`task_create`; `task.create` means the same. Without `hands`, the `allowed-tools` of `SKILL.md`
count. For a near miss, it says what was probably meant. A skill without a `sprout.yaml` is not
looked at.

The public tools are `activity_list`, `canvas_create`, `canvas_update`, `family_query_overview`,
`gems_adjust`, `gems_list_transactions`, `gems_query_balance`, `heartbeat_cancel`,
`heartbeat_create`, `heartbeat_describe`, `heartbeat_list`, `heartbeat_pause`, `heartbeat_resume`,
`heartbeat_update`, `mcp_health`, `mcp_whoami`, `project_get`, `project_list`,
`resource_wait_and_read`, `skill_get`, `skill_invoke`, `skill_list`, `skill_post_result`,
`skill_update`, `skill_write`, `task_create`, `task_list`, `task_update`.

# Why is this bad

The hands tell a parent what the skill can touch, and the checks judge it by them. A misspelled tool
is a tool that nobody has looked at. But a home agent may have tools of its own, so that this is a
warning.

# Example

```markdown evening-chores/SKILL.md
---
name: evening-chores
description: Hands out the evening chores. Use when a parent wants chores done this evening.
---
Create one task for each chore.
```

```yaml evening-chores/sprout.yaml
hands:
  - create_task
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

# Source

Sprout skill tools, `skill.write`: `handsReferenced` are the names of tools that are used, in the
form `task_create`. The names are collected from the public reference pages of Sprout's tools.
Whether a server knows more of them is not public.
",
    },
    check: Check::Draft(Reason::UnknownHand),
};
