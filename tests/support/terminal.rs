//! A terminal of 80 columns in which `dibber` asks and a test answers.

use std::path::Path;
use std::process::Command;

use rexpect::session::{PtySession, spawn_command};

use crate::support::Tree;
use crate::support::command::keep_in;

/// How long a question may take, on however slow a machine.
const PATIENCE_MS: u64 = 120_000;
/// What precedes every answer.
const PROMPT: &str = "> ";
/// Variables of the one who runs the tests.
const SCRUBBED: [&str; 10] = [
    "LANG",
    "LC_ALL",
    "LC_TIME",
    "XDG_CONFIG_HOME",
    "XDG_STATE_HOME",
    "DIBBER_DATABASE",
    "DIBBER_SERVER",
    "DIBBER_TOKEN",
    "CI",
    "CLICOLOR_FORCE",
];

/// A program at a terminal, with everything that it has shown and that was typed.
pub(crate) struct Terminal {
    session: PtySession,
    transcript: String,
}

impl Terminal {
    /// Starts `dibber` in a directory, with its data in another one.
    pub(crate) fn start(directory: &Path, data: &Tree, arguments: &[&str]) -> Self {
        Self::start_with(directory, data, arguments, &[("NO_COLOR", "1")])
    }

    /// Like [`start`](Self::start), with these variables instead of `NO_COLOR`.
    pub(crate) fn start_with(
        directory: &Path,
        data: &Tree,
        arguments: &[&str],
        variables: &[(&str, &str)],
    ) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dibber"));
        command.args(arguments).current_dir(directory);
        for name in SCRUBBED {
            command.env_remove(name);
        }
        command.env_remove("NO_COLOR").env("TERM", "xterm").env("COLUMNS", "80");
        // A computer in UTC would be asked for the time zone of a schedule.
        command.env("HOME", data.path()).env("TZ", "America/New_York");
        keep_in(&mut command, data.path());
        command.env("DIBBER_NAMES", data.path().join("no-names"));
        command.envs(variables.iter().copied());
        let session = spawn_command(command, Some(PATIENCE_MS)).expect("a terminal");
        Self { session, transcript: String::new() }
    }

    /// Waits until this is shown.
    pub(crate) fn wait_for(&mut self, text: &str) {
        let before = self.session.exp_string(text);
        let before = before.unwrap_or_else(|error| {
            panic!("no {text:?} after:\n{}\n{error}", self.transcript);
        });
        self.transcript += &before;
        self.transcript += text;
    }

    /// Waits until this is shown, and returns the rest of its line.
    pub(crate) fn wait_for_line(&mut self, start: &str) -> String {
        self.wait_for(start);
        let line = self.session.read_line().expect("a line");
        self.transcript += &line;
        self.transcript.push('\n');
        line.trim().to_owned()
    }

    /// Waits for a question, and types a line as the answer to it.
    pub(crate) fn answer(&mut self, question: &str, line: &str) {
        self.wait_for(question);
        self.wait_for(PROMPT);
        self.session.send_line(line).expect("a terminal");
        self.transcript += line;
        self.transcript.push('\n');
    }

    /// Waits for a question, and presses this key together with Ctrl there.
    pub(crate) fn press_control(&mut self, question: &str, key: char) {
        self.wait_for(question);
        self.wait_for(PROMPT);
        self.session.send_control(key).expect("a terminal");
    }

    /// Waits for the end, and returns everything that was shown and typed, and the exit code.
    pub(crate) fn end(mut self) -> (String, i32) {
        self.transcript += &self.session.exp_eof().expect("an end");
        // The type of the status is not public: `Exited(Pid(7), 0)`.
        let status = format!("{:?}", self.session.process().wait().expect("a status"));
        let code = status.strip_prefix("Exited(").and_then(|status| status.split_once(", "));
        let code = code.and_then(|(_, code)| code.trim_end_matches(')').parse().ok());
        let code = code.unwrap_or_else(|| panic!("{status} after:\n{}", self.transcript));
        (decoded(&self.transcript).replace('\r', ""), code)
    }
}

/// Returns the text of a terminal, of which each byte was read as a character.
fn decoded(read: &str) -> String {
    let bytes: Option<Vec<u8>> = read.chars().map(|c| u8::try_from(c).ok()).collect();
    bytes.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_else(|| read.to_owned())
}
