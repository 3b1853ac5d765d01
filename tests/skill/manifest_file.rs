//! Which file next to `SKILL.md` determines how the skill is published.

use std::fs;

use crate::support::Tree;
use crate::support::command::Dibber;

const BUS_TIMES: &str = "\
-- bus-times/SKILL.md --
---
name: bus-times
description: Says when the bus goes from here to town. Use when somebody asks for the bus.
---

Look for the bus to {{input.place}}.
-- bus-times/sprout.yaml --
label: When the bus goes
kidCallable: true
ageRange: 5-7
inputs:
  - name: place
";

fn hash_of(tree: &Tree, path: &str) -> String {
    let ended = Dibber::new(["hash", path]).in_directory(tree.path()).run();
    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""));
    ended.stdout
}

#[test]
fn a_manifest_that_git_ignores_counts() {
    let tree = Tree::from_archive(BUS_TIMES, false);
    let expected = hash_of(&tree, "bus-times");
    let ignoring = [
        (".gitignore", "sprout.yaml\n"),
        ("bus-times/.gitignore", "*.yaml\n"),
        (".gitignore", "bus-times/sprout.*\n"),
    ];
    for (file, pattern) in ignoring {
        let tree = Tree::from_archive(BUS_TIMES, false);
        tree.write(file, pattern.as_bytes());
        for path in [".", "bus-times", "bus-times/SKILL.md", "bus-times/sprout.yaml"] {
            assert_eq!(hash_of(&tree, path), expected, "{file} {pattern} {path}");
        }
    }
}

#[test]
fn a_directory_is_not_a_manifest() {
    let tree = Tree::from_archive(BUS_TIMES, false);
    let path = tree.path().join("bus-times/sprout.yaml");
    fs::remove_file(&path).expect("a file");
    fs::create_dir(&path).expect("a directory");
    for command in ["dry-run", "lint"] {
        let ended = Dibber::new([command, "bus-times"]).in_directory(tree.path()).run();
        let message = "`sprout.yaml` is a directory";
        assert!(ended.stdout.contains(message), "{command}: {}", ended.show());
        assert_ne!(ended.code, 0);
    }
    tree.write("bus-times/sprout.yaml/label.yaml", b"label: Bus\n");
    let ended = Dibber::new(["hash", "bus-times"]).in_directory(tree.path()).run();
    assert_eq!(ended.code, 3);
}

#[test]
fn a_manifest_in_another_spelling_is_reported_and_not_read() {
    for spelling in ["Sprout.yaml", "sprout.yml", "SPROUT.YML"] {
        let tree = Tree::from_archive(BUS_TIMES, false);
        let directory = tree.path().join("bus-times");
        fs::rename(directory.join("sprout.yaml"), directory.join(spelling)).expect("a file");
        let ended = Dibber::new(["hash", "bus-times"]).in_directory(tree.path()).run();
        assert_eq!((ended.code, ended.stdout.as_str()), (3, ""), "{spelling}");
        assert!(ended.stderr.contains("the file name is `sprout.yaml`"), "{}", ended.show());
    }
}
