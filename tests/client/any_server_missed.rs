//! What runs of missed times, on servers of another make that know it, and on those that do not.

use serde_json::{Value, json};

use super::any_server_world::{Storing, Ways, World};

/// Publishes a heartbeat with this line in its declaration.
fn published(lists: &'static [&'static str], line: &str) -> World {
    let world = World::new(Ways { lists, ..Ways::default() });
    set(&world, line);
    let ended = world.push("plan");
    assert_eq!(ended.code, 0, "{}", ended.show());
    world
}

fn set(world: &World, line: &str) {
    world.write("plan", "Ada", "0 17 * * 5", "America/New_York");
    let manifest = world.tree.read("plan/sprout.yaml");
    world.tree.write("plan/sprout.yaml", format!("{manifest}{line}").as_bytes());
}

fn missed(world: &World) -> (Value, Value) {
    let [heartbeat] = &world.heartbeats()[..] else { panic!("{:?}", world.heartbeats()) };
    (heartbeat["heartbeatId"].clone(), heartbeat["missedFires"].clone())
}

fn assert_up_to_date(world: &World) {
    let before = (world.heartbeats(), world.tree.read("dibber.lock"));
    let ended = world.push("plan");
    assert_eq!(ended.code, 0, "{}", ended.show());
    assert_eq!((world.heartbeats(), world.tree.read("dibber.lock")), before, "{}", ended.show());
}

#[test]
fn a_heartbeat_is_replaced_where_it_cannot_be_changed() {
    for lists in [&["tz", "runSkillId", "missedFires"][..], &["missedFires"], &[]] {
        let world = published(lists, "    missedFires: skip\n");
        let listed = |word: &str| if lists.is_empty() { Value::Null } else { word.into() };
        assert_eq!(missed(&world), ("hb_1".into(), listed("skip")));
        assert_up_to_date(&world);
        set(&world, "    missedFires: all\n");
        let ended = world.push("plan");
        assert_eq!(missed(&world), ("hb_2".into(), listed("all")), "{}", ended.show());
        assert_up_to_date(&world);
    }
}

#[test]
fn a_change_on_the_server_is_seen_and_pulled() {
    for there in [json!("once"), json!("all")] {
        let lists = &["tz", "runSkillId", "skillInput", "postResultNotify", "missedFires"];
        let world = published(lists, "    missedFires: skip\n");
        world.stored().heartbeats[0]["missedFires"] = there.clone();
        let ended = world.push("plan");
        assert_eq!(ended.code, 3, "{}", ended.show());
        let pulled = world.run(&["pull", "plan"]);
        assert_eq!(pulled.code, 0, "{}", pulled.show());
        let manifest = world.tree.read("plan/sprout.yaml");
        let line = format!("    missedFires: {}\n", there.as_str().expect("a word"));
        assert!(manifest.contains(&line), "{}\n{manifest}", pulled.show());
        assert_up_to_date(&world);
    }
}

#[test]
fn a_server_without_it_is_not_sent_it() {
    let world = World::new(Ways { lists: &["tz", "missedFires"], ..Ways::default() });
    world.stored().lists_heartbeat_arguments = &["name", "cron", "tz", "runSkillId"];
    set(&world, "    missedFires: skip\n");
    let ended = world.push("plan");
    assert_eq!(ended.code, 0, "{}", ended.show());
    let warning = "takes no `missedFires`, so `skip` is not sent";
    assert!(ended.stderr.contains(warning), "{}", ended.show());
    assert_eq!(missed(&world), ("hb_1".into(), Value::Null));
    assert_up_to_date(&world);
    set(&world, "    missedFires: once\n");
    let ended = world.push("plan");
    assert!(!ended.stderr.contains("missedFires"), "{}", ended.show());
}

#[test]
fn a_server_that_stores_something_else_is_asked_once() {
    let world = World::new(Ways { lists: &["tz", "missedFires"], ..Ways::default() });
    world.storing(Storing::Dropping("missedFires"));
    set(&world, "    missedFires: skip\n");
    let ended = world.push("plan");
    assert_eq!(ended.code, 6, "{}", ended.show());
    assert!(ended.stderr.contains("missedFires"), "{}", ended.show());
    assert_up_to_date(&world);
}
