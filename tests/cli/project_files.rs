//! Files of a project that cannot be used: pipes, devices, and files that are too large. None of
//! them makes a command wait, or read without end.
#![cfg(unix)]

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use crate::support::Tree;
#[cfg(feature = "remote")]
use crate::support::command::state_in;
use crate::support::command::{Dibber, Ended};

const GOOD: &str = "---
name: good
description: Waters the plants on the balcony. Use when somebody asks about dry soil.
---

# Good

Look at the soil first.
";

fn tree() -> Tree {
    let tree = Tree::new();
    tree.write("good/SKILL.md", GOOD.as_bytes());
    tree
}

fn pipe(path: &Path) {
    fs::create_dir_all(path.parent().expect("a parent")).expect("directories");
    let status = Command::new("mkfifo").arg(path).status().expect("mkfifo");
    assert!(status.success());
}

/// A file without content that has 10 GiB.
fn large_file(path: &Path) {
    fs::create_dir_all(path.parent().expect("a parent")).expect("directories");
    File::create(path).expect("a file").set_len(10 << 30).expect("a sparse file");
}

fn lint(tree: &Tree, arguments: &[&str]) -> Ended {
    Dibber::lint(tree.path(), ["--format", "concise"]).arguments(arguments).run()
}

/// Runs a line of a shell in the tree, with `dibber` for the binary.
fn shell(tree: &Tree, line: &str) -> Ended {
    let script = format!("dibber() {{ '{}' \"$@\"; }}\n{line}", env!("CARGO_BIN_EXE_dibber"));
    Dibber::program("bash", ["-c", &script]).in_directory(tree.path()).run()
}

#[test]
fn ignore_files_that_are_no_files() {
    for path in [
        ".gitignore",
        "good/.gitignore",
        "good/references/.gitignore",
        ".git/info/exclude",
        "good/.git/info/exclude",
    ] {
        let tree = tree();
        pipe(&tree.path().join(path));
        let ended = lint(&tree, &[]);
        let problem = format!(
            "error: {path}: is a pipe, a socket or a device, not a regular file; its rules are \
             not used\n"
        );
        assert!(ended.stderr.starts_with(&problem), "{path}: {}", ended.show());
        assert_eq!(ended.code, 2, "{path}");
        assert!(ended.stderr.contains("1 skill"), "{path}: {}", ended.show());
    }
}

#[test]
fn an_ignore_file_above_the_directory_that_is_linted() {
    let tree = tree();
    pipe(&tree.path().join(".gitignore"));
    insta::assert_snapshot!(lint(&tree, &["good"]).show_without(tree.path()));
    insta::assert_snapshot!(lint(&tree, &["good/SKILL.md"]).show_without(tree.path()));
    let dry_run = Dibber::new(["dry-run", "good"]).in_directory(tree.path()).run();
    insta::assert_snapshot!(dry_run.show_without(tree.path()));
    assert_eq!(lint(&tree, &["--fix"]).code, 2);
}

#[test]
fn ignore_files_without_end() {
    let tree = tree();
    tree.link("good/.gitignore", "/dev/zero");
    large_file(&tree.path().join(".gitignore"));
    tree.write("folder/.gitignore/file", b"");
    tree.link("circle/.gitignore", ".gitignore");
    tree.link("nowhere/.gitignore", "missing");
    insta::assert_snapshot!(lint(&tree, &[]).show());
}

/// Git follows no such link either, and what it leads to is not reviewed with the project.
#[test]
fn an_ignore_file_that_links_out_of_the_project_is_not_used() {
    let (tree, outside) = (tree(), Tree::new());
    outside.write("rules", b"good/\n");
    let target = outside.path().join("rules");
    tree.link(".gitignore", target.to_str().expect("UTF-8"));
    let ended = lint(&tree, &[]);
    assert!(ended.stderr.contains("Checked 1 skill"), "{}", ended.show());
    let warning = ".gitignore: is a symbolic link to a file outside the project";
    assert_eq!(ended.stderr.matches(warning).count(), 1, "{}", ended.show());
}

#[test]
fn a_git_file_that_names_another_directory() {
    let tree = tree();
    tree.write("ignored/SKILL.md", GOOD.as_bytes());
    tree.write("main/.git/info/exclude", b"ignored\n");
    tree.write("main/.git/worktrees/tree/commondir", b"../..\n");
    tree.write(".git", b"gitdir: main/.git/worktrees/tree\n");
    let ended = lint(&tree, &[]);
    assert_eq!((ended.code, ended.stdout.as_str()), (0, ""), "{}", ended.show());
    fs::remove_file(tree.path().join("main/.git/worktrees/tree/commondir")).expect("a file");
    pipe(&tree.path().join("main/.git/worktrees/tree/commondir"));
    let ended = lint(&tree, &[]);
    assert_eq!(ended.code, 2, "{}", ended.show());
    large_file(&tree.path().join(".git"));
    assert!(lint(&tree, &[]).stderr.contains(".git: is larger than 16384 bytes"));
}

/// The skills that are found are those of which git does not ignore the `SKILL.md`.
#[test]
fn rules_are_those_of_git() {
    const DIRECTORIES: [&str; 16] = [
        "a",
        "a/b",
        "a/b/keep",
        "build/x",
        "docs/build",
        "docs/deep/er",
        "docs/odd name",
        "docs/ünicode",
        "excluded",
        "kept/excluded",
        "kept/excluded-not",
        "only/this",
        "only/that",
        "spaced ",
        "vendor/one",
        "vendor/two",
    ];
    let rules: [(&str, &[u8]); 7] = [
        (".gitignore", b"\xEF\xBB\xBF/build\n# a comment\n\nodd*\n*.log\nspaced\\ \n[z-a]\n{x\n"),
        ("a/.gitignore", b"b/*\n!b/keep/\n"),
        ("docs/.gitignore", b"**/er\r\n\xFCnicode\n"),
        ("kept/.gitignore", b"!excluded\n"),
        ("only/.gitignore", b"*\n!this/\n!this/**\n"),
        ("vendor/.gitignore", b"/*/SKILL.md\n!/two/SKILL.md\n"),
        (".git/info/exclude", b"excluded\n"),
    ];
    let tree = Tree::new();
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.args(["-c", "core.quotePath=false"]).args(arguments).current_dir(tree.path());
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
        command.output().expect("git")
    };
    assert!(git(&["init", "--quiet"]).status.success());
    for (path, bytes) in rules {
        tree.write(path, bytes);
    }
    for directory in DIRECTORIES {
        tree.write(&format!("{directory}/SKILL.md"), b"---\nname: x\n---\n");
    }
    let listed = git(&["ls-files", "--others", "--exclude-standard", "-z"]).stdout;
    let listed = String::from_utf8(listed).expect("paths");
    let of_git: Vec<&str> =
        listed.split('\0').filter_map(|path| path.strip_suffix("/SKILL.md")).collect();
    for start in [".", "a", "docs", "kept", "only", "vendor"] {
        let start = tree.path().join(start);
        let (found, errors) = dibber_skill::discover::find(std::slice::from_ref(&start));
        assert!(errors.is_empty(), "{errors:?}");
        let mut found: Vec<String> = found
            .iter()
            .map(|skill| skill.directory.strip_prefix(tree.path()).expect("a path in the tree"))
            .map(|path| path.to_string_lossy().trim_start_matches("./").to_owned())
            .collect();
        found.sort();
        let start = start.strip_prefix(tree.path()).expect("a path in the tree");
        let is_below = |path: &&&str| start == Path::new(".") || Path::new(path).starts_with(start);
        let mut of_git: Vec<&str> = of_git.iter().filter(is_below).copied().collect();
        of_git.sort_unstable();
        assert_eq!(found, of_git, "{}", start.display());
    }
}

#[test]
fn a_baseline_or_a_configuration() {
    let tree = tree();
    for (option, name) in [("--baseline", "baseline.json"), ("--config", "dibber.toml")] {
        pipe(&tree.path().join(name));
        insta::assert_snapshot!(lint(&tree, &[option, name]).show());
        assert_eq!(lint(&tree, &[option, "/dev/zero"]).code, 2);
        fs::remove_file(tree.path().join(name)).expect("a file");
        large_file(&tree.path().join(name));
        insta::assert_snapshot!(lint(&tree, &[option, name]).show());
        fs::remove_file(tree.path().join(name)).expect("a file");
    }
}

#[test]
fn a_file_from_process_substitution_is_read() {
    let tree = tree();
    tree.write("bad/SKILL.md", b"---\nname: bad\n---\n");
    assert_eq!(shell(&tree, "dibber lint bad").code, 1);
    let all_allowed = "[lint.levels]\\nall = \"allow\"\\n";
    let ended = shell(&tree, &format!("dibber lint bad --config <(printf '{all_allowed}')"));
    assert_eq!(ended.code, 0, "{}", ended.show());
    let baseline = "dibber lint bad --write-baseline known.json >/dev/null 2>&1
        dibber lint bad --baseline <(cat known.json)";
    let ended = shell(&tree, baseline);
    assert_eq!(ended.code, 0, "{}", ended.show());
    tree.write("good/SKILL.md", format!("{GOOD}\nSay {{{{input.word}}}}.\n").as_bytes());
    let ended = shell(&tree, r#"dibber render good --input-file <(printf '{"word": "yes"}')"#);
    assert!(ended.stdout.contains("Say yes."), "{}", ended.show());
    let ended =
        shell(&tree, "mkfifo p; printf '{\"word\": 1}' >p & dibber render good --input-file p");
    assert!(ended.stdout.contains("Say 1."), "{}", ended.show());
}

#[cfg(feature = "remote")]
#[test]
fn a_lock_or_a_manifest() {
    let (tree, data) = (tree(), Tree::new());
    let run = |arguments: &[&str]| {
        Dibber::new(arguments.iter().copied()).in_directory(tree.path()).data(data.path()).run()
    };
    tree.write("good/sprout.yaml", b"label: Plants\n");
    let ended = run(&["push", "good", "--yes"]);
    assert_eq!(ended.code, 0, "{}", ended.show());
    fs::remove_file(tree.path().join("good/sprout.yaml")).expect("a file");
    pipe(&tree.path().join("good/sprout.yaml"));
    let ended = run(&["pull", "good"]);
    assert_eq!(ended.code, 2, "{}", ended.show());
    assert!(ended.stderr.contains("good/sprout.yaml is a pipe"), "{}", ended.show());
    fs::remove_file(tree.path().join("good/sprout.yaml")).expect("a file");
    fs::remove_file(tree.path().join("dibber.lock")).expect("a file");
    pipe(&tree.path().join("dibber.lock"));
    for command in [&["push", "good", "--yes"][..], &["diff", "good"]] {
        let ended = run(command);
        assert_eq!(ended.code, 2, "{}", ended.show());
        assert!(ended.stderr.contains("dibber.lock is a pipe"), "{}", ended.show());
    }
}

#[cfg(feature = "remote")]
#[test]
fn a_prompt_without_end() {
    let tree = tree();
    let ended = Dibber::new(["skill", "update", "sk_1", "--prompt-file", "/dev/zero"])
        .in_directory(tree.path())
        .run();
    assert_eq!(ended.code, 2, "{}", ended.show());
    assert!(ended.stderr.contains("/dev/zero is larger than 1 MiB"), "{}", ended.show());
}

/// A project must not choose which other files of the machine are shown or written.
#[test]
fn links_out_of_the_project_are_not_followed() {
    const SECRET: &str = "hunter2 is elsewhere";
    let (tree, data) = (Tree::new(), Tree::new());
    tree.write("elsewhere/SKILL.md", format!("---\nname: {SECRET}: x\n---\n{SECRET}\n").as_bytes());
    tree.write("elsewhere/dibber.toml", format!("[lint]\n{SECRET} = 1\n").as_bytes());
    tree.write("project/.git/HEAD", b"ref: refs/heads/main\n");
    tree.write("project/good/SKILL.md", GOOD.as_bytes());
    tree.link("project/bad/SKILL.md", "../../elsewhere/SKILL.md");
    let run = |arguments: &[&str]| {
        let ended = Dibber::new(arguments.iter().copied())
            .in_directory(&tree.path().join("project"))
            .data(data.path())
            .run();
        let shown = ended.show();
        assert!(!shown.contains("hunter2"), "{shown}");
        assert_eq!(ended.code, 2, "{shown}");
        assert!(shown.contains("is a symbolic link to a file outside the project"), "{shown}");
        shown
    };
    for command in [&["lint"][..], &["lint", "--fix"], &["dry-run", "bad"], &["hash", "bad"]] {
        assert!(run(command).contains("bad/SKILL.md"), "{command:?}");
    }
    fs::remove_file(tree.path().join("project/bad/SKILL.md")).expect("a link");
    tree.link("project/bad/SKILL.md", "../good/SKILL.md");
    tree.link("project/dibber.toml", "../elsewhere/dibber.toml");
    assert!(run(&["lint"]).contains("dibber.toml"));
    fs::remove_file(tree.path().join("project/dibber.toml")).expect("a link");
    let ended = lint(&tree, &["project"]);
    assert!(!ended.stderr.contains("symbolic link"), "inside the project: {}", ended.show());
}

/// What is no regular file is not passed over: its settings would be missing without a word.
#[test]
fn a_configuration_that_is_no_file_is_reported() {
    let tree = tree();
    fs::create_dir(tree.path().join("dibber.toml")).expect("a directory");
    let ended = lint(&tree, &[]);
    assert_eq!(ended.code, 2, "{}", ended.show());
    assert_eq!(ended.stderr, "error: dibber.toml is a directory, not a regular file\n");
    fs::remove_dir(tree.path().join("dibber.toml")).expect("a directory");
    pipe(&tree.path().join("dibber.toml"));
    let ended = lint(&tree, &[]);
    assert_eq!(ended.code, 2, "{}", ended.show());
    assert!(ended.stderr.starts_with("error: dibber.toml is a pipe"), "{}", ended.show());
    fs::remove_file(tree.path().join("dibber.toml")).expect("a pipe");
    tree.write("dibber.toml", format!("x = {}\n", "a".repeat(10_000)).as_bytes());
    let ended = lint(&tree, &[]);
    assert_eq!(ended.code, 2);
    assert!(ended.stderr.len() < 1_000, "{}", ended.show());
}

/// The author of a skill does not decide which findings in it others see.
#[test]
fn contributions_of_others_are_checked_without_their_waivers_and_ignore_files() {
    let tree = Tree::new();
    let hidden = "\u{E0041}\u{E0042}";
    let comment = "<!-- dibber: allow hidden-unicode — ok -->";
    let text = format!("{GOOD}\n{comment}\nWater{hidden} them.\n");
    tree.write("good/SKILL.md", text.as_bytes());
    let ended = lint(&tree, &[]);
    assert_eq!(ended.code, 0, "{}", ended.show());
    assert!(ended.stderr.contains("1 waived (1 about security)"), "{}", ended.show());
    let ended = lint(&tree, &["--no-inline-waivers"]);
    assert_eq!(ended.code, 1, "{}", ended.show());
    assert!(ended.stdout.contains("hidden-unicode"), "{}", ended.show());
    assert!(!ended.stdout.contains("unused-waiver"), "{}", ended.show());
    tree.write(".gitignore", b"good/\n");
    tree.write("other/SKILL.md", GOOD.replace("name: good", "name: other").as_bytes());
    assert_eq!(lint(&tree, &["--no-inline-waivers"]).code, 0);
    let ended = lint(&tree, &["--no-inline-waivers", "--no-ignore"]);
    assert_eq!(ended.code, 1, "{}", ended.show());
    assert!(ended.stderr.contains("2 skills"), "{}", ended.show());
}

/// What was published is kept beside the journal. It is no reason to fail, and a link in its place is
/// neither followed nor replaced.
#[cfg(feature = "remote")]
#[test]
fn the_directory_of_what_was_published() {
    let kept = |data: &Tree| {
        let found = fs::read_dir(state_in(data.path()).join("published")).expect("a directory");
        let names = found.map(|found| found.expect("a file").file_name());
        names.map(|name| name.to_string_lossy().into_owned()).next().expect("a content")
    };
    for place in ["directory", "file"] {
        for kind in ["link", "pipe", "other"] {
            let (tree, data, elsewhere) = (tree(), Tree::new(), Tree::new());
            let push = || {
                Dibber::new(["push", "--yes", "--new", "good"])
                    .in_directory(tree.path())
                    .data(data.path())
                    .run()
            };
            elsewhere.write("kept", b"as it was");
            let mut path = state_in(data.path()).join("published");
            fs::create_dir(state_in(data.path())).expect("a directory");
            if place == "file" {
                assert_eq!(push().code, 0);
                path.push(kept(&data));
                fs::remove_file(&path).expect("a file");
            }
            match (kind, place) {
                ("link", "directory") => symlink(elsewhere.path(), &path).expect("a link"),
                ("link", _) => symlink(elsewhere.path().join("kept"), &path).expect("a link"),
                ("pipe", _) => pipe(&path),
                (_, "directory") => fs::write(&path, "text").expect("a file"),
                _ => fs::create_dir(&path).expect("a directory"),
            }
            let ended = push();
            assert_eq!(ended.code, 0, "{place} {kind}: {}", ended.show());
            let shown = path.to_string_lossy();
            assert!(ended.stderr.replace('\n', "").contains("cannot keep"), "{}", ended.show());
            let plain = ended.stderr.split_whitespace().collect::<String>();
            assert!(plain.contains(&*shown), "{place} {kind}: {}", ended.show());
            assert_eq!(elsewhere.read("kept"), "as it was");
            assert_eq!(fs::read_dir(elsewhere.path()).expect("a directory").count(), 1);
        }
    }
}

/// The journal is where a write is recorded first: a link in its place stops the write.
#[cfg(feature = "remote")]
#[test]
fn a_link_in_place_of_the_journal() {
    let (tree, data, elsewhere) = (tree(), Tree::new(), Tree::new());
    let run = |arguments: &[&str]| {
        Dibber::new(arguments).in_directory(tree.path()).data(data.path()).run()
    };
    let state = state_in(data.path());
    fs::create_dir_all(&state).expect("a directory");
    symlink(elsewhere.path(), state.join("journal")).expect("a link");
    for arguments in [&["push", "--yes", "good"][..], &["journal", "list"]] {
        let ended = run(arguments);
        assert_ne!(ended.code, 0, "{}", ended.show());
        assert!(ended.stderr.contains("it is a symbolic link"), "{}", ended.show());
        assert_eq!(fs::read_dir(elsewhere.path()).expect("a directory").count(), 0);
    }
    assert!(!tree.path().join("dibber.lock").exists());
}

/// Earlier versions, or a copy, may have left the directories open to others.
#[cfg(feature = "remote")]
#[test]
fn directories_of_the_state_are_for_their_owner() {
    use std::os::unix::fs::PermissionsExt;

    let (tree, data) = (tree(), Tree::new());
    let directories = ["journal", "published"].map(|name| state_in(data.path()).join(name));
    for directory in &directories {
        fs::create_dir_all(directory).expect("a directory");
        fs::set_permissions(directory, fs::Permissions::from_mode(0o755)).expect("a mode");
    }
    let push = Dibber::new(["push", "--yes", "good"]).in_directory(tree.path());
    let ended = push.data(data.path()).run();
    assert_eq!(ended.code, 0, "{}", ended.show());
    for directory in &directories {
        let mode = fs::metadata(directory).expect("a directory").permissions().mode();
        assert_eq!(mode & 0o777, 0o700, "{}", directory.display());
    }
}

/// A link to a file that does not exist yet is no place for a new record.
#[cfg(feature = "remote")]
#[test]
fn a_lock_file_that_is_a_dangling_link() {
    let (tree, data, elsewhere) = (tree(), Tree::new(), Tree::new());
    tree.write("dibber.toml", b"");
    let (link, target) = (tree.path().join("dibber.lock"), elsewhere.path().join("new"));
    symlink(&target, &link).expect("a link");
    let push = Dibber::new(["push", "--yes", "good"]).in_directory(tree.path());
    let ended = push.data(data.path()).run();
    assert_ne!(ended.code, 0, "{}", ended.show());
    let shown = ended.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(shown.contains("dibber.lock: it is a symbolic link to a file"), "{}", ended.show());
    assert!(link.is_symlink() && !target.exists());
}
