//! `sensitive-kid-hand`: a child may launch the skill, and it changes what the child earns or is
//! allowed.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::Reason;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "sensitive-kid-hand",
        group: Group::Sprout,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a child may launch the skill, and it changes what the child earns or is allowed",
        docs: "
# What it does

Looks at the `hands` of a skill with `kidCallable: true` in its `sprout.yaml` for tools that change
at once what a child has earned or is allowed, such as `gems_adjust`. Without `hands`, the
`allowed-tools` of `SKILL.md` count. Tools that only look, such as `gems_query_balance`, stay quiet.

# Why is this bad

Whoever launches the skill sets the gift in motion. A child who has found out that ten rounds of the
quiz bring ten times the gems will play ten rounds.

# Example

```markdown reading-quiz/SKILL.md
---
name: reading-quiz
description: Asks questions about a book. Use when a child has read a chapter and wants a quiz.
---
Ask {{input.child_name}} three questions about the chapter. Give five gems for each right answer.
```

```yaml reading-quiz/sprout.yaml
hands:
  - gems_adjust
inputs:
  - name: child_name
kidCallable: true
ageRange: 6-8
```

# Instead

```markdown reading-quiz/SKILL.md
---
name: reading-quiz
description: Asks questions about a book. Use when a child has read a chapter and wants a quiz.
---
Ask {{input.child_name}} three questions about the chapter. Tell the parents how it went, so that
they can give gems for it.
```

```yaml reading-quiz/sprout.yaml
hands:
  - skill_post_result
inputs:
  - name: child_name
kidCallable: true
ageRange: 6-8
```

# Source

Home Agent Protocol, sensitivity tiers: `gems:adjust` and `screentime:approve` are high, and a
parent is to confirm each use. Public pages name a tool for the first only. Sprout skill tools: with
`kidCallable` there is \"extra scrutiny\". What is looked at is not public; this warning is
dibber's choice.
",
    },
    check: Check::Draft(Reason::SensitiveKidHand),
};
