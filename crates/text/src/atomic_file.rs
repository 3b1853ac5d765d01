//! Writing files whole: beside their target first, then renamed over it.
//!
//! A reader, and a program that is killed halfway, sees the old file or the new one. What a killed
//! program leaves beside its target is removed when a file is next written there.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use crate::file::{ReadError, read_regular};
use crate::{attributes, leftovers};

/// How often a temporary file is created that another process removes before it is locked.
const CREATE_ATTEMPTS: usize = 10;

/// A file that appears under its name only when it is finished.
#[derive(Debug)]
pub struct AtomicFile {
    target: PathBuf,
    output: Output,
    access: Access,
}

/// Who may read a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Those who may read the one it replaces; if there is none, the umask decides.
    Inherit,
    /// Its owner alone.
    Private,
}

#[derive(Debug)]
enum Output {
    /// A file beside its target, which takes its name.
    Temporary(NamedTempFile),
    /// A device or a pipe, which must not be replaced.
    Device(File),
}

impl AtomicFile {
    /// Begins a file at `path`; a symbolic link there is followed.
    pub fn create(path: &Path, access: Access) -> io::Result<Self> {
        let target = match fs::canonicalize(path) {
            // What the program keeps for itself is a file: a pipe would wait for a reader. The one in its
            // place is replaced, but not what a link leads to, which is the system's.
            Ok(real) if access == Access::Private && is_device(&real) => path.to_owned(),
            Ok(real) => real,
            Err(_) => path.to_owned(),
        };
        let directory = match target.parent() {
            Some(directory) if !directory.as_os_str().is_empty() => directory,
            _ => Path::new("."),
        };
        fs::metadata(directory)?;
        if access == Access::Inherit && is_device(&target) {
            let device = File::options().write(true).open(&target)?;
            return Ok(Self { target, output: Output::Device(device), access });
        }
        leftovers::remove(directory);
        let keeps_own = target.exists() || access == Access::Private;
        let temporary = create_locked(directory, keeps_own)?;
        Ok(Self { target, output: Output::Temporary(temporary), access })
    }

    /// The path that it takes, with symbolic links followed.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Puts it in its place, with the owner and the permissions of the file that it replaces.
    pub fn finish(self) -> io::Result<()> {
        let Output::Temporary(temporary) = self.output else { return Ok(()) };
        let file = temporary.as_file();
        if self.access == Access::Inherit && self.target.exists() {
            attributes::copy(&self.target, file)?;
        }
        file.sync_all()?;
        temporary.persist(&self.target)?;
        Ok(())
    }
}

/// Removes the temporary files of a directory that a killed process has left, for directories where
/// nothing is about to be written.
pub fn remove_leftovers(directory: &Path) {
    leftovers::remove(directory);
}

/// Creates a temporary file for its owner alone, and locks it for as long as it is open, also under
/// another name. [`remove_leftovers`] removes it once the process has died.
pub fn locked_temporary(directory: &Path) -> io::Result<NamedTempFile> {
    create_locked(directory, true)
}

fn create_locked(directory: &Path, keeps_own: bool) -> io::Result<NamedTempFile> {
    for _ in 0..CREATE_ATTEMPTS {
        let temporary = create_temporary(directory, keeps_own)?;
        if leftovers::lock(&temporary) {
            return Ok(temporary);
        }
    }
    Err(io::ErrorKind::ResourceBusy.into())
}

fn create_temporary(directory: &Path, keeps_own: bool) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    let builder = builder.prefix(leftovers::PREFIX).suffix(leftovers::SUFFIX);
    let builder = if keeps_own { builder } else { with_default_permissions(builder) };
    // The whole error names the temporary file, which means nothing to a user.
    builder.tempfile_in(directory).map_err(|error| io::Error::from(error.kind()))
}

fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.output {
            Output::Temporary(temporary) => temporary.write(bytes),
            Output::Device(device) => device.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.output {
            Output::Temporary(temporary) => temporary.flush(),
            Output::Device(device) => device.flush(),
        }
    }
}

/// Temporary files are readable by their owner alone; of an ordinary file, the umask decides.
#[cfg(unix)]
fn with_default_permissions<'a, 'b, 'c>(
    builder: &'c mut Builder<'a, 'b>,
) -> &'c mut Builder<'a, 'b> {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(fs::Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn with_default_permissions<'a, 'b, 'c>(
    builder: &'c mut Builder<'a, 'b>,
) -> &'c mut Builder<'a, 'b> {
    builder
}

/// Why a file was not replaced.
#[derive(Debug)]
pub enum ReplaceError {
    /// It is not as it was expected any more.
    Changed,
    /// It cannot be written.
    Io(io::Error),
}

impl From<io::Error> for ReplaceError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Replaces the file at `path`, unless another program has changed it meanwhile: `is_expected`
/// gets its content of at most `bytes_max` bytes, or none if there is no file.
pub fn replace_if(
    path: &Path,
    bytes_max: u64,
    is_expected: impl FnOnce(Option<&[u8]>) -> bool,
    bytes: &[u8],
) -> Result<(), ReplaceError> {
    let mut file = AtomicFile::create(path, Access::Inherit)?;
    file.write_all(bytes)?;
    // Looked at in the last moment before the rename.
    let found = match read_regular(&file.target, bytes_max) {
        Ok(found) => Some(found),
        Err(error) if error.is_not_found() => None,
        Err(ReadError::Io(error)) => return Err(error.into()),
        Err(_) => return Err(ReplaceError::Changed),
    };
    if is_expected(found.as_deref()) { Ok(file.finish()?) } else { Err(ReplaceError::Changed) }
}

/// Replaces the file at `path`, or creates it.
pub fn replace(path: &Path, bytes: &[u8], access: Access) -> io::Result<()> {
    let mut file = AtomicFile::create(path, access)?;
    file.write_all(bytes)?;
    file.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).expect("a directory");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let mut names: Vec<_> = names.map(|name| name.to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn what_was_saved_meanwhile_is_not_overwritten() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("file");
        let replace = |expected: Option<&[u8]>| {
            let written = replace_if(&path, 100, |found| found == expected, b"new");
            (written.is_ok(), fs::read(&path).ok())
        };
        assert_eq!(replace(Some(b"old")), (false, None));
        assert_eq!(replace(None), (true, Some(b"new".to_vec())));
        fs::write(&path, "saved").expect("a file");
        assert_eq!(replace(None), (false, Some(b"saved".to_vec())));
        assert_eq!(replace(Some(b"save")), (false, Some(b"saved".to_vec())));
        fs::write(&path, "saved".repeat(100)).expect("a file");
        assert!(!replace(Some(b"saved")).0);
        fs::write(&path, "old").expect("a file");
        assert_eq!(replace(Some(b"old")), (true, Some(b"new".to_vec())));
        assert_eq!(names(directory.path()), ["file"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_private_file_replaces_a_link_to_a_device_and_not_the_device() {
        use rustix::fs::{CWD, FileType, Mode, mknodat};
        let directory = tempfile::tempdir().expect("a directory");
        let (pipe, link) = (directory.path().join("pipe"), directory.path().join("link"));
        mknodat(CWD, &pipe, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a pipe");
        std::os::unix::fs::symlink(&pipe, &link).expect("a link");
        replace(&link, b"own\n", Access::Private).expect("it is replaced");
        assert!(is_device(&pipe), "the pipe is still there");
        let written = fs::symlink_metadata(&link).expect("a file");
        assert!(written.is_file(), "the link became a file");
    }

    #[cfg(unix)]
    #[test]
    fn a_private_file_replaces_a_pipe() {
        use rustix::fs::{CWD, FileType, Mode, mknodat};
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("file");
        mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a pipe");
        replace(&path, b"new", Access::Private).expect("a file");
        assert_eq!(fs::read(&path).expect("a file"), b"new");
    }

    #[cfg(unix)]
    #[test]
    fn what_a_killed_process_left_is_removed() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = |name: &str| directory.path().join(name);
        for name in [".dibber-abc123.tmp", ".dibber-notes.txt", ".dibber-a b.tmp"] {
            fs::write(path(name), "").expect("a file");
        }
        let mut written = AtomicFile::create(&path("other"), Access::Inherit).expect("a file");
        let before = names(directory.path());
        assert_eq!(before.len(), 3, "{before:?}");
        replace(&path("file"), b"new", Access::Inherit).expect("a file");
        assert_eq!(names(directory.path()).len(), 4, "the one being written stays");
        written.write_all(b"other").expect("a file");
        written.finish().expect("a file");
        let after = names(directory.path());
        assert_eq!(after, [".dibber-a b.tmp", ".dibber-notes.txt", "file", "other"]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_attributes_of_a_file_are_kept() {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};

        use rustix::fs::{XattrFlags, getxattr, setxattr};

        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("file");
        fs::write(&path, "old").expect("a file");
        // Only an administrator can do so; for others, the file is their own.
        let _ = chown(&path, Some(1234), Some(1234));
        let own = fs::metadata(&path).expect("a file");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o4750)).expect("a mode");
        let has_attributes = setxattr(&path, "user.note", b"kept", XattrFlags::empty()).is_ok();
        replace(&path, b"new", Access::Inherit).expect("a file");
        let new = fs::metadata(&path).expect("a file");
        assert_eq!((new.uid(), new.gid()), (own.uid(), own.gid()));
        assert_eq!(new.mode() & 0o7777, 0o4750);
        let mut value = [0; 8];
        let length = getxattr(&path, "user.note", value.as_mut_slice()).unwrap_or_default();
        assert_eq!(&value[..length], if has_attributes { &b"kept"[..] } else { b"" });
    }
}
