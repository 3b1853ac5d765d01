//! `missing-mentioned-file`: the text names a file that the skill does not have.

use std::collections::HashSet;

use memchr::memmem;

use crate::files::links::{self, Destination, Page};
use crate::files::mentions::{Mention, MentionKind, TopFolders};
use crate::files::spellings::Spellings;
use crate::files::{paths, surroundings};
use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::{SKILL_FILE_NAME, Skill};
use dibber_text::ellipsize;

/// How often a text speaks of `SKILL.md` before it is taken to be about skills.
const SKILL_FILE_MENTIONS_MAX: usize = 2;
/// Words in the names of skills that teach how skills are written.
const NAMES_OF_GUIDES: [&str; 2] = ["skill", "plugin"];
/// The most missing paths of one skill whose surroundings are read.
const LOOKS_MAX: usize = 1_000;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "missing-mentioned-file",
        group: Group::Structure,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the text names a file that the skill does not have",
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
    let Some(folders) = TopFolders::of(&skill.bundle) else { return };
    let mut spellings = None;
    let mut reported = HashSet::new();
    let mut looks = 0;
    for page in links::pages(skill) {
        let mut is_guide = None;
        for mention in folders.mentions(page.source().text(), page.body()) {
            let Some(missing) = missing(page, &mention) else { continue };
            if looks == LOOKS_MAX || reported.contains(mention.path) {
                continue;
            }
            looks += 1;
            if !is_meant(page, &mention)
                || *is_guide.get_or_insert_with(|| is_guide_to_skills(page))
            {
                continue;
            }
            reported.insert(mention.path);
            let spellings = spellings.get_or_insert_with(|| Spellings::of(&skill.bundle));
            let message = format!("`{}` does not exist in the skill", ellipsize(mention.path));
            let finding = Finding::at(&RULE.meta, page.place(mention.span), message);
            findings.push(finding.help(spellings.help(&missing)));
        }
    }
}

/// The path of the file that is mentioned, when there is none.
fn missing(page: Page<'_>, mention: &Mention<'_>) -> Option<String> {
    if mention.kind != MentionKind::Exact || !has_ending(mention.path) {
        return None;
    }
    match page.destination(mention.path) {
        Destination::Missing(path) => Some(path),
        _ => None,
    }
}

/// Tells whether the words around it mean a file that is there.
fn is_meant(page: Page<'_>, mention: &Mention<'_>) -> bool {
    let text = page.source().text();
    !paths::is_placeholder(mention.path)
        && !surroundings::is_in_link(text, mention.span)
        && !surroundings::is_example_or_output(text, mention.span)
        && !surroundings::is_of_other_skill(text, mention.span)
}

/// Tells whether the last part of a path is the name of a file: `a.md`, not `a` or `v1.2`.
fn has_ending(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(before, ending)| {
        !before.ends_with('/')
            && (1..=8).contains(&ending.len())
            && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && ending.bytes().any(|byte| byte.is_ascii_alphabetic())
    })
}

/// Tells whether a text teaches how skills are written, so that its paths are examples.
fn is_guide_to_skills(page: Page<'_>) -> bool {
    let text = page.source().text();
    let mentions = memmem::find_iter(text.as_bytes(), SKILL_FILE_NAME);
    let is_bare = |at: &usize| !text[..*at].ends_with('/');
    mentions.filter(is_bare).take(SKILL_FILE_MENTIONS_MAX + 1).count() > SKILL_FILE_MENTIONS_MAX
}
