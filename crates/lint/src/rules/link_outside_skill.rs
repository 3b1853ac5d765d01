//! `link-outside-skill`: a link leads out of the skill's folder.

use std::collections::HashSet;

use crate::files::links::{self, Destination};
use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::{SKILL_FILE_NAME, Skill};
use dibber_text::ellipsize;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "link-outside-skill",
        group: Group::Structure,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a link leads out of the skill's folder",
        docs: "
# What it does

Looks for links whose relative path climbs above the skill's folder.

# Why is this bad

A skill is installed, packed and published as one folder. What lies outside stays behind, and the
link leads nowhere, or to a file of somebody else that happens to have that name.

# Example

```markdown skills/trip-planner/SKILL.md
---
name: trip-planner
description: Plans a day trip. Use when somebody asks where to go at the weekend.
---
For trips by train, read [the timetable](../../shared/trains.md).
```

# Instead

```markdown skills/trip-planner/SKILL.md
---
name: trip-planner
description: Plans a day trip. Use when somebody asks where to go at the weekend.
---
For trips by train, read [the timetable](references/trains.md).
```

```markdown skills/trip-planner/references/trains.md
Trains to the lake leave at 8:14.
```

# Source

Agent Skills specification, file references: relative paths from the skill's root. One in 22 of
921 skills from well-kept public repositories has such a link.
",
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    for page in links::pages(skill) {
        let mut reported = HashSet::new();
        for (link, path) in page.relative_links() {
            // Only a path that climbs can lead out.
            if !path.contains("..") || page.destination(&path) != Destination::Outside {
                continue;
            }
            let message = format!(
                "`{}` lies outside the skill's folder and stays behind when the skill is \
                 installed alone",
                ellipsize(&path)
            );
            if reported.insert(path.clone()) {
                let help = help(&path);
                findings.push(Finding::at(&RULE.meta, page.place(link.span), message).help(help));
            }
        }
    }
}

fn help(path: &str) -> String {
    let skill = path.strip_suffix(SKILL_FILE_NAME).map(|folder| folder.trim_end_matches('/'));
    let name = skill.map(|folder| folder.rsplit_once('/').map_or(folder, |(_, name)| name));
    match name {
        Some(name) if !name.is_empty() && name != ".." => {
            let name = ellipsize(name);
            format!("call that skill by its name, `{name}`: clients find it wherever it is")
        }
        _ if is_folder(path) => {
            "call a skill by its name, and copy anything else into this skill".to_owned()
        }
        _ => "copy the file into the skill, or link to it by its web address".to_owned(),
    }
}

/// Tells whether a path seems to name a folder, such as that of another skill.
fn is_folder(path: &str) -> bool {
    let last = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    path.ends_with('/') || last == ".." || !last.contains('.')
}
