//! `dibber family` and `dibber guide`, over the server in the program.

use std::fs;

use dibber_server::store::{self, DatabaseAddress};
use dibber_skill::names::Name;
use insta::assert_snapshot;
use jsonschema::Validator;
use tempfile::TempDir;

use crate::support::command::{Dibber, Ended};
use crate::support::server_process::Serving;
use crate::support::{Tree, package};
use ids::without_ids;

/// A database of one test.
struct TestDatabase {
    data: TempDir,
}

impl TestDatabase {
    fn new() -> Self {
        Self { data: TempDir::new().expect("a temporary directory") }
    }

    fn family(&self, arguments: &[&str]) -> Dibber {
        Dibber::new(["family"]).arguments(arguments).data(self.data.path()).env("COLUMNS", "80")
    }

    fn run(&self, arguments: &[&str]) -> Ended {
        self.family(arguments).run()
    }

    /// The output of several runs, without the parts that vary.
    fn show(&self, runs: &[&[&str]]) -> String {
        let shown = runs.iter().map(|run| {
            let ended = self.run(run).show_without(self.data.path());
            format!("$ dibber family {}\n{}\n", run.join(" "), without_ids(&ended))
        });
        shown.collect()
    }
}

/// Ids without their chance.
mod ids {
    const PREFIXES: [&str; 6] = ["fam_", "usr_", "kid_", "chat_", "th_", "dib_"];

    pub(super) fn without_ids(text: &str) -> String {
        let mut out = text.to_owned();
        for prefix in PREFIXES {
            let mut parts = out.split(prefix);
            let mut cleaned = parts.next().unwrap_or_default().to_owned();
            for part in parts {
                cleaned += prefix;
                cleaned += "…";
                cleaned += part.trim_start_matches(|c: char| c.is_ascii_hexdigit());
            }
            out = cleaned;
        }
        out.split_inclusive([' ', '\n', '"']).map(without_uuid).collect()
    }

    fn without_uuid(word: &str) -> String {
        let id = word.trim_end_matches([' ', '\n', '"']);
        let is_uuid = id.len() == 36 && id.split('-').count() == 5;
        if is_uuid { word.replace(id, "UUID") } else { word.to_owned() }
    }
}

#[test]
fn a_family_is_filled_and_shown() {
    let test_database = TestDatabase::new();
    // The age does not depend on the day of the test.
    let child = test_database.family(&["add-child", "--born", "2019-01-01", "--name", "-"]);
    let child = child.input("Ottilie\n").run();
    assert_eq!(child.code, 0, "{}", child.show());
    insta::assert_snapshot!(test_database.show(&[
        &["add-member", "The aunt of Ottilie"],
        &["add-canvas", "Ottilie's puzzle", "--emoji", "🧩", "--ages", "5-7"],
        &["add-canvas", "An old one"],
        &["token", "--output", "-", "--scope", "skill:read"],
    ]));
    let shown = without_ids(&test_database.run(&["show"]).show_without(test_database.data.path()));
    let shown: String = shown
        .split_inclusive('\n')
        .map(|line| match line.split_once("kid_…") {
            Some((before, _)) => format!("{before}kid_…  AGE\n"),
            None => line.to_owned(),
        })
        .collect();
    insta::assert_snapshot!(shown);
}

#[test]
fn a_damaged_name_does_not_hide_the_others() {
    let test_database = TestDatabase::new();
    for name in ["Ottilie", "Zebedee"] {
        let add = test_database.family(&["add-child", "--born", "2019-01-01", "--name", "-"]);
        let added = add.input(format!("{name}\n")).run();
        assert_eq!(added.code, 0, "{}", added.show());
    }
    let data = test_database.data.path();
    let database = rusqlite::Connection::open(store::database_path(data)).expect("a database");
    let damage = "UPDATE children SET name = CAST(x'ff' AS TEXT) WHERE name = 'Ottilie'";
    assert_eq!(database.execute(damage, []).expect("a change"), 1);
    drop(database);
    let names = store::child_names(&DatabaseAddress::Directory(data.to_owned())).expect("names");
    assert!(names == [Name::parse("Zebedee").expect("a name")]);
}

#[test]
fn a_family_has_the_zone_of_the_computer_on_which_it_was_created() {
    let test_database = TestDatabase::new();
    let zone_with = |zone: &str, arguments: &[&str]| {
        let ended = test_database.family(&[arguments, &["--json"]].concat()).env("TZ", zone).run();
        let shown: serde_json::Value = serde_json::from_str(&ended.stdout).expect("JSON");
        shown["timeZone"].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(zone_with("Europe/Berlin", &["show"]), "Europe/Berlin");
    assert_eq!(zone_with("Asia/Tokyo", &["show"]), "Europe/Berlin");
    zone_with("Asia/Tokyo", &["add-member", "Bo", "--family", "away"]);
    assert_eq!(zone_with("UTC", &["show", "--family", "away"]), "Asia/Tokyo");
}

#[test]
fn a_missing_date_of_birth_is_shown_in_the_whole_command() {
    let ended = TestDatabase::new().run(&["add-child", "Ottilie"]);
    let help = "help: write it as in `dibber family add-child NAME --born 2019-04-30`\n";
    assert!(ended.code == 2 && ended.stderr.ends_with(help), "{}", ended.show());
    assert!(!ended.stderr.contains("Ottilie"), "{}", ended.show());
}

#[test]
fn a_name_that_is_a_common_word_is_said_not_to_be_found_in_lowercase() {
    let test_database = TestDatabase::new();
    let note = "the name is a common word, too, and is not found in lowercase; `dibber names add \
                --any-case` adds it";
    for (name, is_noted) in [("Jay", true), ("Ottilie", false)] {
        let ended = test_database.run(&["add-child", name, "--born", "2019-04-30"]);
        assert_eq!((ended.code, ended.stderr.contains(note)), (0, is_noted), "{}", ended.show());
    }
}

#[test]
fn the_private_list_is_named_to_those_whose_child_is_not_on_it() {
    let test_database = TestDatabase::new();
    let names = Tree::new();
    names.write("names", b"Ottilie\n");
    let path = names.path().join("names");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("a file");
    }
    for (name, is_named) in [("Ottilie", false), ("Zebulon", true)] {
        let add = test_database.family(&["add-child", name, "--born", "2019-04-30"]);
        let ended = add.env("DIBBER_NAMES", &path.to_string_lossy()).run();
        let has_hint = ended.stderr.contains("`dibber names add`");
        assert!(ended.code == 0 && has_hint == is_named, "{}", ended.show());
    }
}

#[test]
fn no_name_of_a_child_is_shown() {
    let test_database = TestDatabase::new();
    let (born, name) = ("2019-04-30", "Ottilie");
    let runs: [&[&str]; 11] = [
        &["add-child", name],
        &["add-child", "--born", born, "--name", name],
        &["add-child", name, "Marie", "--born", born],
        &["add-child", "--born", born, "--name", name],
        &["add-child", "--born", born, "--name", "~Ottilie"],
        &["add-child", "--born", "2999-01-01", "--name", name],
        &["add-child", "--born", "x", "--name", name],
        &["add-child", name, "--born", born],
        &["add-canvas", "For Ottilie"],
        &["show"],
        &["show", "--json"],
    ];
    for run in runs {
        let ended = test_database.run(run);
        assert!(!ended.stdout.contains(name) && !ended.stderr.contains(name), "{}", ended.show());
    }
}

#[test]
fn the_name_of_a_child_is_typed_after_the_command() {
    let test_database = TestDatabase::new();
    for run in [
        &["add-child", "Anna", "Lena", "--born", "2019-04-30"][..],
        &["add-child", "Mia Sophie", "--born", "2019-04-30"],
        &["add-child", "--name", "Jan-Ole", "--born", "2019-04-30"],
    ] {
        let ended = test_database.run(run);
        assert_eq!(ended.code, 0, "{}", ended.show());
    }
}

#[test]
fn bad_input_is_refused() {
    let test_database = TestDatabase::new();
    let long = "x".repeat(200);
    insta::assert_snapshot!(test_database.show(&[
        &["add-child", "--born", "2999-01-01", "--name", "Ada"],
        &["add-child", "--born", "20190430", "--name", "Ada"],
        &["add-child", "--born", "2019-04-30", "--name", " "],
        &["add-child", "--born", "2019-04-30", "--name", "A\u{1B}[31mda"],
        &["add-child", "--born", "2019-04-30"],
        &["add-child", "Ada", "--name", "Ada", "--born", "2019-04-30"],
        &["add-canvas", "Maze", "--ages", "7-5"],
        &["add-canvas", "\u{1B}[31m"],
        &["add-member", ""],
        &["add-member", &long],
        &["show", "--family", "hme"],
        &["--family", "garden", "token", "--output", "-"],
        &["token"],
        &["token", "--output", "-", "--scope", "skill"],
        &["token", "--output", "-", "--member", "usr_x"],
        &["archive-skill", "plan"],
        &["archive-skill", "plan", "--yes"],
    ]));
}

#[test]
fn adding_to_another_family_creates_it() {
    let test_database = TestDatabase::new();
    insta::assert_snapshot!(test_database.show(&[
        &["--family", "garden", "show"],
        &["--family", "garden", "add-member", "Bo"],
        &["--family", "garden", "show"],
    ]));
}

#[test]
fn a_token_in_a_file_is_for_its_owner_alone() {
    let test_database = TestDatabase::new();
    let file = test_database.data.path().join("token");
    let ended = test_database.run(&["token", "--output", &file.to_string_lossy()]);
    assert_eq!((ended.code, ended.stdout.as_str()), (0, ""), "{}", ended.show());
    let token = fs::read_to_string(&file).expect("a token");
    assert!(token.starts_with("dib_") && !ended.stderr.contains(token.trim()), "{}", ended.show());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(&file).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

#[test]
fn a_token_can_be_revoked() {
    let test_database = TestDatabase::new();
    let token = || test_database.run(&["token", "--output", "-"]).stdout;
    let (_, _) = (token(), token());
    insta::assert_snapshot!(test_database.show(&[
        &["token", "--revoke-all"],
        &["token", "--revoke-all"],
        &["token", "--revoke", "tok_0"],
    ]));
    let both = test_database.run(&["token", "--revoke-all", "--output", "-"]);
    assert_eq!((both.code, both.stdout.as_str()), (2, ""), "{}", both.show());
}

#[test]
fn tokens_are_listed_and_revoked_one_by_one() {
    let test_database = TestDatabase::new();
    let validator = schema("tokens");
    let list = || {
        let ended = test_database.run(&["token", "--list", "--json"]);
        check(&validator, &ended.stdout);
        let json: serde_json::Value = serde_json::from_str(&ended.stdout).expect("JSON");
        json["items"].as_array().expect("items").clone()
    };
    assert_eq!(list().len(), 0);
    let issue = |arguments: &[&str]| {
        let ended = test_database.run(&[&["token", "--output", "-"], arguments].concat());
        assert_eq!(ended.code, 0, "{}", ended.show());
        ended.stdout.trim().to_owned()
    };
    let secret = issue(&["--name", "Claude", "--expires", "30d", "--scope", "skill:read"]);
    issue(&[]);
    let tokens = list();
    assert_eq!((&tokens[0]["name"], &tokens[1]["name"]), (&"Claude".into(), &().into()));
    assert!(tokens[0]["expiresAt"].is_string() && tokens[1]["expiresAt"].is_null());
    let id = tokens[0]["tokenId"].as_str().expect("an id");
    let shown = test_database.run(&["token", "--list"]);
    assert!(shown.stdout.starts_with(&format!("{id}  Claude  issued ")), "{}", shown.show());
    assert!(!shown.stdout.contains(&secret), "{}", shown.show());
    let revoked = test_database.run(&["token", "--revoke", id]);
    assert_eq!((revoked.code, revoked.stderr), (0, format!("revoked {id}\n")));
    assert_eq!(list(), tokens[1..]);
}

#[test]
fn a_token_that_cannot_be_written_is_not_valid() {
    let test_database = TestDatabase::new();
    let file = test_database.data.path().join("nowhere/token").to_string_lossy().into_owned();
    let ended = test_database.run(&["token", "--output", &file]);
    assert_eq!(ended.code, 2, "{}", ended.show());
    assert!(ended.stderr.contains("no token was issued"), "{}", ended.show());
    assert_eq!(test_database.run(&["token", "--list"]).stdout, "");
    for (time, reason) in
        [("30", "invalid value"), ("-1d", "in the future"), ("0d", "in the future")]
    {
        let expires = format!("--expires={time}");
        let ended = test_database.run(&["token", "--output", "-", &expires]);
        assert_eq!((ended.code, ended.stdout.as_str()), (2, ""), "{}", ended.show());
        assert!(ended.stderr.contains(reason), "{}", ended.show());
    }
}

#[test]
fn several_processes_add_at_once() {
    let test_database = TestDatabase::new();
    std::thread::scope(|scope| {
        for number in 0..4 {
            let test_database = &test_database;
            scope.spawn(move || {
                let ended = test_database.run(&[
                    "add-canvas",
                    &format!("Canvas {number}"),
                    "--ages",
                    "5-7",
                ]);
                assert_eq!(ended.code, 0, "{}", ended.show());
            });
        }
    });
    let shown: serde_json::Value =
        serde_json::from_str(&test_database.run(&["show", "--json"]).stdout).expect("JSON");
    assert_eq!(shown["canvases"].as_array().map(Vec::len), Some(4));
    assert_eq!(shown["members"].as_array().map(Vec::len), Some(1));
}

#[test]
fn json_has_its_schema() {
    let test_database = TestDatabase::new();
    let schema = schema("family");
    let runs: [&[&str]; 4] = [
        &["add-child", "--born", "2019-04-30", "--name", "Ada", "--json"],
        &["add-member", "Bo", "--json"],
        &["add-canvas", "Maze", "--json"],
        &["show", "--json"],
    ];
    for run in runs {
        check(&schema, &test_database.run(run).stdout);
    }
    assert!(!schema.is_valid(&serde_json::json!({"version": 1, "children": [{"name": "Ada"}]})));
}

#[test]
fn guides() {
    let guide =
        |arguments: &[&str]| Dibber::new(["guide"]).arguments(arguments).env("COLUMNS", "80").run();
    insta::assert_snapshot!(guide(&[]).show());
    insta::assert_snapshot!(guide(&["cooking"]).show());
    let schema = schema("guide");
    check(&schema, &guide(&["--json"]).stdout);
    for name in ["skill", "heartbeat", "canvas"] {
        let (page, raw) = (guide(&[name]), guide(&[name, "--raw"]));
        assert_eq!((page.code, raw.code), (0, 0), "{}", page.show());
        assert!(raw.stdout.starts_with("# ") && !page.stdout.starts_with('#'), "{}", page.stdout);
        let is_fitting = |line: &&str| line.chars().count() <= 80 || line.starts_with("      ");
        let long: Vec<_> = page.stdout.lines().filter(|line| !is_fitting(line)).collect();
        assert!(long.is_empty(), "{long:#?}");
        check(&schema, &guide(&[name, "--json"]).stdout);
    }
}

fn schema(name: &str) -> Validator {
    let path = package().join(format!("schemas/{name}.schema.json"));
    let schema = fs::read_to_string(path).expect("the schema");
    let schema = serde_json::from_str(&schema).expect("JSON");
    jsonschema::draft202012::meta::validate(&schema).expect("the schema is a schema");
    jsonschema::validator_for(&schema).expect("a schema")
}

fn check(schema: &Validator, printed: &str) {
    let json = serde_json::from_str(printed).unwrap_or_else(|error| panic!("{error}: {printed}"));
    let errors: Vec<_> = schema.iter_errors(&json).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:#?}\n{printed}");
}

#[test]
fn a_token_that_may_only_read_skills_shows_the_changes() {
    let server = Serving::start();
    let tree = Tree::new();
    let token = tree.path().join("token");
    let token = token.to_string_lossy();
    let issue = ["family", "token", "--scope", "skill:read", "--output", &token];
    assert_eq!(Dibber::new(issue).data(&server.data).run().code, 0);
    let text = "---\nname: cook\ndescription: Cooks. Use it at noon.\n---\n\n# Cook\n\nBoil.\n";
    tree.write("cook/SKILL.md", text.as_bytes());
    let push = Dibber::new(["push", "cook", "--yes"]).data(&server.data);
    assert_eq!(push.in_directory(tree.path()).run().code, 0);
    tree.write("cook/SKILL.md", text.replace("Boil", "Bake").as_bytes());
    let url = format!("http://{}/mcp", server.address);
    let server = ["--server", &url, "--token-file", &token];
    let run =
        |command: &[&str]| Dibber::new(command).arguments(&server).in_directory(tree.path()).run();
    let diff = run(&["diff", "cook", "--exit-code"]);
    assert!(diff.code == 1 && diff.stdout.contains("+Bake."), "{}", diff.show());
    assert!(diff.stdout.contains("needs a token with the scope"), "{}", diff.show());
    let json = run(&["diff", "cook", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!(json["items"][0]["action"], "update");
    assert_eq!(json["items"][0]["policyDecision"], serde_json::Value::Null);
    assert_eq!(run(&["push", "cook", "--dry-run"]).code, 4);
    let heartbeat = "heartbeats:\n  - name: Tea\n    cron: 0 9 * * *\n    tz: Europe/Berlin\n";
    tree.write("cook/sprout.yaml", heartbeat.as_bytes());
    let diff = run(&["diff", "cook", "--exit-code"]);
    assert!(diff.code == 1 && diff.stdout.contains("+Bake."), "{}", diff.show());
    let stderr = diff.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(stderr.contains("the heartbeats are not compared: "), "{}", diff.show());
    assert!(stderr.contains("scope `heartbeat:read`"), "{}", diff.show());
    assert_eq!(run(&["diff", "cook", "--no-heartbeats"]).stderr, "");
    for pull in [&["cook"][..], &["--all", "--dry-run"], &["cook", "--json"]] {
        let pull = run(&[&["pull"], pull].concat());
        let stderr = pull.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(pull.code, 0, "{}", pull.show());
        assert!(stderr.contains("the heartbeats are not compared: "), "{}", pull.show());
        assert!(stderr.contains("scope `heartbeat:read`"), "{}", pull.show());
    }
    let archive = run(&["skill", "archive", "cook", "--yes"]);
    assert_eq!(archive.code, 4, "{}", archive.show());
    assert!(archive.stderr.contains("the scope `skill:write`"), "{}", archive.show());
}

#[test]
fn a_token_without_a_scope_is_told_which_one_is_missing() {
    let server = Serving::start();
    let tree = Tree::new();
    let token = tree.path().join("token");
    let token = token.to_string_lossy();
    let issue = ["family", "token", "--scope", "skill:read", "--output", &token];
    assert_eq!(Dibber::new(issue).data(&server.data).run().code, 0);
    tree.write(
        "cook/SKILL.md",
        b"---\nname: cook\ndescription: Cooks. Use it at noon.\n---\n\n# Cook\n\nBoil.\n",
    );
    let url = format!("http://{}/mcp", server.address);
    let mut shown = String::new();
    for command in [
        &["call", "skill.write", "name=Cook"] as &[&str],
        &["push", "cook", "--yes"],
        &["diff", "cook"],
        &["heartbeat", "list"],
        &["call", "skill_list"],
        &["call", "task_create"],
    ] {
        let ended = Dibber::new(command)
            .arguments(&["--server", &url, "--token-file", &token])
            .in_directory(tree.path())
            .run();
        let ended = ended.show_without(tree.path()).replace(&server.address, "ADDRESS");
        shown += &format!("$ dibber {}\n{ended}", command.join(" "));
    }
    assert_snapshot!(shown);
}
