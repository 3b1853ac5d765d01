//! `undeclared-placeholder`: the prompt has a placeholder that no input declares.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::Reason;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "undeclared-placeholder",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the prompt has a placeholder that no input declares",
        docs: "
# What it does

Checks that each placeholder in the body, such as `{{input.child_name}}`, is declared under `inputs`
in `sprout.yaml`. Where there are no `inputs`, what the body uses is declared by itself; an empty
list, `inputs: []`, says that nothing is filled in. Each name is reported once. A skill without a
`sprout.yaml` is not looked at.

# Why is this bad

Nobody is asked for an input that is not declared. The agent reads the braces as they stand, or the
run is refused.

# Example

```markdown weekend-plan/SKILL.md
---
name: weekend-plan
description: Plans a family weekend. Use when somebody asks what to do on Saturday or Sunday.
---
Plan {{input.day}} for a family in {{input.city}}.
```

```yaml weekend-plan/sprout.yaml
inputs:
  - name: day
```

# Instead

```markdown weekend-plan/SKILL.md
---
name: weekend-plan
description: Plans a family weekend. Use when somebody asks what to do on Saturday or Sunday.
---
Plan {{input.day}} for a family in {{input.city}}.
```

```yaml weekend-plan/sprout.yaml
inputs:
  - name: day
  - name: city
```

# Source

Sprout skill tools: `skill.invoke` takes a map that fills `inputVariables`, and puts it in the place
of `{{input.*}}` in the prompt. What becomes of a placeholder that is not among them is not public;
that it is refused before anything is written is dibber's choice.
",
    },
    check: Check::Draft(Reason::UndeclaredPlaceholder),
};
