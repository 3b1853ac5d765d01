//! Skills and heartbeats that another person changes on a server of another make, after a plan was
//! made and before it is carried out.

use serde_json::{Value, json};

use super::any_server_world::{ForeignEdit, Ways, World};
use crate::support::Tree;
use crate::support::command::Ended;
use crate::support::terminal::Terminal;

const FOREIGN_PROMPT: &str = "Written by another person.";

/// A world with a published skill without a heartbeat, whose file was changed since.
fn changed_skill() -> World {
    let world = World::new(Ways::default());
    world.tree.write("plan/sprout.yaml", b"label: plan\n");
    let skill = "---\nname: plan\ndescription: Plans the week. Use when a parent wants to plan.\n\
                 ---\n\n# Plan\n\nPlan the week.\n";
    world.tree.write("plan/SKILL.md", skill.as_bytes());
    let pushed = world.push("plan");
    assert_eq!(pushed.code, 0, "{}", pushed.show());
    world.tree.write("plan/SKILL.md", skill.replace("week.\n", "month.\n").as_bytes());
    world
}

/// Checks that a command has sent nothing, and says so.
fn is_refused(ended: &Ended, world: &World, id: &str) {
    assert_eq!(ended.code, 3, "{}", ended.show());
    let error = format!("{id} was changed on the server meanwhile; nothing was sent for it");
    assert!(ended.stderr.contains(&error), "{}", ended.show());
    let help = "help: run the same command again to see what has changed";
    assert!(ended.stderr.contains(help), "{}", ended.show());
    let journal = world.run_alone(&["journal", "list"]);
    assert!(!journal.stdout.contains("_update"), "{}", journal.show());
}

#[test]
fn a_push_does_not_overwrite_a_skill_that_was_changed_after_its_plan() {
    let world = changed_skill();
    // The preview is the last that a push reads before it writes.
    let edit: ForeignEdit = |it| it.skills[0]["prompt"] = FOREIGN_PROMPT.into();
    world.stored().edited_after = Some(("skill_write", edit));
    let pushed = world.push("plan");
    is_refused(&pushed, &world, "plan: sk_0");
    assert_eq!(world.stored().skills[0]["prompt"], FOREIGN_PROMPT);
    let again = world.push("plan");
    assert!(again.stderr.contains("`dibber diff"), "{}", again.show());
    assert_eq!((again.code, &world.stored().skills[0]["prompt"]), (3, &FOREIGN_PROMPT.into()));
}

#[test]
fn a_push_does_not_overwrite_a_skill_that_was_changed_during_its_question() {
    let (world, data) = (changed_skill(), Tree::new());
    let push = ["push", "plan", "--server", &world.server.url()];
    let mut terminal = Terminal::start(world.tree.path(), &data, &push);
    terminal.wait_for("Publish");
    world.stored().skills[0]["prompt"] = FOREIGN_PROMPT.into();
    terminal.answer("?", "y");
    let (shown, code) = terminal.end();
    assert_eq!(code, 3, "{shown}");
    assert!(shown.contains("was changed on the server meanwhile"), "{shown}");
    assert_eq!(world.stored().skills[0]["prompt"], FOREIGN_PROMPT);
}

#[test]
fn an_update_does_not_overwrite_a_skill_that_was_changed_after_its_plan() {
    let world = changed_skill();
    for is_archived in [false, true] {
        world.stored().edited_after = Some(if is_archived {
            ("skill_get", |it| it.skills[0]["archived"] = true.into())
        } else {
            ("skill_get", |it| it.skills[0]["name"] = "Other".into())
        });
        let update = ["skill", "update", "sk_0", "--name", "Mine", "--yes"];
        let updated = world.run(&update);
        is_refused(&updated, &world, "sk_0");
        let skill = world.stored().skills[0].clone();
        assert_eq!((skill["name"] == "Other", skill["archived"] == true), (true, is_archived));
    }
}

#[test]
fn a_skill_that_was_changed_after_it_was_shown_is_not_archived() {
    for question in [false, true] {
        let world = changed_skill();
        let edit: ForeignEdit = |it| it.skills[0]["prompt"] = FOREIGN_PROMPT.into();
        let refused = "sk_0 was changed on the server meanwhile; nothing was sent for it";
        let (shown, code) = if question {
            let data = Tree::new();
            let archive = ["skill", "archive", "sk_0", "--server", &world.server.url()];
            let mut terminal = Terminal::start(world.tree.path(), &data, &archive);
            terminal.wait_for("Archive");
            edit(&mut world.stored());
            terminal.answer("?", "y");
            terminal.end()
        } else {
            world.stored().edited_after = Some(("heartbeat_list", edit));
            let ended = world.run(&["skill", "archive", "sk_0", "--yes"]);
            (ended.show(), ended.code)
        };
        assert_eq!(code, 3, "{shown}");
        assert!(shown.contains(refused), "{shown}");
        assert_eq!(world.stored().skills[0]["archived"], false);
        assert_eq!(world.run_alone(&["journal", "list"]).stdout, "");
        let again = world.run(&["skill", "archive", "sk_0", "--yes"]);
        assert_eq!(again.code, 0, "{}", again.show());
    }
}

#[test]
fn a_skill_that_was_changed_after_the_plan_is_not_pruned() {
    for (world, after) in [(changed_skill(), "skill_get"), (with_heartbeat(), "heartbeat_describe")]
    {
        std::fs::remove_dir_all(world.tree.path().join("plan")).expect("a directory");
        let edit: ForeignEdit = |it| it.skills[0]["prompt"] = FOREIGN_PROMPT.into();
        world.stored().edited_after = Some((after, edit));
        let heartbeats = world.heartbeats().len();
        let pruned = world.run(&["push", "--yes", "--prune"]);
        is_refused(&pruned, &world, "sk_0");
        assert_eq!(world.stored().skills[0]["archived"], false, "{}", pruned.show());
        assert_eq!(world.heartbeats().len(), heartbeats, "{}", pruned.show());
        let forced = world.run(&["push", "--yes", "--prune", "--force"]);
        assert_eq!((forced.code, world.heartbeats().len()), (0, 0), "{}", forced.show());
        assert_eq!(world.stored().skills[0]["archived"], true, "{}", forced.show());
    }
}

/// A world with a published heartbeat.
fn with_heartbeat() -> World {
    let world = World::new(Ways { lists: &["tz"], ..Ways::default() });
    let pushed = world.push("plan");
    assert_eq!(pushed.code, 0, "{}", pushed.show());
    world
}

/// Removes the heartbeats from the manifest of the skill.
fn remove_heartbeats(world: &World) {
    let manifest = world.tree.read("plan/sprout.yaml");
    let (without, _) = manifest.split_once("heartbeats:").expect("heartbeats");
    world.tree.write("plan/sprout.yaml", without.as_bytes());
}

const FOREIGN_EDITS: [ForeignEdit; 4] = [
    |it| it.heartbeats[0]["cron"] = "0 9 * * 5".into(),
    |it| it.heartbeats[0]["tz"] = "Asia/Tokyo".into(),
    |it| it.heartbeats[0]["name"] = "Other".into(),
    |it| it.heartbeats[0]["enabled"] = false.into(),
];

/// Runs a command during which a heartbeat is changed after a call of a tool, and checks that the
/// heartbeat stays like that.
fn keeps_foreign_edit(world: &World, command: &[&str], after: &'static str, edit: ForeignEdit) {
    world.stored().edited_after = Some((after, edit));
    let ended = world.run(command);
    is_refused(&ended, world, "hb_1");
    assert!(world.stored().edited_after.is_none(), "{}", ended.show());
    let kept = world.heartbeats();
    edit(&mut world.stored());
    assert_eq!((world.heartbeats(), kept.len(), world.made()), (kept, 1, 1), "{}", ended.show());
}

#[test]
fn a_push_does_not_overwrite_a_heartbeat_that_was_changed_after_its_plan() {
    for edit in FOREIGN_EDITS {
        for what in ["changed", "replaced", "cancelled"] {
            let world = with_heartbeat();
            match what {
                "changed" => world.write("plan", "Ada", "0 18 * * 5", "America/New_York"),
                "replaced" => world.write("plan", "Ben", "0 17 * * 5", "America/New_York"),
                _ => remove_heartbeats(&world),
            }
            let after = if what == "cancelled" { "heartbeat_list" } else { "heartbeat_describe" };
            keeps_foreign_edit(&world, &["push", "--yes", "plan"], after, edit);
        }
    }
}

#[test]
fn a_prune_does_not_cancel_a_heartbeat_that_was_changed_after_its_plan() {
    let world = with_heartbeat();
    std::fs::remove_dir_all(world.tree.path().join("plan")).expect("a directory");
    keeps_foreign_edit(&world, &["push", "--yes", "--prune"], "heartbeat_list", FOREIGN_EDITS[0]);
    assert_eq!(world.stored().skills[0]["archived"], false);
}

#[test]
fn a_command_does_not_overwrite_a_heartbeat_that_was_changed_after_it_was_found() {
    for command in [
        &["edit", "Weekly plan", "--cron", "0 5 * * *", "--yes"][..],
        &["pause", "Weekly plan"],
        &["cancel", "Weekly plan", "--yes"],
    ] {
        for edit in FOREIGN_EDITS {
            let world = with_heartbeat();
            let command = [&["heartbeat"], command].concat();
            keeps_foreign_edit(&world, &command, "heartbeat_list", edit);
        }
    }
    let world = with_heartbeat();
    world.stored().heartbeats[0]["enabled"] = false.into();
    let resume = ["heartbeat", "resume", "Weekly plan"];
    keeps_foreign_edit(&world, &resume, "heartbeat_list", FOREIGN_EDITS[0]);
}

#[test]
fn no_heartbeat_is_cancelled_for_a_skill_that_cannot_be_archived_any_more() {
    let edits: [ForeignEdit; 2] = [
        |it| it.skills[0]["prompt"] = "Something else.".into(),
        |it| it.heartbeats.push(foreign_heartbeat("Tea", "0 7 * * *", "sk_0")),
    ];
    for edit in edits {
        let lists = &["runSkillId"];
        let world = World::new(Ways { lists, ..Ways::default() });
        assert_eq!(world.push("plan").code, 0);
        let before = world.heartbeats().len();
        // The list is what is shown.
        world.stored().edited_after = Some(("heartbeat_list", edit));
        let ended = world.run(&["skill", "archive", "plan", "--cancel-heartbeats", "--yes"]);
        assert_eq!(ended.code, 3, "{}", ended.show());
        assert!(ended.stderr.contains("on the server meanwhile"), "{}", ended.show());
        assert!(world.heartbeats().len() >= before, "{}", ended.show());
        assert_eq!(world.heartbeats()[0]["enabled"], true, "{}", ended.show());
        assert!(!ended.stderr.contains("cancelled"), "{}", ended.show());
    }
}

#[test]
fn the_others_are_changed_when_one_heartbeat_was_changed_or_cancelled() {
    let edits: [ForeignEdit; 2] = [FOREIGN_EDITS[0], |it| drop(it.heartbeats.remove(0))];
    for edit in edits {
        let world = with_heartbeat();
        world.write("other", "Ada", "0 9 * * 1", "America/New_York");
        assert_eq!(world.push("other").code, 0);
        world.stored().edited_after = Some(("heartbeat_list", edit));
        let ended = world.run(&["heartbeat", "pause", "hb_1", "hb_2"]);
        is_refused(&ended, &world, "hb_1");
        let heartbeats = world.heartbeats();
        let other = heartbeats.iter().find(|it| it["heartbeatId"] == "hb_2");
        assert_eq!(other.map(|it| &it["enabled"]), Some(&Value::from(false)), "{}", ended.show());
    }
}

/// A heartbeat that another machine makes.
fn foreign_heartbeat(name: &str, cron: &str, skill: &str) -> Value {
    json!({
        "heartbeatId": "hb_other", "name": name, "cron": cron, "cadenceText": "Some day",
        "enabled": true, "nextRunAt": null, "lastRunAt": null, "chatId": "th",
        "runSkillId": skill,
    })
}

/// A world with a published skill whose `sprout.yaml` got a heartbeat since.
fn with_new_heartbeat() -> World {
    let world = World::new(Ways::default());
    let manifest = world.tree.read("plan/sprout.yaml");
    remove_heartbeats(&world);
    assert_eq!(world.push("plan").code, 0);
    world.tree.write("plan/sprout.yaml", manifest.as_bytes());
    world
}

const CREATIONS: [&[&str]; 3] = [
    &["push", "--yes", "plan"],
    &["heartbeat", "create", "--yes", "plan"],
    &["heartbeat", "create", "--yes", "Weekly plan", "--cron", "0 17 * * 5", "--skill", "sk_0"],
];

#[test]
fn no_heartbeat_is_made_that_another_machine_has_made_after_the_plan() {
    let edits: [ForeignEdit; 2] = [
        |it| it.heartbeats.push(foreign_heartbeat("weekly plan", "0 9 * * 1", "sk_0")),
        |it| it.heartbeats.push(foreign_heartbeat("Other", "0 17 * * 5", "sk_0")),
    ];
    for (command, edit) in CREATIONS.iter().flat_map(|it| edits.map(|edit| (it, edit))) {
        let world = with_new_heartbeat();
        world.stored().edited_after = Some(("heartbeat_describe", edit));
        let ended = world.run(command);
        let error = "it was not made: hb_other, which may be the same, was made on the server";
        assert!(ended.code == 3 && ended.stderr.contains(error), "{}", ended.show());
        assert_eq!((world.made(), world.heartbeats().len()), (0, 1));
        let journal = world.run_alone(&["journal", "list"]);
        assert!(!journal.stdout.contains("heartbeat_create"), "{}", journal.show());
        let help = if command.contains(&"--cron") {
            "` shows it; if both are wanted, run the same command again"
        } else {
            "help: `dibber pull plan --server"
        };
        assert!(ended.stderr.contains(help), "{}", ended.show());
    }
}

#[test]
fn a_heartbeat_of_another_skill_or_another_name_and_time_does_not_prevent_one() {
    let edits: [ForeignEdit; 2] = [
        |it| it.heartbeats.push(foreign_heartbeat("Weekly plan", "0 17 * * 5", "sk_9")),
        |it| it.heartbeats.push(foreign_heartbeat("Other", "0 9 * * 1", "sk_0")),
    ];
    for (command, edit) in CREATIONS.iter().flat_map(|it| edits.map(|edit| (it, edit))) {
        let world = with_new_heartbeat();
        world.stored().edited_after = Some(("heartbeat_describe", edit));
        let ended = world.run(command);
        assert_eq!((ended.code, world.made()), (0, 1), "{}", ended.show());
        assert!(!ended.stderr.contains("has appeared"), "{}", ended.show());
    }
}

#[test]
fn a_heartbeat_that_another_machine_makes_at_the_same_moment_is_named() {
    for command in CREATIONS {
        let world = with_new_heartbeat();
        world.stored().edited_after = Some(("heartbeat_create", |it| {
            it.heartbeats.push(foreign_heartbeat("Weekly plan", "0 17 * * 5", "sk_0"));
        }));
        let ended = world.run(command);
        let warning = "`Weekly plan` was made (hb_1), and hb_other, which may be the same, has \
                       appeared on";
        assert!(ended.stderr.contains(warning), "{}", ended.show());
        assert!(ended.stderr.contains("`dibber heartbeat cancel hb_other --server"));
        assert_eq!((ended.code, world.heartbeats().len()), (0, 2), "{}", ended.show());
    }
}
