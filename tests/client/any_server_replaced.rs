//! Heartbeats that another machine replaces, and that a server refuses or stores in its own way.

use serde_json::json;

use super::any_server_world::{Storing, Ways, World};

const SCHEDULE: (&str, &str) = ("0 17 * * FRI", "America/New_York");

/// A world in which another machine has replaced the published heartbeat by one with another input.
fn replaced(lists: &'static [&'static str]) -> World {
    let world = World::new(Ways { lists, ..Ways::default() });
    world.push("plan");
    let [manifest, lock] = ["plan/sprout.yaml", "dibber.lock"].map(|name| world.tree.read(name));
    world.write("plan", "Ben", "0 17 * * 5", "America/New_York");
    let ended = world.push("plan");
    assert_eq!((ended.code, world.made()), (0, 2), "{}", ended.show());
    world.tree.write("plan/sprout.yaml", manifest.as_bytes());
    world.tree.write("dibber.lock", lock.as_bytes());
    world
}

#[test]
fn a_pull_keeps_a_heartbeat_that_was_replaced_on_the_server() {
    for lists in [&["runSkillId"][..], &[], &["tz", "skillInput"]] {
        let world = replaced(lists);
        let before = world.tree.read("plan/sprout.yaml");
        if !lists.contains(&"runSkillId") {
            let blocked = world.push("plan");
            assert!(
                blocked.stderr.contains("another heartbeat of this name is"),
                "{}",
                blocked.show()
            );
        }
        let ended = world.run(&["pull", "--yes", "plan"]);
        assert_eq!(ended.code, 3, "{}", ended.show());
        assert!(ended.stderr.contains("another heartbeat of this name is on"), "{}", ended.show());
        assert!(ended.stderr.contains("hb_2"), "{}", ended.show());
        assert_eq!(world.tree.read("plan/sprout.yaml"), before);
        // It can be had.
        let forced = world.run(&["pull", "--yes", "--force", "plan"]);
        assert_eq!(forced.code, 0, "{}", forced.show());
        let after = world.tree.read("plan/sprout.yaml");
        let is_taken = lists.contains(&"skillInput");
        assert_eq!((after.contains("who: Ben"), after == before), (is_taken, !is_taken));
        assert!(world.tree.read("dibber.lock").contains("hb_2"));
    }
}

#[test]
fn a_pull_writes_a_replaced_heartbeat_that_the_server_lists_in_full() {
    let world = replaced(&["runSkillId", "tz", "skillInput"]);
    let ended = world.run(&["pull", "--yes", "plan"]);
    assert_eq!(ended.code, 0, "{}", ended.show());
    assert!(world.tree.read("plan/sprout.yaml").contains("who: Ben"), "{}", ended.show());
}

#[test]
fn a_forced_push_takes_over_a_heartbeat_that_was_replaced() {
    let world = replaced(&[]);
    let ended = world.push("plan");
    assert_eq!(ended.code, 3, "{}", ended.show());
    assert!(ended.stderr.contains("another heartbeat of this name is on"), "{}", ended.show());
    world.write("plan", "Ada", "0 18 * * 5", "America/New_York");
    let ended = world.run(&["push", "--yes", "--force", "plan"]);
    assert_eq!(ended.code, 0, "{}", ended.show());
    let heartbeats = world.heartbeats();
    let [heartbeat] = &heartbeats[..] else { panic!("{}", ended.show()) };
    assert_eq!(heartbeat["cron"], "0 18 * * 5", "{}", ended.show());
    let again = world.push("plan");
    assert!(again.stderr.contains("1 heartbeat is up to date"), "{}", again.show());
}

#[test]
fn a_heartbeat_that_cannot_be_made_again_is_named() {
    let world = World::new(Ways::default());
    world.push("plan");
    world.storing(Storing::Full);
    world.write("plan", "Ben", "0 17 * * 5", "America/New_York");
    let ended = world.push("plan");
    assert_ne!(ended.code, 0, "{}", ended.show());
    assert_eq!(world.heartbeats().len(), 0);
    assert!(ended.stderr.contains("the old one was cancelled (hb_1)"), "{}", ended.show());
    assert!(ended.stderr.contains("run `dibber push plan"), "{}", ended.show());
    world.storing(Storing::Exact);
    let again = world.push("plan");
    assert_eq!((again.code, world.heartbeats().len()), (0, 1), "{}", again.show());
}

#[test]
fn a_heartbeat_is_made_again_if_the_one_in_its_place_is_refused() {
    let world = World::new(Ways { lists: &["tz", "skillInput"], ..Ways::default() });
    world.push("plan");
    world.storing(Storing::RefusingBen);
    world.write("plan", "Ben", "0 18 * * 5", "America/New_York");
    for id in ["hb_2", "hb_3"] {
        let ended = world.push("plan");
        assert_eq!(ended.code, 3, "{}", ended.show());
        let heartbeats = world.heartbeats();
        let [old] = &heartbeats[..] else { panic!("{}", ended.show()) };
        assert_eq!((&old["heartbeatId"], &old["cron"]), (&json!(id), &json!("0 17 * * 5")));
        assert_eq!(old["skillInput"], json!({"who": "Ada"}));
        let expected = format!("the new one was not made, and the old one is back ({id})");
        assert!(ended.stderr.contains(&expected), "{}", ended.show());
    }
    world.storing(Storing::Exact);
    let ended = world.push("plan");
    assert_eq!((ended.code, world.heartbeats().len()), (0, 1), "{}", ended.show());
    assert_eq!(world.heartbeats()[0]["skillInput"], json!({"who": "Ben"}));
}

#[test]
fn a_change_that_the_server_ignores_is_an_error() {
    let world = World::new(Ways { lists: &["tz"], ..Ways::default() });
    world.push("plan");
    world.storing(Storing::Ignoring);
    for _ in 0..2 {
        world.write("plan", "Ada", "0 18 * * 5", "America/New_York");
        let ended = world.push("plan");
        assert_eq!(ended.code, 6, "{}", ended.show());
        assert!(ended.stderr.contains("but did not store `cron`"), "{}", ended.show());
    }
    world.storing(Storing::Exact);
    let ended = world.push("plan");
    assert_eq!(ended.code, 0, "{}", ended.show());
    assert_eq!(world.heartbeats()[0]["cron"], "0 18 * * 5");
}

#[test]
fn a_heartbeat_that_the_server_writes_in_another_way_is_up_to_date() {
    let world = World::new(Ways { lists: &["tz"], ..Ways::default() });
    world.storing(Storing::Normalizing);
    let (cron, tz) = SCHEDULE;
    world.write("plan", "Ada", cron, tz);
    world.push("plan");
    assert_eq!(world.heartbeats()[0]["name"], json!("weekly plan"));
    let again = world.push("plan");
    assert!(again.stderr.contains("1 heartbeat is up to date"), "{}", again.show());
    // A change is sent once.
    world.write("plan", "Ada", "0 18 * * FRI", tz);
    for expected in ["changed `Weekly plan`", "1 heartbeat is up to date"] {
        let ended = world.push("plan");
        assert_eq!(ended.code, 0, "{}", ended.show());
        assert!(ended.stderr.contains(expected), "{}", ended.show());
    }
    assert_eq!(world.heartbeats()[0]["cron"], "0 18 * * 5");
    // What another writer changes there is still noticed.
    world.run(&["heartbeat", "edit", "weekly plan", "--cron", "0 9 * * 5", "--yes"]);
    let ended = world.push("plan");
    assert_eq!(ended.code, 3, "{}", ended.show());
}

#[test]
fn a_heartbeat_that_is_not_created_as_it_was_sent_is_an_error() {
    for argument in ["name", "cron", "tz", "skillInput"] {
        let world = World::new(Ways { lists: &["tz", "skillInput"], ..Ways::default() });
        world.storing(Storing::Dropping(argument));
        let ended = world.push("plan");
        assert_eq!(ended.code, 6, "{}", ended.show());
        let expected = format!("accepted hb_1, but did not store `{argument}`");
        assert!(ended.stderr.contains(&expected), "{}", ended.show());
        world.storing(Storing::Exact);
        let again = world.push("plan");
        assert_eq!((again.code, world.made()), (0, 1), "{}", again.show());
        // What cannot be changed in a heartbeat is not made again each time.
        let is_changed = argument != "skillInput";
        assert_eq!(again.stderr.contains("changed `Weekly plan`"), is_changed, "{}", again.show());
    }
    let world = World::new(Ways::default());
    world.storing(Storing::Dropping(""));
    let ended = world.push("plan");
    assert_eq!(ended.code, 6, "{}", ended.show());
    assert!(ended.stderr.contains("but does not list it"), "{}", ended.show());
}

/// A world in which another machine has published a heartbeat for Ben, and this one has none
/// recorded.
fn made_by_another(lists: &'static [&'static str], cron: &str) -> World {
    let warning = Some("already_assigned");
    let world = World::new(Ways { warning, lists, ..Ways::default() });
    world.push("plan");
    // A new heartbeat that the server warns about is made once that was shown.
    world.push("plan");
    let lock = world.tree.read("dibber.lock");
    let is_other = |line: &&str| !line.contains("heartbeats]") && !line.contains("Weekly plan");
    let lines: Vec<_> = lock.lines().filter(is_other).collect();
    world.tree.write("dibber.lock", (lines.join("\n") + "\n").as_bytes());
    world.write("plan", "Ben", cron, "America/New_York");
    world
}

#[test]
fn a_heartbeat_with_other_inputs_is_not_taken_for_ours() {
    let lists = &["runSkillId", "tz", "skillInput", "postResultNotify"];
    let world = made_by_another(lists, "0 17 * * 5");
    let ended = world.push("plan");
    assert_eq!(ended.code, 3, "{}", ended.show());
    assert!(ended.stderr.contains("has another heartbeat of this name"), "{}", ended.show());
    let ended = world.run(&["push", "--yes", "--force", "plan"]);
    assert_eq!(ended.code, 0, "{}", ended.show());
    let heartbeats = world.heartbeats();
    assert_eq!(heartbeats.len(), 1, "{}", ended.show());
    assert_eq!(heartbeats[0]["skillInput"], json!({"who": "Ben"}), "{}", ended.show());
}

#[test]
fn a_forced_push_sets_the_inputs_of_a_heartbeat_that_it_takes_over() {
    for lists in [&["runSkillId"][..], &["runSkillId", "skillInput"]] {
        let world = made_by_another(lists, "0 18 * * 5");
        let dry = world.run(&["push", "--force", "--dry-run", "plan"]);
        assert!(dry.stdout.contains("which was not set from here"), "{}", dry.show());
        let ended = world.run(&["push", "--yes", "--force", "plan"]);
        assert_eq!(ended.code, 0, "{}", ended.show());
        let heartbeats = world.heartbeats();
        assert_eq!(heartbeats.len(), 1, "{}", ended.show());
        assert_eq!(heartbeats[0]["heartbeatId"], "hb_2", "{}", ended.show());
    }
}

#[test]
fn a_forced_push_shows_what_it_undoes_of_heartbeats() {
    let world = World::new(Ways { lists: &["tz"], ..Ways::default() });
    world.push("plan");
    world.stored().heartbeats[0]["cron"] = "0 9 * * 5".into();
    let dry = world.run(&["push", "--force", "--dry-run", "plan"]);
    assert!(dry.stdout.contains("the changes on the server in: schedule"), "{}", dry.show());
    world.stored().heartbeats[0]["name"] = "Other".into();
    let dry = world.run(&["push", "--force", "--dry-run", "plan"]);
    assert!(dry.stdout.contains("the changes on the server in: name, schedule"), "{}", dry.show());
    world.stored().heartbeats.clear();
    let dry = world.run(&["push", "--force", "--dry-run", "plan"]);
    assert!(dry.stdout.contains("that it was cancelled on the server"), "{}", dry.show());
}

#[test]
fn hashes_of_another_make_say_nothing_about_the_files() {
    let world = World::new(Ways { lists: &["tz", "skillInput"], ..Ways::default() });
    world.stored().has_hashes = true;
    world.push("plan");
    let again = world.push("plan");
    assert_eq!(again.code, 0, "{}", again.show());
    assert!(again.stderr.contains("1 heartbeat is up to date"), "{}", again.show());
    world.write("plan", "Ada", "0 18 * * 5", "America/New_York");
    let changed = world.push("plan");
    assert_eq!((changed.code, world.made()), (0, 1), "{}", changed.show());
    let pulled = world.run(&["pull", "--yes", "plan"]);
    assert!(pulled.stderr.contains("is up to date"), "{}", pulled.show());
    // What is changed there is still seen.
    world.stored().heartbeats[0]["cron"] = "0 19 * * 5".into();
    let blocked = world.push("plan");
    assert_eq!(blocked.code, 3, "{}", blocked.show());
}

#[test]
fn a_possible_duplicate_of_a_new_heartbeat_is_named() {
    let world = World::new(Ways::default());
    world.push("plan");
    std::fs::remove_file(world.tree.path().join("dibber.lock")).expect("a lock file");
    world.stored().heartbeats[0]["cron"] = "0 9 * * 5".into();
    let planned = world.run(&["push", "--dry-run", "plan"]);
    assert!(planned.stdout.contains("(hb_1) has the same name or time"), "{}", planned.show());
    let pushed = world.run(&["push", "--yes", "--force", "plan"]);
    assert!(pushed.stdout.contains("(hb_1) has the same name or time"), "{}", pushed.show());
    // The new one is recorded, so it is no possible duplicate of another.
    let again = world.push("plan");
    assert!(!again.stdout.contains("the same name or time"), "{}", again.show());
}

#[test]
fn every_possible_duplicate_of_a_new_heartbeat_is_named() {
    let world = World::new(Ways::default());
    world.push("plan");
    std::fs::remove_file(world.tree.path().join("dibber.lock")).expect("a lock file");
    // One of another skill has the same times as well; only a person can know which it is.
    let mut other = world.stored().heartbeats[0].clone();
    other["heartbeatId"] = "hb_7".into();
    other["name"] = "Leaf walk".into();
    world.stored().heartbeats[0]["name"] = "Plan of the week".into();
    world.stored().heartbeats.insert(0, other);
    let planned = world.run(&["push", "--dry-run", "plan"]);
    let shown = planned.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    let both = "`Leaf walk` (hb_7), `Plan of the week` (hb_1)";
    assert!(shown.contains(both), "{}", planned.show());
    assert!(!shown.contains("heartbeat cancel hb_7"), "{}", planned.show());
}

#[test]
fn a_heartbeat_that_is_created_twice_is_named() {
    const LISTS: [&str; 3] = ["runSkillId", "tz", "skillInput"];
    let create = ["heartbeat", "create", "Tea", "--cron", "0 9 * * *", "--skill", "plan", "--yes"];
    let unknown = "`Tea` (hb_2) has the same name or time";
    let known = "hb_2 runs this skill at the same times already";
    for (lists, warning) in [(&[][..], unknown), (&["runSkillId"], known), (&LISTS, known)] {
        let world = World::new(Ways { lists, ..Ways::default() });
        world.push("plan");
        let first = world.run(&create);
        assert!(!first.stdout.contains("hb_2"), "{}", first.show());
        let again = world.run(&create);
        assert!(again.stdout.contains(warning), "{}", again.show());
    }
    for other in
        [("tz", json!("Asia/Tokyo")), ("enabled", json!(false)), ("cron", json!("1 9 * * *"))]
    {
        let world = World::new(Ways { lists: &LISTS, ..Ways::default() });
        world.push("plan");
        world.run(&create);
        world.stored().heartbeats[1][other.0] = other.1;
        let again = world.run(&create);
        assert_eq!(again.code, 0, "{}", again.show());
        assert!(!again.stdout.contains("hb_2"), "{}", again.show());
    }
}

#[test]
fn a_renamed_heartbeat_in_place_of_a_recorded_one_is_not_run_beside_it() {
    for command in [&["push", "--yes", "--force", "plan"][..], &["pull", "--force", "plan"]] {
        let world = World::new(Ways { lists: &["runSkillId", "tz"], ..Ways::default() });
        assert_eq!(world.push("plan").code, 0);
        let mut stored = world.stored();
        stored.heartbeats[0]["heartbeatId"] = "hb_9".into();
        stored.heartbeats[0]["name"] = "Plan of the week".into();
        drop(stored);
        let ended = world.run(command);
        assert_eq!((ended.code, world.heartbeats().len()), (0, 1), "{}", ended.show());
        let again = world.push("plan");
        assert!(again.stderr.contains("1 heartbeat is up to date"), "{}", again.show());
    }
}
