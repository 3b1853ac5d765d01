//! Checking the directory of a site as a client would check the site.

use std::path::Path;

use dibber_text::folder::{FileError, Folder, read_whole};
use dibber_text::{Message, message, quote_display, quote_in_full};

use super::artifact::IndexEntry;
use super::artifact_check::{FetchedFile, check_artifact};
use super::index_problem::IndexProblem;
use super::read_index::{ReadIndex, read_index};
use super::site::{INDEX_PATH, INDEX_PATH_OLD};
use crate::contents::ContentsLimits;

/// The most bytes of an index (4 MiB).
const INDEX_BYTES_MAX: u64 = 4 << 20;

/// The index of a directory, with what each skill of it is.
#[derive(Debug)]
pub struct LocalCheck {
    /// The path of the index from the top of the site.
    pub index_path: &'static str,
    /// What it says.
    pub index: ReadIndex,
    /// What is found of each skill; an error if its file cannot be read.
    pub skills: Vec<Result<Vec<IndexProblem>, Message>>,
}

/// Checks the site in a directory.
///
/// # Errors
/// If there is no index that can be used.
pub fn check_directory(directory: &Path) -> Result<LocalCheck, Message> {
    let real = directory.canonicalize().map_err(FileError::from);
    let folder = real.and_then(|real| Folder::open(&real)).map_err(quote_display)?;
    let (index_path, bytes) = find_index(&folder)?;
    let index = read_index(&bytes)?;
    let skills = index.entries.iter().map(|entry| check(&folder, index_path, entry)).collect();
    Ok(LocalCheck { index_path, index, skills })
}

fn find_index(folder: &Folder) -> Result<(&'static str, Vec<u8>), Message> {
    for path in [INDEX_PATH, INDEX_PATH_OLD] {
        let read = folder.open_file(path).and_then(|file| read_whole(file, INDEX_BYTES_MAX));
        match read {
            Ok(bytes) => return Ok((path, bytes)),
            Err(FileError::NotFound | FileError::NotADirectory) => {}
            Err(error) => return Err(message!["`", path, "` ", quote_display(error)]),
        }
    }
    Err(message!["there is no `", INDEX_PATH, "`"])
}

fn check(
    folder: &Folder,
    index_path: &str,
    entry: &IndexEntry,
) -> Result<Vec<IndexProblem>, Message> {
    let mut bytes_left = ContentsLimits::ACCEPTED.bytes_max;
    let mut fetched = Vec::new();
    for (url, path) in entry.artifact.parts() {
        let local = local_path(index_path, &url);
        let local = local
            .ok_or_else(|| message!["`", quote_in_full(&url), "` is not a path of this site"])?;
        let read = folder.open_file(&local).and_then(|file| read_whole(file, bytes_left));
        let bytes =
            read.map_err(|error| message!["`", quote_in_full(&local), "` ", quote_display(error)])?;
        bytes_left -= bytes.len() as u64;
        fetched.push(FetchedFile { path, content_type: None, bytes });
    }
    Ok(check_artifact(entry, &fetched).problems)
}

/// Returns the path from the top of the site that a URL in its index means, if it is one of the same site.
fn local_path(index_path: &str, url: &str) -> Option<String> {
    let url = url.split(['?', '#']).next().unwrap_or_default();
    let is_elsewhere = url.starts_with("//") || url.split('/').next()?.contains(':');
    if is_elsewhere {
        return None;
    }
    let mut names: Vec<String> = Vec::new();
    let rest = if let Some(rest) = url.strip_prefix('/') {
        rest
    } else {
        names.extend(index_path.rsplit_once('/')?.0.split('/').map(str::to_owned));
        url
    };
    for name in rest.split('/') {
        match name {
            "." => {}
            ".." => drop(names.pop()),
            name => names.push(decoded(name)?),
        }
    }
    Some(names.join("/"))
}

/// Returns a part of a URL without percent-encoding (RFC 3986, section 2.1).
fn decoded(name: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digit = |digit: Option<u8>| char::from(digit?).to_digit(16);
        let (high, low) = (digit(rest.next())?, digit(rest.next())?);
        bytes.push(u8::try_from(high * 16 + low).ok()?);
    }
    String::from_utf8(bytes).ok()
}
