//! A skill of an index that was read, whatever its shape.

use crate::digest::Digest;
use crate::path::SkillPath;

/// A skill of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexEntry {
    /// Its place in `skills`.
    pub at: usize,
    /// Its name.
    pub name: String,
    /// Its description, if there is one.
    pub description: Option<String>,
    /// Where its files are.
    pub artifact: Artifact,
}

/// Where the files of a skill are. URLs are as written: they are resolved against that of the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Artifact {
    /// A `SKILL.md`, which is all of the skill.
    SkillMd {
        /// Where it is.
        url: String,
        /// The digest of its bytes, if the index has one.
        digest: Option<Digest>,
    },
    /// An archive with `SKILL.md` at its top.
    Archive {
        /// Where it is.
        url: String,
        /// The digest of its bytes, if the index has one.
        digest: Option<Digest>,
    },
    /// Single files below a directory.
    Files {
        /// The directory, with a `/` at its end.
        url: String,
        /// The files, each with its digest if the index has one.
        files: Vec<(SkillPath, Option<Digest>)>,
        /// The digest of the list of files, if the index has one.
        digest: Option<Digest>,
    },
}

impl Artifact {
    /// Returns `false` if the index has no digest of it, as only indexes of version 0.1.0 may.
    pub const fn is_verifiable(&self) -> bool {
        match self {
            Self::SkillMd { digest, .. } | Self::Archive { digest, .. } => digest.is_some(),
            Self::Files { .. } => true,
        }
    }

    /// Returns what has to be fetched: each URL, and the path of the file in the skill if it is one.
    pub fn parts(&self) -> Vec<(String, Option<SkillPath>)> {
        match self {
            Self::SkillMd { url, .. } | Self::Archive { url, .. } => vec![(url.clone(), None)],
            Self::Files { url, files, .. } => files
                .iter()
                .map(|(path, _)| {
                    (format!("{url}{}", percent_encoded(path.as_str())), Some(path.clone()))
                })
                .collect(),
        }
    }
}

/// Returns a path as a part of a URL (RFC 3986, section 2).
pub(super) fn percent_encoded(path: &str) -> String {
    let mut encoded = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}
