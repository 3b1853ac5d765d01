//! Heartbeats without a record, on a server of another make that does not list which skill they run.

use std::fs;

use serde_json::json;

use super::any_server_world::{Ways, World};

/// A world with a published skill and its heartbeat, whose records were lost. Which skill that runs is
/// said in descriptions if it `is_described`.
fn lost_heartbeat(is_described: bool) -> World {
    let world = World::new(Ways::default());
    let ended = world.push("plan");
    assert_eq!((ended.code, world.made()), (0, 1), "{}", ended.show());
    fs::remove_file(world.tree.path().join("dibber.lock")).expect("a file");
    if !is_described {
        world.stored().describes_as = Some(json!(null));
    }
    world
}

/// Adds a second heartbeat that the server lists in the same way.
fn add_equal(world: &World) {
    let mut second = world.heartbeats()[0].clone();
    second["heartbeatId"] = "hb_9".into();
    world.stored().heartbeats.push(second);
}

#[test]
fn the_only_heartbeat_of_the_name_and_schedule_is_recorded() {
    for (is_described, is_paused) in [(true, false), (false, false), (true, true), (false, true)] {
        let world = lost_heartbeat(is_described);
        if is_paused {
            world.stored().heartbeats[0]["enabled"] = false.into();
        }
        let pushed = world.push("plan");
        assert_eq!((pushed.code, world.made()), (0, 1), "{}", pushed.show());
        let assumption = format!(
            "Weekly plan: {} has hb_1 of the same name and schedule, and does not list which skill \
             that runs: it is taken for this one",
            world.server.url()
        );
        assert_eq!(pushed.stderr.contains(&assumption), !is_described, "{}", pushed.show());
        assert!(world.tree.read("dibber.lock").contains("hb_1"), "{}", pushed.show());
        assert_eq!(world.heartbeats()[0]["enabled"], !is_paused, "{}", pushed.show());
        let again = world.push("plan");
        assert!(again.stderr.contains("1 heartbeat is up to date"), "{}", again.show());
        assert!(!again.stderr.contains("it is taken for"), "{}", again.show());
        // It is changed as one that was published from here.
        world.write("plan", "Ada", "0 18 * * 5", "America/New_York");
        let changed = world.push("plan");
        assert_eq!((changed.code, world.made()), (0, 1), "{}", changed.show());
        assert_eq!(world.heartbeats()[0]["cron"], "0 18 * * 5", "{}", changed.show());
    }
}

#[test]
fn an_assumption_is_announced_and_can_be_undone() {
    let world = lost_heartbeat(false);
    world.run(&["push", "--yes", "--no-heartbeats", "plan"]);
    for command in [&["push", "--dry-run", "plan"][..], &["heartbeat", "describe", "plan"]] {
        let ended = world.run(command);
        assert!(ended.stderr.contains("it is taken for this one"), "{}", ended.show());
    }
    assert_eq!(world.made(), 1);
    fs::remove_file(world.tree.path().join("dibber.lock")).expect("a file");
    let linked = world.run(&["skill", "link", "plan", "sk_0"]);
    assert!(linked.stderr.contains("it is taken for this one"), "{}", linked.show());
    assert!(world.tree.read("dibber.lock").contains("hb_1"), "{}", linked.show());
    let unlinked = world.run_alone(&["skill", "unlink", "plan"]);
    assert_eq!(unlinked.code, 0, "{}", unlinked.show());
    let forced = world.run(&["push", "--yes", "--force", "plan"]);
    assert_eq!((forced.code, world.made()), (0, 2), "{}", forced.show());
    assert_eq!(world.stored().skills.len(), 1, "{}", forced.show());
}

#[test]
fn one_heartbeat_is_not_taken_for_two() {
    let world = lost_heartbeat(false);
    world.write("other", "Ada", "0 17 * * 5", "America/New_York");
    world.run(&["push", "--yes", "--no-heartbeats"]);
    let pushed = world.run(&["push", "--yes"]);
    assert_eq!((pushed.code, world.made()), (3, 1), "{}", pushed.show());
    assert!(!world.tree.read("dibber.lock").contains("hb_1"), "{}", pushed.show());
    // It is that of the skill which a description names.
    let world = lost_heartbeat(true);
    world.write("other", "Ada", "0 17 * * 5", "America/New_York");
    world.run(&["push", "--yes", "--no-heartbeats"]);
    let pushed = world.run(&["push", "--yes"]);
    assert_eq!((pushed.code, world.made()), (3, 1), "{}", pushed.show());
    assert!(world.tree.read("dibber.lock").contains("hb_1"), "{}", pushed.show());
}

#[test]
fn one_of_several_is_not_chosen_and_no_more_is_made_without_a_question() {
    let world = lost_heartbeat(true);
    add_equal(&world);
    let url = world.server.url();
    let blocked = world.push("plan");
    assert_eq!((blocked.code, world.made()), (3, 1), "{}", blocked.show());
    let message = format!(
        "error: Weekly plan: it was not made: {url} has hb_1 of the same name and schedule, and does \
         not list which skill that runs"
    );
    assert!(blocked.stderr.contains(&message), "{}", blocked.show());
    let help = format!("`dibber heartbeat cancel hb_1 --server {url}` ends it");
    assert!(blocked.stderr.contains(&help), "{}", blocked.show());
    let created = world.run(&["heartbeat", "create", "--yes", "plan"]);
    assert_eq!((created.code, world.made()), (3, 1), "{}", created.show());
    // A question would follow: it is shown above it.
    let shown = world.run(&["push", "--dry-run", "plan"]);
    assert_eq!(shown.code, 0, "{}", shown.show());
    assert!(
        shown.stdout.contains("these have the same name or time: `Weekly plan` (hb_1)"),
        "{}",
        shown.show()
    );
    let cancelled = world.run(&["heartbeat", "cancel", "--yes", "hb_1"]);
    assert_eq!(cancelled.code, 0, "{}", cancelled.show());
    let pushed = world.push("plan");
    assert_eq!((pushed.code, world.heartbeats().len()), (0, 1), "{}", pushed.show());
}

#[test]
fn a_heartbeat_at_another_time_or_of_another_skill_is_not_recorded() {
    type Edit = fn(&World);
    let cases: [(Edit, (i32, usize)); 5] = [
        (|world| world.stored().heartbeats[0]["cron"] = "0 18 * * 5".into(), (3, 1)),
        (|world| world.stored().heartbeats[0]["tz"] = "Asia/Tokyo".into(), (3, 1)),
        (|world| world.stored().heartbeats[0]["name"] = "Of others".into(), (0, 2)),
        (|world| world.stored().heartbeats[0]["cadenceText"] = "Other words".into(), (3, 1)),
        (|world| world.stored().describes_as = Some(json!({"skillId": "sk_9"})), (3, 1)),
    ];
    for (edit, expected) in cases {
        let world = lost_heartbeat(true);
        edit(&world);
        let ended = world.push("plan");
        assert_eq!((ended.code, world.made()), expected, "{}", ended.show());
        assert!(!world.tree.read("dibber.lock").contains("hb_1"), "{}", ended.show());
    }
    let world = lost_heartbeat(false);
    let ended = world.run(&["push", "--yes", "--force", "plan"]);
    assert_eq!((ended.code, world.made()), (0, 2), "{}", ended.show());
}

#[test]
fn inputs_that_are_not_listed_are_assumed_aloud() {
    let world = World::new(Ways { lists: &["runSkillId", "tz"], ..Ways::default() });
    assert_eq!(world.push("plan").code, 0);
    std::fs::remove_file(world.tree.path().join("dibber.lock")).expect("a lock");
    let adopted = world.push("plan");
    assert_eq!((adopted.code, world.made()), (0, 1), "{}", adopted.show());
    let warning = "has hb_1 for this skill, and does not list what it fills in";
    assert!(adopted.stderr.contains(warning), "{}", adopted.show());
    let again = world.push("plan");
    assert!(!again.stderr.contains(warning), "{}", again.show());
}

#[test]
fn a_renamed_heartbeat_whose_record_was_lost_is_named() {
    let lists = &["runSkillId", "tz", "skillInput"];
    let world = World::new(Ways { lists, ..Ways::default() });
    assert_eq!(world.push("plan").code, 0);
    fs::remove_file(world.tree.path().join("dibber.lock")).expect("a lock");
    let manifest = world.tree.read("plan/sprout.yaml").replace("Weekly plan", "Plan of the week");
    world.tree.write("plan/sprout.yaml", manifest.as_bytes());
    let pushed = world.push("plan");
    assert!(pushed.show().contains("hb_1 runs this skill at the same times"), "{}", pushed.show());
    let again = world.push("plan");
    assert!(again.stderr.contains("dibber heartbeat cancel hb_1"), "{}", again.show());
}

#[test]
fn a_heartbeat_of_the_same_name_and_another_schedule_is_not_made_without_a_question() {
    let world = lost_heartbeat(false);
    world.write("plan", "Ada", "0 18 * * 5", "America/New_York");
    let blocked = world.push("plan");
    assert_eq!((blocked.code, world.made()), (3, 1), "{}", blocked.show());
    let message = "has hb_1 of the same name, and does not list which skill that runs";
    assert!(blocked.stderr.contains(message), "{}", blocked.show());
    let help = "`dibber heartbeat cancel hb_1";
    assert!(blocked.stderr.contains(help), "{}", blocked.show());
    let forced = world.run(&["push", "--yes", "--force", "plan"]);
    assert_eq!((forced.code, world.made()), (0, 2), "{}", forced.show());
}
