//! Servers of another make whose answers to writes are about something else than what they wrote.

use serde_json::{Value, json};

use super::any_server_world::{Ways, World};

/// A world whose server has a skill of a person.
fn with_recipes() -> World {
    let world = World::new(Ways { ignores_keys: true, ..Ways::default() });
    world.stored().skills.push(recipes());
    world
}

fn recipes() -> Value {
    json!({
        "skillId": "human1", "name": "Grandma recipes", "category": "generic",
        "description": "Tells what grandma cooked. Use it for dinner.", "archived": false,
        "prompt": "precious human text", "handsReferenced": [], "inputVariables": [],
    })
}

/// Lets every new skill be answered with the id of that of the person.
fn with_wrong_answers() -> World {
    let world = with_recipes();
    world.stored().wrong_id = Some(("skill_write", "human1"));
    world
}

#[test]
fn a_skill_that_is_answered_with_the_id_of_another_is_found_by_its_content() {
    let world = with_wrong_answers();
    world.write("quiz", "Ben", "0 18 * * 5", "America/New_York");
    let pushed = world.run(&["push", "--yes"]);
    assert_eq!((pushed.code, world.made()), (0, 2), "{}", pushed.show());
    let lock = world.tree.read("dibber.lock");
    assert!(lock.contains("sk_1") && lock.contains("sk_2"), "{lock}");
    assert!(!lock.contains("human1"), "{lock}");
    assert_eq!(world.stored().skills.len(), 3, "{}", pushed.show());
    assert_eq!(world.stored().skills[0], recipes(), "{}", pushed.show());
    std::fs::remove_dir_all(world.tree.path().join("plan")).expect("a directory");
    let pruned = world.run(&["push", "--yes", "--prune"]);
    assert_eq!(pruned.code, 0, "{}", pruned.show());
    assert_eq!(world.stored().skills[0], recipes(), "{}", pruned.show());
}

#[test]
fn an_answer_with_the_id_of_another_skill_is_an_unknown_outcome_if_nothing_is_new() {
    let world = with_wrong_answers();
    world.stored().idle_tool = Some("skill_write");
    for run in 0..2 {
        if run > 0 {
            world.age_journal();
        }
        let pushed = world.push("plan");
        assert_eq!(pushed.code, 7, "{}", pushed.show());
        let expected = "plan: the outcome of the call is unknown: it answers with `human1` for a \
                        new skill, which is another one\nhelp: run the same command again";
        assert!(pushed.stderr.contains(expected), "{}", pushed.show());
        assert!(!world.tree.path().join("dibber.lock").exists(), "{}", pushed.show());
        assert_eq!(world.stored().skills, [recipes()], "{}", pushed.show());
    }
    world.stored().idle_tool = None;
    world.stored().wrong_id = None;
    world.age_journal();
    let pushed = world.push("plan");
    assert_eq!((pushed.code, world.stored().skills.len()), (0, 2), "{}", pushed.show());
}

#[test]
fn a_new_skill_with_another_name_and_prompt_is_not_recorded() {
    let world = with_recipes();
    // Another person creates this skill at the same time: after the dry-run, with the second call.
    world.stored().edited_after = Some(("skill_write", |stored| {
        stored.edited_after = Some(("skill_write", |stored| {
            let mut other = recipes();
            other["skillId"] = "human2".into();
            stored.skills.push(other);
        }));
    }));
    world.stored().wrong_id = Some(("skill_write", "human2"));
    let pushed = world.push("plan");
    assert_eq!(pushed.code, 7, "{}", pushed.show());
    let expected =
        "it answers with `human2` for a new skill, which has another `name` and `prompt`";
    assert!(pushed.stderr.contains(expected), "{}", pushed.show());
    assert!(!world.tree.path().join("dibber.lock").exists(), "{}", pushed.show());
    let again = world.push("plan");
    assert_eq!(again.code, 0, "{}", again.show());
    assert!(world.tree.read("dibber.lock").contains("sk_1"), "{}", again.show());
    assert_eq!(world.stored().skills.len(), 3, "{}", again.show());
}

#[test]
fn a_change_that_is_answered_with_another_id_is_done_if_it_has_taken_effect() {
    let world = World::new(Ways::default());
    world.push("plan");
    world.stored().wrong_id = Some(("heartbeat_update", "hb_9"));
    for action in ["pause", "resume", "cancel"] {
        let changed = world.run(&["heartbeat", action, "Weekly plan", "--yes"]);
        assert_eq!(changed.code, 0, "{}", changed.show());
    }
    assert_eq!(world.heartbeats(), [Value::Null; 0]);
    // It is cancelled, and sprout.yaml still has it.
    let pushed = world.push("plan");
    assert!(pushed.code == 3 && pushed.stderr.contains("it was cancelled"), "{}", pushed.show());
    world.stored().wrong_id = Some(("skill_archive", "sk_9"));
    let archived = world.run(&["skill", "archive", "plan", "--yes"]);
    assert_eq!(archived.code, 0, "{}", archived.show());
    assert_eq!(world.stored().skills[0]["archived"], true, "{}", archived.show());
    let journal = world.run_alone(&["journal", "list"]);
    assert_eq!(journal.stdout, "", "{}", journal.show());
}

#[test]
fn the_outcome_of_a_change_without_effect_is_unknown_if_another_id_is_answered() {
    let world = World::new(Ways::default());
    world.push("plan");
    world.stored().wrong_id = Some(("heartbeat_update", "hb_9"));
    world.storing(super::any_server_world::Storing::Keeping);
    let cancelled = world.run(&["heartbeat", "cancel", "Weekly plan", "--yes"]);
    assert_eq!(cancelled.code, 7, "{}", cancelled.show());
    let expected = "unknown: it answers with `hb_9` to a change of `hb_1`";
    assert!(cancelled.stderr.contains(expected), "{}", cancelled.show());
    world.stored().wrong_id = Some(("skill_archive", "sk_9"));
    world.stored().archives = Some(true.into());
    world.storing(super::any_server_world::Storing::Exact);
    let archived = world.run(&["skill", "archive", "plan", "--yes", "--cancel-heartbeats"]);
    assert_eq!(archived.code, 7, "{}", archived.show());
    let expected = "unknown: it answers with `sk_9` to the archive of `sk_0`";
    assert!(archived.stderr.contains(expected), "{}", archived.show());
}

#[test]
fn a_skill_that_a_server_without_codes_does_not_list_is_gone() {
    let world = with_recipes();
    world.push("plan");
    world.stored().skills.retain(|skill| skill["skillId"] == "human1");
    world.stored().wordy = Some(("skill_get", false));
    for push in [&["push", "--yes", "plan"][..], &["push", "--yes", "--force", "plan"]] {
        let pushed = world.run(push);
        assert_eq!(pushed.code, 5, "{}", pushed.show());
        let expected = "plan was published as sk_1, which no longer exists\nhelp: `dibber push \
                        --new plan";
        assert!(pushed.stderr.contains(expected), "{}", pushed.show());
    }
    let copied = world.run(&["push", "--yes", "--new", "plan"]);
    assert!(!copied.stderr.contains("stays active"), "{}", copied.show());
}

/// The list of another account is as empty as that of one whose skills were removed.
#[test]
fn a_skill_of_a_server_without_codes_that_lists_none_is_published_anew_only_if_told_so() {
    let world = World::new(Ways::default());
    world.push("plan");
    world.stored().skills.clear();
    world.stored().wordy = Some(("skill_get", false));
    for command in
        [&["push", "--yes", "plan"][..], &["push", "--yes", "--force", "plan"], &["diff"]]
    {
        let ended = world.run(command);
        assert_eq!(ended.code, 5, "{}", ended.show());
        let expected = "plan: the server lists no skills, and answers about sk_0: something bad \
                        happened\nhelp: `dibber status";
        assert!(ended.stderr.contains(expected), "{}", ended.show());
        for help in ["`dibber push --new plan", "`dibber skill unlink plan"] {
            assert!(ended.stderr.contains(help), "{}", ended.show());
        }
        assert!(world.stored().skills.is_empty(), "{}", ended.show());
    }
    let copied = world.run(&["push", "--yes", "--new", "plan"]);
    assert_eq!(world.stored().skills.len(), 1, "{}", copied.show());
}

#[test]
fn a_pruned_skill_of_a_server_without_codes_that_lists_none_is_forgotten_only_if_told_so() {
    let world = World::new(Ways::default());
    world.push("plan");
    std::fs::remove_dir_all(world.tree.path().join("plan")).expect("a directory");
    world.stored().skills.clear();
    world.stored().heartbeats.clear();
    world.stored().wordy = Some(("skill_get", false));
    let pruned = world.run(&["push", "--yes", "--prune"]);
    assert_eq!(pruned.code, 5, "{}", pruned.show());
    assert!(pruned.stdout.contains("stays: the server lists no skills"), "{}", pruned.show());
    let expected = "`dibber skill unlink plan";
    assert!(pruned.stderr.contains(expected), "{}", pruned.show());
    let unlinked = world.run_alone(&["skill", "unlink", "plan"]);
    assert_eq!(unlinked.code, 0, "{}", unlinked.show());
    assert!(!world.tree.read("dibber.lock").contains("sk_0"), "{}", unlinked.show());
}

/// A world with a published skill that is edited since.
fn edited(ways: Ways) -> World {
    let world = World::new(ways);
    world.push("plan");
    let edited = world.tree.read("plan/SKILL.md").replace("Plan the week of", "Plan the month of");
    world.tree.write("plan/SKILL.md", edited.as_bytes());
    world
}

#[test]
fn a_change_that_is_refused_in_words_is_not_applied_if_the_skill_is_as_it_was() {
    let world = edited(Ways::default());
    world.stored().wordy = Some(("skill_update", false));
    for command in [
        &["push", "--yes", "plan"][..],
        &["push", "--yes", "plan"],
        &["skill", "update", "sk_0", "--yes", "--description", "Plans a month. Use in May."],
    ] {
        let refused = world.run(command);
        assert_eq!(refused.code, 6, "{}", refused.show());
        let expected = "the change was not applied: the tool answered with an error: something bad \
                        happened";
        assert!(refused.stderr.contains(expected), "{}", refused.show());
        let journal = world.run_alone(&["journal", "list"]);
        assert_eq!(journal.stdout, "", "{}", journal.show());
    }
    world.stored().wordy = None;
    let pushed = world.push("plan");
    assert_eq!(pushed.code, 0, "{}", pushed.show());
}

#[test]
fn a_change_that_is_made_is_no_refusal_whatever_its_answer_says() {
    let world = edited(Ways::default());
    world.stored().wordy = Some(("skill_update", true));
    let pushed = world.push("plan");
    assert_eq!(pushed.code, 0, "{}", pushed.show());
}

#[test]
fn the_outcome_of_a_change_that_is_refused_in_words_is_unknown_if_it_cannot_be_read() {
    let world = edited(Ways::default());
    world.stored().wordy = Some(("skill_update", true));
    world.fail_after("skill_update", "skill_get");
    let pushed = world.push("plan");
    assert_eq!(pushed.code, 7, "{}", pushed.show());
    world.repair();
    let pushed = world.push("plan");
    assert_eq!(pushed.code, 0, "{}", pushed.show());
}

/// A world whose edited skill was sent by an earlier run, and has not arrived yet; and what arrives.
fn sent_earlier() -> (World, Vec<Value>) {
    let world = edited(Ways { ignores_keys: true, ..Ways::default() });
    let before = world.stored().skills.clone();
    world.stored().wordy = Some(("skill_update", true));
    world.fail_after("skill_update", "skill_get");
    let pushed = world.push("plan");
    assert_eq!(pushed.code, 7, "{}", pushed.show());
    world.repair();
    let late = std::mem::replace(&mut world.stored().skills, before);
    world.stored().wordy = Some(("skill_update", false));
    (world, late)
}

#[test]
fn a_change_that_an_earlier_run_has_sent_may_arrive_after_one_that_is_refused_in_words() {
    let (world, late) = sent_earlier();
    for _ in 0..2 {
        let refused = world.push("plan");
        assert_eq!(refused.code, 7, "{}", refused.show());
        let expected = "may still make the change; now the tool answered with an error: something \
                        bad happened";
        assert!(refused.stderr.contains(expected), "{}", refused.show());
    }
    let journal = world.run_alone(&["journal", "list"]);
    assert!(journal.stdout.contains("skill_update"), "{}", journal.show());
    world.stored().skills = late;
    let pushed = world.push("plan");
    assert_eq!(pushed.code, 0, "{}", pushed.show());
    let journal = world.run_alone(&["journal", "list"]);
    assert_eq!(journal.stdout, "", "{}", journal.show());
}

#[test]
fn a_change_that_an_earlier_run_has_sent_long_ago_is_not_applied() {
    let (world, _) = sent_earlier();
    let refused = world.push("plan");
    assert_eq!(refused.code, 7, "{}", refused.show());
    world.age_journal();
    let refused = world.push("plan");
    assert_eq!(refused.code, 6, "{}", refused.show());
    let journal = world.run_alone(&["journal", "list"]);
    assert_eq!(journal.stdout, "", "{}", journal.show());
}

#[test]
fn a_code_of_another_server_has_the_exit_code_of_its_meaning() {
    let world = World::new(Ways::default());
    world.push("plan");
    for (code, exit) in [
        ("NOT_FOUND", 5),
        ("FORBIDDEN", 4),
        ("UNAUTHORIZED", 4),
        ("INVALID_INPUT", 3),
        ("TEAPOT", 6),
    ] {
        world.stored().failing = Some(("skill_get", code));
        let ended = world.run(&["skill", "get", "sk_0"]);
        assert_eq!(ended.code, exit, "{code}: {}", ended.show());
        assert!(ended.stderr.contains("not now"), "{code}: {}", ended.show());
    }
    // Such an error means that nothing was changed.
    world.stored().failing = Some(("heartbeat_update", "NOT_FOUND"));
    let ended = world.run(&["heartbeat", "edit", "Weekly plan", "--name", "Other", "--yes"]);
    assert_eq!(ended.code, 5, "{}", ended.show());
    let journal = world.run_alone(&["journal", "list"]);
    assert!(!journal.stdout.contains("heartbeat_update"), "{}", journal.show());
}
