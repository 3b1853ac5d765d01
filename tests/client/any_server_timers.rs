//! Timers for the heartbeats of another server.

use serde_yaml::Value;

use super::any_server_world::{Ways, World};
use crate::support::package;

#[test]
fn timers_for_another_server_start_what_is_named() {
    let world = World::new(Ways { lists: &["tz"], ..Ways::default() });
    world.push("plan");
    let ended = world.run(&["heartbeat", "export", "--systemd"]);
    assert_eq!(ended.code, 2, "{}", ended.show());
    assert!(ended.stderr.contains("`--run COMMAND` names what the timers start"));
    let ended = world.run(&["heartbeat", "export", "--systemd", "--run", "agent \"$HOME\" 5%"]);
    let start = "ExecStart=/bin/sh -c \"agent \\\"$$HOME\\\" 5%%\"\n";
    assert!(ended.stdout.contains(start), "{}", ended.show());
    let ended = world.run(&["heartbeat", "export", "--github-actions", "--run", "agent: go"]);
    assert_eq!(ended.code, 0, "{}", ended.show());
    let text = ended.stdout.replace(&world.server.url(), "https://example.org/mcp");
    check_workflow(&text);
    insta::assert_snapshot!(ended.show().replace(&world.server.url(), "https://example.org/mcp"));
}

/// Checks that a workflow has only keys that GitHub documents, and uses only pinned actions.
fn check_workflow(text: &str) {
    let workflow: Value = serde_yaml::from_str(text).expect("YAML");
    let keys = |value: &Value| -> Vec<String> {
        let keys = value.as_mapping().expect("a mapping").keys();
        keys.map(|key| key.as_str().expect("a string").to_owned()).collect()
    };
    assert_eq!(keys(&workflow), ["name", "on", "permissions", "concurrency", "jobs"]);
    assert_eq!(keys(&workflow["on"]), ["workflow_dispatch", "schedule"]);
    for start in workflow["on"]["schedule"].as_sequence().expect("a list") {
        assert_eq!(keys(start), ["cron", "timezone"]);
    }
    assert_eq!(keys(&workflow["permissions"]), ["contents"]);
    let job = &workflow["jobs"]["heartbeats"];
    assert_eq!(keys(job), ["runs-on", "steps"]);
    let [checkout, run] = &job["steps"].as_sequence().expect("a list")[..] else {
        panic!("{text}")
    };
    assert_eq!((keys(checkout), keys(run)), (words("uses with"), words("run env")));
    // The same version as the workflows of this repository, where the pins are checked.
    let used = text.lines().find(|line| line.contains("uses: ")).expect("an action");
    let own = std::fs::read_to_string(package().join(".github/workflows/ci.yml"));
    assert!(own.expect("a workflow").contains(used.trim()), "{used}");
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

#[test]
fn a_heartbeat_without_a_time_zone_has_no_timer() {
    let world = World::new(Ways::default());
    world.push("plan");
    let ended = world.run(&["heartbeat", "export", "--cron", "--run", "agent"]);
    assert_eq!(ended.code, 6, "{}", ended.show());
    assert!(ended.stderr.contains("lists no time zone for it"), "{}", ended.show());
}
