//! `dibber push`, `diff`, `pull`, `invoke`, `render` and `skill`, over the server in the program.

use std::path::Path;
use std::rc::Rc;

use serde_json::{Value, json};

use crate::support::command::{Dibber, Ended};
use crate::support::{Tree, package};

/// A family's directory of skills, and a database beside it.
pub(super) struct Project {
    pub(super) tree: Tree,
    pub(super) data: Rc<Tree>,
}

const LOCK: &str = "dibber.lock";

pub(super) const PLAN: &str = "\
---
name: plan-my-week
description: Plans the week. Use when a parent wants to plan a week.
---

# Plan my week

Plan the week that begins on {{input.day}}.
";

impl Project {
    pub(super) fn new() -> Self {
        let project = Self { tree: Tree::new(), data: Rc::new(Tree::new()) };
        project.tree.write("dibber.toml", b"");
        project.tree.write("skills/plan-my-week/SKILL.md", PLAN.as_bytes());
        project
    }

    pub(super) fn run(&self, arguments: &[&str]) -> Ended {
        self.dibber(arguments).run()
    }

    pub(super) fn dibber(&self, arguments: &[&str]) -> Dibber {
        let dibber = Dibber::new(arguments).in_directory(self.tree.path());
        dibber.data(self.data.path()).env("COLUMNS", "80")
    }

    /// What a run shows, without ids and directories that are never the same.
    pub(super) fn show(&self, arguments: &[&str]) -> String {
        let shown = self.run(arguments).show_without(self.tree.path());
        format!("$ dibber {}\n{}", arguments.join(" "), without_ids(&shown))
    }

    pub(super) fn json(&self, arguments: &[&str], schema: &str) -> Value {
        let ended = self.run(arguments);
        let json = serde_json::from_slice(&ended.raw);
        let json: Value = json.unwrap_or_else(|error| panic!("{error}: {}", ended.show()));
        let path = package().join("schemas").join(schema);
        let schema: Value =
            serde_json::from_str(&std::fs::read_to_string(path).expect("a schema")).expect("JSON");
        let validator = jsonschema::validator_for(&schema).expect("a schema");
        let errors: Vec<_> = validator.iter_errors(&json).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}\n{json:#}");
        json
    }

    pub(super) fn skills(&self) -> Vec<Value> {
        let list = self.json(&["skill", "list", "--json"], "skill-list.schema.json");
        list["items"].as_array().expect("items").clone()
    }
}

/// Writes `sk_ID` for an id, and `TIME` for a time with an offset.
fn without_ids(text: &str) -> String {
    let is_id = |c: char| c.is_ascii_hexdigit();
    let mut out = String::new();
    for word in text.split_inclusive(|c: char| c.is_whitespace() || c == '"') {
        let bare = word.trim_end_matches(|c: char| c.is_whitespace() || c == '"');
        let end = &word[bare.len()..];
        let dots = &bare[bare.trim_end_matches(['.', ':', ',', ';', '`']).len()..];
        let bare = bare.trim_end_matches(['.', ':', ',', ';', '`']);
        out += &match bare.split_once('_') {
            Some((kind, id)) if id.len() == 32 && id.chars().all(is_id) => {
                format!("{kind}_ID{dots}{end}")
            }
            _ if bare.parse::<jiff::Timestamp>().is_ok() => format!("TIME{dots}{end}"),
            _ => word.to_owned(),
        };
    }
    out
}

#[test]
fn a_push_needs_a_yes_and_reports_what_it_does() {
    let project = Project::new();
    let path = "skills/plan-my-week";
    let mut shown = project.show(&["push", path]);
    assert!(project.skills().is_empty());
    shown += &project.show(&["push", path, "--dry-run"]);
    assert!(project.skills().is_empty());
    shown += &project.show(&["push", path, "--yes"]);
    shown += &project.show(&["push", path, "--yes"]);
    assert_eq!(project.skills().len(), 1);
    insta::assert_snapshot!(shown);
    let lock = project.tree.read(LOCK);
    assert_eq!(lock.matches("[[skill]]").count(), 1, "{lock}");
    assert!(lock.contains("path = \"skills/plan-my-week\"\n"), "{lock}");
    assert!(!project.data.path().join("dibber.lock").exists());
}

#[test]
fn an_update_changes_only_what_changed() {
    let project = Project::new();
    let path = "skills/plan-my-week";
    project.run(&["push", path, "--yes"]);
    project
        .tree
        .write("skills/plan-my-week/SKILL.md", PLAN.replace("Plan the", "Think of the").as_bytes());
    project.tree.write("skills/plan-my-week/sprout.yaml", b"label: Our week\n");
    let mut shown = project.show(&["diff", path, "--exit-code"]);
    shown += &project.show(&["push", path, "--yes"]);
    shown += &project.show(&["diff", path, "--exit-code"]);
    insta::assert_snapshot!(shown);
    let skills = project.skills();
    assert_eq!((skills.len(), &skills[0]["name"]), (1, &Value::from("Our week")));
}

#[test]
fn fields_that_an_update_cannot_change_are_refused_with_help() {
    let project = Project::new();
    let path = "skills/plan-my-week";
    project.run(&["push", path, "--yes"]);
    project
        .tree
        .write("skills/plan-my-week/sprout.yaml", b"category: home_agent\nhands: [task_list]\n");
    let mut shown = project.show(&["push", path, "--yes"]);
    shown += &project.show(&["push", path, "--yes", "--new"]);
    shown += &project.show(&["invoke", path]);
    shown += &project.show(&["render", path, "--input", "day=Monday"]);
    insta::assert_snapshot!(shown);
    assert_eq!(project.skills().len(), 2);
}

#[test]
fn an_expected_hash_is_asked_for_before_anything_is_sent() {
    let project = Project::new();
    let zeros = format!("h_{}", "0".repeat(64));
    let shown = project.show(&["push", "--yes", "--expect", &zeros]);
    assert!(project.skills().is_empty());
    let hash = project.run(&["hash"]).stdout;
    assert_eq!(project.run(&["push", "--yes", "--expect", hash.trim()]).code, 0);
    assert_eq!(project.skills().len(), 1);
    insta::assert_snapshot!(shown);
}

#[test]
fn one_bad_skill_does_not_stop_the_others() {
    let project = Project::new();
    for index in 0..20 {
        let name = format!("a-{index:02}");
        let text = PLAN.replace("plan-my-week", &name).replace("Plan my week", &name);
        project.tree.write(&format!("skills/{name}/SKILL.md"), text.as_bytes());
    }
    project.tree.write("skills/a-03/sprout.yaml", b"label: 1\n");
    project.tree.write("skills/a-05/SKILL.md", b"---\nname: B c\ndescription: x\n---\nx\n");
    let shown = project.show(&["push", "--yes"]);
    assert_eq!(project.skills().len(), 19);
    insta::assert_snapshot!(shown);
    let json = project.json(&["push", "--yes", "--json"], "push.schema.json");
    let actions: Vec<_> =
        json["items"].as_array().expect("skills").iter().map(|it| it["action"].as_str()).collect();
    assert_eq!(actions.iter().filter(|action| **action == Some("none")).count(), 19);
    assert_eq!(actions.iter().filter(|action| **action == Some("stop")).count(), 2);
}

#[test]
fn a_quiet_push_prints_no_plan_that_was_agreed_to() {
    let project = Project::new();
    let dry = project.run(&["push", "--dry-run", "-q"]);
    assert!(dry.stdout.contains("Plan my week"), "{}", dry.show());
    assert_eq!(dry.stderr, "", "{}", dry.show());
    let asked = project.run(&["push", "-q"]);
    assert!(asked.stdout.contains("Plan my week"), "{}", asked.show());
    let agreed = project.run(&["push", "--yes", "-q"]);
    assert_eq!((agreed.code, agreed.show().contains("Plan")), (0, false), "{}", agreed.show());
    std::fs::remove_dir_all(project.tree.path().join("skills/plan-my-week")).expect("a directory");
    let pruned = project.run(&["push", "--prune", "--yes", "-q"]);
    assert_eq!((pruned.code, &*pruned.stdout), (0, ""), "{}", pruned.show());
    assert!(project.skills().is_empty());
}

#[test]
fn a_push_as_json_has_its_schema() {
    let project = Project::new();
    project.tree.write("skills/plan-my-week/steps.md", b"One.\n");
    let preview = project.json(&["push", "--dry-run", "--json"], "push.schema.json");
    assert_eq!(preview["items"][0]["unpublishedFiles"], json!(["steps.md"]));
    assert_eq!((&preview["dryRun"], &preview["items"][0]["done"]), (&true.into(), &false.into()));
    let pushed = project.json(&["push", "--yes", "--json"], "push.schema.json");
    assert_eq!(pushed["items"][0]["action"], "create");
    let id = pushed["items"][0]["skillId"].as_str().expect("an id");
    let got = project.json(&["skill", "get", id, "--json"], "skill-get.schema.json");
    assert_eq!(got["skill"]["name"], "Plan my week");
    let invoked = ["invoke", id, "--input", "day=Monday", "--input", "x=1", "--json"];
    let invoked = project.json(&invoked, "invoke.schema.json");
    assert_eq!(invoked["ignoredInputs"], serde_json::json!(["x"]));
    // The invocation was noted, although its process ended at once.
    assert!(project.skills()[0]["lastTriggeredAt"].is_string());
}

#[test]
fn a_skill_is_found_by_its_directory_label_name_and_id() {
    let project = Project::new();
    project.run(&["push", "--yes"]);
    let id = project.skills()[0]["skillId"].as_str().expect("an id").to_owned();
    for meant in ["skills/plan-my-week", "plan MY week", "plan-my-week", &id] {
        let ended = project.run(&["invoke", meant, "--input", "day=Monday"]);
        assert_eq!(ended.code, 0, "{meant}: {}", ended.show());
        assert!(
            ended.stdout.ends_with("Plan the week that begins on Monday.\n"),
            "{}",
            ended.show()
        );
    }
    project.run(&["push", "--yes", "--new"]);
    let mut shown = project.show(&["invoke", "plan-my-week"]);
    shown += &project.show(&["invoke", "no-such-skill"]);
    shown += &project.show(&["invoke", "skills/plan-my-week"]);
    shown += &project.show(&["invoke", "sk_none"]);
    insta::assert_snapshot!(shown);
}

#[test]
fn missing_inputs_of_a_run_can_be_typed() {
    let project = Project::new();
    project.tree.write(
        "skills/plan-my-week/sprout.yaml",
        b"inputs:\n  - name: day\n    description: A day\n  - name: mood\n    description: The \
          mood\n    required: false\n",
    );
    project.tree.write(
        "skills/plan-my-week/SKILL.md",
        PLAN.replace("{{input.day}}", "{{input.day}}[{{input.mood}}]").as_bytes(),
    );
    project.run(&["push", "--yes"]);
    let mut shown = project.show(&["invoke", "skills/plan-my-week"]);
    shown += &project.show(&["invoke", "plan-my-week"]);
    // A directory shows which inputs may be left out, and those are not asked for.
    let given = ["invoke", "skills/plan-my-week", "--input", "day=Monday"];
    shown += &project.show(&given);
    let rendered = ["render", "skills/plan-my-week", "--input", "day=Monday"];
    assert_eq!(project.run(&given).raw, project.run(&rendered).raw);
    insta::assert_snapshot!(shown);
}

#[test]
fn an_archived_skill_is_named_with_the_command_that_brings_it_back() {
    let project = Project::new();
    project.run(&["push", "--yes"]);
    let id = project.skills()[0]["skillId"].as_str().expect("an id").to_owned();
    assert_eq!(project.run(&["skill", "archive", &id, "--yes"]).code, 0);
    let help = format!("`dibber skill unarchive {id}` brings it back\n");
    for (meant, code) in [("plan-my-week", 5), ("skills/plan-my-week", 3), (&id, 3)] {
        let ended = project.run(&["invoke", meant, "--input", "day=Monday"]);
        assert!(ended.code == code && ended.stderr.ends_with(&help), "{}", ended.show());
        assert!(ended.stderr.contains("`Plan my week`"), "{}", ended.show());
        assert!(ended.stderr.contains(" is archived"), "{}", ended.show());
    }
    assert_eq!(project.run(&["skill", "unarchive", &id, "--yes"]).code, 0);
    assert_eq!(project.run(&["invoke", "plan-my-week", "--input", "day=Monday"]).code, 0);
}

#[test]
fn inputs_without_their_option_are_shown_with_it() {
    let project = Project::new();
    project.run(&["push", "--yes"]);
    let line = "write `dibber invoke plan-my-week --input day=Monday";
    for (typed, help) in [
        (&["day=Monday"][..], format!("{line}`")),
        (&["day=Monday", "mood=so so"], format!("{line} --input 'mood=so so'`")),
        (&["--day", "Monday"], format!("did you mean `--data`? for an input, {line}`")),
        (&["--day=Monday", "-q"], format!("did you mean `--data`? for an input, {line} -q`")),
        (
            &["--weekday", "Monday"],
            format!(
                "for an input, {}`; `dibber invoke --help` lists the options",
                line.replace("day=", "weekday=")
            ),
        ),
    ] {
        let ended = project.run(&[&["invoke", "plan-my-week"], typed].concat());
        let expected = format!("\nhelp: {help}\n");
        assert!(ended.code == 2 && ended.stderr.ends_with(&expected), "{}", ended.show());
    }
    let ended = project.run(&["invoke", "plan-my-week", "--weekday"]);
    assert!(ended.stderr.ends_with("help: `dibber invoke --help` lists the options\n"));
}

#[test]
fn a_prompt_that_is_piped_comes_to_the_byte() {
    let project = Project::new();
    let family = "Greet \u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}";
    project.tree.write("skills/plan-my-week/SKILL.md", PLAN.replace("Plan the", family).as_bytes());
    project.run(&["push", "--yes"]);
    for command in ["invoke", "render"] {
        let ended = project.run(&[command, "skills/plan-my-week", "--input", "day=Monday"]);
        assert!(ended.stdout.contains(family), "{}", ended.show());
        // A program that shows it further must not act on it.
        let ended = project.run(&[command, "skills/plan-my-week", "--input", "day=\u{1b}[2J"]);
        assert!(ended.stdout.contains("begins on \\u{1b}[2J"), "{}", ended.show());
    }
}

#[test]
fn a_lost_record_is_noticed() {
    let project = Project::new();
    project.run(&["push", "--yes"]);
    std::fs::remove_file(project.tree.path().join(LOCK)).expect("a record");
    let mut shown = project.show(&["push", "--dry-run"]);
    let id = project.skills()[0]["skillId"].as_str().expect("an id").to_owned();
    assert!(project.run(&["push", "--dry-run"]).stderr.contains(&id));
    shown += &project.show(&["diff"]);
    let linked = &project.json(&["push", "--yes", "--json"], "push.schema.json")["items"][0];
    assert_eq!((&linked["linked"], &linked["skillId"]), (&true.into(), &id.clone().into()));
    assert!(project.tree.read(LOCK).contains(&id));
    std::fs::remove_file(project.tree.path().join(LOCK)).expect("a record");
    shown += &project.show(&["push", "--yes"]);
    shown += &project.show(&["push", "--yes"]);
    assert_eq!(project.skills().len(), 1);
    insta::assert_snapshot!(shown);
}

#[test]
fn skills_that_are_blocked_are_listed_once() {
    let project = Project::new();
    let other = PLAN.replace("plan-my-week", "sing").replace("Plan my", "Sing my");
    project.tree.write("skills/sing/SKILL.md", other.as_bytes());
    assert_eq!(project.run(&["push", "--yes"]).code, 0);
    for path in ["skills/sing", "skills/plan-my-week"] {
        assert_eq!(project.run(&["skill", "archive", path, "--yes"]).code, 0);
    }
    for arguments in [&["push", "--dry-run"][..], &["push", "-v"], &["push", "--yes"]] {
        let ended = project.run(arguments);
        let lines = ended.stdout.lines().filter(|line| line.starts_with("blocked"));
        assert_eq!(lines.count(), 2, "{}", ended.show());
    }
}

#[test]
fn a_configuration_below_a_lock_file_hides_no_record() {
    let project = Project::new();
    project.tree.write(".git/HEAD", b"ref: refs/heads/main\n");
    project.run(&["push", "--yes"]);
    project.tree.write("skills/dibber.toml", b"");
    let edited = PLAN.replace("Plan the", "Think of the");
    project.tree.write("skills/plan-my-week/SKILL.md", edited.as_bytes());
    let ended = project.run(&["push", "--yes"]);
    assert!(ended.stderr.contains("Updated skills/plan-my-week"), "{}", ended.show());
    assert!(!project.tree.path().join("skills").join(LOCK).exists());
    // Without an outer one, it decides.
    std::fs::remove_file(project.tree.path().join(LOCK)).expect("a record");
    assert_eq!(project.run(&["push", "--yes"]).code, 0);
    assert!(project.tree.path().join("skills").join(LOCK).exists());
}

#[test]
fn a_lost_record_of_another_content_is_noticed() {
    let project = Project::new();
    project.run(&["push", "--yes"]);
    std::fs::remove_file(project.tree.path().join(LOCK)).expect("a record");
    let edited = PLAN.replace("Plan the", "Think of the");
    project.tree.write("skills/plan-my-week/SKILL.md", edited.as_bytes());
    let mut shown = project.show(&["push", "--dry-run"]);
    // Without a question, no other skill is published with the label.
    shown += &project.show(&["push", "--yes"]);
    assert_eq!(project.skills().len(), 1);
    assert_eq!(project.run(&["push", "--yes", "--new"]).code, 0);
    std::fs::remove_file(project.tree.path().join(LOCK)).expect("a record");
    project.tree.write("skills/plan-my-week/SKILL.md", PLAN.replace("Plan", "My").as_bytes());
    project.tree.write("skills/plan-my-week/sprout.yaml", b"label: Plan my week\n");
    shown += &project.show(&["push", "--dry-run"]);
    shown += &project.show(&["push", "--yes"]);
    assert_eq!(project.skills().len(), 2);
    insta::assert_snapshot!(shown);
    let warned = project.run(&["push", "--dry-run"]).stderr;
    let ids = project.skills().into_iter().map(|skill| skill["skillId"].clone());
    assert_eq!(ids.filter(|id| warned.contains(id.as_str().expect("an id"))).count(), 2);
}

#[test]
fn one_of_several_skills_with_the_same_content_is_not_guessed() {
    let project = Project::new();
    project.run(&["push", "--yes"]);
    assert_eq!(project.run(&["push", "--yes", "--new"]).code, 0);
    std::fs::remove_file(project.tree.path().join(LOCK)).expect("a record");
    let shown = project.show(&["push", "--yes"]);
    assert_eq!(project.skills().len(), 2);
    insta::assert_snapshot!(shown);
    let id = project.skills()[0]["skillId"].as_str().expect("an id").to_owned();
    assert_eq!(project.run(&["skill", "link", "skills/plan-my-week", &id]).code, 0);
    assert!(project.run(&["push", "--yes"]).stderr.contains("up to date"));
}

#[test]
fn a_pull_is_undone_by_no_push() {
    let project = Project::new();
    project.tree.write("skills/plan-my-week/notes.md", b"Ours.\n");
    project.run(&["push", "--yes"]);
    let mut shown = project.show(&["pull", "plan-my-week"]);
    shown += &project.show(&["skill", "update", "plan-my-week", "--name", "Our week", "--yes"]);
    shown += &project.show(&["pull", "skills/plan-my-week"]);
    assert_eq!(project.tree.read("skills/plan-my-week/SKILL.md"), PLAN);
    shown += &project.show(&["push", "--yes"]);
    project
        .tree
        .write("skills/plan-my-week/SKILL.md", PLAN.replace("Plan the", "My own").as_bytes());
    shown += &project.show(&["pull", "our-week"]);
    assert!(project.tree.read("skills/plan-my-week/SKILL.md").contains("My own"));
    shown += &project.show(&["pull", "our-week", "--force"]);
    assert_eq!(project.tree.read("skills/plan-my-week/SKILL.md"), PLAN);
    project.tree.write("other/keep", b"");
    shown += &project.show(&["pull", "our-week", "--into", "other"]);
    shown += &project.show(&["push", "other", "--yes"]);
    insta::assert_snapshot!(shown);
    assert_eq!(project.tree.read("skills/plan-my-week/notes.md"), "Ours.\n");
    assert_eq!(project.skills().len(), 1);
}

#[test]
fn single_skills_are_shown_and_changed() {
    let project = Project::new();
    project.run(&["push", "--yes"]);
    let mut shown = project.show(&["skill", "list"]);
    shown += &project.show(&["skill", "get", "plan-my-week"]);
    shown += &project.show(&["skill", "update", "plan-my-week"]);
    shown += &project.show(&["skill", "update", "plan-my-week", "--description", "Plans it."]);
    shown += &project.show(&["skill", "update", "plan-my-week", "--kid-callable", "true", "--yes"]);
    shown += &project.show(&["skill", "post-result", "plan-my-week", "{\"summary\":\"Done\"}"]);
    shown += &project.show(&["skill", "post-result", "plan-my-week", "[]"]);
    insta::assert_snapshot!(shown);
}

#[test]
fn a_canvas_that_is_not_linked_cannot_be_unlinked() {
    let project = Project::new();
    project.run(&["push", "--yes"]);
    let update = |arguments: &[&str]| {
        let command = ["skill", "update", "plan-my-week", "--yes", "--remove-canvas"];
        project.show(&[&command[..], arguments].concat())
    };
    let mut shown = update(&["0b7e4d52-5e0c-4d43-9f6a-7d1f0a3c9b18"]);
    shown += &update(&["garden", "--name", "Our week", "--remove-canvas", "kitchen"]);
    insta::assert_snapshot!(shown);
    assert_eq!(project.skills()[0]["name"], "Plan my week", "nothing was changed");
}

#[test]
fn a_lock_that_is_broken_or_of_another_server_is_left_alone() {
    let project = Project::new();
    project.tree.write(LOCK, b"version = 1\n<<<<<<< HEAD\n");
    let mut shown = project.show(&["push", "--yes"]);
    assert_eq!(project.tree.read(LOCK), "version = 1\n<<<<<<< HEAD\n");
    assert!(project.skills().is_empty());
    // What is recorded of another server stays.
    let block = "path = \"skills/plan-my-week\"\nserver = \"https://there.example/mcp\"\nskillId = \
                 \"sk_1\"\nspecHash = \"h_1\"\n";
    project.tree.write(LOCK, format!("version = 1\n\n[[skill]]\n{block}").as_bytes());
    shown += &project.show(&["push", "--yes"]);
    let lock = project.tree.read(LOCK);
    assert!(lock.contains("version = 2\n") && lock.contains(block), "{lock}");
    assert_eq!(lock.matches("[[skill]]").count(), 2, "{lock}");
    insta::assert_snapshot!(shown);
}

#[test]
fn a_server_has_one_record_at_every_address() {
    let project = Project::new();
    project.run(&["push", "--yes"]);
    let lock = project.tree.read(LOCK);
    assert!(lock.contains("[servers]\n") && lock.contains(" = \"local\"\n"), "{lock}");
    assert!(!lock.contains("time = "), "{lock}");
    // The same server over HTTP, at two ports.
    for _ in 0..2 {
        let process = Served::start(project.data.path());
        let push = ["push", "--yes", "--server", &process.url, "--token-file", &process.token];
        let ended = project.run(&push);
        assert!(ended.stderr.starts_with("Nothing to publish"), "{}", ended.show());
        assert_eq!(project.tree.read(LOCK), lock);
    }
    // Another server has a record of its own.
    let other = Project { tree: project.tree, data: Rc::new(Tree::new()) };
    other.run(&["push", "--yes"]);
    let both = other.tree.read(LOCK);
    assert_eq!(both.matches("[[skill]]").count(), 2, "{both}");
    assert!(both.contains(lock.split_once("[[skill]]").expect("a record").1), "{both}");
}

/// Replaces the key of the server in a lock by another one, as version 1 had it.
fn of_version_1(lock: &str, path: &str, server: &str) -> String {
    let lines = lock.lines().filter(|line| *line != "[servers]" && !line.starts_with('"'));
    let lines = lines.map(|line| match line.split_once(" = ") {
        Some(("version", _)) => "version = 1\n".to_owned(),
        Some(("path", _)) => format!("path = \"{path}\"\n"),
        Some(("server", _)) => format!("server = \"{server}\"\n"),
        _ => format!("{line}\n"),
    });
    lines.collect()
}

#[test]
fn a_record_by_an_address_becomes_one_by_the_id() {
    let project = Project::new();
    let process = Served::start(project.data.path());
    let server = ["--server", &process.url, "--token-file", &process.token];
    let push = |more: &[&str]| project.run(&[&["push", "--yes"], &server[..], more].concat());
    push(&[]);
    let lock = project.tree.read(LOCK);
    project.tree.write(LOCK, of_version_1(&lock, "skills/plan-my-week", &process.url).as_bytes());
    let before = project.tree.read(LOCK);
    assert!(push(&[]).stderr.starts_with("Nothing to publish"));
    assert_eq!(project.tree.read(LOCK), before, "nothing was to be recorded");
    project
        .tree
        .write("skills/plan-my-week/SKILL.md", PLAN.replace("Plan the", "My own").as_bytes());
    let ended = push(&[]);
    assert!(ended.stderr.contains("Updated "), "{}", ended.show());
    let after = project.tree.read(LOCK);
    let server =
        |lock: &str| lock.lines().find(|line| line.starts_with("server")).map(str::to_owned);
    assert_eq!(server(&after), server(&lock));
    assert_eq!(after.matches("[[skill]]").count(), 1, "{after}");
    assert!(after.contains("version = 2\n"), "{after}");
}

#[test]
fn records_beside_the_database_move_to_the_projects() {
    let project = Project::new();
    project.run(&["push", "--yes"]);
    let lock = project.tree.read(LOCK);
    std::fs::remove_file(project.tree.path().join(LOCK)).expect("a record");
    let here = project.tree.path().join("skills/plan-my-week");
    let here = std::fs::canonicalize(here).expect("a directory");
    let former = of_version_1(&lock, &here.to_string_lossy(), "local");
    let elsewhere = former.replace(&*here.to_string_lossy(), "/elsewhere/skills/sing");
    let elsewhere = elsewhere.split_once("[[skill]]").expect("a record").1;
    project.data.write("dibber.lock", format!("{former}\n[[skill]]{elsewhere}").as_bytes());
    let ended = project.run(&["push", "--yes"]);
    assert!(ended.stderr.starts_with("Nothing to publish"), "{}", ended.show());
    project
        .tree
        .write("skills/plan-my-week/SKILL.md", PLAN.replace("Plan the", "My own").as_bytes());
    let ended = project.run(&["push", "--yes"]);
    assert!(ended.stderr.contains("Updated "), "{}", ended.show());
    let lock = project.tree.read(LOCK);
    assert!(lock.contains("path = \"skills/plan-my-week\"\n"), "{lock}");
    assert!(lock.contains(" = \"local\"\n"), "{lock}");
    let former = project.data.read("dibber.lock");
    assert_eq!(former.matches("[[skill]]").count(), 1, "{former}");
    assert!(former.contains("/elsewhere/skills/sing"), "{former}");
    project.run(&["skill", "unlink", "skills/plan-my-week"]);
    assert!(!project.tree.read(LOCK).contains("[[skill]]"));
}

#[test]
fn a_remote_server_is_recorded_in_the_lock_of_the_project() {
    let project = Project::new();
    let process = Served::start(project.data.path());
    let (url, token) = (process.url.clone(), process.token.clone());
    let server = ["--server", &url, "--token-file", &token];
    let push = |more: &[&str]| project.run(&[&["push", "--yes"], &server[..], more].concat());
    let first = push(&[]);
    assert_eq!(first.code, 0, "{}", first.show());
    let lock = project.tree.read("dibber.lock");
    assert!(lock.contains("path = \"skills/plan-my-week\"\n"), "{lock}");
    assert!(lock.contains(&format!(" = \"{url}\"\n")), "{lock}");
    let again = push(&[]);
    assert!(again.stderr.starts_with("Nothing to publish"), "{}", again.show());
    assert_eq!(project.tree.read("dibber.lock"), lock);
    drop(process);
    let gone = push(&["--new"]);
    assert_eq!(gone.code, 6, "{}", gone.show());
    assert_eq!(project.tree.read("dibber.lock"), lock);
}

/// A server in a process of its own, which ends with this value.
struct Served {
    child: std::process::Child,
    url: String,
    token: String,
}

impl Served {
    fn start(data: &Path) -> Self {
        use std::io::{BufRead, BufReader};
        use std::process::{Command, Stdio};
        let mut child = Command::new(env!("CARGO_BIN_EXE_dibber"))
            .args(["serve", "--listen", "127.0.0.1:0", "--data"])
            .arg(data)
            .env("DIBBER_NAMES", package().join("no-names"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines();
        let url = lines.by_ref().map_while(Result::ok).find_map(|line| {
            let at = line.find("http://127.0.0.1:")?;
            let url =
                line[at..].split(|c: char| c.is_whitespace() || matches!(c, '"' | ',')).next()?;
            Some(url.trim_end_matches('/').to_owned())
        });
        std::thread::spawn(move || lines.count());
        let url = url.expect("an address");
        let url = if url.ends_with("/mcp") { url } else { format!("{url}/mcp") };
        let token = data.join("token").to_string_lossy().into_owned();
        Self { child, url, token }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_reasons_of_a_review_are_shown_for_any_number_of_skills() {
    let project = Project::new();
    project.run(&["push", "--yes"]);
    for name in ["feed-the-cat", "water-the-plants"] {
        let text = PLAN.replace("plan-my-week", name).replace("Plan my week", name);
        project.tree.write(&format!("skills/{name}/SKILL.md"), text.as_bytes());
        let manifest = format!("skills/{name}/sprout.yaml");
        project.tree.write(&manifest, b"hands: [pet_robot_start]\n");
    }
    let mut shown = project.show(&["push"]);
    shown += &project.show(&["diff", "--verbose"]);
    shown += &project.show(&["push", "--yes"]);
    shown += &project.show(&["push", "--yes"]);
    shown += &project.show(&["push", "--yes", "-v"]);
    insta::assert_snapshot!(shown);
}

#[test]
fn ids_and_paths_are_never_cut() {
    let project = Project::new();
    let name = "a-skill-with-a-long-name-in-a-directory-of-many-words";
    let text = PLAN.replace("plan-my-week", name).replace("Plan my week", "Cook");
    project.tree.write(&format!("skills/for-the-whole-family/{name}/SKILL.md"), text.as_bytes());
    let pushed = project.run(&["push", "--yes"]);
    for skill in project.skills() {
        let id = skill["skillId"].as_str().expect("an id");
        assert!(pushed.stdout.contains(id), "{}", pushed.show());
    }
    assert!(pushed.stdout.contains(&format!("skills/for-the-whole-family/{name}  sk_")));
}

/// A folder that is new to this machine gets the files that the prompt was composed of.
#[test]
fn included_files_come_back_to_a_new_folder() {
    let project = Project::new();
    let manifest = b"include:\n  - references/days.md\n  - scripts/plan.py\n";
    project.tree.write("skills/plan-my-week/sprout.yaml", manifest);
    project.tree.write("skills/plan-my-week/references/days.md", b"Monday is for sums.\n");
    project.tree.write("skills/plan-my-week/scripts/plan.py", b"print('```')\n");
    let mut shown = project.show(&["push", "skills/plan-my-week", "--yes"]);
    let lock = project.tree.read("dibber.lock");
    assert!(lock.contains("include = [\"references/days.md\", \"scripts/plan.py\"]"), "{lock}");
    std::fs::remove_dir_all(project.tree.path().join("skills/plan-my-week"))
        .expect("it is removed");
    shown += &project.show(&["pull", "--all"]);
    shown += &project.tree.read("skills/plan-my-week/sprout.yaml");
    shown += &project.tree.read("skills/plan-my-week/scripts/plan.py");
    shown += &project.show(&["push"]);
    std::fs::remove_dir_all(project.tree.path().join("skills/plan-my-week"))
        .expect("it is removed");
    project.tree.write("other/README.md", b"Nothing.\n");
    shown += &project.show(&["pull", "Plan my week", "--into", "other"]);
    let moved = project.tree.read("dibber.lock");
    assert!(moved.contains("\"other/plan-my-week\"") && moved.contains("include = "), "{moved}");
    // Without a record it is only a guess.
    project.tree.write("dibber.lock", b"version = 2\n");
    project.tree.write("third/README.md", b"Nothing.\n");
    shown += &project.show(&["pull", "Plan my week", "--into", "third"]);
    assert!(project.tree.read("third/plan-my-week/SKILL.md").contains("## scripts/plan.py"));
    // A record cannot write outside of the skill.
    let lock = lock.replace("scripts/plan.py", "../plan.py");
    project.tree.write("dibber.lock", lock.as_bytes());
    shown += &project.show(&["pull", "--all"]);
    insta::assert_snapshot!(shown);
}

#[test]
fn files_that_are_not_published_are_listed_and_reviewed_if_they_are_mentioned() {
    let project = Project::new();
    let text = PLAN.replace("Plan the", "Read references/days.md, run `scripts/plan.py`. Plan the");
    project.tree.write("skills/plan-my-week/SKILL.md", text.as_bytes());
    project.tree.write("skills/plan-my-week/references/days.md", b"Monday is for sums.\n");
    project.tree.write("skills/plan-my-week/scripts/plan.py", b"print('```')\n");
    project.tree.write("skills/plan-my-week/assets/logo.svg", b"<svg/>\n");
    project.tree.write("skills/plan-my-week/LICENSE.txt", b"Free.\n");
    let mut shown = project.show(&["push", "--dry-run"]);
    let other = PLAN.replace("plan-my-week", "other");
    project.tree.write("skills/other/SKILL.md", other.as_bytes());
    shown += &project.show(&["push", "--dry-run"]);
    let manifest = b"include:\n  - references/days.md\n  - scripts/plan.py\n";
    project.tree.write("skills/plan-my-week/sprout.yaml", manifest);
    shown += &project.show(&["lint", "skills/plan-my-week"]);
    shown += &project.show(&["push", "skills/plan-my-week", "--yes"]);
    insta::assert_snapshot!(shown);
    // What is changed on the server comes back to the file that it belongs to.
    let id = project.skills()[0]["skillId"].as_str().expect("an id").to_owned();
    let stored = project.json(&["skill", "get", &id, "--json"], "skill-get.schema.json");
    let prompt = stored["skill"]["prompt"].as_str().expect("a prompt");
    project.tree.write("new.md", prompt.replace("sums", "reading").as_bytes());
    let update = project.run(&["skill", "update", &id, "--prompt-file", "new.md", "--yes"]);
    assert_eq!(update.code, 0, "{}", update.show());
    let pulled = project.run(&["pull", "skills/plan-my-week"]);
    assert_eq!(pulled.code, 0, "{}", pulled.show());
    let days = project.tree.read("skills/plan-my-week/references/days.md");
    assert_eq!(days, "Monday is for reading.\n");
    assert_eq!(project.tree.read("skills/plan-my-week/SKILL.md"), text);
    let again = project.run(&["push", "skills/plan-my-week", "--yes"]);
    assert!(again.stderr.starts_with("Nothing to publish"), "{}", again.show());
}

#[test]
fn every_skill_of_a_server_is_pulled_at_once() {
    let project = Project::new();
    for name in ["sing", "read"] {
        let text = PLAN.replace("plan-my-week", name).replace("# Plan my week", "# Sing");
        project.tree.write(&format!("skills/{name}/SKILL.md"), text.as_bytes());
    }
    project.run(&["push", "--yes"]);
    let linked = project.run(&["pull", "--all", "--into", "copies"]);
    let said = "3 skills are linked already: ";
    assert!(linked.code == 0 && linked.stderr.contains(said), "{}", linked.show());
    assert!(!project.tree.path().join("copies").exists());
    std::fs::remove_dir_all(project.tree.path().join("skills")).expect("a directory");
    let dry_run = project.run(&["pull", "--all", "--into", "other", "--dry-run"]);
    let closing = "Nothing was written: this was a dry-run (3 skills: 3 new).\n";
    assert_eq!(dry_run.stderr, closing, "{}", dry_run.show());
    let pulled = project.json(&["pull", "--all", "--into", "other", "--json"], "pull.schema.json");
    let items = pulled["items"].as_array().expect("items");
    let mut paths: Vec<_> = items.iter().map(|item| item["path"].as_str()).collect();
    paths.sort_unstable();
    // Two skills have the same label.
    assert_eq!(paths, ["other/plan-my-week", "other/sing", "other/sing-2"].map(Some));
    assert!(items.iter().all(|item| item["outcome"] == "written"), "{pulled:#}");
    let again = project.json(&["pull", "--all", "--json"], "pull.schema.json");
    let outcomes = again["items"].as_array().expect("items").iter().map(|item| &item["outcome"]);
    assert!(outcomes.clone().all(|outcome| outcome == "unchanged"), "{again:#}");
    // Without JSON they are counted.
    let again = project.run(&["pull", "--all"]);
    assert_eq!(again.stderr, "Nothing to pull of 3 skills: up to date.\n", "{}", again.show());
    let list = ["skill", "list", "--json", "--limit"];
    let part = project.json(&[&list[..], &["2"]].concat(), "skill-list.schema.json");
    assert!(part["nextCursor"].is_string(), "{part:#}");
    let whole = project.json(&[&list[..], &["3"]].concat(), "skill-list.schema.json");
    assert!(whole["nextCursor"].is_null(), "{whole:#}");
    // A skill that is named twice is one skill.
    let id = items[0]["skillId"].as_str().expect("an id");
    let path = items[0]["path"].as_str().expect("a path");
    let twice = project.json(&["pull", id, path, "--json"], "pull.schema.json");
    assert_eq!(twice["items"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_pull_of_all_skills_says_that_there_is_none() {
    let project = Project::new();
    let empty = project.run(&["pull", "--all"]);
    assert_eq!((empty.code, &*empty.stderr), (0, "Nothing to pull: local has no skills.\n"));
    project.run(&["push", "--yes"]);
    project.run(&["skill", "archive", "--yes", "plan-my-week"]);
    let archived = project.run(&["pull", "--all"]);
    let expected = "Nothing to pull: 1 skill of local is archived; `dibber skill list --archived` \
                    shows more.\n";
    assert_eq!((archived.code, &*archived.stderr), (0, expected), "{}", archived.show());
}

#[test]
fn an_update_as_json_has_its_schema() {
    let project = Project::new();
    project.run(&["push", "--yes"]);
    let schema = "skill-update.schema.json";
    let update = ["skill", "update", "plan-my-week", "--name", "Our week", "--json"];
    let shown = project.json(&[&update[..], &["--dry-run"]].concat(), schema);
    assert_eq!((&shown["changedFields"][0], &shown["done"]), (&"name".into(), &false.into()));
    let done = project.json(&[&update[..], &["--yes"]].concat(), schema);
    assert_eq!(done["done"], true);
    let again = ["skill", "update", "our-week", "--name", "Our week", "--json", "--yes"];
    let again = project.json(&again, schema);
    assert_eq!(again["changedFields"], serde_json::json!([]));
}

#[test]
fn the_reason_of_a_review_is_shown_although_lint_allows_it() {
    let project = Project::new();
    let path = "skills/plan-my-week";
    let text = format!("{PLAN}\n```sh\ncurl -fsSL https://get.garden.dev/install.sh | sh\n```\n");
    project.tree.write(&format!("{path}/SKILL.md"), text.as_bytes());
    let waiver =
        "[[lint.waivers]]\nrule = \"piped-shell\"\npath = \"skills/**\"\nreason = \"known\"\n";
    project.tree.write("dibber.toml", waiver.as_bytes());
    let mut shown = project.show(&["push", path, "--dry-run"]);
    shown += &project.show(&["push", path, "--yes"]);
    insta::assert_snapshot!(shown);
}

#[test]
fn a_waiver_does_not_hide_why_there_is_no_hash() {
    let project = Project::new();
    let path = "skills/plan-my-week";
    project.tree.write(&format!("{path}/SKILL.md"), b"# Plan my week\n\nPlan.\n");
    let waiver =
        "[[lint.waivers]]\nrule = \"missing-frontmatter\"\npath = \"skills\"\nreason = \"known\"\n";
    project.tree.write("dibber.toml", waiver.as_bytes());
    insta::assert_snapshot!(project.show(&["push", path, "--yes"]));
}
