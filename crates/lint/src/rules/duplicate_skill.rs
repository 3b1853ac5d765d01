//! `duplicate-skill`: two skills side by side bear the same name.
//!
//! It takes more than one skill to see that, so `lint::Seen` finds it and the runner reports it.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, Place, RuleMeta};

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "duplicate-skill",
        group: Group::Structure,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "two skills in the same folder bear the same name",
        docs: "
# What it does

Compares the names of all skills of a run whose folders lie side by side. The second one, in the
order of paths, is reported.

Copies for several clients (`.claude/skills/trains` and `.agents/skills/trains`), and skills of
different plugins, authors or languages, lie in different folders and are fine.

# Why is this bad

Clients list skills by name. Of two with the same one, most keep whichever they come across first
and drop the other without a word, so that an edit of the wrong file changes nothing.

# Example

```markdown skills/trip-planner/SKILL.md
---
name: trip-planner
description: Plans a day trip. Use when somebody asks where to go at the weekend.
---
```

```markdown skills/trip-planner-old/SKILL.md
---
name: trip-planner
description: Plans an outing. Use when somebody asks where to go at the weekend.
---
```

# Instead

```markdown skills/trip-planner/SKILL.md
---
name: trip-planner
description: Plans a day trip. Use when somebody asks where to go at the weekend.
---
```

```markdown skills/outing-planner/SKILL.md
---
name: outing-planner
description: Plans an outing. Use when somebody asks where to go at the weekend.
---
```

# Source

Agent Skills, guide for clients, name collisions: only one skill of a name is used. The `skills`
command-line tool skips further ones of the same repository.
",
    },
    check: Check::Runner,
};

/// The finding at the later of two skills: the earlier one's path is from the folder they share.
pub(crate) fn finding(place: Place, name: &str, earlier: &str) -> Finding {
    let message = format!("the skill at `{earlier}` beside this one is called `{name}` as well");
    let help = "give one of them another name, or delete it if it is an old copy";
    Finding::at(&RULE.meta, place, message).help(help)
}
