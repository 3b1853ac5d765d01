//! `dibber lint --watch`: a report for every change.

use std::io::{BufRead, BufReader};

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
    let dibber = Dibber::lint(tree.path(), ["--watch", "--quiet", "--format", "concise"]);
    let mut child = dibber.start();
    let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    let stderr = BufReader::new(child.stderr.take().expect("a pipe"));
    let (mut reports, mut messages) = (stdout.lines(), stderr.lines());
    let next = |report: &mut dyn Iterator<Item = _>| report.next().expect("a line");
    let first: std::io::Result<String> = next(&mut reports);
    assert!(first.expect("a line").contains("placeholder-text"));
    let waiting: std::io::Result<String> = next(&mut messages);
    assert_eq!(waiting.expect("a line"), "Watching for changes; press Ctrl-C to stop");
    // An invalid configuration does not end it.
    tree.write("dibber.toml", b"[lint.levels]\nlong-body = \"off\"\n");
    let error: std::io::Result<String> = next(&mut messages);
    assert!(error.expect("a line").contains("dibber.toml"));
    tree.write("dibber.toml", b"");
    tree.write("kitchen/SKILL.md", format!("{SKILL}See [the list](pots.md).\n").as_bytes());
    let second = reports.find(|line| line.as_ref().is_ok_and(|line| line.contains("pots.md")));
    assert!(second.is_some());
    child.kill().expect("a process");
    child.wait().expect("a process");
}

#[test]
fn what_cannot_be_watched() {
    let tree = Tree::new();
    let show = |arguments: &[&str]| Dibber::lint(tree.path(), arguments).run().show();
    insta::assert_snapshot!([show(&["--watch", "-"]), show(&["--watch", "--fix"])].join("\n"));
}
