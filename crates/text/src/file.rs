//! Safe opening and reading of untrusted files.
//!
//! A project comes from elsewhere, so a file that is found by its name may be an endless pipe, a
//! link to a device, or larger than the memory. Such a file is opened with [`open_regular`] and
//! read with [`read_regular`], which refuse everything but a regular file of a limited size. One
//! that is shown or written, too, must not be a link out of the project ([`read_inside`]). A file
//! that the user names on the command line may be a pipe on purpose, as in
//! `--input-file <(jq …)`; only its size is limited, by [`read_argument`].

use std::fmt;
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::Path;

/// The number of bytes of a mebibyte.
const MEBIBYTE: u64 = 1 << 20;
/// The paths of descriptors that a shell has opened for the program, as for `<(…)`.
const DESCRIPTORS: [&str; 3] = ["/dev/fd", "/dev/stdin", "/proc/self/fd"];

/// Why a file cannot be opened or read.
#[derive(Debug)]
pub enum ReadError {
    /// It is a directory.
    IsDirectory,
    /// It is a pipe, a socket or a device.
    NotRegular,
    /// It is a symbolic link that leads out of the project.
    LinkOutside,
    /// It has more than this many bytes.
    TooLarge(u64),
    /// The operating system reports an error.
    Io(io::Error),
}

impl ReadError {
    /// Returns `true` if there is no file at the path.
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::Io(error) if error.kind() == io::ErrorKind::NotFound)
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::IsDirectory => f.write_str("is a directory, not a regular file"),
            Self::NotRegular => f.write_str("is a pipe, a socket or a device, not a regular file"),
            Self::LinkOutside => f.write_str("is a symbolic link to a file outside the project"),
            Self::TooLarge(max) if max % MEBIBYTE == 0 => {
                write!(f, "is larger than {} MiB", max / MEBIBYTE)
            }
            Self::TooLarge(max) => write!(f, "is larger than {max} bytes"),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ReadError {}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<ReadError> for io::Error {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Io(error) => error,
            ReadError::IsDirectory => Self::new(io::ErrorKind::IsADirectory, error.to_string()),
            ReadError::LinkOutside => Self::new(io::ErrorKind::PermissionDenied, error.to_string()),
            ReadError::NotRegular => Self::new(io::ErrorKind::InvalidInput, error.to_string()),
            ReadError::TooLarge(_) => Self::new(io::ErrorKind::FileTooLarge, error.to_string()),
        }
    }
}

/// Opens the regular file at a path, or at the end of a symbolic link.
///
/// This never blocks. The path is checked first because opening a device may have an effect; the
/// open file is checked again because the path may be another file by then. Without `O_NONBLOCK`,
/// that other file could be a pipe, and opening one waits for a writer.
pub fn open_regular(path: &Path) -> Result<File, ReadError> {
    check_regular(&fs::metadata(path)?)?;
    open_listed(path)
}

/// Opens a file that its directory lists as a regular one. This never blocks.
pub fn open_listed(path: &Path) -> Result<File, ReadError> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits();
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, flags.cast_signed());
    }
    let file = options.open(path)?;
    check_regular(&file.metadata()?)?;
    Ok(file)
}

/// Returns an error if a path leads out of the directory `root` over a symbolic link, in whichever of
/// its parts: a project must not choose which other files of the machine are shown or changed. A
/// link that leads nowhere is not found.
pub fn check_inside(path: &Path, root: &Path) -> Result<(), ReadError> {
    let root = if root.as_os_str().is_empty() { Path::new(".") } else { root };
    let is_inside = fs::canonicalize(path)?.starts_with(fs::canonicalize(root)?);
    if is_inside { Ok(()) } else { Err(ReadError::LinkOutside) }
}

/// Reads a file of the project in the directory `root`: a regular file of at most `bytes_max` bytes,
/// or a link to one in the project. This never blocks.
pub fn read_inside(path: &Path, root: &Path, bytes_max: u64) -> Result<Vec<u8>, ReadError> {
    check_inside(path, root)?;
    read_regular(path, bytes_max)
}

/// Returns an error unless this is about a regular file.
pub(super) fn check_regular(metadata: &Metadata) -> Result<(), ReadError> {
    match metadata.file_type() {
        kind if kind.is_file() => Ok(()),
        kind if kind.is_dir() => Err(ReadError::IsDirectory),
        _ => Err(ReadError::NotRegular),
    }
}

/// Reads a regular file of at most `bytes_max` bytes. This never blocks.
pub fn read_regular(path: &Path, bytes_max: u64) -> Result<Vec<u8>, ReadError> {
    read_limited(open_regular(path)?, bytes_max)
}

/// Reads a file of at most `bytes_max` bytes that the user named: a regular file, or a pipe, which
/// is read to its end.
pub fn read_argument(path: &Path, bytes_max: u64) -> Result<Vec<u8>, ReadError> {
    read_limited(File::open(path)?, bytes_max)
}

/// Reads a file of the project that the user named, of at most `bytes_max` bytes: a regular file,
/// or the descriptor of a shell's `<(…)`.
pub fn read_regular_argument(path: &Path, bytes_max: u64) -> Result<Vec<u8>, ReadError> {
    if DESCRIPTORS.iter().any(|descriptor| path.starts_with(descriptor)) {
        return read_argument(path, bytes_max);
    }
    read_regular(path, bytes_max)
}

pub(super) fn read_limited(file: File, bytes_max: u64) -> Result<Vec<u8>, ReadError> {
    let size = file.metadata()?.len();
    if size > bytes_max {
        return Err(ReadError::TooLarge(bytes_max));
    }
    // With capacity for one more byte, the read that detects the end does not reallocate.
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default() + 1);
    // A file may grow while it is read, and a pipe has no size: one byte more shows that there
    // is too much.
    file.take(bytes_max + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > bytes_max {
        return Err(ReadError::TooLarge(bytes_max));
    }
    Ok(bytes)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_link_that_leads_out_is_found_in_every_part_of_a_path() {
        let place = tempfile::TempDir::new().expect("a directory");
        let project = place.path().join("project");
        let outside = place.path().join("outside");
        for directory in [&project, &outside] {
            fs::create_dir(directory).expect("a directory");
            fs::write(directory.join("a"), "").expect("a file");
        }
        symlink(&outside, project.join("out")).expect("a link");
        symlink(outside.join("a"), project.join("b")).expect("a link");
        symlink("a", project.join("c")).expect("a link");
        for name in ["a", "c"] {
            check_inside(&project.join(name), &project).expect("a file of the project");
        }
        for name in ["b", "out/a"] {
            let error = check_inside(&project.join(name), &project).expect_err("a link");
            assert!(matches!(error, ReadError::LinkOutside), "{name}: {error}");
        }
        let missing = check_inside(&project.join("d"), &project).expect_err("no file");
        assert!(missing.is_not_found());
    }
}
