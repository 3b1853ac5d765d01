//! The system calls that no crate wraps safely. All `unsafe` code of the package is here.
#![expect(unsafe_code, reason = "each block says why it is sound")]

use std::fs;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, RawFd};

use rustix::process::Pid;
use rustix::thread::UnshareFlags;

/// The descriptor that the program writes its result to.
pub(super) const RESULT_DESCRIPTOR: RawFd = 3;

/// Compares the memory of two processes.
const KCMP_VM: libc::c_int = 1;

/// Proof that the process has one thread, so that it may fork and go on as usual in the child.
///
/// It stays true: the launcher is a process of its own that never returns to the code of the program, and
/// nothing in it starts a thread.
pub(super) struct SingleThread(());

impl SingleThread {
    /// Returns the proof, or an error if the process has more threads.
    pub(super) fn check() -> io::Result<Self> {
        match fs::read_dir("/proc/self/task")?.count() {
            1 => Ok(Self(())),
            count => Err(io::Error::other(format!("the launcher has {count} threads"))),
        }
    }
}

/// Which side of a fork this is.
pub(super) enum Forked {
    /// The new process.
    Child,
    /// The process that forked, with the id of the child.
    Parent(Pid),
}

/// Forks the process.
pub(super) fn fork(_: &SingleThread) -> io::Result<Forked> {
    // SAFETY: without other threads, no lock or other state is copied while it is being changed, and
    // the child may do whatever the parent may.
    let pid = unsafe { libc::fork() };
    match pid {
        -1 => Err(io::Error::last_os_error()),
        0 => Ok(Forked::Child),
        pid => Pid::from_raw(pid).map(Forked::Parent).ok_or_else(io::Error::last_os_error),
    }
}

/// Ends the process at once, without the exit handlers that the parent process registered.
pub(super) fn exit_now(code: i32) -> ! {
    // SAFETY: `_exit` has no preconditions.
    unsafe { libc::_exit(code) }
}

/// Moves the process to new namespaces.
pub(super) fn unshare(namespaces: UnshareFlags) -> io::Result<()> {
    assert!(!namespaces.contains(UnshareFlags::FILES), "only namespaces are unshared");
    // SAFETY: only unsharing the table of descriptors can invalidate what other code relies on.
    Ok(unsafe { rustix::thread::unshare_unsafe(namespaces) }?)
}

/// Returns `true` if two processes have the same memory, as after `vfork`.
pub(super) fn share_memory(first: Pid, second: Pid) -> bool {
    let (first, second) = (first.as_raw_nonzero().get(), second.as_raw_nonzero().get());
    // SAFETY: `kcmp` only compares numbers of objects of the kernel.
    let order = unsafe { libc::syscall(libc::SYS_kcmp, first, second, KCMP_VM, 0, 0) };
    order == 0
}

/// Makes every descriptor from `first` on close when the process executes a program.
pub(super) fn close_on_exec_from(first: RawFd) -> io::Result<()> {
    // SAFETY: no descriptor is closed now, so those that Rust values own stay valid.
    let result = unsafe {
        libc::syscall(libc::SYS_close_range, first, libc::c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC)
    };
    check(result)
}

/// Copies a descriptor to a given number, which programs that are executed inherit.
///
/// It is one of the launcher's protocol, which no value owns.
pub(super) fn duplicate_to(from: BorrowedFd<'_>, number: RawFd) -> io::Result<()> {
    assert!((0..=RESULT_DESCRIPTOR).contains(&number), "a descriptor of the protocol");
    // SAFETY: `from` is open. No value owns `number`: the first three were open when the process started,
    // and `RESULT_DESCRIPTOR` is taken before the launcher opens anything that has the lowest free number.
    check(unsafe { libc::dup2(from.as_raw_fd(), number) }.into())
}

/// Returns a descriptor of the launcher's protocol by its number.
pub(super) fn protocol_descriptor(number: RawFd) -> BorrowedFd<'static> {
    assert!((0..=RESULT_DESCRIPTOR).contains(&number), "a descriptor of the protocol");
    // SAFETY: `F_GETFD` only returns flags, or an error if nothing is open as `number`.
    let flags = unsafe { libc::fcntl(number, libc::F_GETFD) };
    assert!(flags != -1, "the descriptor {number} is open");
    // SAFETY: it is open, and stays so: no value owns it, and `duplicate_to` only replaces what it is.
    unsafe { BorrowedFd::borrow_raw(number) }
}

/// Adds attributes, such as `MOUNT_ATTR_RDONLY`, to a mount and optionally to all below it.
/// Attributes that are set already stay set.
pub(super) fn add_mount_attributes(
    mount: impl AsFd,
    attributes: u64,
    recursive: bool,
) -> io::Result<()> {
    let attributes =
        libc::mount_attr { attr_set: attributes, attr_clr: 0, propagation: 0, userns_fd: 0 };
    let flags = libc::AT_EMPTY_PATH | if recursive { libc::AT_RECURSIVE } else { 0 };
    // SAFETY: the path is a C string, and the structure outlives the call and has the given size.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            mount.as_fd().as_raw_fd(),
            c"".as_ptr(),
            flags,
            &raw const attributes,
            size_of_val(&attributes),
        )
    };
    check(result)
}

fn check(result: libc::c_long) -> io::Result<()> {
    if result == -1 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
