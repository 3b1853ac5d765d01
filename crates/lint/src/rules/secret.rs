//! `secret`: the skill contains a key or token that looks real.

use crate::rule::{Check, Rule};
use crate::scan::{TextFile, push_first, text_files};
use crate::skill_secrets::SkillSecrets;
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::scan::secrets::Secret;
use dibber_skill::skill::Skill;
use dibber_text::{DecodedText, message, quote};

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
    check: Check::Secrets(check),
};

fn check(skill: &Skill, secrets: &SkillSecrets<'_>, findings: &mut Vec<Finding>) {
    for file in text_files(skill) {
        push_first(findings, secrets.in_file(file.resource).secrets(), |secret| {
            finding(file, secret)
        });
    }
}

fn finding(file: TextFile<'_>, secret: &Secret) -> Finding {
    let shown = &file.source.text()[secret.span.start..secret.masked.start];
    let masked = file.source.slice(secret.masked);
    let length = DecodedText::decode(masked)
        .map_or_else(|| masked.chars().count(), |decoded| decoded.text().chars().count());
    let message = match shown {
        "" => message!["looks like ", secret.kind, " of ", length, " characters"],
        _ => message![
            "looks like ",
            secret.kind,
            ": `",
            quote(shown.trim_end()),
            "` and ",
            length,
            " characters"
        ],
    };
    let help = "remove it, revoke it (the history of the file still contains it), \
                and let the skill read it from an environment variable";
    Finding::at(&RULE.meta, file.place(secret.span), message).help(help)
}
