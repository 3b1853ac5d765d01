//! `dibber doctor`: everything that dibber needs is checked, and what is damaged in the database is
//! listed or removed.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::command::{Dibber, Ended};
use crate::support::fake_server::Fake;
use crate::support::stores::{damage, token_digest, two_families_in_directory};
use crate::support::{Tree, package};

/// Checks the database alone.
fn doctor(data: &Path, arguments: &[&str]) -> Ended {
    Dibber::new(["doctor", "--database"]).arguments(arguments).data(data).run_bounded()
}

/// Checks everything, on a computer where nothing is configured.
fn whole(data: &Path, tree: &Tree) -> Dibber {
    Dibber::new(["doctor"])
        .data(data)
        .in_directory(tree.path())
        .env("HOME", &tree.path().to_string_lossy())
        .env("XDG_CONFIG_HOME", &tree.path().join("config").to_string_lossy())
        .env("XDG_DATA_HOME", &tree.path().join("share").to_string_lossy())
        .env("SHELL", "/bin/bash")
}

/// What was printed without the modes of the sandbox, which depend on the machine.
fn without_sandbox(mut ended: Ended) -> Ended {
    let lines = ended.stdout.split_inclusive('\n');
    ended.stdout = lines.filter(|line| !line.starts_with("ok: sandbox: ")).collect();
    ended
}

/// The items, which have to be of their schema, without those of the sandbox.
fn items(ended: &Ended) -> Vec<Value> {
    let json: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    let path = package().join("schemas/doctor.schema.json");
    let schema = serde_json::from_slice(&fs::read(path).expect("a schema")).expect("JSON");
    let validator = jsonschema::draft202012::new(&schema).expect("a schema");
    let errors: Vec<_> = validator.iter_errors(&json).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:#?}\n{json:#}");
    let items = json["items"].as_array().expect("items").iter();
    items.filter(|item| item["kind"] != "sandbox").cloned().collect()
}

#[test]
fn a_healthy_database_has_no_problems() {
    let data = two_families_in_directory();
    let ended = doctor(data.path(), &[]);
    let shown = "exit code: 0\n----- stdout -----\n----- stderr -----\n\
                 no problems found in FOLDER\n";
    assert_eq!(ended.show_without(data.path()), shown);
    assert_eq!(items(&doctor(data.path(), &["--json"])), Vec::<Value>::new());
}

#[test]
fn a_database_that_does_not_exist_is_an_error_and_is_not_created() {
    let data = TempDir::new().expect("a directory");
    let ended = doctor(data.path(), &[]);
    insta::assert_snapshot!(ended.show_without(data.path()));
    assert_eq!(fs::read_dir(data.path()).expect("a directory").count(), 0);
    assert_eq!(doctor(&data.path().join("typo"), &[]).code, ended.code);
}

#[test]
fn a_computer_without_a_database_has_no_problem() {
    let (tree, data) = (Tree::new(), TempDir::new().expect("a directory"));
    let fresh = || whole(data.path(), &tree);
    let mut shown = without_sandbox(fresh().run()).show_without(tree.path());
    assert_eq!(fs::read_dir(data.path()).expect("a directory").count(), 0);
    let installed = Dibber::new(["completions", "bash", "--install", "--yes"]);
    let share = tree.path().join("share");
    assert_eq!(installed.env("XDG_DATA_HOME", &share.to_string_lossy()).run().code, 0);
    shown += &without_sandbox(fresh().run()).show_without(tree.path());
    insta::assert_snapshot!(shown);
    assert_eq!(items(&fresh().arguments(&["--json"]).run()).len(), 7);
    assert_eq!(fresh().arguments(&["--database"]).run().code, 6);
    let typo = tree.path().join("typo").to_string_lossy().into_owned();
    let named = fresh().arguments(&["--data", &typo]).run();
    assert_eq!(named.code, 1, "{}", named.show());
    assert!(named.stdout.contains("error: there is no database "), "{}", named.show());
    assert!(!tree.path().join("typo").exists());
}

#[cfg(unix)]
#[test]
fn every_check_names_what_is_wrong_and_what_to_do() {
    let data = two_families_in_directory();
    let tree = Tree::new();
    tree.write("dibber.toml", b"[server]\nurl = \"http://127.0.0.1:1/mcp\"\n\n[lnt]\n");
    tree.write("config/dibber/dibber.toml", b"[lint]\n");
    tree.write("share/bash-completion/completions/dibber", b"COMPLETE=bash dibber -- older\n");
    tree.write("names", b"Zoe\n");
    tree.write("dibber.lock", b"version = 2\nskill = 3\n");
    damage(data.path(), "UPDATE children SET birth_date = '?' WHERE family_id = 'fam_ours'");
    let names = tree.path().join("names").to_string_lossy().into_owned();
    let run = || {
        let run = whole(data.path(), &tree).env("DIBBER_NAMES", &names);
        let ended = run.arguments(&["--timeout", "1"]).run();
        let shown = without_sandbox(ended).show_without(tree.path());
        let shown = shown.replace(&*data.path().to_string_lossy(), "DATA");
        // How many attempts there are depends on the time that each takes.
        match shown.split_once(" (tried ") {
            Some((before, after)) => {
                format!("{before}{}", after.split_once(')').expect("a count").1)
            }
            None => shown,
        }
    };
    let mut shown = run();
    tree.write("dibber.toml", b"[server]\nurl = \"http://127.0.0.1:1/mcp\"\n");
    let record = "version = 2\n\n[[skill]]\npath = \"gone\"\nserver = \"srv_1/fam_1\"\nskillId = \"sk_1\"\nspecHash = \"h_1\"\n";
    tree.write("dibber.lock", record.as_bytes());
    shown += &run();
    insta::assert_snapshot!(shown);
    let record = |number: usize| {
        record
            .replace("version = 2\n", "")
            .replace("gone", &format!("gone-{number:02}"))
            .replace("sk_1", &format!("sk_{number}"))
    };
    let many = "version = 2\n".to_owned() + &(0..23).map(record).collect::<String>();
    tree.write("dibber.lock", many.as_bytes());
    let many = whole(data.path(), &tree).run().stdout;
    assert!(many.contains("dibber.lock: 3 directories do not exist, too"), "{many}");
    let unknown = whole(data.path(), &tree).env("TZ", "Mars").run();
    assert!(unknown.stdout.starts_with("warning: time zone: `TZ` is not"), "{}", unknown.show());
}

/// The command that is suggested works although another server is selected.
#[test]
fn a_record_of_another_server_is_removed_by_the_suggested_command() {
    let (tree, data) = (Tree::new(), TempDir::new().expect("a directory"));
    let record = "version = 2\n\n[servers]\n\"srv_1/fam_1\" = \"http://127.0.0.1:9/mcp\"\n\n\
                  [[skill]]\npath = \"gone\"\nserver = \"srv_1/fam_1\"\nskillId = \"sk_1\"\n\
                  specHash = \"h_1\"\n";
    tree.write("dibber.lock", record.as_bytes());
    let shown = whole(data.path(), &tree).arguments(&["--server", "local"]).run();
    let unlink = ["skill", "unlink", "gone", "--server", "http://127.0.0.1:9/mcp"];
    let suggested = format!("`dibber {}` removes its record", unlink.join(" "));
    assert!(shown.stdout.contains(&suggested), "{}", shown.show());
    let unlinked = Dibber::new(unlink).data(data.path()).in_directory(tree.path()).run();
    assert_eq!(unlinked.code, 0, "{}", unlinked.show());
}

#[test]
fn a_server_that_answers_is_named_with_its_version() {
    let (tree, data) = (Tree::new(), TempDir::new().expect("a directory"));
    let server = Fake::new(|request| {
        let tools = serde_json::json!([{"name": "look", "inputSchema": {"type": "object"}}]);
        Some(request.usual(&tools, &Value::Null))
    });
    let ended = whole(data.path(), &tree).arguments(&["--server", &server.url()]).run();
    let shown = without_sandbox(ended).show_without(tree.path()).replace(&server.url(), "URL");
    insta::assert_snapshot!(shown);
}

#[test]
fn what_the_token_allows_is_shown() {
    let (tree, data) = (Tree::new(), TempDir::new().expect("a directory"));
    let line = |scopes: &'static [&str]| {
        let server = Fake::new(move |request| {
            let tools = serde_json::json!([
                {"name": "mcp_whoami", "inputSchema": {"type": "object"}},
            ]);
            let whoami = serde_json::json!({
                "userId": "u_1", "name": "Ada", "familyId": "fam_1", "scopes": scopes,
                "server": "srv_1",
            });
            let result = serde_json::json!({
                "resultType": "complete", "content": [], "structuredContent": whoami,
            });
            Some(request.usual(&tools, &result))
        });
        let ended = whole(data.path(), &tree).arguments(&["--server", &server.url()]).run();
        assert!(ended.stderr.ends_with("no problems found\n"), "{}", ended.show());
        let line = ended.stdout.lines().find(|line| line.contains(": server: "));
        line.map(|line| line.replace(&server.url(), "URL")).unwrap_or_default()
    };
    let read = line(&["skill:read"]);
    assert!(
        read.starts_with("ok: server: URL answers")
            && read.ends_with(
                "; scopes: skill:read (without `skill:write`, nothing can be published)"
            ),
        "{read}"
    );
    let write = line(&["skill:read", "skill:write"]);
    assert!(write.ends_with("; scopes: skill:read, skill:write"), "{write}");
}

/// Only who has configured a sandbox is warned if it does not work.
#[test]
fn the_modes_of_the_sandbox_are_listed() {
    let (tree, data) = (Tree::new(), TempDir::new().expect("a directory"));
    let lines = |ended: &Ended| {
        let is_of_sandbox = |line: &&str| line.contains(": sandbox: ");
        ended.stdout.lines().filter(is_of_sandbox).map(str::to_owned).collect::<Vec<_>>()
    };
    let ended = whole(data.path(), &tree).run();
    let found = lines(&ended);
    assert!(found.iter().all(|line| line.starts_with("ok: ")), "{}", ended.show());
    let modes = ["`full`", "`landlock`", "`container`"];
    let is_each_there =
        found.len() == 3 && modes.iter().all(|mode| found.iter().any(|line| line.contains(mode)));
    let has_no_python = found.len() == 1 && found[0].contains("skills cannot be run: ");
    assert!(is_each_there || has_no_python, "{}", ended.show());
    tree.write("config/dibber/dibber.toml", b"[sandbox]\npython = \"/missing/python\"\n");
    let ended = whole(data.path(), &tree).run();
    let found = lines(&ended);
    let expected = "warning: sandbox: skills cannot be run: cannot run `/missing/python`: ";
    assert!(found.len() == 1 && found[0].starts_with(expected), "{}", ended.show());
}

#[test]
fn damaged_rows_are_listed_one_by_one() {
    let data = two_families_in_directory();
    damage(
        data.path(),
        "UPDATE skills SET hands = 'Ottilie ours[' WHERE family_id = 'fam_ours';
         UPDATE heartbeats SET cron = 'Ottilie' WHERE family_id = 'fam_theirs';
         UPDATE children SET birth_date = 'Ottilie' WHERE family_id = 'fam_ours';
         UPDATE users SET name = x'ff' WHERE id = 'usr_ours_b';
         DELETE FROM users WHERE id = 'usr_theirs_b';",
    );
    let before = fs::read(data.path().join("dibber.db")).expect("a file");
    insta::assert_snapshot!(doctor(data.path(), &[]).show_without(data.path()));
    let ended = doctor(data.path(), &["--json"]);
    assert_eq!(ended.code, 1, "{}", ended.show());
    let kinds: Vec<_> = items(&ended).iter().map(|item| item["kind"].clone()).collect();
    assert_eq!(kinds, ["row", "row", "row", "row", "reference"]);
    assert_eq!(fs::read(data.path().join("dibber.db")).expect("a file"), before);
}

/// It is brought up to date at the next start; nothing in it is damaged. What is damaged in it is
/// found all the same.
#[test]
fn databases_of_earlier_versions_are_checked() {
    let migrations = package().join("crates/server/src/store/sqlite/migrations");
    let versions = fs::read_dir(&migrations).expect("the migrations").count();
    assert!(versions >= 3, "{versions}");
    for version in 1..=versions {
        let data = TempDir::new().expect("a directory");
        for step in 1..=version {
            let path = migrations.join(format!("{step}.sql"));
            damage(data.path(), &fs::read_to_string(path).expect("a migration"));
        }
        let rows = format!(
            "PRAGMA application_id = 1684628066;
             PRAGMA user_version = {version};
             INSERT INTO families (id, name, time_zone, chat_id)
                 VALUES ('fam_1', 'home', 'Europe/Berlin', 'chat_1');
             INSERT INTO users (family_id, id, name) VALUES ('fam_1', 'usr_1', 'Parent');
             INSERT INTO children (family_id, id, name, birth_date)
                 VALUES ('fam_1', 'kid_1', 'Ottilie', '2019-04-30');
             INSERT INTO tokens (digest, family_id, user_id, scopes)
                 VALUES ('{digest}', 'fam_1', 'usr_1', '[]');",
            digest = token_digest("a")
        );
        damage(data.path(), &rows);
        let ended = doctor(data.path(), &[]);
        assert_eq!(ended.code, 0, "version {version}\n{}", ended.show());
        damage(data.path(), "UPDATE children SET birth_date = '?'");
        let ended = doctor(data.path(), &[]);
        let found = "row 1 of children (kid_1) is damaged: invalid value in `birth_date`\n";
        assert_eq!((ended.code, ended.stdout.as_str()), (1, found), "version {version}");
    }
}

/// One row of each table, with the column that is damaged.
#[test]
fn damage_is_found_in_every_table_and_in_values_that_are_only_passed_on() {
    let answer = "INSERT INTO answers
         (user_id, idempotency_key, fingerprint, answer, answered_at)
         VALUES ('usr_ours_a', 'key', 'digest', '?', 0)";
    let result = "INSERT INTO results
         (family_id, id, skill_id, thread_id, user_id, posted_at, result)
         VALUES ('fam_ours', 'res_1', 'sk_1', 'chat_ours', 'usr_ours_a', 0, '[]')";
    let ours = |table, column, value| {
        format!("UPDATE {table} SET {column} = {value} WHERE family_id = 'fam_ours'")
    };
    let cases = [
        ("server", "id", "UPDATE server SET id = x'ff'".to_owned()),
        ("families", "name", "UPDATE families SET name = x'ff' WHERE id = 'fam_ours'".to_owned()),
        ("families", "time_zone", "UPDATE families SET time_zone = 'Ottilie'".to_owned()),
        ("users", "name", "UPDATE users SET name = x'ff'".to_owned()),
        ("children", "name", ours("children", "name", "''")),
        ("children", "birth_date", ours("children", "birth_date", "'Ottilie'")),
        ("canvases", "emoji", ours("canvases", "emoji", "x'ff'")),
        ("canvases", "age_range", ours("canvases", "age_range", "'Ottilie'")),
        ("tokens", "scopes", ours("tokens", "scopes", "'Ottilie'")),
        ("skills", "inputs", ours("skills", "inputs", "'Ottilie'")),
        ("skills", "canvases", ours("skills", "canvases", "'[\"Ottilie\"]'")),
        ("skills", "age_range", ours("skills", "age_range", "'7-5'")),
        ("results", "result", result.to_owned()),
        ("heartbeats", "tz", ours("heartbeats", "tz", "'Ottilie'")),
        ("heartbeats", "state", ours("heartbeats", "state", "'Ottilie'")),
        ("heartbeat_members", "role", ours("heartbeat_members", "role", "'Ottilie'")),
        ("answers", "answer", answer.to_owned()),
    ];
    for (table, column, statement) in cases {
        let data = two_families_in_directory();
        damage(data.path(), &statement);
        let ended = doctor(data.path(), &["--json"]);
        assert_eq!(ended.code, 1, "{table}: {}", ended.show());
        let found = items(&ended);
        let is_it = |item: &Value| {
            item["kind"] == "row" && item["table"] == table && item["column"] == column
        };
        assert!(found.iter().any(is_it), "{table}, {column}: {}", ended.show());
        assert!(!ended.stdout.contains("Ottilie"), "{}", ended.show());
    }
}

#[test]
fn heartbeats_without_an_owner_and_families_without_a_grown_up_are_found() {
    let data = two_families_in_directory();
    damage(
        data.path(),
        "DELETE FROM heartbeat_members WHERE family_id = 'fam_ours' AND role = 'owner';
         DELETE FROM heartbeat_members WHERE family_id = 'fam_theirs';
         INSERT INTO families (id, name, time_zone, chat_id)
             VALUES ('fam_empty', 'empty', 'Europe/Berlin', 'chat_empty');",
    );
    insta::assert_snapshot!(doctor(data.path(), &[]).show_without(data.path()));
    let kinds: Vec<_> =
        items(&doctor(data.path(), &["--json"])).iter().map(|item| item["kind"].clone()).collect();
    assert_eq!(kinds, ["owner", "owner", "owner"]);
}

/// Nothing can be created beside it, as on a disk that is mounted for reading.
#[cfg(unix)]
#[test]
fn a_database_in_a_read_only_directory_is_checked() {
    use std::os::unix::fs::PermissionsExt;

    let data = two_families_in_directory();
    damage(data.path(), "UPDATE children SET birth_date = '?' WHERE family_id = 'fam_ours'");
    let set_mode = |mode| {
        fs::set_permissions(data.path(), fs::Permissions::from_mode(mode)).expect("a mode");
    };
    set_mode(0o555);
    let ended = doctor(data.path(), &[]);
    set_mode(0o755);
    let found = "row 1 of children (kid_1) is damaged: invalid value in `birth_date`\n";
    assert_eq!((ended.code, ended.stdout.as_str()), (1, found), "{}", ended.show());
}

/// Returns a message without the name of an entry of the journal, which depends on the id of the
/// server.
#[cfg(unix)]
fn without_journal_entry(message: &str) -> String {
    let Some((before, rest)) = message.split_once("/journal/") else { return message.to_owned() };
    let (_, after) = rest.split_once(".json").expect("the name of an entry");
    format!("{before}/journal/ENTRY.json{after}")
}

/// Opening a pipe waits for its other end, which nothing here opens.
#[cfg(unix)]
#[test]
fn a_pipe_in_the_place_of_a_file_is_refused_at_once() {
    use std::os::unix::fs::PermissionsExt;

    let data = TempDir::new().expect("a directory");
    let replace = |name: &str| {
        let path = data.path().join(name);
        drop(fs::remove_file(&path));
        let made = std::process::Command::new("mkfifo").arg(&path).status().expect("mkfifo");
        assert!(made.success());
    };
    let tree = Tree::new();
    tree.write(
        "week/SKILL.md",
        b"---\nname: week\ndescription: Plan the week.\n---\n\n# The week\n",
    );
    let names = data.path().join("names").to_string_lossy().into_owned();
    let run = |arguments: &[&str]| {
        let dibber = Dibber::new(arguments).data(data.path()).env("DIBBER_NAMES", &names);
        let ended = dibber.in_directory(tree.path()).run_bounded();
        let stderr = ended.stderr.replace(&*data.path().to_string_lossy(), "FOLDER");
        let stderr = without_journal_entry(&stderr);
        format!("{arguments:?}: {}\n{stderr}", ended.code)
    };
    let mut shown = String::new();
    drop(run(&["push", "--yes", "week"]));
    replace("dibber/journal/.lock");
    tree.write("week/SKILL.md", b"---\nname: week\ndescription: Plan a week.\n---\n\n# The week\n");
    shown += &run(&["push", "--yes", "week"]);
    replace("dibber.db");
    shown += &run(&["skill", "list"]);
    shown += &run(&["doctor", "--database"]);
    fs::write(&names, "Ottilie\n").expect("a file");
    fs::set_permissions(&names, fs::Permissions::from_mode(0o600)).expect("a mode");
    replace("names.lock");
    shown += &run(&["names", "remove", "1"]);
    insta::assert_snapshot!(shown);
}

#[test]
fn a_database_without_an_id_is_damaged() {
    let data = two_families_in_directory();
    damage(data.path(), "DELETE FROM server");
    let ended = doctor(data.path(), &[]);
    assert_eq!(ended.code, 1, "{}", ended.show());
    assert!(ended.stdout.contains("`server` has no row"), "{}", ended.show());
}

#[test]
fn a_damaged_page_is_found() {
    let data = two_families_in_directory();
    let path = data.path().join("dibber.db");
    let mut bytes = fs::read(&path).expect("a database");
    let page = 4096;
    let second = bytes.len() / page / 2 * page;
    bytes[second..second + page].fill(0xAB);
    fs::write(&path, bytes).expect("a file");
    let ended = doctor(data.path(), &[]);
    assert_eq!(ended.code, 1, "{}", ended.show());
    assert!(ended.stdout.contains("the file is damaged: "), "{}", ended.show());
}

/// More children than fit on a page of the database.
const CHILDREN: &str = "
    WITH RECURSIVE numbers (number) AS (
        SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 1000
    )
    INSERT INTO children (family_id, id, name, birth_date)
        SELECT 'fam_ours', 'kid_n' || number, 'Nora', '2019-04-30' FROM numbers;";

#[test]
fn what_is_found_before_a_damaged_page_is_listed_too() {
    let data = two_families_in_directory();
    damage(data.path(), CHILDREN);
    damage(
        data.path(),
        "UPDATE children SET birth_date = '?' WHERE id = 'kid_n1';
         UPDATE children SET name = 'Onthelastpage' WHERE id = 'kid_n1000';",
    );
    let path = data.path().join("dibber.db");
    let mut bytes = fs::read(&path).expect("a database");
    let marker = b"Onthelastpage";
    let position = bytes.windows(marker.len()).rposition(|bytes| bytes == marker).expect("a page");
    bytes[position / 4096 * 4096] = 0xAB;
    fs::write(&path, bytes).expect("a file");
    let stdout = doctor(data.path(), &[]).stdout;
    assert!(stdout.contains("(kid_n1) is damaged: invalid value in `birth_date`\n"), "{stdout}");
    assert!(stdout.contains("cannot read children: "), "{stdout}");
}

#[test]
fn more_problems_than_are_listed_are_mentioned() {
    let data = two_families_in_directory();
    damage(data.path(), CHILDREN);
    damage(data.path(), "UPDATE children SET birth_date = '?' WHERE id GLOB 'kid_n[0-9]*'");
    let ended = doctor(data.path(), &[]);
    assert_eq!(ended.stdout.lines().count(), 201);
    let last = ended.stdout.lines().last().expect("a line");
    assert_eq!(last, "there are more problems; the first 200 are listed");
    assert!(ended.stderr.starts_with("more than 200 problems in "), "{}", ended.stderr);
    let found = items(&doctor(data.path(), &["--json"]));
    assert_eq!(found.last().expect("an item")["kind"], "more");
}

#[test]
fn files_that_cannot_be_checked() {
    let data = two_families_in_directory();
    let path = data.path().join("dibber.db");
    fs::write(&path, "").expect("a file");
    let lost = doctor(data.path(), &[]).show_without(data.path());
    fs::write(&path, "something else\n".repeat(1000)).expect("a file");
    let other = doctor(data.path(), &[]).show_without(data.path());
    insta::assert_snapshot!(format!("{lost}\n{other}"));
}

#[cfg(unix)]
#[test]
fn the_token_the_secrets_and_the_journal_are_checked_too() {
    use std::os::unix::fs::PermissionsExt;

    let data = two_families_in_directory();
    let token = data.path().join("token");
    fs::write(&token, "dib_1\n").expect("a file");
    fs::set_permissions(&token, fs::Permissions::from_mode(0o644)).expect("a mode");
    fs::write(data.path().join("secrets.toml"), "[secrets]\nTOKEN = hunter2\n").expect("a file");
    let secrets = data.path().join("secrets.toml");
    fs::set_permissions(&secrets, fs::Permissions::from_mode(0o600)).expect("a mode");
    fs::create_dir(data.path().join("journal")).expect("a directory");
    let entry = format!("journal/{}-{}.json", "a".repeat(16), "b".repeat(32));
    fs::write(data.path().join(entry), "{").expect("a file");
    let tree = Tree::new();
    let shown = without_sandbox(whole(data.path(), &tree).run()).show_without(data.path());
    assert!(!shown.contains("hunter2"), "{shown}");
    insta::assert_snapshot!(shown.replace(&*tree.path().to_string_lossy(), "HOME"));
    let found = items(&whole(data.path(), &tree).arguments(&["--json"]).run());
    let wrong = found.iter().filter(|item| item["level"] == "error");
    let kinds: Vec<_> = wrong.map(|item| item["kind"].clone()).collect();
    assert_eq!(kinds, ["token-file", "secrets", "journal"]);
    assert_eq!(doctor(data.path(), &[]).code, 0);
}

#[test]
fn the_database_is_not_that_of_another_server() {
    let data = two_families_in_directory();
    let ended = doctor(data.path(), &["--server", "https://example.org/mcp"]);
    assert_eq!(ended.code, 2, "{}", ended.show());
    assert!(ended.stderr.contains("cannot be used with"), "{}", ended.show());
}
