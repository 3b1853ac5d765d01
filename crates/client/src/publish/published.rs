//! What is recorded of a directory that was published, and of its heartbeats.

use std::collections::BTreeMap;

use dibber_skill::contract::{HeartbeatId, SkillId};

/// The skill that one directory was published as.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Published {
    /// The id of the skill on the server.
    pub skill_id: SkillId,
    /// The spec-hash of what was published last: `h_…`.
    pub spec_hash: String,
    /// The hash of the same that the server has answered, if it is another one: other servers
    /// compute it in another way.
    pub server_hash: Option<String>,
    /// The content hash of the skill on the server after that: `c_…`. If it is another one now,
    /// another writer has changed the skill.
    pub content_hash: Option<String>,
    /// A short hash of each field of that content, by its name: the base of a merge.
    pub fields: BTreeMap<String, String>,
    /// Its heartbeats on the server, by their names in `sprout.yaml`.
    pub heartbeats: BTreeMap<String, PublishedHeartbeat>,
}

/// A heartbeat as it was left on a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublishedHeartbeat {
    /// The id of the heartbeat.
    pub heartbeat_id: HeartbeatId,
    /// Its content hash after it was last published. If it is another one now, another writer has
    /// changed the heartbeat. Servers that do not list it have none.
    pub content_hash: Option<String>,
}

/// Returns the hashes of fields as they are recorded.
pub(crate) fn to_recorded_fields(
    fields: BTreeMap<&'static str, String>,
) -> BTreeMap<String, String> {
    fields.into_iter().map(|(name, hash)| (name.to_owned(), hash)).collect()
}
