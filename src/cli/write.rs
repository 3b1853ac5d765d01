//! Writing files whole: beside their target first, then renamed over it.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

use super::CommandError;

/// A file that appears under its name only when it is finished.
pub(super) struct NewFile {
    temporary: NamedTempFile,
    target: std::path::PathBuf,
}

impl NewFile {
    /// Begins a file that will stand at `path`; a link there is followed.
    pub(super) fn create(path: &Path) -> Result<Self, CommandError> {
        Self::try_create(path).map_err(|error| cannot_write(path, error))
    }

    fn try_create(path: &Path) -> io::Result<Self> {
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let folder = match target.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        fs::metadata(folder)?;
        // The whole error names the temporary file, of which nobody has heard.
        let temporary = Builder::new().prefix(".dibber-").tempfile_in(folder);
        let temporary = temporary.map_err(|error| io::Error::from(error.kind()))?;
        Ok(Self { temporary, target })
    }

    /// Adds bytes to it.
    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), CommandError> {
        self.temporary.write_all(bytes).map_err(|error| cannot_write(&self.target, error))
    }

    /// Puts it in its place, with the permissions of the file that was there.
    pub(super) fn finish(self) -> Result<(), CommandError> {
        let target = self.target.clone();
        self.try_finish().map_err(|error| cannot_write(&target, error))
    }

    fn try_finish(self) -> io::Result<()> {
        let file = self.temporary.as_file();
        match fs::metadata(&self.target) {
            Ok(metadata) => file.set_permissions(metadata.permissions())?,
            Err(_) => make_readable(file)?,
        }
        file.sync_all()?;
        self.temporary.persist(&self.target)?;
        Ok(())
    }
}

/// Temporary files are readable by their owner alone; a report is an ordinary file.
#[cfg(unix)]
fn make_readable(file: &fs::File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn make_readable(_file: &fs::File) -> io::Result<()> {
    Ok(())
}

/// Writes a whole file in place of the one that may be there.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> Result<(), CommandError> {
    let mut file = NewFile::create(path)?;
    file.write(bytes)?;
    file.finish()
}

fn cannot_write(path: &Path, error: io::Error) -> CommandError {
    CommandError::io(format_args!("cannot write {}", path.display()), error)
}
