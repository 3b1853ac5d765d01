//! The heartbeats that a server keeps: `dibber heartbeat create` and what follows it.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::command::{Dibber, Ended};
use crate::support::{Tree, package, timeless};

/// A skill with two heartbeats.
const SKILL: &str = "\
-- day-plan/SKILL.md --
---
name: day-plan
description: Plans the day of the family from its calendar. Use when a parent asks what is on.
---

# The plan of the day

Read the events of {{input.today}} and write a short plan of them, in plain words.
-- day-plan/sprout.yaml --
label: The plan of the day
summary: Plans the day of the family
inputs:
  - name: today
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
-- at-home/SKILL.md --
---
name: at-home
description: Looks at the cameras of the project. Use when a parent asks whether the doors are shut.
---

# At home

Look at each door and say whether it is shut.
-- at-home/sprout.yaml --
category: home_agent
";

/// A directory of skills, and a database that knows them.
struct Project {
    tree: Tree,
    data: TempDir,
}

impl Project {
    fn new() -> Self {
        let project = Self {
            tree: Tree::from_archive(SKILL, false),
            data: TempDir::new().expect("a temporary directory"),
        };
        for skill in ["day-plan", "at-home"] {
            let pushed = project.dibber(&["push", skill, "--yes", "--no-heartbeats"]);
            assert_eq!(pushed.code, 0, "{}", pushed.show());
        }
        project
    }

    fn dibber(&self, arguments: &[&str]) -> Ended {
        let dibber = Dibber::new(arguments).in_directory(self.tree.path()).data(self.data.path());
        dibber.env("COLUMNS", "80").run()
    }

    fn run(&self, arguments: &[&str]) -> Ended {
        self.dibber(&[&["heartbeat"], arguments].concat())
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let ended = self.run(&[arguments, &["--json"]].concat());
        serde_json::from_str(&ended.stdout).unwrap_or_else(|_| panic!("{}", ended.show()))
    }

    /// The output of several runs, without ids and times.
    fn show(&self, runs: &[&[&str]]) -> String {
        let shown = runs.iter().map(|run| {
            let ended = timeless(&self.run(run).show());
            format!("$ dibber heartbeat {}\n{ended}\n", run.join(" "))
        });
        shown.collect()
    }

    fn change(&self, path: &str, from: &str, to: &str) {
        let text = self.tree.read(path);
        assert!(text.contains(from), "{text}");
        self.tree.write(path, text.replace(from, to).as_bytes());
    }
}

#[test]
fn heartbeats_of_a_skill_are_created_once() {
    let project = Project::new();
    let create = ["create", "day-plan", "--yes"];
    insta::assert_snapshot!(project.show(&[
        &["describe", "day-plan"],
        &["list"],
        &create,
        &create
    ]));
    assert_eq!(project.json(&["list"])["items"].as_array().map(Vec::len), Some(2));
    project.change("day-plan/sprout.yaml", "0 7 ", "30 7 ");
    insta::assert_snapshot!(project.show(&[&create, &create, &["list"]]));
    assert_eq!(project.json(&["list"])["items"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_cancelled_heartbeat_is_created_again() {
    let project = Project::new();
    // sprout.yaml still has the one that was cancelled.
    let create = ["create", "day-plan", "--only", "Sundays", "--force"];
    let ids: Vec<String> = (0..2)
        .map(|_| {
            let made = project.json(&[&create[..], &["--yes"]].concat());
            assert_eq!(made["items"][0]["outcome"], "created");
            let id = made["items"][0]["heartbeatId"].as_str().expect("an id").to_owned();
            assert_eq!(project.run(&["cancel", &id, "--yes"]).code, 0);
            id
        })
        .collect();
    assert_ne!(ids[0], ids[1]);
}

#[test]
fn a_heartbeat_of_options() {
    let project = Project::new();
    let create: &[&str] = &[
        "create",
        "Pack the bag",
        "--cron",
        "30 18 * * 0-4",
        "--tz",
        "Europe/London",
        "--skill",
        "The plan of the day",
        "--input",
        "today={{fireDate}}",
        "--post-result",
        "--yes",
    ];
    insta::assert_snapshot!(project.show(&[
        create,
        &["edit", "Pack the bag", "--cron", "0 18 * * 0-4", "--name", "Bags", "--yes"],
        &["pause", "Bags"],
        &["list"],
        &["resume", "Bags"],
        &["members", "Bags"],
        &["members", "Bags", "--leave"],
        &["members", "Bags", "--add", "usr_0"],
        &["edit", "Bags", "--text", "Pack", "--yes"],
        &["cancel", "Bags"],
        &["cancel", "Bags", "--yes"],
        &["cancel", "Bags", "--yes"],
    ]));
}

#[test]
fn an_edit_that_sprout_yaml_does_not_have_is_named() {
    let project = Project::new();
    assert_eq!(project.run(&["create", "day-plan", "--yes"]).code, 0);
    let edit = |change: &[&str]| {
        let ended = project.run(&[&["edit", "Sundays", "--yes"], change].concat());
        assert_eq!(ended.code, 0, "{}", ended.show());
        let warned = ended.stderr.lines().filter(|line| line.starts_with("warning: "));
        warned.map(str::to_owned).collect::<Vec<_>>()
    };
    let warning = "warning: the folder day-plan still has the old schedule of `Sundays`; `dibber pull \
                   day-plan` writes the new one there";
    assert_eq!(edit(&["--cron", "Sundays at 10am"]), [warning]);
    assert_eq!(edit(&["--cron", "Sundays at 9am"]), Vec::<String>::new());
    assert_eq!(edit(&["--tz", "Europe/London"]), [warning]);
    let named = warning.replace("schedule", "name");
    assert_eq!(edit(&["--tz", "europe/berlin", "--name", "Sunday"]), [named]);
    assert_eq!(project.dibber(&["pull", "day-plan"]).code, 0);
    assert!(project.tree.read("day-plan/sprout.yaml").contains("name: Sunday\n"));
}

#[test]
fn what_was_paused_or_resumed_is_shown_as_in_the_list() {
    let project = Project::new();
    assert_eq!(project.run(&["create", "day-plan", "--yes"]).code, 0);
    let next = |ended: &Ended| ended.show().contains("; next Sun ");
    for (switch, is_next_shown) in [("pause", false), ("resume", true), ("resume", true)] {
        let ended = project.run(&[switch, "Sundays"]);
        assert!(ended.stderr.contains("  Every Sunday at 9am Berlin time"), "{}", ended.show());
        assert!(ended.stderr.contains("  for the whole family\n"), "{}", ended.show());
        assert_eq!(next(&ended), is_next_shown, "{}", ended.show());
    }
    let listed = project.run(&["list"]);
    let runs = "runs The plan of the day for the whole family\n";
    assert!(listed.stdout.contains(runs) && !listed.stdout.contains("* * 0"), "{}", listed.show());
    // The words for the schedule name the zone already.
    assert!(!listed.stdout.contains("am +0"), "{}", listed.show());
}

#[test]
fn a_grown_up_takes_part() {
    let project = Project::new();
    assert_eq!(project.run(&["create", "day-plan", "--yes"]).code, 0);
    let added = project.dibber(&["family", "add-member", "Bo"]);
    let user = added.stdout.trim();
    for option in ["--add", "--promote", "--remove"] {
        let ended = project.run(&["members", "Sundays", option, user]);
        assert_eq!(ended.code, 0, "{}", ended.show());
    }
    let by_name = project.run(&["members", "Sundays", "--add", "bo"]);
    assert_eq!(by_name.code, 0, "{}", by_name.show());
    assert_eq!(project.dibber(&["family", "add-member", "Bo"]).code, 0);
    let ambiguous = project.run(&["members", "Sundays", "--remove", "bo"]);
    assert_eq!(ambiguous.code, 2, "{}", ambiguous.show());
    assert!(ambiguous.stderr.contains("2 grown-ups are named `bo`"), "{}", ambiguous.show());
    assert!(ambiguous.stderr.contains(user), "{}", ambiguous.show());
}

#[test]
fn refusals_of_the_server() {
    let project = Project::new();
    let options = ["--skill", "day-plan", "--input", "today=x", "--yes"];
    let with = |name, cron| [&["create", name, "--cron", cron][..], &options].concat();
    insta::assert_snapshot!(project.show(&[
        // Without changes of the clocks, so that it is the same on every day.
        &[&with("Often", "*/10 * * * *")[..], &["--tz", "UTC"]].concat(),
        &with(" ", "0 7 * * *"),
        &with("Never", "0 0 31 2 *"),
        &[&with("Zone", "0 7 * * *")[..], &["--tz", "Mars/Base"]].concat(),
        &[&with("Child", "0 7 * * *")[..], &["--child", "kid_0"]].concat(),
        &["create", "No input", "--cron", "0 7 * * *", "--skill", "day-plan", "--yes"],
        &["create", "Home", "--cron", "0 7 * * *", "--skill", "at-home", "--yes"],
        &["create", "No skill", "--cron", "0 7 * * *", "--skill", "night-plan", "--yes"],
        &["pause", "hb_0"],
        &["edit", "hb_0", "--name", "x", "--yes"],
    ]));
}

/// The zone of a heartbeat is checked like that of a new one.
#[test]
fn an_unknown_city_is_refused_with_the_same_words_everywhere() {
    let project = Project::new();
    let zone = ["--tz", "Springfield", "--yes"];
    project.run(&[&["create", "day-plan", "--yes"][..]].concat());
    let edited = project.run(&[&["edit", "Sundays"][..], &zone].concat());
    let create = ["create", "X", "--cron", "0 7 * * *", "--skill", "day-plan"];
    let created = project.run(&[&create[..], &zone].concat());
    assert_eq!((edited.code, &edited.stderr), (created.code, &created.stderr));
    assert!(edited.code == 3 && edited.stderr.contains("`Springfield`"), "{}", edited.show());
}

#[test]
fn invalid_options() {
    let project = Project::new();
    insta::assert_snapshot!(project.show(&[
        &["create", "night-plan", "--yes"],
        &["create", "at-home", "--yes"],
        &["create", "day-plan"],
        &["create", "day-plan", "--only", "Sunday", "--yes"],
        &["create", "X", "--cron", "0 7 * * *"],
        &["create", "X", "--cron", "0 7 * * *", "--skill", "day-plan", "--input", "today"],
        &["edit", "X"],
        &["edit", "X", "--name", "Y"],
        &["pause", "X"],
        &["members", "X", "--add", "a", "--leave"],
    ]));
}

/// An input that the skill does not declare would be stored, and fill in nothing.
#[test]
fn an_edit_sets_only_inputs_of_the_skill() {
    let project = Project::new();
    let create = ["create", "day-plan", "--only", "Sundays", "--yes"];
    let created = project.run(&create);
    assert_eq!(created.code, 0, "{}", created.show());
    insta::assert_snapshot!(project.show(&[
        &["edit", "Sundays", "--input", "today=x", "--input", "todai=y", "--yes"],
        &["edit", "Sundays", "--input", "pots:=3", "--dry-run"],
        &["edit", "Sundays", "--input", "todai=x", "--input", "pots:=3", "--yes"],
        &["edit", "Sundays", "--input", "today=x", "--yes"],
    ]));
}

#[test]
fn a_schedule_in_words_is_stored_as_five_fields() {
    let project = Project::new();
    let options = ["--skill", "day-plan", "--input", "today=x"];
    let create =
        |schedule| [&["create", "Story", "--yes", "--schedule", schedule][..], &options].concat();
    let with_zone = [&create("8pm Paris time")[..], &["--tz", "Europe/Berlin"]].concat();
    insta::assert_snapshot!(project.show(&[
        &create("every day at 7:30pm Berlin time"),
        &create("every day at 7"),
        &with_zone,
        &["edit", "Story", "--cron", "Sundays and Wednesdays at 18:30", "--yes"],
        &["edit", "Story", "--schedule", "Sunday at", "--yes"],
        &["edit", "Story", "--schedule", "Sundays", "--yes"],
    ]));
    let listed = project.json(&["list"]);
    assert_eq!(listed["items"][0]["cron"], "30 18 * * 0,3", "{listed:#}");
}

#[test]
fn a_skill_that_was_not_published() {
    let project = Project::new();
    project.tree.write("new/SKILL.md", project.tree.read("day-plan/SKILL.md").as_bytes());
    project.tree.write("new/sprout.yaml", project.tree.read("day-plan/sprout.yaml").as_bytes());
    project.change("new/SKILL.md", "day-plan", "new");
    insta::assert_snapshot!(project.show(&[&["create", "new", "--yes"]]));
}

#[test]
fn a_name_that_several_have() {
    let project = Project::new();
    let schedule = ["--cron", "0 7 * * *", "--skill", "day-plan", "--input", "today=x", "--yes"];
    for _ in 0..2 {
        assert_eq!(project.run(&[&["create", "Twin"], &schedule[..]].concat()).code, 0);
    }
    insta::assert_snapshot!(project.show(&[&["pause", "Twin"]]));
}

#[test]
fn several_heartbeats_in_one_command() {
    let project = Project::new();
    assert_eq!(project.run(&["create", "day-plan", "--yes"]).code, 0);
    insta::assert_snapshot!(project.show(&[
        &["pause", "Sundays", "Before school", "-n"],
        &["pause", "Sundays", "Before school", "Sundays"],
        &["resume", "Sundays", "Monday", "Before school"],
        &["cancel", "Sundays", "Before school", "--dry-run"],
        &["cancel", "Sundays", "Before school", "-y"],
        &["list"],
    ]));
}

#[test]
fn the_beginning_of_an_id() {
    let project = Project::new();
    assert_eq!(project.run(&["create", "day-plan", "--yes"]).code, 0);
    let listed = project.json(&["list"]);
    let id = listed["items"][0]["heartbeatId"].as_str().expect("an id");
    // With a UUID of random digits, the first that differ are soon enough.
    let paused = project.json(&["pause", &id[..20]]);
    assert_eq!(paused["items"][0]["heartbeatId"], id, "{paused:#}");
    let ambiguous = project.run(&["resume", "hb_"]);
    assert_eq!(ambiguous.code, 2, "{}", ambiguous.show());
    assert!(ambiguous.stderr.contains("2 heartbeats have an id that begins with `hb_`"));
    assert!(ambiguous.stderr.contains(&format!("  {id}  Before school")), "{}", ambiguous.show());
}

/// The beginning of a name is enough, unless a script could cancel another heartbeat by it.
#[test]
fn the_beginning_of_a_name() {
    let project = Project::new();
    assert_eq!(project.run(&["create", "day-plan", "--yes"]).code, 0);
    for command in [&["pause", "before"][..], &["resume", "Sun"]] {
        let ended = project.run(command);
        assert_eq!(ended.code, 0, "{}", ended.show());
    }
    for command in [&["cancel", "Sun", "--yes"][..], &["edit", "Sun", "--name", "Sunny", "--yes"]] {
        let ended = project.run(command);
        assert_eq!(ended.code, 5, "{}", ended.show());
        assert!(ended.stderr.contains("unknown heartbeat `Sun`"), "{}", ended.show());
        assert!(ended.stderr.contains("help: to change `Sundays` ("), "{}", ended.show());
    }
    let schedule = ["--cron", "0 7 * * *", "--skill", "day-plan", "--input", "today=x", "--yes"];
    assert_eq!(project.run(&[&["create", "Sunset"], &schedule[..]].concat()).code, 0);
    let ambiguous = project.run(&["pause", "sun"]);
    assert_eq!(ambiguous.code, 2, "{}", ambiguous.show());
    let expected = "2 heartbeats have a name that begins with `sun`";
    assert!(ambiguous.stderr.contains(expected), "{}", ambiguous.show());
    assert!(ambiguous.stderr.contains("  Sunset\n"), "{}", ambiguous.show());
}

/// A heartbeat often has the name of its skill. Without it, the name means another one of the skill.
#[test]
fn the_name_of_a_skill_changes_no_heartbeat_unasked() {
    let project = Project::new();
    let schedule = ["--cron", "0 7 * * *", "--skill", "day-plan", "--input", "today=x", "--yes"];
    for name in ["day-plan", "Second"] {
        assert_eq!(project.run(&[&["create", name], &schedule[..]].concat()).code, 0);
    }
    let cancel = ["cancel", "day-plan", "--yes"];
    assert_eq!(project.run(&cancel).code, 0);
    for command in [&cancel[..], &["edit", "day-plan", "--cron", "0 8 * * *", "--yes"]] {
        let ended = project.run(command);
        assert_eq!(ended.code, 5, "{}", ended.show());
        assert!(ended.stderr.contains("help: to change `Second` ("), "{}", ended.show());
    }
    let listed = project.json(&["list"]);
    let is_second = listed["items"][0]["name"] == "Second" && listed["items"][0]["enabled"] == true;
    assert!(is_second, "{listed}");
}

#[test]
fn a_plan_changes_nothing() {
    let project = Project::new();
    let create = ["create", "day-plan"];
    let described = project.run(&[&["describe"], &create[1..]].concat());
    let planned = project.run(&[&create[..], &["--dry-run"]].concat());
    assert_eq!(planned.show(), described.show());
    assert_eq!(project.json(&["list"])["items"].as_array().map(Vec::len), Some(0));
    assert_eq!(project.run(&[&create[..], &["--yes"]].concat()).code, 0);
    let before = project.run(&["list", "--json"]).stdout;
    insta::assert_snapshot!(project.show(&[
        &["edit", "Sundays", "--name", "Rest", "-n"],
        &["members", "Sundays", "--leave", "-n"],
    ]));
    let json = project.json(&["edit", "Sundays", "--label", "Rest", "--dry-run"]);
    assert_eq!(json["actions"][0], "edit_name", "{json:#}");
    assert_eq!(project.run(&["list", "--json"]).stdout, before);
}

#[test]
fn json_has_its_schema() {
    let project = Project::new();
    let [kept, changed] = ["heartbeat", "heartbeat-change"].map(|name| {
        let path = package().join(format!("schemas/{name}.schema.json"));
        let schema: Value = serde_json::from_str(&read(&path)).expect("JSON");
        jsonschema::draft202012::meta::validate(&schema).expect("the schema is a schema");
        jsonschema::validator_for(&schema).expect("a schema")
    });
    let runs: [&[&str]; 13] = [
        &["describe", "day-plan"],
        &["create", "day-plan", "--yes"],
        &["create", "day-plan", "--yes"],
        &["describe", "X", "--cron", "* * * * *", "--skill", "day-plan"],
        &["list"],
        &["edit", "Sundays", "--tz", "Europe/Paris", "--yes"],
        &["edit", "Sundays", "--tz", "Europe/Rome", "--dry-run"],
        &["pause", "Sundays"],
        &["resume", "Sundays", "Monday"],
        &["members", "Sundays"],
        &["members", "Sundays", "--leave", "--dry-run"],
        &["cancel", "Sundays", "--yes"],
        &["create", "day-plan", "--yes"],
    ];
    for run in runs {
        let json = project.json(run);
        let is_change = matches!(run[0], "pause" | "resume" | "cancel");
        let validator = if is_change { &changed } else { &kept };
        let errors: Vec<_> = validator.iter_errors(&json).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{run:?}: {errors:#?}\n{json:#}");
    }
    assert!(!kept.is_valid(&serde_json::json!({"version": 1, "heartbeats": [{}]})));
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("a file")
}
