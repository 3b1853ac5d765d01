//! The modes without namespaces: the files of a run are in a directory that is removed afterwards.

use std::fs;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::{DirBuilderExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{CWD, Mode as FileMode, OFlags};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{
    Pid, Signal, WaitOptions, getpid, getuid, kill_process_group, set_child_subreaper, setsid,
    waitpid,
};

use super::clean_up::{empty_directory, remove_directory, sweep};
use super::confine::give_precedence_to_host;
use super::control_group::ControlGroup;
use super::copy::{BLOB_BYTES_MAX, SkillCopy, copy_file, open_regular};
use super::harness::{execute, write_job};
use super::init::ending;
use super::lock::LockedDirectory;
use super::paths::Paths;
use super::processes::threads_of_user;
use super::root_directory::DEVICES;
use super::setup_error::{SetupResult, Step};
use super::status::{StatusWriter, silent_end, status_pipe};
use super::supervise::{ScratchWatch, Watch};
use super::unsafe_calls::{
    Forked, RESULT_DESCRIPTOR, SingleThread, duplicate_to, exit_now, fork, protocol_descriptor,
};
use super::user::{Caller, NOBODY, become_nobody, die_with_parent};
use crate::container::ContainerCommand;
use crate::layer::Layer;
use crate::mode::Mode;
use crate::specification::{Ending, HARNESS, Refusal, Report, Specification};

/// How many processes more than a run may have its user may have. The kernel counts those of all runs,
/// of which others start during this one; the run itself is ended when it has too many.
const OTHER_PROCESSES: u64 = 64;

/// How long the command that ends a container may take. It runs twice, in the time that a server waits for
/// the end of a run.
const STOP_TIME_MAX: Duration = Duration::from_secs(6);

/// How many directories of earlier runs a launcher removes.
const LEFTOVERS_MAX: usize = 16;

/// The file in the directory of a run with the command that ends its container.
const STOP_FILE: &str = "stop";

/// Runs a job in a directory of its own. The end of the launcher cancels it.
pub(super) fn run(
    specification: &Specification,
    control: BorrowedFd<'_>,
    group: Option<&ControlGroup>,
    launcher: &OwnedFd,
    thread: &SingleThread,
) -> SetupResult<Report> {
    let directory = ScratchDirectory::create(specification)?;
    let report = directory.fill(specification).and_then(|()| {
        let run = ScratchRun { specification, group, directory: &directory, launcher };
        run.run(control, thread)
    });
    let removed = directory.remove();
    let report = report?;
    removed.step("remove the files of the run")?;
    Ok(report)
}

/// The directory of a run.
pub(super) struct ScratchDirectory {
    path: PathBuf,
    /// Keeps other launchers from removing it.
    _lock: Option<LockedDirectory>,
}

impl ScratchDirectory {
    /// Returns the directory of a run.
    pub(super) fn of(specification: &Specification) -> Self {
        Self::at(specification.scratch.join(&specification.run_name))
    }

    fn at(path: PathBuf) -> Self {
        Self { path, _lock: None }
    }

    /// Removes the directory of a run whose supervisor was killed, unless another launcher does.
    pub(super) fn remove_unlocked(&self) -> io::Result<()> {
        let lock = LockedDirectory::leftover(&self.path);
        lock.map_or(Ok(()), |_lock| self.remove())
    }

    /// Locks the directories of runs of this user whose launchers and supervisors were killed.
    pub(super) fn leftovers(specification: &Specification) -> Vec<LockedDirectory> {
        LockedDirectory::leftovers(&specification.scratch).take(LEFTOVERS_MAX).collect()
    }

    /// Removes such directories, and ends the containers of their runs. There is no one to report an error
    /// to.
    ///
    /// The directory is the only trace of a container, so it is left if this run has another runtime, or if
    /// the container may still be there.
    pub(super) fn remove_leftovers(leftovers: Vec<LockedDirectory>, specification: &Specification) {
        for leftover in leftovers {
            let directory = Self::at(leftover.path.clone());
            if directory.has_container() && !directory.stop_left_container(specification) {
                continue;
            }
            if empty_directory(leftover.descriptor()).is_ok() {
                drop(fs::remove_dir(&leftover.path));
            }
        }
    }

    /// Removes it.
    pub(super) fn remove(&self) -> io::Result<()> {
        remove_directory(&self.path)
    }

    fn create(specification: &Specification) -> SetupResult<Self> {
        let path = Self::of(specification).path;
        let step = format!("create {}", path.display());
        // Another user than that of the run must not read it, except root, who creates it.
        let lock = LockedDirectory::create(&path, 0o711).step(step.clone())?;
        let directory = Self { path, _lock: Some(lock) };
        let created =
            directory.create_inner().and_then(|()| directory.keep_stop_command(specification));
        if created.is_err() {
            // The first error is the cause.
            drop(directory.remove());
        }
        created.step(step)?;
        Ok(directory)
    }

    fn create_inner(&self) -> io::Result<()> {
        for (name, mode) in [("workspace", 0o700), ("skills", 0o755), ("blobs", 0o755)] {
            create(&self.path(name), mode)?;
        }
        if Caller::current() == Caller::Root {
            chown(self.path("workspace"), Some(NOBODY), Some(NOBODY))?;
        }
        Ok(())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Copies the skills and blobs of a run.
    fn fill(&self, specification: &Specification) -> SetupResult<()> {
        let skills = self.open("skills")?;
        let mut copy = SkillCopy::default();
        for (name, directory) in &specification.skills {
            copy.copy(directory, &skills, name)?;
        }
        let blobs = self.open("blobs")?;
        let mut left = BLOB_BYTES_MAX;
        for (name, path) in &specification.blobs {
            let file = open_regular(CWD, path);
            let copied = file.and_then(|file| copy_file(file, &blobs, name, left));
            left -= copied.step(format!("copy the blob `{name}`"))?;
        }
        Ok(())
    }

    fn open(&self, name: &str) -> SetupResult<OwnedFd> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        rustix::fs::open(self.path(name), flags, FileMode::empty()).step(format!("open {name}"))
    }

    /// Returns the commands of the container runtime for this run.
    fn container(&self, specification: &Specification) -> Option<ContainerCommand> {
        let name = self.path.file_name()?.to_string_lossy();
        let path = |name: &str| self.path(name).to_string_lossy().into_owned();
        let command = specification.container.as_ref()?;
        Some(command.expanded(&name, &path("skills"), &path("blobs"), &specification.limits))
    }

    /// Ends a container, whose processes need not be below the command that started it.
    pub(super) fn stop_container(&self, specification: &Specification) {
        if let Some(command) = self.stop_command(specification) {
            // If it fails, the container has ended by itself.
            run_bounded(&command, STOP_TIME_MAX);
        }
    }

    /// Ends the container of an earlier run, and returns `true` if it has ended. Only the runtime that has
    /// started it can do that.
    fn stop_left_container(&self, specification: &Specification) -> bool {
        let Some(command) = self.stop_command(specification) else { return false };
        let is_same = fs::read(self.path(STOP_FILE)).is_ok_and(|kept| kept == stop_line(&command));
        is_same && run_bounded(&command, STOP_TIME_MAX)
    }

    fn stop_command(&self, specification: &Specification) -> Option<Vec<String>> {
        let is_container = specification.mode == Mode::Container;
        let command = self.container(specification).filter(|_| is_container)?.stop;
        (!command.is_empty()).then_some(command)
    }

    /// Returns `true` if a container of the run may be there.
    fn has_container(&self) -> bool {
        self.path(STOP_FILE).symlink_metadata().is_ok()
    }

    /// Writes down how the container is ended, before it is started.
    fn keep_stop_command(&self, specification: &Specification) -> io::Result<()> {
        match self.stop_command(specification) {
            Some(command) => fs::write(self.path(STOP_FILE), stop_line(&command)),
            None => Ok(()),
        }
    }

    fn paths(&self, other_processes: u64) -> Paths {
        Paths {
            workspace: self.path("workspace"),
            skills: self.path("skills"),
            blobs: self.path("blobs"),
            readable: Vec::new(),
            writable: DEVICES.into_iter().map(PathBuf::from).collect(),
            other_processes,
        }
    }
}

fn create(path: &Path, mode: u32) -> io::Result<()> {
    fs::DirBuilder::new().mode(mode).create(path)
}

/// Returns a command as it is kept.
fn stop_line(command: &[String]) -> Vec<u8> {
    command.join("\0").into_bytes()
}

/// Runs a command, which is killed if it takes too long, and returns `true` if it has succeeded.
fn run_bounded(command: &[String], time_max: Duration) -> bool {
    let Some((program, arguments)) = command.split_first() else { return false };
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else { return false };
    let deadline = Instant::now() + time_max;
    while Instant::now() < deadline {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) => thread::sleep(Duration::from_millis(5)),
            Err(_) => return false,
        }
    }
    drop(child.kill().and_then(|()| child.wait()));
    false
}

struct ScratchRun<'a> {
    launcher: &'a OwnedFd,
    specification: &'a Specification,
    group: Option<&'a ControlGroup>,
    directory: &'a ScratchDirectory,
}

impl ScratchRun<'_> {
    fn run(&self, control: BorrowedFd<'_>, thread: &SingleThread) -> SetupResult<Report> {
        set_child_subreaper(Some(getpid())).step("adopt orphaned processes")?;
        let (reader, mut writer) = status_pipe()?;
        let (lifeline, held) = pipe_with(PipeFlags::CLOEXEC).step("create a pipe")?;
        match fork(thread).step("fork")? {
            Forked::Child => {
                drop((reader, held));
                self.become_program(&lifeline, &mut writer)
            }
            Forked::Parent(program) => {
                drop((writer, lifeline));
                let ending = self.watch(control, program)?;
                Ok(reader.receive().or(ending.map(Report::ended)).unwrap_or_else(silent_end))
            }
        }
    }

    /// Waits for the end of the program, and ends what it left behind.
    fn watch(&self, control: BorrowedFd<'_>, program: Pid) -> SetupResult<Option<Ending>> {
        let workspace = self.directory.path("workspace");
        let scratch = ScratchWatch { above: getpid(), workspace: &workspace };
        let isolates_itself = self.specification.mode == Mode::Container;
        let watch = Watch {
            specification: self.specification,
            control,
            launcher: Some(self.launcher.as_fd()),
            root: program,
            scratch: (!isolates_itself).then_some(scratch),
        };
        let exceeded = watch.until_end();
        let own = match waitpid(Some(program), WaitOptions::NOHANG) {
            Ok(Some((_, status))) => Some(ending(status)),
            _ => None,
        };
        if !isolates_itself {
            // At once, and therefore faster than a process can fork; the sweep finds those that left
            // the group.
            let _ = kill_process_group(program, Signal::KILL);
            if let Some(group) = self.group {
                group.kill();
            }
        }
        let is_unfinished = own != Some(Ending::Exited(0));
        if is_unfinished {
            self.directory.stop_container(self.specification);
        }
        if self.specification.has(Layer::Sweep) {
            sweep().step("end the processes of the run")?;
        }
        if is_unfinished {
            // The command may have started it only after the first attempt.
            self.directory.stop_container(self.specification);
        }
        Ok(exceeded.step("watch the program")?.or(own))
    }

    fn become_program(&self, lifeline: &OwnedFd, status: &mut StatusWriter) -> ! {
        let refusal = match self.specification.mode {
            Mode::Container => self.execute_container(),
            Mode::Full | Mode::Landlock => match self.leave_parent(lifeline) {
                Ok(paths) => execute(self.specification, &paths),
                Err(refusal) => refusal,
            },
        };
        status.send(&Report::Refused(refusal));
        exit_now(1)
    }

    fn leave_parent(&self, lifeline: &OwnedFd) -> SetupResult<Paths> {
        setsid().step("leave the session")?;
        give_precedence_to_host();
        if let Some(group) = self.group {
            group.enter()?;
        }
        let is_root = Caller::current() == Caller::Root;
        let user = if is_root { NOBODY } else { getuid().as_raw() };
        let paths = self.directory.paths(threads_of_user(user) + OTHER_PROCESSES);
        if is_root && self.specification.has(Layer::UnprivilegedUser) {
            become_nobody()?;
        }
        if self.specification.has(Layer::ParentDeathSignal) {
            die_with_parent(lifeline)?;
        }
        Ok(paths)
    }

    fn execute_container(&self) -> Refusal {
        let refusal = |reason: String| Refusal::new("start the container", reason);
        let container = self.directory.container(self.specification);
        let Some(ContainerCommand { run, .. }) = container else {
            return refusal("there is no command for it".to_owned());
        };
        let Some((program, arguments)) = run.split_first() else {
            return refusal("its command is empty".to_owned());
        };
        let inside = Paths::inside();
        let result = protocol_descriptor(RESULT_DESCRIPTOR);
        if let Err(error) =
            write_job(self.specification, &inside).and_then(|()| duplicate_to(result, 1))
        {
            return refusal(error.to_string());
        }
        let harness = ["-I", "-B", "-c", HARNESS, "1"];
        let mut command = Command::new(program);
        // Runtimes leave files where they are started.
        command.args(arguments).args(harness).current_dir(&self.directory.path);
        refusal(command.exec().to_string())
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::run_bounded;

    #[test]
    fn a_command_that_does_not_end_is_killed() {
        let command = |script: &str| ["sh", "-c", script].map(str::to_owned);
        let begin = Instant::now();
        assert!(!run_bounded(&command("exec sleep 60"), Duration::from_millis(50)));
        assert!(begin.elapsed() < Duration::from_secs(30), "{:?}", begin.elapsed());
        let long = Duration::from_secs(30);
        assert!(run_bounded(&command("exit 0"), long) && !run_bounded(&command("exit 1"), long));
    }
}
