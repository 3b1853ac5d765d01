//! Which project a directory belongs to.

use std::fs;
use std::path::{Path, PathBuf};

use crate::config::CONFIG_FILE_NAME;

/// The name of git's own directory; in a work tree beside the main one, of a file that leads there.
pub(super) const GIT_DIRECTORY_NAME: &str = ".git";

/// Returns the directory of the project that a directory belongs to, without symbolic links: the
/// nearest repository; without one, the nearest directory with a `dibber.toml`; without one, the
/// parent directory.
pub fn project_root(directory: &Path) -> PathBuf {
    let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
    let real = fs::canonicalize(directory).unwrap_or_else(|_| directory.to_owned());
    let with = |name: &str| real.ancestors().find(|candidate| candidate.join(name).exists());
    let root = with(GIT_DIRECTORY_NAME).or_else(|| with(CONFIG_FILE_NAME)).or(real.parent());
    root.unwrap_or(&real).to_owned()
}

/// Returns the root of the repository that a directory is in. The directory is absolute and without
/// symbolic links.
pub fn repository_root(directory: &Path) -> Option<&Path> {
    directory.ancestors().find(|ancestor| ancestor.join(GIT_DIRECTORY_NAME).exists())
}
