//! Running the `dibber` binary, and what it says.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::package;

/// The environment variables that change what dibber prints.
const SCRUBBED: [&str; 8] = [
    "CI",
    "CLICOLOR_FORCE",
    "COLUMNS",
    "GITHUB_ACTIONS",
    "GIT_DIR",
    "NO_COLOR",
    "RUST_BACKTRACE",
    "TERM",
];

/// A run of `dibber` that is being put together.
pub(crate) struct Dibber {
    command: Command,
    folder: PathBuf,
    input: Vec<u8>,
}

/// What a run has left behind.
pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Dibber {
    /// Runs in the folder of this package.
    pub(crate) fn new<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dibber"));
        command.args(arguments);
        for name in SCRUBBED {
            command.env_remove(name);
        }
        Self { command, folder: package(), input: Vec::new() }
    }

    /// Runs in another folder.
    pub(crate) fn in_folder(mut self, folder: &Path) -> Self {
        folder.clone_into(&mut self.folder);
        self
    }

    /// Gives it something on standard input.
    pub(crate) fn input(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.input = bytes.into();
        self
    }

    /// Sets an environment variable.
    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    /// Runs it to its end.
    pub(crate) fn run(mut self) -> Ended {
        let mut child = self
            .command
            .current_dir(&self.folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        // A command that does not read its input closes the pipe.
        let _ = stdin.write_all(&self.input);
        drop(stdin);
        let output = child.wait_with_output().expect("the binary ends");
        Ended {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: without_time(&String::from_utf8_lossy(&output.stderr)),
        }
    }
}

impl Ended {
    /// The exit code and both streams, for a snapshot.
    pub(crate) fn show(&self) -> String {
        let Self { code, stdout, stderr } = self;
        format!("exit code: {code}\n----- stdout -----\n{stdout}----- stderr -----\n{stderr}")
    }
}

/// Replaces how long a run took, which is never the same, by `TIME`.
fn without_time(text: &str) -> String {
    let is_time = |word: &str| {
        let word = word.trim_end_matches([':', ',', '.']);
        word.parse::<f64>().is_ok()
    };
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        let words: Vec<&str> = line.split(' ').collect();
        let timed = words.windows(3).position(|words| {
            words[0] == "in"
                && is_time(words[1])
                && (words[2].starts_with("ms") || words[2].starts_with('s'))
        });
        match timed {
            Some(at) => {
                let mut words: Vec<String> = words.iter().map(ToString::to_string).collect();
                let unit_end = words[at + 2].find([':', ',', '\n']).unwrap_or(words[at + 2].len());
                let rest = words[at + 2].split_off(unit_end);
                words[at + 1] = format!("TIME{rest}");
                words.remove(at + 2);
                out += &words.join(" ");
            }
            None => out += line,
        }
    }
    out
}
