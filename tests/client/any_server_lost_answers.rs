//! Servers of another make that ignore the keys of writes: what they create is not created again
//! because an answer is lost.

use serde_json::{Value, json};

use super::any_server_world::{Storing, Ways, World};
use crate::support::command::Ended;

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
        // It is no duplicate of itself.
        assert!(!resumed.show().contains("hb_1 has the same name"), "{}", resumed.show());
        let journal = world.run_alone(&["journal", "list"]);
        assert_eq!(journal.stdout, "", "{}", journal.show());
    }
}

/// A world in which the answer to the creation of a heartbeat is lost, and the server has stored it in
/// another form.
fn storing_differently(storing: Storing) -> World {
    let world = losing("heartbeat_create");
    world.storing(storing);
    world
}

/// Discards the entry of the journal that the help of a command names.
fn discard_named(world: &World, lost: &Ended) {
    let (_, help) = lost.stderr.split_once("`dibber journal discard ").expect("a command");
    let (entry, _) = help.split_once('`').expect("its end");
    let discarded = world.run_alone(&["journal", "discard", entry]);
    assert_eq!(discarded.code, 0, "{}", discarded.show());
}

#[test]
fn a_heartbeat_that_is_made_and_not_listed_is_made_once_by_the_same_command() {
    for ignores_keys in [true, false] {
        let world = World::new(Ways { ignores_keys, ..Ways::default() });
        world.run(&["push", "--yes", "--no-heartbeats", "plan"]);
        world.storing(Storing::Dropping(""));
        for _ in 0..2 {
            let created = world.run(&CREATE);
            assert_eq!((created.code, world.made()), (6, 1), "{}", created.show());
            assert!(created.stderr.contains("it has made hb_1, but does"), "{}", created.show());
        }
        let created = world.run(&CREATE);
        discard_named(&world, &created);
        let created = world.run(&CREATE);
        assert_eq!((created.code, world.made()), (6, 2), "{}", created.show());
        let cancelled = world.run(&["heartbeat", "cancel", "hb_2", "--yes"]);
        assert_eq!(cancelled.code, 0, "{}", cancelled.show());
        world.storing(Storing::Exact);
        let created = world.run(&CREATE);
        assert_eq!((created.code, world.made()), (0, 3), "{}", created.show());
        let journal = world.run_alone(&["journal", "list"]);
        assert_eq!(journal.stdout, "", "{}", journal.show());
    }
}

#[test]
fn a_heartbeat_that_is_stored_in_another_form_is_not_created_again() {
    let world = storing_differently(Storing::Normalizing);
    let pushed = world.push("plan");
    assert_eq!((pushed.code, world.made()), (0, 1), "{}", pushed.show());
    for field in ["name", "cron"] {
        for create in [&["push", "--yes", "plan"][..], &CREATE] {
            let world = losing("nothing");
            world.run(&["push", "--yes", "--no-heartbeats", "plan"]);
            world.stored().loses_answer = Some("heartbeat_create");
            world.storing(Storing::Dropping(field));
            for _ in 0..2 {
                let lost = world.run(create);
                assert_eq!((lost.code, world.made()), (7, 1), "{}", lost.show());
                assert!(lost.stderr.contains("the server has hb_1"), "{}", lost.show());
            }
        }
    }
}

#[test]
fn a_heartbeat_that_may_have_been_created_is_created_once_it_is_cancelled() {
    for field in ["name", "cron"] {
        let world = storing_differently(Storing::Dropping(field));
        let lost = world.push("plan");
        assert!(lost.stderr.contains("help: `dibber heartbeat cancel hb_1"), "{}", lost.show());
        let cancelled = world.run(&["heartbeat", "cancel", "hb_1", "--yes"]);
        assert_eq!(cancelled.code, 0, "{}", cancelled.show());
        world.storing(Storing::Exact);
        world.age_journal();
        let pushed = world.push("plan");
        assert_eq!((pushed.code, world.made()), (0, 2), "{}", pushed.show());
        assert_eq!(world.heartbeats().len(), 1, "{}", pushed.show());
        let journal = world.run_alone(&["journal", "list"]);
        assert_eq!(journal.stdout, "", "{}", journal.show());
    }
}

#[test]
fn a_heartbeat_is_created_beside_another_one_once_its_entry_is_discarded() {
    for field in ["name", "cron"] {
        let world = storing_differently(Storing::Dropping(field));
        let lost = world.push("plan");
        world.storing(Storing::Exact);
        discard_named(&world, &lost);
        if field == "cron" {
            // It has the same name, and is listed without its skill.
            let blocked = world.push("plan");
            assert_eq!((blocked.code, world.made()), (3, 1), "{}", blocked.show());
            assert!(blocked.stderr.contains("`dibber push --force plan"), "{}", blocked.show());
        }
        let pushed = world.run(&["push", "--yes", "--force", "plan"]);
        assert_eq!((pushed.code, world.made()), (0, 2), "{}", pushed.show());
        let again = world.push("plan");
        assert!(again.stderr.contains("1 heartbeat is up to date"), "{}", again.show());
    }
}

#[test]
fn a_heartbeat_that_may_have_taken_the_place_of_another_is_not_created_again() {
    let world = losing("nothing");
    world.push("plan");
    world.stored().loses_answer = Some("heartbeat_create");
    world.storing(Storing::Dropping("name"));
    world.write("plan", "Ben", "0 17 * * 5", "America/New_York");
    let lost = world.push("plan");
    assert_eq!((lost.code, world.made()), (7, 2), "{}", lost.show());
    assert!(lost.stderr.contains("the old one was cancelled (hb_1)"), "{}", lost.show());
    assert!(lost.stderr.contains("help: `dibber heartbeat cancel hb_2"), "{}", lost.show());
    let again = world.push("plan");
    assert_eq!((again.code, world.made()), (7, 2), "{}", again.show());
    world.storing(Storing::Exact);
    world.run(&["heartbeat", "cancel", "hb_2", "--yes"]);
    world.age_journal();
    let pushed = world.push("plan");
    assert_eq!((pushed.code, world.made()), (0, 3), "{}", pushed.show());
    assert_eq!(world.heartbeats().len(), 1, "{}", pushed.show());
}

#[test]
fn a_heartbeat_that_the_server_still_lists_as_cancelled_is_not_a_new_one() {
    let world = losing("nothing");
    world.push("plan");
    world.storing(Storing::Pausing);
    world.write("plan", "Ben", "0 18 * * 5", "America/New_York");
    world.stored().wordy = Some(("heartbeat_create", false));
    let failed = world.push("plan");
    assert_eq!((failed.code, world.made()), (7, 1), "{}", failed.show());
    world.stored().wordy = None;
    world.age_journal();
    let pushed = world.push("plan");
    assert_eq!((pushed.code, world.made()), (0, 2), "{}", pushed.show());
}

#[test]
fn a_server_that_lists_no_heartbeats_may_have_created_one() {
    let world = losing("nothing");
    world.storing(Storing::Dropping(""));
    world.push("plan");
    world.write("other", "Ada", "0 18 * * 5", "America/New_York");
    world.stored().loses_answer = Some("heartbeat_create");
    for _ in 0..2 {
        let lost = world.push("other");
        assert_eq!((lost.code, world.made()), (7, 2), "{}", lost.show());
        let is_explained = lost.stderr.contains("the server does not list what it creates");
        assert!(is_explained, "{}", lost.show());
    }
    let lost = world.push("other");
    discard_named(&world, &lost);
    let pushed = world.push("other");
    assert_eq!((pushed.code, world.made()), (6, 3), "{}", pushed.show());
    // One that lists others has not created it yet, and is asked again by the next run.
    let world = losing("nothing");
    world.push("plan");
    world.write("other", "Ada", "0 18 * * 5", "America/New_York");
    world.storing(Storing::Dropping(""));
    world.stored().loses_answer = Some("heartbeat_create");
    let lost = world.push("other");
    assert_eq!((lost.code, world.made()), (7, 2), "{}", lost.show());
    world.age_journal();
    let pushed = world.push("other");
    assert_eq!((pushed.code, world.made()), (6, 3), "{}", pushed.show());
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

/// A world in which the answer to a creation is lost, and the server has stored other values.
fn stored_differently(replaces: &Value) -> World {
    let world = losing("skill_write");
    world.stored().replaces = replaces.clone();
    world
}

#[test]
fn a_skill_that_is_stored_in_another_form_is_not_created_again() {
    let footer = format!("{PROMPT}\nMade by an assistant.\n");
    for replaces in [
        json!({"prompt": footer}),
        json!({"name": "plan (draft)"}),
        json!({"name": "plan-draft", "prompt": PROMPT.replace("\n\n", "\n")}),
    ] {
        let world = stored_differently(&replaces);
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
    let world = stored_differently(&json!({"name": "plan (draft)"}));
    world.push("plan");
    let linked = world.run(&["skill", "link", "plan", "sk_0"]);
    assert_eq!(linked.code, 0, "{}", linked.show());
    world.stored().replaces = Value::Null;
    let pushed = world.run(&["push", "--yes", "--force", "plan"]);
    assert_eq!((pushed.code, world.stored().skills.len()), (0, 1), "{}", pushed.show());
    assert_eq!(world.stored().skills[0]["name"], "plan", "{}", pushed.show());

    let world = stored_differently(&json!({"name": "plan (draft)"}));
    let pushed = world.push("plan");
    world.stored().replaces = Value::Null;
    discard_named(&world, &pushed);
    let pushed = world.run(&["push", "--yes", "--new", "plan"]);
    assert_eq!((pushed.code, world.stored().skills.len()), (0, 2), "{}", pushed.show());
}

#[test]
fn a_skill_is_not_created_again_if_a_new_one_cannot_be_read() {
    let world = stored_differently(&json!({"name": null}));
    let pushed = world.push("plan");
    assert_eq!((pushed.code, world.stored().skills.len()), (7, 1), "{}", pushed.show());
    assert!(pushed.stderr.contains("the server has sk_0"), "{}", pushed.show());
}

/// A world with a published skill and its heartbeat, whose server refuses changes that are made
/// already.
fn refusing() -> World {
    let world = World::new(Ways { ignores_keys: true, refuses_repeated: true, ..Ways::default() });
    let pushed = world.push("plan");
    assert_eq!(pushed.code, 0, "{}", pushed.show());
    world
}

#[test]
fn a_change_that_was_made_without_an_answer_is_not_reported_as_refused() {
    type IsMade = fn(&World) -> bool;
    let changes: [(&[&str], &str, IsMade); 6] = [
        (&["push", "--yes", "plan"], "skill_update", |world| {
            world.stored().skills[0]["prompt"].as_str().expect("a prompt").contains("Now.")
        }),
        (&["skill", "update", "plan", "--yes", "--name", "Other"], "skill_update", |world| {
            world.stored().skills[0]["name"] == "Other"
        }),
        (&["skill", "archive", "plan", "--yes", "--cancel-heartbeats"], "skill_archive", |world| {
            world.stored().skills[0]["archived"] == true
        }),
        (&["heartbeat", "pause", "Weekly plan"], "heartbeat_update", |world| {
            world.heartbeats()[0]["enabled"] == false
        }),
        (&["heartbeat", "cancel", "Weekly plan", "--yes"], "heartbeat_update", |world| {
            world.heartbeats().is_empty()
        }),
        (
            &["heartbeat", "edit", "Weekly plan", "--name", "Tea", "--yes"],
            "heartbeat_update",
            |world| world.heartbeats()[0]["name"] == "Tea",
        ),
    ];
    for (command, tool, is_made) in changes {
        let world = refusing();
        if command[0] == "push" {
            let skill = world.tree.read("plan/SKILL.md") + "Now.\n";
            world.tree.write("plan/SKILL.md", skill.as_bytes());
        }
        world.stored().loses_answer = Some(tool);
        let ended = world.run(command);
        assert_eq!((ended.code, is_made(&world)), (0, true), "{}", ended.show());
        let journal = world.run_alone(&["journal", "list"]);
        assert_eq!(journal.stdout, "", "{}", journal.show());
    }
}

#[test]
fn a_change_whose_answer_was_lost_is_found_by_the_name_from_before() {
    let commands: [&[&str]; 4] = [
        &["heartbeat", "cancel", "weekly plan", "--yes"],
        &["heartbeat", "cancel", "hb_1", "--yes"],
        &["heartbeat", "edit", "Weekly plan", "--name", "Tea", "--yes"],
        &["skill", "update", "Journal", "--name", "Diary", "--yes"],
    ];
    for command in commands {
        let world = losing("nothing");
        world.push("plan");
        world.stored().skills[0]["name"] = "journal".into();
        let (tool, reader) = match command[0] {
            "skill" => ("skill_update", "skill_get"),
            _ => ("heartbeat_update", "heartbeat_list"),
        };
        world.stored().loses_answer = Some(tool);
        // What was changed cannot be looked for.
        world.fail_after(tool, reader);
        let lost = world.run(command);
        assert_eq!(lost.code, 7, "{}", lost.show());
        world.repair();
        let other = command.iter().map(|it| if *it == command[2] { "Unknown" } else { it });
        let unknown = world.run(&other.collect::<Vec<_>>());
        assert_eq!(unknown.code, 5, "{}", unknown.show());
        let again = world.run(command);
        assert_eq!(again.code, 0, "{}", again.show());
        let journal = world.run_alone(&["journal", "list"]);
        assert_eq!(journal.stdout, "", "{}", journal.show());
    }
}

#[test]
fn a_refused_change_is_reported_as_refused_only_if_no_attempt_may_have_made_it() {
    let world = refusing();
    world.fail("skill_update", "BAD_INPUT");
    world.stored().loses_answer = Some("skill_update");
    let update = ["skill", "update", "plan", "--yes", "--name", "Other"];
    let lost = world.run(&update);
    assert_eq!(lost.code, 7, "{}", lost.show());
    assert!(lost.stderr.contains("not now"), "{}", lost.show());
    assert!(!lost.stderr.contains("takes effect once"), "{}", lost.show());
    let again = world.run(&update);
    assert_eq!(again.code, 3, "{}", again.show());
}

#[test]
fn a_refused_creation_is_reported_as_refused_only_if_no_attempt_may_have_made_it() {
    let world = World::new(Ways { ignores_keys: true, ..Ways::default() });
    world.fail("heartbeat_create", "BAD_INPUT");
    world.stored().loses_answer = Some("heartbeat_create");
    let lost = world.push("plan");
    assert_eq!(lost.code, 7, "{}", lost.show());
    world.age_journal();
    let again = world.push("plan");
    assert_eq!(again.code, 3, "{}", again.show());
    assert_eq!(world.heartbeats().len(), 0, "{}", again.show());
}
