//! The files that a run may read as blobs.

use std::path::{Path, PathBuf};

use crate::cli::error::CommandError;
use dibber_sandbox::MountedBlob;
use dibber_text::{file, message, quote, quote_path};

/// Returns the files, each by its name: a character that the id of a blob cannot have is `_` there.
pub(super) fn mounted(files: &[PathBuf]) -> Result<Vec<MountedBlob>, CommandError> {
    let mut blobs: Vec<MountedBlob> = Vec::new();
    for path in files {
        let opened = file::open_regular(path).map_err(|error| CommandError::read(path, error))?;
        drop(opened);
        let id = id(path).ok_or_else(|| {
            CommandError::new(message![quote_path(path), " has no name"]).help("name a file")
        })?;
        if blobs.iter().any(|blob| blob.id == id) {
            let message = message!["two files of `--blob` have the name `", quote(&id), "`"];
            return Err(CommandError::new(message).help("rename one of them"));
        }
        // The sandbox follows no links.
        let path = path.canonicalize().map_err(|error| {
            CommandError::io(message!["cannot resolve ", quote_path(path)], error)
        })?;
        blobs.push(MountedBlob { id, file: path });
    }
    Ok(blobs)
}

fn id(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_string_lossy();
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let id: String = name.chars().map(|c| if is_allowed(c) { c } else { '_' }).collect();
    Some(match id.strip_prefix('.') {
        Some(rest) => format!("_{rest}"),
        None => id,
    })
}
