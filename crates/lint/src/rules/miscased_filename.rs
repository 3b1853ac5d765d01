//! `miscased-filename`: the skill's file is not named exactly `SKILL.md`.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, Place, RuleMeta};
use dibber_skill::skill::{SKILL_FILE_NAME, Skill};
use dibber_text::{message, quote};

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "miscased-filename",
        group: Group::Spec,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the skill's file is not named exactly `SKILL.md`",
        docs: include_str!("miscased_filename.md"),
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    let file = &skill.bundle.skill_file;
    if file == SKILL_FILE_NAME {
        return;
    }
    let message = message![
        "the skill's file is named `",
        quote(file),
        "`, but clients look for `",
        SKILL_FILE_NAME,
        "`"
    ];
    let help = if file.eq_ignore_ascii_case(SKILL_FILE_NAME) {
        message![
            "rename it with `git mv ",
            quote(file),
            " ",
            SKILL_FILE_NAME,
            "`, which also works where the file \
             system takes both names for one"
        ]
    } else {
        message!["rename it to `", SKILL_FILE_NAME, "`"]
    };
    findings.push(Finding::at(&RULE.meta, Place::File(file.clone()), message).help(help));
}
