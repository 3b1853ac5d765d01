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
        docs: include_str!("piped_shell.md"),
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
