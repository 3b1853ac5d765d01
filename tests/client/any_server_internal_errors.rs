//! Servers that recognise no keys, and may have carried out what they answer with an internal error.

use super::any_server_world::{Ways, World};

/// A world whose server carries out the calls of a tool, or not, and answers with an internal error.
fn world(tool: &'static str, has_effect: bool) -> World {
    let world = World::new(Ways { ignores_keys: true, ..Ways::default() });
    world.stored().wordy = Some((tool, has_effect));
    world.stored().has_codes = true;
    world
}

#[test]
fn what_was_created_before_an_internal_error_is_found_and_not_created_again() {
    for tool in ["skill_write", "heartbeat_create"] {
        let world = world(tool, true);
        let pushed = world.push("plan");
        let skills = world.stored().skills.len();
        assert_eq!((pushed.code, skills, world.made()), (0, 1, 1), "{}", pushed.show());
        let again = world.push("plan");
        assert!(again.stderr.contains("Nothing to publish"), "{}", again.show());
    }
}

#[test]
fn a_creation_that_ends_in_an_internal_error_is_sent_once() {
    for tool in ["skill_write", "heartbeat_create"] {
        let world = world(tool, false);
        let pushed = world.push("plan");
        assert_eq!(pushed.code, 7, "{}", pushed.show());
        assert!(pushed.stderr.contains("something bad happened"), "{}", pushed.show());
        assert_eq!(world.sent(tool), 1, "{}", pushed.show());
    }
}

#[test]
fn a_change_that_ends_in_an_internal_error_is_read() {
    for (has_effect, code) in [(true, 0), (false, 6)] {
        let world = world("skill_update", has_effect);
        world.push("plan");
        let update = ["skill", "update", "sk_0", "--description", "Plans a month. Use in May."];
        let updated = world.run(&[&update[..], &["--yes"]].concat());
        assert_eq!(updated.code, code, "{}", updated.show());
        assert_eq!(world.sent("skill_update"), 1, "{}", updated.show());
    }
}
