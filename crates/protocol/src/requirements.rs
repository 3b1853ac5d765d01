//! The packages that a skill needs, which are never installed.

use crate::skill::ProtocolSkill;
use dibber_skill::protocol::{REQUIREMENTS_FILES, first_package};
use dibber_text::folder::{FileError, Folder, read_whole};

/// The most bytes of the names of packages that are read (64 KiB).
const BYTES_MAX: u64 = 64 << 10;

/// Returns the path of a file that names packages. One that cannot be read may name some.
pub(crate) fn requirements_file(skill: &ProtocolSkill) -> Option<&'static str> {
    let folder = Folder::open(skill.directory()?).ok()?;
    REQUIREMENTS_FILES.into_iter().find(|path| {
        match folder.open_file(path).and_then(|file| read_whole(file, BYTES_MAX)) {
            Ok(text) => first_package(&text).is_some(),
            Err(FileError::NotFound | FileError::NotADirectory) => false,
            Err(_) => true,
        }
    })
}
