//! Files and directories that only their owner may read.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::path::Path;

use super::file::{ReadError, check_regular, open_regular, read_limited};

/// What a mode permits to others than the owner.
#[cfg(unix)]
const OTHERS: u32 = 0o077;

/// Creates a directory and its parents. New directories are for their owner alone.
pub fn create_private_directory(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Creates a directory of the program and its parents, or restricts the one that exists to its owner.
///
/// # Errors
/// If it cannot be created, or a symbolic link or a file is in its place: the program would create,
/// replace and remove files elsewhere.
pub fn create_own_directory(path: &Path) -> io::Result<()> {
    check_own_directory(path)?;
    create_private_directory(path)?;
    restrict(path);
    Ok(())
}

/// Returns an error if a symbolic link, or anything else that is not a directory, is at a path.
pub fn check_own_directory(path: &Path) -> io::Result<()> {
    let Ok(found) = fs::symlink_metadata(path) else { return Ok(()) };
    match found.file_type() {
        kind if kind.is_symlink() => Err(io::Error::other("it is a symbolic link")),
        kind if kind.is_dir() => Ok(()),
        _ => Err(io::Error::other("it is not a directory")),
    }
}

/// Removes the permissions of others from a directory. Its files have permissions of their own, so a
/// file system that has none for directories does not prevent writing them.
fn restrict(directory: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(directory).map(|metadata| metadata.permissions().mode());
        if mode.is_ok_and(|mode| mode & OTHERS != 0) {
            drop(fs::set_permissions(directory, fs::Permissions::from_mode(0o700)));
        }
    }
    #[cfg(not(unix))]
    let _ = directory;
}

/// Reads a regular file of at most `bytes_max` bytes that belongs to the user of this process, and that
/// no one else may read or write. This never blocks.
pub fn read_private(path: &Path, bytes_max: u64) -> Result<Vec<u8>, ReadError> {
    let file = open_regular(path)?;
    // Of the open file: the path may be another one by now.
    if !is_private(&file.metadata()?) {
        let message = "belongs to another user, or others may read or write it";
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, message).into());
    }
    read_limited(file, bytes_max)
}

#[cfg(unix)]
fn is_private(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    metadata.uid() == rustix::process::geteuid().as_raw() && metadata.mode() & OTHERS == 0
}

/// What others may do is not in the metadata here.
#[cfg(not(unix))]
const fn is_private(_: &fs::Metadata) -> bool {
    true
}

/// Opens a regular file for writing without truncating it. A new one is for its owner alone. This
/// never blocks: a pipe is an error, and is not waited for.
pub fn open_private(path: &Path) -> io::Result<File> {
    if let Ok(metadata) = fs::metadata(path) {
        check_regular(&metadata)?;
    }
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        // The path may be a pipe by now.
        let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits();
        options.mode(0o600).custom_flags(flags.cast_signed());
    }
    let file = options.open(path)?;
    check_regular(&file.metadata()?)?;
    Ok(file)
}
