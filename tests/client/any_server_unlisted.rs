//! Servers of another make that do not list the heartbeats that they create, or what they run.

use std::fs;

use serde_json::json;

use super::any_server_world::{Storing, Ways, World};

/// A world whose server has created the heartbeat of `plan`, and does not list it.
fn unlisted() -> World {
    let world = World::new(Ways::default());
    world.storing(Storing::Dropping(""));
    let pushed = world.push("plan");
    assert_eq!(pushed.code, 6, "{}", pushed.show());
    assert!(pushed.stderr.contains("but does not list it"), "{}", pushed.show());
    world
}

#[test]
fn a_heartbeat_that_was_never_listed_is_kept() {
    let world = unlisted();
    let kept = format!("Weekly plan: {} does not list it (hb_1); it is kept", world.server.url());
    for command in [
        &["push", "--yes", "plan"][..],
        &["push", "--yes", "--force", "plan"],
        &["heartbeat", "create", "plan", "--yes"],
        &["heartbeat", "describe", "plan"],
    ] {
        let ended = world.run(command);
        assert_eq!((ended.code, world.made()), (0, 1), "{}", ended.show());
        assert!(ended.stderr.contains(&kept), "{}", ended.show());
    }
    let before = (world.tree.read("plan/sprout.yaml"), world.tree.read("dibber.lock"));
    for command in [&["pull", "plan"][..], &["pull", "--force", "plan"]] {
        let ended = world.run(command);
        assert_eq!(ended.code, 0, "{}", ended.show());
        assert!(ended.stderr.contains("does not list it; it is kept"), "{}", ended.show());
        let after = (world.tree.read("plan/sprout.yaml"), world.tree.read("dibber.lock"));
        assert_eq!(after, before, "{}", ended.show());
    }
    // A change, or another name, makes no second one.
    world.write("plan", "Ada", "0 18 * * 5", "America/New_York");
    let changed = world.push("plan");
    assert_eq!((changed.code, world.made()), (3, 1), "{}", changed.show());
    assert!(changed.stderr.contains("it was changed here, and"), "{}", changed.show());
    let renamed = before.0.replace("Weekly plan", "Friday plan");
    world.tree.write("plan/sprout.yaml", renamed.as_bytes());
    let renamed = world.push("plan");
    assert_eq!((renamed.code, world.made()), (3, 1), "{}", renamed.show());
    // Nor is it forgotten without a word.
    let (without, _) = before.0.split_once("heartbeats:").expect("heartbeats");
    world.tree.write("plan/sprout.yaml", without.as_bytes());
    let removed = world.push("plan");
    assert!(removed.stderr.contains(&kept), "{}", removed.show());
    fs::remove_dir_all(world.tree.path().join("plan")).expect("a directory");
    let pruned = world.run(&["push", "--yes", "--prune"]);
    assert_eq!(pruned.code, 0, "{}", pruned.show());
    let unlisted = "`Weekly plan`: it is not cancelled, and is no longer recorded";
    assert!(pruned.stderr.contains(unlisted), "{}", pruned.show());
    assert!(!world.tree.read("dibber.lock").contains("hb_1"), "{}", pruned.show());
}

#[test]
fn a_heartbeat_that_was_never_listed_can_be_made_again() {
    for is_refused in [false, true] {
        let world = unlisted();
        let cancel = "if it does not run, `dibber heartbeat cancel hb_1 ";
        let kept = world.push("plan");
        assert!(kept.stderr.contains(cancel), "{}", kept.show());
        world.storing(Storing::Exact);
        if is_refused {
            world.stored().wordy = Some(("heartbeat_update", false));
        }
        let cancelled = world.run(&["heartbeat", "cancel", "hb_1", "--yes"]);
        let is_removed = cancelled.stderr.contains("so its record in dibber.lock was removed");
        assert_eq!(
            (is_refused, cancelled.code != 0),
            (is_removed, is_refused),
            "{}",
            cancelled.show()
        );
        let pushed = world.push("plan");
        assert_eq!((pushed.code, world.made()), (0, 2), "{}", pushed.show());
        assert_eq!(world.run_alone(&["journal", "list"]).stdout, "");
    }
}

#[test]
fn a_heartbeat_that_was_never_listed_is_cancelled_by_an_id_of_any_form() {
    let world = World::new(Ways::default());
    world.storing(Storing::Dropping(""));
    world.stored().wrong_id = Some(("heartbeat_create", "daily9"));
    let pushed = world.push("plan");
    assert_eq!(pushed.code, 6, "{}", pushed.show());
    assert!(pushed.stderr.contains("has made daily9, but does not list it"), "{}", pushed.show());
    world.stored().wrong_id = None;
    let cancelled = world.run(&["heartbeat", "cancel", "daily9", "--yes"]);
    assert_eq!(cancelled.code, 0, "{}", cancelled.show());
    let unknown = world.run(&["heartbeat", "cancel", "daily9", "--yes"]);
    assert_eq!(unknown.code, 5, "{}", unknown.show());
}

#[test]
fn a_heartbeat_that_is_not_listed_any_more_is_cancelled() {
    let world = World::new(Ways::default());
    world.push("plan");
    world.stored().heartbeats.clear();
    let pushed = world.push("plan");
    assert_eq!(pushed.code, 3, "{}", pushed.show());
    assert!(pushed.stderr.contains("it was cancelled on"), "{}", pushed.show());
    // So is one that was never listed, where others are.
    let world = unlisted();
    world.storing(Storing::Exact);
    world.write("other", "Ada", "0 18 * * 5", "America/New_York");
    world.push("other");
    let pushed = world.push("plan");
    assert_eq!(pushed.code, 3, "{}", pushed.show());
    assert!(pushed.stderr.contains("it was cancelled on"), "{}", pushed.show());
}

#[test]
fn a_heartbeat_that_is_listed_later_is_compared() {
    let world = unlisted();
    world.stored().heartbeats.push(json!({
        "heartbeatId": "hb_1", "name": "Weekly plan", "cron": "0 17 * * 5",
        "cadenceText": "Some day", "enabled": true, "nextRunAt": null, "lastRunAt": null,
        "chatId": "th",
    }));
    let pushed = world.push("plan");
    assert!(pushed.stderr.contains("1 heartbeat is up to date"), "{}", pushed.show());
    assert!(!world.tree.read("dibber.lock").contains("unlisted"), "{}", pushed.show());
}

#[test]
fn an_archival_names_the_heartbeats_that_may_run_the_skill() {
    let world = World::new(Ways::default());
    world.push("plan");
    let mut other = world.heartbeats()[0].clone();
    (other["heartbeatId"], other["name"]) = ("hb_9".into(), "Of others".into());
    world.stored().heartbeats.push(other);
    fs::remove_dir_all(world.tree.path().join("plan")).expect("a directory");
    let pruned = world.run(&["push", "--yes", "--prune"]);
    assert_eq!(pruned.code, 0, "{}", pruned.show());
    let remaining = world.heartbeats();
    assert_eq!(remaining.len(), 1, "{}", pruned.show());
    assert_eq!(remaining[0]["heartbeatId"], "hb_9", "{}", pruned.show());
    assert!(pruned.stderr.contains("`Of others` (Some day, hb_9)"), "{}", pruned.show());
    assert!(pruned.stderr.contains("`dibber heartbeat cancel hb_9"), "{}", pruned.show());
}

#[test]
fn the_journal_hides_the_name_of_a_child_of_the_family() {
    let world = World::new(Ways::default());
    let manifest = world.tree.read("plan/sprout.yaml").replace("Weekly plan", "Ottilie's plan");
    world.tree.write("plan/sprout.yaml", manifest.as_bytes());
    world.stored().wrong_id = Some(("heartbeat_create", ""));
    let pushed = world.push("plan");
    assert_ne!(pushed.code, 0, "{}", pushed.show());
    let list = ["journal", "list"];
    let listed = world.run_alone(&list);
    assert!(listed.stdout.contains("heartbeat `Ottilie's plan`"), "{}", listed.show());
    let add = ["family", "add-child", "Ottilie", "--born", "2019-04-30"];
    assert_eq!(world.run_alone(&add).code, 0);
    for command in [&list[..], &["journal", "list", "--json"]] {
        let listed = world.run_alone(command);
        let is_masked = listed.stdout.contains("*******") && !listed.stdout.contains("Ottilie");
        assert!(is_masked, "{}", listed.show());
    }
}
