//! `missing-mentioned-file`: the text mentions a file that does not exist in the skill.

use std::collections::HashSet;

use memchr::memmem;

use crate::files::links::{self, Destination, SkillPage};
use crate::files::mentions::{Mention, MentionKind, TopDirectories};
use crate::files::spellings::Spellings;
use crate::files::{context, paths};
use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::{SKILL_FILE_NAME, Skill};
use dibber_text::{message, quote};

/// The number of mentions of `SKILL.md` from which a page counts as being about skills.
const SKILL_FILE_MENTIONS_MAX: usize = 2;
/// Words in the names of skills about writing skills.
const NAMES_OF_GUIDES: [&str; 2] = ["skill", "plugin"];
/// The maximum number of missing paths of one skill whose context is read.
const LOOKS_MAX: usize = 1_000;

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "missing-mentioned-file",
        group: Group::Structure,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the text mentions a file that does not exist in the skill",
        docs: include_str!("missing_mentioned_file.md"),
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    if skill.bundle.files.len() <= 1 || !skill.bundle.is_complete() {
        return;
    }
    let name = skill.bundle.name.as_deref().unwrap_or_default();
    if NAMES_OF_GUIDES.iter().any(|word| name.contains(word)) {
        return;
    }
    let Some(directories) = TopDirectories::new(&skill.bundle) else { return };
    let mut spellings = None;
    let mut reported = HashSet::new();
    let mut looks = 0;
    for page in links::pages(skill) {
        let mut is_guide = None;
        for mention in directories.mentions(page.source().text(), page.body()) {
            let Some(missing) = missing(page, &mention) else { continue };
            if looks == LOOKS_MAX || reported.contains(mention.path) {
                continue;
            }
            looks += 1;
            if !is_expected(page, &mention)
                || *is_guide.get_or_insert_with(|| is_guide_to_skills(page))
            {
                continue;
            }
            reported.insert(mention.path);
            let spellings = spellings.get_or_insert_with(|| Spellings::new(&skill.bundle));
            let message = message!["`", quote(mention.path), "` does not exist in the skill"];
            let finding = Finding::at(&RULE.meta, page.place(mention.span), message);
            findings.push(finding.help(spellings.help(&missing)));
        }
    }
}

/// Returns the path of the mentioned file if it does not exist.
fn missing(page: SkillPage<'_>, mention: &Mention<'_>) -> Option<String> {
    if mention.kind != MentionKind::Exact || !has_extension(mention.path) {
        return None;
    }
    match page.destination(mention.path) {
        Destination::Missing(path) => Some(path),
        _ => None,
    }
}

/// Returns `true` if the context of the path says that the file exists.
fn is_expected(page: SkillPage<'_>, mention: &Mention<'_>) -> bool {
    let text = page.source().text();
    !paths::is_placeholder(mention.path)
        && !context::is_in_link(text, mention.span)
        && !context::is_example_or_output(text, mention.span)
        && !context::belongs_to_other_skill(text, mention.span)
}

/// Returns `true` if the path has a file extension: `a.md`, not `a` or `v1.2`.
fn has_extension(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(before, ending)| {
        !before.ends_with('/')
            && (1..=8).contains(&ending.len())
            && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && ending.bytes().any(|byte| byte.is_ascii_alphabetic())
    })
}

/// Returns `true` if the page is about writing skills, so that its paths are examples.
fn is_guide_to_skills(page: SkillPage<'_>) -> bool {
    let text = page.source().text();
    let mentions = memmem::find_iter(text.as_bytes(), SKILL_FILE_NAME);
    let is_bare = |at: &usize| !text[..*at].ends_with('/');
    mentions.filter(is_bare).take(SKILL_FILE_MENTIONS_MAX + 1).count() > SKILL_FILE_MENTIONS_MAX
}
