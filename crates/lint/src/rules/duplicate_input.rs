//! `duplicate-input`: two inputs have the same name.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::Reason;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "duplicate-input",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "two inputs have the same name",
        docs: "
# What it does

Checks that no two `inputs` in `sprout.yaml` have the same name, and points at the later one.
Capital and small letters are different: `Day` and `day` are two names.

# Why is this bad

`{{input.day}}` can be filled with one value only. Two inputs of that name may differ in their type
and description, and whoever fills them in cannot know which of them counts.

# Example

```markdown weekend-plan/SKILL.md
---
name: weekend-plan
description: Plans a family weekend. Use when somebody asks what to do on Saturday or Sunday.
---
Plan {{input.day}} for the family, with one thing outdoors.
```

```yaml weekend-plan/sprout.yaml
inputs:
  - name: day
    type: date
  - name: day
    description: Saturday or Sunday
```

# Instead

```markdown weekend-plan/SKILL.md
---
name: weekend-plan
description: Plans a family weekend. Use when somebody asks what to do on Saturday or Sunday.
---
Plan {{input.day}} for the family, with one thing outdoors.
```

```yaml weekend-plan/sprout.yaml
inputs:
  - name: day
    description: Saturday or Sunday
```

# Source

Sprout skill tools: `inputVariables` of `skill.write` is a list of names with a type and a
description, and `input` of `skill.invoke` a map, which has one value for each name. That two of the
same name are refused is dibber's choice; the contract is silent.
",
    },
    check: Check::Draft(Reason::DuplicateInput),
};
