//! The forms of archives.

/// How files are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArchiveFormat {
    /// A zip file.
    Zip,
    /// A tar file, compressed with gzip.
    TarGz,
}

/// Where a skill is in an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArchiveLayout<'a> {
    /// `SKILL.md` is at the top.
    Root,
    /// Everything is in one directory of this name.
    Wrapper(&'a str),
}

impl ArchiveFormat {
    /// Returns the format of these bytes, by how they begin.
    pub fn detect(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
            return Some(Self::Zip);
        }
        bytes.starts_with(b"\x1f\x8b").then_some(Self::TarGz)
    }

    /// Returns the format that the name of a file says.
    pub fn of_name(name: &str) -> Option<Self> {
        let ends_with = |ending: &str| {
            let start = name.len().checked_sub(ending.len());
            start
                .and_then(|start| name.get(start..))
                .is_some_and(|end| end.eq_ignore_ascii_case(ending))
        };
        if [".zip", ".skill"].into_iter().any(ends_with) {
            return Some(Self::Zip);
        }
        [".tar.gz", ".tgz"].into_iter().any(ends_with).then_some(Self::TarGz)
    }

    /// Returns what the names of such files end with.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Zip => ".zip",
            Self::TarGz => ".tar.gz",
        }
    }

    /// Returns the media type.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Zip => "application/zip",
            Self::TarGz => "application/gzip",
        }
    }
}
