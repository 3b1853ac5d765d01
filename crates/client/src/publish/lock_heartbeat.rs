//! The line of a heartbeat in `dibber.lock`.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::published::PublishedHeartbeat;
use dibber_skill::content_hash::field_hash;
use dibber_skill::contract::{HeartbeatId, MissedFires};
use dibber_text::double_quoted as quoted;

/// The beginning of the error of another value.
pub(super) const INVALID_HEARTBEAT: &str = "invalid heartbeat";

/// What to do about it. After a merge that kept the lines of both sides, those of one block can be
/// below the heartbeats of another one.
pub(super) const INVALID_HEARTBEAT_HELP: &str = "restore the line from version control; after a merge, lines such as `path` and `specHash` \
     belong above `[skill.heartbeats]`, and `[[skill]]` before the `path` of each skill; nothing \
     was overwritten";

/// The field of what runs of missed times, which is written if it is not the default: an earlier
/// version has recorded none.
const MISSED_FIRES: &str = "missedFires";

/// A heartbeat: its id alone, or with what it was left as.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "invalid heartbeat: expected `{ heartbeatId = \"…\", contentHash = \"…\" }`"
)]
pub(super) enum HeartbeatRecord {
    Id(HeartbeatId),
    #[serde(rename_all = "camelCase")]
    Content {
        heartbeat_id: HeartbeatId,
        content_hash: String,
        #[serde(default)]
        fields: BTreeMap<String, String>,
        #[serde(default)]
        stored: BTreeMap<String, String>,
        #[serde(default)]
        unlisted: bool,
    },
}

impl From<HeartbeatRecord> for PublishedHeartbeat {
    fn from(heartbeat: HeartbeatRecord) -> Self {
        match heartbeat {
            HeartbeatRecord::Id(heartbeat_id) => {
                let (fields, stored) = (BTreeMap::new(), BTreeMap::new());
                Self { heartbeat_id, content_hash: None, fields, stored, is_unlisted: false }
            }
            HeartbeatRecord::Content {
                heartbeat_id,
                content_hash,
                mut fields,
                stored,
                unlisted: is_unlisted,
            } => {
                let content_hash = Some(content_hash);
                if !fields.is_empty() {
                    fields.entry(MISSED_FIRES.to_owned()).or_insert_with(default_missed_fires);
                }
                Self { heartbeat_id, content_hash, fields, stored, is_unlisted }
            }
        }
    }
}

/// Returns the value of the line of a heartbeat.
pub(super) fn to_toml(heartbeat: &PublishedHeartbeat) -> String {
    let PublishedHeartbeat { heartbeat_id, content_hash, fields, stored, is_unlisted } = heartbeat;
    let id = quoted(heartbeat_id.as_str());
    let Some(hash) = content_hash else { return id };
    let hash = quoted(hash);
    let mut fields = fields.clone();
    if fields.get(MISSED_FIRES) == Some(&default_missed_fires()) {
        fields.remove(MISSED_FIRES);
    }
    let tables = [("fields", &fields), ("stored", stored)].into_iter();
    let tables = tables.filter(|(_, table)| !table.is_empty());
    let tables = tables.map(|(name, table)| format!(", {name} = {}", inline_table(table)));
    let tables = tables.collect::<String>();
    let unlisted = if *is_unlisted { ", unlisted = true" } else { "" };
    format!("{{ heartbeatId = {id}, contentHash = {hash}{tables}{unlisted} }}")
}

fn default_missed_fires() -> String {
    field_hash(&MissedFires::default())
}

/// Returns a table of strings in one line.
pub(super) fn inline_table(values: &BTreeMap<String, String>) -> String {
    let values = values.iter().map(|(name, value)| format!("{} = {}", quoted(name), quoted(value)));
    format!("{{ {} }}", values.collect::<Vec<_>>().join(", "))
}
