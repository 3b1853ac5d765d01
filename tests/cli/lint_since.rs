//! `dibber lint --since`: only what is on lines that have changed.

use std::path::Path;
use std::process::Command;

use crate::support::Tree;
use crate::support::command::Dibber;

const GARDEN: &str = "---
name: garden
description: Waters the plants on the balcony. Use when somebody asks about dry soil.
---

# Garden

TODO: look at the soil

Water comes from [the tap](references/tap.md).
";

pub(super) fn git(directory: &Path, arguments: &[&str]) {
    let output = Command::new("git")
        .args(["-c", "user.name=Ada", "-c", "user.email=ada@example.com"])
        .args(["-c", "init.defaultBranch=main", "-c", "core.autocrlf=false"])
        .args(["-c", "commit.gpgsign=false"])
        .args(arguments)
        .current_dir(directory)
        .env_remove("GIT_DIR")
        .output()
        .expect("git");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A repository with one commit: two skills with two findings each.
fn repository() -> Tree {
    let tree = Tree::new();
    tree.write("skills/garden/SKILL.md", GARDEN.as_bytes());
    tree.write("skills/kitchen/SKILL.md", GARDEN.replace("garden", "kitchen").as_bytes());
    git(tree.path(), &["init", "--quiet"]);
    commit(&tree);
    tree
}

fn commit(tree: &Tree) {
    git(tree.path(), &["add", "--all"]);
    git(tree.path(), &["commit", "--quiet", "--message", "Add skills"]);
}

fn change_garden(tree: &Tree) {
    let text = GARDEN.replace("TODO: look at the soil", "Once a day.\n\nTODO: look at the leaves");
    tree.write("skills/garden/SKILL.md", text.as_bytes());
}

fn lint(directory: &Path, arguments: &[&str]) -> String {
    let ended =
        Dibber::lint(directory, ["--format", "concise", "--since"]).arguments(arguments).run();
    ended.show_without(directory)
}

#[test]
fn nothing_has_changed() {
    let tree = repository();
    insta::assert_snapshot!(lint(tree.path(), &["HEAD"]));
}

#[test]
fn a_changed_line() {
    let tree = repository();
    change_garden(&tree);
    let changed = lint(tree.path(), &["HEAD"]);
    insta::assert_snapshot!(changed);
    for paths in [&["skills"][..], &["skills/garden", "skills/kitchen"], &["./skills/"]] {
        assert_eq!(lint(tree.path(), &[&["HEAD"], paths].concat()), changed, "{paths:?}");
    }
    git(tree.path(), &["add", "--all"]);
    assert_eq!(lint(tree.path(), &["HEAD"]), changed, "what is staged has changed as well");
    commit(&tree);
    assert_eq!(lint(tree.path(), &["HEAD~1"]), changed);
}

#[test]
fn from_another_directory() {
    let tree = repository();
    change_garden(&tree);
    let skills = tree.path().join("skills");
    insta::assert_snapshot!(lint(&skills, &["HEAD"]));
    insta::assert_snapshot!(lint(&skills.join("garden"), &["HEAD"]));
    insta::assert_snapshot!(lint(&skills.join("kitchen"), &["HEAD", "../garden"]));
    insta::assert_snapshot!(lint(&skills.join("kitchen"), &["HEAD", "../garden/SKILL.md"]));
    let elsewhere = Tree::new();
    for path in ["skills", "skills/garden", "skills/garden/SKILL.md"] {
        let path = tree.path().join(path);
        let ended = Dibber::lint(elsewhere.path(), ["--format", "concise", "--since", "HEAD"])
            .arguments(&[&path.to_string_lossy()])
            .run();
        insta::assert_snapshot!(ended.show_without(tree.path()));
        let inside = lint(tree.path(), &["HEAD", &path.to_string_lossy()]);
        assert!(inside.contains("placeholder-text"), "{inside}");
    }
}

#[test]
fn a_file_that_git_does_not_know() {
    let tree = repository();
    tree.write("skills/hall/SKILL.md", GARDEN.replace("garden", "hall").as_bytes());
    insta::assert_snapshot!(lint(tree.path(), &["HEAD"]));
    tree.write("skills/häll \"x\"/SKILL.md", GARDEN.as_bytes());
    insta::assert_snapshot!(lint(tree.path(), &["HEAD"]));
    commit(&tree);
    insta::assert_snapshot!(lint(tree.path(), &["HEAD~1"]));
}

#[test]
fn a_renamed_file() {
    let tree = repository();
    git(tree.path(), &["mv", "skills/garden", "skills/balcony"]);
    insta::assert_snapshot!(lint(tree.path(), &["HEAD"]));
}

#[test]
fn a_deleted_file() {
    let tree = repository();
    tree.write("skills/garden/references/tap.md", b"The tap.\n");
    commit(&tree);
    std::fs::remove_file(tree.path().join("skills/garden/references/tap.md")).expect("the file");
    insta::assert_snapshot!(lint(tree.path(), &["HEAD"]));
}

#[test]
fn only_changed_lines_are_fixed() {
    let tree = Tree::new();
    let text = GARDEN.replace("license", "") + "\nRun `scripts\\a.sh`.\n\nRun `scripts\\b.sh`.\n";
    tree.write("skills/garden/scripts/a.sh", b"");
    tree.write("skills/garden/scripts/b.sh", b"");
    tree.write("skills/garden/SKILL.md", text.as_bytes());
    git(tree.path(), &["init", "--quiet"]);
    commit(&tree);
    let changed = text.replace("Run `scripts\\b", "Then run `scripts\\b");
    tree.write("skills/garden/SKILL.md", changed.as_bytes());
    lint(tree.path(), &["HEAD", "--fix"]);
    let fixed = tree.read("skills/garden/SKILL.md");
    assert!(fixed.contains("`scripts\\a.sh`") && fixed.contains("`scripts/b.sh`"), "{fixed}");
}

#[test]
fn the_users_own_git_settings_change_nothing() {
    let tree = repository();
    change_garden(&tree);
    let changed = lint(tree.path(), &["HEAD"]);
    for setting in [
        ["diff.noprefix", "true"],
        ["diff.mnemonicPrefix", "true"],
        ["diff.external", "false"],
        ["color.ui", "always"],
        ["core.quotePath", "true"],
        ["diff.interHunkContext", "20"],
        ["diff.relative", "true"],
        ["diff.algorithm", "histogram"],
        ["status.showUntrackedFiles", "no"],
    ] {
        git(tree.path(), &["config", setting[0], setting[1]]);
        assert_eq!(lint(tree.path(), &["HEAD"]), changed, "{setting:?}");
    }
}

#[test]
fn revisions_that_are_none() {
    let tree = repository();
    insta::assert_snapshot!(lint(tree.path(), &["no-such-branch"]));
    let ended = Dibber::lint(tree.path(), ["--since=--output=x"]).run();
    insta::assert_snapshot!(ended.show());
    assert!(!tree.path().join("x").exists());
    let outside = Tree::new();
    outside.write("skills/garden/SKILL.md", GARDEN.as_bytes());
    insta::assert_snapshot!(lint(outside.path(), &["HEAD"]));
    git(outside.path(), &["init", "--quiet"]);
    insta::assert_snapshot!(lint(outside.path(), &["HEAD"]));
}

#[test]
fn omitted_findings_still_count() {
    let links: String = (0..150).map(|number| format!("[a](no{number}.md)\n")).collect();
    let tree = Tree::new();
    tree.write("skills/garden/SKILL.md", format!("{GARDEN}\n{links}").as_bytes());
    git(tree.path(), &["init", "--quiet"]);
    commit(&tree);
    Dibber::lint(tree.path(), ["--write-baseline", "known.json"]).run();
    let text = format!("{GARDEN}\n{links}[b](none.md)\n");
    tree.write("skills/garden/SKILL.md", text.as_bytes());
    insta::assert_snapshot!(lint(tree.path(), &["HEAD"]));
    insta::assert_snapshot!(lint(tree.path(), &["HEAD", "--baseline", "known.json"]));
}

#[test]
fn a_clone_without_the_history() {
    let tree = repository();
    change_garden(&tree);
    commit(&tree);
    let clone = Tree::new();
    let from = format!("file://{}", tree.path().display());
    git(clone.path(), &["clone", "--quiet", "--depth", "1", &from, "here"]);
    insta::assert_snapshot!(lint(&clone.path().join("here"), &["HEAD~1", "skills"]));
}

/// The configuration of such a repository names programs, and comes with a clone.
#[cfg(unix)]
#[test]
fn a_repository_that_is_committed_as_files_is_not_entered() {
    let tree = repository();
    change_garden(&tree);
    let inner = tree.path().join("skills/garden");
    for directory in ["objects", "refs"] {
        std::fs::create_dir(inner.join(directory)).expect("a directory");
    }
    tree.write("skills/garden/HEAD", b"ref: refs/heads/main\n");
    let program = format!(
        "[core]\nrepositoryformatversion = 0\nbare = false\nworktree = .\n[filter \"f\"]\nclean = touch '{}'/ran; cat\n",
        tree.path().display()
    );
    tree.write("skills/garden/config", program.as_bytes());
    tree.write("skills/garden/.gitattributes", b"* filter=f\n");
    git(&inner, &["--git-dir=.", "--work-tree=.", "commit", "--quiet", "--allow-empty", "-mInner"]);
    git(&inner, &["--git-dir=.", "--work-tree=.", "add", "--force", "SKILL.md"]);
    std::fs::remove_file(tree.path().join("ran")).expect("git runs the program");
    std::fs::write(inner.join("SKILL.md"), format!("{GARDEN}\nTODO: more\n")).expect("a file");
    lint(&inner, &["HEAD"]);
    assert!(!tree.path().join("ran").exists(), "the program ran");
}
