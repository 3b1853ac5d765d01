//! The program of a run: the interpreter with the harness, in its sandbox.

use std::io::{self, Seek, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use rustix::fs::{Access, MemfdFlags, access, memfd_create};
use rustix::io::Errno;
use rustix::process::getuid;
use rustix::thread::set_no_new_privs;

use super::confine::limit_resources;
use super::paths::Paths;
use super::setup_error::{SetupResult, Step};
use super::unsafe_calls::{RESULT_DESCRIPTOR, close_on_exec_from, duplicate_to};
use super::{landlock, seccomp};
use crate::layer::Layer;
use crate::specification::{HARNESS, Refusal, Specification};

/// Replaces this process by the interpreter, and returns only if that fails.
pub(super) fn execute(specification: &Specification, paths: &Paths) -> Refusal {
    match prepare(specification, paths) {
        Err(refusal) => refusal,
        Ok(mut command) => {
            let error = command.exec();
            let executable = &specification.interpreter.executable;
            let step = format!("execute the interpreter `{}`", executable.display());
            Refusal::new(step, with_cause(&error, executable))
        }
    }
}

fn prepare(specification: &Specification, paths: &Paths) -> SetupResult<Command> {
    let command = interpreter(specification, paths);
    write_job(specification, paths).step("pass the job to the interpreter")?;
    if let Err(error) = rustix::process::chdir(&paths.workspace) {
        let step = format!("enter the workspace `{}`", paths.workspace.display());
        // The directory itself is made for the user.
        return Err(Refusal::new(step, with_cause(&error.into(), &paths.workspace)));
    }
    let processes = specification.limits.processes + paths.other_processes;
    limit_resources(specification, processes)?;
    if specification.has(Layer::CloseDescriptors) {
        close_on_exec_from(RESULT_DESCRIPTOR + 1).step("close the descriptors")?;
    }
    if specification.has(Layer::Landlock) {
        landlock::restrict(specification, paths)?;
    }
    if specification.has(Layer::NoNewPrivileges) {
        set_no_new_privs(true).step("refuse new privileges")?;
    }
    // The last step, because it refuses what the others need.
    if specification.has(Layer::Seccomp) {
        seccomp::restrict(specification.mode)?;
    }
    Ok(command)
}

/// Returns an error with the first directory above a path that this user cannot enter.
fn with_cause(error: &io::Error, path: &Path) -> String {
    let mut above: Vec<_> = path.ancestors().skip(1).collect();
    above.reverse();
    let is_closed = |directory: &&Path| access(*directory, Access::EXEC_OK) == Err(Errno::ACCESS);
    match above.into_iter().find(is_closed) {
        Some(directory) if error.kind() == io::ErrorKind::PermissionDenied => format!(
            "{error}: the user {} cannot enter `{}`; allow it with `chmod o+x`, or choose another path",
            getuid().as_raw(),
            directory.display()
        ),
        _ => error.to_string(),
    }
}

fn interpreter(specification: &Specification, paths: &Paths) -> Command {
    let executable = &specification.interpreter.executable;
    let mut command = Command::new(executable);
    command.args(["-I", "-B", "-c", HARNESS]).arg(RESULT_DESCRIPTOR.to_string());
    if specification.has(Layer::Environment) {
        command.env_clear();
    }
    command
        .env("HOME", &paths.workspace)
        .env("TMPDIR", &paths.workspace)
        .env("LANG", "C.UTF-8")
        .env("TZ", "UTC")
        .env("USER", "sandbox");
    if let Some(directory) = executable.parent() {
        command.env("PATH", directory);
    }
    command
}

/// Makes the job the standard input of this process.
pub(super) fn write_job(specification: &Specification, paths: &Paths) -> io::Result<()> {
    let (skills, blobs) = (paths.skills.to_string_lossy(), paths.blobs.to_string_lossy());
    let job = specification.harness_input(&skills, &blobs);
    // Memory instead of a pipe, which would block, or a file, because the job contains secrets.
    let memory: OwnedFd = memfd_create("job", MemfdFlags::CLOEXEC)?;
    let mut file = std::fs::File::from(memory);
    file.write_all(job.as_bytes())?;
    file.rewind()?;
    duplicate_to(file.as_fd(), 0)
}
