//! Secrets in files of a skill that `dibber lint` does not read as text: large ones, and binary ones.

use crate::support::Tree;
use crate::support::command::Dibber;

const SKILL: &[u8] = b"---\nname: logs\ndescription: Reads logs. Use when somebody asks what a log says.\n---\n\n# Logs\n\nRead `all.log`.\n";

/// The parts of the token are joined at run time, so that scanners do not report this file.
fn token() -> String {
    ["ghp", "_", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ", "0mLq17"].concat()
}

fn tree(files: &[(&str, Vec<u8>)]) -> Tree {
    let tree = Tree::new();
    tree.write("logs/SKILL.md", SKILL);
    for (path, bytes) in files {
        tree.write(&format!("logs/{path}"), bytes);
    }
    tree
}

fn lint(tree: &Tree) -> String {
    let only = ["--level", "all=allow", "-l", "secret=deny", "-l", "oversized-skill=warn"];
    let ended = Dibber::lint(tree.path(), only).run();
    assert!(!ended.stdout.contains(&token()[10..]), "a secret is shown");
    ended.show_without(tree.path())
}

#[test]
fn a_secret_in_a_large_file_and_in_a_binary_file() {
    let large = format!("{}{}\n", "A line of a log.\n".repeat(70_000), token());
    let binary = [b"\0\xFF\n", token().as_bytes(), b"\0"].concat();
    let tree = tree(&[("all.log", large.into()), ("key.so", binary), ("empty.bin", Vec::new())]);
    insta::assert_snapshot!(lint(&tree));
}

#[test]
fn what_is_not_searched_is_named() {
    let large = vec![b'\n'; 9 << 20];
    let files = [("all.log", large.clone()), ("later.log", [&large, token().as_bytes()].concat())];
    insta::assert_snapshot!(lint(&tree(&files)));
}
