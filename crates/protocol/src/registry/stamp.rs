//! What changes when a file changes.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

/// What the system knows about a file that differs after each change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    #[cfg(unix)]
    file: [u64; 2],
    size: u64,
    /// Seconds and nanoseconds of the change of the contents, and of that of anything.
    times: [i64; 4],
}

impl Stamp {
    #[cfg(unix)]
    pub(super) fn from_metadata(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self {
            file: [metadata.dev(), metadata.ino()],
            size: metadata.size(),
            // The second pair also changes when the first one is set back.
            times: [
                metadata.mtime(),
                metadata.mtime_nsec(),
                metadata.ctime(),
                metadata.ctime_nsec(),
            ],
        }
    }

    #[cfg(not(unix))]
    pub(super) fn from_metadata(metadata: &Metadata) -> Self {
        let modified = metadata.modified().ok();
        let since = modified.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        let (seconds, nanos) = since.map_or((0, 0), |time| {
            (i64::try_from(time.as_secs()).unwrap_or(i64::MAX), time.subsec_nanos())
        });
        Self { size: metadata.len(), times: [seconds, i64::from(nanos), 0, 0] }
    }
}

/// A file or directory, and its stamp before it was read; none if it was not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Watched {
    pub(super) path: PathBuf,
    pub(super) stamp: Option<Stamp>,
}

impl Watched {
    pub(super) fn new(path: PathBuf, metadata: Option<&Metadata>) -> Self {
        Self { path, stamp: metadata.map(Stamp::from_metadata) }
    }

    /// Notes the stamp that the file at a path, or the link itself, has now.
    pub(super) fn now(path: PathBuf) -> Self {
        let stamp = stamp_at(&path);
        Self { path, stamp }
    }

    /// Returns `true` if the file has not changed.
    pub(super) fn is_same(&self) -> bool {
        stamp_at(&self.path) == self.stamp
    }
}

fn stamp_at(path: &Path) -> Option<Stamp> {
    fs::symlink_metadata(path).ok().as_ref().map(Stamp::from_metadata)
}
