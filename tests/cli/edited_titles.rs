//! The places that repeat the title or the description of a skill when these are edited.

use crate::support::Tree;
use crate::support::terminal::Terminal;

const SKILL: &str = "\
-- owl-story/SKILL.md --
---
name: owl-story
description: >-
  Tell a story about owls. Use when a child asks for a story.
---

# Tell a story about owls

Tell a story about owls.

## Steps

1. Tell a story about owls.
-- owl-story/sprout.yaml --
label: Tell a story about owls
heartbeats:
  - name: Tell a story about owls
    cron: '30 19 * * *'
  - name: Morning
    cron: '30 8 * * *'
";

fn edit(tree: &Tree, arguments: &[&str], answers: &[(&str, &str)]) -> String {
    let data = Tree::new();
    let line = [&["edit", "owl-story"], arguments].concat();
    let mut terminal = Terminal::start(tree.path(), &data, &line);
    for (question, answer) in answers {
        terminal.answer(question, answer);
    }
    let (shown, code) = terminal.end();
    assert_eq!(code, 0, "{shown}");
    shown
}

fn files(tree: &Tree) -> String {
    tree.read("owl-story/SKILL.md") + &tree.read("owl-story/sprout.yaml")
}

/// The heading, the first paragraph and the schedule that are called like the former title and
/// description change with them.
#[test]
fn what_repeats_the_title_changes_with_it() {
    let tree = Tree::from_archive(SKILL, false);
    let shown = edit(
        &tree,
        &[],
        &[
            ("What should be different?", "all"),
            ("Under which title", "Fox *evening*"),
            ("What does it do", "Tell a story about foxes. Use when a child asks for a story."),
            ("Type a number", ""),
            ("May a child", ""),
            ("What is different", ""),
            ("The former words are also", "back"),
            ("What is different", ""),
            ("The former words are also", ""),
            ("Write these changes?", "yes"),
        ],
    );
    insta::assert_snapshot!(shown);
    insta::assert_snapshot!(files(&tree));
}

/// With no, and where the words are others, the title alone changes.
#[test]
fn what_repeats_the_title_can_stay() {
    let tree = Tree::from_archive(SKILL, false);
    let write = ("Write these changes?", "yes");
    let label = ["--label", "Foxes"];
    edit(&tree, &label, &[("The former words are also", "no"), write]);
    let expected = SKILL.replace("label: Tell a story about owls", "label: Foxes");
    let expected = Tree::from_archive(&expected, false);
    assert_eq!(files(&tree), files(&expected));
    edit(&tree, &["--label", "Owls"], &[write]);
}

/// Only the paragraph below the title repeats what the skill does; the same words elsewhere stay.
#[test]
fn what_repeats_the_description_further_down_stays() {
    let below = "Be gentle.\n\n## Then\n\nTell a story about owls.\n\n## Steps";
    let skill = SKILL.replace("Tell a story about owls.\n\n## Steps", below);
    let tree = Tree::from_archive(&skill, false);
    let description = "Tell a story about foxes. Use when a child asks for a story.";
    edit(&tree, &["--description", description], &[("Write these changes?", "yes")]);
    assert!(tree.read("owl-story/SKILL.md").contains(below));
}
