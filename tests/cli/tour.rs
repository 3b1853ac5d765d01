//! The tour of the README: from a directory to a skill that is published, run and scheduled.

use insta::assert_snapshot;
use tempfile::TempDir;

use crate::support::command::Dibber;
use crate::support::{Tree, copy_directory, package};

const SKILL: &str = "examples/bedtime-story";

/// The output with what differs from run to run replaced: ids, and when a heartbeat fires.
fn steady(shown: &str) -> String {
    let is_id = |word: &str| {
        ["sk_", "hb_"].iter().any(|prefix| word.trim_start_matches('(').starts_with(prefix))
    };
    let lines = shown.lines().map(|line| {
        let line = line.split("  next        ").next().unwrap_or_default();
        let words = line.split(' ').map(|word| if is_id(word) { "ID" } else { word });
        words.collect::<Vec<_>>().join(" ")
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_tour_of_the_readme() {
    let data = TempDir::new().expect("a directory");
    let tree = Tree::new();
    copy_directory(&package().join(SKILL), &tree.path().join(SKILL));
    let lines: [&[&str]; 5] = [
        &["push", "--yes", SKILL],
        &["invoke", SKILL, "--input", "child_name=Jay", "--input", "topic=owls"],
        &["heartbeat", "create", SKILL, "--yes"],
        &["push", "--yes", SKILL],
        &["heartbeat", "create", SKILL, "--yes"],
    ];
    for (number, line) in lines.into_iter().enumerate() {
        let dibber = Dibber::new(line).data(data.path()).env("COLUMNS", "92");
        let ended = dibber.in_directory(tree.path()).run();
        assert_eq!(ended.code, 0, "{}", ended.show());
        assert_snapshot!(format!("tour-{}", number + 1), steady(&ended.show()));
    }
}
