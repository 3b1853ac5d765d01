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
