//! What is in the place of the archive.

use std::fs;
use std::path::Path;

use crate::cli::error::CommandError;
use crate::cli::output::Output;
use dibber_catalog::{Archive, ArchiveLimits, SkillContents};
use dibber_text::file::read_regular;
use dibber_text::{message, quote_path};

/// The most bytes of a file that may be an archive.
const ARCHIVE_BYTES_MAX: u64 = 256 << 20;

/// Returns an error if there is something that is no file, such as a pipe, on which writing would wait.
pub(super) fn check_regular(output: &Output) -> Result<(), CommandError> {
    let is_other = |file: &&Path| fs::metadata(file).is_ok_and(|metadata| !metadata.is_file());
    match output.file().filter(is_other) {
        Some(file) => Err(CommandError::new(message![quote_path(file), " is not a regular file"])),
        None => Ok(()),
    }
}

/// Returns an error if the file is something else than an older archive of the skill.
pub(super) fn check(output: &Output, contents: &SkillContents) -> Result<(), CommandError> {
    let Some(file) = output.file().filter(|file| file.is_file()) else { return Ok(()) };
    if file.is_symlink() {
        let error = CommandError::new(message![quote_path(file), " is a symbolic link"]);
        return Err(error.help("`--force` replaces what it leads to"));
    }
    let name = |contents: &SkillContents| {
        contents.describe().description.map(|description| description.name)
    };
    let packed = read_regular(file, ARCHIVE_BYTES_MAX).ok();
    let archive = packed.and_then(|bytes| Archive::read(&bytes, ArchiveLimits::ACCEPTED).ok());
    let older = archive.and_then(|archive| archive.skill(None).ok());
    if older.is_some_and(|older| name(&older) == name(contents)) {
        return Ok(());
    }
    let error = CommandError::new(message![
        quote_path(file),
        " is there, and is not an archive of this skill"
    ]);
    Err(error.help("write the archive elsewhere with `--output`; `--force` replaces the file"))
}
