//! `malformed-placeholder`: something was meant as a placeholder, and nothing will fill it.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Applicability, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::Reason;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "malformed-placeholder",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::Sometimes(Applicability::Unsafe),
        since: "0.1.0",
        summary: "something was meant as a placeholder, and nothing will fill it",
        docs: "
# What it does

Looks in the body of a skill that has a `sprout.yaml` for placeholders that nothing fills in,
because they are not written as `{{input.child_name}}`: with spaces inside the braces, as
`{{inputs.…}}` or `{{Input.…}}`, with a name of other characters than letters, digits and `_`, with
more braces than two or fewer, or never closed. `{{child_name}}` alone is one if there is an input
of that name.

Other words in double braces, such as `{{fireDate}}`, belong to somebody else and stay quiet. The
fix writes what was most likely meant. It is an unsafe one, because it changes what the agent reads.

# Why is this bad

The agent reads the braces as they stand, and greets a child with \"Hello {{ input.child_name }}\".

# Example

```markdown homework-check-in/SKILL.md
---
name: homework-check-in
description: Asks about today's homework. Use when a child comes home and wants to get it done.
---
Ask {{ input.child_name }} what homework there is in {{input.school-subject}}.
```

```yaml homework-check-in/sprout.yaml
inputs:
  - name: child_name
  - name: school_subject
```

# Instead

```markdown homework-check-in/SKILL.md
---
name: homework-check-in
description: Asks about today's homework. Use when a child comes home and wants to get it done.
---
Ask {{input.child_name}} what homework there is in {{input.school_subject}}.
```

```yaml homework-check-in/sprout.yaml
inputs:
  - name: child_name
  - name: school_subject
```

# Source

Sprout skill tools, `skill.write`: the prompt has `{{input.*}}` placeholders, which `skill.invoke`
fills in. All public examples are written without spaces, and with letters, digits and `_`. That
nothing else is filled in, and that it is refused instead of sent, is dibber's choice.
",
    },
    check: Check::Draft(Reason::MalformedPlaceholder),
};
