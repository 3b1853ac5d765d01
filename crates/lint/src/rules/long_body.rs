//! `long-body`: `SKILL.md` has more than 500 lines.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::Skill;
use dibber_text::{message, quote};

/// The maximum number of lines of a `SKILL.md` that the specification recommends.
const LINES_MAX: usize = 500;

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "long-body",
        group: Group::Structure,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "`SKILL.md` has more than 500 lines",
        docs: include_str!("long_body.md"),
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    let text = skill.source.text().trim_ascii_end();
    // CRLF counts twice here, so this is an upper bound of the number of lines.
    let count = |byte| memchr::memchr_iter(byte, text.as_bytes()).count();
    let line_breaks = count(b'\n') + count(b'\r');
    if line_breaks < LINES_MAX {
        return;
    }
    let lines = skill.source.lines();
    let count = lines.line(text.len());
    if count <= LINES_MAX {
        return;
    }
    let at_least = if skill.is_cut() { "at least " } else { "" };
    let message = message![
        "`",
        quote(&skill.bundle.skill_file),
        "` has ",
        at_least,
        count,
        " lines, more than the ",
        LINES_MAX,
        " that the specification recommends"
    ];
    let span = lines.line_span(skill.source.text(), LINES_MAX + 1);
    let help = "move what is not needed every time into files under `references/`, and say in \
                `SKILL.md` when to read each";
    let finding = Finding::new(&RULE.meta, span, message).help(help);
    findings.push(finding.note(message!["line ", LINES_MAX + 1, " is the first beyond the limit"]));
}
