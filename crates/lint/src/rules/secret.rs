//! `secret`: a key or token that could really open something.

use crate::rule::{Check, Rule};
use crate::texts::secrets::{self, Secret};
use crate::texts::{Text, push_first, texts};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::Skill;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "secret",
        group: Group::Security,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the skill holds a key or token that looks real",
        docs: "
# What it does

Looks in `SKILL.md` and in every other text file of the skill for keys and tokens: of AWS,
GitHub, GitLab, Anthropic, OpenAI, OpenRouter, Slack, Google, Stripe, npm, PyPI, Hugging Face,
SendGrid, Telegram, DigitalOcean, Databricks, Shopify and Groq, for JSON web tokens, and for
private keys without a password. Length, alphabet and (where there is one) checksum must be
right, and the rest must look like chance: `AKIAIOSFODNN7EXAMPLE`, `hf_xxxx…` and `sk-...` are
examples, and stay quiet.

The secret itself is never shown. In a report its characters are `*`, also when another rule
speaks of the same line.

# Why is this bad

A skill is made to be copied. Whoever has the folder, or any older version of it in git, can use
the key in the author's name and at the author's cost.

# Example

```markdown escaped release-notes/SKILL.md
---
name: release-notes
description: Writes release notes. Use when a version is about to be published.
---

Log in with `export GITHUB_TOKEN=ghp\\u{5F}POCcBEF8m5GkOXhiY5ydVCQkdbDovo1CrPju` first.
```

(`\\u{5F}` stands for `_`, so that nobody takes this page for a leak.)

# Instead

```markdown release-notes/SKILL.md
---
name: release-notes
description: Writes release notes. Use when a version is about to be published.
---

Log in with the token in `$GITHUB_TOKEN`; ask for it if it is not set.
```

# Source

The formats that the makers publish, such as \"Behind GitHub's new authentication token
formats\" (2021), whose checksum is verified. Matching prefixes alone is wrong nearly always: of
42 texts after `sk-` in 12,000 real skills, none was a key.
",
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    for text in texts(skill) {
        let secrets = secrets::find(text.source.text());
        push_first(findings, &secrets, |secret| finding(text, secret));
    }
}

fn finding(text: Text<'_>, secret: &Secret) -> Finding {
    let shown = &text.source.text()[secret.span.start..secret.hidden.start];
    let length = text.source.slice(secret.hidden).chars().count();
    let message = match shown {
        "" => format!("looks like {} of {length} characters", secret.kind),
        _ => format!("looks like {}: `{}` and {length} characters", secret.kind, shown.trim_end()),
    };
    let help = "take it out, revoke it where it was made (the history of the file still holds it), \
                and let the skill read it from an environment variable";
    Finding::at(&RULE.meta, text.place(secret.span), message).help(help)
}
