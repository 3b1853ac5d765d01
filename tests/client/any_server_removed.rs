//! Skills that a server of another make no longer has, and of which it says so in its own words.

use super::any_server_world::{Ways, World};

/// A world whose skill was published and then removed on the server.
fn removed() -> World {
    let world = World::new(Ways::default());
    let pushed = world.push("plan");
    assert_eq!(pushed.code, 0, "{}", pushed.show());
    world.stored().skills.clear();
    world.stored().wordy = Some(("skill_get", false));
    world
}

#[test]
fn a_push_as_a_new_skill_does_not_call_a_removed_one_active() {
    let world = removed();
    let pushed = world.run(&["push", "--new", "--no-heartbeats", "--yes", "plan"]);
    assert!(!pushed.stderr.contains("stays active"), "{}", pushed.show());
    assert_eq!(world.stored().skills.len(), 1, "{}", pushed.show());
}

#[test]
fn no_heartbeat_is_made_of_a_removed_skill() {
    for is_wordy in [true, false] {
        let world = removed();
        if !is_wordy {
            world.stored().wordy = None;
        }
        let made = world.made();
        let schedule = ["--schedule", "every day at 9am", "--tz", "UTC"];
        let create = ["heartbeat", "create", "E", "--skill", "plan", "--yes"];
        let created = world.run(&[&create[..], &schedule].concat());
        assert_eq!((created.code, world.made()), (5, made), "{}", created.show());
        assert!(created.stderr.contains("dibber push --new plan"), "{}", created.show());
    }
}

#[test]
fn every_command_says_that_a_removed_skill_is_not_found() {
    for lists_another in [true, false] {
        for command in [
            &["skill", "get", "plan"][..],
            &["skill", "update", "plan", "--name", "X", "--yes"],
            &["skill", "archive", "plan", "--yes"],
            &["pull", "plan", "--yes"],
        ] {
            let world = World::new(Ways::default());
            world.write("other", "Ada", "0 18 * * 5", "America/New_York");
            assert_eq!(world.push("plan").code, 0);
            assert_eq!(world.run(&["push", "--yes", "--new", "other"]).code, 0);
            world.stored().skills.retain(|it| lists_another && it["name"] == "other");
            world.stored().wordy = Some(("skill_get", false));
            let ended = world.run(command);
            assert_eq!(ended.code, 5, "{}", ended.show());
            assert!(ended.stderr.contains("help: "), "{}", ended.show());
        }
    }
}
