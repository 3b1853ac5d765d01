//! Command lines that people type wrong, by group of commands: every answer names what is wrong, why,
//! and what to type instead.

use tempfile::TempDir;

use crate::support::command::Dibber;
use crate::support::{Tree, copy_directory, package, timeless};

/// A project with a skill that is published, and a heartbeat of it.
struct Project {
    tree: Tree,
    data: TempDir,
}

impl Project {
    fn new() -> Self {
        let project = Self { tree: Tree::new(), data: TempDir::new().expect("a directory") };
        let skill = project.tree.path().join("bedtime-story");
        copy_directory(&package().join("examples/bedtime-story"), &skill);
        for arguments in ["push bedtime-story --yes --no-heartbeats", STORY_TIME] {
            let ended = project.dibber(arguments).run();
            assert_eq!(ended.code, 0, "{}", ended.show());
        }
        project
    }

    fn dibber(&self, arguments: &str) -> Dibber {
        let dibber = Dibber::new(words(arguments)).in_directory(self.tree.path());
        let names = self.data.path().join("names").to_string_lossy().into_owned();
        dibber.data(self.data.path()).env("COLUMNS", "100").env("DIBBER_NAMES", &names)
    }

    /// The answers to these command lines, each with its exit code. Of those that are not wrong, only
    /// that is shown.
    fn answers(&self, command_lines: &[&str]) -> String {
        let answers = command_lines.iter().map(|arguments| {
            let ended = self.dibber(arguments).run();
            let shown = if ended.code == 0 {
                "(done)\n".to_owned()
            } else {
                let shown = ended.show_without(self.tree.path());
                shown.replace(&*self.data.path().to_string_lossy(), "DATA")
            };
            format!("$ dibber {arguments}\n{}\n", timeless(&shown))
        });
        answers.collect()
    }
}

const STORY_TIME: &str = "heartbeat create \"Story time\" --cron \"30 19 * * *\" \
                          --skill bedtime-story --input child_name=one --input topic=sea --yes";

/// Splits a command line at spaces outside of double quotes.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut is_quoted = false;
    for c in line.chars() {
        match c {
            '"' => is_quoted = !is_quoted,
            ' ' if !is_quoted => words.push(String::new()),
            c => words.last_mut().expect("a word").push(c),
        }
    }
    words
}

#[test]
fn commands() {
    insta::assert_snapshot!(Project::new().answers(&[
        "lnt",
        "linst .",
        "check .",
        "help nothing",
        "version",
        "delete bedtime-story",
        "delete \"a story\"",
        "pause \"Story time\"",
        "stop bedtime-story",
        "stopp bedtime-story",
        "resume",
        "undo",
        "skill archive --all",
        "publish .",
        "man lint foo",
        "--color maybe lint",
        "schema dibber",
        "schema dibbr",
        "guide skills",
        "names add",
        "names remove 5",
    ]));
}

#[test]
fn lint() {
    insta::assert_snapshot!(Project::new().answers(&[
        "lint --fx",
        "lint --level unknown-field=error",
        "lint --level unknown-field",
        "lint --level unknown-feild=warn",
        "lint --select unknown-feild",
        "lint --format xml",
        "lint --config nope.toml",
        "lint --baseline",
        "lint --baseline nope.json",
        "lint --fix --diff",
        "lint --fix --write-baseline b.json",
        "lint --since HEAD --baseline x",
        "lint -",
        "lint --color",
        "lint --json",
        "lint nope",
        "lint --dry-run",
        "lint --statistics --format sarif",
        "lint --add-waivers",
        "explain",
        "explain E501",
        "explain unknown-feild",
        "rules long-body",
        "rules specs",
    ]));
}

#[test]
fn previews() {
    insta::assert_snapshot!(Project::new().answers(&[
        "dry-run nope",
        "dry-run --expect h_123 bedtime-story",
        "dry-run --expect xyz bedtime-story",
        "hash nope",
        "render nope",
        "render bedtime-story --input-file nope.json",
        "render - --input-file -",
        "new Bad_Name --template generic --description \"Says when the bus goes. Use when asked.\" --yes",
        "new bus --template generc --description \"Says when the bus goes. Use when asked.\" --yes",
        "new bus --template generic --description x --yes",
        "new bedtime-story --template generic --description \"Says when the bus goes.\" --yes",
        "new bus --template generic --kid-callable --yes",
        "new bus --template generic --description \"Says when the bus to school goes. Use when asked for it.\" \
         --kid-callable --yes",
        "new bus --template generic --schedule 8am --yes",
        "new bus --template generic --hands foo --tz Mars --yes",
    ]));
}

#[test]
fn skills() {
    insta::assert_snapshot!(Project::new().answers(&[
        "push --expect \
         h_603e9292ab5ede3852a660eeb19bb0f2f4c43fa1183e4fb96ceb939f4afc4240 bedtime-story --yes",
        "pull",
        "pull nope",
        "pull bedtime-story --into /proc/x",
        "invoke bedtime-story",
        "invoke ./nope",
        "invoke bedtime-story --input",
        "skill lst",
        "skill get \"Bedtime storie\"",
        "skill update bedtime-story",
        "skill update bedtime-story --kid-callable yes",
        "skill update bedtime-story --age-range six --yes",
        "skill post-result bedtime-story hello",
    ]));
}

#[test]
fn heartbeats() {
    insta::assert_snapshot!(Project::new().answers(&[
        "heartbeat preview \"0 25 * * *\"",
        "heartbeat preview --tz Mars",
        "heartbeat preview \"* * * * *\" --picture decade",
        "heartbeat preview \"0 8 * * *\" -n 0",
        "heartbeat preview \"0 8 * * *\" -n 999999",
        "heartbeat preview \"0 8 * * *\" --within -1",
        "heartbeat create",
        "heartbeat create Foo",
        "heartbeat create Foo --cron \"0 8 * * *\"",
        "heartbeat create Foo --cron \"*/5 * * * *\" --tz UTC --skill bedtime-story --input topic=a \
         --input child_name=b --yes",
        "heartbeat create Foo --cron \"0 8 * * *\" --skill bedtime-story --yes",
        "heartbeat edit \"Story time\"",
        "heartbeat edit \"Story time\" --time 20:00",
        "heartbeat pause",
        "heartbeat pause nope",
        "heartbeat cancel \"Story time\"",
        "heartbeat members \"Story time\" --add Grandma",
        "heartbeat preview bedtime-story --tz Mars",
    ]));
}

#[test]
fn families_and_servers() {
    insta::assert_snapshot!(Project::new().answers(&[
        "family add-child --born 2030-01-01 --name X",
        "family add-member",
        "family remove-child Jay",
        "family archive-skill nope --yes",
        "family archive-skill \"Bedtime story\" --yes",
        "family add-canvas Draw --ages five",
        "serve --listen nowhere",
        "status --server ftp://x",
        "call",
        "call skill_get",
        "call skill_get skillId",
        "call skill_get skillId=1 --args-json x",
        "tools skill_lst",
    ]));
}

/// What is suggested is not what was typed.
#[test]
fn an_option_before_its_command_belongs_after_it() {
    for (line, help) in [
        ("--server local tools", "help: write it after the command: `dibber tools --server`\n"),
        ("--data x status", "help: write it after the command: `dibber status --data`\n"),
    ] {
        let ended = Dibber::new(words(line)).run();
        assert_eq!(ended.code, 2, "{}", ended.show());
        assert!(ended.stderr.ends_with(help), "{}", ended.show());
    }
}
