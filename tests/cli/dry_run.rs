//! `dibber dry-run` and `dibber hash`.

use std::fs;

use serde_json::Value;

use crate::support::command::{Dibber, Ended};
use crate::support::{Tree, package};

/// A skill that a child may launch, for tests that change something.
const TIDY_UP: &str = "\
-- tidy-up/SKILL.md --
---
name: tidy-up
description: Helps a child to tidy up. Use it in the evening.
---

Ask {{input.child_name}} to tidy {{input.room}}.
-- tidy-up/sprout.yaml --
label: Tidy up
summary: |
  Helps a child to tidy up a room.
inputs:
  - name: child_name
  - name: room
    required: false
";

fn dry_run(arguments: &[&str]) -> Dibber {
    Dibber::new(["dry-run"]).arguments(arguments).env("COLUMNS", "80")
}

fn shown(arguments: &[&str]) -> String {
    dry_run(arguments).run().show()
}

/// The dry-run of what lies in a directory made for one test.
fn in_tree(tree: &Tree, arguments: &[&str]) -> Ended {
    dry_run(arguments).in_directory(tree.path()).run()
}

fn hash_of(tree: &Tree) -> String {
    let ended = Dibber::new(["hash"]).in_directory(tree.path()).run();
    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""));
    ended.stdout.trim_end().to_owned()
}

fn parse(json: &str) -> Value {
    serde_json::from_str(json).expect("JSON")
}

#[cfg(unix)]
#[test]
fn the_command_to_publish_has_its_hash_in_one_piece() {
    let tree = Tree::from_archive(TIDY_UP, false);
    for columns in ["80", "100", "160"] {
        let dry_run = Dibber::new(["dry-run"]).env("COLUMNS", columns);
        let ended = dry_run.in_directory(tree.path()).run();
        let lines = ended.stdout.lines().filter(|line| line.contains("--expect h_"));
        let [line] = lines.collect::<Vec<_>>()[..] else { panic!("{}", ended.show()) };
        let (_, hash) = line.split_once("--expect ").expect("a hash");
        assert_eq!(hash.trim().len(), 66, "{}", ended.show());
        let width: usize = columns.parse().expect("a number");
        assert!(ended.stdout.lines().all(|line| line.chars().count() <= width), "{}", ended.show());
    }
}

#[test]
fn each_file_that_cannot_be_included_is_explained() {
    let tree = Tree::from_archive(TIDY_UP, false);
    let include = "include: [missing.md, logo.png, data, linked.md, lost.md, outside.md]\n";
    let manifest = tree.read("tidy-up/sprout.yaml") + include;
    tree.write("tidy-up/sprout.yaml", manifest.as_bytes());
    tree.write("tidy-up/logo.png", b"\x89PNG\0");
    tree.write("tidy-up/data/rooms.md", b"Rooms.\n");
    tree.link("tidy-up/linked.md", "data/rooms.md");
    tree.link("tidy-up/lost.md", "gone.md");
    tree.link("tidy-up/outside.md", "/etc/hostname");
    let faults = parse(&in_tree(&tree, &["--json"]).stdout)["items"][0]["faults"].clone();
    let faults = faults.as_array().expect("faults").iter();
    let messages = faults.map(|it| format!("{}\n  {}\n", it["message"], it["help"]));
    insta::assert_snapshot!(messages.collect::<String>());
}

/// Notices and licences are for people, and are not missing from what is sent.
#[test]
fn licences_are_not_listed_as_not_sent() {
    let tree = Tree::from_archive(TIDY_UP, false);
    for file in ["THIRD_PARTY_NOTICES.md", "NOTICE", "licenses/MIT.txt"] {
        tree.write(&format!("tidy-up/{file}"), b"Free.\n");
    }
    let shown = in_tree(&tree, &[]).show();
    assert!(!shown.contains("not sent"), "{shown}");
}

/// A push refuses a skill with a heartbeat that a server would refuse.
#[test]
fn a_heartbeat_without_a_required_input_is_refused() {
    let tree = Tree::from_archive(TIDY_UP, false);
    let heartbeats = "heartbeats:\n  - name: Evening\n    cron: 0 19 * * *\n";
    let manifest = tree.read("tidy-up/sprout.yaml") + heartbeats;
    tree.write("tidy-up/sprout.yaml", manifest.as_bytes());
    let page = in_tree(&tree, &["tidy-up"]);
    let json = parse(&in_tree(&tree, &["tidy-up", "--json"]).stdout);
    assert_eq!(json["items"][0]["policyDecision"]["decision"], "refuse");
    assert_eq!(json["items"][0]["heartbeatFaults"][0]["rule"], "missing-heartbeat-input");
    insta::assert_snapshot!(page.show());
}

#[test]
fn pages() {
    insta::assert_snapshot!(shown(&["fixtures/drafts/daily-check-in"]));
    insta::assert_snapshot!(shown(&["fixtures/drafts/kid-quiz"]));
    insta::assert_snapshot!(shown(&["fixtures/drafts/packing-list"]));
    insta::assert_snapshot!(shown(&["fixtures/drafts/home-helper"]));
    insta::assert_snapshot!(shown(&["fixtures/drafts/schedule-mess"]));
    insta::assert_snapshot!(shown(&["fixtures/drafts/broken-manifest"]));
}

#[test]
fn what_keeps_heartbeats_from_being_set() {
    let heartbeats = "heartbeats:\n  - {name: Evening, cron: 0 18 * * *}\n  \
                      - {name: Supper, cron: 0 18 * * *, input: {child_name: all}}\n";
    let tree = Tree::from_archive(&format!("{TIDY_UP}{heartbeats}"), false);
    let ended = in_tree(&tree, &[]);
    // Two at the same time are set all the same.
    assert!(!ended.stdout.contains("schedule-conflict"), "{}", ended.stdout);
    insta::assert_snapshot!(ended.show());
}

#[test]
fn a_skill_without_words() {
    let tree = Tree::from_archive("-- blank/SKILL.md --\n---\nname: \"\"\n---\n", false);
    insta::assert_snapshot!(in_tree(&tree, &[]).show());
}

#[test]
fn colour() {
    insta::assert_snapshot!(shown(&["fixtures/drafts/kid-quiz", "--color=always"]));
}

#[test]
fn several_skills() {
    let ended = dry_run(&["fixtures/drafts", "nowhere"]).run();
    let decisions = |line: &&str| line.trim_start().starts_with("decision");
    let decisions: Vec<_> = ended.stdout.lines().filter(decisions).map(str::trim).collect();
    insta::assert_snapshot!(format!("{}\n{}{}", ended.code, ended.stderr, decisions.join("\n")));
    let quiet = dry_run(&["fixtures/drafts", "--quiet"]).run();
    assert_eq!((quiet.code, quiet.stderr.as_str()), (3, ""));
    assert_eq!(quiet.stdout, ended.stdout);
}

#[test]
fn nothing_to_look_at() {
    insta::assert_snapshot!(shown(&["src"]));
    let tree = Tree::new();
    let ended = in_tree(&tree, &["--json"]);
    insta::assert_snapshot!(ended.show_without(tree.path()));
}

#[test]
fn json_follows_its_schema() {
    let schema = fs::read_to_string(package().join("schemas/dry-run.schema.json"));
    let schema = parse(&schema.expect("the schema"));
    jsonschema::draft202012::meta::validate(&schema).expect("the schema is a schema");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let runs: [&[&str]; 4] = [
        &["--json", "fixtures/drafts", "nowhere"],
        &["--json", "fixtures/skills"],
        &["--json", "fixtures/problems"],
        &["--json", "fixtures/drafts/kid-quiz", "--input=child_name=Jay", "--input=topic=cats"],
    ];
    for arguments in runs {
        let json = parse(&dry_run(arguments).run().stdout);
        let errors: Vec<_> = validator.iter_errors(&json).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{arguments:?}: {errors:#?}");
    }
}

#[test]
fn json() {
    let pretty = |path: &str| {
        let ended = dry_run(&["--json", path]).run();
        assert_eq!(ended.stderr, "");
        let json = serde_json::to_string_pretty(&parse(&ended.stdout)).expect("JSON");
        format!("exit code: {}\n{json}", ended.code)
    };
    insta::assert_snapshot!(pretty("fixtures/drafts/daily-check-in"));
    insta::assert_snapshot!(pretty("fixtures/drafts/schedule-mess"));
    insta::assert_snapshot!(pretty("fixtures/drafts/broken-manifest"));
}

#[test]
fn arguments() {
    insta::assert_snapshot!(shown(&["--arguments", "fixtures/drafts/kid-quiz"]));
    insta::assert_snapshot!(shown(&["--arguments", "fixtures/drafts/broken-manifest"]));
    insta::assert_snapshot!(shown(&["--arguments", "fixtures/drafts"]));
    let refused = dry_run(&["--arguments", "fixtures/drafts/schedule-mess"]).run();
    assert_eq!((refused.code, refused.stderr.as_str()), (3, ""));
    assert_eq!(parse(&refused.stdout)["name"], "Chores");
}

#[test]
fn the_arguments_have_the_hash() {
    use dibber_skill::spec_hash::SpecHash;
    let skill = "fixtures/drafts/daily-check-in";
    let Value::Object(arguments) = parse(&dry_run(&["--arguments", skill]).run().stdout) else {
        panic!("an object");
    };
    let hash = SpecHash::compute("skill_write", &arguments).expect("a hash").to_string();
    assert_eq!(parse(&dry_run(&["--json", skill]).run().stdout)["items"][0]["specHash"], hash);
    assert_eq!(Dibber::new(["hash", skill]).run().stdout, format!("{hash}\n"));
}

#[test]
fn hashes() {
    let hash = |paths: &[&str]| Dibber::new(["hash"]).arguments(paths).run().show();
    insta::assert_snapshot!(hash(&["fixtures/drafts/kid-quiz"]));
    insta::assert_snapshot!(hash(&["fixtures/drafts"]));
    insta::assert_snapshot!(hash(&["fixtures/drafts/kid-quiz", "nowhere"]));
}

#[test]
fn the_hash_is_the_same_wherever_and_however_the_files_are_written() {
    let tree = Tree::from_archive(TIDY_UP, false);
    let hash = hash_of(&tree);
    assert!(hash.starts_with("h_") && hash.len() == 66, "{hash}");
    let copy = Tree::new();
    for file in ["SKILL.md", "sprout.yaml"] {
        let text = tree.read(&format!("tidy-up/{file}")).replace('\n', "\r\n");
        copy.write(&format!("deep/down/tidy-up/{file}"), text.as_bytes());
    }
    copy.write("deep/down/tidy-up/notes.txt", b"Not part of what is sent.\n");
    assert_eq!(hash_of(&copy), hash);
    copy.write(
        "deep/down/tidy-up/sprout.yaml",
        tree.read("tidy-up/sprout.yaml").replace("Tidy up", "Tidy up!").as_bytes(),
    );
    assert_ne!(hash_of(&copy), hash);
}

#[test]
fn a_skill_that_is_not_certain_has_no_hash() {
    let broken: [(&str, &[u8]); 7] = [
        ("SKILL.md", b"---\nname: tidy-up\ndescription: Tidies \xFF up.\n---\nTidy up.\n"),
        ("SKILL.md", b"---\nname: tidy-up\ndescription: a: b\n---\nTidy up.\n"),
        ("SKILL.md", b"---\nname: tidy-up\nname: tidy\ndescription: a b\n---\nTidy up.\n"),
        ("SKILL.md", b"Tidy up.\n"),
        ("sprout.yaml", b"label: Tidy up\nlabel: Tidy down\n"),
        ("sprout.yaml", b"- label\n"),
        ("sprout.yaml", b"label: Tidy \xFF up\n"),
    ];
    let mut output = String::new();
    for (file, bytes) in broken {
        let tree = Tree::from_archive(TIDY_UP, false);
        tree.write(&format!("tidy-up/{file}"), bytes);
        let ended = Dibber::new(["hash"]).in_directory(tree.path()).run();
        assert_eq!((ended.code, ended.stdout.as_str()), (3, ""), "{}", ended.stderr);
        output += &ended.stderr;
        let ended = in_tree(&tree, &["--json"]);
        let json = parse(&ended.stdout);
        assert_eq!((ended.code, &json["items"][0]["specHash"]), (3, &Value::Null));
    }
    insta::assert_snapshot!(output);
    let tree = Tree::from_archive(TIDY_UP, false);
    let large = tree.read("tidy-up/SKILL.md") + &"Tidy up.\n".repeat(200_000);
    tree.write("tidy-up/SKILL.md", large.as_bytes());
    let ended = Dibber::new(["hash"]).in_directory(tree.path()).run();
    assert_eq!((ended.code, ended.stdout.as_str()), (3, ""));
    assert!(ended.stderr.contains("only the first 1 MiB"), "{}", ended.stderr);
}

#[test]
fn filling_in() {
    let skill = "fixtures/drafts/daily-check-in";
    let child = "--input=child_name={{input.today}}";
    insta::assert_snapshot!(shown(&[skill, child, "--input", "today:={\"day\": 1}"]));
    let json = |arguments: &[&str]| {
        let ended = dry_run(arguments).run();
        let json = parse(&ended.stdout);
        let rendered = json["items"][0]["renderedPrompt"].as_str().unwrap_or("none").to_owned();
        format!("exit code: {}\n{}{rendered}\n", ended.code, ended.stderr)
    };
    insta::assert_snapshot!(json(&["--json", skill]));
    insta::assert_snapshot!(json(&["--json", skill, "--input=note= and more"]));
    insta::assert_snapshot!(json(&[
        "--json",
        skill,
        "--input=child_name=Kim",
        "--input=child_name=Jay=Lee",
        "--input=today=2026-05-23",
        "--input=zebra=1",
        "--input=moon:=2",
    ]));
    insta::assert_snapshot!(json(&["--json", "fixtures/drafts/broken-manifest", "--input=a=1"]));
}

#[test]
fn inputs_from_a_file() {
    let tree = Tree::from_archive(TIDY_UP, false);
    tree.write("inputs.json", b"\xEF\xBB\xBF{\"child_name\": \"Jay\", \"room\": [1, null]}");
    let rendered = |ended: &Ended| parse(&ended.stdout)["items"][0]["renderedPrompt"].clone();
    let ended = in_tree(&tree, &["--json", "--input-file=inputs.json"]);
    assert_eq!(rendered(&ended), "\nAsk Jay to tidy [1,null].\n");
    let ended = in_tree(&tree, &["--json", "--input-file=inputs.json", "--input=room=it"]);
    assert_eq!(rendered(&ended), "\nAsk Jay to tidy it.\n");
    let ended = dry_run(&["--json", "--input-file=-"]).in_directory(tree.path());
    let ended = ended.input("{\"child_name\": \"Jay\"}").run();
    assert_eq!(rendered(&ended), "\nAsk Jay to tidy .\n");
}

#[test]
fn inputs_that_cannot_be_read() {
    let tree = Tree::from_archive(TIDY_UP, false);
    let mut output = String::new();
    for input in ["room", "=it", "room:=it", ":=1", "room:={\"a\":1,\"a\":2}", "\u{1B}[31m"] {
        let ended = in_tree(&tree, &["--input", input]);
        assert_eq!((ended.code, ended.stdout.as_str()), (2, ""));
        output += &ended.stderr;
    }
    let files: [&[u8]; 4] = [b"", b"[1]", b"{\"a\": 1, \"a\": 2}", b"{\"a\": \"\xFF\"}"];
    for bytes in files {
        tree.write("inputs.json", bytes);
        let ended = in_tree(&tree, &["--input-file", "inputs.json"]);
        assert_eq!((ended.code, ended.stdout.as_str()), (2, ""));
        output += &ended.stderr;
    }
    let large = format!("{{\"room\": \"{}\"}}", "x".repeat(1 << 20));
    tree.write("inputs.json", large.as_bytes());
    let ended = in_tree(&tree, &["--input-file", "inputs.json"]);
    assert_eq!(ended.code, 2);
    output += &ended.stderr;
    insta::assert_snapshot!(output);
}

#[test]
fn expecting_a_hash() {
    let tree = Tree::from_archive(TIDY_UP, false);
    let hash = hash_of(&tree);
    let ended = in_tree(&tree, &["--expect", &hash]);
    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""));
    assert!(ended.stdout.contains(&hash));
    let text = tree.read("tidy-up/SKILL.md").replace("Ask", "Tell");
    tree.write("tidy-up/SKILL.md", text.as_bytes());
    insta::assert_snapshot!(in_tree(&tree, &["--expect", &hash]).show());
    let ended = in_tree(&tree, &["--expect", &hash, "--arguments"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (3, ""));
    let ended = in_tree(&tree, &["--expect", &hash, "--json"]);
    assert_eq!(ended.code, 3);
    assert_ne!(parse(&ended.stdout)["items"][0]["specHash"], hash);
    tree.write("tidy-up/sprout.yaml", b"- label\n");
    let ended = in_tree(&tree, &["--expect", &hash, "--quiet"]);
    insta::assert_snapshot!(format!("exit code: {}\n{}", ended.code, ended.stderr));
    insta::assert_snapshot!(in_tree(&tree, &["--expect", "h_12"]).show());
}

#[test]
fn saving_a_preview_and_seeing_what_has_changed() {
    let tree = Tree::from_archive(TIDY_UP, false);
    let hash = hash_of(&tree);
    let ended = in_tree(&tree, &["--save", "preview.json"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""));
    let saved = tree.read("preview.json");
    insta::assert_snapshot!(saved);
    let ended = in_tree(&tree, &["--save", "preview.json", "--expect", &hash]);
    assert_eq!((ended.code, tree.read("preview.json")), (0, saved.clone()));
    let text = tree.read("tidy-up/SKILL.md").replace("Ask", "Tell\u{202E}");
    tree.write("tidy-up/SKILL.md", text.as_bytes());
    let manifest = tree.read("tidy-up/sprout.yaml").replace("  - name: room", "  - name: place");
    tree.write("tidy-up/sprout.yaml", format!("{manifest}kidCallable: false\n").as_bytes());
    insta::assert_snapshot!(in_tree(&tree, &["--save", "preview.json", "--expect", &hash]).show());
    let machine = ["--save", "preview.json", "--expect", &hash, "--json"];
    let ended = in_tree(&tree, &machine);
    assert!(ended.stderr.contains("--- a/prompt"), "{}", ended.stderr);
    assert_eq!(parse(&ended.stdout)["version"], 2);
    let other = format!("h_{}", "0".repeat(64));
    let ended = in_tree(&tree, &["--save", "preview.json", "--expect", &other]);
    assert!(
        ended.stderr.contains("the saved preview also has a different spec-hash"),
        "{}",
        ended.stderr
    );
    assert_eq!(tree.read("preview.json"), saved);
}

#[test]
fn a_file_that_is_not_a_preview_is_never_overwritten() {
    let tree = Tree::from_archive(TIDY_UP, false);
    in_tree(&tree, &["--save", "preview.json"]);
    let saved = tree.read("preview.json");
    let strangers = [
        String::new(),
        "Dear diary".to_owned(),
        "{\"version\": 1}".to_owned(),
        saved.replace("\"version\": 1", "\"version\": 2"),
        saved.replace("Ask", "Tell"),
        saved.replace("\"specHash\": \"h_", "\"specHash\": \"h"),
        saved.replace("\"version\": 1", "\"version\": 1, \"version\": 1"),
    ];
    let mut output = String::new();
    for stranger in strangers {
        tree.write("preview.json", stranger.as_bytes());
        let ended = in_tree(&tree, &["--save", "preview.json"]);
        assert_eq!((ended.code, ended.stdout.as_str()), (2, ""));
        assert_eq!(tree.read("preview.json"), stranger);
        output += &ended.stderr;
    }
    insta::assert_snapshot!(output);
    fs::remove_file(tree.path().join("preview.json")).expect("a file");
    tree.write("tidy-up/sprout.yaml", b"- label\n");
    let ended = in_tree(&tree, &["--save", "preview.json"]);
    assert_eq!(ended.code, 3);
    assert!(!tree.path().join("preview.json").exists());
}

#[test]
fn options_for_one_skill() {
    let hash = format!("h_{}", "0".repeat(64));
    let options =
        [["--input", "a=1"], ["--input-file", "/dev/null"], ["--expect", &hash], ["--save", "x"]];
    for option in options.iter().skip(2) {
        let ended = dry_run(option).arguments(&["fixtures/drafts"]).run();
        assert_eq!((ended.code, ended.stdout.as_str()), (2, ""), "{option:?}");
        assert!(ended.stderr.contains("takes one skill, but 6 were found"), "{}", ended.stderr);
    }
    let ended = dry_run(&options[0]).arguments(&["fixtures/drafts"]).run();
    assert!(ended.stderr.contains("`--input` takes one skill"), "{}", ended.stderr);
    insta::assert_snapshot!(shown(&["--arguments", "--json", "fixtures/drafts/kid-quiz"]));
}

#[test]
fn neither_waivers_nor_dibber_toml_are_asked() {
    let tree = Tree::from_archive(
        "\
-- dibber.toml --
[lint]
exclude = [\"**\"]
-- tidy-up/SKILL.md --
---
name: tidy-up
description: Helps a child to tidy up. Use it in the evening.
# dibber: allow undeclared-placeholder — it is somebody else's
---
Ask {{input.who}} to tidy up.
-- tidy-up/sprout.yaml --
inputs: []
",
        false,
    );
    insta::assert_snapshot!(in_tree(&tree, &[]).show());
}

#[test]
fn hostile_text_is_escaped() {
    let tree = Tree::from_archive(
        "\
-- tidy-up/SKILL.md --
---
name: tidy-up
description: Helps a child to tidy up. Use it in the evening.
---
Ask \\x1b[31m{{input.who}}\\u{202E} to\ttidy up.\\x0d
    A line that is long enough to need a second one, and is set in, as code is in Markdown.
-- tidy-up/sprout.yaml --
label: \"Tidy\\x5cx1b[2J up\"
summary: \"One\\x5cnTwo\\x5cu202e\"
hands: [\"a\\x5cx07\"]
",
        true,
    );
    insta::assert_snapshot!(in_tree(&tree, &[]).show());
    for arguments in [&["--json"][..], &["--arguments"], &["--color=always"]] {
        let ended = in_tree(&tree, arguments);
        let text = ended.stdout.replace("\u{1B}[0m", "");
        assert!(!text.contains(['\u{202E}', '\u{7}', '\r']), "{text}");
        assert!(!text.contains("\u{1B}[31m{{") && !text.contains("\u{1B}[2J"), "{text}");
    }
    let json = parse(&in_tree(&tree, &["--json"]).stdout);
    assert_eq!(json["items"][0]["previewSkill"]["name"], "Tidy\u{1B}[2J up");
    let arguments = parse(&in_tree(&tree, &["--arguments"]).stdout);
    assert_eq!(arguments["name"], "Tidy\u{1B}[2J up");
}

#[test]
fn secrets_stay_where_they_are() {
    let tree = Tree::from_archive(TIDY_UP, false);
    // Put together here, so that no scanner finds a secret in this file.
    let secret = format!("AKIA{}", "QYLPMN5HHHFPZAM2");
    let text = tree.read("tidy-up/SKILL.md") + &format!("Use {secret} for it.\n");
    tree.write("tidy-up/SKILL.md", text.as_bytes());
    let runs: [&[&str]; 4] =
        [&[], &["--json"], &["--arguments"], &["--save=x", "--input=child_name=Jay"]];
    for arguments in runs {
        let ended = in_tree(&tree, arguments);
        assert!(!ended.show().contains(&secret), "{}", ended.show());
    }
    insta::assert_snapshot!(in_tree(&tree, &["--arguments"]).show());
    assert!(!tree.path().join("x").exists());
}

#[test]
fn a_reader_that_goes_away() {
    for arguments in [&["fixtures/drafts"][..], &["fixtures/drafts", "--json"]] {
        let ended = dry_run(arguments).run_with_closed_pipe();
        assert!(!ended.stderr.contains("error"), "{}", ended.stderr);
    }
}
