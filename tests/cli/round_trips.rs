//! A skill goes through each form in which clients find it, and is the same one afterwards.

use serde_json::Value;

use crate::support::Tree;
use crate::support::command::{Dibber, Ended};
use crate::support::skill_server::SkillServer;

const SKILL: &[u8] = b"\
---
name: ferns
description: \"Waters ferns: all of them. Use for dry soil.\"
license: MIT
metadata:
  version: \"1.0\"
allowed-tools: Bash(git:*) Read
---

# Ferns

Look at the soil. \xF0\x9F\x8C\xBF
";

/// A skill with files of every kind: in directories, binary, empty, executable, with a name beyond ASCII,
/// and another skill.
fn skills() -> Tree {
    let tree = Tree::new();
    tree.write("skills/ferns/SKILL.md", SKILL);
    tree.write("skills/ferns/assets/soil.bin", &(0..=255).collect::<Vec<u8>>());
    tree.write("skills/ferns/assets/empty", b"");
    tree.write("skills/ferns/references/caf\u{e9} notes.md", b"Notes.\r\n");
    tree.write("skills/ferns/scripts/water.sh", b"#!/bin/sh\necho\n");
    tree.write("skills/ferns/more/moss/SKILL.md", b"---\nname: moss\ndescription: Is one.\n---\n");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let script = tree.path().join("skills/ferns/scripts/water.sh");
        std::fs::set_permissions(script, PermissionsExt::from_mode(0o755)).expect("a mode");
    }
    tree.write("project/dibber.toml", b"");
    tree
}

fn run(tree: &Tree, directory: &str, words: &[&str]) -> Ended {
    let home = tree.path().display().to_string();
    let ended = Dibber::new(words.iter().copied())
        .in_directory(&tree.path().join(directory))
        .env("HOME", &home)
        .env("XDG_CONFIG_HOME", &tree.path().join("config").to_string_lossy())
        .run();
    assert_eq!(ended.code, 0, "{words:?}: {}", ended.show());
    ended
}

/// The digest of the skill in a directory, and those of its files.
fn digests(tree: &Tree, directory: &str) -> (Value, Value) {
    let shown = run(tree, "", &["pack", directory, "--dry-run", "--json"]);
    let packed: Value = serde_json::from_str(&shown.stdout).expect("JSON");
    (packed["skills"][0]["digest"].clone(), packed["items"].clone())
}

/// Adds a source to the project, compares what is there with the original, and removes it.
fn check(tree: &Tree, source: &str) {
    run(tree, "project", &["add", source, "--skill", "ferns", "--yes"]);
    let (original, added) =
        (digests(tree, "skills/ferns"), digests(tree, "project/.agents/skills/ferns"));
    assert_eq!(original.0, added.0, "{source}");
    // Manifests of MCP do not say which files can be executed.
    let without_modes = |mut items: Value| {
        for item in items.as_array_mut().expect("items") {
            item["isExecutable"] = Value::Null;
        }
        items
    };
    if source.starts_with("mcp:") {
        assert_eq!(without_modes(original.1), without_modes(added.1), "{source}");
    } else {
        assert_eq!(original.1, added.1, "{source}");
    }
    run(tree, "project", &["verify"]);
    run(tree, "project", &["remove", "ferns", "--yes"]);
}

#[test]
fn folders_and_archives() {
    let tree = skills();
    check(&tree, "../skills/ferns");
    for (name, layout) in
        [("a.zip", "wrapper"), ("b.zip", "root"), ("c.tar.gz", "wrapper"), ("d.tgz", "root")]
    {
        run(&tree, "", &["pack", "skills/ferns", "--output", name, "--layout", layout]);
        check(&tree, &format!("../{name}"));
    }
}

#[test]
fn sites_and_servers() {
    let server = SkillServer::over(skills(), &["--public-skills"]);
    let address = &server.serving.address;
    check(&server.tree, &format!("http://{address}"));
    let token = server.tree.path().join("data/token");
    let config = format!(
        "[servers.plants]\nurl = \"http://{address}/mcp\"\ntoken-file = {:?}\n",
        token.to_string_lossy()
    );
    server.tree.write("config/dibber/dibber.toml", config.as_bytes());
    check(&server.tree, "mcp:plants");
}
