//! `read_skill_file`.

use dibber_skill::contract::skills_protocol::{
    EncodedContent, ReadSkillFile, RpcError, RpcReason, SkillFile,
};
use dibber_skill::skill::SKILL_FILE_NAME;
use dibber_text::folder::{FileError, Folder, FolderEntry, check_path, read_whole};
use dibber_text::{Message, closest_match, message, quote, quote_display};

use super::index::Index;
use crate::refusal::{failed, refused};
use crate::skill::{ProtocolSkill, SkillSource};

/// The most bytes of a file that are returned (1 MiB).
pub const SKILL_FILE_BYTES_MAX: u64 = 1 << 20;

/// The most entries of a directory that help names.
const ENTRIES_SHOWN_MAX: usize = 20;

/// The most entries of a directory among which a similar name is looked for.
const ENTRIES_COMPARED_MAX: usize = 500;

impl Index {
    /// Reads a file of a skill.
    pub fn read_file(&self, call: &ReadSkillFile) -> Result<SkillFile, RpcError> {
        let skill = self.find(&call.name, call.version.as_deref())?;
        check_path(&call.path)
            .map_err(|(message, help)| refused(RpcReason::InvalidPath, message, help))?;
        let bytes = match skill.source() {
            SkillSource::BuiltIn(files) => read_built_in(files, &call.path)?,
            SkillSource::Directory { .. } => read_from_directory(&skill, &call.path)?,
        };
        let size_bytes = Some(bytes.len() as u64);
        let EncodedContent { content, encoding } = EncodedContent::from_bytes(bytes);
        Ok(SkillFile {
            name: skill.name.clone(),
            version: Some(skill.version.to_string()),
            path: call.path.clone(),
            content,
            encoding,
            size_bytes,
            warnings: Vec::new(),
        })
    }
}

fn read_built_in(files: &[(&str, &str)], path: &str) -> Result<Vec<u8>, RpcError> {
    let found = files.iter().find(|(name, _)| *name == path);
    found.map(|(_, text)| text.as_bytes().to_vec()).ok_or_else(|| {
        let names: Vec<_> = files.iter().map(|(name, _)| (*name).to_owned()).collect();
        not_found(path, "", &names)
    })
}

fn read_from_directory(skill: &ProtocolSkill, path: &str) -> Result<Vec<u8>, RpcError> {
    let folder = open_folder(skill)?;
    let read = folder.open_file(path).and_then(|file| read_whole(file, SKILL_FILE_BYTES_MAX));
    read.map_err(|error| match error {
        FileError::NotFound | FileError::NotADirectory => {
            let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
            not_found(path, directory, &names_in(&folder, directory, ENTRIES_COMPARED_MAX))
        }
        FileError::Directory => is_directory(&folder, path),
        FileError::TooLarge(_) => too_large(skill, path),
        FileError::Link | FileError::Special => {
            let message = message!["`", quote(path), "` ", quote_display(error)];
            refused(RpcReason::InvalidPath, message, "read a regular file of the skill")
        }
        FileError::Io(_) => changed_error(skill, &error),
    })
}

/// Opens the directory of a skill, which may have changed since the skill was found.
pub(super) fn open_folder(skill: &ProtocolSkill) -> Result<Folder, RpcError> {
    let directory = skill.directory().ok_or(FileError::NotFound);
    directory.and_then(Folder::open).map_err(|error| changed_error(skill, &error))
}

/// Returns the error of a skill whose files are not there any more, or cannot be read.
pub(super) fn changed_error(skill: &ProtocolSkill, error: &FileError) -> RpcError {
    let (name, version) = (quote(&skill.name), skill.version.to_string());
    if let FileError::Io(_) = error {
        let message = message!["a file of the skill `", name, "` ", quote_display(error)];
        let help = "try again; if it fails again, the owner of the server can look at its log";
        return failed(message, help);
    }
    let message = message!["the skill `", name, "` ", quote(&version), " has just been removed"];
    refused(RpcReason::SkillNotFound, message, "call `list_skills` for the skills that there are")
}

/// Returns the error of a file that is larger than what is read.
pub(super) fn too_large(skill: &ProtocolSkill, path: &str) -> RpcError {
    let message = message!["`", quote(path), "` is larger than 1 MiB"];
    let help = if path.eq_ignore_ascii_case(SKILL_FILE_NAME) {
        message!["call `describe_skill` with the detail `manifest`"]
    } else {
        message![
            "mount the skill `",
            quote(&skill.name),
            "` with `run_code`, and read the part of the file that you need"
        ]
    };
    refused(RpcReason::FileTooLarge, message, help)
}

/// Returns the names in a directory; a directory ends in a `/`. None of too many.
fn names_in(folder: &Folder, directory: &str, entries_max: usize) -> Vec<String> {
    let entries = folder.entries(directory, entries_max).ok().flatten().unwrap_or_default();
    let name = |entry: FolderEntry| {
        let is_directory = entry.is_directory();
        let name = entry.name.into_string().ok()?;
        Some(if is_directory { name + "/" } else { name })
    };
    let mut names: Vec<_> = entries.into_iter().filter_map(name).collect();
    names.sort_unstable();
    names
}

fn is_directory(folder: &Folder, path: &str) -> RpcError {
    let names = names_in(folder, path, ENTRIES_SHOWN_MAX);
    let help = if names.is_empty() {
        "write the path of a file in it".into()
    } else {
        let names = names.iter().map(|name| quote(name));
        message!["read one of `", Message::join(names, "`, `"), "` in it"]
    };
    let message = message!["`", quote(path), "` is a directory"];
    refused(RpcReason::FileNotFound, message, help)
}

/// Returns the error of a file that is not among the names in its directory.
fn not_found(path: &str, directory: &str, names: &[String]) -> RpcError {
    let prefix = if directory.is_empty() { String::new() } else { format!("{directory}/") };
    let name = path.strip_prefix(&prefix).unwrap_or(path);
    let known = || names.iter().map(String::as_str);
    let same_letters = known().find(|known| known.eq_ignore_ascii_case(name));
    let help = match same_letters.or_else(|| closest_match(name, known())) {
        Some(meant) => message!["did you mean `", quote(&format!("{prefix}{meant}")), "`?"],
        None if names.is_empty() || names.len() > ENTRIES_SHOWN_MAX => {
            "`SKILL.md` names the files of the skill".into()
        }
        None => {
            let shown = Message::join(names.iter().map(|name| quote(name)), "`, `");
            if directory.is_empty() {
                message!["the skill has `", shown, "`"]
            } else {
                message!["`", quote(directory), "` has `", shown, "`"]
            }
        }
    };
    let message = message!["there is no file `", quote(path), "` in the skill"];
    refused(RpcReason::FileNotFound, message, help)
}
