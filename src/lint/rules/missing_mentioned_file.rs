//! `missing-mentioned-file`: the text names a file that the skill does not have.

use std::collections::HashSet;

use memchr::memmem;

use crate::diagnostic::{Finding, FixAvailability, Group, Level, RuleMeta};
use crate::lint::mentions::{Mention, MentionKind, TopFolders};
use crate::lint::references::{self, Destination, Page, Spellings};
use crate::lint::{Check, Rule, surroundings};
use crate::skill::{SKILL_FILE_NAME, Skill};
use crate::text::shorten;

/// How often a text speaks of `SKILL.md` before it is taken to be about skills.
const SKILL_FILE_MENTIONS_MAX: usize = 2;

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

Paths with placeholders or wildcards are passed over, and so are files that the text calls an
example, that it says will be written, or that belong to another skill, and texts that teach how
skills are written.

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
    let mut spellings = None;
    let mut reported = HashSet::new();
    for page in references::pages(skill) {
        for mention in folders.mentions(page.source().text(), page.body()) {
            let Some(missing) = missing(page, &mention) else { continue };
            if is_about_skills(page, skill) || !reported.insert(mention.path) {
                continue;
            }
            let spellings = spellings.get_or_insert_with(|| Spellings::of(&skill.bundle));
            let message = format!("`{}` does not exist in the skill", shorten(mention.path));
            let finding = Finding::at(&RULE.meta, page.place(mention.span), message);
            findings.push(finding.help(spellings.help(&missing)));
        }
    }
}

/// The path of the file, when the mention is meant for one of this skill and there is none.
fn missing(page: Page<'_>, mention: &Mention<'_>) -> Option<String> {
    if mention.kind != MentionKind::Exact || !has_ending(mention.path) {
        return None;
    }
    let Destination::Missing(path) = page.destination(mention.path) else { return None };
    let text = page.source().text();
    let is_meant = !references::is_placeholder(mention.path)
        && !surroundings::is_in_link(text, mention.span)
        && !surroundings::is_example_or_output(text, mention.span)
        && !surroundings::is_of_other_skill(text, mention.span);
    is_meant.then_some(path)
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

/// Tells whether a text teaches how skills are written, so that its paths are examples.
fn is_about_skills(page: Page<'_>, skill: &Skill) -> bool {
    let name = skill.bundle.name.as_deref().unwrap_or_default();
    let text = page.source().text();
    let mentions = memmem::find_iter(text.as_bytes(), SKILL_FILE_NAME);
    let is_bare = |at: &usize| !text[..*at].ends_with('/');
    ["skill", "plugin"].iter().any(|word| name.contains(word))
        || mentions.filter(is_bare).take(SKILL_FILE_MENTIONS_MAX + 1).count()
            > SKILL_FILE_MENTIONS_MAX
}
