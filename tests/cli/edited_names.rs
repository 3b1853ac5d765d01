//! The names of children that a skill contains when it is edited.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use crate::support::Tree;
use crate::support::terminal::Terminal;

const SKILL: &str = "\
-- mia-owls/SKILL.md --
---
name: mia-owls
description: Tells Mia about owls. Use when a child asks for a story about owls.
---

# Mia's owls

Tell my daughter Mia a story, in which Mia and Theo meet {{input.bird}}.

Mia O'Neil likes the end best.
-- mia-owls/sprout.yaml --
label: Owls
category: generic
inputs:
  - name: bird
    description: The owl of Mia
heartbeats:
  - name: Owls
    cron: '30 19 * * *'
    input:
      bird: Mia's owl
";

/// Answers the questions about the skill; the first answers are those that are given.
fn edit(tree: &Tree, data: &Tree, answers: &[(&str, &str)]) -> String {
    let list = tree.path().join("names.txt");
    let list = list.to_str().expect("UTF-8");
    let variables = [("NO_COLOR", "1"), ("COLUMNS", "80"), ("DIBBER_NAMES", list)];
    let mut terminal = Terminal::start_with(tree.path(), data, &["edit", "mia-owls"], &variables);
    terminal.answer("What should be different?", "all");
    for (question, answer) in answers {
        terminal.answer(question, answer);
    }
    let (shown, code) = terminal.end();
    assert_eq!(code, 0, "{shown}");
    shown
}

const REST: [(&str, &str); 6] = [
    ("What does it do", ""),
    ("Type a number", ""),
    ("May a child", ""),
    ("What else is different", ""),
    ("When should it run", ""),
    ("What is `bird`", ""),
];

/// A name that is confirmed for the title is replaced everywhere else, too.
#[test]
fn a_confirmed_name_is_replaced_in_the_whole_skill() {
    let (tree, data) = (Tree::from_archive(SKILL, false), Tree::new());
    let title = [("Under which title", "Owls of Mia and Theo"), ("Are `Mia` and `Theo` names", "")];
    let offer = [
        ("The former words are also in the name of the schedule", "no"),
        ("The name of a child is in", "back"),
        ("What is `bird`", ""),
        ("The former words are also", "no"),
        ("The name of a child is in", "?"),
        ("With no, the name", "yes"),
        ("What is `child_name` when it runs by itself? (`nothing` leaves it empty) [Mia]", ""),
        ("Write these changes?", "yes"),
    ];
    let shown = edit(&tree, &data, &[&title[..], &REST, &offer].concat());
    insta::assert_snapshot!(shown);
    insta::assert_snapshot!(tree.read("mia-owls/SKILL.md") + &tree.read("mia-owls/sprout.yaml"));
}

/// With no, the skill stays as it is.
#[test]
fn a_name_stays_where_it_is_not_to_be_replaced() {
    let (tree, data) = (Tree::from_archive(SKILL, false), Tree::new());
    let title = [("Under which title", "Owls of Mia"), ("Is `Mia` the name", "")];
    let offer = [
        ("The former words are also", "no"),
        ("The name of a child is in", "no"),
        ("Write these changes?", "yes"),
    ];
    edit(&tree, &data, &[&title[..], &REST, &offer].concat());
    let written = tree.read("mia-owls/SKILL.md") + &tree.read("mia-owls/sprout.yaml");
    let before = Tree::from_archive(SKILL, false);
    let before = before.read("mia-owls/SKILL.md") + &before.read("mia-owls/sprout.yaml");
    assert_eq!(written, before.replace("label: Owls\n", "label: Owls of the child\n"));
}

/// A name on the private list is found without a question about it, and the command renames the
/// folder.
#[test]
fn a_listed_name_is_replaced_and_the_folder_renamed() {
    let (tree, data) = (Tree::from_archive(SKILL, false), Tree::new());
    tree.write("names.txt", b"Mia\n");
    let file = tree.path().join("names.txt");
    fs::set_permissions(file, fs::Permissions::from_mode(0o600)).expect("a file");
    let offer = [
        ("The name of a child is in", ""),
        ("What is `child_name` when it runs by itself?", "nothing"),
        ("Write these changes?", "yes"),
    ];
    let shown = edit(&tree, &data, &[&[("Under which title", "")][..], &REST, &offer].concat());
    let written = tree.read("mia-owls/SKILL.md");
    assert!(written.contains("in which {{input.child_name}} and Theo meet"), "{written}");
    assert!(shown.contains("stays in sprout.yaml, line 5. Change it in an editor."), "{shown}");
    assert!(shown.contains("`mv ***-owls owls`"), "{shown}");
}

/// The name of a child in an option is asked about, and then replaced in the skill, too. The folder
/// is renamed from wherever the command runs.
#[test]
fn a_name_in_an_option_is_asked_about() {
    let (tree, data) = (Tree::from_archive(SKILL, false), Tree::new());
    tree.write("mia-owls/steps/first.md", b"# First\n");
    let directory = tree.path().join("mia-owls/steps");
    let arguments = ["edit", "..", "--label", "Owls of Mia O'Neil"];
    let mut terminal = Terminal::start(&directory, &data, &arguments);
    for (question, answer) in [
        ("Is `Mia O'Neil` the name of a child?", "back"),
        ("Is `Mia O'Neil` the name of a child?", "yes"),
        ("The former words are also in the name of the schedule.", "yes"),
        ("The name of a child is in", "yes"),
        ("What is `child_name` when it runs by itself?", "nothing"),
        ("Write these changes?", "yes"),
    ] {
        terminal.answer(question, answer);
    }
    let (shown, code) = terminal.end();
    assert_eq!(code, 0, "{shown}");
    assert!(shown.contains("`cd ../.. && mv mia-owls owls` renames it"), "{shown}");
    let written = tree.read("mia-owls/SKILL.md") + &tree.read("mia-owls/sprout.yaml");
    assert!(
        !written.contains("O'Neil") && written.contains("- name: Owls of the child"),
        "{written}"
    );
}

/// A name in the value of an input is stored with the schedule, and may be meant: it is asked about,
/// also if it is on the private list.
#[test]
fn a_name_in_a_value_is_asked_about() {
    let (tree, data) = (Tree::from_archive(SKILL, false), Tree::new());
    tree.write("names.txt", b"Ottilie\n");
    let file = tree.path().join("names.txt");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("a file");
    let list = file.to_str().expect("UTF-8");
    let variables = [("NO_COLOR", "1"), ("COLUMNS", "80"), ("DIBBER_NAMES", list)];
    let with_option = ["edit", "mia-owls", "--value", "bird=the owl of Ottilie"];
    for (arguments, answers, expected) in [
        (
            &with_option[..2],
            &[
                ("What should be different?", "with bird"),
                ("What is `bird`", "Emma's owl"),
                ("`Emma` may be the name of a child", "yes"),
                ("What else should be different?", ""),
            ][..],
            "bird: the child's owl",
        ),
        (
            &with_option[..],
            &[("may be the name of a child, and this answer is stored in", "no")][..],
            "bird: the owl of Ottilie",
        ),
    ] {
        let mut terminal = Terminal::start_with(tree.path(), &data, arguments, &variables);
        for (question, answer) in answers {
            terminal.answer(question, answer);
        }
        terminal.answer("Write these changes?", "yes");
        let (shown, code) = terminal.end();
        assert_eq!(code, 0, "{shown}");
        let manifest = tree.read("mia-owls/sprout.yaml");
        assert!(manifest.contains(expected), "{manifest}");
    }
    // Without a question, there is a warning.
    let arguments = [&with_option[..], &["--yes"]].concat();
    let ended = Terminal::start_with(tree.path(), &data, &arguments, &variables).end();
    assert!(ended.0.contains("the value of `bird` contains the name of a child"), "{}", ended.0);
}
