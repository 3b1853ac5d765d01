//! The names of children in the answers to `dibber new` and `dibber edit`.

use crate::support::Tree;
use crate::support::terminal::Terminal;

/// The files of a story, and what was shown.
struct Story {
    skill: String,
    manifest: String,
    shown: String,
}

/// Makes a story, of which two questions are answered like this.
fn story(answers: &[(&str, &str)]) -> Story {
    let (tree, data) = (Tree::new(), Tree::new());
    let line = ["new", "owls", "--template", "story", "--label", "Owls"];
    let mut terminal = Terminal::start(tree.path(), &data, &line);
    for (question, answer) in answers {
        terminal.answer(question, answer);
    }
    for (question, answer) in [
        ("What is different each time?", ""),
        ("When should it run by itself?", ""),
        ("Write it?", ""),
        ("Publish it now", "no"),
    ] {
        terminal.answer(question, answer);
    }
    let (shown, code) = terminal.end();
    assert_eq!(code, 0, "{shown}");
    Story { skill: tree.read("owls/SKILL.md"), manifest: tree.read("owls/sprout.yaml"), shown }
}

/// The whole name is asked about, also where an answer begins with it, and the first name alone is
/// left out, too.
#[test]
fn a_first_name_is_part_of_the_name() {
    for (name, answer) in [
        ("Ava Smith", "Ava Smith, 6"),
        ("Ava O'Brien", "Ava O'Brien (6)"),
        ("Ava O'Brien", "Ava O'Brien, who is six"),
    ] {
        let question = format!("Is `{name}` the name of a child?");
        let story = story(&[
            ("What exactly?", "an owl and Ava fly to the moon"),
            ("Is `Ava` the name of a child?", ""),
            ("For whom is it?", answer),
            (&question, ""),
        ]);
        let files = story.skill + &story.manifest;
        assert!(files.contains("The story is for {{input.child_name}}"), "{files}");
        assert!(files.contains("owl and the child fly to the moon"), "{files}");
        for part in name.split(' ') {
            assert!(!files.contains(part), "{part}: {files}");
        }
    }
}

/// All names of an answer are in one question.
#[test]
fn names_in_lowercase() {
    let story = story(&[
        ("What exactly?", "an owl and Jay fly to the moon"),
        ("Is `Jay` the name of a child?", ""),
        ("For whom is it?", "it's for jay o'brien, emma snores and our Bea, 6"),
        ("Are `jay o'brien`, `emma` and `Bea` names of children?", ""),
    ]);
    let files = story.skill + &story.manifest;
    let whom = "The story is for {{input.child_name}}, the child snores and our child, 6";
    assert!(files.contains(whom), "{files}");
    assert!(files.contains("owl and the child fly to the moon"), "{files}");
    for name in ["jay", "emma", "Bea", "Jay"] {
        assert!(!files.contains(name), "{name}: {files}");
    }
    assert_eq!(story.shown.matches("dibber names add").count(), 1, "{}", story.shown);
}

/// A question about a name is explained, and `back` leads to the answer, about which is asked again.
#[test]
fn questions_about_names_have_a_way_back() {
    let story = story(&[
        ("What exactly?", "99"),
        ("`99` has no words", "tell a story"),
        ("For whom is it?", "yes"),
        ("there is no answer yet", "a story for emma"),
        ("Is `emma` the name of a child?", "?"),
        ("`dibber names add`", "back"),
        ("For whom is it? [a story for emma]", ""),
        ("Is `emma` the name of a child?", "perhaps"),
        ("`perhaps` is neither yes nor no", "no"),
    ]);
    assert!(!story.shown.contains("Is `yes`"), "{}", story.shown);
    assert!(story.skill.contains("The story is for emma."), "{}", story.skill);
}

/// Also the question of a push is explained.
#[test]
fn the_question_of_a_push_is_explained() {
    let (tree, data) = (Tree::new(), Tree::new());
    let line = ["new", "owls", "--template", "story", "--label", "Owls"];
    let mut terminal = Terminal::start(tree.path(), &data, &line);
    for (question, answer) in [
        ("What exactly?", "tell a story"),
        ("For whom is it?", "Children"),
        ("What is different each time?", ""),
        ("When should it run by itself?", ""),
        ("Write it?", ""),
        ("Publish it now", ""),
        ("1 skill to local", "?"),
        ("everything in the list above is done", "back"),
        ("No answer leads back from here", "no"),
    ] {
        terminal.answer(question, answer);
    }
    let (shown, code) = terminal.end();
    assert!(code == 0 && shown.ends_with("Nothing was published.\n"), "{shown}");
    assert!(!tree.read("owls/sprout.yaml").contains("child_name"), "{shown}");
}

/// A title that begins with a name, and the question about one age.
#[test]
fn an_edited_title_begins_with_a_name() {
    let (tree, data) = (Tree::new(), Tree::new());
    let skill = "---\nname: owls\ndescription: Tells a story about owls. Use when a child asks for \
                 a story about owls.\n---\n\nTell a story about owls.\n";
    tree.write("owls/SKILL.md", skill.as_bytes());
    let manifest = "label: Owls\ncategory: generic\nkidCallable: true\nageRange: 12-12\n";
    tree.write("owls/sprout.yaml", manifest.as_bytes());
    let mut terminal = Terminal::start(tree.path(), &data, &["edit", "owls"]);
    for (question, answer) in [
        ("Under which title", "Lia O'Brien's story"),
        ("Is `Lia O'Brien` the name of a child?", "back"),
        ("Under which title", "Lia O'Brien's story"),
        ("Is `Lia O'Brien` the name of a child?", ""),
        ("What does it do", "Tells Lia's favourite story. Use it when Lia asks for a story."),
        ("Type a number", ""),
        ("May a child", ""),
        ("For which ages? (such as 5-7) [12]", ""),
        ("What is different", ""),
        ("When should it run", ""),
        ("Write these changes?", "?"),
        ("Enter alone means yes.", "yes"),
    ] {
        terminal.answer(question, answer);
    }
    let (shown, code) = terminal.end();
    assert_eq!(code, 0, "{shown}");
    let manifest = tree.read("owls/sprout.yaml");
    assert!(manifest.contains("label: the child's story"), "{manifest}");
    assert!(manifest.contains("ageRange: 12-12"), "{manifest}");
    let skill = tree.read("owls/SKILL.md");
    assert!(skill.contains("Tells the child's favourite story"), "{skill}");
}
