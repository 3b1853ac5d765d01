//! `dibber lint`: which rules it checks, which reports it writes, and where.

use std::fs;

use serde_json::Value;

use crate::support::command::Dibber;
use crate::support::{Tree, package};

/// Two skills with findings of four rules, in a repository.
fn repository() -> Tree {
    let tree = Tree::from_archive(
        "-- skills/garden/SKILL.md --
---
name: Garden
description: Waters the plants on the balcony. Use when somebody asks about dry soil.
allowed-tools: [Read, Grep]
---

# Garden

The [tap](references/tap.md) and the [hose](references/hose.md).
-- skills/kitchen/SKILL.md --
---
name: kitchen
description: Cooks <soup> for the family. Use when somebody is hungry.
author: Ada
---

# Kitchen

The pots are in [the list](references/pots.md).

TODO: say which pot
",
        false,
    );
    fs::create_dir(tree.path().join(".git")).expect("a directory");
    tree
}

fn show(tree: &Tree, arguments: &[&str]) -> String {
    Dibber::lint(tree.path(), arguments).run().show_without(tree.path())
}

/// The output of several runs, each after its command line.
fn show_all(runs: &[&[&str]]) -> String {
    let tree = repository();
    let runs = runs.iter().map(|arguments| {
        format!("$ dibber lint {}\n{}\n", arguments.join(" "), show(&tree, arguments))
    });
    runs.collect()
}

#[test]
fn selected_and_ignored_rules() {
    let concise = |arguments: &[&'static str]| -> Vec<&'static str> {
        [&["--format", "concise"][..], arguments].concat()
    };
    let runs = [
        concise(&["--select", "broken-link"]),
        concise(&["--select", "spec,writing", "--ignore", "unknown-field"]),
        concise(&["--select", "broken-link", "--ignore", "all"]),
        concise(&["--ignore", "structure,invalid-name"]),
        // Allowed by default, so its own name turns it on.
        concise(&["--select", "angle-brackets-in-description"]),
        concise(&["--select", "angle-brackets-in-description", "--level", "portability=deny"]),
        concise(&["--select", "broken-lnk"]),
        concise(&["--ignore", "zebra"]),
    ];
    let runs: Vec<&[&str]> = runs.iter().map(Vec::as_slice).collect();
    insta::assert_snapshot!(show_all(&runs));
}

#[test]
fn an_override_does_not_turn_on_what_is_not_selected() {
    let tree = repository();
    tree.write(
        "dibber.toml",
        b"[[lint.overrides]]\npaths = [\"skills/kitchen/**\"]\nlevels = { all = \"deny\" }\n",
    );
    let arguments = ["--format", "concise", "--select", "broken-link"];
    insta::assert_snapshot!(show(&tree, &arguments));
}

#[test]
fn statistics() {
    insta::assert_snapshot!(show_all(&[
        &["--statistics"],
        &["--statistics", "--select", "security"],
        &["--statistics", "--format", "sarif"],
    ]));
    let json = Dibber::lint(repository().path(), ["--statistics", "--json"]).run();
    let value: Value = serde_json::from_str(&json.stdout).expect("JSON");
    let schema = fs::read_to_string(package().join("schemas/lint-statistics.schema.json"));
    let schema: Value = serde_json::from_str(&schema.expect("the schema")).expect("JSON");
    jsonschema::draft202012::meta::validate(&schema).expect("a schema");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let errors: Vec<_> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    insta::assert_snapshot!(json.show());
}

#[test]
fn json_is_the_same_twice() {
    let tree = repository();
    let run = |arguments: &[&str]| Dibber::lint(tree.path(), arguments).run();
    let json = run(&["--json"]);
    assert_eq!(json.code, 1);
    assert_eq!(json.stdout, run(&["--format", "json"]).stdout);
    let error = run(&["--json", "--select", "zebra"]);
    insta::assert_snapshot!(error.show());
}

#[test]
fn several_reports_of_one_run() {
    let tree = repository();
    let arguments = [
        "--format",
        "github",
        "--format",
        "sarif=out.sarif",
        "--format",
        "junit=out.xml",
        "skills",
    ];
    let ended = Dibber::lint(tree.path(), arguments).run();
    assert!(ended.stdout.starts_with("::error file=skills/garden/SKILL.md"), "{}", ended.show());
    for (format, file) in [("sarif", "out.sarif"), ("junit", "out.xml")] {
        let alone = Dibber::lint(tree.path(), ["--format", format, "skills"]).run();
        assert_eq!(alone.stdout, tree.read(file), "{format}");
    }
    // A report in a file comes besides the one for people.
    let ended = Dibber::lint(tree.path(), ["--format", "gitlab=out.json", "--quiet"]).run();
    let human = Dibber::lint(tree.path(), ["--quiet"]).run();
    assert_eq!(ended.stdout, human.stdout);
    assert!(tree.read("out.json").starts_with('['));
    insta::assert_snapshot!(show_all(&[
        &["--format", "json", "--format", "github"],
        &["--json", "--format", "json"],
        &["--format", "json=a", "--format", "sarif=a"],
        &["--format", "json=a", "--format", "sarif=./a"],
        &["--format", "json=a", "--format", "sarif=skills/../a"],
        &["--format", "json=a", "-o", "./a"],
        &["--format", "json="],
        &["--format", "xml=out.xml"],
    ]));
}

#[cfg(unix)]
#[test]
fn two_reports_do_not_meet_behind_a_link() {
    let tree = repository();
    tree.write("a", b"");
    std::os::unix::fs::symlink("a", tree.path().join("b")).expect("a link");
    insta::assert_snapshot!(show(&tree, &["--format", "json=a", "--format", "sarif=b"]));
    assert_eq!(tree.read("a"), "");
}

#[cfg(unix)]
#[test]
fn the_name_of_a_report_is_not_changed() {
    use std::os::unix::ffi::OsStrExt;
    let tree = repository();
    let typed = std::ffi::OsStr::from_bytes(b"json=a\xFF");
    let run = Dibber::lint(tree.path(), [std::ffi::OsStr::new("--format"), typed]).run();
    insta::assert_snapshot!(run.show_without(tree.path()));
    let names = fs::read_dir(tree.path()).expect("a directory");
    let names = names.map(|entry| entry.expect("an entry").file_name());
    assert!(names.into_iter().all(|name| name == "skills" || name == ".git"));
}

#[test]
fn a_dash_is_standard_output() {
    let tree = repository();
    let run = |arguments: &[&str]| Dibber::lint(tree.path(), arguments).run().stdout;
    let concise = run(&["--format", "concise"]);
    assert_eq!(run(&["--format", "concise", "-o", "-"]), concise);
    assert_eq!(run(&["--format", "concise=-"]), concise);
    assert!(!tree.path().join("-").exists());
}

#[test]
fn annotations_in_github_actions() {
    let tree = repository();
    let run = |arguments: &[&str]| {
        Dibber::lint(tree.path(), arguments).env("GITHUB_ACTIONS", "true").run()
    };
    let human = Dibber::lint(tree.path(), ["--quiet"]).run();
    let both = run(&["--quiet"]);
    assert_eq!(both.stdout, human.stdout);
    insta::assert_snapshot!(both.stderr);
    assert!(run(&["--format", "sarif=out.sarif"]).stderr.contains("::error"));
    for chosen in [
        &["--format", "human"][..],
        &["--json"],
        &["--output", "out.txt"],
        &["--format", "github=out.txt"],
    ] {
        assert!(!run(chosen).stderr.contains("::error"), "{chosen:?}");
    }
}

#[test]
fn paths_begin_at_the_root_of_the_repository() {
    let tree = repository();
    let skills = tree.path().join("skills");
    let real = tree.path().canonicalize().expect("a directory");
    let absolute = real.join("skills/garden").to_string_lossy().into_owned();
    for format in ["github", "gitlab", "sarif", "junit"] {
        let expected = Dibber::lint(tree.path(), ["--format", format, "skills/garden"]).run();
        for (directory, path) in [
            (&skills, "garden"),
            (&skills, "../skills/garden"),
            (&skills.join("kitchen"), &absolute),
        ] {
            let found = Dibber::lint(directory, ["--format", format, path]).run();
            let same = |text: &str| without_fingerprints(text);
            assert_eq!(same(&found.stdout), same(&expected.stdout), "{format} {path}");
        }
    }
    let concise = Dibber::lint(&skills, ["--format", "concise", "garden"]).run();
    assert!(concise.stdout.starts_with("garden/SKILL.md"), "{}", concise.stdout);
}

/// A fingerprint is made of the path as it was given.
fn without_fingerprints(text: &str) -> String {
    let is_digit = |c: char| c.is_ascii_hexdigit();
    let words = text.split('"').map(|word| {
        if word.len() >= 16 && word[..16].chars().all(is_digit) { "FINGERPRINT" } else { word }
    });
    words.collect::<Vec<_>>().join("\"")
}

#[test]
fn colour() {
    let tree = repository();
    let is_coloured = |arguments: &[&str], variables: &[(&str, &str)]| {
        let run = Dibber::lint(tree.path(), ["--format", "concise"]).arguments(arguments);
        let run = variables.iter().fold(run, |run, (name, value)| run.env(name, value));
        run.run().stdout.contains('\u{1B}')
    };
    let forced = ("FORCE_COLOR", "1");
    for (arguments, variables, expected) in [
        (&[][..], &[][..], false),
        (&[], &[forced], true),
        (&[], &[("FORCE_COLOR", "0")], false),
        (&[], &[("CLICOLOR_FORCE", "1")], true),
        (&[], &[("CLICOLOR_FORCE", "0")], false),
        (&[], &[forced, ("NO_COLOR", "1")], false),
        (&["--color", "always"], &[("NO_COLOR", "1")], true),
        (&["--color", "never"], &[forced], false),
    ] {
        assert_eq!(is_coloured(arguments, variables), expected, "{arguments:?} {variables:?}");
    }
}

#[test]
fn fixes_are_listed() {
    let tree = repository();
    insta::assert_snapshot!(show(&tree, &["-n", "--unsafe-fixes"]));
    assert_eq!(show(&tree, &["--diff", "--unsafe-fixes"]), show(&tree, &["-n", "--unsafe-fixes"]));
    insta::assert_snapshot!(show(&tree, &["--dry-run"]));
    let before = tree.read("skills/garden/SKILL.md");
    let json = Dibber::lint(tree.path(), ["--fix", "--json", "--quiet"]).run();
    assert_ne!(tree.read("skills/garden/SKILL.md"), before);
    let value: Value = serde_json::from_str(&json.stdout).expect("JSON");
    insta::assert_snapshot!(serde_json::to_string_pretty(&value["fixed"]).expect("JSON"));
    tree.write("skills/garden/SKILL.md", before.as_bytes());
    insta::assert_snapshot!(show(&tree, &["--fix", "--unsafe-fixes", "--format", "concise"]));
}
