//! Ids that a server of another make should not answer with: unusable ones, and those of others.

use serde_json::json;

use super::any_server_world::{Storing, Ways, World};

#[test]
fn an_unusable_id_in_a_list_is_reported_and_the_others_are_read() {
    for (id, why) in [
        ("", "an id is empty"),
        ("../../x", "an id has a part `.` or `..`"),
        ("hb_\u{1b}[31m", "an id contains"),
        (&"h".repeat(300), "an id is too long"),
    ] {
        let world = World::new(Ways::default());
        world.push("plan");
        let mut other = world.heartbeats()[0].clone();
        other["heartbeatId"] = id.into();
        other["name"] = "Other".into();
        world.stored().heartbeats.push(other);
        let listed = world.run(&["heartbeat", "list"]);
        assert_eq!(listed.code, 0, "{}", listed.show());
        assert!(listed.stdout.contains("hb_1"), "{}", listed.show());
        let expected = format!("cannot read `Other` in the list of the server: {why}");
        assert!(listed.stderr.contains(&expected), "{}", listed.show());
    }
}

#[test]
fn an_unusable_id_in_the_answer_to_a_create_is_an_error_and_not_recorded() {
    for id in ["", "../../x", "hb_\u{1b}[31m"] {
        let world = World::new(Ways::default());
        world.stored().wrong_id = Some(("heartbeat_create", id));
        let ended = world.push("plan");
        assert_eq!(ended.code, 7, "{}", ended.show());
        assert!(ended.stderr.contains("the answer of `heartbeat_create`: an id "));
        assert!(!world.tree.read("dibber.lock").contains("Weekly plan"), "{}", ended.show());
        // What was created all the same is found again.
        world.stored().wrong_id = None;
        let again = world.push("plan");
        assert_eq!((again.code, world.made()), (0, 1), "{}", again.show());
    }
}

#[test]
fn a_heartbeat_may_have_an_empty_id_for_what_it_lacks() {
    let world = World::new(Ways::default());
    world.push("plan");
    world.stored().heartbeats[0]["runSkillId"] = "".into();
    world.stored().heartbeats[0]["childId"] = "".into();
    world.stored().heartbeats[0]["chatId"] = "".into();
    let ended = world.push("plan");
    assert_eq!(ended.code, 0, "{}", ended.show());
    let listed = world.run(&["heartbeat", "list", "--json"]);
    assert_eq!(listed.code, 0, "{}", listed.show());
    assert!(!listed.stdout.contains("runSkillId"), "{}", listed.show());
}

#[test]
fn a_skill_that_was_not_asked_for_is_an_error() {
    let world = World::new(Ways::default());
    world.push("plan");
    world.stored().wrong_id = Some(("skill_get", "sk_other"));
    let got = world.run(&["skill", "get", "sk_0"]);
    assert_eq!(got.code, 6, "{}", got.show());
    let expected = "the answer of `skill_get` for `sk_0` is about `sk_other`";
    assert!(got.stderr.contains(expected), "{}", got.show());
    world.tree.write("plan/SKILL.md", (world.tree.read("plan/SKILL.md") + "More.\n").as_bytes());
    let pushed = world.push("plan");
    assert_eq!(pushed.code, 6, "{}", pushed.show());
    assert_eq!(world.stored().skills[0]["skillId"], json!("sk_0"));
}

#[test]
fn the_id_of_another_heartbeat_is_not_recorded_for_a_new_one() {
    let world = World::new(Ways::default());
    world.push("plan");
    world.write("other", "Ada", "0 9 * * 1", "America/New_York");
    world.stored().wrong_id = Some(("heartbeat_create", "hb_1"));
    let pushed = world.push("other");
    // The one that was created is found.
    assert_eq!((pushed.code, world.made()), (0, 2), "{}", pushed.show());
    assert_eq!(world.tree.read("dibber.lock").matches("hb_1").count(), 1);
    assert!(world.tree.read("dibber.lock").contains("hb_2"), "{}", pushed.show());
}

#[test]
fn the_id_of_a_heartbeat_of_others_is_not_recorded_when_its_creation_is_resumed() {
    let world = World::new(Ways::default());
    // It has the name and the schedule of the new one.
    world.write("other", "Ada", "0 17 * * 5", "America/New_York");
    world.push("other");
    std::fs::remove_file(world.tree.path().join("dibber.lock")).expect("a lock file");
    world.stored().wrong_id = Some(("heartbeat_create", "hb_1"));
    world.storing(Storing::Dropping(""));
    for arguments in [&["push", "--yes", "plan"][..], &["push", "--yes", "--force", "plan"]] {
        let pushed = world.run(arguments);
        assert_eq!(pushed.code, 7, "{}", pushed.show());
        let expected = "it answers with `hb_1` for a new heartbeat";
        assert!(pushed.stderr.contains(expected), "{}", pushed.show());
        assert!(!world.tree.read("dibber.lock").contains("hb_1"), "{}", pushed.show());
    }
}

#[test]
fn a_heartbeat_of_another_skill_is_not_recorded_when_a_creation_is_resumed() {
    let world = World::new(Ways { lists: &["runSkillId", "skillInput"], ..Ways::default() });
    world.stored().wordy = Some(("heartbeat_create", true));
    let lost = world.push("plan");
    assert_eq!((lost.code, world.made()), (7, 1), "{}", lost.show());
    // Meanwhile the heartbeat is cancelled, and one of another skill has its name and schedule.
    world.stored().heartbeats[0]["heartbeatId"] = "hb_9".into();
    world.stored().heartbeats[0]["runSkillId"] = "sk_9".into();
    world.stored().wordy = None;
    let pushed = world.push("plan");
    assert!(!world.tree.read("dibber.lock").contains("hb_9"), "{}", pushed.show());
}

#[test]
fn an_answer_about_another_heartbeat_is_no_change_of_this_one() {
    let world = World::new(Ways { lists: &["tz"], ..Ways::default() });
    world.push("plan");
    world.write("plan", "Ada", "0 18 * * 5", "America/New_York");
    world.stored().wrong_id = Some(("heartbeat_update", "hb_9"));
    let before = world.tree.read("dibber.lock");
    let pushed = world.push("plan");
    assert_eq!(pushed.code, 7, "{}", pushed.show());
    let expected = "it answers with `hb_9` to a change of `hb_1`";
    assert!(pushed.stderr.contains(expected), "{}", pushed.show());
    assert_eq!(world.tree.read("dibber.lock"), before);
    world.stored().wrong_id = None;
    let again = world.push("plan");
    assert_eq!((again.code, world.heartbeats().len()), (0, 1), "{}", again.show());
}

#[test]
fn an_id_of_a_skill_in_another_project_is_not_recorded_for_a_second_one() {
    let world = World::new(Ways::default());
    world.stored().repeats_id = true;
    // More than are recorded together.
    let names: Vec<_> = (0..64).map(|number| format!("a/s{number}")).collect();
    for name in names.iter().map(String::as_str).chain(["b/last"]) {
        let (project, slug) = name.split_once('/').expect("a project");
        let skill = format!(
            "---\nname: {slug}\ndescription: Plans the week. Use when a parent wants to plan.\n\
             ---\n\n# Plan\n\nPlan the week as {slug}.\n"
        );
        world.tree.write(&format!("{name}/SKILL.md"), skill.as_bytes());
        world.tree.write(&format!("{project}/dibber.toml"), b"");
    }
    let ended = world.run(&["push", "--yes", "a", "b"]);
    let expected = "b/last: the outcome of the call is unknown: it answers with `sk_0` for a new skill, \
                    which is another one";
    assert!(ended.stderr.contains(expected), "{}", ended.show());
    let read = |file| std::fs::read_to_string(world.tree.path().join(file)).unwrap_or_default();
    assert_eq!(read("a/dibber.lock").matches("sk_0").count(), 1);
    assert!(!read("b/dibber.lock").contains("sk_0"));
}

#[test]
fn the_id_of_a_canvas_may_have_another_form() {
    let world = World::new(Ways::default());
    let manifest = world.tree.read("plan/sprout.yaml") + "canvases: [cv_1]\n";
    world.tree.write("plan/sprout.yaml", manifest.as_bytes());
    let pushed = world.push("plan");
    assert_eq!(pushed.code, 0, "{}", pushed.show());
    assert_eq!(world.stored().skills[0]["canvasIds"], json!(["cv_1"]));
    std::fs::remove_dir_all(world.tree.path().join("plan")).expect("a directory");
    let pulled = world.run(&["pull", "--all"]);
    assert_eq!(pulled.code, 0, "{}", pulled.show());
    assert!(world.tree.read("plan/sprout.yaml").contains("cv_1"), "{}", pulled.show());
    let again = world.push("plan");
    assert!(again.code == 0 && again.stderr.contains("up to date"), "{}", again.show());
}
