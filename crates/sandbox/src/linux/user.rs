//! The user of a run, and its ties to the parent process.

use std::fs::File;
use std::io::Write;
use std::os::fd::{AsFd, OwnedFd};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags, openat};
use rustix::process::{
    DumpableBehavior, Gid, Signal, Uid, getegid, geteuid, set_dumpable_behavior,
    set_parent_process_death_signal,
};
use rustix::thread::{set_thread_groups, set_thread_res_gid, set_thread_res_uid};

use super::setup_error::{SetupResult, Step};
use crate::specification::Refusal;

/// The user and group of a run that root starts, outside the sandbox.
pub(super) const NOBODY: u32 = 65534;

/// The user and group that a run sees as its own.
pub(super) const SANDBOX_USER: u32 = 1000;

/// Whose rights the launcher has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Caller {
    /// Those of root, which it gives up for those of `NOBODY`.
    Root,
    /// Those of another user.
    Ordinary,
}

impl Caller {
    /// Returns the user of this process.
    pub(super) fn current() -> Self {
        if geteuid().is_root() { Self::Root } else { Self::Ordinary }
    }
}

/// The directory of this process in `/proc` of the host, which is gone after the change of the root.
pub(super) struct ProcessDirectory(OwnedFd);

impl ProcessDirectory {
    /// Opens the directory.
    pub(super) fn open() -> SetupResult<Self> {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        rustix::fs::open("/proc/self", flags, Mode::empty()).map(Self).step("open /proc/self")
    }

    /// Shows the current user as `SANDBOX_USER` in the user namespace that was just created.
    /// `outside` is what the ids are outside of it.
    pub(super) fn map_user(&self, outside: (Uid, Gid)) -> SetupResult<()> {
        // The files below belong to root while the process is not dumpable, as after a change of user.
        set_dumpable_behavior(DumpableBehavior::Dumpable).step("make the process dumpable")?;
        let (uid, gid) = outside;
        self.write("setgroups", "deny")?;
        self.write("uid_map", &format!("{SANDBOX_USER} {} 1", uid.as_raw()))?;
        self.write("gid_map", &format!("{SANDBOX_USER} {} 1", gid.as_raw()))
    }

    fn write(&self, name: &str, content: &str) -> SetupResult<()> {
        let flags = OFlags::WRONLY | OFlags::CLOEXEC;
        let file = openat(self.0.as_fd(), name, flags, Mode::empty());
        let file = file.step(format!("open /proc/self/{name}"))?;
        File::from(file).write_all(content.as_bytes()).step(format!("write /proc/self/{name}"))
    }
}

/// Returns the user and the group of this process, as the current user namespace shows them.
pub(super) fn current_ids() -> (Uid, Gid) {
    (geteuid(), getegid())
}

/// Gives up the rights of root for good.
pub(super) fn become_nobody() -> SetupResult<()> {
    let (uid, gid) = (Uid::from_raw(NOBODY), Gid::from_raw(NOBODY));
    set_thread_groups(&[]).step("leave the groups of root")?;
    set_thread_res_gid(gid, gid, gid).step("leave the group of root")?;
    set_thread_res_uid(uid, uid, uid).step("become an unprivileged user")
}

/// Lets the kernel kill this process when its parent ends. The parent holds the other end of
/// `lifeline`. A change of user cancels it, so it has to be asked for again after one.
pub(super) fn die_with_parent(lifeline: &OwnedFd) -> SetupResult<()> {
    set_parent_process_death_signal(Some(Signal::KILL)).step("watch the parent process")?;
    // The parent may have ended before, in which case there is no signal.
    let mut polled = [PollFd::new(lifeline, PollFlags::IN)];
    let ready = poll(&mut polled, Some(&Timespec::default())).step("watch the parent process")?;
    if ready == 0 {
        return Ok(());
    }
    Err(Refusal::new("prepare the sandbox", "the launcher has ended"))
}
