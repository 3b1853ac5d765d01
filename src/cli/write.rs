//! Writing files whole: beside their target first, then renamed over it.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use super::error::CommandError;
use dibber_text::escape_line;

/// A file that appears under its name only when it is finished.
pub(super) struct NewFile {
    target: PathBuf,
    kind: Kind,
    access: Access,
}

/// Who may read a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    /// Whoever may read the one in its place; a new one, whom the umask lets.
    AsUsual,
    /// Its owner alone.
    Private,
}

enum Kind {
    /// A file beside its target, which will take its name.
    Beside(NamedTempFile),
    /// A device or a pipe, which nothing may replace.
    Device(File),
}

impl NewFile {
    /// Begins a file that will stand at `path`; a link there is followed.
    pub(super) fn create(path: &Path) -> Result<Self, CommandError> {
        Self::try_create(path, Access::AsUsual).map_err(|error| cannot_write(path, error))
    }

    fn try_create(path: &Path, access: Access) -> io::Result<Self> {
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let folder = match target.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        fs::metadata(folder)?;
        if fs::metadata(&target).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir()) {
            let device = File::options().write(true).open(&target)?;
            return Ok(Self { target, kind: Kind::Device(device), access });
        }
        // The whole error names the temporary file, of which nobody has heard.
        let mut builder = Builder::new();
        let builder = builder.prefix(".dibber-");
        let keeps_own = target.exists() || access == Access::Private;
        let builder = if keeps_own { builder } else { with_default_permissions(builder) };
        let temporary = builder.tempfile_in(folder);
        let temporary = temporary.map_err(|error| io::Error::from(error.kind()))?;
        Ok(Self { target, kind: Kind::Beside(temporary), access })
    }

    /// Adds bytes to it.
    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), CommandError> {
        let written = match &mut self.kind {
            Kind::Beside(temporary) => temporary.write_all(bytes),
            Kind::Device(device) => device.write_all(bytes),
        };
        written.map_err(|error| cannot_write(&self.target, error))
    }

    /// Puts it in its place, with the permissions of the file that was there.
    pub(super) fn finish(self) -> Result<(), CommandError> {
        let target = self.target.clone();
        self.try_finish().map_err(|error| cannot_write(&target, error))
    }

    fn try_finish(self) -> io::Result<()> {
        let Kind::Beside(temporary) = self.kind else { return Ok(()) };
        let file = temporary.as_file();
        if self.access == Access::AsUsual
            && let Ok(metadata) = fs::metadata(&self.target)
        {
            file.set_permissions(metadata.permissions())?;
        }
        file.sync_all()?;
        temporary.persist(&self.target)?;
        Ok(())
    }
}

/// Temporary files are readable by their owner alone. A report is an ordinary file, which the
/// umask of whoever asked for it decides on.
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

/// Writes a whole file in place of the one that may be there.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> Result<(), CommandError> {
    let mut file = NewFile::create(path)?;
    file.write(bytes)?;
    file.finish()
}

/// Writes a whole file that only its owner may read, whoever could read the one in its place.
pub(super) fn replace_private(path: &Path, bytes: &[u8]) -> Result<(), CommandError> {
    let file = NewFile::try_create(path, Access::Private);
    let mut file = file.map_err(|error| cannot_write(path, error))?;
    file.write(bytes)?;
    file.finish()
}

fn cannot_write(path: &Path, error: io::Error) -> CommandError {
    // The path may come from a tree that somebody else has made.
    let path = path.to_string_lossy();
    CommandError::io(format_args!("cannot write {}", escape_line(&path)), error)
}
