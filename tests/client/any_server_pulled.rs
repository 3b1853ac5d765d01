//! Pulls from a server of another make, of heartbeats that were changed here.

use serde_json::json;

use super::any_server_world::{Ways, World};

const SCHEDULE: (&str, &str) = ("0 17 * * 5", "America/New_York");

fn published(lists: &'static [&'static str]) -> World {
    let world = World::new(Ways { lists, ..Ways::default() });
    world.push("plan");
    world
}

#[test]
fn a_pull_keeps_changes_of_inputs_that_are_not_pushed_yet() {
    let changes = [("name", json!("Wake")), ("cron", json!("0 7 * * *"))];
    for (lists, (field, value)) in [&[][..], &["tz"], &["tz", "runSkillId", "skillInput"]]
        .into_iter()
        .zip(changes.iter().cycle())
    {
        let world = published(lists);
        world.stored().heartbeats[0][field] = value.clone();
        world.write("plan", "Ben", SCHEDULE.0, SCHEDULE.1);
        let pulled = world.run(&["pull", "--yes", "plan"]);
        assert_eq!(pulled.code, 0, "{}", pulled.show());
        assert!(world.tree.read("plan/sprout.yaml").contains("who: Ben"), "{}", pulled.show());
        let pushed = world.push("plan");
        assert_eq!((pushed.code, world.made()), (0, 2), "{}", pushed.show());
        let heartbeats = world.heartbeats();
        assert_eq!((heartbeats.len(), &heartbeats[0][field]), (1, value), "{}", pushed.show());
        let again = world.push("plan");
        assert!(again.stderr.contains("1 heartbeat is up to date"), "{}", again.show());
    }
}

#[test]
fn a_pull_keeps_a_change_of_a_time_zone_that_is_not_listed() {
    let world = published(&[]);
    world.stored().heartbeats[0]["name"] = "Wake".into();
    world.write("plan", "Ada", SCHEDULE.0, "Asia/Tokyo");
    let pulled = world.run(&["pull", "--yes", "plan"]);
    assert_eq!(pulled.code, 0, "{}", pulled.show());
    let manifest = world.tree.read("plan/sprout.yaml");
    assert!(manifest.contains("Wake") && manifest.contains("Asia/Tokyo"), "{}", pulled.show());
    let pushed = world.push("plan");
    assert_eq!(pushed.code, 0, "{}", pushed.show());
    assert!(pushed.stderr.contains("changed `Wake`"), "{}", pushed.show());
}

#[test]
fn a_forced_pull_writes_the_inputs_and_the_time_zone_of_the_server() {
    let world = published(&["tz", "runSkillId", "skillInput"]);
    world.write("plan", "Ben", SCHEDULE.0, "Asia/Tokyo");
    let pulled = world.run(&["pull", "--yes", "--force", "plan"]);
    assert_eq!(pulled.code, 0, "{}", pulled.show());
    let manifest = world.tree.read("plan/sprout.yaml");
    assert!(manifest.contains("who: Ada") && !manifest.contains("Asia/Tokyo"), "{manifest}");
    let again = world.push("plan");
    assert!(again.stderr.contains("1 heartbeat is up to date"), "{}", again.show());
    // What was changed there alone is had, too.
    world.stored().heartbeats[0]["skillInput"] = json!({"who": "Zed"});
    world.run(&["pull", "--yes", "--force", "plan"]);
    let manifest = world.tree.read("plan/sprout.yaml");
    assert!(manifest.contains("who: Zed"), "{manifest}");
    let again = world.push("plan");
    assert!(again.stderr.contains("1 heartbeat is up to date"), "{}", again.show());
}

#[test]
fn a_change_of_the_inputs_of_a_heartbeat_that_a_pull_has_added_stops_a_push() {
    let world = published(&["tz", "runSkillId", "skillInput"]);
    let mut other = world.heartbeats()[0].clone();
    other["heartbeatId"] = "hb_2".into();
    other["name"] = "Other".into();
    world.stored().heartbeats.push(other);
    let pulled = world.run(&["pull", "plan"]);
    assert_eq!(pulled.code, 0, "{}", pulled.show());
    assert!(world.tree.read("plan/sprout.yaml").contains("name: Other"), "{}", pulled.show());
    world.stored().heartbeats[1]["skillInput"] = json!({"who": "Cleo"});
    for _ in 0..2 {
        let pushed = world.push("plan");
        assert_eq!(pushed.code, 3, "{}", pushed.show());
        assert!(pushed.stderr.contains("since it was last set from here"), "{}", pushed.show());
    }
}
