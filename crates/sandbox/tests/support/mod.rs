//! What the tests share: sandboxes in each mode, as root and as an unprivileged user.

use std::fmt;
use std::path::PathBuf;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use dibber_sandbox::{
    Interpreter, Job, Launcher, Mode, Outcome, Output, Program, RunError, Sandbox, SandboxSetup,
};
use serde_json::Value;
use tempfile::TempDir;

/// As whom the launcher runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum User {
    /// The user of the tests.
    Own,
    /// An unprivileged user, if the tests run as root.
    Nobody,
}

/// A mode and a user for which a sandbox works here.
pub(crate) struct Setting {
    pub(crate) mode: Mode,
    pub(crate) user: User,
    pub(crate) sandbox: Sandbox,
}

impl fmt::Debug for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} as {:?}", self.mode, self.user)
    }
}

/// The interpreter of the tests; by default one that every user can read.
static INTERPRETER: LazyLock<Option<Interpreter>> = LazyLock::new(|| {
    let path = PathBuf::from("/usr/bin/python3");
    let default = if path.exists() { path } else { PathBuf::from("python3") };
    let program = std::env::var_os("DIBBER_TEST_PYTHON").map_or(default, PathBuf::from);
    Interpreter::find(program).inspect_err(|error| note(&error.to_string())).ok()
});

/// Returns a guard for a test that starts many processes, of which others could then start none.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns a job that calls a function of some source.
pub(crate) fn function(source: &str, name: &str) -> Job {
    let program = Program::Code { source: source.to_owned(), function: name.to_owned() };
    Job { program, ..Job::code("") }
}

/// The settings that work here. Tests of modes that do not work have nothing to show.
pub(crate) static SETTINGS: LazyLock<Vec<Setting>> = LazyLock::new(|| {
    let users: &[User] = if rustix::process::geteuid().is_root() {
        &[User::Own, User::Nobody]
    } else {
        &[User::Own]
    };
    let mut found = Vec::new();
    for user in users {
        for mode in [Mode::Full, Mode::Landlock] {
            let Some(setup) = setup(*user) else { continue };
            match block_on(Sandbox::new(setup, &[mode])) {
                Ok(sandbox) => found.push(Setting { mode, user: *user, sandbox }),
                Err(error) => note(&format!("{mode} as {user:?}: {error}")),
            }
        }
    }
    found
});

/// Returns the setup of a launcher that runs as a user; none without an interpreter.
pub(crate) fn setup(user: User) -> Option<SandboxSetup> {
    let arguments = match user {
        User::Own => Vec::new(),
        User::Nobody => vec!["--as-nobody".into()],
    };
    Some(SandboxSetup {
        launcher: Launcher { program: env!("CARGO_BIN_EXE_dibber-sandbox").into(), arguments },
        interpreter: INTERPRETER.clone()?,
        scratch: std::env::temp_dir(),
        container: None,
    })
}

impl Setting {
    /// Returns `true` if the launcher can read the private files of the tests.
    pub(crate) fn reads_own_files(&self) -> bool {
        self.user == User::Own
    }

    /// Runs a job.
    pub(crate) fn run(&self, job: &Job) -> Outcome {
        block_on(self.sandbox.run(job)).unwrap_or_else(|error| panic!("{self:?}: {error}"))
    }

    /// Runs a job, and returns its error.
    pub(crate) fn error(&self, job: &Job) -> RunError {
        self.run(job).result.expect_err(&format!("{self:?}"))
    }
}

/// Returns a sandbox with a scratch directory of its own, which every user can write to.
pub(crate) fn own_scratch(setting: &Setting) -> (TempDir, Sandbox) {
    let scratch = tempfile::tempdir().expect("a directory");
    let public = std::os::unix::fs::PermissionsExt::from_mode(0o777);
    std::fs::set_permissions(scratch.path(), public).expect("permissions");
    let setup = setup(setting.user).expect("it works");
    let setup = SandboxSetup { scratch: scratch.path().to_owned(), ..setup };
    let sandbox = block_on(Sandbox::new(setup, &[setting.mode]));
    (scratch, sandbox.expect("a sandbox"))
}

/// Returns what a function returned.
pub(crate) fn value_of(outcome: &Outcome, context: &str) -> Value {
    match &outcome.result {
        Ok(Output::Inline(value)) => value.clone(),
        other => panic!("{context}: {other:?}, logs: {}", outcome.logs.text),
    }
}

/// Runs a future to its end.
pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(future)
}

/// Shows what a test could not do here.
#[expect(clippy::print_stderr, reason = "a test that is skipped says why")]
fn note(text: &str) {
    eprintln!("not tested: {text}");
}
