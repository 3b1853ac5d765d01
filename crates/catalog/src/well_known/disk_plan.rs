//! Bringing the directory of a site up to date: a plan, and then what the plan says.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use dibber_text::atomic_file::{self, Access};
use dibber_text::file::read_regular;

use super::own_index::own_files;
use super::site::{INDEX_PATH, Site};
use crate::digest::Digest;

/// The most bytes of a file that is compared.
const FILE_BYTES_MAX: u64 = 256 << 20;

/// A file of a site, and what happens to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteChange {
    /// The path from the top of the site.
    pub path: String,
    /// What happens to it.
    pub kind: SiteChangeKind,
    /// The file on disk was not written by this program, or was changed since.
    pub is_foreign: bool,
    /// The bytes that it has afterwards.
    pub size: usize,
}

/// What happens to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SiteChangeKind {
    /// It is created.
    Added,
    /// It is replaced.
    Changed,
    /// It is as it has to be.
    Unchanged,
    /// It is removed: an earlier index lists it, and the new one does not.
    Removed,
}

/// Compares a site with a directory. The changes are in the order in which they are made.
pub fn plan_on_disk(site: &Site, directory: &Path) -> io::Result<Vec<SiteChange>> {
    let old_index = read(directory, INDEX_PATH)?;
    let own = old_index.as_deref().map(own_files);
    let is_own_index = own.as_ref().is_some_and(Option::is_some);
    let own: BTreeMap<String, Digest> = own.flatten().unwrap_or_default();
    let mut changes = Vec::new();
    for file in &site.files {
        let found = read(directory, &file.path)?;
        let kind = match &found {
            None => SiteChangeKind::Added,
            Some(found) if *found == file.bytes => SiteChangeKind::Unchanged,
            Some(_) => SiteChangeKind::Changed,
        };
        let is_own = |found: &Vec<u8>| {
            own.get(&file.path) == Some(&Digest::of(found))
                || file.path == INDEX_PATH && is_own_index
        };
        let is_changed = kind == SiteChangeKind::Changed;
        let is_foreign = is_changed && !found.as_ref().is_some_and(is_own);
        changes.push(SiteChange {
            path: file.path.clone(),
            kind,
            is_foreign,
            size: file.bytes.len(),
        });
    }
    for (path, digest) in own {
        if site.file(&path).is_some() {
            continue;
        }
        // What was changed since is left where it is.
        if read(directory, &path)?.is_some_and(|found| Digest::of(found) == digest) {
            let kind = SiteChangeKind::Removed;
            changes.push(SiteChange { path, kind, is_foreign: false, size: 0 });
        }
    }
    Ok(changes)
}

/// Makes the changes of a plan: files first, then the index that leads to them, and removals last.
/// `may_go_on` is asked before each.
///
/// # Errors
/// The path that cannot be written, and why. What was written before it stays.
pub fn apply_site(
    site: &Site,
    changes: &[SiteChange],
    directory: &Path,
    mut may_go_on: impl FnMut() -> bool,
) -> Result<(), (String, io::Error)> {
    for change in changes {
        if change.kind == SiteChangeKind::Unchanged {
            continue;
        }
        let path = directory.join(&change.path);
        let made = if !may_go_on() {
            Err(io::ErrorKind::Interrupted.into())
        } else if change.kind == SiteChangeKind::Removed {
            remove(&path)
        } else {
            write(site, change, &path)
        };
        made.map_err(|error| (change.path.clone(), error))?;
    }
    Ok(())
}

fn write(site: &Site, change: &SiteChange, path: &Path) -> io::Result<()> {
    let file = site.file(&change.path).ok_or(io::ErrorKind::InvalidInput)?;
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    atomic_file::replace(path, &file.bytes, Access::Inherit)
}

/// Removes a file, and the directory of its skill if it is empty then.
fn remove(path: &Path) -> io::Result<()> {
    fs::remove_file(path)?;
    let is_skill_file = path.file_name().is_some_and(|name| name == "SKILL.md");
    if let Some(parent) = path.parent().filter(|_| is_skill_file) {
        // One that has other files stays.
        let _ = fs::remove_dir(parent);
    }
    Ok(())
}

/// Reads a file of a site. A link on the way to it may lead out of the site, so none is followed.
fn read(directory: &Path, path: &str) -> io::Result<Option<Vec<u8>>> {
    let mut full = directory.to_owned();
    for name in path.split('/') {
        full.push(name);
        if full.is_symlink() {
            let message = format!("{} is a symbolic link", full.display());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
    }
    match read_regular(&full, FILE_BYTES_MAX) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.is_not_found() => Ok(None),
        Err(error) => Err(error.into()),
    }
}
