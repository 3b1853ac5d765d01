//! Every rule: its documentation, the examples in it, and its fixtures.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use dibber_lint::RULES;
use dibber_skill::diagnostic::Diagnostic;

use crate::support::{Tree, lint_directory, only, package, show};

const HEADINGS: [&str; 5] =
    ["# What it does", "# Why is this bad", "# Example", "# Instead", "# Source"];

#[test]
fn rules_are_sorted_unique_and_in_kebab_case() {
    let keys: Vec<_> = RULES.iter().map(|rule| (rule.meta.group, rule.meta.id)).collect();
    assert!(keys.is_sorted(), "RULES is not sorted by group and id: {keys:?}");
    let ids: BTreeSet<_> = RULES.iter().map(|rule| rule.meta.id).collect();
    assert_eq!(ids.len(), RULES.len(), "two rules have the same id");
    for id in ids {
        assert!(
            id.chars().all(|c| c.is_ascii_lowercase() || c == '-' || c.is_ascii_digit()),
            "{id}"
        );
    }
}

#[test]
fn documentation_has_every_heading_in_order() {
    for rule in RULES {
        let lines: Vec<_> = rule.meta.docs.lines().filter(|line| HEADINGS.contains(line)).collect();
        assert_eq!(lines, HEADINGS, "{}", rule.meta.id);
        assert!(!rule.meta.summary.ends_with('.'), "{}: {}", rule.meta.id, rule.meta.summary);
    }
}

#[test]
fn documentation_examples_fire_and_their_corrections_do_not() {
    for rule in RULES {
        let id = rule.meta.id;
        let found = of_rule(id, example(rule.meta.docs, "# Example").lint(&only(id)));
        assert!(!found.is_empty(), "{id}: the example does not fire");
        let found = of_rule(id, example(rule.meta.docs, "# Instead").lint(&only(id)));
        assert!(found.is_empty(), "{id}: the correction fires:\n{}", show(&found));
    }
}

/// Returns the files of the code blocks under a heading. The word after the language is the path;
/// the word `escaped` before it means that `\u{…}` and `\xNN` are characters and bytes, and the
/// word `repeated` that a line such as `… 600 such lines …` repeats the one above it. A block in
/// the language `symlink` contains the target of a symbolic link.
fn example(docs: &str, heading: &str) -> Tree {
    let section = docs.split_once(&format!("{heading}\n")).expect("the heading").1;
    let mut archive = String::new();
    let mut escaped = false;
    let mut repeated = false;
    let mut link = None;
    let mut fence: Option<&str> = None;
    for line in section.lines() {
        if fence.is_none() && HEADINGS.contains(&line) {
            break;
        }
        let ticks = &line[..line.len() - line.trim_start_matches('`').len()];
        match fence {
            Some(open) if ticks == open => fence = None,
            Some(_) if let Some(path) = link.take() => {
                archive += &format!("-- {path} -> {line} --\n");
            }
            Some(_) if repeated && line.starts_with('…') => repeat_last_line(&mut archive, line),
            Some(_) => archive += &format!("{line}\n"),
            None if ticks.len() >= 3 => {
                fence = Some(ticks);
                let words: Vec<_> = line[ticks.len()..].split(' ').collect();
                escaped |= words.contains(&"escaped");
                repeated = words.contains(&"repeated");
                let path = words.last().copied().filter(|word| word.contains('.'));
                let path = path.unwrap_or("example/SKILL.md");
                if words[0] == "symlink" {
                    link = Some(path);
                } else {
                    archive += &format!("-- {path} --\n");
                }
            }
            None => {}
        }
    }
    Tree::from_archive(&archive, escaped)
}

fn repeat_last_line(archive: &mut String, times: &str) {
    let count = times.split(' ').find_map(|word| word.replace(',', "").parse().ok());
    let last = archive.trim_end().rfind('\n').expect("a line to repeat") + 1;
    let lines = archive[last..].repeat(count.expect("how many lines"));
    archive.push_str(&lines);
}

fn of_rule(id: &str, diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.into_iter().filter(|diagnostic| diagnostic.rule.id == id).collect()
}

#[test]
fn every_rule_has_fixtures_and_every_fixture_a_rule() {
    let directories: BTreeSet<String> =
        names(&package().join("fixtures/rules")).into_iter().collect();
    let rules: BTreeSet<String> = RULES.iter().map(|rule| rule.meta.id.to_owned()).collect();
    assert_eq!(directories, rules);
}

#[test]
fn every_rule_has_a_page_and_every_page_a_rule() {
    let files = names(&package().join("crates/lint/src/rules"));
    let pages: BTreeSet<_> = files.iter().filter_map(|file| file.strip_suffix(".md")).collect();
    let rules: Vec<_> = RULES.iter().map(|rule| rule.meta.id.replace('-', "_")).collect();
    assert_eq!(pages, rules.iter().map(String::as_str).collect());
}

#[test]
fn fixtures_fire_or_are_quiet_as_their_directory_is_named() {
    for rule in RULES {
        let directory = package().join("fixtures/rules").join(rule.meta.id);
        let mut report = String::new();
        for case in cases_that_fire(rule.meta.id) {
            let found = of_rule(rule.meta.id, lint_case(&case, rule.meta.id));
            assert!(!found.is_empty(), "{}: nothing found", case.display());
            report += &format!("# {}\n{}", name(&case), show(&found));
        }
        for case in cases(&directory.join("quiet")) {
            let found = of_rule(rule.meta.id, lint_case(&case, rule.meta.id));
            assert!(found.is_empty(), "{}:\n{}", case.display(), show(&found));
        }
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(format!("rule-{}", rule.meta.id), report);
        });
    }
}

fn lint_case(case: &Path, rule: &str) -> Vec<Diagnostic> {
    with_case_directory(case, |directory| lint_directory(directory, &only(rule)))
}

/// Calls `act` with the directory of a case. A case is a directory, or an archive for what not
/// every checkout can contain (`.archive`, or `.escaped` if it has escapes).
pub(crate) fn with_case_directory<T>(case: &Path, act: impl FnOnce(&Path) -> T) -> T {
    match case.extension().and_then(|ending| ending.to_str()) {
        Some(ending @ ("archive" | "escaped")) => {
            let archive = fs::read_to_string(case).expect("an archive");
            act(Tree::from_archive(&archive, ending == "escaped").path())
        }
        _ => act(case),
    }
}

/// Returns the cases in which a rule finds something.
pub(crate) fn cases_that_fire(rule: &str) -> Vec<PathBuf> {
    cases(&package().join("fixtures/rules").join(rule).join("fire"))
}

fn cases(directory: &Path) -> Vec<PathBuf> {
    let cases: Vec<_> = names(directory).into_iter().map(|name| directory.join(name)).collect();
    assert!(!cases.is_empty(), "{}: no cases", directory.display());
    cases
}

fn names(directory: &Path) -> Vec<String> {
    let entries =
        fs::read_dir(directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
    let mut names: Vec<_> = entries
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn name(path: &Path) -> String {
    path.file_name().expect("a name").to_string_lossy().into_owned()
}
