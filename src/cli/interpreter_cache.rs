//! What is known of the Python interpreter, so that `dibber run` does not start it once more to ask.
//!
//! The file names what the sandbox shows to untrusted code, so a program that can write it can show such code
//! more of this user's files. Only those of the user can: a file that belongs to another one, or that others
//! may write, does not count. The user's own programs can do the same without it, since they can put another
//! `python3` into PATH or name one in `dibber.toml`, and that one runs outside of any sandbox.
//!
//! What is kept counts for a day, and only while the interpreter, its libraries and the tops of its
//! directories are as they were when it was asked. It is never trusted to be complete: if no mode of the sandbox works with it,
//! the interpreter is asked again.

use std::env;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use super::remote::own_config::is_bare_name;
use super::state_directory::state_directory;
use dibber_sandbox::{Interpreter, InterpreterError};
use dibber_text::FileStamp;
use dibber_text::atomic_file::{self, Access};
use dibber_text::private::{create_own_directory, read_private};

/// The file in the state directory.
const FILE_NAME: &str = "interpreter.json";
/// The most bytes of the file.
const BYTES_MAX: u64 = 256 << 10;
/// How long what is known counts: a directory for packages that is made elsewhere changes nothing that is
/// compared.
const AGE_MAX: Duration = Duration::from_hours(24);
/// The variables that choose which libraries a program loads. With them, nothing is kept.
const LOADER_VARIABLES: [&str; 3] = ["LD_AUDIT", "LD_LIBRARY_PATH", "LD_PRELOAD"];
/// The file that makes a directory a virtual environment, seen from that of the executable.
const ENVIRONMENT_FILES: [&str; 2] = ["pyvenv.cfg", "../pyvenv.cfg"];

/// An interpreter, and what it was found with.
#[derive(Serialize, Deserialize)]
struct KnownInterpreter {
    /// The version of dibber that has asked it.
    version: String,
    /// The program, as PATH or the configuration names it.
    program: PathBuf,
    /// What everything that it depends on was like.
    stamps: Vec<(PathBuf, Option<FileStamp>)>,
    interpreter: Interpreter,
}

/// Returns an interpreter that was found before, if it is still the same.
pub(super) fn find_known(program: &Path) -> Option<Interpreter> {
    let program = resolve(program)?;
    let file = file()?;
    let age = SystemTime::now().duration_since(fs::metadata(&file).ok()?.modified().ok()?).ok()?;
    let known: KnownInterpreter =
        serde_json::from_slice(&read_private(&file, BYTES_MAX).ok()?).ok()?;
    let is_same = age < AGE_MAX
        && known.version == env!("CARGO_PKG_VERSION")
        && known.program == program
        && known.stamps == stamps(&program, &known.interpreter);
    is_same.then_some(known.interpreter)
}

/// Asks an interpreter what it needs, and keeps the answer.
pub(super) fn query_and_store(program: &Path) -> Result<Interpreter, InterpreterError> {
    let interpreter = Interpreter::find(program)?;
    // If the answer cannot be kept, the next command asks again.
    drop(store(program, &interpreter));
    Ok(interpreter)
}

fn store(program: &Path, interpreter: &Interpreter) -> io::Result<()> {
    let (Some(program), Some(file)) = (resolve(program), file()) else { return Ok(()) };
    // A script that chooses an interpreter, as pyenv has it, may choose another one tomorrow.
    if program.canonicalize()? != interpreter.executable.canonicalize()? {
        return Ok(());
    }
    let known = KnownInterpreter {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        stamps: stamps(&program, interpreter),
        program,
        interpreter: interpreter.clone(),
    };
    create_own_directory(file.parent().unwrap_or(Path::new(".")))?;
    // A link would be followed, and what it leads to replaced.
    if file.is_symlink() {
        fs::remove_file(&file)?;
    }
    atomic_file::replace(&file, &serde_json::to_vec(&known)?, Access::Private)
}

fn file() -> Option<PathBuf> {
    let is_set = |name: &&str| env::var_os(name).is_some_and(|value| !value.is_empty());
    if LOADER_VARIABLES.iter().any(is_set) {
        return None;
    }
    state_directory().ok().map(|directory| directory.join(FILE_NAME))
}

/// Returns the path of a program, which is searched for in PATH if it is a bare name. Links are not
/// followed: that of a virtual environment is what makes it one.
fn resolve(program: &Path) -> Option<PathBuf> {
    let path = if is_bare_name(program) {
        let searched = env::var_os("PATH")?;
        let mut candidates = env::split_paths(&searched).map(|directory| directory.join(program));
        candidates.find(|path| fs::metadata(path).is_ok_and(|found| is_executable(&found)))?
    } else {
        program.to_owned()
    };
    std::path::absolute(path).ok()
}

fn stamps(program: &Path, interpreter: &Interpreter) -> Vec<(PathBuf, Option<FileStamp>)> {
    let directory = program.parent().unwrap_or(Path::new("/"));
    let mut paths = vec![program.to_owned(), interpreter.executable.clone()];
    paths.extend(program.canonicalize());
    paths.extend(ENVIRONMENT_FILES.map(|name| directory.join(name)));
    paths.extend(interpreter.files.iter().cloned());
    let with_stamp = |path: PathBuf| {
        let stamp = FileStamp::of(&path);
        (path, stamp)
    };
    paths.into_iter().map(with_stamp).collect()
}

#[cfg(unix)]
fn is_executable(metadata: &Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.is_file() && metadata.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(metadata: &Metadata) -> bool {
    metadata.is_file()
}
