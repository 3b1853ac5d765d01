//! `missing-description`: the frontmatter has no `description`.

use crate::fields::{self, Presence};
use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Applicability, Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::yaml_scalar;
use dibber_skill::skill::{BundleKind, Entry, Skill};
use dibber_text::{Span, message, quote};

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "missing-description",
        group: Group::Spec,
        level: Level::Deny,
        fix: FixAvailability::Sometimes(Applicability::Safe),
        since: "0.1.0",
        summary: "the frontmatter has no `description`",
        docs: include_str!("missing_description.md"),
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    let Some(frontmatter) = &skill.frontmatter else { return };
    if skill.bundle.kind == BundleKind::SkillsProtocol
        && skill.field("short_description").is_some_and(|entry| !fields::is_empty(&entry.value))
    {
        return;
    }
    let help = "say what the skill does and when to use it, in one or two sentences";
    findings.extend(match fields::presence(skill, "description") {
        Presence::Present | Presence::Unknown => None,
        Presence::Absent => {
            let message = "the frontmatter has no `description`";
            Some(Finding::new(&RULE.meta, frontmatter.opening, message).help(help))
        }
        Presence::Empty(entry) => Some(comment_as_value(skill, entry).unwrap_or_else(|| {
            let message = "the `description` is empty";
            Finding::new(&RULE.meta, entry.key.span, message).help(help)
        })),
        Presence::Misspelled(entry) => {
            let message = message![
                "the frontmatter has no `description`, but a field `",
                quote(entry.key.as_str().unwrap_or_default()),
                "`"
            ];
            let title = "Rename the key to `description`";
            let finding = Finding::new(&RULE.meta, entry.key.span, message)
                .help("rename the key to `description`")
                .fix(Applicability::Safe, title, entry.key.span, "description");
            Some(finding)
        }
    });
}

/// Handles `description: # Plans a day trip`, where YAML reads a comment instead of a value.
fn comment_as_value(skill: &Skill, entry: &Entry) -> Option<Finding> {
    let start = fields::after_colon(skill, entry)?;
    let rest = &skill.source.text()[start..];
    let line = rest.split(['\n', '\r']).next().unwrap_or_default();
    let text = line.trim();
    if !text.starts_with('#') || text.trim_start_matches(['#', ' ']).is_empty() {
        return None;
    }
    let start = start + line.len() - line.trim_start().len();
    let message = "the `description` is empty, because `#` begins a comment in YAML";
    let finding = Finding::new(&RULE.meta, Span::new(start, start + text.len()), message)
        .help("put the text in quotes if it is the description");
    Some(match yaml_scalar::unescaped_in_quotes(text) {
        Some(quoted) => finding.fix(
            Applicability::Unsafe,
            "Put the text in quotes",
            Span::new(start, start + text.len()),
            quoted,
        ),
        None => finding,
    })
}
