//! Skills that were changed in a folder and on the server.

use std::fs;
use std::rc::Rc;

use super::lint_since::git;
use super::push::{PLAN, Project};
use crate::support::Tree;
use crate::support::command::state_in;

const FILE: &str = "skills/plan-my-week/SKILL.md";

const MANIFEST: &str = "skills/plan-my-week/sprout.yaml";

/// A prompt of several paragraphs.
const LONG: &str = "\
---
name: plan-my-week
description: Plans the week. Use when a parent wants to plan a week.
---

# Plan my week

Plan the week that begins on {{input.day}}.

Ask what everybody has to do.

Write a list for each day.
";

/// Two folders that were published as the same skill.
struct Two {
    ours: Project,
    theirs: Project,
}

impl Two {
    fn new() -> Self {
        let ours = Project::new();
        ours.tree.write(FILE, LONG.as_bytes());
        assert_eq!(ours.run(&["push", "--yes"]).code, 0);
        let theirs = Project { tree: Tree::new(), data: Rc::clone(&ours.data) };
        for path in ["dibber.toml", "dibber.lock", FILE] {
            theirs.tree.write(path, ours.tree.read(path).as_bytes());
        }
        Self { ours, theirs }
    }

    /// What our folder shows.
    fn show(&self, arguments: &[&str]) -> String {
        self.ours.show(arguments)
    }

    fn json(&self, arguments: &[&str], schema: &str) -> serde_json::Value {
        self.ours.json(arguments, schema)
    }

    /// Changes a string of our file, and another one of theirs, which is published.
    fn change(&self, (ours, our): (&str, &str), (theirs, their): (&str, &str)) {
        assert!(LONG.contains(ours) && LONG.contains(theirs));
        self.ours.tree.write(FILE, LONG.replace(ours, our).as_bytes());
        self.theirs.tree.write(FILE, LONG.replace(theirs, their).as_bytes());
        assert_eq!(self.theirs.run(&["push", "--yes"]).code, 0);
    }

    fn forget_bases(&self) {
        fs::remove_dir_all(state_in(self.theirs.data.path()).join("published"))
            .expect("a directory");
    }
}

#[test]
fn a_damaged_file_of_what_was_published_is_written_again() {
    let two = Two::new();
    let published = state_in(two.theirs.data.path()).join("published");
    let file = fs::read_dir(&published).expect("a directory").next().expect("a file");
    let file = file.expect("a file").path();
    let whole = fs::read(&file).expect("a file");
    fs::write(&file, &whole[..whole.len() / 2]).expect("a file");
    two.theirs.tree.write(FILE, LONG.replace("a list", "one page").as_bytes());
    assert_eq!(two.theirs.run(&["push", "--yes"]).code, 0);
    two.theirs.tree.write(FILE, LONG.as_bytes());
    assert_eq!(two.theirs.run(&["push", "--yes"]).code, 0);
    assert_eq!(fs::read(&file).expect("a file"), whole);
}

#[test]
fn changes_of_different_lines_are_merged_and_published() {
    let two = Two::new();
    two.change(("Plan the week", "Plan our week"), ("a list for each", "one page for each"));
    let mut shown = two.show(&["diff"]);
    shown += &two.show(&["push", "--yes"]);
    shown += &two.show(&["push", "--merge", "--dry-run"]);
    assert!(!two.ours.tree.read(FILE).contains("one page"));
    let json = two.json(&["push", "--merge", "--dry-run", "--json"], "push.schema.json");
    assert_eq!(
        (&json["items"][0]["action"], &json["items"][0]["merged"]),
        (&"update".into(), &true.into())
    );
    shown += &two.show(&["push", "--merge"]);
    assert!(!two.ours.tree.read(FILE).contains("one page"), "nothing is written unasked");
    shown += &two.show(&["push", "--merge", "--yes"]);
    let merged = two.ours.tree.read(FILE);
    assert!(merged.contains("Plan our week") && merged.contains("one page for each"), "{merged}");
    shown += &two.show(&["push", "--yes"]);
    insta::assert_snapshot!(shown);
    assert_eq!(two.theirs.run(&["pull", "skills/plan-my-week"]).code, 0);
    assert_eq!(two.theirs.tree.read(FILE), merged);
}

/// The lock is as it was before, and the files are as the server has them.
#[test]
fn a_pull_that_was_killed_before_its_record_leaves_no_conflict() {
    for arguments in [&["push", "--yes"][..], &["pull", "--all"]] {
        let two = Two::new();
        two.change(("Ask what", "Ask what"), ("a list", "one page"));
        let before = two.ours.tree.read("dibber.lock");
        assert_eq!(two.ours.run(&["pull", "--all"]).code, 0);
        let after = two.ours.tree.read("dibber.lock");
        assert_ne!(before, after);
        two.ours.tree.write("dibber.lock", before.as_bytes());
        let ended = two.ours.run(arguments);
        assert_eq!(ended.code, 0, "{}", ended.show());
        assert_eq!(two.ours.tree.read("dibber.lock"), after, "{}", ended.show());
    }
}

/// What is merged has another content than what the moved folder is recognised by.
#[test]
fn a_folder_that_was_moved_is_merged() {
    for edits in [false, true] {
        let two = Two::new();
        two.change(("Ask what", "Ask what"), ("a list", "one page"));
        let tree = &two.ours.tree;
        fs::create_dir_all(tree.path().join("home")).expect("a directory");
        fs::rename(tree.path().join("skills/plan-my-week"), tree.path().join("home/plan-my-week"))
            .expect("a move");
        let file = "home/plan-my-week/SKILL.md";
        let arguments = ["push", "--yes", "--merge"];
        if edits {
            tree.write(file, LONG.replace("Ask what", "Find out what").as_bytes());
            let blocked = two.ours.run(&arguments);
            assert_eq!(blocked.code, 3, "{}", blocked.show());
            let id = two.ours.skills()[0]["skillId"].as_str().expect("an id").to_owned();
            let linked = two.ours.run(&["skill", "link", "home/plan-my-week", &id]);
            assert_eq!(linked.code, 0, "{}", linked.show());
        }
        let merged = two.ours.run(&arguments);
        assert_eq!(merged.code, 0, "{}", merged.show());
        let text = tree.read(file);
        assert!(text.contains("one page") && text.contains("Find out") == edits, "{text}");
        assert_eq!(two.ours.skills().len(), 1);
        let lock = tree.read("dibber.lock");
        assert!(lock.contains("\"home/plan-my-week\"") && !lock.contains("\"skills/"), "{lock}");
        let again = two.ours.run(&["push", "--yes"]);
        assert!(again.stderr.starts_with("Nothing to publish"), "{}", again.show());
    }
}

#[test]
fn a_merge_may_add_a_file() {
    let two = Two::new();
    two.ours.tree.write(FILE, LONG.replace("a list", "one page").as_bytes());
    two.theirs.run(&["skill", "update", "plan-my-week", "--name", "Your week", "--yes"]);
    let preview = two.json(&["push", "--merge", "--dry-run", "--json"], "push.schema.json");
    assert_eq!(preview["items"][0]["name"], "Your week");
    assert_eq!(preview["items"][0]["changedFields"], serde_json::json!(["prompt"]));
    assert!(!two.ours.tree.path().join(MANIFEST).exists());
    let done = two.json(&["push", "--merge", "--yes", "--json"], "push.schema.json");
    assert_eq!(done["items"][0]["specHash"], preview["items"][0]["specHash"]);
    assert!(two.ours.tree.read(MANIFEST).contains("label: Your week"));
    assert!(two.show(&["push", "--yes"]).contains("is up to date"));
}

#[test]
fn a_description_of_the_server_is_merged_into_the_field_that_is_published() {
    let two = Two::new();
    let theirs = "Plans each week. Use when a parent wants to plan: a week.";
    two.theirs.run(&["skill", "update", "plan-my-week", "--description", theirs, "--yes"]);
    assert_eq!(two.ours.run(&["pull", "skills/plan-my-week"]).code, 0);
    let before = "Plans the week. Use when a parent wants to plan a week.";
    let written = format!("\"{theirs}\"");
    assert_eq!(two.ours.tree.read(FILE), LONG.replace(before, &written));
    assert!(!two.ours.tree.path().join(MANIFEST).exists());
    assert!(two.ours.run(&["push", "--yes"]).stderr.contains("up to date"));
    let ours = "Plans our week. Use when a parent wants to plan a week.";
    let edit = ["edit", "skills/plan-my-week", "--description", ours, "--yes"];
    assert_eq!(two.ours.run(&edit).code, 0);
    assert!(two.ours.run(&["push", "--yes"]).stderr.contains("Updated"));
}

#[test]
fn what_lint_denies_after_a_merge_is_not_written() {
    let two = Two::new();
    two.ours.tree.write("dibber.toml", b"[lint.levels]\nbroken-link = \"deny\"\n");
    two.change(("Plan the", "Plan our"), ("a list for", "[a list](none.md) for"));
    let before = two.ours.tree.read("dibber.lock");
    let ended = two.show(&["push", "--merge", "--yes"]);
    assert!(ended.contains("at level deny"), "{ended}");
    assert!(!two.ours.tree.read(FILE).contains("none.md"));
    assert_eq!(two.ours.tree.read("dibber.lock"), before);
}

#[test]
fn a_skill_that_only_the_server_has_changed_is_behind() {
    let two = Two::new();
    let other = LONG.replace("plan-my-week", "cook").replace("Plan my week", "Cook");
    two.ours.tree.write("skills/cook/SKILL.md", other.as_bytes());
    two.theirs.run(&["skill", "update", "plan-my-week", "--name", "Your week", "--yes"]);
    for command in [&["push", "--dry-run"][..], &["diff"], &["push", "--yes", "skills"]] {
        let shown = two.show(command);
        assert!(shown.contains("behind") && !shown.contains("blocked"), "{shown}");
    }
    let json = two.json(&["push", "--yes", "--json"], "push.schema.json");
    let behind: Vec<_> =
        json["items"].as_array().expect("items").iter().map(|it| &it["behind"]).collect();
    assert_eq!(behind, [&serde_json::json!(false), &serde_json::json!(true)]);
}

#[test]
fn a_forced_push_shows_what_it_undoes() {
    let two = Two::new();
    two.change(("Plan the week", "Plan our week"), ("a list for each", "one page for each"));
    let one = two.show(&["push", "--force", "--dry-run"]);
    assert!(one.contains("undoes      the changes of local in: prompt"), "{one}");
    two.ours.tree.write("skills/cook/SKILL.md", LONG.replace("my-week", "cook").as_bytes());
    let both = two.show(&["push", "--force", "--dry-run"]);
    assert!(both.contains("prompt (undoes prompt)"), "{both}");
}

#[test]
fn changes_of_the_same_line_are_shown_from_all_sides() {
    let two = Two::new();
    two.change(("Plan the week", "Plan our week"), ("Plan the week", "Plan your week"));
    two.theirs.run(&["skill", "update", "plan-my-week", "--name", "Your week", "--yes"]);
    let mut shown = two.show(&["push", "--merge", "--yes"]);
    shown += &two.show(&["pull", "skills/plan-my-week"]);
    let json = two.json(&["push", "--yes", "--json"], "push.schema.json");
    let conflict = &json["items"][0]["conflict"];
    assert_eq!(conflict["baseKnown"], true);
    let fields = conflict["fields"].as_array().expect("fields");
    let changed: Vec<_> =
        fields.iter().map(|it| (it["field"].as_str(), it["changed"].as_str())).collect();
    assert_eq!(changed, [(Some("name"), Some("server")), (Some("prompt"), Some("both"))]);
    assert_eq!(fields[0]["base"], "Plan my week");
    assert!(fields[1]["ours"].as_str().is_some_and(|ours| ours.contains("Plan our week")));
    let pull = ["pull", "skills/plan-my-week", "--json"];
    assert_eq!(two.json(&pull, "pull.schema.json")["items"][0]["outcome"], "blocked");
    let preview = two.show(&["pull", "skills/plan-my-week", "--dry-run"]);
    assert!(preview.contains("exit code: 3") && preview.contains("theirs"), "{preview}");
    assert!(preview.contains("1 skill: 1 blocked"), "{preview}");
    // On another machine.
    two.forget_bases();
    shown += &two.show(&["diff"]);
    insta::assert_snapshot!(shown);
}

#[test]
fn a_field_is_called_the_same_everywhere() {
    let two = Two::new();
    two.ours.tree.write(MANIFEST, b"label: Our week\n");
    two.theirs.run(&["skill", "update", "plan-my-week", "--name", "Your week", "--yes"]);
    let pushed = two.show(&["push", "--yes"]);
    assert!(pushed.contains("both have changed label"), "{pushed}");
    let pulled = two.show(&["pull", "skills/plan-my-week"]);
    assert!(pulled.contains("has changed, too (label)"), "{pulled}");
}

#[test]
fn without_what_was_published_only_fields_are_merged() {
    let two = Two::new();
    two.change(("Plan the week", "Plan our week"), ("a list for each", "one page for each"));
    two.forget_bases();
    let ended = two.show(&["push", "--merge", "--yes"]);
    assert!(
        ended.contains("exit code: 3") && ended.contains("both have changed prompt"),
        "{ended}"
    );
    assert!(!two.ours.tree.read(FILE).contains("one page"));
}

/// What was published is in a commit: a clone on another machine has only that.
#[test]
fn changes_of_different_lines_are_merged_from_what_git_has() {
    let two = Two::new();
    let ours = &two.ours.tree;
    git(ours.path(), &["init", "--quiet"]);
    // The version that was published is neither the first nor the last one.
    for text in
        [LONG.replace("# Plan", "# To plan"), LONG.to_owned(), LONG.replace("the week", "a week")]
    {
        ours.write(FILE, text.as_bytes());
        git(ours.path(), &["add", "--all"]);
        git(ours.path(), &["commit", "--quiet", "--message", "Change the skill"]);
    }
    two.change(("Plan the week", "Plan our week"), ("a list for each", "one page for each"));
    let merge = |arguments: &[&str]| {
        // A dry-run keeps none.
        drop(fs::remove_dir_all(state_in(two.ours.data.path()).join("published")));
        let ended = two.ours.run(arguments);
        assert_eq!(ended.code, 0, "{}", ended.show());
    };
    merge(&["push", "--merge", "--yes", "--dry-run"]);
    let before = ours.read("dibber.lock");
    merge(&["pull", "--all"]);
    let merged = ours.read(FILE);
    assert!(merged.contains("Plan our week") && merged.contains("one page for each"), "{merged}");
    ours.write("dibber.lock", before.as_bytes());
    ours.write(FILE, LONG.replace("Plan the week", "Plan our week").as_bytes());
    merge(&["push", "--merge", "--yes"]);
    assert_eq!(ours.read(FILE), merged);
}

#[test]
fn what_was_published_is_kept_for_its_owner() {
    let project = Project::new();
    project.tree.write(FILE, PLAN.as_bytes());
    project.run(&["push", "--yes"]);
    let directory = state_in(project.data.path()).join("published");
    let files = || fs::read_dir(&directory).expect("a directory").flatten().collect::<Vec<_>>();
    assert_eq!(files().len(), 1);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode =
            |path: &std::path::Path| fs::metadata(path).expect("a file").permissions().mode();
        assert_eq!(mode(&directory) & 0o077, 0);
        assert_eq!(mode(&files()[0].path()) & 0o077, 0);
    }
    // Another machine has it after its first push, which changes nothing.
    fs::remove_dir_all(&directory).expect("a directory");
    project.run(&["push", "--yes"]);
    assert_eq!(files().len(), 1);
}
