//! Files and directories that only their owner may read.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::path::Path;

use super::file::check_regular;

/// Creates a directory and its parents. New directories are for their owner alone.
pub fn create_private_directory(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
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
