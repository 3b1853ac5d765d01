//! Mounting: file systems in memory, `/proc`, and copies of parts of the host's tree.
//!
//! Everything is done with descriptors of mounts that are not attached yet, so no path is looked up
//! twice, and flags are only ever added to those of the host.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::CWD;
use rustix::mount::{
    FsMountFlags, FsOpenFlags, MountAttrFlags, MoveMountFlags, OpenTreeFlags, fsconfig_create,
    fsconfig_set_string, fsmount, fsopen, move_mount, open_tree,
};

use super::unsafe_calls::add_mount_attributes;

/// What can be changed below a mount.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    ReadOnly,
    ReadWrite,
}

/// Returns a new file system in memory, in which nothing can be executed.
pub(super) fn memory_file_system(options: &[(&str, String)]) -> io::Result<OwnedFd> {
    let attributes = MountAttrFlags::MOUNT_ATTR_NOSUID
        | MountAttrFlags::MOUNT_ATTR_NODEV
        | MountAttrFlags::MOUNT_ATTR_NOEXEC;
    new_file_system("tmpfs", options, attributes)
}

/// Returns a new `/proc` that shows only processes, and only those of this namespace.
pub(super) fn process_file_system() -> io::Result<OwnedFd> {
    let attributes = MountAttrFlags::MOUNT_ATTR_RDONLY
        | MountAttrFlags::MOUNT_ATTR_NOSUID
        | MountAttrFlags::MOUNT_ATTR_NODEV
        | MountAttrFlags::MOUNT_ATTR_NOEXEC;
    new_file_system("proc", &[("subset", "pid".to_owned())], attributes)
}

fn new_file_system(
    kind: &str,
    options: &[(&str, String)],
    attributes: MountAttrFlags,
) -> io::Result<OwnedFd> {
    let context = fsopen(kind, FsOpenFlags::FSOPEN_CLOEXEC)?;
    for (key, value) in options {
        fsconfig_set_string(context.as_fd(), *key, value.as_str())?;
    }
    fsconfig_create(context.as_fd())?;
    Ok(fsmount(context.as_fd(), FsMountFlags::FSMOUNT_CLOEXEC, attributes)?)
}

/// Returns a copy of the tree at a path of the host, with all mounts below it.
pub(super) fn copy_tree(path: &Path, access: Access) -> io::Result<OwnedFd> {
    let flags = OpenTreeFlags::OPEN_TREE_CLONE
        | OpenTreeFlags::OPEN_TREE_CLOEXEC
        | OpenTreeFlags::AT_RECURSIVE;
    let tree = open_tree(CWD, path, flags)?;
    add_mount_attributes(&tree, host_tree_attributes(access), true)?;
    Ok(tree)
}

/// Returns a copy of the mount of an opened file.
pub(super) fn file_mount(file: BorrowedFd<'_>) -> io::Result<OwnedFd> {
    let flags = OpenTreeFlags::OPEN_TREE_CLONE
        | OpenTreeFlags::OPEN_TREE_CLOEXEC
        | OpenTreeFlags::AT_EMPTY_PATH;
    let tree = open_tree(file, "", flags)?;
    let attributes = host_tree_attributes(Access::ReadOnly) | libc::MOUNT_ATTR_NOEXEC;
    add_mount_attributes(&tree, attributes | libc::MOUNT_ATTR_NODEV, false)?;
    Ok(tree)
}

/// Device nodes of the host are copied as well, so nothing is said about devices here.
fn host_tree_attributes(access: Access) -> u64 {
    match access {
        Access::ReadOnly => libc::MOUNT_ATTR_NOSUID | libc::MOUNT_ATTR_RDONLY,
        Access::ReadWrite => libc::MOUNT_ATTR_NOSUID,
    }
}

/// Attaches a mount to a directory or file of the new root.
pub(super) fn attach(mount: &OwnedFd, root: &OwnedFd, path: &Path) -> io::Result<()> {
    let flags = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH;
    Ok(move_mount(mount, "", root, path, flags)?)
}

/// Makes a mount, but none below it, read-only.
pub(super) fn make_read_only(mount: &OwnedFd) -> io::Result<()> {
    add_mount_attributes(mount, libc::MOUNT_ATTR_RDONLY, false)
}
