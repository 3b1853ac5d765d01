//! Runs the `dibber` binary and captures its output.

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
#[cfg(unix)]
use std::sync::Once;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::support::package;

/// The environment variables that change what dibber prints, with whom it speaks, and what it keeps: cargo sets
/// one for the libraries of tests.
const SCRUBBED: [&str; 25] = [
    "ALL_PROXY",
    "CI",
    "CLICOLOR_FORCE",
    "COLUMNS",
    "DIBBER_DATABASE",
    "DIBBER_SERVER",
    "DIBBER_TOKEN",
    "FORCE_COLOR",
    "GITHUB_ACTIONS",
    "GIT_DIR",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "LANG",
    "LC_ALL",
    "LC_TIME",
    "LD_LIBRARY_PATH",
    "all_proxy",
    "http_proxy",
    "https_proxy",
    "NO_COLOR",
    "NO_PROXY",
    "PGPASSWORD",
    "no_proxy",
    "RUST_BACKTRACE",
    "TERM",
];

/// The environment variable of the directory where a user's programs keep their state.
const STATE_VARIABLE: &str = if cfg!(windows) { "APPDATA" } else { "XDG_STATE_HOME" };

/// Lets the processes that are started from here be interrupted with SIGINT, even if this one was
/// started with SIGINT ignored, as a shell without job control does for `cargo test &`: a process
/// inherits what is ignored, and what has a handler it begins with as usual.
#[cfg(unix)]
pub(crate) fn restore_interrupts() {
    static RESTORED: Once = Once::new();
    #[expect(clippy::exit, reason = "what SIGINT does to tests without a handler")]
    let end = || std::process::exit(130);
    RESTORED.call_once(|| ctrlc::set_handler(end).expect("the only handler"));
}

/// Lets a command keep the database, and what belongs to its user, in a directory.
pub(crate) fn keep_in(command: &mut Command, directory: &Path) {
    command.env("DIBBER_DATA", directory).env(STATE_VARIABLE, directory);
}

/// The journal and what was published, of a user whose programs keep their state in a directory.
pub(crate) fn state_in(directory: &Path) -> PathBuf {
    directory.join("dibber")
}

/// A run of `dibber` that is being put together.
pub(crate) struct Dibber {
    command: Command,
    directory: PathBuf,
    input: Vec<u8>,
    /// Where the server in the program keeps its database, unless [`Dibber::data`] sets another
    /// place: an empty directory that is gone after the run.
    default_data: TempDir,
}

/// The result of a run.
pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    /// The bytes of standard output, as they came.
    pub(crate) raw: Vec<u8>,
    pub(crate) stderr: String,
}

impl Dibber {
    /// Runs in the directory of this package.
    pub(crate) fn new<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Self {
        Self::program(env!("CARGO_BIN_EXE_dibber"), arguments)
    }

    /// Runs another program, such as a shell, in the same way.
    pub(crate) fn program<S: AsRef<OsStr>>(
        program: &str,
        arguments: impl IntoIterator<Item = S>,
    ) -> Self {
        let mut command = Command::new(program);
        command.args(arguments);
        for name in SCRUBBED {
            command.env_remove(name);
        }
        // The user's list of names is not read: there is no such file.
        command.env("DIBBER_NAMES", package().join("no-names"));
        // Schedules that name no time zone have the one of the computer.
        command.env("TZ", "America/New_York");
        let data = TempDir::new().expect("a temporary directory");
        keep_in(&mut command, data.path());
        Self { command, directory: package(), input: Vec::new(), default_data: data }
    }

    /// Keeps the database of the server in the program there, and what the client keeps in
    /// [`state_in`] that directory, for more than one run.
    pub(crate) fn data(mut self, directory: &Path) -> Self {
        keep_in(&mut self.command, directory);
        self
    }

    /// Runs in another directory.
    pub(crate) fn in_directory(mut self, directory: &Path) -> Self {
        directory.clone_into(&mut self.directory);
        self
    }

    /// Runs in a directory of its own: the one of this package may have published the examples.
    pub(crate) fn in_own_directory(mut self) -> Self {
        self.default_data.path().clone_into(&mut self.directory);
        self
    }

    /// Sets what it reads on standard input.
    pub(crate) fn input(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.input = bytes.into();
        self
    }

    /// Runs `dibber lint` in another directory, with these arguments.
    pub(crate) fn lint<S: AsRef<OsStr>>(
        directory: &Path,
        arguments: impl IntoIterator<Item = S>,
    ) -> Self {
        let mut dibber = Self::new(["lint"]);
        dibber.command.args(arguments);
        dibber.in_directory(directory)
    }

    /// Adds arguments.
    pub(crate) fn arguments(mut self, arguments: &[&str]) -> Self {
        self.command.args(arguments);
        self
    }

    /// Lets it use one processor only, on a system where that can be asked for.
    pub(crate) fn on_one_processor(self) -> Self {
        if Command::new("taskset").arg("--version").output().is_err() {
            return self;
        }
        let mut command = Command::new("taskset");
        command.args(["--cpu-list", "0"]).arg(self.command.get_program());
        command.args(self.command.get_args());
        for name in SCRUBBED {
            command.env_remove(name);
        }
        for (name, value) in self.command.get_envs() {
            if let Some(value) = value {
                command.env(name, value);
            }
        }
        Self { command, ..self }
    }

    /// Sets an environment variable.
    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    /// Runs it with an output that is not read: the reader goes away after the first byte.
    pub(crate) fn run_with_closed_pipe(mut self) -> Ended {
        let mut child = self
            .command
            .current_dir(&self.directory)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let mut first = [0];
        let mut stdout = child.stdout.take().expect("a pipe");
        stdout.read_exact(&mut first).expect("a first byte");
        drop(stdout);
        let output = child.wait_with_output().expect("the binary ends");
        Ended::of(&output)
    }

    /// Starts it with nothing on standard input, for a test that ends it or runs something at the
    /// same time.
    pub(crate) fn start(mut self) -> Child {
        let command = self.command.current_dir(&self.directory).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts")
    }

    /// Runs it to its end, which has to come within a minute: for commands that could wait for
    /// ever. The output has to fit into a pipe.
    pub(crate) fn run_bounded(self) -> Ended {
        const LIMIT: Duration = Duration::from_mins(1);
        let mut child = self.start();
        let started = Instant::now();
        while child.try_wait().expect("a process").is_none() {
            if started.elapsed() > LIMIT {
                child.kill().expect("a process");
                child.wait().expect("a process");
                panic!("the command does not end");
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let output = child.wait_with_output().expect("the binary ends");
        Ended::of(&output)
    }

    /// Runs it to its end.
    pub(crate) fn run(mut self) -> Ended {
        let mut child = self
            .command
            .current_dir(&self.directory)
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
        let ended = Ended::of(&output);
        let data = self.default_data.path().to_string_lossy().into_owned();
        let without_data = |text: String| text.replace(&data, "STATE");
        Ended { stdout: without_data(ended.stdout), stderr: without_data(ended.stderr), ..ended }
    }
}

impl Ended {
    pub(crate) fn of(output: &Output) -> Self {
        Self {
            raw: output.stdout.clone(),
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: without_time(&String::from_utf8_lossy(&output.stderr)),
        }
    }

    /// Like [`Ended::show`], with `FOLDER` in the place of a directory that is never the same.
    pub(crate) fn show_without(&self, directory: &Path) -> String {
        let real = directory.canonicalize().expect("a directory");
        let shown = self.show();
        let shown = shown.replace(&real.to_string_lossy().into_owned(), "FOLDER");
        shown.replace(&directory.to_string_lossy().into_owned(), "FOLDER")
    }

    /// The exit code and both streams, for a snapshot.
    pub(crate) fn show(&self) -> String {
        let Self { code, stdout, stderr, .. } = self;
        format!("exit code: {code}\n----- stdout -----\n{stdout}----- stderr -----\n{stderr}")
    }
}

/// Replaces how long a run took, which is never the same, by `TIME`.
pub(crate) fn without_time(text: &str) -> String {
    let is_time = |word: &str| {
        let word = word.trim_end_matches([':', ',', '.']);
        word.parse::<f64>().is_ok()
    };
    let mut out = String::new();
    let text = text.replace("in less than 1 ms", "in TIME");
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
