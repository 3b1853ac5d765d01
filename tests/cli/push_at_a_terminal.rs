//! What `dibber push` asks at a terminal, and what comes of each answer.

use std::fs;

use crate::support::Tree;
use crate::support::terminal::Terminal;

const FILE: &str = "skills/plan/SKILL.md";
const MANIFEST: &str = "skills/plan/sprout.yaml";
const QUESTION: &str = "Publish 1 skill to local?";

struct Project {
    tree: Tree,
    data: Tree,
}

impl Project {
    fn new() -> Self {
        let tree = Tree::new();
        tree.write(
            FILE,
            b"---\nname: plan\ndescription: Plans the week. Use when a week is planned.\n---\n\nPlan.\n",
        );
        Self { tree, data: Tree::new() }
    }

    /// Answers the question of a push; what was shown, and the exit code.
    fn push(&self, arguments: &[&str], answers: &[&str]) -> (String, i32) {
        let mut terminal = self.start(&[&["push"], arguments].concat());
        for answer in answers {
            terminal.answer(QUESTION, answer);
        }
        terminal.end()
    }

    fn start(&self, arguments: &[&str]) -> Terminal {
        Terminal::start(self.tree.path(), &self.data, arguments)
    }

    fn is_published(&self) -> bool {
        self.tree.path().join("skills/dibber.lock").exists()
    }
}

#[test]
fn a_yes_publishes() {
    for answer in ["y", "yes please", "Yes"] {
        let project = Project::new();
        let (shown, code) = project.push(&[], &[answer]);
        assert!(code == 0 && shown.contains("Published skills/plan as sk_"), "{code} {shown}");
        assert!(project.is_published());
    }
}

#[test]
fn anything_else_writes_nothing() {
    let project = Project::new();
    for answers in [&["n"][..], &[""], &["maybe", "es please", "no thanks"]] {
        let (shown, code) = project.push(&[], answers);
        assert!(code == 0 && shown.contains("Nothing was written."), "{code} {shown}");
    }
    for (arguments, key) in [(&[][..], 'c'), (&["--json"], 'c'), (&[], 'd')] {
        let mut terminal = project.start(&[&["push"], arguments].concat());
        terminal.press_control(QUESTION, key);
        let (shown, code) = terminal.end();
        assert!(code == 130 && !shown.contains("Published"), "{code} {shown}");
        assert!(shown.contains("error: interrupted; nothing was sent"), "{shown}");
    }
    assert!(!project.is_published());
}

#[test]
fn a_prune_asks_about_the_heartbeats_that_it_cancels() {
    let project = Project::new();
    let manifest = b"heartbeats:\n  - name: Mondays\n    cron: \"0 9 * * 1\"\n";
    project.tree.write(MANIFEST, manifest);
    let (shown, code) = project.start(&["push", "--yes"]).end();
    assert_eq!(code, 0, "{shown}");
    fs::remove_dir_all(project.tree.path().join("skills/plan")).expect("a directory");
    let mut terminal = project.start(&["push", "skills", "--prune"]);
    terminal.answer("Archive 1 skill on local, and cancel 1 heartbeat for good there?", "n");
    let (shown, code) = terminal.end();
    assert!(code == 0 && shown.contains("Nothing was written."), "{code} {shown}");
}

/// What is not text is asked for again, and nothing is left over for the shell.
#[test]
fn a_line_with_arrow_keys_is_typed_again() {
    let project = Project::new();
    let mut terminal = project.start(&["push"]);
    terminal.answer(QUESTION, "\u{1b}[Ayes");
    terminal.answer("type it again, without arrow keys", "yes");
    let (shown, code) = terminal.end();
    assert!(code == 0 && project.is_published(), "{code} {shown}");
}

#[test]
fn other_commands_that_are_interrupted_before_they_write_say_so() {
    let project = Project::new();
    assert_eq!(project.push(&[], &["y"]).1, 0);
    let interrupt = |arguments: &[&str], question: &str| {
        let mut terminal = project.start(arguments);
        terminal.press_control(question, 'c');
        let (shown, code) = terminal.end();
        assert!(code == 130 && shown.contains("error: interrupted; nothing was sent"), "{shown}");
    };
    interrupt(&["skill", "archive", "skills/plan"], "on local?");
    let create = ["heartbeat", "create", "week", "--cron", "0 9 * * 1", "--skill", "plan"];
    assert_eq!(project.start(&[&create[..], &["--yes"]].concat()).end().1, 0);
    let other = ["heartbeat", "create", "day", "--cron", "0 9 * * *", "--skill", "plan"];
    interrupt(&["skill", "update", "skills/plan", "--name", "Other"], "Change it on local?");
    interrupt(&["heartbeat", "edit", "week", "--cron", "0 8 * * 1"], "Change the heartbeat?");
    interrupt(&other, "?");
}

/// A skill whose summary was changed on the server, and its label in the folder.
fn changed_on_both_sides() -> Project {
    let project = Project::new();
    assert_eq!(project.push(&[], &["y"]).1, 0);
    let other = Tree::new();
    for path in ["skills/dibber.lock", FILE] {
        other.write(path, project.tree.read(path).as_bytes());
    }
    other.write(MANIFEST, b"summary: Plans all of it.\n");
    let there = Project { tree: other, data: project.data };
    assert_eq!(there.push(&[], &["y"]).1, 0);
    project.tree.write(MANIFEST, b"label: Plan it\n");
    Project { tree: project.tree, data: there.data }
}

#[test]
fn nothing_is_merged_before_the_last_answer() {
    let project = changed_on_both_sides();
    let files = || ["skills/dibber.lock", FILE, MANIFEST].map(|path| project.tree.read(path));
    let before = files();
    let (shown, _) = project.push(&["--merge"], &["n"]);
    assert_eq!(files(), before, "{shown}");
    let mut terminal = project.start(&["push", "--merge"]);
    terminal.press_control(QUESTION, 'c');
    let (shown, _) = terminal.end();
    assert_eq!(files(), before, "{shown}");
    let (shown, code) = project.push(&["--merge"], &["y"]);
    assert!(code == 0 && shown.contains("Merged the changes of sk_"), "{shown}");
    assert_eq!(files()[1], before[1]);
    let manifest = project.tree.read(MANIFEST);
    assert!(manifest.contains("Plan it") && manifest.contains("Plans all of it."), "{manifest}");
}

#[test]
fn a_moved_skill_is_merged() {
    let project = changed_on_both_sides();
    let directory = |name: &str| project.tree.path().join("skills").join(name);
    fs::rename(directory("plan"), directory("week")).expect("a directory");
    let text = project.tree.read("skills/week/SKILL.md").replace("name: plan", "name: week");
    project.tree.write("skills/week/SKILL.md", text.as_bytes());
    let (shown, code) = project.push(&["--merge"], &["y"]);
    let manifest = project.tree.read("skills/week/sprout.yaml");
    assert!(code == 0 && shown.contains("Merged the changes of sk_"), "{shown}");
    assert!(manifest.contains("Plan it") && manifest.contains("Plans all of it."), "{manifest}");
    let lock = project.tree.read("skills/dibber.lock");
    assert!(lock.contains("\"week\"") && !lock.contains("\"plan\""), "{lock}");
}

#[test]
fn a_conflict_is_merged_taken_over_overwritten_or_left() {
    let question = "skills/plan was changed on local, too. What should be done?";
    for (typed, our_label, is_asked) in
        [("", "Plan it", false), ("merge", "Plan it", true), ("3", "Plan", false)]
    {
        let project = changed_on_both_sides();
        let mut terminal = project.start(&["push"]);
        terminal.answer(question, typed);
        if is_asked {
            terminal.answer(QUESTION, "y");
        }
        let (rest, code) = terminal.end();
        let manifest = project.tree.read(MANIFEST);
        assert_eq!(manifest.contains("label: Plan it"), our_label == "Plan it", "{rest}{manifest}");
        assert_eq!(manifest.contains("Plans all of it."), !typed.is_empty(), "{rest}{manifest}");
        assert_eq!(rest.contains("Updated skills/plan"), is_asked, "{rest}");
        assert_eq!(code, if typed.is_empty() { 3 } else { 0 }, "{rest}");
    }
}
