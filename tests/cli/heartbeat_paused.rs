//! Heartbeats of a push that are paused.

use serde_json::Value;

use super::push_heartbeats::Project;

/// Whether each heartbeat of the server fires.
fn enabled(project: &Project) -> Vec<bool> {
    let listed = project.json(&["heartbeat", "list"]);
    let items = listed["items"].as_array().expect("a list").iter();
    let mut named: Vec<(String, bool)> = items
        .map(|item| (item["name"].to_string(), item["enabled"] == Value::Bool(true)))
        .collect();
    named.sort();
    named.into_iter().map(|(_, is_enabled)| is_enabled).collect()
}

#[test]
fn a_paused_heartbeat_with_other_inputs_stays_paused() {
    let project = Project::new();
    project.run(&["push", "--yes"]);
    let ended = project.run(&["heartbeat", "pause", "Before school"]);
    assert_eq!((ended.code, enabled(&project)), (0, vec![false, true]), "{}", ended.show());
    let manifest = project.tree.read("day-plan/sprout.yaml");
    let changed = manifest.replacen("{{fireDate}}", "tomorrow", 1);
    project.tree.write("day-plan/sprout.yaml", changed.as_bytes());
    let ended = project.run(&["push", "--yes"]);
    assert_eq!((ended.code, enabled(&project)), (0, vec![false, true]), "{}", ended.show());
    assert!(ended.stdout.contains("stays paused"), "{}", ended.show());
}
