//! Finding a Python interpreter, and what has to be mounted for it.

use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// The source of the program that prints what an interpreter uses.
const QUERY: &str = include_str!("interpreter.py");

/// The oldest version that the harness supports.
const VERSION_MIN: [u32; 2] = [3, 8];

/// Prefixes that an interpreter shares with other programs, and that are therefore not mounted whole.
const SHARED_PREFIXES: [&str; 6] = ["/", "/usr", "/usr/local", "/opt", "/home", "/root"];

/// Where executables name their dynamic linker; usually a symbolic link to another directory.
const LINKERS: [&str; 4] = [
    "/lib64/ld-linux-x86-64.so.2",
    "/lib/ld-linux-aarch64.so.1",
    "/lib/ld-musl-x86_64.so.1",
    "/lib/ld-musl-aarch64.so.1",
];

/// Files outside the interpreter that libraries read, and that say nothing about their user.
const COMMON_FILES: [&str; 2] = ["/etc/ld.so.cache", "/usr/share/zoneinfo"];

/// The most links one after the other, as in the kernel.
const LINKS_MAX: usize = 40;

/// How long an interpreter may take to say what it needs.
const FIND_TIME_MAX: Duration = Duration::from_secs(15);

/// A Python interpreter of this machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interpreter {
    /// The executable.
    pub executable: PathBuf,
    /// The files and directories that it needs; none of them is below another.
    pub files: Vec<PathBuf>,
}

/// What the query prints.
#[derive(Deserialize)]
struct Description {
    version: [u32; 2],
    executable: PathBuf,
    prefixes: Vec<PathBuf>,
    path: Vec<PathBuf>,
    libraries: Vec<PathBuf>,
}

/// An interpreter that cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum InterpreterError {
    /// The program could not be started.
    Start(PathBuf, io::Error),
    /// The program did not behave as a Python interpreter.
    Answer(PathBuf, String),
    /// The version is too old.
    Version(PathBuf, [u32; 2]),
}

impl fmt::Display for InterpreterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor] = VERSION_MIN;
        match self {
            Self::Start(path, error) => write!(f, "cannot run `{}`: {error}", path.display()),
            Self::Answer(path, reason) => {
                write!(f, "`{}` is not a usable Python interpreter: {reason}", path.display())
            }
            Self::Version(path, [found_major, found_minor]) => write!(
                f,
                "`{}` is Python {found_major}.{found_minor}; {major}.{minor} or later is needed",
                path.display()
            ),
        }
    }
}

impl std::error::Error for InterpreterError {}

impl Interpreter {
    /// Runs a Python interpreter to learn what it needs. A name without `/` is looked up in `PATH`.
    ///
    /// The interpreter itself is trusted: it runs outside any sandbox. This blocks, for 15 s at most.
    pub fn find(program: impl AsRef<Path>) -> Result<Self, InterpreterError> {
        Self::find_within(program.as_ref().to_owned(), FIND_TIME_MAX)
    }

    fn find_within(program: PathBuf, time_max: Duration) -> Result<Self, InterpreterError> {
        let output = query(&program, time_max)
            .map_err(|error| InterpreterError::Start(program.clone(), error))?;
        if !output.status.success() {
            let reason = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            return Err(InterpreterError::Answer(program, reason));
        }
        let description: Description = serde_json::from_slice(&output.stdout)
            .map_err(|error| InterpreterError::Answer(program.clone(), error.to_string()))?;
        if description.version < VERSION_MIN {
            return Err(InterpreterError::Version(program, description.version));
        }
        description.interpreter().map_err(|error| InterpreterError::Start(program, error))
    }
}

/// Runs an interpreter with the query, and kills it if it takes too long.
fn query(program: &Path, time_max: Duration) -> io::Result<Output> {
    let mut child = Command::new(program)
        .args(["-I", "-B", "-c", QUERY])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let deadline = Instant::now() + time_max;
    let (stdout, stderr) = (child.stdout.take().map(read), child.stderr.take().map(read));
    let output = |child: &mut Child| {
        let receive = |stream: Option<Receiver<io::Result<Vec<u8>>>>| {
            let stream = stream.ok_or_else(|| io::Error::other("a pipe is missing"))?;
            let left = deadline.saturating_duration_since(Instant::now());
            stream.recv_timeout(left).map_err(|_| late(time_max))?
        };
        let (stdout, stderr) = (receive(stdout)?, receive(stderr)?);
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(Output { status, stdout, stderr });
            }
            if Instant::now() >= deadline {
                return Err(late(time_max));
            }
            thread::sleep(Duration::from_millis(1));
        }
    };
    let answered = output(&mut child);
    if answered.is_err() {
        // The first error is the cause.
        drop(child.kill().and_then(|()| child.wait()));
    }
    answered
}

/// Reads a stream to its end, in a thread that a process which keeps the stream open cannot hold up others
/// with.
fn read(mut stream: impl Read + Send + 'static) -> Receiver<io::Result<Vec<u8>>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = stream.read_to_end(&mut bytes);
        // No one waits for it any more if it was too late.
        drop(sender.send(read.map(|_| bytes)));
    });
    receiver
}

fn late(time_max: Duration) -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, format!("no answer within {time_max:?}"))
}

impl Description {
    fn interpreter(self) -> io::Result<Interpreter> {
        let mut files = BTreeSet::new();
        let is_shared =
            |path: &PathBuf| SHARED_PREFIXES.iter().any(|shared| path == Path::new(shared));
        // Other directories are projects of the owner, which packages that are installed for editing add.
        let is_own = |path: &PathBuf| self.prefixes.iter().any(|prefix| path.starts_with(prefix));
        files.extend(self.path.into_iter().filter(is_own));
        files.extend(self.prefixes.into_iter().filter(|prefix| !is_shared(prefix)));
        files.extend(self.libraries.iter().filter_map(|file| file.parent()).map(Path::to_owned));
        files.extend(LINKERS.into_iter().chain(COMMON_FILES).map(PathBuf::from));
        files.insert(self.executable.canonicalize()?);
        files.extend(links(&self.executable));
        let files: BTreeSet<_> = files.iter().filter_map(|path| resolve_parent(path)).collect();
        let executable = resolve_parent(&self.executable).unwrap_or(self.executable);
        Ok(Interpreter { executable, files: without_nested(&files) })
    }
}

/// Returns a path, and those that it leads to one after the other if it is a symbolic link. Each of them has
/// to be there: that of a virtual environment may lead to `/usr/bin/python3`, which is a link as well.
fn links(path: &Path) -> Vec<PathBuf> {
    let next = |path: &PathBuf| Some(path.parent()?.join(path.read_link().ok()?));
    std::iter::successors(Some(path.to_owned()), next).take(LINKS_MAX).collect()
}

/// Returns the path of an existing file with the links of its directory resolved, but not the last
/// component: an executable of a virtual environment is found by the name of its link.
fn resolve_parent(path: &Path) -> Option<PathBuf> {
    if !path.exists() {
        return None;
    }
    let directory = path.parent()?.canonicalize().ok()?;
    Some(directory.join(path.file_name()?))
}

/// Returns the paths that are not below another of them.
fn without_nested(files: &BTreeSet<PathBuf>) -> Vec<PathBuf> {
    let is_nested = |path: &Path| path.ancestors().skip(1).any(|ancestor| files.contains(ancestor));
    files.iter().filter(|path| !is_nested(path)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use std::time::{Duration, Instant};

    use super::{Description, Interpreter};

    #[cfg(unix)]
    #[test]
    fn an_interpreter_that_does_not_answer_is_ended() {
        use std::os::unix::fs::PermissionsExt;
        let directory = tempfile::tempdir().expect("a directory");
        let program = directory.path().join("python3");
        fs::write(&program, "#!/bin/sh\nsleep 60\n").expect("a file");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("a mode");
        let begin = Instant::now();
        let error = Interpreter::find_within(program, Duration::from_millis(50));
        let error = error.expect_err("it is late").to_string();
        assert!(error.ends_with("no answer within 50ms"), "{error}");
        assert!(begin.elapsed() < Duration::from_secs(30), "{:?}", begin.elapsed());
    }

    #[test]
    fn directories_outside_the_interpreter_are_not_shown() {
        let directory = tempfile::tempdir().expect("a directory");
        let root = directory.path().canonicalize().expect("a path");
        let [prefix, packages, project] =
            ["python", "python/packages", "project"].map(|name| root.join(name));
        for new in [&packages, &project] {
            fs::create_dir_all(new).expect("directories");
        }
        let executable = prefix.join("python3");
        fs::write(&executable, "").expect("a file");
        // As with a package that is installed for editing, which adds its project to the path.
        let description = Description {
            version: [3, 11],
            executable,
            prefixes: vec![prefix.clone()],
            path: vec![packages, project.clone()],
            libraries: Vec::new(),
        };
        let files = description.interpreter().expect("an interpreter").files;
        assert!(files.contains(&prefix) && !files.contains(&project), "{files:?}");
    }
}
