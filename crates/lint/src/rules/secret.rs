//! `secret`: the skill contains a key or token that looks real.

use crate::rule::{Check, Rule};
use crate::texts::secrets::{self, Secret};
use crate::texts::{Text, push_first, texts};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::Skill;

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "secret",
        group: Group::Security,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the skill contains a key or token that looks real",
        docs: include_str!("secret.md"),
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
    let help = "remove it, revoke it (the history of the file still contains it), \
                and let the skill read it from an environment variable";
    Finding::at(&RULE.meta, text.place(secret.span), message).help(help)
}
