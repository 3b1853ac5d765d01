//! What `dibber push` asks at a terminal, and what comes of each answer.

use std::fs;

use crate::support::Tree;
use crate::support::terminal::Terminal;

const FILE: &str = "skills/plan/SKILL.md";
const MANIFEST: &str = "skills/plan/sprout.yaml";
const QUESTION: &str = "Publish 1 skill to local?";
const OVERWRITE: &str = "Overwrite the files of skills/plan as shown?";

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

/// The command is not wrapped, and has no inputs: it asks for them.
#[test]
fn the_command_that_runs_a_new_skill_is_a_line_of_its_own() {
    let (tree, data) = (Tree::new(), Tree::new());
    let folder = "the skills of our family/plan-the-meals-of-a-week-and-the-shopping-for-them";
    let skill = "---\nname: plan-the-meals-of-a-week-and-the-shopping-for-them\ndescription: Plans \
                 meals. Use when a week is planned.\n---\n\nPlan for {{input.guests}}.\n";
    tree.write(&format!("{folder}/SKILL.md"), skill.as_bytes());
    let mut terminal = Terminal::start(tree.path(), &data, &["push"]);
    terminal.answer(QUESTION, "yes");
    let (shown, code) = terminal.end();
    assert_eq!(code, 0, "{shown}");
    let end = format!("This prints what the agent reads:\n  dibber invoke '{folder}'\n");
    assert!(shown.ends_with(&end), "{shown}");
}

#[test]
fn anything_else_writes_nothing() {
    let project = Project::new();
    for answers in [&["n"][..], &[""], &["maybe", "es please", "no thanks"]] {
        let (shown, code) = project.push(&[], answers);
        assert!(code == 0 && shown.contains("Nothing was published."), "{code} {shown}");
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

/// A list has only the names of new skills, so that one can ask for the rest before the answer.
#[test]
fn the_new_skills_of_a_list_are_shown_on_request() {
    let project = Project::new();
    let other =
        b"---\nname: cook\ndescription: Plans a meal. Use when one is hungry.\n---\n\nCook soup.\n";
    project.tree.write("skills/cook/SKILL.md", other);
    let question = "Publish 2 skills to local? (yes, no, or show to read them)";
    let mut terminal = project.start(&["push"]);
    terminal.answer(question, "perhaps");
    terminal.answer(question, "show");
    terminal.answer(question, "yes");
    let (shown, code) = terminal.end();
    assert_eq!(code, 0, "{shown}");
    let error = "`perhaps` is not yes, no, or show";
    let (before, after) = shown.split_once(error).expect("an error");
    for text in ["Cook soup.", "Plan.", "Plans a meal. Use when one is hungry."] {
        assert!(after.contains(text) && !before.contains(text), "{text}: {shown}");
    }
    assert!(project.is_published());
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
    assert!(code == 0 && shown.contains("Nothing was published."), "{code} {shown}");
}

#[test]
fn the_question_before_an_archive_names_the_heartbeats() {
    let project = Project::new();
    assert_eq!(project.push(&[], &["y"]).1, 0);
    let create = ["heartbeat", "create", "week", "--cron", "0 9 * * 1", "--skill", "plan", "--yes"];
    assert_eq!(project.start(&create).end().1, 0);
    for (answer, expected) in [("no", "Nothing was changed."), ("yes", "is archived")] {
        let mut terminal = project.start(&["skill", "archive", "skills/plan"]);
        terminal.wait_for("on local, and cancel the heartbeat `week` (Every Monday at 9am");
        terminal.answer("for good?", answer);
        let (shown, code) = terminal.end();
        assert!(code == 0 && shown.contains(expected), "{shown}");
        assert_eq!(shown.contains("): cancelled"), answer == "yes", "{shown}");
    }
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
    let described = "description: Plans all of it.";
    let ours = "description: Plans the week. Use when a week is planned.";
    assert_eq!(files()[1], before[1].replace(ours, described));
    assert_eq!(files()[2], before[2]);
}

#[test]
fn a_forced_pull_shows_what_it_overwrites_and_asks() {
    let project = changed_on_both_sides();
    let question = "Overwrite the changes of skills/plan?";
    let before = project.tree.read(MANIFEST);
    let mut terminal = project.start(&["pull", "skills/plan", "--force"]);
    terminal.answer(question, "n");
    let (shown, code) = terminal.end();
    assert!(code == 0 && shown.contains("-label: Plan it"), "{shown}");
    assert!(shown.contains("Nothing was written into skills/plan."), "{shown}");
    assert_eq!(project.tree.read(MANIFEST), before);
    let (shown, code) = project.start(&["pull", "skills/plan", "--force", "--yes"]).end();
    assert!(code == 0 && !shown.contains(question), "{shown}");
    assert!(!project.tree.read(MANIFEST).contains("Plan it"), "{shown}");
}

#[test]
fn a_forced_pull_asks_before_it_overwrites_heartbeats() {
    let heartbeats = "heartbeats:\n  - name: Mondays\n    cron: \"0 9 * * 1\"\n";
    let project = Project::new();
    project.tree.write(MANIFEST, heartbeats.as_bytes());
    assert_eq!(project.start(&["push", "--yes"]).end().1, 0);
    let ours = heartbeats.replace("0 9", "0 10");
    project.tree.write(MANIFEST, ours.as_bytes());
    let mut terminal = project.start(&["pull", "skills/plan", "--force"]);
    terminal.answer("Overwrite the changes of skills/plan?", "n");
    let (shown, code) = terminal.end();
    assert!(code == 0 && shown.contains("0 10 * * 1"), "{shown}");
    assert_eq!(project.tree.read(MANIFEST), ours);
    let (shown, code) = project.start(&["pull", "skills/plan", "--force", "--yes"]).end();
    assert_eq!(code, 0, "{shown}");
    assert_eq!(project.tree.read(MANIFEST), heartbeats);
}

#[test]
fn a_cancelled_heartbeat_that_sprout_yaml_still_has_is_named() {
    let heartbeats = "heartbeats:\n  - name: Mondays\n    cron: \"0 9 * * 1\"\n";
    let project = Project::new();
    project.tree.write(MANIFEST, heartbeats.as_bytes());
    assert_eq!(project.start(&["push", "--yes"]).end().1, 0);
    let cancel = ["heartbeat", "cancel", "Mondays", "--yes"];
    let directory = project.tree.path().join("skills");
    let (shown, code) = Terminal::start(&directory, &project.data, &cancel).end();
    let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    let expected = "the folder plan still has `Mondays`: remove it there, as `dibber edit plan \
                    --schedule never` does, or the next push stops because of it";
    assert!(code == 0 && shown.contains(expected), "{shown}");
    // It is made again on purpose alone, as one that was cancelled elsewhere.
    let (shown, code) = project.start(&["push", "--yes"]).end();
    assert!(code == 3 && shown.contains("it was cancelled on local"), "{shown}");
    assert_eq!(project.start(&["push", "--yes", "--force"]).end().1, 0);
    project.tree.write(MANIFEST, b"label: Plan\n");
    let (shown, code) = project.start(&["heartbeat", "list"]).end();
    assert!(code == 0 && shown.contains("Mondays"), "{shown}");
    let (shown, code) = Terminal::start(&directory, &project.data, &cancel).end();
    assert!(code == 0 && !shown.contains("still has"), "{shown}");
}

#[test]
fn a_pull_makes_the_folder_that_it_writes_into() {
    let project = changed_on_both_sides();
    let (shown, code) = project.start(&["pull", "--all", "--into", "copies/of"]).end();
    assert_eq!(code, 0, "{shown}");
    assert!(project.tree.path().join("copies/of/plan/SKILL.md").is_file(), "{shown}");
}

#[test]
fn a_moved_skill_is_merged() {
    let project = changed_on_both_sides();
    let directory = |name: &str| project.tree.path().join("skills").join(name);
    fs::rename(directory("plan"), directory("week")).expect("a directory");
    let text = project.tree.read("skills/week/SKILL.md").replace("name: plan", "name: week");
    project.tree.write("skills/week/SKILL.md", text.as_bytes());
    let (shown, code) = project.push(&["--merge"], &["y"]);
    let [skill, manifest] =
        ["SKILL.md", "sprout.yaml"].map(|name| project.tree.read(&format!("skills/week/{name}")));
    assert!(code == 0 && shown.contains("Merged the changes of sk_"), "{shown}");
    assert!(skill.contains("description: Plans all of it.\n"), "{skill}");
    assert_eq!(manifest, "label: Plan it\n");
    let lock = project.tree.read("skills/dibber.lock");
    assert!(lock.contains("\"week\"") && !lock.contains("\"plan\""), "{lock}");
}

#[test]
fn files_are_overwritten_after_they_were_shown() {
    let project = changed_on_both_sides();
    let before = project.tree.read(MANIFEST);
    let mut terminal = project.start(&["push"]);
    terminal.wait_for("What should be done?");
    terminal.answer("overwrite the files with the skill of local", "3");
    terminal.wait_for("-label: Plan it");
    terminal.answer(OVERWRITE, "n");
    let (shown, code) = terminal.end();
    assert!(code == 3 && shown.contains("Nothing was written into skills/plan."), "{shown}");
    assert_eq!(project.tree.read(MANIFEST), before);
}

#[test]
fn a_heartbeat_that_both_have_changed_is_shown_and_overwritten_with_its_skill() {
    let heartbeats = "heartbeats:\n  - name: Mondays\n    cron: \"0 9 * * 1\"\n";
    let project = Project::new();
    project.tree.write(MANIFEST, heartbeats.as_bytes());
    assert_eq!(project.start(&["push", "--yes"]).end().1, 0);
    let changed = [
        ["skill", "update", "plan", "--description", "Plans all of it. Use when asked."],
        ["heartbeat", "edit", "Mondays", "--cron", "0 8 * * 1"],
    ];
    let elsewhere = Tree::new();
    for arguments in changed {
        let arguments = [&arguments[..], &["--yes"]].concat();
        let (shown, code) = Terminal::start(elsewhere.path(), &project.data, &arguments).end();
        assert_eq!(code, 0, "{shown}");
    }
    let ours = heartbeats.replace("0 9", "0 10");
    project.tree.write(MANIFEST, format!("label: Plan it\n{ours}").as_bytes());
    let mut terminal = project.start(&["push"]);
    terminal.wait_for("heartbeat `Mondays`: it was changed on local and here");
    terminal.answer("What should be done?", "force");
    terminal.answer("Publish 1 skill to local, and change 1 heartbeat", "y");
    let (shown, code) = terminal.end();
    assert_eq!(code, 0, "{shown}");
    let (shown, _) = project.start(&["heartbeat", "list"]).end();
    assert!(shown.contains("10am"), "{shown}");
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
        if typed == "3" {
            terminal.answer(OVERWRITE, "y");
        }
        if is_asked {
            terminal.answer(QUESTION, "y");
        }
        let (rest, code) = terminal.end();
        let manifest = project.tree.read(MANIFEST);
        assert_eq!(manifest.contains("label: Plan it"), our_label == "Plan it", "{rest}{manifest}");
        let skill = project.tree.read(FILE);
        assert_eq!(skill.contains(": Plans all of it."), !typed.is_empty(), "{rest}{skill}");
        assert_eq!(rest.contains("Updated skills/plan"), is_asked, "{rest}");
        assert_eq!(code, if typed.is_empty() { 3 } else { 0 }, "{rest}");
    }
}

#[test]
fn a_skill_that_only_the_server_has_changed_is_taken_over_or_left() {
    let question = "skills/plan was changed on local, and not here. What should be done?";
    for (typed, is_pulled) in [("", false), ("pull", true)] {
        let project = changed_on_both_sides();
        // Here it is as it was published.
        fs::remove_file(project.tree.path().join(MANIFEST)).expect("a file");
        let mut terminal = project.start(&["push"]);
        terminal.wait_for(question);
        // There is nothing to merge.
        terminal.wait_for("2. pull: overwrite the files");
        terminal.answer("", typed);
        if is_pulled {
            terminal.answer(OVERWRITE, "y");
        }
        let (shown, code) = terminal.end();
        assert_eq!(code, if is_pulled { 0 } else { 3 }, "{shown}");
        let skill = project.tree.read(FILE);
        assert_eq!(skill.contains(": Plans all of it."), is_pulled, "{shown}{skill}");
    }
}

/// Two commands on the same skills take turns, and the one that waits names what for.
#[test]
fn a_push_that_waits_for_another_names_the_locked_folder() {
    let project = Project::new();
    let mut first = project.start(&["push"]);
    first.wait_for(QUESTION);
    let mut second = project.start(&["push"]);
    second.wait_for("waiting for another dibber process that has locked ");
    first.answer("", "n");
    assert_eq!(first.end().1, 0);
    second.answer(QUESTION, "y");
    let (shown, code) = second.end();
    assert!(code == 0 && project.is_published(), "{shown}");
}

/// What an error leaves out is named above the question about the rest.
#[test]
fn the_question_names_what_an_error_leaves_out() {
    let project = Project::new();
    project.tree.write(
        MANIFEST,
        b"label: Plan\nheartbeats:\n  - name: Sundays\n    cron: every Sunday at 9am\n",
    );
    let other =
        "---\nname: cook\ndescription: Plans a meal. Use when one is hungry.\n---\n\nCook soup.\n";
    project.tree.write("skills/cook/SKILL.md", other.as_bytes());
    let mut terminal = project.start(&["push", "--yes"]);
    terminal.wait_for("2 new");
    assert_eq!(terminal.end().1, 0);
    let terminal = project.start(&["heartbeat", "edit", "Sundays", "--cron", "0 8 * * 0", "--yes"]);
    assert_eq!(terminal.end().1, 0);
    project.tree.write("skills/cook/SKILL.md", other.replace("soup", "rice").as_bytes());
    let mut terminal = project.start(&["push"]);
    terminal
        .wait_for("Left as it is, because of the error above: the schedule of skills/plan.\r\n");
    terminal.answer(QUESTION, "no");
    let (shown, _) = terminal.end();
    assert!(shown.contains("help: `dibber pull skills/plan` takes the one there"), "{shown}");
}
