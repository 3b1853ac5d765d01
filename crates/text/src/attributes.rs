//! Copying the attributes of a file that is replaced to the file that replaces it.

use std::fs::File;
use std::io;
use std::path::Path;

/// Gives a new file the owner, the permissions and, on Linux, the extended attributes of the one
/// that it replaces, as far as the system allows it. Where the owner cannot be kept, the file does
/// not run in the name of its new owner (setuid).
#[cfg(unix)]
pub(crate) fn copy(from: &Path, to: &File) -> io::Result<()> {
    use std::fs::{Permissions, metadata};
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};

    /// The bits of a mode that programs see.
    const MODE: u32 = 0o7777;
    /// Runs in the name of the owner.
    const SET_USER_ID: u32 = 0o4000;
    /// Runs in the name of the group.
    const SET_GROUP_ID: u32 = 0o2000;

    let (old, new) = (metadata(from)?, to.metadata()?);
    if (old.uid(), old.gid()) != (new.uid(), new.gid())
        && fchown(to, Some(old.uid()), Some(old.gid())).is_err()
    {
        // Only an administrator can give a file away; its group can be one of the user's own.
        let _ = fchown(to, None, Some(old.gid()));
    }
    let new = to.metadata()?;
    let mut mode = old.mode() & MODE;
    if new.uid() != old.uid() {
        mode &= !SET_USER_ID;
    }
    if new.gid() != old.gid() {
        mode &= !SET_GROUP_ID;
    }
    to.set_permissions(Permissions::from_mode(mode))?;
    copy_extended(from, to);
    Ok(())
}

#[cfg(not(unix))]
pub(crate) fn copy(from: &Path, to: &File) -> io::Result<()> {
    to.set_permissions(std::fs::metadata(from)?.permissions())
}

/// Copies extended attributes, such as access control lists. What the system does not let this user
/// set is left out.
#[cfg(target_os = "linux")]
fn copy_extended(from: &Path, to: &File) {
    use rustix::fs::{XattrFlags, fsetxattr, getxattr, listxattr};

    /// The most bytes of all names together, and of one value: the limit of Linux (64 KiB).
    const BYTES_MAX: usize = 64 << 10;

    let mut names = vec![0; BYTES_MAX];
    let Ok(length) = listxattr(from, names.as_mut_slice()) else { return };
    let mut value = vec![0; BYTES_MAX];
    for name in names[..length].split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
        if let Ok(length) = getxattr(from, name, value.as_mut_slice()) {
            let _ = fsetxattr(to, name, &value[..length], XattrFlags::empty());
        }
    }
}

#[cfg(all(unix, not(target_os = "linux")))]
fn copy_extended(_from: &Path, _to: &File) {}
