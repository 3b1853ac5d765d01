//! `unreferenced-file`: no text of the skill leads to one of its files.

use crate::files::unreferenced;
use crate::listing::first_few;
use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, Place, RuleMeta};
use dibber_skill::skill::Skill;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "unreferenced-file",
        group: Group::Structure,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "nothing in the skill leads to this reference or script",
        docs: "
# What it does

Looks for Markdown files under `references/` and scripts under `scripts/` that are mentioned
neither in `SKILL.md` nor in any file that it leads to: not by path, not by name, not by a pattern
such as `references/{city}.md`, and not by naming their folder as a whole.

Assets, tests, packages and modules that other scripts load are passed over.

# Why is this bad

A model opens the files that it is told of. A file that nothing mentions is carried along and
never read, often because the line that led to it was lost in an edit.

# Example

```markdown trip-planner/SKILL.md
---
name: trip-planner
description: Plans a day trip. Use when somebody asks where to go at the weekend.
---
For trips by train, read references/trains.md.
```

```markdown trip-planner/references/trains.md
Trains to the lake leave at 8:14.
```

```markdown trip-planner/references/bicycles.md
The path along the river is flat.
```

# Instead

```markdown trip-planner/SKILL.md
---
name: trip-planner
description: Plans a day trip. Use when somebody asks where to go at the weekend.
---
For trips by train, read references/trains.md; for trips by bicycle, references/bicycles.md.
```

```markdown trip-planner/references/trains.md
Trains to the lake leave at 8:14.
```

```markdown trip-planner/references/bicycles.md
The path along the river is flat.
```

# Source

Agent Skills best practices: say when to load each reference file. One in nine of the reference
files in official skills is never mentioned.
",
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    if skill.bundle.files.len() <= 1 || !skill.bundle.is_complete() || skill.is_cut() {
        return;
    }
    let files = unreferenced::files(skill);
    let skill_file = &skill.bundle.skill_file;
    for (file, further) in first_few(&files) {
        let message = match further {
            0 => format!("nothing that `{skill_file}` leads to mentions this file"),
            _ => format!(
                "nothing that `{skill_file}` leads to mentions this file and {further} more"
            ),
        };
        let help = format!("say in `{skill_file}` when to use it, or delete it");
        let place = Place::File((*file).to_owned());
        findings.push(Finding::at(&RULE.meta, place, message).help(help));
    }
}
