//! The files that CI systems read: they are YAML, and what they use is pinned.

use std::fs;
use std::path::PathBuf;

use serde::Deserialize;
use serde_yaml::Value;

use crate::support::package;

/// The number of hexadecimal digits of a commit.
const COMMIT_DIGITS: usize = 40;

/// Returns the files that CI systems read.
fn files() -> Vec<PathBuf> {
    let workflows = fs::read_dir(package().join(".github/workflows")).expect("workflows");
    let workflows = workflows.map(|entry| entry.expect("an entry").path());
    let others = [".pre-commit-hooks.yaml", "action.yml", "packaging/gitlab/lint.yml"];
    workflows.chain(others.map(|path| package().join(path))).collect()
}

#[test]
fn every_file_is_yaml() {
    for path in files() {
        let text = fs::read_to_string(&path).expect("a file");
        for document in serde_yaml::Deserializer::from_str(&text) {
            if let Err(error) = Value::deserialize(document) {
                panic!("{}: {error}", path.display());
            }
        }
    }
}

/// A tag can be moved to another commit; the comment says which version the commit is.
#[test]
fn every_action_is_pinned_to_a_commit() {
    for path in files() {
        let text = fs::read_to_string(&path).expect("a file");
        for line in text.lines() {
            let Some((_, used)) = line.split_once("uses: ") else { continue };
            let reference = used.split_once('@').map_or("", |(_, reference)| reference);
            let (commit, version) = reference.split_once(" # v").unwrap_or((reference, ""));
            let is_commit = commit.len() == COMMIT_DIGITS
                && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
            assert!(is_commit && !version.is_empty(), "{}: {line}", path.display());
        }
    }
}

/// A filter that matches no test runs nothing, and is no failure.
#[test]
fn every_filter_of_the_script_matches_a_test() {
    let script = fs::read_to_string(package().join(".ci/run")).expect("the script");
    let script = script.replace("\\\n", "");
    let calls = script.lines().filter(|line| line.contains("cargo test "));
    let filters = calls.filter_map(|call| call.split_once(" -- ")).map(|(_, filters)| filters);
    let filters: Vec<&str> = filters.flat_map(str::split_whitespace).collect();
    assert!(!filters.is_empty());
    let tests = names_of_tests();
    for filter in filters {
        assert!(tests.iter().any(|name| name.contains(filter)), "{filter} matches no test");
    }
}

/// Returns the names of the tests of `tests/tests.rs`, with those of their modules.
fn names_of_tests() -> Vec<String> {
    let mut names = Vec::new();
    let root = package().join("tests");
    for entry in ignore::Walk::new(&root) {
        let entry = entry.expect("an entry");
        let path = entry.path();
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let module = path.strip_prefix(&root).expect("a path in the directory").with_extension("");
        let module: Vec<_> = module.iter().map(|part| part.to_string_lossy()).collect();
        let module = module.join("::");
        let text = fs::read_to_string(path).expect("a file");
        let text = text.replace("#[tokio::test]", "#[test]");
        for after in text.split("#[test]").skip(1) {
            let name = after.split_once("fn ").and_then(|(_, name)| name.split_once('('));
            names.extend(name.map(|(name, _)| format!("{module}::{name}")));
        }
    }
    names
}
