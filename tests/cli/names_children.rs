//! The names of the children of the family in the server in this program: no command shows them, and
//! files keep them.

use std::fs;

use super::push_heartbeats::{PUSH, Project};
use crate::support::Tree;

/// A skill that was written before the family had the child.
const SKILL: &str = "\
-- dibber.toml --
-- quiz/SKILL.md --
---
name: quiz
description: Asks Ottilie five questions about animals. Use it after lunch.
---

# Questions for {{input.child_name}}

Ask five questions about animals.
-- quiz/sprout.yaml --
label: The quiz of Ottilie
inputs:
  - name: child_name
heartbeats:
  - name: Ottilie at noon
    cron: \"0 12 * * *\"
    input:
      child_name: Ottilie
";

/// Returns the project after the skill was published, and the child was added later.
fn project() -> Project {
    let project = Project { tree: Tree::from_archive(SKILL, false), data: Tree::new() };
    assert_eq!(project.run(&PUSH).code, 0);
    let add = ["family", "add-child", "Ottilie", "--born", "2019-04-30"];
    assert_eq!(project.run(&add).code, 0);
    project
}

/// Runs a command that has something to say of the child, and returns everything that it printed.
#[track_caller]
fn masked(project: &Project, arguments: &[&str]) -> String {
    let shown = project.run(arguments).show();
    assert!(!shown.contains("Ottilie"), "{arguments:?}: {shown}");
    assert!(shown.contains("*******"), "{arguments:?}: {shown}");
    shown
}

#[test]
fn no_command_shows_the_name_of_a_child() {
    let project = project();
    let run = |arguments: &[&str]| masked(&project, arguments);
    for arguments in [
        &["diff"][..],
        &["skill", "list"],
        &["skill", "list", "--json"],
        &["skill", "get", "quiz"],
        &["skill", "get", "quiz", "--json"],
        &["skill", "archive", "quiz", "--yes"],
        &["skill", "update", "quiz", "--description", "Asks about plants.", "--dry-run"],
        &["call", "skill_list"],
        &["call", "heartbeat_list", "--json"],
        &["invoke", "quiz", "--input", "child_name=Ottilie"],
        &["heartbeat", "list"],
        &["heartbeat", "describe", "quiz"],
        &["heartbeat", "edit", "quiz", "--cron", "0 13 * * *", "--dry-run"],
        &["heartbeat", "pause", "quiz"],
        &["heartbeat", "resume", "Ottilie at noon", "--json"],
    ] {
        run(arguments);
    }
    let listed = run(&["heartbeat", "list", "--json"]);
    assert!(listed.contains("\"child_name\": \"*******\""), "{listed}");
}

/// The lines around a change contain the name of a child, which is masked, and the file keeps it.
#[test]
fn a_pull_shows_no_name_of_a_child_and_keeps_it_in_the_files() {
    let project = project();
    let files =
        || ["SKILL.md", "sprout.yaml"].map(|name| project.tree.read(&format!("quiz/{name}")));
    let before = files();
    let edit = ["heartbeat", "edit", "Ottilie at noon", "--cron", "0 13 * * *", "--yes"];
    masked(&project, &edit);
    let shown = masked(&project, &["pull", "quiz", "--dry-run"]);
    assert!(shown.contains("child_name: *******"), "{shown}");
    masked(&project, &["pull", "quiz"]);
    assert_eq!(files(), before.map(|text| text.replace("0 12", "0 13")));
    // Nothing is a change only because it is masked.
    assert!(project.run(&PUSH).stderr.contains("up to date"));
}

#[test]
fn the_folder_of_a_pull_is_not_named_after_a_child() {
    let project = project();
    fs::remove_dir_all(project.tree.path().join("quiz")).expect("a directory");
    fs::remove_file(project.tree.path().join("dibber.lock")).expect("a file");
    let pull = ["pull", "--all", "--into", "out"];
    let shown = project.run(&pull).show();
    assert!(shown.contains(" is out/skill-sk"), "{shown}");
    let paths = fs::read_dir(project.tree.path().join("out")).expect("a directory");
    let paths: Vec<_> = paths.map(|entry| entry.expect("an entry").file_name()).collect();
    let [path] = &paths[..] else { panic!("{paths:?}") };
    let path = path.to_string_lossy();
    assert!(path.starts_with("skill-sk"), "{path}");
    let manifest = project.tree.read(&format!("out/{path}/sprout.yaml"));
    assert!(manifest.contains("label: The quiz of Ottilie"), "{manifest}");
    assert!(project.run(&pull).stderr.contains("up to date"));
}

/// A check of files knows the private list alone; what the server refuses is shown masked.
#[test]
fn a_push_leaves_the_names_of_children_to_the_server() {
    let project = project();
    assert!(project.run(&PUSH).stderr.contains("up to date"));
    let path = "quiz/SKILL.md";
    let text = project.tree.read(path).replace("Ask five", "Ask six");
    project.tree.write(path, text.as_bytes());
    let refused = project.run(&PUSH);
    assert_eq!(refused.code, 3, "{}", refused.show());
    assert!(refused.stderr.contains("PII_IN_PROMPT at quiz/SKILL.md:3:19"), "{}", refused.show());
    assert!(!refused.show().contains("Ottilie"), "{}", refused.show());
}
