//! One entry of a zip file: what its two headers say, which must be the same.
//!
//! The numbers are those of APPNOTE.TXT 6.3.10, sections 4.3.7 and 4.3.12.

use dibber_text::Message;

use super::collector::EntryKind;

pub(super) const LOCAL_SIGNATURE: u32 = 0x0403_4b50;
pub(super) const CENTRAL_SIGNATURE: u32 = 0x0201_4b50;
pub(super) const LOCAL_BYTES: usize = 30;
pub(super) const CENTRAL_BYTES: usize = 46;

/// What comes after the data of an entry whose sizes were not known before (flag bit 3), optional.
const DESCRIPTOR_SIGNATURE: u32 = 0x0807_4b50;

const FLAG_ENCRYPTED: u16 = 1 | 1 << 6 | 1 << 13;
const FLAG_DESCRIPTOR: u16 = 1 << 3;
const METHOD_STORED: u16 = 0;
const METHOD_DEFLATED: u16 = 8;
const SYSTEM_UNIX: u16 = 3;
const SYSTEM_MACOS: u16 = 19;
/// The extra field with another name, which some programs prefer.
const EXTRA_UNICODE_PATH: u16 = 0x7075;

/// An entry as the central directory says.
#[derive(Debug)]
pub(super) struct ZipEntry<'a> {
    pub(super) name: &'a [u8],
    pub(super) is_deflated: bool,
    pub(super) crc: u32,
    pub(super) packed: u32,
    pub(super) size: u32,
    /// Where its local header is.
    pub(super) offset: usize,
    pub(super) kind: EntryKind,
    pub(super) is_executable: bool,
    flags: u16,
    method: u16,
    has_other_name: bool,
}

/// Little-endian numbers at an offset; none outside the bytes.
pub(super) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at.checked_add(2)?)?.try_into().ok()?))
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

impl<'a> ZipEntry<'a> {
    /// Parses a header of the central directory. Returns it with its length; none if there is none.
    pub(super) fn parse(header: &'a [u8]) -> Option<(Self, usize)> {
        if u32_at(header, 0)? != CENTRAL_SIGNATURE {
            return None;
        }
        let [name, extra, comment] = [28, 30, 32].map(|at| u16_at(header, at).map(usize::from));
        let name_end = CENTRAL_BYTES + name?;
        let end = name_end + extra? + comment?;
        header.get(..end)?;
        let name = &header[CENTRAL_BYTES..name_end];
        let (flags, method) = (u16_at(header, 8)?, u16_at(header, 10)?);
        let (system, attributes) = (u16_at(header, 4)? >> 8, u32_at(header, 38)?);
        let mode = attributes >> 16;
        let has_mode = matches!(system, SYSTEM_UNIX | SYSTEM_MACOS);
        let entry = Self {
            name,
            is_deflated: method == METHOD_DEFLATED,
            crc: u32_at(header, 16)?,
            packed: u32_at(header, 20)?,
            size: u32_at(header, 24)?,
            offset: usize::try_from(u32_at(header, 42)?).ok()?,
            kind: kind_of(name, mode),
            is_executable: has_mode && mode & 0o111 != 0,
            flags,
            method,
            has_other_name: has_other_name(&header[name_end..end], name),
        };
        Some((entry, end))
    }

    /// Returns why the entry cannot be read, whatever its data is.
    pub(super) fn problem(&self) -> Option<&'static str> {
        if self.flags & FLAG_ENCRYPTED != 0 {
            return Some("is encrypted");
        }
        if !matches!(self.method, METHOD_STORED | METHOD_DEFLATED) {
            return Some("is compressed in another way than deflate");
        }
        let is_directory = self.kind == EntryKind::Directory;
        (is_directory && self.size != 0).then_some("is a directory with content")
    }

    /// Returns the data of the entry and where it ends, from the local header.
    pub(super) fn data(&self, archive: &'a [u8]) -> Result<(&'a [u8], usize), Message> {
        const DIFFERS: &str = "has two headers that differ";
        let header = archive.get(self.offset..).unwrap_or_default();
        let number = |at| u16_at(header, at).map(usize::from);
        let (Some(LOCAL_SIGNATURE), Some(name), Some(extra)) =
            (u32_at(header, 0), number(26), number(28))
        else {
            return Err("has no header where the directory says".into());
        };
        let start = LOCAL_BYTES + name + extra;
        let packed = self.packed as usize;
        let end = start.checked_add(packed).filter(|end| *end <= header.len());
        let Some(end) = end else { return Err("ends after the archive".into()) };
        let is_same = &header[LOCAL_BYTES..LOCAL_BYTES + name] == self.name
            && u16_at(header, 6) == Some(self.flags)
            && u16_at(header, 8) == Some(self.method);
        let sizes = [14, 18, 22].map(|at| u32_at(header, at).unwrap_or_default());
        let own = [self.crc, self.packed, self.size];
        let is_later = self.flags & FLAG_DESCRIPTOR != 0;
        let has_sizes = sizes == own || is_later && sizes == [0; 3];
        if !is_same || !has_sizes {
            return Err(DIFFERS.into());
        }
        if self.has_other_name || has_other_name(&header[LOCAL_BYTES + name..start], self.name) {
            return Err("has a second name".into());
        }
        let data = &header[start..end];
        let descriptor = if is_later { self.descriptor(&header[end..]) } else { Some(0) };
        let descriptor = descriptor.ok_or(DIFFERS)?;
        Ok((data, self.offset + end + descriptor))
    }

    /// Returns the length of the descriptor after the data, if it says the same.
    fn descriptor(&self, after: &[u8]) -> Option<usize> {
        let signature = if u32_at(after, 0)? == DESCRIPTOR_SIGNATURE { 4 } else { 0 };
        let own = [self.crc, self.packed, self.size];
        for (number, at) in own.into_iter().zip([0, 4, 8]) {
            if u32_at(after, signature + at)? != number {
                return None;
            }
        }
        Some(signature + 12)
    }
}

/// Returns the kind of an entry from its name and its mode on Unix, which is 0 if another system wrote it.
fn kind_of(name: &[u8], mode: u32) -> EntryKind {
    let is_directory = name.ends_with(b"/");
    match mode & 0o170_000 {
        0 | 0o100_000 if !is_directory => EntryKind::File,
        0 | 0o040_000 if is_directory => EntryKind::Directory,
        0o120_000 => EntryKind::Link,
        _ => EntryKind::Special,
    }
}

/// Returns `true` if an extra field has another name.
fn has_other_name(extra: &[u8], name: &[u8]) -> bool {
    let mut rest = extra;
    while let (Some(id), Some(length)) = (u16_at(rest, 0), u16_at(rest, 2)) {
        let end = (4 + usize::from(length)).min(rest.len());
        // After a version and a checksum.
        if id == EXTRA_UNICODE_PATH && rest[4..end].get(5..) != Some(name) {
            return true;
        }
        rest = &rest[end..];
    }
    false
}
