//! The files of a commit.

use std::path::Path;

use super::command::run;
use crate::sources::offered::{SourceError, SourceErrorKind};
use dibber_text::message;

/// The most bytes of the list of files (64 MiB).
const LIST_BYTES_MAX: u64 = 64 << 20;

/// A file of a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TreeEntry {
    pub(super) path: String,
    pub(super) kind: TreeEntryKind,
    pub(super) hash: String,
    pub(super) size: u64,
}

/// What a commit has at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TreeEntryKind {
    File { is_executable: bool },
    Link,
    Submodule,
}

/// Lists the files of a commit, sorted by path.
pub(super) fn list(repository: &Path, commit: &str) -> Result<Vec<TreeEntry>, SourceError> {
    let arguments = ["ls-tree", "-r", "-z", "-l", "--full-tree", commit];
    let listed = run(repository, &arguments, &[], LIST_BYTES_MAX)?;
    let records = listed.split(|byte| *byte == 0).filter(|record| !record.is_empty());
    let mut entries: Vec<_> = records.filter_map(entry).collect();
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(entries)
}

/// Parses `MODE TYPE HASH SIZE\tPATH`. A path that is not UTF-8 is read as it is shown.
fn entry(record: &[u8]) -> Option<TreeEntry> {
    let tab = record.iter().position(|byte| *byte == b'\t')?;
    let head = std::str::from_utf8(&record[..tab]).ok()?;
    let path = String::from_utf8_lossy(&record[tab + 1..]).into_owned();
    let mut words = head.split_ascii_whitespace();
    let (mode, _, hash, size) = (words.next()?, words.next()?, words.next()?, words.next()?);
    let kind = match mode {
        "120000" => TreeEntryKind::Link,
        "160000" => TreeEntryKind::Submodule,
        _ => TreeEntryKind::File { is_executable: mode == "100755" },
    };
    let is_hash = hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    let size = size.parse().unwrap_or_default();
    is_hash.then(|| TreeEntry { path, kind, hash: hash.to_owned(), size })
}

/// Reads files of a commit, as they are stored: no filter and no program takes part.
pub(super) fn read(
    repository: &Path,
    entries: &[&TreeEntry],
    bytes_max: u64,
) -> Result<Vec<Vec<u8>>, SourceError> {
    let size: u64 = entries.iter().map(|entry| entry.size).sum();
    if size > bytes_max {
        let message = message!["it has more than ", bytes_max >> 20, " MiB"];
        return Err(SourceError::new(SourceErrorKind::Refused, message));
    }
    let input: String = entries.iter().flat_map(|entry| [&entry.hash, "\n"]).collect();
    // Each is preceded by a line with its hash, its type and its size.
    let output_max = size + entries.len() as u64 * 128;
    let output = run(repository, &["cat-file", "--batch"], input.as_bytes(), output_max)?;
    let broken = || SourceError::new(SourceErrorKind::Failed, "git has left out a file");
    let (mut rest, mut files) = (output.as_slice(), Vec::with_capacity(entries.len()));
    for entry in entries {
        let end = rest.iter().position(|byte| *byte == b'\n').ok_or_else(broken)?;
        let head = std::str::from_utf8(&rest[..end]).map_err(|_| broken())?;
        if head != format!("{} blob {}", entry.hash, entry.size) {
            return Err(broken());
        }
        let size = usize::try_from(entry.size).map_err(|_| broken())?;
        let bytes = rest.get(end + 1..end + 1 + size).ok_or_else(broken)?;
        files.push(bytes.to_vec());
        rest = rest.get(end + 2 + size..).ok_or_else(broken)?;
    }
    Ok(files)
}
