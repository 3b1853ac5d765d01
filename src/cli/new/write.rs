//! Writes the folder of a new skill: a temporary one next to it, which is then renamed.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use tempfile::{Builder, TempDir};

use crate::cli::error::CommandError;
use crate::cli::term::interrupt::Interrupt;
use dibber_skill::discover::shown_path;
use dibber_skill::scaffold::{Plan, PlannedFile};
use dibber_text::{message, quote_in_full, quote_path};

/// Returns an error if the path of the new folder exists already.
pub(super) fn check_free(into: &Path, name: &str) -> Option<CommandError> {
    let target = into.join(name);
    // An invalid name may lead to any directory.
    let is_one_part =
        !name.is_empty() && !name.contains(['/', '\\']) && name != "." && name != "..";
    if !is_one_part || fs::symlink_metadata(&target).is_err() {
        return None;
    }
    let path = shown_path(&target);
    let shown = quote_in_full(&path);
    let error = CommandError::new(message![shown, " already exists"]);
    Some(error.help("choose another name, or another folder with `--into`"))
}

/// Returns an error if the folder to write into does not exist, or is not a folder.
pub(super) fn check_parent(into: &Path) -> Option<CommandError> {
    if into.is_dir() {
        return None;
    }
    let exists = fs::symlink_metadata(into).is_ok();
    let (problem, help) = if exists {
        (" is not a folder", "name another folder with `--into`")
    } else {
        (" does not exist", "create the folder, or name another one with `--into`")
    };
    Some(CommandError::new(message![quote_path(into), problem]).help(help))
}

/// Writes the files and returns the path of the new folder as it is shown.
pub(super) fn write(
    into: &Path,
    plan: &Plan,
    interrupt: &Interrupt,
) -> Result<String, CommandError> {
    if let Some(error) = check_free(into, &plan.directory) {
        return Err(error);
    }
    let target = into.join(&plan.directory);
    let shown = shown_path(&target);
    let guard = interrupt.hold();
    let written = try_write(into, &target, &plan.files, interrupt);
    drop(guard);
    match written {
        Ok(()) => Ok(shown),
        Err(error) if error.kind() == io::ErrorKind::Interrupted => {
            Err(CommandError::interrupted())
        }
        Err(error) => Err(check_free(into, &plan.directory).unwrap_or_else(|| {
            let doing = message!["cannot create ", quote_in_full(&shown)];
            CommandError::io(doing, error)
        })),
    }
}

/// Writes into a temporary folder, which is removed on an error, and renames it at the end.
fn try_write(
    into: &Path,
    target: &Path,
    files: &[PlannedFile],
    interrupt: &Interrupt,
) -> io::Result<()> {
    let folder = new_folder(into)?;
    for file in files {
        if interrupt.is_requested() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        write_file(folder.path(), file)?;
    }
    fs::rename(folder.path(), target)?;
    // It has its final name now and must not be removed.
    let _ = folder.keep();
    Ok(())
}

/// Creates the temporary folder. Such folders are for their owner alone by default, but a skill
/// gets the permissions that the umask allows.
fn new_folder(into: &Path) -> io::Result<TempDir> {
    let mut builder = Builder::new();
    builder.prefix(".dibber-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o777));
    }
    // The whole error would name the temporary folder, which means nothing to the user.
    builder.tempdir_in(into).map_err(|error| error.kind().into())
}

fn write_file(folder: &Path, planned: &PlannedFile) -> io::Result<()> {
    let path = folder.join(&planned.path);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if planned.is_executable {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o777);
    }
    let mut file = options.open(path)?;
    file.write_all(planned.text.as_bytes())?;
    file.sync_all()
}
