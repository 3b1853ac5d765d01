//! `invalid-age-range`: the age range is not written as `5-7`.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::Reason;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "invalid-age-range",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the age range is not written as `5-7`",
        docs: "
# What it does

Checks that the `ageRange` in `sprout.yaml` is two whole numbers of years with a hyphen between
them, the younger age first and neither beyond 18: `5-7`, or `7-7` for one age alone.

# Why is this bad

The ages decide which children are shown the skill. `5+`, `5 to 7` or `7-5` can be read in more than
one way, and a skill that is offered to the wrong child is worse than one that is offered to none.

# Example

```markdown reading-quiz/SKILL.md
---
name: reading-quiz
description: Asks questions about a book. Use when a child has read a chapter and wants a quiz.
---
Ask {{input.child_name}} three questions about the chapter, one at a time.
```

```yaml reading-quiz/sprout.yaml
inputs:
  - name: child_name
kidCallable: true
ageRange: 5 to 7
```

# Instead

```markdown reading-quiz/SKILL.md
---
name: reading-quiz
description: Asks questions about a book. Use when a child has read a chapter and wants a quiz.
---
Ask {{input.child_name}} three questions about the chapter, one at a time.
```

```yaml reading-quiz/sprout.yaml
inputs:
  - name: child_name
kidCallable: true
ageRange: 5-7
```

# Source

Sprout skill tools, `skill.write`: `ageRange` is a text, \"e.g. `5-7`\". More than this example is
not public; that both ages must be there, in order and at most 18, is dibber's choice.
",
    },
    check: Check::Draft(Reason::InvalidAgeRange),
};
