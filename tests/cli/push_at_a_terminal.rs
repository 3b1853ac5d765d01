//! What `dibber push` asks at a terminal, and what comes of each answer.

use std::process::Command;

use rexpect::session::{PtySession, spawn_command};

use crate::support::Tree;

/// How long a prompt may take, on however slow a machine.
const PATIENCE_MS: u64 = 120_000;
const QUESTION: &str = "Publish 1 skill to local?";
const CTRL_C: &str = "\x03";
/// The control sequence that shows the cursor again.
const SHOW_CURSOR: &str = "\x1b[?25h";

struct Project {
    tree: Tree,
    data: Tree,
}

impl Project {
    fn new() -> Self {
        let tree = Tree::new();
        tree.write(
            "skills/plan/SKILL.md",
            b"---\nname: plan\ndescription: Plans the week. Use when a week is planned.\n---\n\nPlan.\n",
        );
        Self { tree, data: Tree::new() }
    }

    /// Answers the question of a push; what was shown after it, and the exit code.
    fn push(&self, arguments: &[&str], answer: &str) -> (String, i32) {
        let mut session = self.start(&[&["push"], arguments].concat());
        session.exp_string(QUESTION).expect("the question");
        session.send(answer).expect("a key");
        session.flush().expect("keys");
        let rest = session.exp_eof().expect("an end");
        (rest, exit_code(&session))
    }

    fn start(&self, arguments: &[&str]) -> PtySession {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dibber"));
        command.args(arguments).current_dir(self.tree.path());
        command.env("NO_COLOR", "1").env("TERM", "xterm").env("HOME", self.tree.path());
        command.env("DIBBER_DATA", self.data.path());
        command.env("DIBBER_NAMES", self.data.path().join("no-names"));
        for name in ["XDG_CONFIG_HOME", "COLUMNS", "DIBBER_SERVER", "DIBBER_TOKEN"] {
            command.env_remove(name);
        }
        spawn_command(command, Some(PATIENCE_MS)).expect("a terminal")
    }

    fn is_published(&self) -> bool {
        self.tree.path().join("skills/dibber.lock").exists()
    }
}

/// The type of the status is not public: `Exited(Pid(7), 0)`.
fn exit_code(session: &PtySession) -> i32 {
    let status = format!("{:?}", session.process().wait().expect("a status"));
    let code = status.strip_prefix("Exited(").and_then(|status| status.split_once(", "));
    let code = code.and_then(|(_, code)| code.trim_end_matches(')').parse().ok());
    code.unwrap_or_else(|| panic!("{status}"))
}

#[test]
fn a_yes_publishes() {
    let project = Project::new();
    let (rest, code) = project.push(&[], "y");
    assert!(code == 0 && rest.contains("Published skills/plan as sk_"), "{code} {rest}");
    assert!(project.is_published());
}

#[test]
fn anything_else_writes_nothing() {
    let project = Project::new();
    for answer in ["n", "\r"] {
        let (rest, code) = project.push(&[], answer);
        assert!(code == 0 && rest.contains("Nothing was written."), "{code} {rest}");
    }
    for arguments in [&[][..], &["--json"]] {
        let (rest, code) = project.push(arguments, CTRL_C);
        assert!(code == 130 && rest.contains(SHOW_CURSOR), "{code} {rest}");
        assert!(rest.contains("error: interrupted; nothing was sent"), "{rest}");
    }
    assert!(!project.is_published());
}

#[test]
fn a_conflict_is_merged_taken_over_overwritten_or_left() {
    const FILE: &str = "skills/plan/SKILL.md";
    const DOWN: &str = "\x1b[B";
    let question = "skills/plan was changed on local, too. What should be done?";
    for (keys, our_label, is_asked) in
        [("", "Plan it", false), (DOWN, "Plan it", true), ("\x1b[B\x1b[B", "Plan", false)]
    {
        let project = Project::new();
        assert_eq!(project.push(&[], "y").1, 0);
        let (server, local) = ("summary: Plans all of it.\n", "label: Plan it\n");
        let other = Tree::new();
        for path in ["skills/dibber.lock", FILE] {
            other.write(path, project.tree.read(path).as_bytes());
        }
        other.write("skills/plan/sprout.yaml", server.as_bytes());
        project.tree.write("skills/plan/sprout.yaml", local.as_bytes());
        let there = Project { tree: other, data: project.data };
        assert_eq!(there.push(&[], "y").1, 0);
        let project = Project { tree: project.tree, data: there.data };
        let mut session = project.start(&["push"]);
        session.exp_string(question).expect("the question");
        session.send(&format!("{keys}\r")).expect("keys");
        session.flush().expect("keys");
        if is_asked {
            session.exp_string(QUESTION).expect("the question");
            session.send("y").expect("a key");
            session.flush().expect("keys");
        }
        let rest = session.exp_eof().expect("an end");
        let manifest = project.tree.read("skills/plan/sprout.yaml");
        assert_eq!(manifest.contains("label: Plan it"), our_label == "Plan it", "{rest}{manifest}");
        assert_eq!(manifest.contains("Plans all of it."), !keys.is_empty(), "{rest}{manifest}");
        assert_eq!(rest.contains("Updated skills/plan"), is_asked, "{rest}");
        assert_eq!(exit_code(&session), if keys.is_empty() { 3 } else { 0 }, "{rest}");
    }
}
