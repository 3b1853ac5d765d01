//! Finding a part of the hierarchy of control groups (cgroup v2) in which this process may create groups.
//!
//! The hierarchy belongs to the manager of the system. Only a group that it has delegated is used: one that
//! systemd marked because of `Delegate=`, the root of a container, or one whose owner is this user while
//! what is above belongs to someone else. It is the group of this process, or the one directly above it;
//! and nothing but the groups of dibber may be in it, since the one of a manager is marked as well.
//!
//! A group that has processes cannot limit groups below it. So the launcher and the process that started
//! it move to the group [`LEAF`] if they are the only ones in a delegated group. No other process is moved.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access, getxattr};
use rustix::io::Errno;
use rustix::process::{geteuid, getpid, getppid};

use crate::control::Controller;
use crate::specification::is_run_name;

/// The group of the processes that start runs.
const LEAF: &str = "dibber";

/// The attributes of a group by which systemd says that it has delegated it.
const DELEGATED: [&str; 2] = ["user.delegate", "trusted.delegate"];

/// How the names of groups end that systemd manages.
const UNITS: [&str; 3] = [".service", ".scope", ".slice"];

/// A group in which groups of runs can be created, with some controllers.
#[derive(Debug)]
pub(super) struct Delegation {
    pub(super) group: PathBuf,
    pub(super) controllers: Vec<Controller>,
}

impl Delegation {
    /// Returns the group that was delegated to this process, which `server` has started; none if the memory
    /// and the number of processes cannot be limited.
    pub(super) fn find(server: u32) -> Option<Self> {
        let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
        let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
        let (root, group) = own_group(&groups, &mounts)?;
        let above = if group == root { None } else { group.parent() };
        let states = (GroupState::read(&group, &root), above.map(|it| GroupState::read(it, &root)));
        match choose(&states.0, states.1.as_ref())? {
            Chosen::Above => Self::new(above?.to_owned()),
            Chosen::Own => match enable_controllers(&group) {
                Err(Errno::BUSY) => {
                    move_to_leaf(&group, server).ok()?;
                    Self::new(group)
                }
                _ => Self::new(group),
            },
        }
    }

    fn new(group: PathBuf) -> Option<Self> {
        let controllers = enable_controllers(&group).ok()?;
        let limits_anything = controllers.iter().any(|controller| *controller != Controller::Cpu);
        limits_anything.then_some(Self { group, controllers })
    }
}

/// Returns the root of the part of the hierarchy that this process sees, and the group of this process, from
/// `cgroup` and `mountinfo` in `/proc/self`.
fn own_group(groups: &str, mounts: &str) -> Option<(PathBuf, PathBuf)> {
    let path = groups.lines().find_map(|line| line.strip_prefix("0::"))?;
    mounts.lines().find_map(|mount| {
        let (mount, file_system) = mount.split_once(" - ")?;
        let fields: Vec<_> = mount.split(' ').collect();
        let (shown, root) = (fields.get(3)?, PathBuf::from(fields.get(4)?));
        // A group outside of what is shown begins with `/..`.
        let below = Path::new(path).strip_prefix(shown).ok().filter(|it| !it.starts_with(".."))?;
        let group = if below == Path::new("") { root.clone() } else { root.join(below) };
        let is_usable = file_system.starts_with("cgroup2 ") && group.is_dir();
        is_usable.then_some((root, group))
    })
}

/// What decides whether a group is used.
#[derive(Clone, Debug, Default)]
struct GroupState {
    name: String,
    /// This user may create groups in it and move processes to them.
    is_writable: bool,
    /// It was delegated to this user.
    is_delegated: bool,
    has_processes: bool,
    /// The groups directly in it.
    inner: Vec<String>,
}

impl GroupState {
    fn read(group: &Path, root: &Path) -> Self {
        let names = fs::read_dir(group).into_iter().flatten().flatten();
        let is_group =
            |entry: &fs::DirEntry| entry.file_type().is_ok_and(|file_type| file_type.is_dir());
        let name = |name: &std::ffi::OsStr| name.to_string_lossy().into_owned();
        let processes = fs::read_to_string(group.join("cgroup.procs"));
        Self {
            name: group.file_name().map(name).unwrap_or_default(),
            is_writable: is_writable(group),
            is_delegated: is_marked(group) || is_own_root(group, root) || is_owned(group, root),
            has_processes: processes.map_or(true, |processes| !processes.is_empty()),
            inner: names.filter(is_group).map(|entry| name(&entry.file_name())).collect(),
        }
    }

    /// Returns `true` if groups can be created in it, and it has no others than those of dibber and `own`.
    fn is_usable(&self, own: &str) -> bool {
        let is_known = |name: &String| name == own || name == LEAF || is_run_name(name);
        self.is_writable && self.is_delegated && self.inner.iter().all(is_known)
    }
}

/// Which group is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Chosen {
    Own,
    /// The one above, as after a move to [`LEAF`], or with `DelegateSubgroup=`.
    Above,
}

/// Returns which group is used, of the one of this process and the one above it.
fn choose(own: &GroupState, above: Option<&GroupState>) -> Option<Chosen> {
    if own.is_usable(LEAF) {
        return Some(Chosen::Own);
    }
    // The group above a unit was delegated to the manager of that unit.
    let is_unit = UNITS.iter().any(|end| own.name.ends_with(end));
    let is_usable = |above: &GroupState| above.is_usable(&own.name) && !above.has_processes;
    (!is_unit && above.is_some_and(is_usable)).then_some(Chosen::Above)
}

/// Moves the launcher and the process that has started it to a group of their own, if there are no others.
fn move_to_leaf(group: &Path, server: u32) -> io::Result<()> {
    let is_there =
        getppid().is_some_and(|parent| parent.as_raw_nonzero().get().cast_unsigned() == server);
    if !is_there {
        return Err(io::Error::other("the process that started the launcher has ended"));
    }
    let own = getpid().as_raw_nonzero().get().cast_unsigned();
    move_all(group, &[own, server])
}

/// Moves processes to the leaf of a group that has no others.
fn move_all(group: &Path, known: &[u32]) -> io::Result<()> {
    let processes = fs::read_to_string(group.join("cgroup.procs"))?;
    // One of another process namespace is 0.
    let is_known = |process: &str| process.parse().is_ok_and(|process| known.contains(&process));
    if !processes.lines().all(is_known) {
        return Err(io::Error::other("the group has other processes"));
    }
    let leaf = group.join(LEAF);
    match fs::create_dir(&leaf) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    for process in processes.lines() {
        match fs::write(leaf.join("cgroup.procs"), process) {
            // It has ended.
            Err(error) if error.raw_os_error() == Some(libc::ESRCH) => {}
            moved => moved?,
        }
    }
    Ok(())
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

/// Returns `true` if a group is the root of what this process sees, but not that of the machine, which has no
/// type.
fn is_own_root(group: &Path, root: &Path) -> bool {
    group == root && group.join("cgroup.type").exists()
}

/// Returns `true` if a group belongs to this user, and the one above does not.
fn is_owned(group: &Path, root: &Path) -> bool {
    let is_own =
        |group: &Path| group.metadata().is_ok_and(|metadata| metadata.uid() == geteuid().as_raw());
    let is_above_foreign =
        || group.parent().is_some_and(|above| !is_own(above) && !is_writable(above));
    group != root && is_own(group) && is_above_foreign()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{Chosen, Controller, GroupState, choose, enable_controllers, move_all, own_group};

    const RUN: &str = "dibber-sandbox-0123456789abcdef0123456789abcdef";

    fn state(name: &str, is_delegated: bool, inner: &[&str]) -> GroupState {
        let inner = inner.iter().map(|name| (*name).to_owned()).collect();
        let name = name.to_owned();
        GroupState { name, is_writable: true, is_delegated, has_processes: false, inner }
    }

    #[test]
    fn the_own_group_is_found_in_what_is_mounted() {
        let directory = tempfile::tempdir().expect("a directory");
        let root = directory.path();
        fs::create_dir_all(root.join("system.slice/d.service")).expect("directories");
        let mount = |shown: &str, kind: &str| {
            format!(
                "24 1 0:5 / /proc rw - proc proc rw\n30 1 0:26 {shown} {} rw - {kind} x rw\n",
                root.display()
            )
        };
        let find = |groups: &str, mounts: &str| own_group(groups, mounts).map(|(_, group)| group);
        let group = "1:name=systemd:/x\n0::/system.slice/d.service\n";
        let own = root.join("system.slice/d.service");
        assert_eq!(find(group, &mount("/", "cgroup2")), Some(own.clone()));
        assert_eq!(find("0::/a/system.slice/d.service\n", &mount("/a", "cgroup2")), Some(own));
        assert_eq!(find("0::/\n", &mount("/", "cgroup2")), Some(root.to_owned()));
        for (groups, mounts) in [
            (group, mount("/", "cgroup")),
            (group, mount("/other", "cgroup2")),
            ("1:memory:/x\n", mount("/", "cgroup2")),
            ("0::/gone\n", mount("/", "cgroup2")),
            ("0::/../system.slice\n", mount("/", "cgroup2")),
        ] {
            assert_eq!(find(groups, &mounts), None, "{groups} {mounts}");
        }
    }

    #[test]
    fn only_a_group_without_others_that_was_delegated_is_used() {
        let own = |inner: &[&str]| choose(&state("d.service", true, inner), None);
        assert_eq!(own(&[]), Some(Chosen::Own));
        assert_eq!(own(&["dibber", RUN]), Some(Chosen::Own));
        assert_eq!(own(&["app.slice"]), None, "it has the groups of others");
        let read_only = GroupState { is_writable: false, ..state("d.service", true, &[]) };
        assert_eq!(choose(&read_only, None), None);
        assert_eq!(choose(&state("d.service", false, &[]), None), None);

        let leaf = state("dibber", false, &[]);
        let above = |above: &GroupState| choose(&leaf, Some(above));
        assert_eq!(above(&state("d.service", true, &["dibber", RUN])), Some(Chosen::Above));
        assert_eq!(above(&state("d.service", false, &["dibber"])), None);
        assert_eq!(above(&state("d.service", true, &["dibber", "other"])), None);
        let busy = GroupState { has_processes: true, ..state("d.service", true, &["dibber"]) };
        assert_eq!(above(&busy), None);
        let subgroup = state("main", false, &[]);
        let service = state("d.service", true, &["main"]);
        assert_eq!(choose(&subgroup, Some(&service)), Some(Chosen::Above));
        // That of the manager of a user is marked, and is not for its services.
        let unit = state("d.service", false, &[]);
        let manager = state("user@1000.service", true, &["d.service"]);
        assert_eq!(choose(&unit, Some(&manager)), None);
    }

    #[test]
    fn only_known_processes_are_moved() {
        let directory = tempfile::tempdir().expect("a directory");
        let group = directory.path();
        fs::write(group.join("cgroup.procs"), "10\n20\n30\n").expect("a file");
        assert!(move_all(group, &[10, 20]).is_err(), "30 is another one");
        assert!(!group.join("dibber").exists());
        fs::write(group.join("cgroup.procs"), "0\n10\n").expect("a file");
        assert!(move_all(group, &[10, 20]).is_err(), "one of another namespace");
        fs::write(group.join("cgroup.procs"), "10\n20\n").expect("a file");
        move_all(group, &[10, 20]).expect("a move");
        // The last one that was written; a control group takes one after the other.
        assert_eq!(fs::read_to_string(group.join("dibber/cgroup.procs")).expect("a file"), "20");
    }

    #[test]
    fn available_controllers_are_enabled() {
        let directory = tempfile::tempdir().expect("a directory");
        let group = directory.path();
        let [available, enabled] =
            ["cgroup.controllers", "cgroup.subtree_control"].map(|name| group.join(name));
        fs::write(available, "cpuset io memory pids\n").expect("a file");
        fs::write(&enabled, "memory\n").expect("a file");
        assert_eq!(enable_controllers(group), Ok(vec![Controller::Memory, Controller::Pids]));
        assert_eq!(fs::read_to_string(&enabled).expect("a file"), "+pids");
    }
}
