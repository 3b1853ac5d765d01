//! Archives and changes of skills which a server of another make answers without having made them.

use serde_json::json;

use super::any_server_world::{Ways, World};

/// A world with a published skill without a heartbeat.
fn published() -> World {
    let world = World::new(Ways::default());
    world.tree.write(
        "plan/SKILL.md",
        b"---\nname: plan\ndescription: Plans the week. Use when a parent wants to plan.\n---\n\n\
          # Plan\n\nPlan the week.\n",
    );
    world.tree.write("plan/sprout.yaml", b"label: plan\n");
    let pushed = world.push("plan");
    assert_eq!(pushed.code, 0, "{}", pushed.show());
    world
}

#[test]
fn a_skill_is_archived_if_only_its_status_says_so() {
    let world = published();
    {
        let skill = &mut world.stored().skills[0];
        skill.as_object_mut().expect("an object").remove("archived");
        skill["status"] = "archived".into();
    }
    let pushed = world.push("plan");
    assert!(pushed.stderr.contains("is archived"), "{}", pushed.show());
    assert_eq!(pushed.code, 5, "{}", pushed.show());
}

#[test]
fn a_skill_is_archived_if_only_the_list_says_so() {
    let world = published();
    world.stored().left_out = Some("archived");
    for (command, archived) in [("archive", true), ("unarchive", false), ("archive", true)] {
        let ended = world.run(&["skill", command, "--yes", "sk_0"]);
        assert_eq!(ended.code, 0, "{}", ended.show());
        assert_eq!(world.stored().skills[0]["archived"], archived);
    }
    let edited = world.tree.read("plan/SKILL.md").replace("Plan the week.", "Plan the month.");
    world.tree.write("plan/SKILL.md", edited.as_bytes());
    let pushed = world.push("plan");
    assert!(pushed.stderr.contains("is archived"), "{}", pushed.show());
    assert_eq!(pushed.code, 5, "{}", pushed.show());
}

#[test]
fn a_skill_of_which_nothing_says_if_it_is_archived_is_archived_and_unarchived() {
    let world = published();
    world.stored().left_out = Some("archived");
    world.stored().unlisted = Some("archived");
    for (command, archived) in [("archive", true), ("archive", true), ("unarchive", false)] {
        let ended = world.run(&["skill", command, "--yes", "sk_0"]);
        assert_eq!(ended.code, 0, "{}", ended.show());
        assert!(!ended.stderr.contains("already"), "{}", ended.show());
        assert_eq!(world.stored().skills[0]["archived"], archived);
    }
    let shown = world.run(&["skill", "get", "sk_0"]);
    assert!(shown.stdout.contains("unknown"), "{}", shown.show());
    let edited = world.tree.read("plan/SKILL.md").replace("Plan the week.", "Plan the month.");
    world.tree.write("plan/SKILL.md", edited.as_bytes());
    let pushed = world.push("plan");
    assert_eq!(pushed.code, 0, "{}", pushed.show());
    let prompt = world.stored().skills[0]["prompt"].to_string();
    assert!(prompt.contains("Plan the month."), "{prompt}");
}

#[test]
fn an_archive_that_is_answered_for_another_skill_is_not_trusted_if_nothing_says_the_state() {
    let world = published();
    world.stored().left_out = Some("archived");
    world.stored().unlisted = Some("archived");
    world.stored().wrong_id = Some(("skill_archive", "sk_9"));
    let ended = world.run(&["skill", "archive", "--yes", "sk_0"]);
    assert!(ended.stderr.contains("`sk_9`"), "{}", ended.show());
    assert_eq!(ended.code, 7, "{}", ended.show());
}

#[test]
fn skills_are_listed_once_to_learn_which_are_archived() {
    let world = World::new(Ways::default());
    for name in ["tea", "walk"] {
        world.write(name, "Ada", "0 9 * * 1", "America/New_York");
    }
    let pushed = world.run(&["push", "--yes", "tea", "walk"]);
    assert_eq!(pushed.code, 0, "{}", pushed.show());
    world.stored().left_out = Some("archived");
    let before = world.server.calls().len();
    let pushed = world.run(&["push", "--yes", "tea", "walk"]);
    assert_eq!(pushed.code, 0, "{}", pushed.show());
    let calls = world.server.calls().split_off(before);
    let lists = calls.iter().filter(|call| call.message["params"]["name"] == "skill_list");
    assert_eq!(lists.count(), 1);
}

#[test]
fn an_archive_that_is_ignored_is_an_error_whatever_the_answer_says() {
    let world = published();
    for (command, archived) in [("archive", true), ("unarchive", false)] {
        for answered in [archived, !archived] {
            world.stored().archives = Some(json!(answered));
            let ended = world.run(&["skill", command, "--yes", "sk_0"]);
            let expected =
                format!("the server accepted the {command} of sk_0, but did not {command} it");
            assert!(ended.stderr.contains(&expected), "{}", ended.show());
            assert_eq!(ended.code, 6, "{}", ended.show());
            let help = format!("`dibber skill get sk_0 --server {}`", world.server.url());
            assert!(ended.stderr.contains(&help), "{}", ended.show());
        }
        world.stored().archives = None;
        let ended = world.run(&["skill", command, "--yes", "sk_0"]);
        assert_eq!(ended.code, 0, "{}", ended.show());
        assert_eq!(world.stored().skills[0]["archived"], archived);
    }
}

#[test]
fn a_pruned_skill_whose_archive_is_ignored_stays_recorded() {
    let world = published();
    std::fs::remove_dir_all(world.tree.path().join("plan")).expect("a directory");
    world.stored().archives = Some(json!(true));
    let pruned = world.run(&["push", "--yes", "--prune"]);
    assert!(pruned.stderr.contains("did not archive it"), "{}", pruned.show());
    assert!(!pruned.stderr.contains("Archived"), "{}", pruned.show());
    assert_eq!(pruned.code, 6, "{}", pruned.show());
    world.stored().archives = None;
    let again = world.run(&["push", "--yes", "--prune"]);
    assert!(again.stderr.contains("Archived sk_0"), "{}", again.show());
    assert_eq!(again.code, 0, "{}", again.show());
}

#[test]
fn a_pruned_skill_that_the_server_does_not_have_is_not_said_to_be_archived() {
    let world = published();
    std::fs::remove_dir_all(world.tree.path().join("plan")).expect("a directory");
    world.stored().skills.clear();
    let pruned = world.run(&["push", "--yes", "--prune"]);
    assert!(pruned.stderr.contains("sk_0 of plan does not exist on "), "{}", pruned.show());
    assert!(!pruned.stderr.contains("Archived"), "{}", pruned.show());
    assert_eq!(pruned.code, 0, "{}", pruned.show());
    assert!(!world.tree.read("dibber.lock").contains("sk_0"), "{}", pruned.show());
}

/// Its list says what its error does not.
#[test]
fn a_pruned_skill_is_missing_where_an_error_in_words_answers_for_it_and_the_list_lacks_it() {
    let world = published();
    std::fs::remove_dir_all(world.tree.path().join("plan")).expect("a directory");
    world.stored().skills[0]["skillId"] = "sk_9".into();
    world.stored().failing = Some(("skill_get", ""));
    let pruned = world.run(&["push", "--yes", "--prune"]);
    assert!(pruned.stderr.contains("sk_0 of plan does not exist on "), "{}", pruned.show());
    assert_eq!(pruned.code, 0, "{}", pruned.show());
    assert!(!world.tree.read("dibber.lock").contains("sk_0"), "{}", pruned.show());
}

#[test]
fn a_pruned_skill_that_is_archived_already_is_said_to_be_forgotten() {
    let world = published();
    std::fs::remove_dir_all(world.tree.path().join("plan")).expect("a directory");
    world.stored().skills[0]["archived"] = true.into();
    let pushed = world.run(&["push", "--yes"]);
    assert!(!pushed.stderr.contains("still on"), "{}", pushed.show());
    let pruned = world.run(&["push", "--yes", "--prune"]);
    assert!(pruned.stdout.contains("sk_0 (will be forgotten)"), "{}", pruned.show());
    assert!(pruned.stderr.contains("sk_0 of plan is archived already on"), "{}", pruned.show());
    assert!(!pruned.stderr.contains("Archived"), "{}", pruned.show());
    assert!(!world.tree.read("dibber.lock").contains("sk_0"), "{}", pruned.show());
}

/// A world with a published skill and its heartbeat, whose list does not say what it runs.
fn scheduled() -> World {
    let world = World::new(Ways::default());
    let pushed = world.push("plan");
    assert_eq!((pushed.code, world.heartbeats().len()), (0, 1), "{}", pushed.show());
    world
}

#[test]
fn a_recorded_heartbeat_is_cancelled_although_the_server_does_not_list_what_it_runs() {
    for named in ["plan", "sk_0"] {
        let world = scheduled();
        let refused = world.run(&["skill", "archive", "--yes", named]);
        assert!(refused.stderr.contains("still runs it"), "{}", refused.show());
        assert_eq!(refused.code, 3, "{}", refused.show());
        assert_eq!(world.stored().skills[0]["archived"], false);
        let archived = world.run(&["skill", "archive", "--yes", "--cancel-heartbeats", named]);
        assert!(archived.stderr.contains("hb_1): cancelled"), "{}", archived.show());
        assert_eq!(archived.code, 0, "{}", archived.show());
        assert_eq!(world.heartbeats(), [json!(null); 0]);
        assert_eq!(world.stored().skills[0]["archived"], true);
        assert!(!world.tree.read("dibber.lock").contains("hb_1"), "{}", archived.show());
    }
}

#[test]
fn an_archive_forgets_what_an_interrupted_one_has_cancelled() {
    let world = scheduled();
    // It was killed after the end of the cancellation, before the record was removed.
    world.stored().heartbeats.clear();
    assert!(world.tree.read("dibber.lock").contains("hb_1"));
    let archived = world.run(&["skill", "archive", "--yes", "plan"]);
    assert_eq!(archived.code, 0, "{}", archived.show());
    assert!(!world.tree.read("dibber.lock").contains("hb_1"), "{}", archived.show());
}

#[test]
fn an_archive_warns_of_heartbeats_that_may_run_the_skill() {
    for count in [1, 6] {
        let world = published();
        for number in 0..count {
            let item = json!({
                "heartbeatId": format!("hb_{number}"), "name": "Tea", "cron": "0 9 * * *",
                "cadenceText": "Daily", "enabled": true, "nextRunAt": null, "lastRunAt": null,
                "chatId": "th",
            });
            world.stored().heartbeats.push(item);
        }
        let archived = world.run(&["skill", "archive", "--yes", "sk_0"]);
        assert!(archived.stderr.contains("does not list which skill runs"), "{}", archived.show());
        let command =
            if count == 1 { "`dibber heartbeat cancel hb_0" } else { "`dibber heartbeat list" };
        assert!(archived.stderr.contains(command), "{}", archived.show());
        assert_eq!(archived.code, 0, "{}", archived.show());
        assert_eq!(world.heartbeats().len(), count);
    }
}

#[test]
fn a_recorded_heartbeat_that_cannot_be_listed_prevents_an_archive() {
    let world = scheduled();
    world.fail("heartbeat_list", "PERMISSION_DENIED");
    let refused = world.run(&["skill", "archive", "--yes", "--cancel-heartbeats", "plan"]);
    assert_ne!(refused.code, 0, "{}", refused.show());
    assert_eq!(world.stored().skills[0]["archived"], false);
}

#[test]
fn an_archive_is_read_back_if_the_answer_has_the_id_alone() {
    let world = published();
    world.stored().archives = Some(json!(null));
    for (command, archived) in [("archive", true), ("unarchive", false)] {
        let ended = world.run(&["skill", command, "--yes", "sk_0"]);
        assert_eq!(ended.code, 0, "{}", ended.show());
        assert_eq!(world.stored().skills[0]["archived"], archived);
    }
}
