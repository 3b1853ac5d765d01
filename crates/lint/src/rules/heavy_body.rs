//! `heavy-body`: the body of `SKILL.md` has more than about 5,000 tokens.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::Skill;
use dibber_text::{Span, message, quote};

/// The maximum number of tokens of a body that the specification recommends.
const TOKENS_MAX: usize = 5_000;
/// The number of characters per token, roughly and for most languages.
const CHARACTERS_PER_TOKEN: usize = 4;

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "heavy-body",
        group: Group::Structure,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the body of `SKILL.md` has more than about 5,000 tokens",
        docs: include_str!("heavy_body.md"),
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    let body = skill.body_text().trim();
    if body.len() <= TOKENS_MAX * CHARACTERS_PER_TOKEN {
        return;
    }
    let tokens = body.chars().count() / CHARACTERS_PER_TOKEN;
    if tokens <= TOKENS_MAX {
        return;
    }
    let at_least = if skill.is_cut() { "more than" } else { "about" };
    let message = message![
        "the body has ",
        at_least,
        " ",
        quote(&in_hundreds(tokens)),
        " tokens, more than the 5,000 that the specification recommends"
    ];
    let help = "move what is not needed every time into files under `references/`, and say in \
                `SKILL.md` when to read each";
    findings.push(Finding::new(&RULE.meta, first_line(skill), message).help(help));
}

/// Formats a count rounded up to hundreds, so that it never looks less than the limit: `5,100`.
fn in_hundreds(count: usize) -> String {
    let rounded = count.next_multiple_of(100);
    format!("{},{:03}", rounded / 1000, rounded % 1000)
}

fn first_line(skill: &Skill) -> Span {
    let body = skill.body_text();
    let start = skill.body.start + (body.len() - body.trim_start().len());
    let lines = skill.source.lines();
    Span::new(start, lines.line_span(skill.source.text(), lines.line(start)).end)
}
