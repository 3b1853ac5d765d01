//! `case-collision`: two files are the same one on many systems.

use std::borrow::Cow;
use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, Place, RuleMeta};
use dibber_skill::skill::Skill;
use dibber_text::ellipsize;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "case-collision",
        group: Group::Portability,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "two paths differ only in large and small letters, or in how accents are encoded",
        docs: "
# What it does

Compares the paths of all files in the skill as macOS and Windows do: without telling large
letters from small ones, nor (macOS) `é` as one character from `e` with an accent.

# Why is this bad

On those systems only one of the two files can exist. Whoever clones or unpacks the skill there
gets the text of one under the name of the other, without a word.

# Example

```markdown trip-planner/SKILL.md
---
name: trip-planner
description: Plans a day trip. Use when somebody asks where to go at the weekend.
---
Read references/trains.md, then references/Trains.md.
```

```markdown trip-planner/references/trains.md
Trains to the lake leave at 8:14.
```

```markdown trip-planner/references/Trains.md
Trains to the sea leave at 9:02.
```

# Instead

```markdown trip-planner/SKILL.md
---
name: trip-planner
description: Plans a day trip. Use when somebody asks where to go at the weekend.
---
Read references/trains-to-the-lake.md, then references/trains-to-the-sea.md.
```

```markdown trip-planner/references/trains-to-the-lake.md
Trains to the lake leave at 8:14.
```

```markdown trip-planner/references/trains-to-the-sea.md
Trains to the sea leave at 9:02.
```

# Source

The file systems APFS and NTFS as they come out of the box; git warns of such paths when it
clones.
",
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    if skill.bundle.files.len() <= 1 {
        return;
    }
    let mut seen: HashMap<Cow<'_, str>, &str> = HashMap::with_capacity(skill.bundle.files.len());
    for file in &skill.bundle.files {
        let path = file.path.as_str();
        let Some(first) = seen.insert(folded(path), path) else { continue };
        // NTFS tells the encodings of an accent apart.
        let is_same_on_windows = first.to_lowercase() == path.to_lowercase();
        let systems = if is_same_on_windows { "macOS and Windows" } else { "macOS" };
        let message = format!(
            "on {systems} this is the same file as `{}`, and only one of the two can exist",
            ellipsize(first)
        );
        let place = Place::File(path.to_owned());
        let help = "delete one of them, or give it another name";
        findings.push(Finding::at(&RULE.meta, place, message).help(help));
    }
}

fn folded(path: &str) -> Cow<'_, str> {
    if !path.is_ascii() {
        let lower: String = path.nfd().flat_map(char::to_lowercase).nfd().collect();
        return Cow::Owned(lower);
    }
    if path.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(path.to_ascii_lowercase())
    } else {
        Cow::Borrowed(path)
    }
}
