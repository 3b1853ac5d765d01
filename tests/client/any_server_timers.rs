//! Timers for the heartbeats of another server.

use super::any_server_world::{Ways, World};

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
    insta::assert_snapshot!(ended.stdout.replace(&world.server.url(), "https://example.org/mcp"));
}

#[test]
fn a_heartbeat_without_a_time_zone_has_no_timer() {
    let world = World::new(Ways::default());
    world.push("plan");
    let ended = world.run(&["heartbeat", "export", "--cron", "--run", "agent"]);
    assert_eq!(ended.code, 6, "{}", ended.show());
    assert!(ended.stderr.contains("lists no time zone for it"), "{}", ended.show());
}
