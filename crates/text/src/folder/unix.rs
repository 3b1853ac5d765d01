//! Opening with the directory's descriptor: a path cannot become another one in between.

use std::ffi::OsStr;
use std::fs::{File, Metadata};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, fstat, openat, statat};
use rustix::io::Errno;

use super::entry::{EntryKind, FolderEntry};
use super::error::FileError;
use crate::is_skill_part;

/// A directory that is open.
#[derive(Debug)]
pub struct Folder(File);

impl Folder {
    /// Opens the directory at a path without symbolic links, such as a canonical one.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW;
        #[cfg(target_os = "linux")]
        if let Some(opened) = linux::open_without_links(path, flags) {
            return opened.map(|opened| Self(opened.into()));
        }
        open_name(CWD, path.as_os_str(), flags).map(|opened| Self(opened.into()))
    }

    /// Returns what the system knows about the directory.
    pub fn metadata(&self) -> Result<Metadata, FileError> {
        self.0.metadata().map_err(FileError::Io)
    }

    /// Opens a regular file at a valid path.
    pub fn open_file(&self, path: &str) -> Result<File, FileError> {
        if !path.split('/').all(is_skill_part) {
            return Err(FileError::NotFound);
        }
        // A terminal must not become that of the server, and a pipe must not be waited for.
        let file = self.open_beneath(path, OFlags::NONBLOCK | OFlags::NOCTTY)?;
        let status = fstat(&file).map_err(to_error)?;
        match FileType::from_raw_mode(status.st_mode) {
            FileType::RegularFile => Ok(file.into()),
            FileType::Directory => Err(FileError::Directory),
            _ => Err(FileError::Special),
        }
    }

    /// Returns what is in the directory at a valid path, or in this one if it is empty; none if that
    /// is more than `entries_max`.
    pub fn entries(
        &self,
        path: &str,
        entries_max: usize,
    ) -> Result<Option<Vec<FolderEntry>>, FileError> {
        if !path.split('/').all(is_skill_part) {
            return Err(FileError::NotFound);
        }
        let path = if path.is_empty() { "." } else { path };
        let directory = self.open_beneath(path, OFlags::DIRECTORY)?;
        let mut entries = Vec::new();
        for entry in Dir::read_from(&directory).map_err(to_error)? {
            let entry = entry.map_err(to_error)?;
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if name == "." || name == ".." || !is_skill_part(name) {
                continue;
            }
            if entries.len() == entries_max {
                return Ok(None);
            }
            let file_type = match entry.file_type() {
                // Some file systems do not list types.
                FileType::Unknown => file_type(&directory, name).unwrap_or(FileType::Unknown),
                listed => listed,
            };
            entries.push(FolderEntry { name: name.to_owned(), kind: entry_kind(file_type) });
        }
        Ok(Some(entries))
    }

    fn open_beneath(&self, path: &str, flags: OFlags) -> Result<OwnedFd, FileError> {
        #[cfg(target_os = "linux")]
        if let Some(opened) = linux::open_beneath(&self.0, path, flags) {
            return opened;
        }
        self.open_by_name(path, flags)
    }

    /// Opens one name of the path after the other, for kernels without `openat2`.
    fn open_by_name(&self, path: &str, flags: OFlags) -> Result<OwnedFd, FileError> {
        let Some((directories, name)) = path.rsplit_once('/') else {
            return open_name(&self.0, OsStr::new(path), flags);
        };
        let mut directory: Option<OwnedFd> = None;
        for name in directories.split('/') {
            let parent = directory.as_ref().map_or(self.0.as_fd(), AsFd::as_fd);
            directory = Some(open_name(parent, OsStr::new(name), OFlags::DIRECTORY)?);
        }
        let parent = directory.as_ref().map_or(self.0.as_fd(), AsFd::as_fd);
        open_name(parent, OsStr::new(name), flags)
    }
}

/// Opens a file whose last name is not a symbolic link.
fn open_name(directory: impl AsFd, name: &OsStr, flags: OFlags) -> Result<OwnedFd, FileError> {
    let all = flags | OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    openat(&directory, name, all, Mode::empty()).map_err(|error| match error {
        // Systems differ in how they report a link where a directory has to be.
        Errno::LOOP | Errno::NOTDIR | Errno::MLINK
            if file_type(&directory, name).is_ok_and(|found| found == FileType::Symlink) =>
        {
            FileError::Link
        }
        error => to_error(error),
    })
}

fn entry_kind(file_type: FileType) -> EntryKind {
    match file_type {
        FileType::RegularFile => EntryKind::File,
        FileType::Directory => EntryKind::Directory,
        FileType::Symlink => EntryKind::Link,
        _ => EntryKind::Special,
    }
}

/// Returns the type of a file, or of a symbolic link itself.
fn file_type(directory: impl AsFd, name: &OsStr) -> rustix::io::Result<FileType> {
    statat(directory, name, AtFlags::SYMLINK_NOFOLLOW)
        .map(|status| FileType::from_raw_mode(status.st_mode))
}

fn to_error(error: Errno) -> FileError {
    match error {
        Errno::NOENT | Errno::NAMETOOLONG => FileError::NotFound,
        Errno::NOTDIR => FileError::NotADirectory,
        Errno::LOOP => FileError::Link,
        // A socket, or a device that is not there.
        Errno::NXIO | Errno::NODEV => FileError::Special,
        error => FileError::Io(error.into()),
    }
}

/// Opening with `openat2`, which Linux has since 5.6. Containers may forbid it.
#[cfg(target_os = "linux")]
mod linux {
    use std::os::fd::{AsFd, OwnedFd};
    use std::path::Path;

    use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat2};
    use rustix::io::Errno;
    use rustix::path::Arg;

    use super::FileError;

    const NO_LINKS: ResolveFlags = ResolveFlags::NO_SYMLINKS.union(ResolveFlags::NO_MAGICLINKS);

    /// Opens a file beneath a directory; none if the kernel cannot.
    pub(super) fn open_beneath(
        directory: impl AsFd,
        path: &str,
        flags: OFlags,
    ) -> Option<Result<OwnedFd, FileError>> {
        open(directory, path, flags, NO_LINKS | ResolveFlags::BENEATH)
    }

    /// Opens a directory, no part of whose path is a symbolic link; none if the kernel cannot.
    pub(super) fn open_without_links(
        path: &Path,
        flags: OFlags,
    ) -> Option<Result<OwnedFd, FileError>> {
        open(CWD, path, flags, NO_LINKS)
    }

    fn open(
        directory: impl AsFd,
        path: impl Arg,
        flags: OFlags,
        resolve: ResolveFlags,
    ) -> Option<Result<OwnedFd, FileError>> {
        let flags = flags | OFlags::RDONLY | OFlags::CLOEXEC;
        match openat2(directory, path, flags, Mode::empty(), resolve) {
            Err(Errno::NOSYS | Errno::PERM | Errno::AGAIN | Errno::INVAL) => None,
            opened => Some(opened.map_err(super::to_error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn without_openat2_no_link_is_followed_either() {
        let place = tempfile::TempDir::new().expect("a directory");
        let path = fs::canonicalize(place.path()).expect("a path");
        fs::create_dir_all(path.join("skill/a/b")).expect("directories");
        fs::create_dir(path.join("outside")).expect("a directory");
        for file in ["skill/a/b/c", "skill/d", "outside/e"] {
            fs::write(path.join(file), file).expect("a file");
        }
        symlink("../outside", path.join("skill/out")).expect("a link");
        symlink("d", path.join("skill/inside")).expect("a link");
        symlink("inside", path.join("skill/again")).expect("a link");
        let folder = Folder::open(&path.join("skill")).expect("a directory");
        let open = |path| folder.open_by_name(path, OFlags::NONBLOCK);
        for file in ["a/b/c", "d", "a/b"] {
            open(file).expect("a file");
        }
        for link in ["out", "out/e", "inside", "again", "inside/x"] {
            let error = open(link).expect_err("a link");
            assert!(matches!(error, FileError::Link), "{link}: {error}");
        }
        for missing in ["a/x", "x/c"] {
            let error = open(missing).expect_err("no file");
            assert!(matches!(error, FileError::NotFound), "{missing}: {error}");
        }
        assert!(matches!(open("d/x").expect_err("no file"), FileError::NotADirectory));
    }
}
