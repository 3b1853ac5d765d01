//! The paths that a lock file may have.

use std::path::{Component, Path};

/// The path of a skill that lies in the directory of the lock itself.
pub(super) const HERE: &str = ".";

/// Which paths a lock file has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LockPaths {
    /// Those of directories below its own, or of its own: others may have written it.
    Relative,
    /// Those of directories of all projects.
    Absolute,
}

impl LockPaths {
    /// Returns a path as it is recorded, without `./` and a slash at its end, if it is one of these.
    pub(super) fn normalize(self, path: String) -> Option<String> {
        if self == Self::Absolute {
            return Some(path);
        }
        let mut names = Vec::new();
        for component in Path::new(&path).components() {
            match component {
                Component::Normal(name) => names.push(name.to_str()?),
                Component::CurDir => {}
                _ => return None,
            }
        }
        Some(if names.is_empty() { HERE.to_owned() } else { names.join("/") })
    }
}
