//! What a parent types instead of the expected answer of `dibber new`, and what `dibber invoke` asks.

use crate::support::Tree;
use crate::support::terminal::Terminal;

/// Words of the menu in a sentence, too few words, a part of the day and the winter time of a zone.
#[test]
fn everyday_answers_are_understood() {
    let (tree, data) = (Tree::new(), Tree::new());
    let mut terminal = Terminal::start(tree.path(), &data, &["new"]);
    for (question, answer) in [
        ("What should happen?", "bedtime please"),
        ("What exactly?", "hi"),
        ("such as: tell a story about animals\r\n", "tell a story. Mia likes owls"),
        ("Is `Mia` the name", ""),
        ("For whom is it?", "hi"),
        ("`hi` does not say for whom it is", "no"),
        ("such as: my daughter, who is six", ""),
        ("What is different", ""),
        ("When should it run by itself?", "every day after dinner"),
        ("At what time? (such as 7:30pm or 19:30) [7pm]", "at bedtime"),
        ("At what time? (such as 7:30pm or 19:30) [7:30pm]", "8pm PST"),
        ("Time zone: America/Los_Angeles.", "6"),
        ("At what time?", "8pm EST"),
        ("Time zone: America/New_York.", "10"),
        ("Under which title", "Mia's owls"),
        ("Write it, and publish it", "write"),
    ] {
        terminal.answer(question, answer);
    }
    let (shown, code) = terminal.end();
    assert_eq!(code, 0, "{shown}");
    let folder = "the-child-s-owls";
    let skill = tree.read(&format!("{folder}/SKILL.md"));
    assert!(skill.contains("Tell a story. The child likes owls. Use when"), "{skill}");
    let manifest = tree.read(&format!("{folder}/sprout.yaml"));
    assert!(manifest.contains("label: The child's owls\n"), "{manifest}");
    assert!(manifest.contains("cron: 0 20 * * *\n    tz: America/New_York\n"), "{manifest}");
}

/// What a skill needs is asked for when it runs.
#[test]
fn missing_inputs_are_asked_for_at_a_terminal() {
    let (tree, data) = (Tree::new(), Tree::new());
    let mut terminal = Terminal::start(tree.path(), &data, &["new", "owls", "--template", "story"]);
    for (question, answer) in [
        ("What exactly?", "tell a story"),
        ("For whom is it?", "Children"),
        ("What is different each time?", "the hero, place"),
        ("When should it run by itself?", ""),
        ("Write it, and publish it", ""),
        ("1 skill to local", "yes"),
    ] {
        terminal.answer(question, answer);
    }
    assert_eq!(terminal.end().1, 0);
    let mut terminal = Terminal::start(tree.path(), &data, &["invoke", "owls"]);
    for (question, answer) in [
        ("What is `hero`? The hero", "back"),
        ("This is the first question.", "?"),
        ("your answer is filled in", ""),
        ("there is no answer yet", "a fox"),
        ("What is `place`?", "nothing"),
    ] {
        terminal.answer(question, answer);
    }
    let (shown, code) = terminal.end();
    let (_, rendered) = shown.rsplit_once("What is `place`?").expect("the last question");
    assert!(code == 0 && rendered.contains("a fox"), "{shown}");
    assert!(rendered.contains("An agent reads this and does what it says"), "{shown}");
}

/// The name after `dibber new` may be words; one of which no folder can be made is refused before the
/// first question.
#[test]
fn a_folder_is_made_of_words_on_the_command_line() {
    for (typed, folder, title) in [
        ("Grandma's Story", "grandma-s-story", "Grandma's Story"),
        ("bad_Name", "bad-name", "Bad name"),
    ] {
        let (tree, data) = (Tree::new(), Tree::new());
        let mut terminal = Terminal::start(tree.path(), &data, &["new", typed]);
        for (question, answer) in [
            ("The folder will be called `", "story"),
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
    let (tree, data) = (Tree::new(), Tree::new());
    let (shown, code) = Terminal::start(tree.path(), &data, &["new", "!!!"]).end();
    assert!(code == 2 && shown.contains("`!!!` is not a valid skill name"), "{shown}");
}

/// A number that is not in the list of days is no time, and midnight is a word.
#[test]
fn a_number_outside_the_list_is_refused() {
    let (tree, data) = (Tree::new(), Tree::new());
    let mut terminal = Terminal::start(tree.path(), &data, &["new", "owls", "--template", "story"]);
    for (question, answer) in [
        ("What exactly?", "tell a story"),
        ("For whom is it?", ""),
        ("What is different each time?", ""),
        ("When should it run by itself?", "13"),
        ("`13` is not one of these", "0"),
        ("`0` is not one of these", "2"),
        ("At what time?", "0"),
        ("`0` is no time", "midnight"),
        ("Write it, and publish it", "write"),
    ] {
        terminal.answer(question, answer);
    }
    let (shown, code) = terminal.end();
    assert_eq!(code, 0, "{shown}");
    assert!(tree.read("owls/sprout.yaml").contains("cron: 0 0 * * *"), "{shown}");
}

/// Answers that are kept are not lost by another run: it asks whether to go on with them.
#[test]
fn answers_of_an_earlier_run_are_not_dropped_without_a_question() {
    let (tree, data) = (Tree::new(), Tree::new());
    let mut terminal = Terminal::start(tree.path(), &data, &["new"]);
    terminal.answer("What should happen?", "story");
    terminal.answer("What exactly?", "tell a story about owls");
    terminal.press_control("For whom is it?", 'c');
    assert_eq!(terminal.end().1, 130);
    let question = "2 answers of an earlier run are kept. Go on with them? (yes or no) [yes]";
    for (answer, next) in [("?", "With no, "), ("", "For whom is it?")] {
        let mut terminal = Terminal::start(tree.path(), &data, &["new"]);
        terminal.answer(question, answer);
        terminal.press_control(next, 'c');
        assert_eq!(terminal.end().1, 130);
    }
    let mut terminal = Terminal::start(tree.path(), &data, &["new"]);
    terminal.answer(question, "no");
    terminal.press_control("What should happen?", 'c');
    assert_eq!(terminal.end().1, 130);
    let mut terminal = Terminal::start(tree.path(), &data, &["new"]);
    terminal.answer(question, "no");
    terminal.answer("What should happen?", "quiz");
    terminal.press_control("What exactly?", 'c');
    assert_eq!(terminal.end().1, 130);
    let mut terminal = Terminal::start(tree.path(), &data, &["new"]);
    terminal.press_control("1 answer of an earlier run is kept.", 'c');
    assert_eq!(terminal.end().1, 130);
}
