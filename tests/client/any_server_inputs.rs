//! Heartbeats on a server of another make that lists what they run, and lets its users change it.

use serde_json::json;

use super::any_server_world::{Storing, Ways, World};

const SCHEDULE: (&str, &str) = ("0 17 * * 5", "America/New_York");

/// A world in which the inputs of the published heartbeat were changed on the server.
fn changed(lists: &'static [&'static str]) -> World {
    let world = World::new(Ways { lists, ..Ways::default() });
    world.push("plan");
    world.stored().heartbeats[0]["skillInput"] = json!({"who": "Cleo"});
    world
}

const FULL: &[&str] = &["runSkillId", "tz", "skillInput"];

#[test]
fn inputs_that_were_changed_on_the_server_stop_a_push_and_are_pulled() {
    let world = changed(FULL);
    for _ in 0..2 {
        let pushed = world.push("plan");
        assert_eq!(pushed.code, 3, "{}", pushed.show());
        assert!(pushed.stderr.contains("since it was last set from here"), "{}", pushed.show());
        let diff = world.run(&["diff", "--exit-code", "plan"]);
        assert_ne!(diff.code, 0, "{}", diff.show());
    }
    assert_eq!(world.heartbeats()[0]["skillInput"], json!({"who": "Cleo"}));
    let pulled = world.run(&["pull", "plan"]);
    assert_eq!(pulled.code, 0, "{}", pulled.show());
    let manifest = world.tree.read("plan/sprout.yaml");
    assert!(manifest.contains("who: Cleo") && !manifest.contains("Ada"), "{manifest}");
    let again = world.push("plan");
    assert!(again.stderr.contains("1 heartbeat is up to date"), "{}", again.show());
    assert_eq!(world.made(), 1);
}

#[test]
fn a_merge_takes_over_the_inputs_of_the_server() {
    let world = changed(FULL);
    let merged = world.run(&["push", "--merge", "--yes", "plan"]);
    assert_eq!(merged.code, 0, "{}", merged.show());
    assert!(world.tree.read("plan/sprout.yaml").contains("who: Cleo"), "{}", merged.show());
    assert_eq!(world.made(), 1);
}

#[test]
fn a_forced_push_sets_the_inputs_and_shows_what_it_undoes() {
    let world = changed(FULL);
    let dry = world.run(&["push", "--force", "--dry-run", "plan"]);
    assert!(dry.stdout.contains("the changes on the server in: inputs"), "{}", dry.show());
    let forced = world.run(&["push", "--force", "--yes", "plan"]);
    assert_eq!(forced.code, 0, "{}", forced.show());
    let heartbeats = world.heartbeats();
    assert_eq!(heartbeats.len(), 1, "{}", forced.show());
    assert_eq!(heartbeats[0]["skillInput"], json!({"who": "Ada"}), "{}", forced.show());
    let again = world.push("plan");
    assert!(again.stderr.contains("1 heartbeat is up to date"), "{}", again.show());
}

#[test]
fn inputs_that_both_sides_have_changed_are_a_conflict() {
    let world = changed(FULL);
    world.write("plan", "Ben", SCHEDULE.0, SCHEDULE.1);
    let manifest = world.tree.read("plan/sprout.yaml");
    for command in [&["push", "--yes", "plan"][..], &["pull", "plan"]] {
        let ended = world.run(command);
        assert_eq!(ended.code, 3, "{}", ended.show());
        assert!(ended.stderr.contains("both have changed the inputs"), "{}", ended.show());
    }
    assert_eq!(world.tree.read("plan/sprout.yaml"), manifest);
    assert_eq!(world.heartbeats()[0]["skillInput"], json!({"who": "Cleo"}));
    // Of another change here, it is not said which.
    world.write("plan", "Ada", "0 18 * * 5", SCHEDULE.1);
    let pulled = world.run(&["pull", "plan"]);
    assert_eq!(pulled.code, 3, "{}", pulled.show());
    assert!(pulled.stderr.contains("both have changed it"), "{}", pulled.show());
}

#[test]
fn a_heartbeat_with_changed_inputs_is_not_cancelled_unseen() {
    let world = changed(FULL);
    let manifest = world.tree.read("plan/sprout.yaml");
    let (without, _) = manifest.split_once("heartbeats:").expect("heartbeats");
    world.tree.write("plan/sprout.yaml", without.as_bytes());
    let pushed = world.push("plan");
    assert_eq!((pushed.code, world.heartbeats().len()), (3, 1), "{}", pushed.show());
}

#[test]
fn a_heartbeat_that_runs_another_skill_on_the_server_is_named() {
    let world = World::new(Ways { lists: FULL, ..Ways::default() });
    world.push("plan");
    world.stored().heartbeats[0]["runSkillId"] = "sk_other".into();
    let pushed = world.push("plan");
    assert_eq!(pushed.code, 3, "{}", pushed.show());
    let before = world.tree.read("plan/sprout.yaml");
    for command in [&["pull", "plan"][..], &["pull", "--force", "--yes", "plan"]] {
        let pulled = world.run(command);
        assert!(pulled.stderr.contains("it runs another skill there"), "{}", pulled.show());
        assert_eq!(world.tree.read("plan/sprout.yaml"), before);
        let pushed = world.push("plan");
        assert_eq!(pushed.code, 3, "{}", pushed.show());
    }
}

#[test]
fn inputs_that_cannot_be_written_are_named_and_stay_different() {
    let world = changed(&["runSkillId", "skillInput"]);
    for command in [&["pull", "plan"][..], &["pull", "--force", "--yes", "plan"]] {
        let pulled = world.run(command);
        let expected = "does not list all that it runs with";
        assert!(pulled.stderr.contains(expected), "{}", pulled.show());
        let pushed = world.push("plan");
        assert_eq!(pushed.code, 3, "{}", pushed.show());
    }
}

#[test]
fn inputs_that_the_server_lists_from_now_on_are_no_change() {
    let world = changed(&["tz"]);
    let pushed = world.push("plan");
    assert!(pushed.stderr.contains("1 heartbeat is up to date"), "{}", pushed.show());
    // From then on, they are compared.
    world.stored().heartbeats[0]["skillInput"] = json!({"who": "Dan"});
    let pushed = world.push("plan");
    assert_eq!(pushed.code, 3, "{}", pushed.show());
    world.stored().heartbeats[0].as_object_mut().expect("an object").remove("skillInput");
    let pushed = world.push("plan");
    assert_eq!(pushed.code, 0, "{}", pushed.show());
}

/// A world in which a heartbeat was created without its inputs and could not be read back.
fn unverified() -> World {
    let world = World::new(Ways { lists: FULL, ..Ways::default() });
    world.storing(Storing::Dropping("skillInput"));
    world.fail_after("heartbeat_create", "heartbeat_list");
    let created = world.push("plan");
    assert_eq!((created.code, world.made()), (0, 1), "{}", created.show());
    world.repair();
    world
}

#[test]
fn inputs_that_could_not_be_read_back_are_compared_by_the_next_push() {
    let world = unverified();
    for _ in 0..2 {
        let pushed = world.push("plan");
        assert_eq!(pushed.code, 3, "{}", pushed.show());
        assert!(pushed.stderr.contains("since it was last set from here"), "{}", pushed.show());
    }
    world.storing(Storing::Exact);
    let forced = world.run(&["push", "--force", "--yes", "plan"]);
    assert_eq!(forced.code, 0, "{}", forced.show());
    assert_eq!(world.heartbeats()[0]["skillInput"], json!({"who": "Ada"}), "{}", forced.show());
}

#[test]
fn inputs_that_could_not_be_read_back_are_pulled() {
    let world = unverified();
    world.stored().heartbeats[0]["skillInput"] = json!({"who": "Cleo"});
    let pulled = world.run(&["pull", "plan"]);
    assert_eq!(pulled.code, 0, "{}", pulled.show());
    assert!(world.tree.read("plan/sprout.yaml").contains("who: Cleo"), "{}", pulled.show());
    let again = world.push("plan");
    assert!(again.stderr.contains("1 heartbeat is up to date"), "{}", again.show());
}
