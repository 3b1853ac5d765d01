//! The files of a directory that an index of ours has listed, which may be replaced and removed.

use std::collections::BTreeMap;

use dibber_skill::skill::name;

use super::index::{INDEX_SCHEMA, IndexFile};
use super::site::DIRECTORY;
use crate::digest::Digest;

/// Returns the files that an index lists in its own directory, with their digests, if its bytes are
/// those that this program writes.
pub(super) fn own_files(index: &[u8]) -> Option<BTreeMap<String, Digest>> {
    let parsed: IndexFile = serde_json::from_slice(index).ok()?;
    if parsed.schema != INDEX_SCHEMA || parsed.to_bytes() != index {
        return None;
    }
    let files = parsed.skills.into_iter().filter_map(|skill| {
        let path = skill.url.strip_prefix('/')?;
        let below = path.strip_prefix(DIRECTORY)?.strip_prefix('/')?;
        let is_own = below == format!("{}/SKILL.md", skill.name)
            || below == format!("{}.tar.gz", skill.name);
        (is_own && name::is_valid(&skill.name)).then(|| (path.to_owned(), skill.digest))
    });
    Some(files.collect())
}
