//! Whether a file has changed, without reading it.

use std::fs::{self, Metadata};
use std::path::Path;

use serde::{Deserialize, Serialize};

/// What the system knows about a file or directory that differs after each change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FileStamp {
    /// The device and the number of the file there; zero where files have none.
    file: [u64; 2],
    size: u64,
    /// Seconds and nanoseconds since 1970 of the change of the contents, and of that of anything.
    times: [i64; 4],
}

impl FileStamp {
    /// Returns the stamp of a file whose metadata is known.
    #[cfg(unix)]
    pub fn from_metadata(metadata: &Metadata) -> Self {
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

    /// Returns the stamp of a file whose metadata is known.
    #[cfg(not(unix))]
    pub fn from_metadata(metadata: &Metadata) -> Self {
        let modified = metadata.modified().ok();
        let since = modified.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        let (seconds, nanos) = since.map_or((0, 0), |time| {
            (i64::try_from(time.as_secs()).unwrap_or(i64::MAX), time.subsec_nanos())
        });
        Self { file: [0; 2], size: metadata.len(), times: [seconds, i64::from(nanos), 0, 0] }
    }

    /// Returns the stamp of the file at a path, or of what a link there leads to; none if there is none.
    pub fn of(path: &Path) -> Option<Self> {
        fs::metadata(path).ok().as_ref().map(Self::from_metadata)
    }

    /// Returns the stamp of the file at a path, or of the link itself; none if there is none.
    pub fn of_link(path: &Path) -> Option<Self> {
        fs::symlink_metadata(path).ok().as_ref().map(Self::from_metadata)
    }
}
