//! `secret`: the skill contains a key or token that looks real.

use crate::rule::{Check, Rule};
use crate::scan::{TextFile, push_first, text_files};
use crate::skill_secrets::SkillSecrets;
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, Place, RuleMeta};
use dibber_skill::scan::secrets::Secret;
use dibber_skill::skill::{Skill, UnreadFile, UnreadSecret};
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

const HELP: &str = "remove it, revoke it (the history of the file still contains it), \
                    and let the skill read it from an environment variable";

fn check(skill: &Skill, secrets: &SkillSecrets<'_>, findings: &mut Vec<Finding>) {
    for file in text_files(skill) {
        push_first(findings, secrets.in_file(file.resource).secrets(), |secret| {
            finding(file, secret)
        });
    }
    for file in &skill.unread {
        push_first(findings, &file.secrets, |secret| unread_finding(file, secret));
    }
}

/// Returns the finding of a secret in a file that is not read as text.
fn unread_finding(file: &UnreadFile, secret: &UnreadSecret) -> Finding {
    let message = message!["line ", secret.line, " looks like ", secret.kind];
    Finding::at(&RULE.meta, Place::File(file.path.clone()), message).help(HELP)
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
    Finding::at(&RULE.meta, file.place(secret.span), message).help(HELP)
}
