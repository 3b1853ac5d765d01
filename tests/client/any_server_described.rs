//! Heartbeats on a server of another make that describes them in its own way.

use serde_json::{Value, json};

use super::any_server_world::{Ways, World};

#[test]
fn words_that_differ_from_the_description_are_no_change() {
    let world = World::new(Ways::default());
    world.stored().words = Some("On its schedule");
    world.push("plan");
    let again = world.push("plan");
    assert!(again.stderr.contains("1 heartbeat is up to date"), "{}", again.show());
    let diff = world.run(&["diff", "--exit-code", "plan"]);
    assert_eq!(diff.code, 0, "{}", diff.show());
    // Words that are others each time say nothing about the time zone.
    for words in ["In five days", "In four days"] {
        world.stored().heartbeats[0]["cadenceText"] = words.into();
        let ended = world.push("plan");
        assert!(ended.stderr.contains("1 heartbeat is up to date"), "{words}: {}", ended.show());
    }
}

#[test]
fn another_time_zone_that_is_not_listed_is_set_once() {
    for words in [None, Some("On its schedule")] {
        let world = World::new(Ways::default());
        world.stored().words = words;
        world.push("plan");
        world.write("plan", "Ada", "0 17 * * 5", "Europe/Berlin");
        for expected in ["changed `Weekly plan`", "1 heartbeat is up to date"] {
            let ended = world.push("plan");
            assert!(ended.stderr.contains(expected), "{}", ended.show());
            world.stored().words = words.map(|_| "In five days");
        }
    }
    // Other words than the server describes the zone with are those of another zone.
    let world = World::new(Ways::default());
    world.push("plan");
    world.stored().heartbeats[0]["cadenceText"] = "At another time".into();
    for expected in ["changed `Weekly plan`", "1 heartbeat is up to date"] {
        let ended = world.push("plan");
        assert!(ended.stderr.contains(expected), "{}", ended.show());
    }
}

#[test]
fn a_heartbeat_that_was_not_changed_needs_no_description() {
    let world = World::new(Ways::default());
    world.push("plan");
    world.stored().describes_new = true;
    world.stored().heartbeats[0]["cadenceText"] = "At another time".into();
    for command in [&["diff", "plan"][..], &["push", "--yes", "plan"]] {
        let ended = world.run(command);
        assert_eq!(ended.code, 0, "{}", ended.show());
        assert!(!ended.show().contains("changed `"), "{}", ended.show());
    }
}

#[test]
fn a_server_that_describes_new_heartbeats_only_gets_changes() {
    let world = World::new(Ways::default());
    world.stored().describes_new = true;
    world.push("plan");
    world.write("plan", "Ada", "0 18 * * 5", "America/New_York");
    let changed = world.push("plan");
    assert_eq!(changed.code, 0, "{}", changed.show());
    assert_eq!(world.heartbeats()[0]["cron"], "0 18 * * 5", "{}", changed.show());
    // With another name and time, the old one does not go on.
    let manifest = world.tree.read("plan/sprout.yaml");
    let manifest = manifest.replace("Weekly plan", "Evening plan").replace("0 18", "0 19");
    world.tree.write("plan/sprout.yaml", manifest.as_bytes());
    let renamed = world.push("plan");
    assert_eq!((renamed.code, world.heartbeats().len()), (0, 1), "{}", renamed.show());
    assert_eq!(world.heartbeats()[0]["name"], "Evening plan");
}

#[test]
fn a_preview_that_says_nothing_prevents_no_heartbeat() {
    for preview in [json!(null), json!({}), json!({"skillId": "", "kind": 7})] {
        let world = World::new(Ways::default());
        world.stored().describes_as = Some(preview);
        let pushed = world.push("plan");
        assert_eq!((pushed.code, world.made()), (0, 1), "{}", pushed.show());
    }
}

#[test]
fn a_heartbeat_without_words_for_its_schedule_is_listed() {
    let world = World::new(Ways::default());
    world.stored().edited_after = Some(("heartbeat_create", |stored| {
        stored.heartbeats[0]["cadenceText"] = Value::Null;
    }));
    let pushed = world.push("plan");
    assert_eq!((pushed.code, world.made()), (0, 1), "{}", pushed.show());
    let listed = world.run(&["heartbeat", "list"]);
    assert!(listed.stdout.contains("0 17 * * 5"), "{}", listed.show());
}
