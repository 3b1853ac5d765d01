//! From the files of a directory to a [`ProtocolSkill`].

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use dibber_skill::protocol::{
    self, PROTOCOL_BYTES_MAX, ProtocolKind, ProtocolManifest, ProtocolProblem, Version,
};
use dibber_skill::skill::{
    Bundle, FRONTMATTER_BYTES_MAX, PROTOCOL_FILE_NAME, SKILL_FILE_NAME, SKILL_FILE_NAMES, Skill,
    name,
};
use dibber_text::Source;

use super::error::{LoadError, LoadErrorKind};
use super::protocol_skill::{ProtocolSkill, SkillSource};
use dibber_text::folder::{FileError, Folder, read_beginning, read_whole};

/// The most bytes of a `SKILL.md` that are read for its frontmatter, which has lines around it.
const BEGINNING_BYTES: u64 = FRONTMATTER_BYTES_MAX as u64 + 1024;

/// The label of a skill that is in no root.
const NO_LABEL: &str = "local";

impl ProtocolSkill {
    /// Reads the skill in a directory.
    pub fn load(directory: &Path) -> Result<Self, LoadError> {
        load(directory, NO_LABEL)
    }
}

fn load(directory: &Path, label: &str) -> Result<ProtocolSkill, LoadError> {
    let error = |kind| LoadError { directory: directory.to_owned(), kind };
    let real = fs::canonicalize(directory)
        .map_err(|found| error(LoadErrorKind::Directory(FileError::from(found))))?;
    let folder = Folder::open(&real).map_err(|found| error(LoadErrorKind::Directory(found)))?;
    match folder.open_file(PROTOCOL_FILE_NAME) {
        Ok(file) => {
            let loaded = read_manifest(file).and_then(|source| load_protocol(real, source));
            return loaded.map(|(skill, _)| skill).map_err(error);
        }
        Err(FileError::NotFound) => {}
        Err(found) => return Err(error(LoadErrorKind::File(PROTOCOL_FILE_NAME, found))),
    }
    for name in SKILL_FILE_NAMES {
        match folder.open_file(name) {
            Ok(file) => return load_instructions(real, file, label).map_err(error),
            Err(FileError::NotFound) => {}
            Err(found) => return Err(error(LoadErrorKind::File(SKILL_FILE_NAME, found))),
        }
    }
    Err(error(LoadErrorKind::NoSkill))
}

/// Reads a `skill.toml`.
pub(crate) fn read_manifest(file: File) -> Result<Source, LoadErrorKind> {
    let bytes = read_whole(file, PROTOCOL_BYTES_MAX as u64)
        .map_err(|error| LoadErrorKind::File(PROTOCOL_FILE_NAME, error))?;
    Ok(Source::from_bytes(PROTOCOL_FILE_NAME, bytes))
}

/// Returns the skill of a `skill.toml`, with the keys of it that are unknown.
pub(crate) fn load_protocol(
    directory: PathBuf,
    source: Source,
) -> Result<(ProtocolSkill, Vec<ProtocolProblem>), LoadErrorKind> {
    let (manifest, unknown) = match manifest_of(&source) {
        Ok(parsed) => parsed,
        Err(problems) => {
            return Err(LoadErrorKind::Manifest { source: Box::new(source), problems });
        }
    };
    let text = Some(Box::from(source.text()));
    let place = SkillSource::Directory { path: directory, manifest: text };
    match ProtocolSkill::from_manifest(manifest, place) {
        Some(skill) => Ok((skill, unknown)),
        None => Err(LoadErrorKind::Manifest { source: Box::new(source), problems: unknown }),
    }
}

/// Parses a manifest; returns it with its unknown keys, or all its problems if others are among them.
pub(crate) fn manifest_of(
    source: &Source,
) -> Result<(ProtocolManifest, Vec<ProtocolProblem>), Vec<ProtocolProblem>> {
    let (manifest, problems) = protocol::parse(source);
    if problems.iter().all(ProtocolProblem::is_harmless) {
        return Ok((manifest, problems));
    }
    Err(problems.into_iter().filter(|found| !found.is_harmless()).collect())
}

/// Reads a skill that has only its `SKILL.md`, as instructions.
pub(crate) fn load_instructions(
    directory: PathBuf,
    file: File,
    label: &str,
) -> Result<ProtocolSkill, LoadErrorKind> {
    let mut bytes = read_beginning(file, BEGINNING_BYTES)
        .map_err(|error| LoadErrorKind::File(SKILL_FILE_NAME, error))?;
    cut_at_character(&mut bytes);
    let source = Source::from_bytes(SKILL_FILE_NAME, bytes);
    let skill = Skill::parse(Bundle::of_text("", None), source, Vec::new());
    let field = |key| skill.string_field(key).map(|(text, _)| text.trim());
    let name = match field("name") {
        Some(name) if name::is_valid(name) => name::normalized(name).into_owned(),
        other => return Err(LoadErrorKind::Name(other.map(str::to_owned))),
    };
    let description = match field("description") {
        Some(description) if !description.is_empty() => description.to_owned(),
        _ => return Err(LoadErrorKind::Description),
    };
    Ok(ProtocolSkill {
        name,
        version: Version::new(0, 0, 0),
        kind: ProtocolKind::Instruction,
        namespace: label.to_owned(),
        description,
        manifest: ProtocolManifest::default(),
        source: SkillSource::Directory { path: directory, manifest: None },
    })
}

/// Removes the first bytes of a character whose last bytes were not read.
fn cut_at_character(bytes: &mut Vec<u8>) {
    if let Err(error) = str::from_utf8(bytes)
        && error.error_len().is_none()
    {
        bytes.truncate(error.valid_up_to());
    }
}
