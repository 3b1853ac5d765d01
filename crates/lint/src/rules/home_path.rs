//! `home-path`: a path that exists on one person's machine only.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use crate::rule::{Check, Rule};
use crate::texts::texts;
use crate::texts::word_finder::{Case, finder};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::Skill;
use dibber_text::Span;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "home-path",
        group: Group::Security,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a path leads into one person's home folder",
        docs: include_str!("home_path.md"),
    },
    check: Check::Skill(check),
};

/// The most paths of one text that are looked at.
const PATHS_MAX: usize = 10_000;

const ROOTS: [&str; 4] = ["/Users/", "/home/", "\\Users\\", "\\\\Users\\\\"];

static ROOT_WORDS: LazyLock<AhoCorasick> = LazyLock::new(|| finder(ROOTS, Case::Counts));

/// Names that stand for anybody, with those of system accounts, containers and build machines.
const NOBODY: &str = "\
    a abc account acme admin administrator agent airflow alex alice analyst app attacker \
    bar baz bob bot build builder carol centos charlie circleci claude coder codespace \
    codex container dave daytona debian default deploy deployer dev developer docker doe \
    eve foo git gitpod guest hadoop jane jdoe jenkins john johnsmith jovyan jsmith \
    linuxbrew me myself nginx node nonroot oai opc operator owner person pi postgres \
    project projects public root runner sandbox self server service shared spark student \
    suspect target teacher team test tester ubuntu vagrant victim vscode work worker www you";

/// Parts of names that stand for anybody.
const NOBODY_PARTS: [&str; 10] = [
    "user",
    "name",
    "your",
    "example",
    "xxx",
    "placeholder",
    "someone",
    "somebody",
    "johndoe",
    "janedoe",
];

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    for text in texts(skill) {
        let source = text.source.text();
        let is_own = |name: &str| is_skills_own(skill, name);
        let mut paths = ROOT_WORDS.find_iter(source).take(PATHS_MAX).filter_map(|hit| {
            let root = Span::new(hit.start(), hit.end());
            home(source, root)
                .filter(|name| !is_own(&source[name.range()]))
                .map(|name| (root, name))
        });
        let Some((root, name)) = paths.next() else { continue };
        let more = match paths.count() {
            0 => String::new(),
            1 => ", and there is one more in this file".to_owned(),
            count => format!(", and there are {count} more in this file"),
        };
        let message = format!("a path into one person's home folder{more}");
        let help = "write the path from the skill's folder, or start it with `~` or `$HOME`";
        let span = Span::new(drive_start(source, root.start), name.end);
        findings.push(Finding::at(&RULE.meta, text.place(span), message).help(help));
    }
}

/// The name behind a root of home folders, when it is the name of a real person's folder.
fn home(text: &str, root: Span) -> Option<Span> {
    let separator = text.as_bytes()[root.end - 1];
    let rest = &text[root.end..];
    let length =
        rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ' ')))?;
    let name = &rest[..length];
    let is_folder = rest.as_bytes()[length] == separator;
    // Spaces stand in names on Windows only.
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c < '\u{250}' && (c != ' ' || separator == b'\\'));
    (is_folder && is_name && starts_path(text, root.start) && !is_nobody(name))
        .then(|| Span::new(root.end, root.end + length))
}

/// Tells whether a path begins there, and not the later part of an address or of another path.
fn starts_path(text: &str, start: usize) -> bool {
    let start = drive_start(text, start);
    let before = &text[..start];
    let is_part = |c: char| c.is_alphanumeric() || "/\\._-~$}>)]*%+?&".contains(c);
    before.ends_with("file://") || !before.ends_with(is_part)
}

/// Where the path starts when a drive stands in front: `C:`, `/c`, `/mnt/c`.
fn drive_start(text: &str, start: usize) -> usize {
    let before = &text[..start];
    let without = |count: usize| before.len() - count;
    let is_letter = |at: usize| before.as_bytes().get(at).is_some_and(u8::is_ascii_alphabetic);
    let is_free = |at: usize| at == 0 || !before.as_bytes()[at - 1].is_ascii_alphanumeric();
    if before.ends_with(':') && before.len() >= 2 && is_letter(without(2)) && is_free(without(2)) {
        return without(2);
    }
    if before.len() >= 2 && before.as_bytes()[without(2)] == b'/' && is_letter(without(1)) {
        let mount = before.len() - 2;
        return if before[..mount].ends_with("/mnt") { mount - "/mnt".len() } else { mount };
    }
    start
}

fn is_nobody(name: &str) -> bool {
    let plain: String =
        name.chars().filter(|c| c.is_alphabetic()).flat_map(char::to_lowercase).collect();
    plain.is_empty()
        || NOBODY.split(' ').any(|known| known == plain)
        || NOBODY_PARTS.iter().any(|part| plain.contains(part))
}

/// Tells whether the name is that of what the skill is about: a service's own home folder.
fn is_skills_own(skill: &Skill, name: &str) -> bool {
    skill.bundle.name.as_deref().is_some_and(|own| own.split('-').any(|part| part == name))
}
