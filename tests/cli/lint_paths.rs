//! What `dibber lint` takes for a skill: the paths it is given, and the directories below them.

use std::fs;
use std::path::Path;

use crate::support::Tree;
use crate::support::command::Dibber;

/// A skill with one finding, so that its path is shown.
fn skill(name: &str) -> String {
    format!(
        "---\nname: {name}\ndescription: Waters the plants. Use when somebody asks.\n---\n\n# X\n\nTODO: write\n"
    )
}

fn tree(paths: &[&str]) -> Tree {
    let tree = Tree::new();
    for path in paths {
        let name = path.rsplit('/').next().expect("a name");
        tree.write(&format!("{path}/SKILL.md"), skill(name).as_bytes());
    }
    tree
}

fn lint(directory: &Path, arguments: &[&str]) -> String {
    let levels = ["--format", "concise", "--level", "writing=allow", "-l", "placeholder-text=warn"];
    Dibber::lint(directory, levels).arguments(arguments).run().show_without(directory)
}

#[test]
fn the_current_directory() {
    let tree = tree(&["skills/garden", "skills/kitchen"]);
    let garden = tree.path().join("skills/garden");
    tree.write("skills/garden/references/soil.md", b"Soil.\n");
    insta::assert_snapshot!(lint(&garden, &["."]));
    assert_eq!(lint(&garden, &["."]), lint(&garden, &[]));
    assert_eq!(lint(&garden, &["./"]), lint(&garden, &[]));
    insta::assert_snapshot!(lint(&garden, &[".."]));
    insta::assert_snapshot!(lint(&garden.join("references"), &[".."]));
    tree.write("skills/garden/SKILL.md", skill("another-name").as_bytes());
    insta::assert_snapshot!(lint(&garden, &["."]));
}

#[test]
fn files_in_a_skill() {
    let tree = tree(&["skills/garden", "skills/kitchen"]);
    tree.write("skills/garden/references/soil.md", b"Soil.\n");
    let whole = lint(tree.path(), &["skills/garden"]);
    insta::assert_snapshot!(whole);
    for path in ["skills/garden/SKILL.md", "skills/garden/references/soil.md", "./skills/garden/"] {
        assert_eq!(lint(tree.path(), &[path]), whole, "{path}");
    }
    let garden = tree.path().join("skills/garden");
    insta::assert_snapshot!(lint(&garden, &["SKILL.md"]));
    insta::assert_snapshot!(lint(&garden, &["references/soil.md"]));
    insta::assert_snapshot!(lint(&garden.join("references"), &["soil.md"]));
}

#[test]
fn each_skill_once() {
    let tree = tree(&["skills/garden", "skills/kitchen"]);
    let once = lint(tree.path(), &["skills"]);
    for paths in [
        &["skills", "skills/garden"][..],
        &["skills/kitchen", "skills/garden/SKILL.md", "skills/garden"],
        &["skills", "./skills//kitchen/", "skills/../skills"],
    ] {
        assert_eq!(lint(tree.path(), paths), once, "{paths:?}");
    }
    // The first way to name it is the one that is shown.
    insta::assert_snapshot!(lint(tree.path(), &["skills/../skills/garden", "skills"]));
}

#[cfg(unix)]
#[test]
fn a_skill_that_links_lead_to_is_linted_once() {
    let tree = tree(&["skills/garden"]);
    tree.link("linked", "skills");
    assert_eq!(lint(tree.path(), &["skills", "linked"]), lint(tree.path(), &["skills"]));
}

#[test]
fn a_file_beside_the_current_skill() {
    let tree = tree(&["skills/garden"]);
    tree.write("skills/note.md", b"A note.\n");
    insta::assert_snapshot!(lint(&tree.path().join("skills/garden"), &["../note.md"]));
}

#[test]
fn an_absolute_path() {
    let tree = tree(&["skills/garden"]);
    let directory = tree.path().join("skills");
    insta::assert_snapshot!(lint(tree.path(), &[&directory.to_string_lossy()]));
    let elsewhere = Tree::new();
    let ended = Dibber::lint(elsewhere.path(), ["--format", "concise"])
        .arguments(&[&directory.to_string_lossy()])
        .run();
    insta::assert_snapshot!(ended.show_without(tree.path()));
}

#[test]
fn directories_of_clients_and_directories_that_are_ignored() {
    let tree = tree(&[
        ".agents/skills/first",
        ".claude/skills/second",
        ".git/skills/never",
        "build/ignored",
        "nested/kept/third",
        "nested/dropped/fourth",
        "node_modules/package/skills/never",
    ]);
    tree.write(".gitignore", b"/build\n");
    tree.write("nested/.gitignore", b"dropped/\n");
    insta::assert_snapshot!(lint(tree.path(), &[]));
    // What is named is meant.
    insta::assert_snapshot!(lint(tree.path(), &["build/ignored"]));
    insta::assert_snapshot!(lint(tree.path(), &["build"]));
    insta::assert_snapshot!(lint(tree.path(), &["node_modules/package"]));
}

#[test]
fn directories_without_skills() {
    let tree = tree(&["skills/garden"]);
    fs::create_dir(tree.path().join("empty")).expect("a directory");
    tree.write("notes/readme.md", b"Notes.\n");
    for paths in [
        &["empty"][..],
        &["skills", "empty"],
        &["empty", "skills"],
        &["skills", "missing", "notes/readme.md", ""],
    ] {
        insta::assert_snapshot!(lint(tree.path(), paths));
    }
}

#[test]
fn a_directory_with_a_manifest_alone_lacks_its_skill_file() {
    let tree = tree(&[]);
    tree.write("skills/family.words.count/skill.toml", b"name = \"family.words.count\"\n");
    for path in ["skills", "skills/family.words.count", "skills/family.words.count/skill.toml"] {
        let run = lint(tree.path(), &[path]);
        let expected = "error: skills/family.words.count: has a `skill.toml`, but no SKILL.md";
        assert!(run.contains(expected), "{path}: {run}");
    }
}

/// A commit hook passes every changed file.
#[test]
fn paths_without_a_skill_are_skipped_if_asked() {
    let tree = tree(&["skills/garden"]);
    fs::create_dir(tree.path().join("empty")).expect("a directory");
    tree.write("README.md", b"Notes.\n");
    tree.write("skills/garden/soil.md", b"Soil.\n");
    for paths in [
        &["README.md", "skills/garden/SKILL.md", "skills/garden/soil.md", "empty"][..],
        &["README.md"],
        &["README.md", "missing"],
    ] {
        let arguments = [&["--skip-non-skills"], paths].concat();
        insta::assert_snapshot!(lint(tree.path(), &arguments));
    }
}

#[test]
fn a_file_in_another_spelling() {
    let tree = Tree::new();
    tree.write("skills/garden/skill.MD", skill("garden").as_bytes());
    insta::assert_snapshot!(lint(tree.path(), &[]));
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let tree = tree(&["skills/garden"]);
    let directory = tree.path().join(OsStr::from_bytes(b"skills/caf\xE9"));
    fs::create_dir_all(&directory).expect("a directory");
    fs::write(directory.join("SKILL.md"), skill("cafe")).expect("a file");
    let file = tree.path().join(OsStr::from_bytes(b"skills/garden/caf\xE9.md"));
    fs::write(file, "Soil.\n").expect("a file");
    insta::assert_snapshot!(lint(tree.path(), &[]));
    let ended = Dibber::lint(tree.path(), [OsStr::from_bytes(b"skills/caf\xE9")]).run();
    assert_eq!(ended.code, 1, "{}", ended.show());
    let ended = Dibber::lint(tree.path(), [OsStr::from_bytes(b"skills/gone\xE9")]).run();
    insta::assert_snapshot!(ended.show());
}

#[cfg(unix)]
#[test]
fn links_to_skills() {
    let tree = tree(&["store/garden"]);
    tree.link("skills/garden", "../store/garden");
    tree.link("linked", "store");
    insta::assert_snapshot!(lint(tree.path(), &[]));
    insta::assert_snapshot!(lint(tree.path(), &["skills/garden"]));
    insta::assert_snapshot!(lint(tree.path(), &["linked"]));
}

/// Links into a skill further down are followed; its files are its own.
#[cfg(unix)]
#[test]
fn skills_in_skills() {
    let tree = tree(&["outer/inner/innermost", "outer/inner"]);
    let outer = "# X\n\nRead [one](inner/references/one.md), [none](inner/references/none.md),\n\
                 [link](inner/linked/x.md), [far](inner/innermost/SKILL.md) and [a folder](inner/references).\n";
    let outer = skill("outer").replace("# X\n\nTODO: write\n", outer);
    tree.write("outer/SKILL.md", outer.as_bytes());
    tree.write("outer/inner/references/one.md", b"TODO: write\n");
    tree.link("outer/inner/linked", "/nowhere");
    tree.write("outer/inner/CON.md", b"");
    insta::assert_snapshot!(lint(tree.path(), &["-l", "nested-skill=warn"]));
    // The same is found in the outer skill alone.
    insta::assert_snapshot!(lint(tree.path(), &["-l", "nested-skill=warn", "outer/SKILL.md"]));
}
