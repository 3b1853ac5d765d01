//! Merging with a server of another make, which may remove the blank lines at the ends of prompts.

use super::any_server_world::{Storing, Ways, World};

/// A world in which the server and the folder have changed different lines of a prompt.
fn changed_on_both_sides(storing: Storing) -> World {
    let world = World::new(Ways::default());
    world.storing(storing);
    let pushed = world.run(&["push", "--yes", "--no-heartbeats", "plan"]);
    assert_eq!(pushed.code, 0, "{}", pushed.show());
    let text = world.tree.read("plan/SKILL.md").replace("Plan the week of", "Think of");
    world.tree.write("plan/SKILL.md", text.as_bytes());
    {
        let mut stored = world.stored();
        let prompt = &mut stored.skills[0]["prompt"];
        *prompt = prompt.as_str().expect("a prompt").replace("# Plan", "# Our plan").into();
    }
    world
}

#[test]
fn changes_merge_with_a_server_that_trims_as_with_one_that_does_not() {
    let mut diffs = Vec::new();
    for storing in [Storing::Exact, Storing::Trimming] {
        let world = changed_on_both_sides(storing);
        let diff = world.run(&["diff", "--no-heartbeats", "plan"]);
        diffs.push(diff.stdout.replace(&world.server.url(), "URL"));
        let merge = ["push", "--merge", "--yes", "--no-heartbeats", "plan"];
        let merged = world.run(&merge);
        assert_eq!(merged.code, 0, "{}", merged.show());
        let text = world.tree.read("plan/SKILL.md");
        let body = "---\n\n# Our plan\n\nThink of {{input.who}}.\n";
        assert!(text.ends_with(body), "{text}");
        let stored = world.stored().skills[0]["prompt"].clone();
        let stored = stored.as_str().expect("a prompt");
        assert_eq!(stored.trim(), body.trim_start_matches('-').trim());
        let again = world.run(&merge);
        assert!(again.stderr.starts_with("Nothing to publish"), "{}", again.show());
    }
    assert_eq!(diffs[0], diffs[1]);
    assert!(diffs[0].contains("+# Our plan"), "{}", diffs[0]);
}

#[test]
fn a_diff_shows_no_blank_lines_that_a_server_has_removed() {
    let world = World::new(Ways::default());
    world.storing(Storing::Trimming);
    world.run(&["push", "--yes", "--no-heartbeats", "plan"]);
    let text = world.tree.read("plan/SKILL.md").replace("# Plan", "# Our plan");
    world.tree.write("plan/SKILL.md", text.as_bytes());
    let diff = world.run(&["diff", "--no-heartbeats", "plan"]);
    let changed = diff.stdout.lines().filter(|line| line.starts_with(['-', '+']));
    let changed: Vec<_> = changed.collect();
    let expected = ["--- prompt (server)", "+++ prompt (here)", "-# Plan", "+# Our plan"];
    assert_eq!(changed[2..], expected[2..], "{}", diff.show());
}
