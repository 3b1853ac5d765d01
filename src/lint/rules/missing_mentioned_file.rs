//! `missing-mentioned-file`: the text names a file that the skill does not have.

use std::collections::HashSet;

use crate::diagnostic::{Finding, FixAvailability, Group, Level, RuleMeta};
use crate::lint::mentions::{Mention, MentionKind, TopFolders};
use crate::lint::references::{self, Destination, Page};
use crate::lint::several::shortened;
use crate::lint::{Check, Rule};
use crate::skill::Skill;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "missing-mentioned-file",
        group: Group::Structure,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the text names a file that the skill does not have",
        docs: "
# What it does

Looks in `SKILL.md` and the Markdown files beside it for paths such as `scripts/run.py` whose
folder the skill has, but not the file. Links are for `broken-link` to judge.

Paths with placeholders or wildcards, and files that the text says will be written, are passed
over.

# Why is this bad

The model runs or reads something that is not there, and improvises when that fails. It is what
remains when a file gets a new name, or was left out of a commit.

# Example

```markdown trip-planner/SKILL.md
---
name: trip-planner
description: Plans a day trip. Use when somebody asks where to go at the weekend.
---
Look up the trains with `scripts/timetable.py LAKE`.
```

```python trip-planner/scripts/trains.py
print(\"8:14 from platform 2\")
```

# Instead

```markdown trip-planner/SKILL.md
---
name: trip-planner
description: Plans a day trip. Use when somebody asks where to go at the weekend.
---
Look up the trains with `scripts/trains.py LAKE`.
```

```python trip-planner/scripts/trains.py
print(\"8:14 from platform 2\")
```

# Source

Agent Skills specification, optional directories: `scripts/`, `references/`, `assets/`.
",
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    if skill.bundle.files.len() <= 1 || !skill.bundle.is_complete() {
        return;
    }
    let Some(folders) = TopFolders::of(&skill.bundle) else { return };
    let mut reported = HashSet::new();
    for page in references::pages(skill) {
        let body = page.body();
        for mention in folders.mentions(page.source().slice(body), body.start) {
            if is_missing(page, &mention) && reported.insert(mention.path) {
                let path = shortened(mention.path);
                let message = format!("`{path}` does not exist in the skill");
                let help = "correct the path, or add the file";
                let place = page.place(mention.span);
                findings.push(Finding::at(&RULE.meta, place, message).help(help));
            }
        }
    }
}

fn is_missing(page: Page<'_>, mention: &Mention<'_>) -> bool {
    mention.kind == MentionKind::Exact
        && has_ending(mention.path)
        && matches!(page.destination(mention.path), Destination::Missing(_))
}

/// Tells whether the last part of a path is the name of a file: `a.md`, not `a` or `v1.2`.
fn has_ending(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(before, ending)| {
        !before.ends_with('/')
            && (1..=8).contains(&ending.len())
            && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && ending.bytes().any(|byte| byte.is_ascii_alphabetic())
    })
}
