//! What a server with a damaged database still does: it serves the rest, and says that something is
//! missing. What is damaged does not let something happen that it forbade.

use rusqlite::Connection;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::Tree;
use crate::support::command::{Dibber, Ended};
use crate::support::stores::{damage, two_families_in_directory};

/// What is damaged does not let something happen that it forbade.
#[test]
fn a_skill_that_a_damaged_heartbeat_runs_cannot_be_archived() {
    let data = two_families_in_directory();
    damage(data.path(), "UPDATE heartbeats SET cron = '?'");
    let path = data.path().join("dibber.db");
    let database = Connection::open(path).expect("a database");
    let run = "SELECT run_skill_id FROM heartbeats WHERE family_id = 'fam_ours' AND state <> \
               'cancelled'";
    let skill: String = database.query_row(run, [], |row| row.get(0)).expect("a heartbeat");
    let arguments = ["family", "archive-skill", &skill, "--family", "ours", "--yes"];
    let ended = Dibber::new(arguments).data(data.path()).run();
    assert_eq!(ended.code, 3, "{}", ended.show());
    assert!(ended.stderr.contains("SKILL_IN_USE"), "{}", ended.show());
}

/// A damaged row neither hides the others nor stays unnoticed.
#[test]
fn lists_leave_damaged_rows_out_and_warn() {
    let (tree, data) = (Tree::new(), TempDir::new().expect("a directory"));
    let run = |arguments: &[&str]| {
        Dibber::new(arguments).data(data.path()).in_directory(tree.path()).run()
    };
    for name in ["first", "second"] {
        let text = format!(
            "---\nname: {name}\ndescription: Plan the week. Use when a week begins.\n---\n\n\
             # The {name}\n\nAsk about the week.\n"
        );
        tree.write(&format!("{name}/SKILL.md"), text.as_bytes());
        let ended = run(&["push", "--yes", name]);
        assert_eq!(ended.code, 0, "{}", ended.show());
        let create = ["heartbeat", "create", name, "--cron", "0 9 * * 1", "--skill", name, "--yes"];
        let ended = run(&create);
        assert_eq!(ended.code, 0, "{}", ended.show());
    }
    damage(
        data.path(),
        "UPDATE skills SET inputs = '?' WHERE name = 'The first';
         UPDATE heartbeats SET tz = '?' WHERE name = 'first';",
    );
    let warning = "warning: 1 item is damaged in the database of the server and left out";
    for list in ["skill", "heartbeat"] {
        let ended = run(&[list, "list"]);
        assert_eq!(ended.code, 0, "{}", ended.show());
        assert!(ended.stderr.contains(warning), "{}", ended.show());
        assert!(ended.stdout.contains("second") && !ended.stdout.contains("first"), "{list}");
    }
}

#[test]
fn a_damaged_token_does_not_keep_others_from_being_revoked() {
    let data = TempDir::new().expect("a directory");
    let run = |arguments: &[&str]| {
        Dibber::new(["family", "token"]).arguments(arguments).data(data.path()).run()
    };
    for name in ["first", "second"] {
        assert_eq!(run(&["--output", "-", "--name", name]).code, 0);
    }
    damage(data.path(), "UPDATE tokens SET scopes = '?' WHERE name = 'first'");
    let listed = run(&["--list"]);
    let warning = "warning: 1 item is damaged in the database of the server and left out";
    assert!(listed.stderr.contains(warning), "{}", listed.show());
    assert!(listed.stdout.contains("  second  ") && !listed.stdout.contains("first"));
    let id = listed.stdout.split_once(' ').expect("an id").0;
    assert_eq!(run(&["--revoke", id]).code, 0);
    assert_eq!(run(&["--list"]).stdout, "");
}

#[test]
fn a_damaged_token_is_revoked_by_the_id_that_doctor_shows() {
    let data = TempDir::new().expect("a directory");
    let run = |arguments: &[&str]| Dibber::new(arguments).data(data.path()).run();
    assert_eq!(run(&["family", "token", "--output", "-"]).code, 0);
    damage(data.path(), "UPDATE tokens SET scopes = '?'");
    let found: Value =
        serde_json::from_str(&run(&["doctor", "--json"]).stdout).expect("the problems");
    let id = found["items"][0]["id"].as_str().expect("an id");
    let ended = run(&["family", "token", "--revoke", id]);
    assert_eq!(ended.code, 0, "{}", ended.show());
    assert_eq!(run(&["doctor"]).code, 0);
}

#[test]
fn a_token_with_a_damaged_digest_is_not_shown_and_can_be_revoked() {
    let data = TempDir::new().expect("a directory");
    let run = |arguments: &[&str]| Dibber::new(arguments).data(data.path()).run();
    assert_eq!(run(&["family", "token", "--output", "-"]).code, 0);
    damage(data.path(), "UPDATE tokens SET digest = 'Zebulonx-Zebulonx'");
    let listed = run(&["family", "token", "--list"]);
    assert!(listed.stderr.contains("1 item is damaged"), "{}", listed.show());
    assert_eq!(listed.stdout, "");
    let found = run(&["doctor", "--json"]);
    assert!(!found.show().contains("Zebulonx"), "{}", found.show());
    let found: Value = serde_json::from_str(&found.stdout).expect("the problems");
    let id = found["items"][0]["id"].as_str().expect("an id");
    assert_eq!(run(&["family", "token", "--revoke", id]).code, 0);
    assert_eq!(run(&["doctor"]).code, 0);
}

/// A family with two children, two grown-ups and two canvases.
struct Home {
    data: TempDir,
    tree: Tree,
}

impl Home {
    fn new() -> Self {
        let home = Self { data: TempDir::new().expect("a directory"), tree: Tree::new() };
        for child in ["Ottilie", "Balthasar"] {
            let add = ["family", "add-child", "--name", "-", "--born", "2019-04-30"];
            home.done(Dibber::new(add).input(format!("{child}\n")));
        }
        home.done(Dibber::new(["family", "add-member", "Sam"]));
        for canvas in ["Fractions", "Clock"] {
            home.done(Dibber::new(["family", "add-canvas", canvas, "--ages", "5-7"]));
        }
        home
    }

    fn run(&self, arguments: &[&str]) -> Ended {
        Dibber::new(arguments).data(self.data.path()).in_directory(self.tree.path()).run()
    }

    fn done(&self, dibber: Dibber) {
        let ended = dibber.data(self.data.path()).run();
        assert_eq!(ended.code, 0, "{}", ended.show());
    }

    /// Publishes a skill whose prompt ends with these words.
    fn push(&self, words: &str) -> Ended {
        let skill = format!(
            "---\nname: week\ndescription: Plan the week. Use when a week begins.\n---\n\n\
             # The week\n\nAsk about {words}.\n"
        );
        self.tree.write("week/SKILL.md", skill.as_bytes());
        self.run(&["push", "--yes", "week"])
    }
}

#[test]
fn people_and_canvases_that_are_damaged_are_left_out() {
    let home = Home::new();
    damage(
        home.data.path(),
        "UPDATE children SET birth_date = '?' WHERE seq = 1;
         UPDATE users SET name = x'ff' WHERE seq = 2;
         UPDATE canvases SET emoji = x'ff' WHERE seq = 1;",
    );
    let overview = home.run(&["call", "family_query_overview", "--json"]);
    assert_eq!(overview.code, 0, "{}", overview.show());
    let shown: Value = serde_json::from_str(&overview.stdout).expect("JSON");
    let shown = &shown["structuredContent"];
    let counts = ["parents", "kids", "canvases"].map(|list| shown[list].as_array().map(Vec::len));
    assert_eq!((counts, &shown["damagedItems"]), ([Some(1); 3], &json!(3)));
    let next_step = shown["nextStep"].as_str().expect("a sentence");
    assert!(next_step.contains("3 items are damaged") && next_step.contains("`dibber doctor`"));
    let family = home.run(&["family", "show"]);
    assert_eq!(family.code, 0, "{}", family.show());
    let warning = "warning: 3 items are damaged in the database of the server and left out";
    assert!(family.stderr.contains(warning), "{}", family.show());
    // The grown-up whose name is damaged takes part all the same.
    assert_eq!(home.push("the week").code, 0);
    let create = ["heartbeat", "create", "week", "--cron", "0 9 * * 1", "--skill", "week", "--yes"];
    assert_eq!(home.run(&create).code, 0);
    let list = home.run(&["heartbeat", "list", "--json"]);
    let list: Value = serde_json::from_str(&list.stdout).expect("JSON");
    assert_eq!(list["items"][0]["members"].as_array().map(Vec::len), Some(2), "{list}");
}

#[test]
fn the_name_of_a_child_whose_row_is_damaged_is_still_refused() {
    let home = Home::new();
    damage(home.data.path(), "UPDATE children SET birth_date = '?'");
    let ended = home.push("Ottilie");
    assert_eq!(ended.code, 3, "{}", ended.show());
    assert!(ended.stderr.contains("child"), "{}", ended.show());
    assert!(!ended.stderr.contains("Ottilie"), "{}", ended.show());
    damage(home.data.path(), "UPDATE children SET name = x'ff' WHERE seq = 1");
    insta::assert_snapshot!(home.push("the week").show_without(home.data.path()));
}

#[test]
fn a_damaged_family_is_not_created_again() {
    let home = Home::new();
    damage(home.data.path(), "UPDATE families SET name = x'ff'");
    insta::assert_snapshot!(home.run(&["skill", "list"]).show_without(home.data.path()));
    let database = Connection::open(home.data.path().join("dibber.db")).expect("a database");
    let count = database.query_row("SELECT COUNT(*) FROM families", [], |row| row.get(0));
    assert_eq!(count, Ok(1));
}

/// The times have their offset, so they are right in any zone.
#[test]
fn a_family_whose_time_zone_is_damaged_is_served_in_utc() {
    let home = Home::new();
    assert_eq!(home.push("the week").code, 0);
    damage(home.data.path(), "UPDATE families SET time_zone = '?'");
    let list = home.run(&["skill", "list"]);
    assert_eq!(list.code, 0, "{}", list.show());
    assert!(list.stdout.contains("The week"), "{}", list.show());
}

#[test]
fn a_damaged_member_is_left_out_of_the_list_and_keeps_the_heartbeat_from_being_changed() {
    let home = Home::new();
    assert_eq!(home.push("the week").code, 0);
    let create = ["heartbeat", "create", "week", "--cron", "0 9 * * 1", "--skill", "week", "--yes"];
    assert_eq!(home.run(&create).code, 0);
    damage(home.data.path(), "UPDATE heartbeat_members SET role = '?' WHERE seq = 2");
    let list = home.run(&["heartbeat", "list"]);
    assert_eq!(list.code, 0, "{}", list.show());
    let warning = "warning: 1 item is damaged in the database of the server and left out";
    assert!(list.stderr.contains(warning), "{}", list.show());
    let pause = home.run(&["heartbeat", "pause", "week"]);
    assert_eq!(pause.code, 6, "{}", pause.show());
    assert!(pause.stderr.contains("`dibber doctor`"), "{}", pause.show());
}
