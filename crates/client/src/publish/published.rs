//! What is recorded of a directory that was published, and of its heartbeats.

use std::collections::BTreeMap;

use dibber_skill::content_hash::{ContentHash, heartbeat_field_hashes};
use dibber_skill::contract::{HeartbeatCreate, HeartbeatId, SkillId};

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
    /// The paths of the files that `sprout.yaml` included in the prompt, in their order: with them, a
    /// pull into an empty directory writes the same files.
    pub include: Vec<String>,
    /// Its heartbeats on the server, by their names in `sprout.yaml`.
    pub heartbeats: BTreeMap<String, PublishedHeartbeat>,
}

/// A heartbeat as it was left on a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublishedHeartbeat {
    /// The id of the heartbeat.
    pub heartbeat_id: HeartbeatId,
    /// Its content hash after it was last published. If it is another one now, another writer has
    /// changed the heartbeat. An earlier version has recorded none.
    pub content_hash: Option<String>,
    /// A short hash of each part of that content, by its name: it says what was changed here, and
    /// what on a server that lists no content hash. Empty if an earlier version has recorded it.
    pub fields: BTreeMap<String, String>,
    /// The same of the parts that the server lists in another form than they were sent.
    pub stored: BTreeMap<String, String>,
    /// Whether a server of another make has not listed it since it was created: that it is not
    /// listed does not mean that it was cancelled.
    pub is_unlisted: bool,
}

impl PublishedHeartbeat {
    /// Returns what is recorded of a heartbeat with the content of these arguments.
    pub(crate) fn new(heartbeat_id: HeartbeatId, create: &HeartbeatCreate) -> Self {
        let content_hash = Some(ContentHash::of_heartbeat(create).to_string());
        let fields = to_recorded_fields(heartbeat_field_hashes(create));
        let stored = BTreeMap::new();
        Self { heartbeat_id, content_hash, fields, stored, is_unlisted: false }
    }
}

/// Returns the hashes of fields as they are recorded.
pub(crate) fn to_recorded_fields(
    fields: BTreeMap<&'static str, String>,
) -> BTreeMap<String, String> {
    fields.into_iter().map(|(name, hash)| (name.to_owned(), hash)).collect()
}
