//! The paths that a lock file may have.

use std::path::{Component, Path};

/// Which paths a lock file has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LockPaths {
    /// Those of directories below its own, or of its own: others may have written it.
    Relative,
    /// Those of directories of all projects.
    Absolute,
}

impl LockPaths {
    /// Returns `true` if a path is one of these.
    pub(super) fn permit(self, path: &str) -> bool {
        let is_below = |part| matches!(part, Component::Normal(_) | Component::CurDir);
        match self {
            Self::Relative => Path::new(path).components().all(is_below),
            Self::Absolute => true,
        }
    }
}
