//! `home-path`: a path leads into a person's home directory.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use crate::rule::{Check, Rule};
use crate::scan::text_files;
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::scan::word_finder::{Case, finder};
use dibber_skill::skill::Skill;
use dibber_text::{Message, Span, message};

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "home-path",
        group: Group::Security,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a path leads into a person's home directory",
        docs: include_str!("home_path.md"),
    },
    check: Check::Skill(check),
};

/// The maximum number of paths in one file that are checked.
const PATHS_MAX: usize = 10_000;

const ROOTS: [&str; 4] = ["/Users/", "/home/", "\\Users\\", "\\\\Users\\\\"];

static ROOT_WORDS: LazyLock<AhoCorasick> = LazyLock::new(|| finder(ROOTS, Case::Sensitive));

/// Generic names, and those of system accounts, containers and build machines.
const GENERIC_NAMES: &str = "\
    a abc account acme admin administrator agent airflow alex alice analyst app attacker \
    bar baz bob bot build builder carol centos charlie circleci claude coder codespace \
    codex container dave daytona debian default deploy deployer dev developer docker doe \
    eve foo git gitpod guest hadoop jane jdoe jenkins john johnsmith jovyan jsmith \
    linuxbrew me myself nginx node nonroot oai opc operator owner person pi postgres \
    project projects public root runner sandbox self server service shared spark student \
    suspect target teacher team test tester ubuntu vagrant victim vscode work worker www you";

/// Parts of generic names.
const GENERIC_PARTS: [&str; 10] = [
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
    for file in text_files(skill) {
        let source = file.source.text();
        let is_own = |name: &str| is_skills_own(skill, name);
        let mut paths = ROOT_WORDS.find_iter(source).take(PATHS_MAX).filter_map(|hit| {
            let root = Span::new(hit.start(), hit.end());
            home(source, root)
                .filter(|name| !is_own(&source[name.range()]))
                .map(|name| (root, name))
        });
        let Some((root, name)) = paths.next() else { continue };
        let more = match paths.count() {
            0 => Message::default(),
            1 => message![", and 1 more in this file"],
            count => message![", and ", count, " more in this file"],
        };
        let message = message!["a path into a person's home directory", more];
        let help = "write a path relative to the skill, or begin it with `~` or `$HOME`";
        let span = Span::new(drive_start(source, root.start), name.end);
        findings.push(Finding::at(&RULE.meta, file.place(span), message).help(help));
    }
}

/// Returns the span of the user name after the parent of home directories, if it looks like a
/// real person's.
fn home(text: &str, root: Span) -> Option<Span> {
    let separator = text.as_bytes()[root.end - 1];
    let rest = &text[root.end..];
    let length =
        rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ' ')))?;
    let name = &rest[..length];
    let is_directory = rest.as_bytes()[length] == separator;
    // Only Windows has user names with spaces.
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c < '\u{250}' && (c != ' ' || separator == b'\\'));
    (is_directory && is_name && starts_path(text, root.start) && !is_generic(name))
        .then(|| Span::new(root.end, root.end + length))
}

/// Returns `true` if a path begins at `start`, not the later part of a URL or of another path.
fn starts_path(text: &str, start: usize) -> bool {
    let start = drive_start(text, start);
    let before = &text[..start];
    let is_part = |c: char| c.is_alphanumeric() || "/\\._-~$}>)]*%+?&".contains(c);
    before.ends_with("file://") || !before.ends_with(is_part)
}

/// Returns the start of the path including a drive before it: `C:`, `/c`, `/mnt/c`.
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

fn is_generic(name: &str) -> bool {
    let plain: String =
        name.chars().filter(|c| c.is_alphabetic()).flat_map(char::to_lowercase).collect();
    plain.is_empty()
        || GENERIC_NAMES.split(' ').any(|known| known == plain)
        || GENERIC_PARTS.iter().any(|part| plain.contains(part))
}

/// Returns `true` if `name` is part of the skill's name: the home directory of a service.
fn is_skills_own(skill: &Skill, name: &str) -> bool {
    skill.bundle.name.as_deref().is_some_and(|own| own.split('-').any(|part| part == name))
}
