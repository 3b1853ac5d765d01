//! Finding a part of the hierarchy of control groups (cgroup v2) in which this process may create groups.
//!
//! The hierarchy belongs to the manager of the system. Only a part that it has delegated is used: one that
//! systemd marked because of `Delegate=`, the root of a container, or one whose owner is this user while
//! what is above belongs to someone else.
//!
//! A group that has processes cannot limit groups below it. So the launcher and the process that started
//! it move to the group [`LEAF`] if they are the only ones in a delegated group. No other process is moved.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access, getxattr};
use rustix::io::Errno;
use rustix::process::{getpid, getppid};

use crate::control::Controller;

/// The group of the processes that start runs.
const LEAF: &str = "dibber";

/// The attributes of a group by which systemd says that it has delegated it.
const DELEGATED: [&str; 2] = ["user.delegate", "trusted.delegate"];

/// A group in which groups of runs can be created, with some controllers.
pub(super) struct Delegation {
    pub(super) group: PathBuf,
    pub(super) controllers: Vec<Controller>,
}

impl Delegation {
    /// Returns the group that was delegated to this process; none if the memory and the number of
    /// processes cannot be limited.
    pub(super) fn find() -> Option<Self> {
        let own = Own::find()?;
        if own.is_delegated() {
            match enable_controllers(&own.group) {
                Err(Errno::BUSY) => {
                    own.move_to_leaf().ok()?;
                    Self::new(own.group)
                }
                _ => Self::new(own.group),
            }
        } else {
            let above = own.parent().filter(|_| own.is_above_delegated())?;
            Self::new(above)
        }
    }

    fn new(group: PathBuf) -> Option<Self> {
        let controllers = enable_controllers(&group).ok()?;
        let limits_anything = controllers.iter().any(|controller| *controller != Controller::Cpu);
        limits_anything.then_some(Self { group, controllers })
    }
}

/// The group of this process.
struct Own {
    /// The root of the part of the hierarchy that this process sees.
    root: PathBuf,
    group: PathBuf,
}

impl Own {
    fn find() -> Option<Self> {
        let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
        let path = groups.lines().find_map(|line| line.strip_prefix("0::"))?;
        let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
        mounts.lines().find_map(|mount| {
            let (mount, file_system) = mount.split_once(" - ")?;
            let fields: Vec<_> = mount.split(' ').collect();
            let (shown, root) = (fields.get(3)?, PathBuf::from(fields.get(4)?));
            let below = Path::new(path).strip_prefix(shown).ok()?;
            let group = if below == Path::new("") { root.clone() } else { root.join(below) };
            let is_usable = file_system.starts_with("cgroup2 ") && group.is_dir();
            is_usable.then_some(Self { root, group })
        })
    }

    fn parent(&self) -> Option<PathBuf> {
        self.parent_of(&self.group)
    }

    fn parent_of(&self, group: &Path) -> Option<PathBuf> {
        if group == self.root { None } else { group.parent().map(Path::to_owned) }
    }

    /// Returns `true` if this group was delegated to this process.
    fn is_delegated(&self) -> bool {
        let is_highest = || self.parent().is_none_or(|parent| !is_writable(&parent));
        is_writable(&self.group) && (is_marked(&self.group) || is_highest())
    }

    /// Returns `true` if the group above was delegated, such as by `DelegateSubgroup=`.
    fn is_above_delegated(&self) -> bool {
        let Some(above) = self.parent() else { return false };
        let is_own_leaf = || self.group.file_name().is_some_and(|name| name == LEAF);
        let is_highest = || self.parent_of(&above).is_some_and(|highest| !is_writable(&highest));
        is_writable(&above) && (is_marked(&above) || is_own_leaf() || is_highest())
    }

    /// Moves the launcher, its parent and the other children of that to a group of their own, if there
    /// are no others.
    fn move_to_leaf(&self) -> io::Result<()> {
        let processes = fs::read_to_string(self.group.join("cgroup.procs"))?;
        let processes: Vec<i32> =
            processes.lines().map_while(|process| process.parse().ok()).collect();
        let parent = getppid().map(|parent| parent.as_raw_nonzero().get());
        let own = getpid().as_raw_nonzero().get();
        let is_known = |process: &i32| {
            *process == own || Some(*process) == parent || parent_of(*process) == parent
        };
        if !processes.iter().all(is_known) {
            return Err(io::Error::other("the group has other processes"));
        }
        let leaf = self.group.join(LEAF);
        match fs::create_dir(&leaf) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        for process in processes {
            match fs::write(leaf.join("cgroup.procs"), process.to_string()) {
                // It has ended.
                Err(error) if error.raw_os_error() == Some(libc::ESRCH) => {}
                moved => moved?,
            }
        }
        Ok(())
    }
}

/// Lets a group limit the groups below it, and returns what it can limit for them.
fn enable_controllers(group: &Path) -> Result<Vec<Controller>, Errno> {
    let names = |file: &str| fs::read_to_string(group.join(file)).unwrap_or_default();
    let (available, enabled) = (names("cgroup.controllers"), names("cgroup.subtree_control"));
    let mut usable = Vec::new();
    for controller in Controller::ALL {
        let has = |list: &str| list.split_whitespace().any(|name| name == controller.name());
        let write =
            || fs::write(group.join("cgroup.subtree_control"), format!("+{}", controller.name()));
        if has(&enabled) {
            usable.push(controller);
        } else if has(&available) {
            match write().map_err(|error| Errno::from_io_error(&error)) {
                Ok(()) => usable.push(controller),
                Err(Some(Errno::BUSY)) => return Err(Errno::BUSY),
                // Another one may be available; that of the processors is not with some schedulers.
                Err(_) => {}
            }
        }
    }
    Ok(usable)
}

fn is_writable(group: &Path) -> bool {
    let files = ["", "cgroup.procs", "cgroup.subtree_control"];
    files.iter().all(|file| access(group.join(file), Access::WRITE_OK).is_ok())
}

fn is_marked(group: &Path) -> bool {
    DELEGATED.iter().any(|name| {
        let mut value = [0; 8];
        getxattr(group, *name, &mut value).is_ok_and(|length| value[..length] == *b"1")
    })
}

fn parent_of(process: i32) -> Option<i32> {
    let status = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    status.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
}
