//! Pulls of several skills, one of which cannot be written.

use serde_json::Value;

use super::push::{PLAN, Project};

/// A file in the place of a folder keeps one skill from being written.
#[test]
fn a_skill_that_cannot_be_written_does_not_keep_others_from_being_written() {
    let project = Project::new();
    let manifest = b"include:\n  - references/days.md\n";
    project.tree.write("skills/plan-my-week/sprout.yaml", manifest);
    project.tree.write("skills/plan-my-week/references/days.md", b"Monday is for sums.\n");
    let other = PLAN.replace("plan-my-week", "other").replace("my week", "my day");
    project.tree.write("skills/other/SKILL.md", other.as_bytes());
    let ended = project.run(&["push", "skills", "--yes"]);
    assert_eq!(ended.code, 0, "{}", ended.show());
    for name in ["plan-my-week", "other"] {
        let path = project.tree.path().join("skills").join(name);
        std::fs::remove_dir_all(path).expect("a directory");
    }
    project.tree.write("skills/plan-my-week/references", b"A file.\n");
    let ended = project.run(&["pull", "--all", "--yes", "--json"]);
    assert_ne!(ended.code, 0, "{}", ended.show());
    let shown: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    assert_eq!(shown["items"].as_array().map(Vec::len), Some(1), "{}", ended.show());
    assert_eq!(shown["errors"].as_array().map(Vec::len), Some(1), "{}", ended.show());
    assert!(project.tree.read("skills/other/SKILL.md").contains("my day"));
}
