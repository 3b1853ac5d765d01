//! Skills that are named by the beginning of their label.

use super::push_heartbeats::{PUSH, Project};

const WEEK: &str = "\
---
name: week-plan
description: Plans the week of the family. Use it on Sundays.
---

# The plan of the week

Write a plan of the week.
";

#[test]
fn the_beginning_of_a_label_is_enough_if_only_one_has_it() {
    let project = Project::new();
    assert_eq!(project.run(&PUSH).code, 0);
    let invoke = ["invoke", "the PLAN of", "--input", "today=Monday", "--input", "whom=us"];
    let invoked = project.run(&invoke);
    assert_eq!(invoked.code, 0, "{}", invoked.show());
    assert!(invoked.stdout.contains("events of Monday"), "{}", invoked.show());
    project.tree.write("week-plan/SKILL.md", WEEK.as_bytes());
    assert_eq!(project.run(&PUSH).code, 0);
    let ambiguous = project.run(&invoke);
    assert_eq!(ambiguous.code, 2, "{}", ambiguous.show());
    assert!(ambiguous.stderr.contains("2 skills match"), "{}", ambiguous.show());
    let archive = ["skill", "archive", "the plan of the w", "--yes"];
    let archived = project.run(&archive);
    assert_eq!(archived.code, 0, "{}", archived.show());
    assert!(archived.stderr.contains("Its folder stays as it is."), "{}", archived.show());
    assert!(project.tree.path().join("week-plan/SKILL.md").exists());
    // The same command means the same skill again.
    let again = project.run(&archive);
    assert_eq!(again.code, 0, "{}", again.show());
    assert!(again.stderr.contains("is archived already"), "{}", again.show());
    // An id that begins so is none, and neither is a path.
    for typed in ["sk_", "./the plan"] {
        assert_ne!(project.run(&["invoke", typed]).code, 0, "{typed}");
    }
}
