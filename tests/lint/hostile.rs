//! Broken and malicious input: a clear message for each, and the rest is still linted.

use std::fs;

use crate::support::Tree;
use crate::support::command::{Dibber, Ended};

const GOOD: &str = "---
name: good
description: Waters the plants on the balcony. Use when somebody asks about dry soil.
---

# Good

Look at the soil first.
";

/// Lints a tree of one valid skill and what `write` adds to it.
fn lint_with_a_valid_skill(write: impl FnOnce(&Tree)) -> Ended {
    let tree = Tree::new();
    tree.write("good/SKILL.md", GOOD.as_bytes());
    write(&tree);
    Dibber::new(["lint", "--format", "concise"]).in_directory(tree.path()).run()
}

fn with_skill(bytes: &[u8]) -> Ended {
    lint_with_a_valid_skill(|tree| tree.write("bad/SKILL.md", bytes))
}

#[test]
fn bytes_that_are_not_utf8() {
    insta::assert_snapshot!(with_skill(b"---\nname: bad\ndescription: caf\xE9\n---\n").show());
}

#[test]
fn a_file_in_utf16() {
    let mut bytes = vec![0xFF, 0xFE];
    bytes.extend(GOOD.encode_utf16().flat_map(u16::to_le_bytes));
    insta::assert_snapshot!(with_skill(&bytes).show());
}

#[test]
fn nul_bytes() {
    insta::assert_snapshot!(
        with_skill(&GOOD.replace("soil first", "soil\0first").into_bytes()).show()
    );
}

#[test]
fn a_byte_order_mark_and_windows_line_ends() {
    let text = format!("\u{FEFF}{GOOD}").replace('\n', "\r\n").replace("good", "bad");
    insta::assert_snapshot!(with_skill(text.as_bytes()).show());
}

#[test]
fn line_ends_of_old() {
    let text = GOOD.replace('\n', "\r").replace("good", "bad");
    insta::assert_snapshot!(with_skill(text.as_bytes()).show());
}

#[test]
fn an_empty_file() {
    insta::assert_snapshot!(with_skill(b"").show());
}

#[test]
fn a_directory_named_like_the_file() {
    let ended = lint_with_a_valid_skill(|tree| tree.write("bad/SKILL.md/note.txt", b"hello"));
    insta::assert_snapshot!(ended.show());
}

#[cfg(unix)]
#[test]
fn a_file_that_must_not_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let mut is_readable = false;
    let ended = lint_with_a_valid_skill(|tree| {
        tree.write("bad/SKILL.md", GOOD.as_bytes());
        let path = tree.path().join("bad/SKILL.md");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).expect("permissions");
        // Root can read every file.
        is_readable = fs::read(&path).is_ok();
    });
    if is_readable {
        assert_eq!(ended.code, 1, "{}", ended.show());
    } else {
        insta::assert_snapshot!(ended.show());
    }
}

#[cfg(unix)]
#[test]
fn links_in_a_circle() {
    let ended = lint_with_a_valid_skill(|tree| {
        tree.link("bad/SKILL.md", "SKILL.md");
        tree.link("good/loop", ".");
        tree.link("round/a", "../round/b");
        tree.link("round/b", "../round/a");
    });
    insta::assert_snapshot!(ended.show());
}

#[cfg(unix)]
#[test]
fn a_pipe() {
    let ended = lint_with_a_valid_skill(|tree| {
        fs::create_dir(tree.path().join("bad")).expect("a directory");
        let path = tree.path().join("bad/SKILL.md");
        let status = std::process::Command::new("mkfifo").arg(path).status().expect("mkfifo");
        assert!(status.success());
    });
    insta::assert_snapshot!(ended.show());
}

fn with_frontmatter_value(value: &str) -> Ended {
    with_skill(
        GOOD.replace("good", "bad").replacen("---\n\n", &format!("{value}\n---\n\n"), 1).as_bytes(),
    )
}

#[test]
fn a_hundred_thousand_brackets() {
    insta::assert_snapshot!(
        with_frontmatter_value(&format!("metadata: {}", "[".repeat(100_000))).show()
    );
}

#[test]
fn deep_nesting() {
    insta::assert_snapshot!(
        with_frontmatter_value(&format!("metadata: {}", "[".repeat(50))).show()
    );
}

#[test]
fn a_billion_laughs() {
    let mut lines = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..10 {
        let aliases = vec![format!("*a{}", level - 1); 9].join(", ");
        lines += &format!("a{level}: &a{level} [{aliases}]\n");
    }
    insta::assert_snapshot!(with_frontmatter_value(lines.trim_end()).show());
}

#[test]
fn aliases_that_expand_to_400_megabytes() {
    let mut lines = format!("a: &a {}\nb: [", "x".repeat(20_000));
    lines += &vec!["*a"; 13_000].join(",");
    lines += "]";
    insta::assert_snapshot!(with_frontmatter_value(&lines).show());
}

#[test]
fn aliases_beyond_the_limit() {
    let lines = format!("a: &a x\nb: [{}]", vec!["*a"; 17].join(", "));
    insta::assert_snapshot!(with_frontmatter_value(&lines).show());
}

#[test]
fn a_file_of_a_gigabyte() {
    let ended = lint_with_a_valid_skill(|tree| {
        tree.write("bad/SKILL.md", GOOD.replace("good", "bad").as_bytes());
        let file = fs::File::options().write(true).open(tree.path().join("bad/SKILL.md"));
        file.expect("the file").set_len(1 << 30).expect("a sparse file");
    });
    insta::assert_snapshot!(ended.show());
}

#[test]
fn fifty_thousand_files() {
    let ended = lint_with_a_valid_skill(|tree| {
        tree.write("bad/SKILL.md", GOOD.replace("good", "bad").as_bytes());
        fs::create_dir(tree.path().join("bad/data")).expect("a directory");
        for index in 0..50_000 {
            fs::File::create(tree.path().join(format!("bad/data/{index}.json"))).expect("a file");
        }
    });
    insta::assert_snapshot!(ended.show());
}

#[test]
fn a_name_with_escape_codes() {
    let ended = lint_with_a_valid_skill(|tree| {
        let text = GOOD.replace("name: good", "name: \"\\e[2J\\e]0;pwned\\abad\u{202E}\"");
        tree.write("bad\u{1B}[31m/SKILL.md", text.as_bytes());
    });
    assert!(!ended.stdout.contains('\u{1B}') && !ended.stderr.contains('\u{1B}'));
    insta::assert_snapshot!(ended.show());
}

#[test]
fn paths_with_no_skill() {
    let tree = Tree::new();
    tree.write("notes/README.md", b"# Notes\n");
    for arguments in [&["lint", "missing"][..], &["lint", "."], &["lint", "notes/README.md"]] {
        let ended = Dibber::new(arguments).in_directory(tree.path()).run();
        insta::assert_snapshot!(ended.show());
    }
}
