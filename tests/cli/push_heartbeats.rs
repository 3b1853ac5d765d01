//! The heartbeats of a push: made, changed and cancelled together with their skill.

use serde_json::{Value, json};

use crate::support::Tree;
use crate::support::command::{Dibber, Ended};
use crate::support::server_process::Serving;
use crate::support::{package, timeless};

/// A skill with two heartbeats.
const SKILL: &str = "\
-- dibber.toml --
-- day-plan/SKILL.md --
---
name: day-plan
description: Plans the day of the family from its calendar. Use when a parent asks what is on.
---

# The plan of the day

Read the events of {{input.today}} for {{input.whom}} and write a short plan of them.
-- day-plan/sprout.yaml --
label: The plan of the day
summary: Plans the day of the family
inputs:
  - name: today
  - name: whom
    required: false
heartbeats:
  - name: Before school
    cron: \"0 7 * * 1-5\"
    input:
      today: \"{{fireDate}}\"
  - name: Sundays
    cron: \"0 9 * * 0\"
    tz: Europe/Berlin
    input:
      today: \"{{fireDate}}\"
    postResultNotify: true
";

/// A directory of skills, and a database.
pub(super) struct Project {
    pub(super) tree: Tree,
    pub(super) data: Tree,
}

impl Project {
    pub(super) fn new() -> Self {
        Self { tree: Tree::from_archive(SKILL, false), data: Tree::new() }
    }

    pub(super) fn run(&self, arguments: &[&str]) -> Ended {
        let dibber = Dibber::new(arguments).in_directory(self.tree.path()).data(self.data.path());
        dibber.env("COLUMNS", "80").run()
    }

    /// The output of several runs, without ids and times.
    pub(super) fn show(&self, runs: &[&[&str]]) -> String {
        let shown = runs.iter().map(|run| {
            let ended = timeless(&self.run(run).show());
            format!("$ dibber {}\n{ended}\n", run.join(" "))
        });
        shown.collect()
    }

    pub(super) fn json(&self, arguments: &[&str]) -> Value {
        let ended = self.run(&[arguments, &["--json"]].concat());
        serde_json::from_str(&ended.stdout).unwrap_or_else(|_| panic!("{}", ended.show()))
    }

    /// The skill whose directory is gone, in the JSON of a push.
    fn gone(&self, arguments: &[&str]) -> Value {
        self.json(arguments)["gone"][0].clone()
    }

    /// The name and the schedule of each heartbeat of the server.
    pub(super) fn listed(&self) -> Vec<String> {
        let listed = self.json(&["heartbeat", "list"]);
        let items = listed["items"].as_array().expect("a list").iter();
        let mut listed: Vec<_> = items
            .map(|item| {
                let text = |name: &str| item[name].as_str().expect("a string").to_owned();
                format!("{}: {} {}", text("name"), text("cron"), text("tz"))
            })
            .collect();
        listed.sort();
        listed
    }

    pub(super) fn change(&self, from: &str, to: &str) {
        let path = "day-plan/sprout.yaml";
        let text = self.tree.read(path);
        assert!(text.contains(from), "{text}");
        self.tree.write(path, text.replace(from, to).as_bytes());
    }
}

pub(super) const PUSH: [&str; 2] = ["push", "--yes"];

#[test]
fn heartbeats_are_made_with_their_skill() {
    let project = Project::new();
    insta::assert_snapshot!(project.show(&[&["push", "--dry-run"], &PUSH, &PUSH, &["diff"]]));
    assert_eq!(
        project.listed(),
        ["Before school: 0 7 * * 1-5 America/New_York", "Sundays: 0 9 * * 0 Europe/Berlin"]
    );
}

#[test]
fn heartbeats_are_changed_and_cancelled_with_their_skill() {
    let project = Project::new();
    project.run(&PUSH);
    project.change("0 7 * * 1-5", "30 6 * * 1-5");
    project.change(
        "- name: Sundays\n    cron: \"0 9 * * 0\"",
        "- name: Saturdays\n    cron: \"0 9 * * 6\"",
    );
    let preview = project.show(&[&["diff", "--exit-code"], &PUSH, &PUSH]);
    insta::assert_snapshot!(preview);
    assert_eq!(
        project.listed(),
        ["Before school: 30 6 * * 1-5 America/New_York", "Saturdays: 0 9 * * 6 Europe/Berlin"]
    );
}

#[test]
fn another_name_or_zone_changes_the_same_heartbeat_and_other_inputs_replace_it() {
    let project = Project::new();
    project.run(&PUSH);
    let ids = || {
        let listed = project.json(&["heartbeat", "list"]);
        let items = listed["items"].as_array().expect("a list").iter();
        items.map(|item| item["heartbeatId"].to_string()).collect::<Vec<_>>()
    };
    let before = ids();
    project.change("name: Sundays", "name: On Sunday");
    project.run(&PUSH);
    project.change("Europe/Berlin", "Europe/Paris");
    project.run(&PUSH);
    assert_eq!(ids(), before);
    project.change("postResultNotify: true", "postResultNotify: false");
    insta::assert_snapshot!(project.show(&[&PUSH]));
    assert_ne!(ids(), before);
    assert_eq!(ids().len(), 2);
}

#[test]
fn what_runs_of_missed_times_is_published_changed_and_compared() {
    let project = Project::new();
    let missed = || {
        let listed = project.json(&["heartbeat", "list"]);
        let items = listed["items"].as_array().expect("a list").iter();
        let sunday = items.clone().find(|item| item["name"] == "Sundays").expect("a heartbeat");
        (sunday["heartbeatId"].clone(), sunday["missedFires"].clone())
    };
    project.change("postResultNotify: true", "postResultNotify: true\n    missedFires: skip");
    insta::assert_snapshot!(project.show(&[&["push", "--dry-run"], &PUSH, &PUSH]));
    let (id, word) = missed();
    assert_eq!(word, "skip");
    project.change("missedFires: skip", "missedFires: all");
    insta::assert_snapshot!(project.show(&[&["diff"], &PUSH, &PUSH]));
    assert_eq!(missed(), (id.clone(), "all".into()));
    project.change("    missedFires: all\n", "");
    assert_eq!(project.run(&PUSH).code, 0);
    assert_eq!(missed(), (id, "once".into()));
}

#[test]
fn what_another_person_has_changed_stops_a_push() {
    let project = Project::new();
    project.run(&PUSH);
    let edit = ["heartbeat", "edit", "Sundays", "--cron", "0 8 * * 0", "--yes"];
    assert_eq!(project.run(&edit).code, 0);
    project.change("0 9 * * 0", "0 10 * * 0");
    insta::assert_snapshot!(project.show(&[
        &PUSH,
        &["heartbeat", "create", "day-plan", "--yes"],
        &["push", "--yes", "--force"],
        &PUSH,
    ]));
}

#[test]
fn the_json_of_a_push_names_what_it_undoes() {
    let project = Project::new();
    project.run(&PUSH);
    let undoes = |project: &Project| {
        let push = project.json(&["push", "--dry-run", "--force"]);
        let path = package().join("schemas/push.schema.json");
        let schema = std::fs::read_to_string(path).expect("a schema");
        let schema: Value = serde_json::from_str(&schema).expect("JSON");
        assert!(jsonschema::is_valid(&schema, &push), "{push:#}");
        let heartbeats = push["items"][0]["heartbeats"].as_array().expect("a list").clone();
        heartbeats.into_iter().map(|it| (it["name"].clone(), it["undoes"].clone())).collect()
    };
    let edit = ["heartbeat", "edit", "Sundays", "--cron", "0 8 * * 0", "--yes"];
    assert_eq!(project.run(&edit).code, 0);
    let elsewhere = Tree::new();
    let cancel = Dibber::new(["heartbeat", "cancel", "Before school", "--yes"]);
    let cancelled = cancel.in_directory(elsewhere.path()).data(project.data.path()).run();
    assert_eq!(cancelled.code, 0, "{}", cancelled.show());
    project.change("0 9 * * 0", "0 10 * * 0");
    let found: Vec<(Value, Value)> = undoes(&project);
    let expected = [("Before school", json!(["cancelled"])), ("Sundays", json!(["schedule"]))];
    assert_eq!(json!(found), json!(expected));
}

#[test]
fn a_heartbeat_that_was_cancelled_by_name_is_removed_by_a_pull_or_forgotten() {
    let recorded = |project: &Project| project.tree.read("dibber.lock").contains("Sundays");
    let cancel = ["heartbeat", "cancel", "Sundays", "--yes"];
    let project = Project::new();
    for arguments in [&PUSH[..], &cancel] {
        let ended = project.run(arguments);
        assert_eq!((ended.code, recorded(&project)), (0, true), "{}", ended.show());
    }
    let pushed = project.run(&PUSH);
    assert_eq!((pushed.code, project.listed().len()), (3, 1), "{}", pushed.show());
    assert!(recorded(&project));
    let pulled = project.run(&["pull", "day-plan"]);
    assert_eq!((pulled.code, recorded(&project)), (0, false), "{}", pulled.show());
    assert!(!project.tree.read("day-plan/sprout.yaml").contains("Sundays"));
    let pushed = project.run(&PUSH);
    assert_eq!((pushed.code, project.listed().len()), (0, 1), "{}", pushed.show());
    // One that is removed from the file by hand.
    let project = Project::new();
    project.run(&PUSH);
    let manifest = project.tree.read("day-plan/sprout.yaml");
    assert_eq!(project.run(&cancel).code, 0);
    let (without, _) = manifest.split_once("  - name: Sundays").expect("a heartbeat");
    project.tree.write("day-plan/sprout.yaml", without.as_bytes());
    let pushed = project.run(&["push", "--yes", "--json"]);
    assert_eq!((pushed.code, recorded(&project)), (0, false), "{}", pushed.show());
    assert!(!pushed.stdout.contains("Sundays"), "{}", pushed.show());
    // It can be made again, as a new one.
    project.tree.write("day-plan/sprout.yaml", manifest.as_bytes());
    let pushed = project.run(&PUSH);
    assert_eq!((pushed.code, project.listed().len()), (0, 2), "{}", pushed.show());
}

#[test]
fn a_push_without_heartbeats_leaves_them() {
    let project = Project::new();
    let skip = ["push", "--yes", "--no-heartbeats"];
    insta::assert_snapshot!(project.show(&[&skip]));
    assert_eq!(project.listed(), [""; 0]);
    project.run(&PUSH);
    project.change("0 9 * * 0", "0 10 * * 0");
    project.run(&skip);
    assert_eq!(project.listed()[1], "Sundays: 0 9 * * 0 Europe/Berlin");
}

#[test]
fn heartbeats_run_on_though_their_folder_is_pulled_without_them() {
    let project = Project::new();
    project.run(&PUSH);
    let before = project.listed();
    std::fs::remove_dir_all(project.tree.path().join("day-plan")).expect("a directory");
    let pull = ["pull", "./day-plan"];
    insta::assert_snapshot!(project.show(&[&["pull", "./day-plan", "--dry-run"], &pull, &PUSH]));
    assert_eq!(project.listed(), before);
    let (_, manifest) = SKILL.split_once("-- day-plan/sprout.yaml --\n").expect("a manifest");
    project.tree.write("day-plan/sprout.yaml", manifest.as_bytes());
    let pushed = project.run(&PUSH);
    assert!(pushed.stderr.contains("2 heartbeats are up to date"), "{}", pushed.show());
    assert_eq!(project.listed(), before);
}

#[test]
fn heartbeats_run_on_though_their_skill_is_pulled_into_another_folder() {
    let project = Project::new();
    project.run(&PUSH);
    let before = project.listed();
    std::fs::remove_dir_all(project.tree.path().join("day-plan")).expect("a directory");
    std::fs::create_dir(project.tree.path().join("all")).expect("a directory");
    assert_eq!(project.run(&["pull", "--all", "--into", "all"]).code, 0);
    assert_eq!(project.run(&PUSH).code, 0);
    assert_eq!(project.listed(), before);
}

#[test]
fn a_skill_that_is_not_published_keeps_its_heartbeats() {
    let project = Project::new();
    project.run(&PUSH);
    let before = project.listed();
    project.change("0 9 * * 0", "0 10 * * 0");
    project.change("label: The plan of the day", "label: \"\"");
    assert_ne!(project.run(&PUSH).code, 0);
    assert_eq!(project.listed(), before);
}

#[test]
fn heartbeats_of_a_skill_that_the_server_fails_to_store_are_named() {
    let project = Project::new();
    // It approves the preview alone.
    let check = "[ -e previewed ] && exit 1\n: > previewed\necho '{\"decision\": \"approve\"}'\n";
    project.data.write("check.sh", check.as_bytes());
    project.data.write("dibber.toml", b"[safety]\ncommand = [\"sh\", \"check.sh\"]\n");
    let pushed = project.run(&[&PUSH[..], &["--json"]].concat());
    assert_ne!(pushed.code, 0, "{}", pushed.show());
    for name in ["Before school", "Sundays"] {
        let skipped = format!("`{name}` was not sent: its skill was not published");
        assert!(pushed.stderr.contains(&skipped), "{}", pushed.show());
    }
    let document: Value = serde_json::from_str(&pushed.stdout).expect("JSON");
    for heartbeat in document["items"][0]["heartbeats"].as_array().expect("a list") {
        assert_eq!(heartbeat["outcome"], "skipped", "{}", pushed.show());
        assert_eq!(
            heartbeat["error"]["message"],
            "the heartbeat was not sent: its skill was not published",
            "{}",
            pushed.show()
        );
    }
    assert_eq!(project.listed(), [""; 0]);
}

#[test]
fn a_warning_about_a_heartbeat_of_a_new_skill_is_read_before_it_is_made() {
    let project = Project::new();
    let other = ["heartbeat", "create", "Tea", "--cron", "0 7 * * 1-5", "--skill", "tea", "--yes"];
    project.tree.write(
        "tea/SKILL.md",
        b"---\nname: tea\ndescription: Makes the tea of the day. Use when a parent asks for \
          tea.\n---\n\n# Tea\n\nSay how the tea is made.\n",
    );
    assert_eq!(project.run(&["push", "--yes", "tea"]).code, 0);
    assert_eq!(project.run(&other).code, 0);
    let push = ["push", "--yes", "day-plan"];
    insta::assert_snapshot!(project.show(&[&push, &push]));
    assert_eq!(project.listed().len(), 3);
}

/// Both would run: the new one may be the other under another name.
#[test]
fn a_new_heartbeat_waits_for_one_that_was_removed_here_and_changed_on_the_server() {
    let project = Project::new();
    project.run(&PUSH);
    let edit = ["heartbeat", "edit", "Sundays", "--name", "Uno", "--yes"];
    assert_eq!(project.run(&edit).code, 0);
    project.change("name: Sundays\n    cron: \"0 9", "name: Eins\n    cron: \"0 21");
    insta::assert_snapshot!(project.show(&[&PUSH]));
    assert_eq!(project.listed().len(), 2);
    assert_eq!(project.run(&["push", "--yes", "--force"]).code, 0);
    assert_eq!(project.listed().len(), 2);
}

#[test]
fn two_heartbeats_of_one_name_are_not_published() {
    let project = Project::new();
    project.change("name: Sundays", "name: before  School");
    insta::assert_snapshot!(project.show(&[&PUSH]));
    assert_eq!(project.listed(), [""; 0]);
}

#[test]
fn a_skill_is_archived_though_its_heartbeats_are_cancelled_already() {
    let project = Project::new();
    project.run(&PUSH);
    let elsewhere = Tree::new();
    let cancel = ["heartbeat", "cancel", "Sundays", "--yes"];
    let cancel = Dibber::new(cancel).in_directory(elsewhere.path()).data(project.data.path());
    assert_eq!(cancel.run().code, 0);
    std::fs::remove_dir_all(project.tree.path().join("day-plan")).expect("a directory");
    insta::assert_snapshot!(project.show(&[&["push", "--yes", "--prune"]]));
    assert_eq!(project.listed(), [""; 0]);
    assert!(!project.tree.read("dibber.lock").contains("[[skill]]"));
}

#[test]
fn records_of_what_the_server_does_not_have_are_removed() {
    let project = Project::new();
    project.run(&PUSH);
    let lock = project.tree.read("dibber.lock");
    let lock = lock.replace("\"sk_", "\"sk_0").replace("\"hb_", "\"hb_0");
    project.tree.write("dibber.lock", lock.as_bytes());
    std::fs::remove_dir_all(project.tree.path().join("day-plan")).expect("a directory");
    let ended = project.run(&["push", "--yes", "--prune"]);
    assert_eq!(ended.code, 0, "{}", ended.show());
    assert_eq!(project.listed().len(), 2);
    assert!(!project.tree.read("dibber.lock").contains("[[skill]]"));
}

#[test]
fn json_has_the_heartbeats() {
    let project = Project::new();
    let path = package().join("schemas/push.schema.json");
    let schema = std::fs::read_to_string(path).expect("a file");
    let schema: Value = serde_json::from_str(&schema).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let outcomes = |run: &[&str]| {
        let json = project.json(run);
        let errors: Vec<_> = validator.iter_errors(&json).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:#?}\n{json:#}");
        let heartbeats = json["items"][0]["heartbeats"].as_array().expect("a list").iter();
        heartbeats.map(|it| it["outcome"].as_str().expect("a word").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(outcomes(&["push", "--dry-run"]), ["new", "new"]);
    assert_eq!(outcomes(&PUSH), ["created", "created"]);
    assert_eq!(outcomes(&PUSH), ["unchanged", "unchanged"]);
    project.change("0 7 * * 1-5", "30 6 * * 1-5");
    project.change(
        "- name: Sundays\n    cron: \"0 9 * * 0\"",
        "- name: Saturdays\n    cron: \"0 9 * * 6\"",
    );
    assert_eq!(outcomes(&["diff"]), ["differs", "new", "removed"]);
    assert_eq!(outcomes(&PUSH), ["edited", "created", "cancelled"]);
    assert_eq!(outcomes(&["push", "--yes", "--no-heartbeats"]), [""; 0]);
}

#[test]
fn a_schedule_in_words_is_published_as_five_fields() {
    let project = Project::new();
    let words = project.tree.read("day-plan/sprout.yaml");
    let words = words.replace("\"0 7 * * 1-5\"", "weekdays at 7:30am Paris time");
    project.tree.write("day-plan/sprout.yaml", words.as_bytes());
    insta::assert_snapshot!(project.show(&[&["dry-run", "day-plan"], &["push", "--yes"]]));
    let listed = project.run(&["heartbeat", "list", "--json"]);
    let listed: Value = serde_json::from_str(&listed.stdout).expect("JSON");
    let items = listed["items"].as_array().expect("a list");
    let is_story = |item: &&Value| item["name"] == "Before school";
    let item = items.iter().find(is_story).expect("the heartbeat");
    assert_eq!(item["cron"], "30 7 * * 1-5", "{listed:#}");
    // The same schedule in five fields is no change.
    let fields =
        words.replace("weekdays at 7:30am Paris time", "30 7 * * 1-5\n    tz: Europe/Paris");
    project.tree.write("day-plan/sprout.yaml", fields.as_bytes());
    insta::assert_snapshot!(project.show(&[&["push", "--yes"]]));
}

/// Publishes the skill, and removes its directory.
fn gone() -> Project {
    let project = Project::new();
    assert_eq!(project.run(&PUSH).code, 0);
    std::fs::remove_dir_all(project.tree.path().join("day-plan")).expect("a directory");
    project
}

const PRUNE: [&str; 3] = ["push", "--yes", "--prune"];

#[test]
fn a_prune_names_the_heartbeats_that_it_cancels() {
    let project = gone();
    let dry_run = ["push", "--prune", "--dry-run"];
    let planned = project.gone(&dry_run);
    assert_eq!(planned["action"], "archive");
    assert_eq!(planned["heartbeats"][1]["cadenceText"], "Every Sunday at 9am Berlin time");
    assert_eq!(planned["heartbeats"][1]["outcome"], "removed");
    insta::assert_snapshot!(project.show(&[&dry_run, &PRUNE, &PRUNE]));
    assert_eq!(project.listed(), [""; 0]);
    assert!(!project.tree.read("dibber.lock").contains("hb_"));
}

#[test]
fn json_has_what_a_prune_has_cancelled() {
    let project = gone();
    let done = project.gone(&PRUNE);
    assert_eq!(done["done"], true, "{done:#}");
    let outcomes = done["heartbeats"].as_array().expect("a list").iter();
    assert_eq!(outcomes.map(|it| &it["outcome"]).collect::<Vec<_>>(), ["cancelled", "cancelled"]);
}

#[test]
fn a_heartbeat_that_was_changed_on_the_server_is_not_cancelled_unseen() {
    let project = gone();
    let elsewhere = Tree::new();
    let edit = ["heartbeat", "edit", "Sundays", "--cron", "44 5 * * *", "--yes"];
    let edit = Dibber::new(edit).in_directory(elsewhere.path()).data(project.data.path());
    assert_eq!(edit.run().code, 0);
    let dry_run = ["push", "--prune", "--dry-run"];
    assert_eq!(project.gone(&dry_run)["action"], "stop");
    let mut shown = project.show(&[&dry_run, &PRUNE]);
    assert_eq!(project.listed().len(), 2);
    shown += &project.show(&[&["push", "--yes", "--prune", "--force"]]);
    insta::assert_snapshot!(shown);
    assert_eq!(project.listed(), [""; 0]);
}

#[test]
fn a_skill_that_another_heartbeat_runs_is_not_archived() {
    let project = gone();
    let other = ["heartbeat", "create", "Tea", "--cron", "0 17 * * *", "--skill"];
    let inputs = ["The plan of the day", "--input", "today={{fireDate}}", "--input", "whom=us"];
    let made = project.run(&[&other[..], &inputs, &["--yes"]].concat());
    assert_eq!(made.code, 0, "{}", made.show());
    let dry_run = ["push", "--prune", "--dry-run"];
    insta::assert_snapshot!(project.show(&[&dry_run, &PRUNE, &["push", "--prune", "--force"]]));
    assert_eq!(project.listed().len(), 3);
    assert_eq!(project.tree.read("dibber.lock").matches("hb_").count(), 2);
    assert_eq!(project.run(&["heartbeat", "cancel", "Tea", "--yes"]).code, 0);
    assert_eq!(project.run(&PRUNE).code, 0);
    assert_eq!(project.listed(), [""; 0]);
}

#[test]
fn a_prune_without_heartbeats_does_not_cancel_them() {
    let project = gone();
    let ended = project.run(&["push", "--yes", "--prune", "--no-heartbeats"]);
    assert_eq!(ended.code, 3, "{}", ended.show());
    assert_eq!(project.listed().len(), 2);
}

/// A skill without its heartbeats would be half of what was asked for.
#[test]
fn a_token_without_heartbeats_publishes_nothing() {
    let server = Serving::start();
    let tree = Tree::from_archive(SKILL, false);
    let url = format!("http://{}/mcp", server.address);
    for scopes in [&["skill:write"][..], &["skill:write", "heartbeat:read"]] {
        let token = tree.path().join(format!("token-{}", scopes.len()));
        let token = token.to_string_lossy();
        let scopes = scopes.iter().flat_map(|scope| ["--scope", scope]);
        let issue = Dibber::new(["family", "token", "--output", &token]).data(&server.data);
        let issued = issue.arguments(&scopes.collect::<Vec<_>>()).run();
        assert_eq!(issued.code, 0, "{}", issued.show());
        let run = |arguments: &[&str]| {
            let dibber = Dibber::new(arguments).in_directory(tree.path());
            dibber.arguments(&["--server", &url, "--token-file", &token]).run()
        };
        let planned = run(&["push", "day-plan", "--dry-run"]);
        assert_eq!(planned.code, 4, "{}", planned.show());
        assert!(planned.stdout.contains("day-plan"), "{}", planned.show());
        assert!(planned.stderr.contains("the scope `heartbeat:"), "{}", planned.show());
        let refused = run(&["push", "day-plan", "--yes"]);
        assert_eq!(refused.code, 4, "{}", refused.show());
        let help = "nothing was published; `--no-heartbeats` publishes the skills alone";
        assert!(refused.stderr.contains(help), "{}", refused.show());
        assert!(refused.stderr.contains("`dibber family token "), "{}", refused.show());
        assert!(!run(&["skill", "list"]).stdout.contains("The plan of the day"));
    }
}
