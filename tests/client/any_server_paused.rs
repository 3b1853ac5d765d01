//! Heartbeats on a server of another make that are paused, edited or cancelled.

use serde_json::Value;

use super::any_server_world::{Storing, Ways, World};

/// A world in which the published heartbeat is paused.
fn paused() -> World {
    let world = World::new(Ways { lists: &["tz"], ..Ways::default() });
    world.push("plan");
    let ended = world.run(&["heartbeat", "pause", "--yes", "Weekly plan"]);
    assert_eq!((ended.code, enabled(&world)), (0, vec![false]), "{}", ended.show());
    world
}

fn enabled(world: &World) -> Vec<bool> {
    world.heartbeats().iter().map(|it| it["enabled"] == true).collect()
}

/// Writes the skill with its heartbeat under another name, at another time.
fn rename_and_move(world: &World) {
    world.write("plan", "Ada", "0 18 * * 5", "America/New_York");
    let manifest = world.tree.read("plan/sprout.yaml").replace("Weekly plan", "Evening plan");
    world.tree.write("plan/sprout.yaml", manifest.as_bytes());
}

#[test]
fn the_replacement_of_a_paused_heartbeat_is_paused() {
    let world = paused();
    world.write("plan", "Ben", "0 17 * * 5", "America/New_York");
    let ended = world.push("plan");
    assert_eq!((ended.code, enabled(&world)), (0, vec![false]), "{}", ended.show());
    assert!(ended.stdout.contains("stays paused"), "{}", ended.show());
    assert_eq!(world.heartbeats()[0]["heartbeatId"], "hb_2");
}

#[test]
fn a_replacement_that_cannot_be_paused_is_named() {
    let world = paused();
    world.storing(Storing::Ignoring);
    world.write("plan", "Ben", "0 17 * * 5", "America/New_York");
    let ended = world.push("plan");
    assert_eq!((ended.code, world.heartbeats().len()), (6, 1), "{}", ended.show());
    assert!(ended.stderr.contains("but is not paused"), "{}", ended.show());
    assert!(ended.stderr.contains("dibber heartbeat pause hb_2"), "{}", ended.show());
    // The same command pauses it.
    world.storing(Storing::Exact);
    pauses_and_ends(&world, 2);
}

/// The next push leads to one heartbeat, which is paused, and the one after it has nothing to do.
fn pauses_and_ends(world: &World, made: usize) {
    let ended = world.push("plan");
    assert_eq!((ended.code, enabled(world)), (0, vec![false]), "{}", ended.show());
    assert!(ended.stdout.contains("stays paused"), "{}", ended.show());
    assert_eq!(world.made(), made, "{}", ended.show());
    let again = world.push("plan");
    assert!(again.stderr.contains("1 heartbeat is up to date"), "{}", again.show());
    let journal = world.run_alone(&["journal", "list"]);
    assert!(!journal.stdout.contains("heartbeat_"), "{}", journal.show());
}

#[test]
fn a_replacement_that_was_refused_first_is_paused() {
    for lists in [&["tz"][..], &["tz", "skillInput"]] {
        let world = World::new(Ways { lists, ..Ways::default() });
        world.push("plan");
        world.run(&["heartbeat", "pause", "Weekly plan"]);
        world.storing(if lists.len() == 1 { Storing::Full } else { Storing::RefusingBen });
        world.write("plan", "Ben", "0 17 * * 5", "America/New_York");
        let refused = world.push("plan");
        assert_ne!(refused.code, 0, "{}", refused.show());
        // The one that is made again is paused, too.
        assert!(enabled(&world).iter().all(|is_enabled| !is_enabled), "{}", refused.show());
        world.storing(Storing::Exact);
        pauses_and_ends(&world, lists.len() + 1);
    }
}

#[test]
fn one_that_is_made_again_and_cannot_be_paused_is_named_with_what_was_refused() {
    let world = World::new(Ways { lists: &["tz", "skillInput"], ..Ways::default() });
    world.push("plan");
    world.run(&["heartbeat", "pause", "Weekly plan"]);
    world.storing(Storing::RefusingBen);
    world.stored().ignored_action = Some("pause");
    world.write("plan", "Ben", "0 17 * * 5", "America/New_York");
    let refused = world.push("plan");
    assert_eq!(enabled(&world), [true], "{}", refused.show());
    for expected in [
        "the new one was not made, and the old one is back (hb_2), but is not paused",
        "too many heartbeats",
        "dibber heartbeat pause hb_2",
    ] {
        assert!(refused.stderr.contains(expected), "{}", refused.show());
    }
    world.storing(Storing::Exact);
    world.stored().ignored_action = None;
    pauses_and_ends(&world, 3);
}

/// A world in which a replacement was made, and not paused.
fn not_paused() -> World {
    let world = paused();
    world.stored().ignored_action = Some("pause");
    world.write("plan", "Ben", "0 17 * * 5", "America/New_York");
    let ended = world.push("plan");
    assert_eq!((ended.code, enabled(&world)), (6, vec![true]), "{}", ended.show());
    world.stored().ignored_action = None;
    world
}

#[test]
fn a_replacement_that_was_not_paused_and_is_resumed_or_paused_by_hand_stays_so() {
    for (commands, expected) in [(&["resume"][..], true), (&["pause", "resume"], true)] {
        let world = not_paused();
        for command in commands {
            let ended = world.run(&["heartbeat", command, "hb_2"]);
            assert_eq!(ended.code, 0, "{}", ended.show());
        }
        let journal = world.run_alone(&["journal", "list"]);
        assert!(!journal.stdout.contains("heartbeat_"), "{}", journal.show());
        let pushed = world.push("plan");
        assert_eq!((pushed.code, enabled(&world)), (0, vec![expected]), "{}", pushed.show());
    }
}

#[test]
fn a_new_heartbeat_after_a_cancelled_one_that_was_not_paused_fires() {
    let world = not_paused();
    let manifest = world.tree.read("plan/sprout.yaml");
    let (without, _) = manifest.split_once("heartbeats:").expect("heartbeats");
    world.tree.write("plan/sprout.yaml", without.as_bytes());
    let removed = world.push("plan");
    assert_eq!((removed.code, enabled(&world)), (0, vec![]), "{}", removed.show());
    world.tree.write("plan/sprout.yaml", manifest.as_bytes());
    let pushed = world.push("plan");
    assert_eq!((pushed.code, enabled(&world)), (0, vec![true]), "{}", pushed.show());
}

#[test]
fn a_replacement_that_was_not_paused_is_paused_under_another_name() {
    let world = not_paused();
    let manifest = world.tree.read("plan/sprout.yaml").replace("Weekly plan", "Evening plan");
    world.tree.write("plan/sprout.yaml", manifest.as_bytes());
    pauses_and_ends(&world, 2);
}

#[test]
fn a_replacement_whose_answer_was_lost_is_paused() {
    let world = paused();
    world.stored().wordy = Some(("heartbeat_create", true));
    world.write("plan", "Ben", "0 17 * * 5", "America/New_York");
    let lost = world.push("plan");
    assert_eq!((lost.code, world.made()), (7, 2), "{}", lost.show());
    world.stored().wordy = None;
    pauses_and_ends(&world, 2);
}

#[test]
fn a_paused_heartbeat_that_gets_another_name_and_time_stays_paused() {
    let world = paused();
    rename_and_move(&world);
    let ended = world.push("plan");
    assert_eq!((ended.code, enabled(&world)), (0, vec![false]), "{}", ended.show());
    assert!(ended.stdout.contains("stays paused"), "{}", ended.show());
    let heartbeat = &world.heartbeats()[0];
    assert_eq!(
        (&heartbeat["name"], &heartbeat["cron"]),
        (&Value::from("Evening plan"), &Value::from("0 18 * * 5"))
    );
    let again = world.push("plan");
    assert!(again.stderr.contains("1 heartbeat is up to date"), "{}", again.show());
}

#[test]
fn a_change_that_the_server_does_not_store_is_no_success() {
    let world = World::new(Ways { lists: &["tz"], ..Ways::default() });
    world.push("plan");
    world.storing(Storing::Ignoring);
    for (command, field) in [
        (&["edit", "Weekly plan", "--cron", "0 5 * * *", "--yes"][..], "cron"),
        (&["edit", "Weekly plan", "--name", "Other", "--yes"], "name"),
        (&["edit", "Weekly plan", "--tz", "Asia/Tokyo", "--yes"], "tz"),
        (&["pause", "Weekly plan"], "enabled"),
    ] {
        let ended = world.run(&[&["heartbeat"], command].concat());
        assert_eq!(ended.code, 6, "{}", ended.show());
        let expected = format!("but did not store `{field}`");
        assert!(ended.stderr.contains(&expected), "{}", ended.show());
    }
}

#[test]
fn a_cancellation_whose_answer_was_lost_is_found_by_its_name() {
    let world = World::new(Ways::default());
    world.push("plan");
    world.stored().wordy = Some(("heartbeat_update", true));
    let cancel = ["heartbeat", "cancel", "weekly plan", "--yes"];
    let first = world.run(&cancel);
    assert_eq!((first.code, world.heartbeats().len()), (7, 0), "{}", first.show());
    let second = world.run(&cancel);
    assert_eq!(second.code, 0, "{}", second.show());
    assert!(second.stderr.contains("`Weekly plan` (hb_1): was cancelled"), "{}", second.show());
    let declared = "the folder plan still has `Weekly plan`: remove it there";
    assert!(second.stderr.contains(declared), "{}", second.show());
    let journal = world.run_alone(&["journal", "list"]);
    assert!(!journal.stdout.contains("heartbeat_update"), "{}", journal.show());
    // There is nothing left to resume.
    assert_eq!(world.run(&cancel).code, 5);
}

#[test]
fn a_push_does_not_make_a_heartbeat_again_whose_cancellation_was_not_answered() {
    let world = World::new(Ways::default());
    world.push("plan");
    world.stored().wordy = Some(("heartbeat_update", true));
    let cancelled = world.run(&["heartbeat", "cancel", "weekly plan", "--yes"]);
    assert_eq!((cancelled.code, world.heartbeats().len()), (7, 0), "{}", cancelled.show());
    let pushed = world.push("plan");
    assert_eq!((pushed.code, world.made()), (3, 1), "{}", pushed.show());
    assert!(pushed.stderr.contains("it was cancelled on "), "{}", pushed.show());
    let forced = world.run(&["push", "--yes", "--force", "plan"]);
    assert_eq!((forced.code, world.made()), (0, 2), "{}", forced.show());
}

/// A prune cancels what its folder does not contain any more, and not what a person has named.
#[test]
fn a_push_makes_a_heartbeat_again_that_an_interrupted_prune_has_cancelled() {
    for is_of_earlier_version in [false, true] {
        let world = World::new(Ways::default());
        world.push("plan");
        std::fs::remove_dir_all(world.tree.path().join("plan")).expect("a directory");
        world.stored().wordy = Some(("heartbeat_update", true));
        let pruned = world.run(&["push", "--yes", "--prune"]);
        assert_eq!((pruned.code, world.heartbeats().len()), (7, 0), "{}", pruned.show());
        if is_of_earlier_version {
            world.mark_pushes_in_their_bases();
        }
        world.write("plan", "Ada", "0 17 * * 5", "America/New_York");
        let pushed = world.push("plan");
        assert_eq!((pushed.code, world.made()), (0, 2), "{}", pushed.show());
    }
}

#[test]
fn a_cancel_that_the_server_ignores_is_no_success() {
    let world = World::new(Ways { lists: &["tz"], ..Ways::default() });
    world.push("plan");
    world.storing(Storing::Keeping);
    let manifest = world.tree.read("plan/sprout.yaml");
    let (without, _) = manifest.split_once("heartbeats:").expect("heartbeats");
    let recorded = |world: &World| world.tree.read("dibber.lock").contains("hb_1");
    // Twice: it is not taken for cancelled afterwards.
    for _ in 0..2 {
        let ended = world.run(&["heartbeat", "cancel", "Weekly plan", "--yes"]);
        assert_eq!((ended.code, recorded(&world)), (6, true), "{}", ended.show());
        assert!(ended.stderr.contains("but did not cancel it"), "{}", ended.show());
        world.write("plan", "Ben", "0 17 * * 5", "America/New_York");
        let replaced = world.push("plan");
        assert_eq!((replaced.code, world.made()), (6, 1), "{}", replaced.show());
        world.tree.write("plan/sprout.yaml", without.as_bytes());
        let removed = world.push("plan");
        assert_eq!((removed.code, recorded(&world)), (6, true), "{}", removed.show());
        assert!(removed.stderr.contains("but did not cancel it"), "{}", removed.show());
    }
    world.storing(Storing::Exact);
    let ended = world.push("plan");
    assert_eq!((ended.code, world.heartbeats().len()), (0, 0), "{}", ended.show());
    assert!(!recorded(&world), "{}", ended.show());
}

#[test]
fn a_cancelled_heartbeat_that_is_still_listed_stays_paused_as_the_warning_says() {
    for lists in [&["tz"][..], &["runSkillId", "skillInput"]] {
        let world = World::new(Ways { lists, ..Ways::default() });
        world.push("plan");
        world.storing(Storing::Pausing);
        let cancelled = world.run(&["heartbeat", "cancel", "--yes", "Weekly plan"]);
        assert_eq!((cancelled.code, enabled(&world)), (0, vec![false]), "{}", cancelled.show());
        let words = format!("cancelled; {} still lists it, paused", world.server.url());
        assert!(cancelled.stderr.contains(&words), "{}", cancelled.show());
        let warning = "--schedule never` does, as the next push leaves it paused";
        assert!(cancelled.stderr.contains(warning), "{}", cancelled.show());
        let pushed = world.push("plan");
        assert!(pushed.stderr.contains("1 heartbeat is up to date"), "{}", pushed.show());
        assert_eq!((world.made(), enabled(&world)), (1, vec![false]), "{}", pushed.show());
    }
}
