//! `dibber lint` with `--fix`, `--unsafe-fixes` and `--diff`: the files before and after.

use std::fs;

use crate::support::command::{Dibber, Ended};
use crate::support::{Tree, copy_directory, package};

/// Two things to fix safely, and two that a person should look at.
const BROKEN: &str = "---
# the sign on the door
name: Kitchen   # as written
description: Cooks soup: every day. Use when somebody is hungry.
user-invokable: true
license: 'MIT'
metadata:
  version: 1.0 # the first
---

# Kitchen

The pots are in `scripts\\pots.sh`.
Stir\u{200B}\u{200B}\u{200B} it.";

fn kitchen(text: &str) -> Tree {
    let tree = Tree::new();
    tree.write("kitchen/SKILL.md", text.as_bytes());
    tree.write("kitchen/scripts/pots.sh", b"ls pots\n");
    tree
}

fn lint(tree: &Tree, arguments: &[&str]) -> Ended {
    Dibber::lint(tree.path(), ["--format", "concise"]).arguments(arguments).run()
}

/// The output of a run with these arguments and the files after it; a second one changes nothing.
fn run(text: &str, arguments: &[&str]) -> String {
    let tree = kitchen(text);
    let ended = lint(&tree, arguments);
    let after = tree.read("kitchen/SKILL.md");
    lint(&tree, arguments);
    assert_eq!(tree.read("kitchen/SKILL.md"), after, "a second run changes more");
    let files = fs::read_dir(tree.path().join("kitchen")).expect("the directory").count();
    assert_eq!(files, 2, "something is left beside the file");
    format!("{}----- SKILL.md -----\n{}", ended.show(), dibber_text::escape(&after))
}

#[test]
fn safe_fixes() {
    insta::assert_snapshot!(run(BROKEN, &["--fix"]));
}

#[test]
fn all_fixes() {
    insta::assert_snapshot!(run(BROKEN, &["--unsafe-fixes"]));
    assert_eq!(run(BROKEN, &["--unsafe-fixes"]), run(BROKEN, &["--fix", "--unsafe-fixes"]));
}

#[test]
fn a_mark_and_windows_line_ends() {
    let text = format!("\u{FEFF}{BROKEN}\n").replace('\n', "\r\n");
    let tree = kitchen(&text);
    lint(&tree, &["--unsafe-fixes"]);
    let fixed = tree.read("kitchen/SKILL.md");
    assert!(!fixed.starts_with('\u{FEFF}') && fixed.ends_with("it.\r\n"), "{fixed:?}");
    assert!(!fixed.replace("\r\n", "").contains(['\r', '\n']), "{fixed:?}");
    let expected = kitchen(&format!("{BROKEN}\n"));
    lint(&expected, &["--unsafe-fixes"]);
    assert_eq!(fixed.replace("\r\n", "\n"), expected.read("kitchen/SKILL.md"));
}

#[test]
fn a_mark_stays_where_its_rule_is_allowed() {
    let text = format!("\u{FEFF}{BROKEN}");
    let tree = kitchen(&text);
    lint(&tree, &["--fix", "--level", "byte-order-mark=allow"]);
    let fixed = tree.read("kitchen/SKILL.md");
    assert!(fixed.starts_with("\u{FEFF}---\n# the sign") && fixed != text, "{fixed:?}");
}

#[test]
fn changes_that_are_only_shown() {
    for arguments in [&["--diff"][..], &["--diff", "--unsafe-fixes"]] {
        let tree = kitchen(BROKEN);
        let ended = Dibber::lint(tree.path(), arguments).run();
        insta::assert_snapshot!(ended.show());
        assert_eq!(tree.read("kitchen/SKILL.md"), BROKEN);
    }
}

#[test]
fn a_diff_contains_no_control_characters() {
    let text = "\u{FEFF}---\r\nname: kitchen\r\ndescription: a\u{1B}[2J\r\nlicense: MIT\u{202E}\r\n\
        metadata: {a: 1}\r\n---\r\n\u{9B}2J\u{E0041} Soup.";
    let tree = kitchen(text);
    let ended = Dibber::lint(tree.path(), ["--diff"]).run();
    let acts = |c: char| {
        dibber_text::is_invisible(c)
            || (dibber_text::is_terminal_control(c) && c != '\n' && c != '\r')
    };
    assert!(!ended.stdout.contains(acts), "{:?}", ended.stdout);
    assert!(!ended.stdout.replace("\r\n", "").contains('\r'));
    insta::assert_snapshot!(ended.show().replace('\r', "<CR>"));
}

#[test]
fn a_diff_is_a_patch() {
    let tree = kitchen(BROKEN);
    let diff = Dibber::lint(tree.path(), ["--diff", "--quiet"]).run().stdout;
    lint(&tree, &["--fix"]);
    let fixed = tree.read("kitchen/SKILL.md");
    // The zero-width characters are escaped in the diff, so that line is left out here.
    let plain = BROKEN.replace('\u{200B}', "");
    tree.write("kitchen/SKILL.md", plain.as_bytes());
    let diff_of_plain = Dibber::lint(tree.path(), ["--diff", "--quiet"]).run().stdout;
    assert_ne!(diff, diff_of_plain);
    tree.write("change.patch", diff_of_plain.as_bytes());
    let status = std::process::Command::new("git")
        .args(["apply", "change.patch"])
        .current_dir(tree.path())
        .status()
        .expect("git");
    assert!(status.success(), "{diff_of_plain}");
    assert_eq!(tree.read("kitchen/SKILL.md"), fixed.replace('\u{200B}', ""));
}

#[test]
fn nothing_to_change() {
    let tree = kitchen(BROKEN);
    lint(&tree, &["--unsafe-fixes"]);
    let path = tree.path().join("kitchen/SKILL.md");
    let modified = || fs::metadata(&path).expect("the file").modified().expect("a time");
    let before = modified();
    std::thread::sleep(std::time::Duration::from_millis(20));
    insta::assert_snapshot!(lint(&tree, &["--unsafe-fixes"]).show());
    assert_eq!(modified(), before);
    insta::assert_snapshot!(Dibber::lint(tree.path(), ["--diff", "--unsafe-fixes"]).run().show());
}

#[test]
fn waived_findings_are_not_fixed() {
    let text = BROKEN.replace(
        "# the sign on the door",
        "# dibber: allow non-string-metadata — a number, on purpose",
    );
    let tree = kitchen(&text);
    lint(&tree, &["--fix"]);
    let fixed = tree.read("kitchen/SKILL.md");
    assert!(fixed.contains("version: 1.0 # the first") && fixed != text, "{fixed}");
    let tree = kitchen(BROKEN);
    lint(&tree, &["--fix", "--level", "non-string-metadata=allow"]);
    assert!(tree.read("kitchen/SKILL.md").contains("version: 1.0 # the first"));
}

#[cfg(unix)]
#[test]
fn permissions_stay() {
    use std::os::unix::fs::PermissionsExt;
    for mode in [0o755, 0o600, 0o664] {
        let tree = kitchen(BROKEN);
        let path = tree.path().join("kitchen/SKILL.md");
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("permissions");
        lint(&tree, &["--fix"]);
        assert_ne!(tree.read("kitchen/SKILL.md"), BROKEN);
        let after = fs::metadata(&path).expect("the file").permissions().mode();
        assert_eq!(after & 0o7777, mode, "{after:o}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link() {
    let tree = Tree::new();
    tree.write("kitchen/texts/kitchen.md", BROKEN.as_bytes());
    tree.link("kitchen/SKILL.md", "texts/kitchen.md");
    lint(&tree, &["--fix", "kitchen"]);
    let link = fs::symlink_metadata(tree.path().join("kitchen/SKILL.md")).expect("the link");
    assert!(link.is_symlink());
    assert_ne!(tree.read("kitchen/texts/kitchen.md"), BROKEN);
    assert_eq!(fs::read_dir(tree.path().join("kitchen/texts")).expect("the directory").count(), 1);
}

#[cfg(unix)]
#[test]
fn a_file_that_a_link_reaches_outside_the_skill_is_unchanged() {
    let tree = Tree::new();
    tree.write("texts/kitchen.md", BROKEN.as_bytes());
    tree.link("kitchen/SKILL.md", "../texts/kitchen.md");
    let ended = lint(&tree, &["--fix", "kitchen"]);
    assert_eq!(tree.read("texts/kitchen.md"), BROKEN);
    assert!(ended.stdout.contains("symlink-outside"), "{}", ended.show());
}

#[cfg(unix)]
#[test]
fn a_read_only_directory() {
    use std::os::unix::fs::PermissionsExt;
    let tree = kitchen(BROKEN);
    let directory = tree.path().join("kitchen");
    fs::set_permissions(&directory, fs::Permissions::from_mode(0o555)).expect("permissions");
    // The administrator may write everywhere.
    let may_write = fs::write(directory.join("probe"), "").is_ok();
    let ended = lint(&tree, &["--fix"]);
    fs::set_permissions(&directory, fs::Permissions::from_mode(0o755)).expect("permissions");
    if !may_write {
        insta::assert_snapshot!(ended.show());
        assert_eq!(tree.read("kitchen/SKILL.md"), BROKEN);
    }
}

#[test]
fn a_file_that_is_not_utf8_is_not_fixed() {
    let tree = Tree::new();
    let bytes = [BROKEN.as_bytes(), b"caf\xE9"].concat();
    tree.write("kitchen/SKILL.md", &bytes);
    lint(&tree, &["--unsafe-fixes"]);
    assert_eq!(fs::read(tree.path().join("kitchen/SKILL.md")).expect("the file"), bytes);
}

#[test]
fn only_the_given_paths_are_fixed() {
    let tree = kitchen(BROKEN);
    tree.write("pantry/SKILL.md", BROKEN.as_bytes());
    lint(&tree, &["--fix", "pantry"]);
    assert_eq!(tree.read("kitchen/SKILL.md"), BROKEN);
    assert_ne!(tree.read("pantry/SKILL.md"), BROKEN);
}

#[test]
fn the_problems_of_the_fixtures() {
    let tree = Tree::new();
    copy_directory(&package().join("fixtures/problems"), tree.path());
    insta::assert_snapshot!(lint(&tree, &["--fix"]).show());
    insta::assert_snapshot!(lint(&tree, &["--unsafe-fixes"]).show());
}

#[test]
fn standard_input() {
    let text = BROKEN.replace('\u{200B}', "");
    let input = |arguments: &[&str]| {
        let tree = kitchen("---\nname: kitchen\n---\n");
        let ended = Dibber::lint(tree.path(), arguments).input(text.as_bytes()).run();
        assert_eq!(tree.read("kitchen/SKILL.md"), "---\nname: kitchen\n---\n");
        ended.show()
    };
    let concise = |more: &[&str]| input(&[&["-", "--format", "concise"][..], more].concat());
    insta::assert_snapshot!(concise(&[]));
    insta::assert_snapshot!(concise(&["--stdin-filename", "kitchen/SKILL.md"]));
    insta::assert_snapshot!(concise(&["--stdin-filename", "new/garden/SKILL.md"]));
    insta::assert_snapshot!(concise(&["--stdin-filename", "kitchen/SKILL.md", "--fix"]));
    insta::assert_snapshot!(concise(&["--fix", "--output", "report.txt"]));
    insta::assert_snapshot!(input(&["-", "--diff"]));
    insta::assert_snapshot!(input(&["-", "kitchen"]));
    insta::assert_snapshot!(input(&["kitchen", "--stdin-filename", "a/SKILL.md"]));
}

#[test]
fn standard_input_goes_out_again_as_it_was() {
    let tree = Tree::new();
    let good = "---\nname: kitchen\n---\r\n\u{FEFF}no end";
    for bytes in [good.as_bytes(), b"", b"---\nname: caf\xE9\n---\n"] {
        let levels = ["-", "--fix", "--level", "all=allow", "--quiet"];
        let ended = Dibber::lint(tree.path(), levels).input(bytes).run();
        assert_eq!((ended.code, ended.raw.as_slice()), (0, bytes), "{}", ended.show());
    }
}

#[test]
fn a_fixed_file_and_its_report_are_separate() {
    let tree = Tree::new();
    let arguments = ["-", "--fix", "--format", "concise", "--output", "report.txt"];
    let ended = Dibber::lint(tree.path(), arguments).input(BROKEN).run();
    assert!(ended.stdout.starts_with("---\n# the sign") && ended.stdout.ends_with("it."));
    insta::assert_snapshot!(tree.read("report.txt"));
}

#[test]
fn standard_input_that_is_too_large_is_not_cut() {
    let tree = Tree::new();
    let text = BROKEN.to_owned() + &"soup\n".repeat(300_000);
    let ended = Dibber::lint(tree.path(), ["-", "--fix"]).input(text).run();
    insta::assert_snapshot!(ended.show());
}

#[test]
fn a_diff_of_standard_input_shows_nothing_else() {
    let text = BROKEN.replace("somebody", "someone");
    let shown = Dibber::new(["lint", "-", "--diff"]).input(text.clone()).run();
    assert!(shown.stdout.starts_with("--- a/"), "{}", shown.show());
    let fixed = Dibber::new(["lint", "-", "--fix"]).input(text).run().stdout;
    let nothing = Dibber::new(["lint", "-", "--diff"]).input(fixed).run();
    assert_eq!(nothing.stdout, "", "{}", nothing.show());
}
