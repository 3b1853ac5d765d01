//! `deep-reference-chain`: a file can only be reached by way of another one.

use std::collections::{HashMap, HashSet};

use crate::diagnostic::{Finding, FixAvailability, Group, Level, RuleMeta};
use crate::lint::references::{self, Destination, Page};
use crate::lint::{Check, Rule};
use crate::skill::Skill;
use crate::text::shorten;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "deep-reference-chain",
        group: Group::Structure,
        level: Level::Allow,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a reference leads to a further file that `SKILL.md` does not mention",
        docs: "
# What it does

Follows the links from `SKILL.md` to other Markdown files, and reports each link there that leads
on to a file which `SKILL.md` itself neither links to nor mentions by name.

# Why is this bad

A model that is sent from file to file may read only the beginning of each, or stop on the way.

# Example

```markdown trip-planner/SKILL.md
---
name: trip-planner
description: Plans a day trip. Use when somebody asks where to go at the weekend.
---
For trips by train, read [the guide](references/trains.md).
```

```markdown trip-planner/references/trains.md
Trains leave at 8:14. [Fares](fares.md) are per group.
```

```markdown trip-planner/references/fares.md
A group of five pays for three.
```

# Instead

```markdown trip-planner/SKILL.md
---
name: trip-planner
description: Plans a day trip. Use when somebody asks where to go at the weekend.
---
For trips by train, read [the guide](references/trains.md) and [the fares](references/fares.md).
```

```markdown trip-planner/references/trains.md
Trains leave at 8:14. [Fares](fares.md) are per group.
```

```markdown trip-planner/references/fares.md
A group of five pays for three.
```

# Source

Agent Skills specification, file references: keep them one level deep from `SKILL.md`. Among
official skills, one in ten of those that link to references has a longer chain.
",
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    if skill.resources.is_empty() {
        return;
    }
    let pages: HashMap<&str, Page<'_>> =
        references::pages(skill).map(|page| (page.path(), page)).collect();
    let Some(&start) = pages.get(skill.bundle.skill_file.as_str()) else { return };
    let mut reached: HashSet<String> = HashSet::from([start.path().to_owned()]);
    let mut level: Vec<Page<'_>> = vec![start];
    while !level.is_empty() {
        let mut next = Vec::new();
        for page in level {
            for (link, path) in page.relative_links() {
                let Destination::File(file) = page.destination(&path) else { continue };
                let Some(&target) = pages.get(file.as_str()) else { continue };
                if !reached.insert(file) {
                    continue;
                }
                next.push(target);
                if !page.is_skill_file() && !is_named_in(skill, target) {
                    let message = format!(
                        "`{}` does not mention `{}`, which can only be reached from here",
                        skill.bundle.skill_file,
                        shorten(target.path())
                    );
                    let help = format!("mention it in `{}`", skill.bundle.skill_file);
                    let place = page.place(link.span);
                    findings.push(Finding::at(&RULE.meta, place, message).help(help));
                }
            }
        }
        level = next;
    }
}

fn is_named_in(skill: &Skill, page: Page<'_>) -> bool {
    let name = page.path().rsplit_once('/').map_or(page.path(), |(_, name)| name);
    memchr::memmem::find(skill.body_text().as_bytes(), name.as_bytes()).is_some()
}
