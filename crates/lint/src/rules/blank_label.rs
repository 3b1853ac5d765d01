//! `blank-label`: the label, the summary or the body is blank.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::Reason;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "blank-label",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the label, the summary or the body is blank",
        docs: "
# What it does

Checks that nothing is blank in the three texts that a skill is published with: the label, the
summary, and the prompt, which is the body of `SKILL.md`. Without a `label`, the first heading
counts, or else the name; without a `summary`, the `description`.

Only skills with a `sprout.yaml` are looked at.

# Why is this bad

A family finds the skill by its label, and decides by its summary whether to use it. An agent that
is handed an empty prompt does nothing, or something of its own.

# Example

```markdown bedtime-story/SKILL.md
---
name: bedtime-story
description: Tells a story at bedtime. Use when a parent asks for a story to fall asleep to.
---
Tell {{input.child_name}} a calm story that ends with everybody asleep.
```

```yaml bedtime-story/sprout.yaml
label: \"\"
inputs:
  - name: child_name
```

# Instead

```markdown bedtime-story/SKILL.md
---
name: bedtime-story
description: Tells a story at bedtime. Use when a parent asks for a story to fall asleep to.
---
Tell {{input.child_name}} a calm story that ends with everybody asleep.
```

```yaml bedtime-story/sprout.yaml
label: Bedtime story
inputs:
  - name: child_name
```

# Source

Sprout skill tools, `skill.write`: `name`, `description` and `prompt` are required. That a blank
text counts as none is dibber's choice.
",
    },
    check: Check::Draft(Reason::BlankField),
};
