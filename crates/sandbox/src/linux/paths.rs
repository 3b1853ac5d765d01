//! Where a program finds what it may use.

use std::path::PathBuf;

use super::root_directory::{BLOBS, DEVICES, SHARED_MEMORY, SKILLS, WORKSPACE};

/// Where a program finds what it may use, and how many processes its user may have.
pub(super) struct Paths {
    pub(super) workspace: PathBuf,
    pub(super) skills: PathBuf,
    pub(super) blobs: PathBuf,
    /// Further directories that it may read.
    pub(super) readable: Vec<PathBuf>,
    /// Further files and directories that it may read and write.
    pub(super) writable: Vec<PathBuf>,
    /// Processes of its user beside those of the run.
    pub(super) other_processes: u64,
}

impl Paths {
    /// Returns the paths in a root directory of its own.
    pub(super) fn inside() -> Self {
        Self {
            workspace: WORKSPACE.into(),
            skills: SKILLS.into(),
            blobs: BLOBS.into(),
            readable: vec!["/proc".into()],
            writable: DEVICES.into_iter().chain([SHARED_MEMORY]).map(PathBuf::from).collect(),
            // Init, and the launcher if it is in the same user namespace.
            other_processes: 2,
        }
    }
}
