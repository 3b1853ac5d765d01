//! `invalid-canvas-id`: a canvas is not a UUID.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::Reason;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "invalid-canvas-id",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a canvas is not a UUID",
        docs: "
# What it does

Checks that each of the `canvases` in `sprout.yaml` is a UUID: 32 hexadecimal digits in groups of 8,
4, 4, 4 and 12, with hyphens between them.

# Why is this bad

A skill finds its canvas by the id alone. The name of a canvas, the link to it or half of its id
leads nowhere, and the child sees nothing to draw or to play on.

# Example

```markdown chore-chart/SKILL.md
---
name: chore-chart
description: Goes through the chores of the day. Use when a child asks what is left to do.
---
Open the chart and go through the chores with {{input.child_name}}, one by one.
```

```yaml chore-chart/sprout.yaml
inputs:
  - name: child_name
canvases:
  - Chore chart
```

# Instead

```markdown chore-chart/SKILL.md
---
name: chore-chart
description: Goes through the chores of the day. Use when a child asks what is left to do.
---
Open the chart and go through the chores with {{input.child_name}}, one by one.
```

```yaml chore-chart/sprout.yaml
inputs:
  - name: child_name
canvases:
  - 3f2b8c1e-94d7-4a60-b5e2-7c0d9a1f6e38
```

# Source

Sprout skill tools, `skill.write`: `canvasIds` are \"canvas UUIDs\"; RFC 9562 for their form. Some
examples on the same page are shortened to `cv_19...`, and are not taken for ids.
",
    },
    check: Check::Draft(Reason::InvalidCanvasId),
};
