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
