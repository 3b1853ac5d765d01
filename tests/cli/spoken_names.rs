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
        ("Write it, and publish it", "write"),
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

/// An answer is kept before its names are asked about.
#[test]
fn an_interrupted_question_about_names_keeps_the_answer() {
    let (tree, data) = (Tree::new(), Tree::new());
    let line = ["new", "owls", "--template", "story", "--label", "Owls"];
    let mut terminal = Terminal::start(tree.path(), &data, &line);
    terminal.answer("What exactly?", "tell a story");
    terminal.answer("For whom is it?", "dontrell and kyrie");
    terminal.press_control("Are `dontrell` and `kyrie` names of children?", 'c');
    assert_eq!(terminal.end().1, 130);
    let line = [&line[..], &["--resume"]].concat();
    let mut terminal = Terminal::start(tree.path(), &data, &line);
    terminal.answer("For whom is it? [dontrell and kyrie]", "");
    terminal.answer("Are `dontrell` and `kyrie` names of children?", "");
    terminal.answer("What is different each time?", "");
    terminal.answer("When should it run by itself?", "");
    terminal.answer("Write it, and publish it", "write");
    let (shown, code) = terminal.end();
    assert_eq!(code, 0, "{shown}");
    assert!(!tree.read("owls/SKILL.md").contains("kyrie"), "{shown}");
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
        ("Write it, and publish it", ""),
        ("1 skill to local", "?"),
        ("everything in the list above is done", "back"),
        ("No answer leads back from here", "no"),
    ] {
        terminal.answer(question, answer);
    }
    let (shown, code) = terminal.end();
    let next = "Nothing was published. `dibber push owls` publishes it later, `dibber edit owls`\n\
                changes it.\n";
    assert!(code == 0 && shown.ends_with(next), "{shown}");
    assert!(!tree.read("owls/sprout.yaml").contains("child_name"), "{shown}");
}

/// Several children are in the plural: their names are one input.
#[test]
fn several_names_are_plural() {
    for (whom, asked, expected) in [
        ("for Mia and Tom", None, "The story is for {{input.child_name}}."),
        ("Mia & Tom, 5 and 7", Some("`Mia` and `Tom`"), "is for {{input.child_name}}, 5 and 7."),
        (
            "my kids Mia, Tom and Ben (4)",
            Some("`Mia`, `Tom` and `Ben`"),
            "is for my kids {{input.child_name}} (4).",
        ),
    ] {
        let question = asked.map(|names| format!("Are {names} names of children?"));
        let mut answers = vec![("What exactly?", "tell a story"), ("For whom is it?", whom)];
        answers.extend(question.as_deref().map(|question| (question, "")));
        let story = story(&answers);
        assert!(story.skill.contains(expected), "{}", story.skill);
        assert!(story.manifest.contains("What the children are called"), "{}", story.manifest);
        let shown = story.shown.replace('\n', " ");
        assert!(shown.contains("These names are not written into the text"), "{shown}");
        assert!(shown.contains(" (become child_name)"), "{shown}");
    }
    let story = self::story(&[
        ("What exactly?", "a story in which Mia, Tom and Ben fly"),
        ("Are `Mia`, `Tom` and `Ben` names of children?", ""),
        ("For whom is it?", "my kids"),
    ]);
    assert!(story.skill.contains("A story in which the children fly"), "{}", story.skill);
    let whom = "for my kids (the children are called {{input.child_name}}).";
    assert!(story.skill.replace('\n', " ").contains(whom), "{}", story.skill);
    let story = self::story(&[
        ("What exactly?", "tell a story to my kids Jay and Mia"),
        ("Are `Jay` and `Mia` names of children?", ""),
        ("For whom is it?", "my kids"),
    ]);
    assert!(story.skill.replace('\n', " ").contains(whom), "{}", story.skill);
    assert!(story.manifest.contains("What the children are called"), "{}", story.manifest);
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
        ("What should be different?", "all"),
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
    assert!(manifest.contains("label: The child's story"), "{manifest}");
    assert!(manifest.contains("ageRange: 12-12"), "{manifest}");
    let skill = tree.read("owls/SKILL.md");
    assert!(skill.contains("Tells the child's favourite story"), "{skill}");
}

/// Makes a skill at a terminal of 80 columns and 24 lines, and returns its files and what was shown.
fn skill(answers: &[(&str, &str)]) -> Story {
    let (tree, data) = (Tree::new(), Tree::new());
    let variables = [("NO_COLOR", "1"), ("COLUMNS", "80"), ("LINES", "24")];
    let line = ["new", "owls", "--template", "story"];
    let mut terminal = Terminal::start_with(tree.path(), &data, &line, &variables);
    for (question, answer) in answers {
        terminal.answer(question, answer);
    }
    let (shown, code) = terminal.end();
    assert_eq!(code, 0, "{shown}");
    assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
    Story { skill: tree.read("owls/SKILL.md"), manifest: tree.read("owls/sprout.yaml"), shown }
}

const NAMES: &str = "Which words are names of children?";

/// A name that is on no list is named in the summary, and is left out everywhere.
#[test]
fn a_missed_name_is_corrected_in_the_summary() {
    let story = skill(&[
        ("What exactly?", "tell a story about zyxel and Hogwarts"),
        ("For whom is it?", "my three kids"),
        ("What is different each time?", "zyxel's hero"),
        ("When should it run by itself?", ""),
        ("names of children     none found; kept as they are: zyxel, Hogwarts", "8"),
        (NAMES, "?"),
        ("which is published. Type them as", "Zyxela"),
        ("`Zyxela` is not in your answers", "Zyxel"),
        ("names of children     zyxel (becomes child_name); kept as", "write"),
    ]);
    let files = story.skill + &story.manifest;
    assert!(!files.to_lowercase().contains("zyxel"), "{files}");
    assert!(files.contains("a story about the child and Hogwarts"), "{files}");
    let whom = "is for my three kids (the child is called {{input.child_name}}).";
    assert!(files.replace('\n', " ").contains(whom), "{files}");
    assert!(files.contains("- name: child_name") && files.contains("- name: hero"), "{files}");
}

/// A word that was taken for a name is kept after all.
#[test]
fn a_word_that_is_no_name_is_kept_in_the_summary() {
    let story = skill(&[
        ("What exactly?", "tell Jay and Mia a story"),
        ("Are `Jay` and `Mia` names of children?", "no"),
        ("Which of them are?", "Emma"),
        ("`Emma` is not one of these", "mia"),
        ("For whom is it?", "Robin"),
        ("What is different each time?", ""),
        ("When should it run by itself?", ""),
        ("Robin (becomes child_name), Mia (left out); kept", "8"),
        (NAMES, "none"),
        ("names of children     none found; kept as they are: Jay, Mia, Robin", "write"),
    ]);
    assert!(story.skill.contains("Tell Jay and Mia a story"), "{}", story.skill);
    assert!(story.skill.contains("The story is for Robin."), "{}", story.skill);
    assert!(!story.manifest.contains("child_name"), "{}", story.manifest);
}

/// Names in what is different each time, and more of them than one line can show.
#[test]
fn names_are_no_inputs() {
    let story = skill(&[
        ("What exactly?", "a story about Mia, Theo, Emma, Noah and Ben"),
        ("Are `Mia`, `Theo`, `Emma`, `Noah` and `Ben` names of children?", ""),
        ("For whom is it?", "my kids"),
        ("What is different each time?", "Mia, noah's snack, Oskar"),
        ("Is `Oskar` the name of a child?", ""),
        ("When should it run by itself?", ""),
        ("Ben, Emma, Mia and 2 more (become child_name), Oskar", "write"),
    ]);
    let files = story.skill + &story.manifest;
    for name in ["mia", "theo", "emma", "noah", "ben,", "oskar"] {
        assert!(!files.to_lowercase().contains(name), "{name}: {files}");
    }
    assert_eq!(files.matches("- name: ").count(), 2, "{files}");
    assert!(files.contains("- name: child_name") && files.contains("- name: snack"), "{files}");
}

/// A story without a name is made with the same questions as before.
#[test]
fn a_story_without_names_has_no_question_about_them() {
    let story = skill(&[
        ("What exactly?", "tell a story about owls"),
        ("For whom is it?", "my eldest"),
        ("What is different each time?", "hero"),
        ("When should it run by itself?", ""),
        ("names of children     none found\r\n", "write"),
    ]);
    assert!(!story.shown.contains("of a child?"), "{}", story.shown);
}

/// The value of an input is stored with the schedule: a name in it is asked about, but not that of the
/// input which is there for it.
#[test]
fn a_name_in_a_value_is_asked_about() {
    let (tree, data) = (Tree::new(), Tree::new());
    let line = ["new", "owls", "--template", "story", "--label", "Owls"];
    let mut terminal = Terminal::start(tree.path(), &data, &line);
    for (question, answer) in [
        ("What exactly?", "tell a story"),
        ("For whom is it?", "Jay"),
        ("What is different each time?", "hero, place, guest"),
        ("When should it run by itself?", "every day at noon"),
        ("What is `hero` when it runs by itself?", "her friend Emma"),
        ("`Emma` may be the name of a child, and this answer is stored in sprout.yaml", "back"),
        ("What is `hero` when it runs by itself?", "her friend Emma"),
        ("Write `the child` instead? (yes or no) [yes]", ""),
        ("What is `place` when it runs by itself?", "Emma's house, near Tom's"),
        ("`Emma` and `Tom` may be names of children", "?"),
        ("stays as you typed it", "no"),
        ("What is `guest` when it runs by itself?", "a fox"),
        ("Write it, and publish it", "write"),
    ] {
        terminal.answer(question, answer);
    }
    let (shown, code) = terminal.end();
    assert_eq!(code, 0, "{shown}");
    let manifest = tree.read("owls/sprout.yaml");
    for value in ["child_name: Jay", "hero: her friend", "guest: a fox"] {
        assert!(manifest.contains(value), "{value}: {manifest}");
    }
    assert!(manifest.contains("Emma's house, near Tom's"), "{manifest}");
}

/// A name after `dibber new` is that of the folder, and the title is made of it: it is asked about.
#[test]
fn a_name_on_the_command_line_is_asked_about() {
    for (typed, answer, folder, title) in [
        ("mia-story", "back", "story", "Story"),
        ("mia-story", "no", "mia-story", "Mia story"),
        ("Mia", "yes", "tell-a-story-about-owls", "Tell a story about owls"),
    ] {
        let (tree, data) = (Tree::new(), Tree::new());
        let mut terminal = Terminal::start(tree.path(), &data, &["new", typed]);
        terminal.answer("` the name of a child?", answer);
        if answer == "back" {
            terminal.answer("This is the first question.", "yes");
        }
        for (question, answer) in [
            ("What should happen?", "story"),
            ("What exactly?", "tell a story about owls"),
            ("For whom is it?", ""),
            ("What is different each time?", ""),
            ("When should it run by itself?", ""),
            ("Write it, and publish it", "write"),
        ] {
            terminal.answer(question, answer);
        }
        let (shown, code) = terminal.end();
        assert_eq!(code, 0, "{shown}");
        let manifest = tree.read(&format!("{folder}/sprout.yaml"));
        assert!(manifest.contains(&format!("label: {title}\n")), "{manifest}");
    }
}
