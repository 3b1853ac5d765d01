//! `unused-input`: the prompt does not use an input.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::Reason;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "unused-input",
        group: Group::Sprout,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the prompt does not use an input",
        docs: "
# What it does

Checks that the body uses each of the `inputs` in `sprout.yaml` in a placeholder such as
`{{input.child_name}}`.

# Why is this bad

Somebody is asked for it at each run, and the answer goes nowhere. Often the placeholder was lost in
an edit, and the prompt now speaks of \"the child\" where it was to say who.

# Example

```markdown bedtime-story/SKILL.md
---
name: bedtime-story
description: Tells a story at bedtime. Use when a parent asks for a story to fall asleep to.
---
Tell {{input.child_name}} a calm story about an animal.
```

```yaml bedtime-story/sprout.yaml
inputs:
  - name: child_name
  - name: animal
```

# Instead

```markdown bedtime-story/SKILL.md
---
name: bedtime-story
description: Tells a story at bedtime. Use when a parent asks for a story to fall asleep to.
---
Tell {{input.child_name}} a calm story about this animal: {{input.animal}}.
```

```yaml bedtime-story/sprout.yaml
inputs:
  - name: child_name
  - name: animal
```

# Source

dibber's own. The contract allows it: in Sprout skill tools, the example of `skill.write` declares
`child_id` and does not use it. So this is a warning, and a skill may be published with it.
",
    },
    check: Check::Draft(Reason::UnusedInput),
};
