//! `piped-shell`: a command runs what it downloads without review.

use crate::rule::{Check, Rule};
use crate::scan::{TextFile, push_first, text_files};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::scan::downloads::{self, Download};
use dibber_skill::skill::Skill;
use dibber_text::{message, quote};

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "piped-shell",
        group: Group::Security,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a command runs what it downloads without review",
        docs: include_str!("piped_shell.md"),
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    for file in text_files(skill) {
        let found = downloads::find(file.source.text());
        push_first(findings, &found, |download| finding(file, *download));
    }
}

fn finding(file: TextFile<'_>, download: Download) -> Finding {
    let runner = file.source.slice(download.runner);
    let message = match download.fetcher {
        "base64" => {
            message!["`", quote(runner), "` runs base64-encoded text, which cannot be reviewed"]
        }
        fetcher => message![
            "`",
            quote(runner),
            "` runs what `",
            quote(fetcher),
            "` downloads without review"
        ],
    };
    let help = match download.fetcher {
        "base64" => "write out the commands, so that they can be reviewed",
        _ => {
            "install a pinned version of a package, or download to a file, check it, and then run it"
        }
    };
    Finding::at(&RULE.meta, file.place(download.span), message).help(help)
}
