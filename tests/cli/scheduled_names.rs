//! For which children a skill of `dibber new` runs by itself.

use crate::support::Tree;
use crate::support::terminal::Terminal;

/// What is answered about a story, and what becomes of it.
struct Case {
    answers: &'static [(&'static str, &'static str)],
    /// What the steps say.
    text: &'static str,
    /// The value of the input in the schedule.
    value: &'static str,
    /// What the summary says of the names.
    summary: &'static str,
}

const CASES: [Case; 9] = [
    // The child for whom it is, and not another one of whom the answers speak.
    Case {
        answers: &[
            ("What exactly?", "tell Zoe a story about a cat"),
            ("Is `Zoe` the name of a child?", ""),
            ("For whom is it?", "Zoe, who is 4"),
            ("What is different each time?", "Anna's toy"),
            ("Is `Anna` the name of a child?", ""),
        ],
        text: "The story is for {{input.child_name}}, who is 4.",
        value: "Zoe",
        summary: "Zoe (becomes child_name), Anna (left out)",
    },
    Case {
        answers: &[
            ("What exactly?", "tell Mia, Tom and little Zoe a story"),
            ("Are `Mia`, `Tom` and `Zoe` names of children?", ""),
            ("For whom is it?", "Mia, Tom and little Zoe"),
            ("What is different each time?", ""),
        ],
        text: "The story is for {{input.child_name}}.",
        value: "Mia, Tom and little Zoe",
        summary: "Mia, Tom, Zoe (become child_name)",
    },
    Case {
        answers: &[
            ("What exactly?", "tell a story"),
            ("For whom is it?", "my twins Ben & Lea"),
            ("Are `Ben` and `Lea` names of children?", ""),
            ("What is different each time?", ""),
        ],
        text: "The story is for my twins {{input.child_name}}.",
        value: "Ben & Lea",
        summary: "Ben, Lea (become child_name)",
    },
    Case {
        answers: &[
            ("What exactly?", "tell a story"),
            ("For whom is it?", "Mia Jo (9), D'Arcy (7) and little emile (4)"),
            ("Are `Mia Jo`, `D'Arcy` and `emile` names of children?", ""),
            ("What is different each time?", ""),
        ],
        text: "The story is for {{input.child_name}}.",
        value: "Mia Jo (9), D'Arcy (7) and little emile (4)",
        summary: "D'Arcy, Mia Jo, emile (become child_name)",
    },
    Case {
        answers: &[
            ("What exactly?", "tell a story"),
            ("For whom is it?", "Mia, who is 5, and O'Neil, who is almost seven"),
            ("Are `Mia` and `O'Neil` names of children?", ""),
            ("What is different each time?", ""),
        ],
        text: "The story is for {{input.child_name}}.",
        value: "Mia, who is 5, and O'Neil, who is almost seven",
        summary: "Mia, O'Neil (become child_name)",
    },
    // What is said of a child is not its name.
    Case {
        answers: &[
            ("What exactly?", "tell a story"),
            ("For whom is it?", "Mia (the older one), Tom and Zoe"),
            ("Are `Mia`, `Tom` and `Zoe` names of children?", ""),
            ("What is different each time?", ""),
        ],
        text: "The story is for {{input.child_name}} (the older one), the children.",
        value: "Mia",
        summary: "Mia (becomes child_name), Tom, Zoe (left out)",
    },
    Case {
        answers: &[
            ("What exactly?", "tell a story"),
            ("For whom is it?", "Mia and her brother Tom"),
            ("Are `Mia` and `Tom` names of children?", ""),
            ("What is different each time?", ""),
        ],
        text: "The story is for {{input.child_name}} and her brother.",
        value: "Mia",
        summary: "Mia (becomes child_name), Tom (left out)",
    },
    // It is not for the child that is named.
    Case {
        answers: &[
            ("What exactly?", "tell a story"),
            ("For whom is it?", "D'Arcy O'Neil's brother Tom"),
            ("Are `D'Arcy O'Neil` and `Tom` names of children?", ""),
            ("What is different each time?", ""),
        ],
        text: "The story is for the child's brother {{input.child_name}}.",
        value: "Tom",
        summary: "Tom (becomes child_name), D'Arcy O'Neil (left out)",
    },
    Case {
        answers: &[
            ("What exactly?", "tell a story in which Tom meets Mia"),
            ("Are `Tom` and `Mia` names of children?", ""),
            ("For whom is it?", "my kids"),
            ("What is different each time?", ""),
        ],
        text: "The story is for my kids (the children are called {{input.child_name}}).",
        value: "Tom and Mia",
        summary: "Mia, Tom (become child_name)",
    },
];

#[test]
fn a_schedule_is_for_the_children_for_whom_the_skill_is() {
    for case in CASES {
        let (tree, data) = (Tree::new(), Tree::new());
        let line = ["new", "owls", "--template", "story", "--label", "Owls"];
        let mut terminal = Terminal::start(tree.path(), &data, &line);
        for (question, answer) in case.answers {
            terminal.answer(question, answer);
        }
        terminal.answer("When should it run by itself?", "every day at 6pm in Berlin");
        if case.answers.iter().any(|(_, answer)| *answer == "Anna's toy") {
            terminal.answer("What is `toy`", "a ball");
        }
        terminal.answer("Write it, and publish it", "write");
        let (shown, code) = terminal.end();
        assert_eq!(code, 0, "{shown}");
        let skill = tree.read("owls/SKILL.md").replace('\n', " ");
        assert!(skill.contains(case.text), "{}: {skill}", case.text);
        let manifest = tree.read("owls/sprout.yaml");
        let value = format!("child_name: {}\n", case.value);
        assert!(manifest.contains(&value), "{value}: {manifest}");
        assert!(shown.replace('\n', " ").contains(case.summary), "{}: {shown}", case.summary);
    }
}

/// What is for the brother of a child is not for the child.
#[test]
fn a_skill_for_a_relative_of_a_child_has_no_input_for_its_name() {
    let (tree, data) = (Tree::new(), Tree::new());
    let line = ["new", "owls", "--template", "story", "--label", "Owls"];
    let mut terminal = Terminal::start(tree.path(), &data, &line);
    for (question, answer) in [
        ("What exactly?", "tell a story"),
        ("For whom is it?", "D'Arcy O'Neil's little brother"),
        ("Is `D'Arcy O'Neil` the name of a child?", ""),
        ("What is different each time?", ""),
        ("When should it run by itself?", "every day at 6pm in Berlin"),
        ("Write it, and publish it", "write"),
    ] {
        terminal.answer(question, answer);
    }
    let (shown, code) = terminal.end();
    assert_eq!(code, 0, "{shown}");
    let skill = tree.read("owls/SKILL.md").replace('\n', " ");
    assert!(skill.contains("The story is for the child's little brother."), "{skill}");
    assert!(!tree.read("owls/sprout.yaml").contains("child_name"), "{shown}");
}

/// The name of a folder is not that of the child.
#[test]
fn a_folder_does_not_rename_the_child() {
    let (tree, data) = (Tree::new(), Tree::new());
    let mut terminal =
        Terminal::start(tree.path(), &data, &["new", "--template", "story", "--label", "Owls"]);
    for (question, answer) in [
        ("What exactly?", "tell a story"),
        ("For whom is it?", "D'Arcy, 6"),
        ("Is `D'Arcy` the name of a child?", ""),
        ("What is different each time?", ""),
        ("When should it run by itself?", "every day at 6pm in Berlin"),
        ("Write it, and publish it", "8"),
        ("[owls]", "D'Arcys story"),
        ("Is `D'Arcys` the name of a child?", ""),
        ("Write it, and publish it", "write"),
    ] {
        terminal.answer(question, answer);
    }
    let (shown, code) = terminal.end();
    assert_eq!(code, 0, "{shown}");
    assert!(tree.read("story/sprout.yaml").contains("child_name: D'Arcy\n"), "{shown}");
}
