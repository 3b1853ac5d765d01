//! `dibber lint --watch`: a report for every change.

use std::io::{self, BufRead, BufReader};

use crate::support::Tree;
use crate::support::command::Dibber;

const SKILL: &str = "---
name: kitchen
description: Cooks soup for the whole family. Use when somebody is hungry.
---

# Kitchen

";

#[test]
fn a_change_is_linted_again() {
    let tree = Tree::new();
    tree.write("kitchen/SKILL.md", format!("{SKILL}TODO: say which pot\n").as_bytes());
    let mut child = Dibber::lint(tree.path(), ["--watch", "--format", "concise"]).start();
    let mut reports = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut messages = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    let wait_for = |mut lines: &mut dyn Iterator<Item = io::Result<String>>, part: &str| {
        let found =
            Iterator::find(&mut lines, |line| line.as_ref().is_ok_and(|line| line.contains(part)));
        assert!(found.is_some(), "{part}");
    };
    wait_for(&mut reports, "placeholder-text");
    wait_for(&mut messages, "Watching for changes; press Ctrl-C to stop");
    // An invalid configuration does not end it.
    tree.write("dibber.toml", b"[lint.levels]\nlong-body = \"off\"\n");
    wait_for(&mut messages, "dibber.toml");
    tree.write("dibber.toml", b"");
    tree.write("kitchen/SKILL.md", format!("{SKILL}See [the list](pots.md).\n").as_bytes());
    wait_for(&mut reports, "pots.md");
    child.kill().expect("a process");
    child.wait().expect("a process");
}

#[test]
fn what_cannot_be_watched() {
    let tree = Tree::new();
    let show = |arguments: &[&str]| Dibber::lint(tree.path(), arguments).run().show();
    insta::assert_snapshot!([show(&["--watch", "-"]), show(&["--watch", "--fix"])].join("\n"));
}
