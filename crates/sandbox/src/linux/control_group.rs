//! The control group of a run, where groups were delegated to the launcher.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{Mode as FileMode, OFlags, openat};

use super::delegation::Delegation;
use super::lock::LockedDirectory;
use super::root_directory::SHARED_MEMORY_BYTES;
use super::setup_error::{SetupResult, Step};
use crate::control::Controller;
use crate::layer::Layer;
use crate::limits::Limits;
use crate::mode::Mode;
use crate::specification::{Ending, Report, Specification};

/// How long the end of killed processes is waited for before their group is left to a later run.
const REMOVAL_TIME_MAX: Duration = Duration::from_secs(2);

/// How many groups of earlier runs a run removes: it waits for it, some milliseconds at most.
const LEFTOVERS_MAX: usize = 16;

/// The time in which a group may use processors for so many microseconds, as in `cpu.max`.
const CPU_PERIOD: usize = 100_000;

/// Half of what the group of the launcher and the server gets.
const CPU_WEIGHT: &str = "50";

/// The control group of a run.
pub(super) struct ControlGroup {
    directory: LockedDirectory,
    /// The file that a process writes to to become a member of the group.
    ///
    /// It is opened here, because the process that writes to it sees no file of the host.
    entrance: File,
    controllers: Vec<Controller>,
}

impl ControlGroup {
    /// Creates the group of a run, if groups were delegated and the mode uses them.
    ///
    /// Without one, memory and processes are watched, and each process has limits of its own, as always.
    pub(super) fn create(specification: &Specification) -> Option<Self> {
        if specification.mode == Mode::Container || !specification.has(Layer::ControlGroup) {
            return None;
        }
        let Delegation { group, controllers } = Delegation::find(specification.server)?;
        remove_leftovers(&group);
        let path = group.join(&specification.run_name);
        let directory = LockedDirectory::create(&path, 0o700).ok()?;
        let limited = limit(&directory.path, &controllers, specification);
        let opened = limited.and_then(|()| open_entrance(&directory.path));
        let Ok(entrance) = opened else {
            drop(fs::remove_dir(&directory.path));
            return None;
        };
        Some(Self { directory, entrance, controllers })
    }

    /// Makes this process, and those that it starts from now on, members of the group.
    pub(super) fn enter(&self) -> SetupResult<()> {
        (&self.entrance).write_all(b"0").step("enter the control group of the run")
    }

    /// Kills all members.
    pub(super) fn kill(&self) {
        kill(&self.directory);
    }

    /// Kills all members, removes the group, and returns what became of the run.
    pub(super) fn end(self, report: SetupResult<Report>) -> SetupResult<Report> {
        let exceeded = has_exceeded_memory(&self.directory.path);
        self.remove();
        report.map(|report| {
            let report = if exceeded { Report::ended(Ending::Memory) } else { report };
            report.with_controllers(&self.controllers)
        })
    }

    /// Kills all members, and removes the group.
    pub(super) fn remove(&self) {
        self.kill();
        let start = Instant::now();
        while fs::remove_dir(&self.directory.path)
            .is_err_and(|error| error.raw_os_error() == Some(libc::EBUSY))
            && start.elapsed() < REMOVAL_TIME_MAX
        {
            thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Removes the groups of runs whose launcher was killed, with the processes that it left.
fn remove_leftovers(group: &Path) {
    for leftover in LockedDirectory::leftovers(group).take(LEFTOVERS_MAX) {
        kill(&leftover);
        // If its processes have not ended yet, the next run does it.
        drop(fs::remove_dir(&leftover.path));
    }
}

fn kill(group: &LockedDirectory) {
    let flags = OFlags::WRONLY | OFlags::CLOEXEC;
    // Without it, before Linux 5.14, the processes are ended one by one, as without groups.
    let file = openat(group.descriptor(), "cgroup.kill", flags, FileMode::empty());
    drop(file.map(|file| File::from(file).write_all(b"1")));
}

/// Returns `true` if the kernel has killed the run because of its memory. What it kills for want of memory of
/// the machine or of a group above is no `oom` of this group.
fn has_exceeded_memory(group: &Path) -> bool {
    let events = fs::read_to_string(group.join("memory.events")).unwrap_or_default();
    let has_event = |name: &str| {
        let count = events.lines().find_map(|line| line.strip_prefix(name));
        count.is_some_and(|count| count.trim() != "0")
    };
    has_event("oom ") && has_event("oom_kill ")
}

fn open_entrance(group: &Path) -> io::Result<File> {
    File::options().write(true).open(group.join("cgroup.procs"))
}

fn limit(
    group: &Path,
    controllers: &[Controller],
    specification: &Specification,
) -> io::Result<()> {
    let limits = &specification.limits;
    let set = |name: &str, value: &str| fs::write(group.join(name), value);
    for controller in controllers {
        match controller {
            Controller::Memory => {
                set("memory.max", &memory_bytes(limits, specification.mode).to_string())?;
                // All processes end together, because what remains of a run is of no use.
                set("memory.oom.group", "1")?;
                match set("memory.swap.max", "0") {
                    // The kernel has no swap.
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    set => set?,
                }
            }
            Controller::Pids => {
                // In a process namespace, process 1 is one of them.
                let own = u64::from(specification.mode == Mode::Full);
                set("pids.max", &(limits.processes + own).to_string())?;
            }
            Controller::Cpu => {
                let processors = thread::available_parallelism().map_or(1, usize::from);
                let time = CPU_PERIOD * processors.saturating_sub(1).max(1);
                set("cpu.max", &format!("{time} {CPU_PERIOD}"))?;
                set("cpu.weight", CPU_WEIGHT)?;
            }
        }
    }
    Ok(())
}

/// Returns the memory of a run, which includes that of its files: without namespaces as well, they may be
/// in a file system in memory.
fn memory_bytes(limits: &Limits, mode: Mode) -> u64 {
    let shared = if mode == Mode::Full { SHARED_MEMORY_BYTES } else { 0 };
    limits.memory_bytes.saturating_add(limits.disk_bytes).saturating_add(shared)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::{has_exceeded_memory, limit, memory_bytes};
    use crate::control::Controller;
    use crate::interpreter::Interpreter;
    use crate::limits::Limits;
    use crate::mode::Mode;
    use crate::specification::Specification;

    fn specification(mode: Mode) -> Specification {
        Specification {
            mode,
            limits: Limits {
                memory_bytes: 1000,
                disk_bytes: 200,
                processes: 7,
                ..Limits::default()
            },
            interpreter: Interpreter { executable: PathBuf::new(), files: Vec::new() },
            skills: Vec::new(),
            blobs: Vec::new(),
            job: serde_json::Map::new(),
            scratch: PathBuf::new(),
            run_name: String::new(),
            server: 1,
            container: None,
            #[cfg(feature = "disable-layers")]
            disabled: Vec::new(),
        }
    }

    #[test]
    fn the_limits_of_a_run_are_written() {
        for (mode, processes) in [(Mode::Landlock, "7"), (Mode::Full, "8")] {
            let directory = tempfile::tempdir().expect("a directory");
            let specification = specification(mode);
            limit(directory.path(), &Controller::ALL, &specification).expect("files");
            let read =
                |name: &str| fs::read_to_string(directory.path().join(name)).expect("a file");
            let memory = memory_bytes(&specification.limits, mode);
            assert!(mode == Mode::Full || memory == 1200);
            assert_eq!(read("memory.max"), memory.to_string());
            assert_eq!([read("memory.oom.group"), read("memory.swap.max")], ["1", "0"]);
            assert_eq!([read("pids.max"), read("cpu.weight")], [processes, "50"]);
            let time = read("cpu.max");
            let (time, period) = time.split_once(' ').expect("two numbers");
            assert!(period == "100000" && time.parse::<u64>().expect("a number") >= 100_000);
        }
        let directory = tempfile::tempdir().expect("a directory");
        limit(directory.path(), &[Controller::Pids], &specification(Mode::Full)).expect("a file");
        assert!(!directory.path().join("memory.max").exists());
    }

    #[test]
    fn only_memory_of_the_run_itself_ends_it() {
        for (events, has_exceeded) in [
            ("low 0\nhigh 0\nmax 9\noom 1\noom_kill 2\noom_group_kill 1\n", true),
            ("low 0\nhigh 0\nmax 0\noom 0\noom_kill 2\noom_group_kill 1\n", false),
            ("low 0\nhigh 0\nmax 9\noom 0\noom_kill 0\n", false),
            ("", false),
        ] {
            let directory = tempfile::tempdir().expect("a directory");
            fs::write(directory.path().join("memory.events"), events).expect("a file");
            assert_eq!(has_exceeded_memory(directory.path()), has_exceeded, "{events}");
        }
    }
}
