//! Skills that a server of another make stores as something else than it was sent.

use serde_json::{Value, json};

use super::any_server_world::{Ways, World};

/// A world that replaces fields of every skill that is written from now on.
fn replacing(fields: &Value) -> World {
    let world = World::new(Ways::default());
    world.tree.write("plan/sprout.yaml", b"label: plan\n");
    world.tree.write(
        "plan/SKILL.md",
        b"---\nname: plan\ndescription: Plans the week. Use when a parent wants to plan.\n---\n\n\
          # Plan\n\nPlan the week.\n",
    );
    world.stored().replaces = fields.clone();
    world
}

#[test]
fn a_skill_that_is_stored_as_something_else_is_an_error_and_stays_different() {
    for (fields, named) in [
        (json!({"prompt": "Another one."}), "`prompt`"),
        (json!({"name": "Other", "description": "Other."}), "`description`, `name`"),
        (json!({"kidCallable": true}), "`kidCallable`"),
    ] {
        let world = replacing(&fields);
        // The second time, the server leaves the fields as they are.
        for what in
            [format!("stores another {named} than was sent"), format!("did not store {named}")]
        {
            let pushed = world.push("plan");
            assert_eq!(pushed.code, 6, "{}", pushed.show());
            let expected = format!("accepted sk_0, but {what}");
            assert!(pushed.stderr.contains(&expected), "{}", pushed.show());
            let diff = world.run(&["diff", "--exit-code", "plan"]);
            assert_eq!(diff.code, 1, "{}", diff.show());
        }
        world.stored().replaces = Value::Null;
        let repaired = world.push("plan");
        assert_eq!(repaired.code, 0, "{}", repaired.show());
        let again = world.push("plan");
        assert!(again.stderr.starts_with("Nothing to publish"), "{}", again.show());
    }
}

#[test]
fn a_skill_that_is_stored_as_its_preview_has_shown_it_is_up_to_date() {
    let fields = json!({"prompt": "Another one.", "kidCallable": true});
    let world = replacing(&fields);
    world.stored().previews = fields;
    let dry = world.run(&["push", "--dry-run", "plan"]);
    assert!(dry.stdout.contains("PREVIEW_DIFFERS"), "{}", dry.show());
    let pushed = world.run(&["push", "--yes", "plan"]);
    assert_eq!(pushed.code, 0, "{}", pushed.show());
    let again = world.push("plan");
    assert!(again.stderr.starts_with("Nothing to publish"), "{}", again.show());
}

#[test]
fn a_skill_whose_hands_are_dropped_or_whose_description_is_cut_is_an_error() {
    for (fields, named) in [
        (json!({"handsReferenced": []}), "did not store `handsReferenced`"),
        (json!({"description": "Plans the week."}), "stores another `description` than was sent"),
    ] {
        let world = replacing(&fields);
        world.tree.write("plan/sprout.yaml", b"label: plan\nhands: [task_list]\n");
        let pushed = world.push("plan");
        let expected = format!("accepted sk_0, but {named}");
        assert!(pushed.stderr.contains(&expected), "{}", pushed.show());
        assert_eq!(pushed.code, 6, "{}", pushed.show());
        let diff = world.run(&["diff", "--exit-code", "plan"]);
        assert_ne!(diff.code, 0, "{}", diff.show());
    }
}

#[test]
fn an_update_that_is_ignored_is_an_error_and_names_its_fields() {
    let world = replacing(&Value::Null);
    assert_eq!(world.push("plan").code, 0);
    let update =
        ["skill", "update", "sk_0", "--name", "Mine", "--description", "Is mine.", "--yes"];
    let help = format!(
        "help: `dibber skill get sk_0 --server {}` shows what the server has\n",
        world.server.url()
    );
    world.stored().idle_tool = Some("skill_update");
    let ignored = world.run(&update);
    let error = "error: the server accepted sk_0, but did not store `description`, `name`\n";
    assert!(ignored.stderr.contains(&format!("{error}{help}")), "{}", ignored.show());
    assert_eq!(ignored.code, 6, "{}", ignored.show());
    world.stored().idle_tool = None;
    world.stored().replaces = json!({"description": "Other."});
    let replaced = world.run(&update);
    let error = "error: the server accepted sk_0, but stores another `description` than was sent\n";
    assert!(replaced.stderr.contains(&format!("{error}{help}")), "{}", replaced.show());
    assert_eq!(replaced.code, 6, "{}", replaced.show());
    world.stored().replaces = Value::Null;
    world.stored().skills[0]["name"] = "plan".into();
    let stored = world.run(&update);
    assert!(stored.stderr.contains("Changed sk_0: label, summary\n"), "{}", stored.show());
    assert_eq!(stored.code, 0, "{}", stored.show());
    let journal = world.run_alone(&["journal", "list"]);
    assert!(!journal.stdout.contains("skill_update"), "{}", journal.show());
}

/// What another person changes after the write was not sent.
#[test]
fn an_update_that_cannot_be_read_back_is_an_error_and_another_change_is_none() {
    let world = replacing(&Value::Null);
    assert_eq!(world.push("plan").code, 0);
    world.stored().edited_after = Some(("skill_update", |it| {
        it.skills[0]["description"] = "Written by another person.".into();
    }));
    let updated = world.run(&["skill", "update", "sk_0", "--name", "Mine", "--yes"]);
    assert_eq!(updated.code, 0, "{}", updated.show());
    world.stored().edited_after = Some(("skill_update", |it| drop(it.skills.remove(0))));
    let updated = world.run(&["skill", "update", "sk_0", "--name", "Yours", "--yes"]);
    let error = "error: the server answered with sk_0, but does not have it\n";
    assert!(updated.stderr.contains(error), "{}", updated.show());
    assert_eq!(updated.code, 6, "{}", updated.show());
}

#[test]
fn a_new_skill_that_the_server_does_not_have_is_no_success() {
    let world = replacing(&Value::Null);
    world.stored().idle_tool = Some("skill_write");
    for _ in 0..2 {
        let pushed = world.push("plan");
        let error = "error: the server answered with sk_0, but does not have it\n";
        assert!(pushed.stderr.contains(error), "{}", pushed.show());
        assert!(!pushed.stderr.contains("Published"), "{}", pushed.show());
        assert_eq!(pushed.code, 6, "{}", pushed.show());
        let lock = std::fs::read_to_string(world.tree.path().join("dibber.lock"));
        assert!(!lock.unwrap_or_default().contains("sk_0"), "{}", pushed.show());
    }
    world.stored().idle_tool = None;
    let pushed = world.push("plan");
    assert_eq!((pushed.code, world.stored().skills.len()), (0, 1), "{}", pushed.show());
}

#[test]
fn a_push_of_which_one_skill_fails_names_what_was_published() {
    let world = replacing(&json!({"handsReferenced": []}));
    world.write("other", "Ada", "0 9 * * 1", "America/New_York");
    let manifest = b"label: other\nhands: [task_list]\ninputs:\n  - name: who\n    type: string\n";
    world.tree.write("other/sprout.yaml", manifest);
    let pushed = world.run(&["push", "--yes", "plan", "other"]);
    assert_eq!(pushed.code, 6, "{}", pushed.show());
    let skills = world.stored().skills.clone();
    let plan = skills.iter().find(|skill| skill["name"] == "plan").expect("a skill");
    let row = format!("new        plan   {}\n", plan["skillId"].as_str().expect("an id"));
    assert!(pushed.stdout.contains(&row), "{}", pushed.show());
    assert!(pushed.stdout.contains("failed     other\n"), "{}", pushed.show());
    assert!(pushed.stderr.contains("2 skills: 1 new, 1 failed\n"), "{}", pushed.show());
    assert!(!pushed.show().contains("nothing was changed"), "{}", pushed.show());
}

#[test]
fn a_server_without_previews_gets_nothing() {
    let world = World::new(Ways::default());
    world.stored().lists_arguments = &["name", "description", "instructions"];
    for command in [&["push", "--dry-run", "plan"][..], &["push", "--yes", "plan"]] {
        let ended = world.run(command);
        assert_eq!(ended.code, 2, "{}", ended.show());
        let error = "the server has no previews: its `skill_write` takes no `dryRun`";
        assert!(ended.stderr.contains(error), "{}", ended.show());
    }
    let seen = world.server.seen();
    assert!(seen.iter().all(|it| it.message["params"]["name"] != "skill_write"));
    world.stored().lists_arguments = &["name", "description", "instructions", "dryRun"];
    let pushed = world.push("plan");
    assert_eq!((pushed.code, world.stored().skills.len()), (0, 1), "{}", pushed.show());
}
