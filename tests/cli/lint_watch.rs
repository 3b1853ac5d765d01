//! `dibber lint --watch`: a report for every change.

use std::io::{BufRead, BufReader, Read};
use std::process::Child;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use crate::support::Tree;
use crate::support::command::Dibber;

const SKILL: &str = "---
name: kitchen
description: Cooks soup for the whole family. Use when somebody is hungry.
---

# Kitchen

";

/// How long a line is waited for.
const LINE_WAIT_MAX: Duration = Duration::from_mins(1);

/// A watcher, which ends with the test, also with one that fails.
struct Watcher {
    process: Child,
    reports: Receiver<String>,
    messages: Receiver<String>,
}

impl Watcher {
    fn start(tree: &Tree, arguments: &[&str]) -> Self {
        let mut process = Dibber::lint(tree.path(), ["--watch"]).arguments(arguments).start();
        let reports = lines(process.stdout.take().expect("a pipe"));
        let messages = lines(process.stderr.take().expect("a pipe"));
        Self { process, reports, messages }
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Reads lines on a thread of its own, so that the wait for one can end.
fn lines(pipe: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let lines = BufReader::new(pipe).lines().map_while(Result::ok);
        lines.map(|line| sender.send(line)).take_while(Result::is_ok).count()
    });
    receiver
}

/// Reads until a line contains `part`.
fn wait_for(lines: &Receiver<String>, part: &str) {
    loop {
        match lines.recv_timeout(LINE_WAIT_MAX) {
            Ok(line) if line.contains(part) => return,
            Ok(_) => {}
            Err(error) => panic!("no line with `{part}`: {error}"),
        }
    }
}

#[test]
fn a_change_is_linted_again() {
    let tree = Tree::new();
    tree.write("kitchen/SKILL.md", format!("{SKILL}TODO: say which pot\n").as_bytes());
    let watcher = Watcher::start(&tree, &["--format", "concise"]);
    wait_for(&watcher.reports, "placeholder-text");
    wait_for(&watcher.messages, "Watching for changes; press Ctrl-C to stop");
    // An invalid configuration does not end it.
    tree.write("dibber.toml", b"[lint.levels]\nlong-body = \"off\"\n");
    wait_for(&watcher.messages, "dibber.toml");
    tree.write("dibber.toml", b"");
    tree.write("kitchen/SKILL.md", format!("{SKILL}See [the list](pots.md).\n").as_bytes());
    wait_for(&watcher.reports, "pots.md");
}

#[test]
fn what_cannot_be_watched() {
    let tree = Tree::new();
    let show = |arguments: &[&str]| {
        let run = Dibber::lint(tree.path(), ["--watch"]).arguments(arguments).run_bounded();
        format!("$ dibber lint --watch {}\n{}", arguments.join(" "), run.show())
    };
    let runs: [&[&str]; 4] =
        [&["-"], &["--fix"], &["-o", "report.txt"], &["--format", "json=kitchen/report.json"]];
    insta::assert_snapshot!(runs.map(show).join("\n"));
}
