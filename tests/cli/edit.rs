//! `dibber edit`.

use std::fs;

use crate::support::Tree;
use crate::support::command::{Dibber, Ended};

const SKILL: &str = "\
---
# Read by the agents.
name: bedtime-story
description: 'Tells a story about the day. Use when a parent asks for a bedtime story for a child.' # keep
license: MIT
---

# Bedtime story

Tell a story about {{input.hero}}.

## What is given

- Hero: {{input.hero}}
";

const MANIFEST: &str = "\
# How Sprout publishes it.
label:   Bedtime story   # what the family sees
category: generic

inputs:
- name: hero   # an animal
  description: Whom it is about

kidCallable: false
heartbeats:
  # before the lights go out
  - name: \"Story time\"
    cron: '30 19 * * *'  # half past seven
    input:
      hero: a fox
# The end.
";

fn skill() -> Tree {
    let tree = Tree::new();
    tree.write("bedtime-story/SKILL.md", SKILL.as_bytes());
    tree.write("bedtime-story/sprout.yaml", MANIFEST.as_bytes());
    tree
}

fn edit(tree: &Tree, arguments: &[&str]) -> Ended {
    let line = [&["edit", "bedtime-story"], arguments].concat();
    Dibber::new(line).in_directory(tree.path()).env("COLUMNS", "80").run()
}

/// Returns the lines that are different in a file, as a diff has them.
fn changed(ended: &Ended) -> String {
    let is_changed = |line: &&str| line.starts_with(['-', '+']);
    ended.stdout.lines().filter(is_changed).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_description_that_is_published_is_changed() {
    let tree = skill();
    let manifest = format!("summary: A story  # short\n{MANIFEST}");
    tree.write("bedtime-story/sprout.yaml", manifest.as_bytes());
    let ended = edit(&tree, &["--description", "A story about the day: a calm one", "--yes"]);
    assert_eq!(
        changed(&ended),
        "\
--- a/bedtime-story/sprout.yaml
+++ b/bedtime-story/sprout.yaml
-summary: A story  # short
+summary: \"A story about the day: a calm one\"  # short"
    );
    assert_eq!(tree.read("bedtime-story/SKILL.md"), SKILL);
}

#[test]
fn only_what_an_answer_changes_is_written() {
    let tree = skill();
    let ended = edit(
        &tree,
        &["--label", "Good night: a story", "--kid-callable", "yes", "--ages", "5-7", "-n"],
    );
    insta::assert_snapshot!(ended.show());
    assert_eq!(tree.read("bedtime-story/sprout.yaml"), MANIFEST, "a dry run writes nothing");
    let description =
        "Tells a story about an animal. Use when a child asks for a story in the evening.";
    let ended =
        edit(&tree, &["--description", description, "--schedule", "Sundays at 18:00", "-y"]);
    insta::assert_snapshot!(ended.show());
    assert_eq!(tree.read("bedtime-story/SKILL.md").lines().nth(4), SKILL.lines().nth(4));
    assert_eq!(edit(&tree, &["--schedule", "Sundays at 6pm", "-y"]).stdout, "");
    let linted = Dibber::lint(tree.path(), ["bedtime-story"]).run();
    assert_eq!(linted.code, 0, "{}", linted.stdout);
}

#[test]
fn inputs_and_schedules_are_added_and_schedules_removed() {
    let tree = skill();
    let removed = edit(&tree, &["--schedule", "never", "-y"]);
    insta::assert_snapshot!(changed(&removed));
    insta::assert_snapshot!(
        edit(&tree, &["--input", "place:string=Where it happens", "-y"]).show()
    );
    let added = edit(&tree, &["--schedule", "weekdays at 7pm Berlin time", "-y"]);
    insta::assert_snapshot!(changed(&added));
    let written = tree.read("bedtime-story/sprout.yaml");
    assert!(written.contains("# How Sprout publishes it.\n"), "{written}");
}

#[test]
fn a_skill_without_a_sprout_yaml_gets_one() {
    let tree = skill();
    fs::remove_file(tree.path().join("bedtime-story/sprout.yaml")).expect("a file");
    assert_eq!(edit(&tree, &["--label", "Story", "-y"]).code, 0);
    assert_eq!(tree.read("bedtime-story/sprout.yaml"), "label: Story\n");
}

#[test]
fn line_breaks_stay_as_they_are() {
    let tree = skill();
    tree.write("bedtime-story/sprout.yaml", MANIFEST.replace('\n', "\r\n").as_bytes());
    let ended = edit(&tree, &["--ages", "5-7", "--kid-callable", "yes", "-y"]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    let written = tree.read("bedtime-story/sprout.yaml");
    let expected = MANIFEST.replace("kidCallable: false", "kidCallable: true") + "ageRange: 5-7\n";
    assert_eq!(written, expected.replace('\n', "\r\n"));
}

#[test]
fn what_cannot_be_changed() {
    let tree = skill();
    tree.write("other/SKILL.md", SKILL.replace("bedtime-story", "other").as_bytes());
    tree.write("other/sprout.yaml", b"{label: Other, inputs: [{name: hero}]}\n");
    let mut output = String::new();
    for arguments in [
        &[][..],
        &["--label", "Story"],
        &["--label", "", "-y"],
        &["--ages", "old", "-y"],
        &["--schedule", "every 10 minutes", "-y"],
        &["--schedule", "every day at 7", "-y"],
        &["--schedule", "8am Paris time", "--tz", "Europe/Berlin", "-y"],
        &["--input", "place", "-y"],
        &["--kid-callable", "perhaps", "-y"],
    ] {
        output += &format!("{arguments:?}\n{}\n", edit(&tree, arguments).show());
    }
    for arguments in [
        &["edit", "."][..],
        &["edit", "nowhere"],
        &["edit", "other", "--ages", "5-7"],
        &["edit", "other", "--input", "place"],
    ] {
        let ended = Dibber::new([arguments, &["--label", "X", "-y"]].concat())
            .in_directory(tree.path())
            .run();
        output += &format!("{arguments:?}\n{}\n", ended.show());
    }
    insta::assert_snapshot!(output);
    assert_eq!(tree.read("bedtime-story/sprout.yaml"), MANIFEST);
}

/// Everything that is added here belongs at the end of the file.
#[test]
fn several_additions_at_the_end_of_a_file_keep_their_order() {
    let inputs = "label: Story\ncategory: generic\ninputs:\n  - name: hero\n";
    let heartbeats = "category: generic\nheartbeats:\n  - name: Story\n    cron: '30 19 * * *'\n";
    let place = ["--input", "place=Where it happens", "--schedule", "Sundays at 6pm Berlin time"];
    let label = ["--label", "A new title", "--schedule", "Sundays at 6pm Berlin time"];
    let mut output = String::new();
    for (manifest, arguments) in [(inputs, place), (heartbeats, label)] {
        for manifest in [manifest, manifest.trim_end()] {
            let tree = skill();
            tree.write("bedtime-story/sprout.yaml", manifest.as_bytes());
            let ended = edit(&tree, &[&arguments[..], &["-y"]].concat());
            assert_eq!(ended.code, 0, "{}", ended.stderr);
            output += &tree.read("bedtime-story/sprout.yaml");
            output += "---\n";
        }
    }
    insta::assert_snapshot!(output);
}

#[cfg(unix)]
mod at_a_terminal {
    use super::{MANIFEST, SKILL, skill};
    use crate::support::Tree;
    use crate::support::terminal::Terminal;

    #[test]
    fn enter_keeps_everything() {
        let (tree, data) = (skill(), Tree::new());
        let mut terminal = Terminal::start(tree.path(), &data, &["edit", "bedtime-story"]);
        for question in [
            "Under which title",
            "What does it do",
            "Type a number",
            "May a child",
            "What else",
            "When should it run",
        ] {
            terminal.answer(question, "");
        }
        let (shown, code) = terminal.end();
        assert_eq!(code, 0, "{shown}");
        insta::assert_snapshot!(shown);
        assert_eq!(tree.read("bedtime-story/SKILL.md"), SKILL);
        assert_eq!(tree.read("bedtime-story/sprout.yaml"), MANIFEST);
    }

    #[test]
    fn an_answer_is_asked_for_again_and_then_written() {
        let (tree, data) = (skill(), Tree::new());
        let mut terminal = Terminal::start(tree.path(), &data, &["edit", "bedtime-story"]);
        for (question, answer) in [
            ("Under which title", "A story"),
            ("What does it do", "back"),
            ("Under which title", "Story of the day"),
            ("What does it do", ""),
            ("Type a number", ""),
            ("May a child", "perhaps"),
            ("May a child", "yes"),
            ("For which ages", "6"),
            ("What else", ""),
            ("When should it run", "half past eight"),
            ("When should it run", "every day at 8pm"),
            ("Write these changes?", "yes"),
        ] {
            terminal.answer(question, answer);
        }
        let (shown, code) = terminal.end();
        assert_eq!(code, 0, "{shown}");
        insta::assert_snapshot!(tree.read("bedtime-story/sprout.yaml"));
    }
}
