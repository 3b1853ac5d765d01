//! Servers of another make that fail to list, or to show, what they have.

use std::fs;

use serde_json::{Value, json};

use super::any_server_world::{Storing, Ways, World};

/// A world with a published skill whose record was lost.
fn lost_record() -> World {
    let world = World::new(Ways::default());
    let ended = world.run(&["push", "--yes", "--no-heartbeats", "plan"]);
    assert_eq!(ended.code, 0, "{}", ended.show());
    fs::remove_file(world.tree.path().join("dibber.lock")).expect("a file");
    world
}

#[test]
fn a_skill_is_not_created_again_because_the_search_for_it_fails() {
    for tool in ["skill_list", "skill_get"] {
        let world = lost_record();
        world.write("other", "Ada", "0 18 * * 5", "America/New_York");
        world.fail(tool, "INTERNAL_ERROR");
        let ended = world.run(&["push", "--yes", "--no-heartbeats"]);
        assert_eq!(ended.code, 6, "{}", ended.show());
        assert!(ended.stderr.contains("error: plan: INTERNAL_ERROR"), "{}", ended.show());
        let names: Vec<_> = world.stored().skills.iter().map(|it| it["name"].clone()).collect();
        // What has another label is published where the list says so.
        let expected = if tool == "skill_get" { json!(["plan", "other"]) } else { json!(["plan"]) };
        assert_eq!(json!(names), expected, "{}", ended.show());
        world.repair();
        let ended = world.run(&["push", "--yes"]);
        assert_eq!(ended.code, 0, "{}", ended.show());
        assert_eq!(world.stored().skills.len(), 2, "{}", ended.show());
    }
}

#[test]
fn a_skill_is_created_where_a_search_for_it_is_not_permitted() {
    let world = lost_record();
    world.fail("skill_list", "PERMISSION_DENIED");
    let ended = world.run(&["push", "--yes", "--no-heartbeats"]);
    assert_eq!((ended.code, world.stored().skills.len()), (0, 2), "{}", ended.show());
}

#[test]
fn a_pull_leaves_heartbeats_alone_that_cannot_be_listed() {
    for (code, push_exit, why) in [
        ("INTERNAL_ERROR", 6, "INTERNAL_ERROR OTHER: not now"),
        ("DOMAIN_NOT_FOUND", 5, "DOMAIN_NOT_FOUND OTHER: not now"),
        // As on a server without heartbeats.
        ("PERMISSION_DENIED", 4, ""),
    ] {
        let world = World::new(Ways::default());
        world.push("plan");
        let before = world.tree.read("plan/sprout.yaml");
        world.stored().skills[0]["prompt"] = "# Plan\n\nPlan more of {{input.who}}.\n".into();
        world.fail("heartbeat_list", code);
        for (command, exit) in
            [(&["pull", "plan"][..], 0), (&["push", "--yes", "--merge", "plan"], push_exit)]
        {
            let ended = world.run(command);
            assert_eq!(ended.code, exit, "{}", ended.show());
            let warning = format!("the heartbeats of sprout.yaml stay as they are: {why}");
            assert_eq!(ended.stderr.contains(&warning), !why.is_empty(), "{}", ended.show());
            assert!(world.tree.read("plan/SKILL.md").contains("Plan more"), "{}", ended.show());
            assert_eq!(world.tree.read("plan/sprout.yaml"), before, "{}", ended.show());
        }
    }
}

/// The calls of a tool.
fn calls(world: &World, tool: &str) -> usize {
    world.server.seen().iter().filter(|it| it.message["params"]["name"] == tool).count()
}

#[test]
fn a_push_of_new_skills_lists_the_skills_for_the_plan_and_once_before_and_after_the_writes() {
    let world = World::new(Ways::default());
    let ended = world.run(&["push", "--dry-run", "plan"]);
    assert_eq!((ended.code, calls(&world, "skill_list")), (0, 1), "{}", ended.show());
    world.write("other", "Ada", "0 18 * * 5", "America/New_York");
    world.run(&["push", "--yes"]);
    assert_eq!((world.stored().skills.len(), calls(&world, "skill_list")), (2, 4));
    world.push("plan");
    assert_eq!(calls(&world, "skill_list"), 4);
}

#[test]
fn a_push_of_a_new_skill_warns_of_skills_that_cannot_be_read() {
    let world = lost_record();
    world.stored().skills[0]["skillId"] = json!("sk 0");
    let ended = world.run(&["push", "--dry-run", "plan"]);
    assert_eq!(ended.code, 0, "{}", ended.show());
    let url = world.server.url();
    let warning = format!("plan is new, but 1 skill of {url} cannot be read, and may be the same");
    assert!(ended.stderr.contains(&warning), "{}", ended.show());
    // Without a question, it is not published a second time; what has another label is published.
    world.write("other", "Ada", "0 18 * * 5", "America/New_York");
    let ended = world.run(&["push", "--yes"]);
    assert_eq!((ended.code, world.stored().skills.len()), (3, 2), "{}", ended.show());
    let error = format!(
        "plan was not sent: it may be a skill that {url} has, and that cannot be read: `plan` (an id \
         contains a space)"
    );
    assert!(ended.stderr.contains(&error), "{}", ended.show());
    world.stored().skills[0]["skillId"] = json!("sk_0");
    let ended = world.push("plan");
    assert!(!ended.stderr.contains("cannot be read"), "{}", ended.show());
    assert_eq!((ended.code, world.stored().skills.len()), (0, 2), "{}", ended.show());
}

#[test]
fn a_skill_without_what_the_contract_has_besides_id_and_label_is_found() {
    for (field, value) in [
        ("skillId", json!("sk~0")),
        ("category", Value::Null),
        ("category", json!(1)),
        ("category", json!("sprout_only")),
        ("archived", Value::Null),
        ("inputVariables", json!(["who"])),
    ] {
        let world = lost_record();
        world.stored().skills[0][field] = value.clone();
        let listed = world.run(&["skill", "list"]);
        assert!(listed.stdout.starts_with("plan"), "{field} {value}: {}", listed.show());
        let ended = world.push("plan");
        assert_eq!(ended.code, 0, "{field} {value}: {}", ended.show());
        assert_eq!(world.stored().skills.len(), 1, "{field} {value}: {}", ended.show());
    }
}

#[test]
fn a_skill_that_is_listed_twice_is_one_skill() {
    let world = lost_record();
    let skill = world.stored().skills[0].clone();
    world.stored().skills.push(skill);
    let listed = world.run(&["skill", "list"]);
    assert_eq!(listed.stdout.lines().count(), 1, "{}", listed.show());
    assert!(listed.stderr.contains("lists `sk_0` more than once"), "{}", listed.show());
    assert!(listed.stderr.contains("1 skill on"), "{}", listed.show());
    let pushed = world.push("plan");
    assert_eq!(pushed.code, 0, "{}", pushed.show());
    assert_eq!(calls(&world, "skill_write"), 2, "{}", pushed.show());
}

#[test]
fn a_heartbeat_that_is_listed_twice_is_one_heartbeat() {
    let world = World::new(Ways { lists: &["tz"], ..Ways::default() });
    world.push("plan");
    let heartbeat = world.heartbeats()[0].clone();
    world.stored().heartbeats.push(heartbeat);
    world.write("plan", "Ada", "0 18 * * 5", "America/New_York");
    let pushed = world.push("plan");
    assert_eq!(pushed.code, 0, "{}", pushed.show());
    assert_eq!(calls(&world, "heartbeat_update"), 1, "{}", pushed.show());
    let listed = world.run(&["heartbeat", "list"]);
    assert!(listed.stderr.contains("lists `hb_1` more than once"), "{}", listed.show());
}

#[test]
fn more_skills_than_are_searched_are_no_fault_of_the_server() {
    let world = lost_record();
    let other = |number| {
        json!({
            "skillId": format!("sk_x{number}"), "name": "x", "category": "generic",
            "archived": false,
        })
    };
    world.stored().skills.extend((0..10_000).map(other));
    let ended = world.push("plan");
    assert_eq!(ended.code, 6, "{}", ended.show());
    assert!(!ended.stderr.contains("protocol error"), "{}", ended.show());
    let shown = ended.show().replace(&world.server.url(), "URL");
    insta::assert_snapshot!("too_many_skills", shown);
}

#[test]
fn an_interrupted_creation_is_not_taken_for_one_of_several_equal_skills() {
    let world = World::new(Ways { loses_commit: true, ..Ways::default() });
    assert_ne!(world.push("plan").code, 0);
    let mut equal = world.stored().skills[0].clone();
    equal["skillId"] = "sk_9".into();
    world.stored().skills.push(equal);
    let ended = world.push("plan");
    assert_eq!(ended.code, 3, "{}", ended.show());
    let expected = "2 skills with its content that no folder is linked to: sk_0, sk_9";
    assert!(ended.stderr.contains(expected), "{}", ended.show());
    assert!(!world.tree.path().join("dibber.lock").exists(), "{}", ended.show());
    let linked = world.run(&["skill", "link", "plan", "sk_9"]);
    assert_eq!(linked.code, 0, "{}", linked.show());
    let ended = world.push("plan");
    assert_eq!((ended.code, world.stored().skills.len()), (0, 2), "{}", ended.show());
    let lock = world.tree.read("dibber.lock");
    assert!(lock.contains("sk_9") && !lock.contains("sk_0"), "{lock}");
}

#[test]
fn a_heartbeat_that_a_server_lists_in_its_own_form_is_found_without_a_record() {
    for lists in [&["runSkillId"][..], &["runSkillId", "tz", "skillInput"]] {
        let world = World::new(Ways { lists, ..Ways::default() });
        world.storing(Storing::Normalizing);
        world.push("plan");
        assert_eq!(world.heartbeats()[0]["name"], "weekly plan");
        fs::remove_file(world.tree.path().join("dibber.lock")).expect("a file");
        let pushed = world.push("plan");
        assert_eq!((pushed.code, world.made()), (0, 1), "{}", pushed.show());
        let again = world.push("plan");
        assert!(again.stderr.contains("1 heartbeat is up to date"), "{}", again.show());
    }
}

#[test]
fn a_heartbeat_in_the_form_of_the_server_is_not_pulled_as_a_second_one() {
    let world = World::new(Ways { lists: &["runSkillId", "tz", "skillInput"], ..Ways::default() });
    world.storing(Storing::Normalizing);
    world.push("plan");
    let before = world.tree.read("plan/sprout.yaml");
    let lock = world.tree.read("dibber.lock");
    let (start, _) = lock.split_once("\"Weekly plan\"").expect("a record");
    world.tree.write("dibber.lock", start.as_bytes());
    let pulled = world.run(&["pull", "plan"]);
    assert_eq!(pulled.code, 0, "{}", pulled.show());
    assert_eq!(world.tree.read("plan/sprout.yaml"), before, "{}", pulled.show());
    assert!(world.tree.read("dibber.lock").contains("hb_1"), "{}", pulled.show());
}
