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
        let mut command = Command::new(env!("CARGO_BIN_EXE_dibber"));
        command.arg("push").args(arguments).current_dir(self.tree.path());
        command.env("NO_COLOR", "1").env("TERM", "xterm").env("HOME", self.tree.path());
        command.env("DIBBER_DATA", self.data.path());
        command.env("DIBBER_NAMES", self.data.path().join("no-names"));
        for name in ["XDG_CONFIG_HOME", "COLUMNS", "DIBBER_SERVER", "DIBBER_TOKEN"] {
            command.env_remove(name);
        }
        let mut session = spawn_command(command, Some(PATIENCE_MS)).expect("a terminal");
        session.exp_string(QUESTION).expect("the question");
        session.send(answer).expect("a key");
        session.flush().expect("keys");
        let rest = session.exp_eof().expect("an end");
        (rest, exit_code(&session))
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
    }
    assert!(!project.is_published());
}
