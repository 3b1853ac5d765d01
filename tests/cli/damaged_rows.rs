//! What a server with a damaged database still does: it serves the rest, and says that something is
//! missing. What is damaged does not let something happen that it forbade.

use insta::assert_snapshot;
use rusqlite::Connection;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::push_heartbeats::{PUSH, Project};
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

/// A heartbeat that a list leaves out because it is damaged is not one that was cancelled.
#[test]
fn a_damaged_heartbeat_and_its_record_stay() {
    let project = Project::new();
    let ended = project.run(&PUSH);
    assert_eq!(ended.code, 0, "{}", ended.show());
    damage(project.data.path(), "UPDATE heartbeats SET tz = '?' WHERE name = 'Sundays'");
    let count = || {
        let database = Connection::open(project.data.path().join("dibber.db")).expect("a database");
        let active = "SELECT COUNT(*) FROM heartbeats WHERE state <> 'cancelled'";
        database.query_row(active, [], |row| row.get::<_, u32>(0)).expect("a count")
    };
    let lock = project.tree.read("dibber.lock");
    let mut shown = String::new();
    let force = [&PUSH[..], &["--force"]].concat();
    for command in [&PUSH[..], &force, &["pull", "day-plan"]] {
        shown += &project.show(&[command]);
        assert_eq!((project.tree.read("dibber.lock"), count()), (lock.clone(), 2), "{shown}");
    }
    let manifest = project.tree.read("day-plan/sprout.yaml");
    let (before, _) = manifest.split_once("  - name: Sundays").expect("a heartbeat");
    project.tree.write("day-plan/sprout.yaml", before.as_bytes());
    shown += &project.show(&[&PUSH]);
    std::fs::remove_dir_all(project.tree.path().join("day-plan")).expect("a directory");
    for options in [&["--prune"][..], &["--prune", "--force"]] {
        let prune = [&["push", "--yes", "."][..], options].concat();
        shown += &project.show(&[&prune]);
    }
    assert_eq!((project.tree.read("dibber.lock"), count()), (lock, 2), "{shown}");
    assert_snapshot!(shown);
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

/// A client reads no id with a character that a terminal acts on, so its row is damaged.
#[test]
fn an_id_that_no_client_reads_is_reported() {
    let (tree, data) = (Tree::new(), TempDir::new().expect("a directory"));
    let run = |arguments: &[&str]| {
        Dibber::new(arguments).data(data.path()).in_directory(tree.path()).run()
    };
    let text = "---\nname: week\ndescription: Plan the week. Use when a week begins.\n---\n\n\
                # Week\n\nAsk about the week.\n";
    tree.write("week/SKILL.md", text.as_bytes());
    tree.write("week/sprout.yaml", b"heartbeats:\n  - name: Mondays\n    cron: 0 9 * * 1\n");
    let ended = run(&["push", "--yes", "week"]);
    assert_eq!(ended.code, 0, "{}", ended.show());
    assert_eq!(run(&["doctor", "--database"]).code, 0);
    damage(data.path(), "UPDATE heartbeats SET chat_id = 'chat' || char(27) || '[31m'");
    let ended = run(&["doctor", "--database"]);
    assert_ne!(ended.code, 0, "{}", ended.show());
    assert!(ended.stdout.contains("chat_id"), "{}", ended.show());
}

/// An id with a control character is typed as `doctor` shows it.
#[test]
fn a_row_is_removed_by_the_escaped_id_that_doctor_shows() {
    let data = two_families_in_directory();
    let run = |arguments: &[&str]| Dibber::new(arguments).data(data.path()).run();
    let change = "PRAGMA foreign_keys = OFF; \
                  UPDATE heartbeats SET id = 'hb' || char(27) || '[31m', cron = '?' \
                  WHERE rowid = (SELECT MIN(rowid) FROM heartbeats)";
    damage(data.path(), change);
    let ended = run(&["doctor", "--database"]);
    assert!(ended.stdout.contains(r"(hb\u{1b}[31m)"), "{}", ended.show());
    let remove = ["doctor", "--database", "--remove", r"hb\u{1b}[31m", "--yes"];
    let ended = run(&remove);
    assert_eq!(ended.code, 0, "{}", ended.show());
    assert_eq!(run(&remove).code, 5);
    let shown = run(&["doctor", "--database"]).stdout;
    assert!(!shown.contains("31m)"), "{shown}");
}

/// A heartbeat whose skill or owner has gone can be read, but not used.
#[test]
fn a_heartbeat_without_its_skill_or_owner_is_removed() {
    for gone in ["skills", "heartbeat_members"] {
        let project = Project::new();
        assert_eq!(project.run(&PUSH).code, 0);
        damage(project.data.path(), &format!("PRAGMA foreign_keys = OFF; DELETE FROM {gone}"));
        let found = project.run(&["doctor", "--database", "--json"]).stdout;
        let found: Value = serde_json::from_str(&found).expect("JSON");
        let items = found["items"].as_array().expect("items");
        let of_heartbeats = items.iter().filter(|item| item["table"] == "heartbeats");
        let ids: Vec<_> = of_heartbeats.filter_map(|item| item["id"].as_str()).collect();
        assert!(!ids.is_empty(), "{gone}: {found:#}");
        for id in ids {
            project.run(&["doctor", "--database", "--remove", id, "--yes"]);
        }
        let ended = project.run(&["doctor", "--database"]);
        assert_eq!(ended.code, 0, "{gone}: {}", ended.show());
    }
}

/// What `doctor` advises works, from the damage to the skill that runs again.
#[test]
fn a_damaged_skill_is_removed_and_published_again() {
    let (tree, data) = (Tree::new(), TempDir::new().expect("a directory"));
    let run = |arguments: &[&str]| {
        Dibber::new(arguments).data(data.path()).in_directory(tree.path()).run()
    };
    tree.write(
        "week/SKILL.md",
        b"---\nname: week\ndescription: Plan the week. Use when a week begins.\n---\n\n\
          # The week\n\nAsk about the week.\n",
    );
    assert_eq!(run(&["push", "--yes", "week"]).code, 0);
    let create = ["heartbeat", "create", "Monday", "--cron", "0 9 * * 1", "--skill", "week", "-y"];
    let created = run(&create);
    assert_eq!(created.code, 0, "{}", created.show());
    damage(data.path(), "UPDATE skills SET hands = '{{broken'");
    let blocked = run(&["push", "week", "--yes"]);
    assert_eq!(blocked.code, 6, "{}", blocked.show());
    let found = run(&["doctor", "--database"]);
    assert!(found.stderr.contains("`dibber doctor --database --remove ID`"), "{}", found.show());
    let found = run(&["doctor", "--database", "--json"]).stdout;
    let found: Value = serde_json::from_str(&found).expect("JSON");
    let id = found["items"][0]["id"].as_str().expect("an id");
    let remove = |more: &[&str]| {
        run(&[&["doctor", "--database", "--remove", id], more].concat()).show_without(data.path())
    };
    let mut shown = remove(&[]);
    shown += &remove(&["--dry-run"]);
    shown += &remove(&["--yes"]);
    shown += &remove(&["--yes"]);
    let files = std::fs::read_dir(data.path()).expect("a directory").flatten();
    let names: Vec<_> = files.map(|file| file.file_name().to_string_lossy().into_owned()).collect();
    let [copy] = names.iter().filter(|name| name.starts_with("removed-")).collect::<Vec<_>>()[..]
    else {
        panic!("{names:?}");
    };
    assert_snapshot!(shown.replace(id, "sk_ID").replace(copy, "removed-TIME.json"));
    let copy = std::fs::read(data.path().join(copy)).expect("a file");
    let copy: Value = serde_json::from_slice(&copy).expect("JSON");
    let tables: Vec<_> = copy.as_array().expect("rows").iter().map(|row| &row["table"]).collect();
    assert_eq!(tables, ["heartbeat_members", "heartbeats", "skills"]);
    assert_eq!(copy[2]["columns"]["hands"], "{{broken");
    assert_eq!(copy[2]["columns"]["id"], id);
    assert_eq!(run(&["doctor", "--database"]).code, 0);
    let gone = run(&["push", "week", "--yes"]);
    assert!(gone.stderr.contains("`dibber push --new week`"), "{}", gone.show());
    let published = run(&["push", "--new", "week", "--yes"]);
    assert_eq!(published.code, 0, "{}", published.show());
}

/// A skill that can be read is not removed.
#[test]
fn only_what_is_damaged_is_removed() {
    let data = two_families_in_directory();
    let run = |arguments: &[&str]| Dibber::new(arguments).data(data.path()).run();
    let path = data.path().join("dibber.db");
    let database = Connection::open(path).expect("a database");
    let ids = "SELECT id FROM skills UNION SELECT id FROM heartbeats";
    let mut statement = database.prepare(ids).expect("a statement");
    let ids: Vec<String> = statement
        .query_map([], |row| row.get(0))
        .expect("rows")
        .map(|id| id.expect("id"))
        .collect();
    assert!(ids.len() >= 2);
    for id in ids {
        let ended = run(&["doctor", "--database", "--remove", &id, "--yes"]);
        assert_eq!(ended.code, 5, "{}", ended.show());
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
    let found: Value = serde_json::from_str(&run(&["doctor", "--database", "--json"]).stdout)
        .expect("the problems");
    let id = found["items"][0]["id"].as_str().expect("an id");
    let ended = run(&["family", "token", "--revoke", id]);
    assert_eq!(ended.code, 0, "{}", ended.show());
    assert_eq!(run(&["doctor", "--database"]).code, 0);
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
    let found = run(&["doctor", "--database", "--json"]);
    assert!(!found.show().contains("Zebulonx"), "{}", found.show());
    let found: Value = serde_json::from_str(&found.stdout).expect("the problems");
    let id = found["items"][0]["id"].as_str().expect("an id");
    assert_eq!(run(&["family", "token", "--revoke", id]).code, 0);
    assert_eq!(run(&["doctor", "--database"]).code, 0);
}

/// The server has its id in a row of its own.
#[test]
fn a_database_without_the_id_of_its_server_is_named() {
    let mut shown = String::new();
    for damaged in ["DELETE FROM server", "UPDATE server SET id = x'ff'"] {
        let data = TempDir::new().expect("a directory");
        let run = |arguments: &[&str]| {
            let ended = Dibber::new(arguments).env("COLUMNS", "80").data(data.path()).run();
            ended.show_without(data.path())
        };
        run(&["skill", "list"]);
        damage(data.path(), damaged);
        shown += &run(&["skill", "archive", "sk_1", "--yes"]);
        shown += &run(&["doctor", "--database"]);
    }
    assert_snapshot!(shown);
}

/// SQLite only says that it cannot open the database.
#[test]
fn a_directory_in_the_place_of_a_log_is_named() {
    let data = TempDir::new().expect("a directory");
    let run = |arguments: &[&str]| {
        Dibber::new(arguments).data(data.path()).run().show_without(data.path())
    };
    run(&["skill", "list"]);
    let log = data.path().join("dibber.db-wal");
    let _ = std::fs::remove_file(&log);
    std::fs::create_dir(log).expect("a directory");
    assert_snapshot!(run(&["skill", "list"]) + &run(&["doctor", "--database"]));
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
    assert!(
        next_step.contains("3 items are damaged")
            && next_step.contains("`dibber doctor --database`")
    );
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
    assert!(pause.stderr.contains("`dibber doctor --database`"), "{}", pause.show());
}
