//! `piped-shell`: a command runs what it has just downloaded.

use crate::rule::{Check, Rule};
use crate::texts::downloads::{self, Download};
use crate::texts::{Text, push_first, texts};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::Skill;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "piped-shell",
        group: Group::Security,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a command runs what it downloads, unread",
        docs: "
# What it does

Looks in `SKILL.md` and in every other text file of the skill for commands that hand a download,
or a text in base 64, straight to a shell or an interpreter: `curl … | sh`, `bash <(curl …)`,
`sh -c \"$(curl …)\"`, `irm … | iex`, `base64 -d | sh`.

A command counts when it names its source, an address or a variable. A sentence that only speaks
of `curl | sh`, or says never to do it, stays quiet, and so do commands under a heading or comment
about attacks, and data that a program reads, as in `curl … | python3 -m json.tool`.

# Why is this bad

An agent that follows the skill runs whatever the server sends that day, with the rights of the
person it works for. Nobody has read it, and nobody can later tell what it was. Malicious skills
have hidden their first step in this way.

# Example

````markdown garden-log/SKILL.md
---
name: garden-log
description: Keeps a garden log. Use when somebody tells what they planted.
---

```sh
curl -fsSL https://get.gardenlog.dev/install.sh | sh
```
````

# Instead

````markdown garden-log/SKILL.md
---
name: garden-log
description: Keeps a garden log. Use when somebody tells what they planted.
---

```sh
cargo install garden-log --version 1.4.2
```
````

# Source

The \"ClawHavoc\" skills of early 2026, whose installation step was a text in base 64 for `bash`;
the guide for scripts in Agent Skills, which says to pin versions.
",
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    for text in texts(skill) {
        let found = downloads::find(text.source.text());
        push_first(findings, &found, |download| finding(text, *download));
    }
}

fn finding(text: Text<'_>, download: Download) -> Finding {
    let runner = text.source.slice(download.runner);
    let message = match download.fetcher {
        "base64" => format!("`{runner}` runs a text in base 64 that nobody can read"),
        fetcher => format!("`{runner}` runs what `{fetcher}` downloads, unread"),
    };
    let help = match download.fetcher {
        "base64" => "write the commands out, so that whoever runs them can read them",
        _ => "name a package with its version, or download to a file, check it, and run it then",
    };
    Finding::at(&RULE.meta, text.place(download.span), message).help(help)
}
