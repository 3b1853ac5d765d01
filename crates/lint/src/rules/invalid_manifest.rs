//! `invalid-manifest`: `sprout.yaml` is not what its schema describes.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::manifest::FaultKind;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "invalid-manifest",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "`sprout.yaml` is not what its schema describes",
        docs: "
# What it does

Checks `sprout.yaml`, which says how a skill is published, against its JSON Schema (`dibber schema
sprout` prints it): that it is YAML with keys and values, that each value has the right type, that
`category` and the `type` of an input are among those that there are, that every input has a name
which can stand in `{{input.name}}`, and every heartbeat a name and a `cron`. Everything that is
wrong is said at once; beyond 50 faults, how many more there are.

A file that is not read is reported too: called `sprout.yml` or written in capitals, more than
64 KiB, not UTF-8, a symbolic link, more than 16 levels of nesting, 4,000 keys and values or 16
aliases.

# Why is this bad

What cannot be read is left out of what is published: the skill goes out under another label, for
another agent, or without its inputs. `yes` is a common slip: YAML 1.2 reads it as a text, and the
truth values are `true` and `false`.

# Example

```markdown kid-quiz/SKILL.md
---
name: kid-quiz
description: Asks a child five questions. Use when a parent wants a quiz for the table.
---
Ask {{input.child_name}} five questions about {{input.subject}}.
```

```yaml kid-quiz/sprout.yaml
label: Kid quiz
kidCallable: yes
ageRange: 5-7
inputs:
  - child_name
  - name: subject
    type: text
```

# Instead

```markdown kid-quiz/SKILL.md
---
name: kid-quiz
description: Asks a child five questions. Use when a parent wants a quiz for the table.
---
Ask {{input.child_name}} five questions about {{input.subject}}.
```

```yaml kid-quiz/sprout.yaml
label: Kid quiz
kidCallable: true
ageRange: 5-7
inputs:
  - name: child_name
  - name: subject
    type: string
```

# Source

dibber's own: the JSON Schema of `sprout.yaml`. The names and types are those of the arguments of
the tool `skill_write`; truth values and numbers are those of YAML 1.2.2, section 10.3.2.
",
    },
    check: Check::Manifest(FaultKind::Invalid),
};
