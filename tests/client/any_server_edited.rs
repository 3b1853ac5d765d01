//! Skills and heartbeats that another person changes on a server of another make, after a plan was
//! made and before it is carried out.

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
    let error = format!("{id} was changed on the server meanwhile, and nothing was sent");
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
