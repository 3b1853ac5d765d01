//! `oversized-skill`: there is more in the skill than every host takes.

use crate::diagnostic::{Finding, FixAvailability, Group, Level, Place, RuleMeta};
use crate::lint::{Check, Rule};
use crate::skill::{BundleFile, FileKind, SKILL_BYTES_MAX, Skill};
use crate::text::shorten;

/// The most files of one skill that every host takes.
const SKILL_FILES_MAX: usize = 512;
/// The most bytes of one skill that every host takes (16 MiB).
const SKILL_FOLDER_BYTES_MAX: u64 = 16 << 20;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "oversized-skill",
        group: Group::Structure,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the skill has more files or bytes than every host takes",
        docs: "
# What it does

Counts the files of the skill's folder and adds up their sizes: at most 512 files, at most 16 MiB.
It also says when `SKILL.md` itself is larger than 1 MiB, since no more than that was checked.

# Why is this bad

Hosts that fetch skills over the network stop at a limit. 512 files and 16 MiB are what each of
them has to take; what is beyond may be refused as a whole.

# Example

```markdown repeated trip-planner/SKILL.md
---
name: trip-planner
description: Plans a day trip. Use when somebody asks where to go at the weekend.
---
- The 8:14 train to the lake takes half an hour, and bicycles travel free of charge.
… 20,000 such lines …
```

# Instead

```markdown trip-planner/SKILL.md
---
name: trip-planner
description: Plans a day trip. Use when somebody asks where to go at the weekend.
---
Look up the trains with `scripts/trains.py LAKE`, which asks the railway.
```

```python trip-planner/scripts/trains.py
print(\"8:14 from platform 2\")
```

# Source

Model Context Protocol, skills extension (SEP-2640): a host must accept 512 files and 16 MiB.
",
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    if skill.is_cut() {
        let (size, limit) = (mebibytes(skill.bundle.skill_file_bytes), SKILL_BYTES_MAX >> 20);
        let message = format!("`{}` is {size} MiB large", skill.bundle.skill_file);
        let help = "move what is not needed every time into files under `references/`";
        let note = format!("only the first {limit} MiB was read and checked");
        findings.push(finding(skill, format!("{message}; {note}")).help(help));
    }
    let bundle = &skill.bundle;
    let count = bundle.files.len() + bundle.files_left_out;
    if count > SKILL_FILES_MAX {
        let message = format!(
            "the skill has {count} files, more than the {SKILL_FILES_MAX} that every host takes"
        );
        let not_looked_at = match bundle.files_left_out {
            0 => String::new(),
            left_out => format!("; the last {left_out} were not looked at"),
        };
        let help = "pack data into fewer files, or fetch it with a script when it is needed";
        findings.push(finding(skill, message + &not_looked_at).help(help));
    }
    let bytes: u64 = bundle.files.iter().map(size_of).sum();
    if bytes > SKILL_FOLDER_BYTES_MAX {
        let message = format!(
            "the skill is {} MiB large, more than the {} MiB that every host takes",
            mebibytes(bytes),
            SKILL_FOLDER_BYTES_MAX >> 20
        );
        let largest = bundle.files.iter().max_by_key(|file| size_of(file));
        let largest = largest.expect("a file whose bytes were counted");
        let (path, size) = (shorten(&largest.path), mebibytes(size_of(largest)));
        let help = format!("its largest file is `{path}` with {size} MiB");
        findings.push(finding(skill, message).help(help));
    }
}

fn finding(skill: &Skill, message: String) -> Finding {
    Finding::at(&RULE.meta, Place::File(skill.bundle.skill_file.clone()), message)
}

const fn size_of(file: &BundleFile) -> u64 {
    match file.kind {
        FileKind::Regular(bytes) => bytes,
        _ => 0,
    }
}

/// With one digit, rounded up, so that it is never less than the limit it is compared with.
fn mebibytes(bytes: u64) -> String {
    let tenths = (bytes * 10).div_ceil(1 << 20);
    format!("{}.{}", tenths / 10, tenths % 10)
}
