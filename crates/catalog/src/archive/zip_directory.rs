//! The central directory of a zip file, and that nothing is beside or between its entries.

use dibber_text::{Message, message};

use super::problem::ArchiveLimits;
use super::zip_entry::{CENTRAL_BYTES, ZipEntry, u16_at, u32_at};

const END_SIGNATURE: &[u8] = b"PK\x05\x06";
const END_BYTES: usize = 22;
const COMMENT_BYTES_MAX: usize = u16::MAX as usize;

/// The end of the central directory (APPNOTE.TXT, section 4.3.16).
struct DirectoryEnd {
    at: usize,
    entries: usize,
    size: usize,
    offset: usize,
}

/// Returns the entries of an archive as its directory lists them, and where the directory begins.
pub(super) fn entries(
    archive: &[u8],
    limits: ArchiveLimits,
) -> Result<(Vec<ZipEntry<'_>>, usize), Message> {
    let end = DirectoryEnd::find(archive).ok_or("has no directory at its end")?;
    if end.entries == usize::from(u16::MAX) || end.offset == u32::MAX as usize {
        return Err("is in the form for more than 4 GiB (zip64)".into());
    }
    if end.entries > limits.entries_max || end.size / CENTRAL_BYTES < end.entries {
        let message = message!["has more than ", limits.entries_max, " entries"];
        let is_short = end.entries <= limits.entries_max;
        return Err(if is_short { "has a damaged directory".into() } else { message });
    }
    if end.offset.checked_add(end.size) != Some(end.at) {
        return Err("has data before or after its directory".into());
    }
    let mut rest = &archive[end.offset..end.at];
    let mut entries = Vec::with_capacity(end.entries);
    while !rest.is_empty() && entries.len() < end.entries {
        let (entry, length) = ZipEntry::parse(rest).ok_or("has a damaged directory")?;
        entries.push(entry);
        rest = &rest[length..];
    }
    if !rest.is_empty() || entries.len() != end.entries {
        return Err("has another number of entries than its directory says".into());
    }
    Ok((entries, end.offset))
}

impl DirectoryEnd {
    /// The record is at the very end, with a comment after it that it says the length of.
    fn find(archive: &[u8]) -> Option<Self> {
        let last = archive.len().checked_sub(END_BYTES)?;
        let first = last.saturating_sub(COMMENT_BYTES_MAX);
        let at = (first..=last).rev().find(|at| {
            archive[*at..].starts_with(END_SIGNATURE)
                && u16_at(archive, at + 20).map(usize::from) == Some(last - at)
        })?;
        let number = |offset| u16_at(archive, at + offset).map(usize::from);
        let size = |offset| usize::try_from(u32_at(archive, at + offset)?).ok();
        // All of it is on this disk.
        if number(4)? != 0 || number(6)? != 0 || number(8)? != number(10)? {
            return None;
        }
        Some(Self { at, entries: number(10)?, size: size(12)?, offset: size(16)? })
    }
}
