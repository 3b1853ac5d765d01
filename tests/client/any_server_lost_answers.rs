//! Servers of another make that ignore the keys of writes: what they create is not created again
//! because an answer is lost.

use serde_json::{Value, json};

use super::any_server_world::{Ways, World};

/// A world whose server ignores keys, and loses the next answer of a tool.
fn losing(tool: &'static str) -> World {
    let world = World::new(Ways { ignores_keys: true, ..Ways::default() });
    world.stored().loses_answer = Some(tool);
    world
}

const CREATE: [&str; 8] =
    ["heartbeat", "create", "Tea", "--cron", "0 9 * * *", "--skill", "plan", "--yes"];

#[test]
fn a_heartbeat_is_created_once() {
    let world = losing("heartbeat_create");
    let pushed = world.push("plan");
    assert_eq!((pushed.code, world.made()), (0, 1), "{}", pushed.show());
    assert!(pushed.stderr.contains("made `Weekly plan`: hb_1"), "{}", pushed.show());
    let again = world.push("plan");
    assert!(again.stderr.contains("1 heartbeat is up to date"), "{}", again.show());
    world.stored().loses_answer = Some("heartbeat_create");
    let created = world.run(&CREATE);
    assert_eq!((created.code, world.made()), (0, 2), "{}", created.show());
    // The one before is not taken for the new one, which has the same name and schedule.
    world.stored().loses_answer = Some("heartbeat_create");
    let created = world.run(&CREATE);
    assert!(created.stderr.contains("made `Tea`: hb_3"), "{}", created.show());
    assert_eq!((created.code, world.made()), (0, 3), "{}", created.show());
}

#[test]
fn a_heartbeat_that_is_created_in_place_of_another_is_created_once() {
    let world = losing("nothing");
    world.push("plan");
    world.stored().loses_answer = Some("heartbeat_create");
    world.write("plan", "Ben", "0 17 * * 5", "America/New_York");
    let pushed = world.push("plan");
    assert_eq!((pushed.code, world.made()), (0, 2), "{}", pushed.show());
    assert_eq!(world.heartbeats().len(), 1, "{}", pushed.show());
}

#[test]
fn a_heartbeat_whose_creation_is_resumed_is_created_once() {
    for create in [&["push", "--yes", "plan"][..], &CREATE] {
        let world = losing("nothing");
        world.run(&["push", "--yes", "--no-heartbeats", "plan"]);
        world.stored().loses_answer = Some("heartbeat_create");
        // What was created cannot be looked for.
        world.fail_after("heartbeat_create", "heartbeat_list");
        let lost = world.run(create);
        assert_eq!((lost.code, world.made()), (7, 1), "{}", lost.show());
        world.repair();
        let resumed = world.run(create);
        assert_eq!((resumed.code, world.made()), (0, 1), "{}", resumed.show());
        let journal = world.run_alone(&["journal", "list"]);
        assert_eq!(journal.stdout, "", "{}", journal.show());
    }
}

#[test]
fn a_skill_is_created_once() {
    let world = losing("skill_write");
    let pushed = world.push("plan");
    assert_eq!((pushed.code, world.stored().skills.len()), (0, 1), "{}", pushed.show());
    // A copy is another skill, although it has the same content.
    world.stored().loses_answer = Some("skill_write");
    let copied = world.run(&["push", "--yes", "--new", "plan"]);
    assert_eq!((copied.code, world.stored().skills.len()), (0, 2), "{}", copied.show());
}

#[test]
fn a_result_is_posted_again_only_by_the_same_command() {
    let world = losing("nothing");
    world.push("plan");
    world.stored().loses_answer = Some("skill_post_result");
    let post = ["skill", "post-result", "sk_0", r#"{"summary": "Planned."}"#];
    let lost = world.run(&post);
    assert_eq!((lost.code, world.stored().results.len()), (7, 1), "{}", lost.show());
    let help = "help: look for it where the skill posts its results";
    assert!(lost.stderr.contains("whether the result was posted"), "{}", lost.show());
    assert!(lost.stderr.contains(help), "{}", lost.show());
    let again = world.run(&post);
    assert_eq!((again.code, world.stored().results.len()), (0, 2), "{}", again.show());
}

const PROMPT: &str = "\n# Plan\n\nPlan the week of {{input.who}}.\n";

/// A world in which the answer to a creation is lost, and the server has stored another value.
fn stored_differently(field: &str, value: &Value) -> World {
    let world = losing("skill_write");
    world.stored().replaces = json!({field: value});
    world
}

#[test]
fn a_skill_that_is_stored_in_another_form_is_not_created_again() {
    let footer = format!("{PROMPT}\nMade by an assistant.\n");
    for (field, value) in [("prompt", json!(footer)), ("name", json!("plan (draft)"))] {
        let world = stored_differently(field, &value);
        let pushed = world.push("plan");
        assert_eq!((pushed.code, world.stored().skills.len()), (7, 1), "{}", pushed.show());
        let help = "`dibber skill link plan sk_0";
        let is_named =
            pushed.stderr.contains("the server has sk_0") && pushed.stderr.contains(help);
        assert!(is_named && !pushed.stderr.contains("has appeared"), "{}", pushed.show());
        for again in [&["push", "--yes", "plan"][..], &["push", "--yes", "--new", "plan"]] {
            let again = world.run(again);
            assert_ne!(again.code, 0, "{}", again.show());
            assert!(again.stderr.contains("sk_0"), "{}", again.show());
            assert_eq!(world.stored().skills.len(), 1, "{}", again.show());
        }
    }
}

#[test]
fn a_skill_that_may_have_been_created_can_be_linked_or_published_again() {
    let world = stored_differently("name", &json!("plan (draft)"));
    world.push("plan");
    let linked = world.run(&["skill", "link", "plan", "sk_0"]);
    assert_eq!(linked.code, 0, "{}", linked.show());
    world.stored().replaces = Value::Null;
    let pushed = world.run(&["push", "--yes", "--force", "plan"]);
    assert_eq!((pushed.code, world.stored().skills.len()), (0, 1), "{}", pushed.show());
    assert_eq!(world.stored().skills[0]["name"], "plan", "{}", pushed.show());

    let world = stored_differently("name", &json!("plan (draft)"));
    let pushed = world.push("plan");
    world.stored().replaces = Value::Null;
    let (_, help) = pushed.stderr.split_once("`dibber journal discard ").expect("a command");
    let (entry, _) = help.split_once('`').expect("its end");
    let discarded = world.run_alone(&["journal", "discard", entry]);
    assert_eq!(discarded.code, 0, "{}", discarded.show());
    let pushed = world.run(&["push", "--yes", "--new", "plan"]);
    assert_eq!((pushed.code, world.stored().skills.len()), (0, 2), "{}", pushed.show());
}

#[test]
fn a_skill_is_not_created_again_if_a_new_one_cannot_be_read() {
    let world = stored_differently("name", &Value::Null);
    let pushed = world.push("plan");
    assert_eq!((pushed.code, world.stored().skills.len()), (7, 1), "{}", pushed.show());
    assert!(pushed.stderr.contains("the server has sk_0"), "{}", pushed.show());
}
