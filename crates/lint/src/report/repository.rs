//! Paths from the root of the repository, which services look files up by.

use std::borrow::Cow;
use std::path::Path;

use dibber_skill::discover::{NO_PATH, shown_path};
use dibber_skill::names::Roster;
use dibber_skill::privacy::Privacy;
use dibber_text::Mask;

/// Converts displayed paths to repository paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepositoryPaths {
    /// The root, with a slash at its end.
    root: String,
    /// The path of the current directory from the root; empty at the root.
    current: String,
}

impl RepositoryPaths {
    /// Returns the paths of the repository at `root`, seen from `current_dir`. Both are absolute
    /// and without symbolic links.
    ///
    /// Paths of findings are shown without the names of children, so these are as well.
    pub fn new(root: &Path, current_dir: &Path, roster: &Roster) -> Option<Self> {
        let shown = |path| Privacy { roster }.mask(&shown_path(path)).into_owned();
        let current = current_dir.strip_prefix(root).ok()?;
        Some(Self { root: format!("{}/", shown(root)), current: shown(current) })
    }

    /// Returns the path from the root. One that leads outside the repository stays as it is.
    pub fn from_root<'a>(&self, path: &'a str) -> Cow<'a, str> {
        if let Some(inside) = path.strip_prefix(&self.root) {
            return Cow::Borrowed(inside);
        }
        let is_absolute = path.starts_with('/') || path.as_bytes().get(1) == Some(&b':');
        if is_absolute || path.is_empty() || path == NO_PATH {
            return Cow::Borrowed(path);
        }
        let mut parts: Vec<&str> =
            self.current.split('/').filter(|part| !part.is_empty()).collect();
        for part in path.split('/') {
            match part {
                "" | "." => {}
                ".." if parts.pop().is_some() => {}
                ".." => return Cow::Borrowed(path),
                part => parts.push(part),
            }
        }
        Cow::Owned(parts.join("/"))
    }
}
