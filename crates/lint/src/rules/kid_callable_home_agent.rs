//! `kid-callable-home-agent`: a child may launch the skill, but only the home agent can run it.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::Reason;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "kid-callable-home-agent",
        group: Group::Sprout,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a child may launch the skill, but only the home agent can run it",
        docs: "
# What it does

Checks that a skill with `kidCallable: true` in its `sprout.yaml` is not one with
`category: home_agent` too.

# Why is this bad

The kid app starts skills through Sprout, and Sprout does not run those of the home agent. The child
would see a button that nothing happens behind.

# Example

```markdown homework-check-in/SKILL.md
---
name: homework-check-in
description: Asks about today's homework. Use when a child comes home and wants to get it done.
---
Ask {{input.child_name}} what homework there is, and help to put it in order.
```

```yaml homework-check-in/sprout.yaml
category: home_agent
inputs:
  - name: child_name
kidCallable: true
ageRange: 8-10
```

# Instead

```markdown homework-check-in/SKILL.md
---
name: homework-check-in
description: Asks about today's homework. Use when a child comes home and wants to get it done.
---
Ask {{input.child_name}} what homework there is, and help to put it in order.
```

```yaml homework-check-in/sprout.yaml
category: generic
inputs:
  - name: child_name
kidCallable: true
ageRange: 8-10
```

# Source

Sprout skill tools: the kid app can launch a skill with `kidCallable`, and one of the category
`home_agent` is refused at `skill.invoke`. That the two do not go together follows from this; the
contract does not say it in one sentence, so that it is a warning.
",
    },
    check: Check::Draft(Reason::KidCallableHomeAgent),
};
