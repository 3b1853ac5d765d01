//! From paths as they are shown to paths from the directory of `dibber.toml`.
//!
//! Only names are compared: nothing here looks at a disk, so a symbolic link is what it is
//! called and not where it leads.

use std::borrow::Cow;

/// The directory of a `dibber.toml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigDirectory {
    /// Its path from the root, or from the current directory when that is not known.
    path: String,
    /// The current directory, likewise; empty when it is not known.
    current: String,
    /// The path from the directory to the current directory, when that is in it.
    to_current: Option<String>,
}

impl ConfigDirectory {
    /// Returns the directory of the file that is shown as `path` to a program that runs in
    /// `current`.
    pub(super) fn of_file(path: &str, current: &str) -> Self {
        let parent = path.rfind('/').map_or("", |end| &path[..=end]);
        let current = resolve("", current);
        let directory = resolve(&current, parent);
        let to_current = below(&directory, &current).map(str::to_owned);
        Self { path: directory, current, to_current }
    }

    /// Returns the path from the directory of a file that is shown as `shown`; `None` if it is
    /// elsewhere.
    pub fn relative<'a>(&self, shown: &'a str) -> Option<Cow<'a, str>> {
        match &self.to_current {
            Some(prefix) if is_plain(shown) => Some(match prefix.as_str() {
                "" => Cow::Borrowed(shown),
                prefix => Cow::Owned(format!("{prefix}/{shown}")),
            }),
            _ => {
                let path = resolve(&self.current, shown);
                below(&self.path, &path).map(|rest| Cow::Owned(rest.to_owned()))
            }
        }
    }

    /// Returns `true` if the directory is the one that is shown as `shown`, or is in it.
    pub fn is_within(&self, shown: &str) -> bool {
        below(&resolve(&self.current, shown), &self.path).is_some()
    }
}

/// Returns the part of `path` after `directory`.
fn below<'a>(directory: &str, path: &'a str) -> Option<&'a str> {
    match path.strip_prefix(directory)? {
        "" => Some(""),
        rest if directory.is_empty() => {
            (!is_absolute(rest) && !leaves_parent(rest)).then_some(rest)
        }
        rest if directory.ends_with('/') => Some(rest),
        rest => rest.strip_prefix('/').filter(|rest| !leaves_parent(rest)),
    }
}

fn leaves_parent(path: &str) -> bool {
    path == ".." || path.starts_with("../")
}

/// Returns `true` if a path is absolute, on Unix or with a drive.
fn is_absolute(path: &str) -> bool {
    path.starts_with('/') || path.as_bytes().get(1..3) == Some(b":/")
}

/// Returns `true` if a path is relative and has nothing to resolve.
fn is_plain(path: &str) -> bool {
    !path.is_empty()
        && !is_absolute(path)
        && path.split('/').all(|part| !part.is_empty() && part != "." && part != "..")
}

/// Joins `path` to `directory` and takes `.` and `..` out; a `..` that has nothing to take back
/// stays.
fn resolve(directory: &str, path: &str) -> String {
    let joined = if is_absolute(path) { path.to_owned() } else { format!("{directory}/{path}") };
    let is_rooted = joined.starts_with('/') && (is_absolute(path) || is_absolute(directory));
    let mut parts: Vec<&str> = Vec::new();
    for part in joined.split('/') {
        match (part, parts.last()) {
            ("" | ".", _) => {}
            ("..", None) if is_rooted => {}
            ("..", Some(&last)) if last != ".." => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    format!("{}{}", if is_rooted { "/" } else { "" }, parts.join("/"))
}
