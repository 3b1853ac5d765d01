//! `kid-callable-without-age-range`: a child may launch the skill, and it does not say for which ages it is.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::Reason;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "kid-callable-without-age-range",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a child may launch the skill, and it does not say for which ages it is",
        docs: "
# What it does

Checks that a skill with `kidCallable: true` in its `sprout.yaml` has an `ageRange` as well.

# Why is this bad

What is right for a child of ten may be too hard, or too much, for one of five. Without the ages
nobody can keep the skill from the children that it is not meant for, and the server refuses it.

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
ageRange: 6-8
```

# Source

Sprout's public notes on skills (July 2026): with `kidCallable`, an age range is required, or else
the call is refused with `BAD_INPUT`. The page of `skill.write` says only \"extra scrutiny\".
",
    },
    check: Check::Draft(Reason::KidCallableWithoutAgeRange),
};
