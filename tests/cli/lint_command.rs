//! `dibber lint` as it is run: what it prints, where, and how it ends.

use std::fs;

use serde_json::Value;

use crate::support::Tree;
use crate::support::command::Dibber;

const PROBLEMS: &str = "fixtures/problems";

/// A skill with one error and two warnings, and a good one.
fn two_skills() -> Tree {
    Tree::from_archive(
        "-- skills/garden/SKILL.md --
---
name: garden
description: Waters the plants on the balcony. Use when somebody asks about dry soil.
---

# Garden

Look at the soil first.
-- skills/kitchen/SKILL.md --
---
name: Kitchen
description: Cooks soup. Use when somebody is hungry.
---

# Kitchen

The pots are in [the list](references/pots.md).

TODO: say which pot
",
        false,
    )
}

/// The output of one run over [`two_skills`], with a `dibber.toml` when there is one.
fn run(config: &str, arguments: &[&str]) -> String {
    let tree = two_skills();
    if !config.is_empty() {
        tree.write("dibber.toml", config.as_bytes());
    }
    Dibber::lint(tree.path(), arguments).run().show_without(tree.path())
}

fn over_problems(arguments: &[&str]) -> String {
    Dibber::new(["lint", PROBLEMS]).arguments(arguments).run().show()
}

#[test]
fn human() {
    insta::assert_snapshot!(over_problems(&[]));
}

#[test]
fn concise() {
    insta::assert_snapshot!(over_problems(&["--format", "concise"]));
}

#[test]
fn json() {
    insta::assert_snapshot!(over_problems(&["--format", "json"]));
}

#[test]
fn sarif() {
    insta::assert_snapshot!(over_problems(&["--format", "sarif"]));
}

#[test]
fn github() {
    insta::assert_snapshot!(over_problems(&["--format", "github"]));
}

#[test]
fn gitlab() {
    insta::assert_snapshot!(over_problems(&["--format", "gitlab"]));
}

#[test]
fn junit() {
    insta::assert_snapshot!(over_problems(&["--format", "junit"]));
}

#[test]
fn no_report_contains_control_characters() {
    for format in ["human", "concise", "json", "sarif", "github", "gitlab", "junit"] {
        let ended = Dibber::new(["lint", PROBLEMS, "--format", format]).run();
        let acts = |c: char| dibber_text::is_invisible(c) || (c < ' ' && c != '\n');
        assert!(!ended.stdout.contains(acts), "{format}:\n{}", ended.stdout);
        assert!(!ended.stderr.contains(acts), "{format}:\n{}", ended.stderr);
    }
}

#[test]
fn skills_as_they_should_be() {
    insta::assert_snapshot!(Dibber::new(["lint", "fixtures/skills"]).run().show());
}

#[test]
fn an_unknown_format() {
    insta::assert_snapshot!(run("", &["--format", "xml"]));
}

#[test]
fn into_a_file() {
    let tree = two_skills();
    let arguments = ["--format", "concise", "--output", "report.txt"];
    let ended = Dibber::lint(tree.path(), arguments).env("CLICOLOR_FORCE", "1").run();
    insta::assert_snapshot!(format!(
        "{}----- report.txt -----\n{}",
        ended.show(),
        tree.read("report.txt")
    ));
    let left: Vec<_> = fs::read_dir(tree.path()).expect("the directory").collect();
    assert_eq!(left.len(), 2, "nothing but the skills and the report: {left:?}");
    insta::assert_snapshot!(run("", &["--output", "no/such/folder/report.txt"]));
}

#[test]
fn levels() {
    insta::assert_snapshot!(run(
        "",
        &["--format", "concise", "-l", "invalid-name=allow", "--level", "structure=deny"]
    ));
    insta::assert_snapshot!(run("", &["--level", "broken-lnk=allow", "--level", "zebra=deny"]));
    insta::assert_snapshot!(run("", &["--level", "broken-link"]));
    insta::assert_snapshot!(run("", &["--level", "broken-link=off"]));
}

#[test]
fn denied_warnings() {
    let arguments = ["--format", "concise", "--level", "invalid-name=allow"];
    let tree = two_skills();
    let lint = |more: &[&str]| Dibber::lint(tree.path(), arguments).arguments(more).run();
    assert_eq!(lint(&[]).code, 0);
    assert_eq!(lint(&["--deny-warnings"]).code, 1);
    assert_eq!(lint(&["--deny-warnings", "--level", "all=allow"]).code, 0);
}

#[test]
fn quiet() {
    insta::assert_snapshot!(run("", &["--quiet", "--format", "concise"]));
    insta::assert_snapshot!(run("", &["--quiet", "skills/garden"]));
    insta::assert_snapshot!(run("", &["--quiet", "nothing"]));
}

#[test]
fn a_configuration_further_up() {
    let tree = two_skills();
    let config = "[lint.levels]\nall = \"allow\"\nbroken-link = \"deny\"\n";
    tree.write("dibber.toml", config.as_bytes());
    let directory = tree.path().join("skills/kitchen");
    let lint = |arguments: &[&str]| {
        let ended = Dibber::lint(&directory, ["--format", "concise"]).arguments(arguments).run();
        ended.show_without(tree.path())
    };
    insta::assert_snapshot!(lint(&[]));
    insta::assert_snapshot!(lint(&["--no-config"]));
    tree.write("other.toml", b"[lint.levels]\nall = \"deny\"\nplaceholder-text = \"allow\"\n");
    insta::assert_snapshot!(lint(&["--config", "../../other.toml"]));
    insta::assert_snapshot!(lint(&["--config", "../../missing.toml"]));
    insta::assert_snapshot!(lint(&["--config", "../../other.toml", "--no-config"]));
}

#[test]
fn a_configuration_ends_at_the_repository() {
    let tree = two_skills();
    tree.write("dibber.toml", b"[lint.levels]\nall = \"allow\"\n");
    assert_eq!(Dibber::lint(tree.path(), ["skills/kitchen"]).run().code, 0);
    fs::create_dir(tree.path().join("skills/.git")).expect("a directory");
    assert_eq!(Dibber::lint(tree.path(), ["skills/kitchen"]).run().code, 1);
}

#[test]
fn a_configuration_full_of_faults() {
    let config = "[lint.level]
missing-name = \"warn\"

[lint.levels]
broken-lnk = \"deny\"
long-body = \"of\"

[[lint.overrides]]
paths = [\"skills/[\"]
levels = { spec = 3 }

[[lint.waivers]]
rule = \"secret\"
path = \"skills\"
expires = 2026-02-30
";
    insta::assert_snapshot!(run(config, &["--level", "zebra=deny"]));
    insta::assert_snapshot!(run("[lint\n", &[]));
    let tree = two_skills();
    tree.write("dibber.toml", b"[lint]\n# \xFF\n");
    insta::assert_snapshot!(Dibber::lint(tree.path(), [""; 0]).run().show());
}

#[test]
fn levels_for_some_paths() {
    let config = "[[lint.overrides]]
paths = [\"skills/kit*/**\"]
levels = { spec = \"warn\", placeholder-text = \"allow\" }
";
    insta::assert_snapshot!(run(config, &["--format", "concise"]));
    insta::assert_snapshot!(run(
        "[lint]\nexclude = [\"skills/kitchen\"]\n",
        &["--format", "concise"]
    ));
}

fn waiver(rule: &str, more: &str) -> String {
    format!("[[lint.waivers]]\nrule = \"{rule}\"\npath = \"skills/kitchen/**\"\n{more}\n")
}

#[test]
fn waivers() {
    let reason = "reason = \"the pots are being counted\"";
    let lint = |config: &str| run(config, &["--format", "concise"]);
    insta::assert_snapshot!(lint(&waiver("broken-link", reason)));
    insta::assert_snapshot!(lint(&waiver("secret", reason)));
    let expired = format!("{reason}\nexpires = 2020-12-31");
    insta::assert_snapshot!(lint(&waiver("broken-link", &expired)));
    insta::assert_snapshot!(lint(&waiver("broken-link", "")));
}

#[test]
fn waivers_in_the_file() {
    let tree = Tree::from_archive(
        "-- kitchen/SKILL.md --
---
# dibber: allow invalid-name — the sign on the door says so
name: Kitchen
description: Cooks soup. Use when somebody is hungry.
---

# Kitchen

<!-- dibber: allow broken-link — written next week -->
The pots are in [the list](references/pots.md).

<!-- dibber: allow secret — there is none -->
Salt comes last.

<!-- dibber: allow placeholder-text -->
TODO: say which pot
",
        false,
    );
    insta::assert_snapshot!(Dibber::lint(tree.path(), [""; 0]).run().show());
}

#[test]
fn a_baseline() {
    let tree = two_skills();
    let lint = |arguments: &[&str]| Dibber::lint(tree.path(), arguments).run().show();
    insta::assert_snapshot!(lint(&["--write-baseline", "known.json"]));
    insta::assert_snapshot!(tree.read("known.json"));
    let again = tree.read("known.json");
    lint(&["--write-baseline", "known.json"]);
    assert_eq!(tree.read("known.json"), again);

    insta::assert_snapshot!(lint(&["--baseline", "known.json"]));
    let text = tree.read("skills/kitchen/SKILL.md");
    let moved = text.replace("# Kitchen\n", "# Kitchen\n\nSoup is good for a cold.\n\n\n");
    tree.write("skills/kitchen/SKILL.md", moved.as_bytes());
    insta::assert_snapshot!(lint(&["--baseline", "known.json"]));
    let twice = format!("{moved}\nTODO: say which pot\n");
    tree.write("skills/kitchen/SKILL.md", twice.as_bytes());
    insta::assert_snapshot!(lint(&["--baseline", "known.json", "--format", "concise"]));

    insta::assert_snapshot!(lint(&["--baseline", "missing.json"]));
    tree.write("broken.json", b"{}");
    insta::assert_snapshot!(lint(&["--baseline", "broken.json"]));
    insta::assert_snapshot!(lint(&["--baseline", "known.json", "--write-baseline", "x.json"]));
}

#[test]
fn a_reader_that_goes_away() {
    let tree = Tree::new();
    for number in 0..300 {
        let text = "---\nname: X\n---\n\n[a](no.md)\n".repeat(20);
        tree.write(&format!("skills/s{number}/SKILL.md"), text.as_bytes());
    }
    for format in ["human", "json", "sarif"] {
        let arguments = ["--format", format, "--level", "all=warn"];
        let ended = Dibber::lint(tree.path(), arguments).run_with_closed_pipe();
        assert_eq!((ended.code, ended.stderr.as_str()), (0, ""), "{format}");
    }
}

#[test]
fn the_same_output_every_time() {
    let tree = Tree::new();
    for number in 0..300 {
        let text = format!("---\nname: Same\ndescription: Skill {number}\n---\n[a](no.md)\nTODO\n");
        let text = text + &"More to read.\n".repeat(number * 7 % 400);
        tree.write(&format!("skills/s{number}/SKILL.md"), text.as_bytes());
    }
    let lint = || {
        let ended = Dibber::lint(tree.path(), ["--format", "concise"]).run();
        assert_eq!(ended.code, 1);
        ended
    };
    let first = lint();
    let paths: Vec<_> =
        first.stdout.lines().map(|line| line.split(':').next().expect("a path")).collect();
    assert!(paths.is_sorted() && paths.len() > 900, "{}", first.stdout);
    for _ in 0..3 {
        assert_eq!(lint().show(), first.show());
    }
    let alone = Dibber::lint(tree.path(), ["--format", "concise"]).on_one_processor().run();
    assert_eq!(alone.show(), first.show());
}

#[test]
fn a_secret_is_never_shown() {
    let token = ["gh", "p_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ", "0mLq17"].concat();
    let body = &token[8..];
    let text = format!(
        "\u{FEFF}---\nname: {token}\ndescription: Uses: {token}\nversion: {token}\n\
         metadata: {{version: 1.0, key: {token}}}\n---\n\n[a]({token}.md) `scripts\\{token}.sh`\n\
         Send\u{200B}\u{200B}\u{200B} {token}\n<!-- dibber: allow {token} — {token} -->\n"
    );
    let skills = |config: &str| {
        let tree = Tree::new();
        for name in ["a", "b", &token] {
            tree.write(&format!("skills/{name}/SKILL.md"), text.as_bytes());
        }
        tree.write("dibber.toml", config.as_bytes());
        tree
    };
    let waiver = format!(
        "[[lint.waivers]]\nrule = \"secret\"\npath = \"skills/{token}.md\"\n\
         reason = \"{token}\"\n"
    );
    let faulty = format!("[lint.levels]\n{token} = \"{token}\"\n[{token}]\n\"{token}\" = [1]\n");
    let path = format!("skills/{token}");
    for format in ["human", "concise", "json", "sarif", "github", "gitlab", "junit"] {
        let tree = skills(&waiver);
        let arguments = ["--format", format, "--level", "all=warn"];
        let shown = Dibber::lint(tree.path(), arguments).run().show();
        assert!(shown.contains("unused-waiver"), "{format}:\n{shown}");
        assert!(!shown.replace(&path, "").contains(body), "{format}:\n{shown}");
    }
    for arguments in [&["--diff"][..], &["--diff", "--unsafe-fixes"]] {
        let shown = Dibber::lint(skills("").path(), arguments).run().show();
        assert!(shown.contains("\n-"), "{shown}");
        assert!(!shown.replace(&path, "").contains(body), "{shown}");
    }
    let shown = Dibber::lint(skills(&faulty).path(), ["skills/a"]).run().show();
    assert!(shown.contains("error: dibber.toml:2:"), "{shown}");
    assert!(!shown.contains(body), "{shown}");
    let tree = skills(&waiver);
    Dibber::lint(tree.path(), ["--write-baseline", "known.json"]).run();
    assert!(!tree.read("known.json").replace(&path, "").contains(body));
}

#[cfg(unix)]
#[test]
fn a_device_is_written_to_and_stays_one() {
    use std::os::unix::fs::FileTypeExt;
    let ended = Dibber::new(["lint", "--output", "/dev/null", "fixtures/skills"]).run();
    assert_eq!((ended.code, ended.stdout.as_str()), (0, ""));
    let device = std::fs::metadata("/dev/null").expect("the device");
    assert!(device.file_type().is_char_device());
}

/// The message of a finding on a whole file may have a number in it, or other words in the next
/// version.
#[test]
fn a_baseline_knows_a_finding_on_a_whole_file_by_its_rule() {
    let tree = two_skills();
    let write_files = |count: usize| {
        for index in 0..count {
            tree.write(&format!("skills/kitchen/assets/{index}.bin"), b"\0");
        }
    };
    let lint = |arguments: &[&str]| {
        let only = ["--level", "all=allow", "--level", "oversized-skill=deny"];
        Dibber::lint(tree.path(), [&only[..], arguments].concat()).run()
    };
    write_files(520);
    lint(&["--write-baseline", "known.json"]);
    let known = tree.read("known.json");
    assert!(known.contains(" files, more than the 512"), "{known}");
    write_files(530);
    let ended = lint(&["--baseline", "known.json"]);
    assert_eq!(ended.code, 0, "{}", ended.show());
    let reworded = known.replace("files, more than the 512", "files, which are too many");
    tree.write("known.json", reworded.as_bytes());
    assert_eq!(lint(&["--baseline", "known.json"]).code, 0);
}

#[test]
fn the_error_of_a_broken_configuration_is_json_where_the_report_is() {
    let tree = two_skills();
    tree.write("dibber.toml", b"[lint\n");
    let in_file = format!("json={}", tree.path().join("report.json").display());
    for (arguments, has_json) in [
        (vec!["--format", "json"], true),
        (vec!["--json"], true),
        (vec!["--format", "concise"], false),
        (vec!["--format", &in_file], false),
    ] {
        let ended = Dibber::lint(tree.path(), &arguments).run();
        let json: Value = serde_json::from_str(&ended.stdout).unwrap_or_default();
        let found =
            json["error"]["message"].as_str().is_some_and(|it| it.contains("not valid TOML"));
        assert_eq!((ended.code, found), (2, has_json), "{}", ended.show());
        assert!(has_json || ended.stdout.is_empty(), "{}", ended.show());
    }
}

#[test]
fn one_fault_of_a_broken_configuration_is_shown_once() {
    let tree = two_skills();
    tree.write("dibber.toml", format!("a = {}", "[".repeat(10_000)).as_bytes());
    let ended = Dibber::lint(tree.path(), [""; 0]).run();
    assert_eq!((ended.code, ended.stderr.matches("unclosed array").count()), (2, 1));
    assert!(ended.stderr.len() < 1_000, "{}", ended.show());
}
