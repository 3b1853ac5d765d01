//! `symlink-outside`: a symbolic link leads out of the skill's folder.

use crate::files::paths;
use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, Place, RuleMeta};
use dibber_skill::skill::{FileKind, Skill};
use dibber_text::ellipsize;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "symlink-outside",
        group: Group::Security,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a symbolic link leads out of the skill's folder",
        docs: "
# What it does

Looks for symbolic links in the skill whose target lies outside it, whether or not there is
anything at that target on this machine.

# Why is this bad

Whoever installs the skill gets the link, and it points at a file of theirs: a skill can have its
user's keys read as if they were one of its own references. Packed or published, the link carries
away a copy of a file of the author's. And where it was meant well, the target stays behind.

# Example

```markdown trip-planner/SKILL.md
---
name: trip-planner
description: Plans a day trip. Use when somebody asks where to go at the weekend.
---
Read references/fares.md.
```

```symlink trip-planner/references/fares.md
../../shared/fares.md
```

# Instead

```markdown trip-planner/SKILL.md
---
name: trip-planner
description: Plans a day trip. Use when somebody asks where to go at the weekend.
---
Read references/fares.md.
```

```markdown trip-planner/references/fares.md
A group of five pays for three.
```

# Source

CWE-61, following symbolic links of others. Goose is one of the clients that follow them.
",
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    for file in &skill.bundle.files {
        let target = match &file.kind {
            FileKind::LinkOutside(target) => target,
            FileKind::LinkBroken(target) if paths::leads_outside(&file.path, target) => target,
            _ => continue,
        };
        let message = format!(
            "this symbolic link leads out of the skill's folder, to `{}`",
            ellipsize(target)
        );
        let place = Place::File(file.path.clone());
        let help = "put a copy of the file in its place";
        findings.push(Finding::at(&RULE.meta, place, message).help(help));
    }
}
