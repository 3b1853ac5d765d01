//! Writing files whole: beside their target first, then renamed over it.
//!
//! A reader, and a program that is killed halfway, sees the old file or the new one.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

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
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let directory = match target.parent() {
            Some(directory) if !directory.as_os_str().is_empty() => directory,
            _ => Path::new("."),
        };
        fs::metadata(directory)?;
        if fs::metadata(&target).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir()) {
            let device = File::options().write(true).open(&target)?;
            return Ok(Self { target, output: Output::Device(device), access });
        }
        let mut builder = Builder::new();
        let builder = builder.prefix(".dibber-");
        let keeps_own = target.exists() || access == Access::Private;
        let builder = if keeps_own { builder } else { with_default_permissions(builder) };
        // The whole error names the temporary file, which means nothing to a user.
        let temporary = builder.tempfile_in(directory);
        let temporary = temporary.map_err(|error| io::Error::from(error.kind()))?;
        Ok(Self { target, output: Output::Temporary(temporary), access })
    }

    /// The path that it takes, with symbolic links followed.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Puts it in its place, with the permissions of the file that it replaces.
    pub fn finish(self) -> io::Result<()> {
        let Output::Temporary(temporary) = self.output else { return Ok(()) };
        let file = temporary.as_file();
        if self.access == Access::Inherit
            && let Ok(metadata) = fs::metadata(&self.target)
        {
            file.set_permissions(metadata.permissions())?;
        }
        file.sync_all()?;
        temporary.persist(&self.target)?;
        Ok(())
    }
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

/// Replaces the file at `path`, or creates it.
pub fn replace(path: &Path, bytes: &[u8], access: Access) -> io::Result<()> {
    let mut file = AtomicFile::create(path, access)?;
    file.write_all(bytes)?;
    file.finish()
}
