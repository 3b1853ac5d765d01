//! The wire around the tools: keys of requests, resources, the caller and the family.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::id_kinds::{CanvasId, ChildId, FamilyId, UserId};
use super::wire_enum::WireEnum;

/// The HTTP header that makes a repeated write the same write, in lower case.
pub const IDEMPOTENCY_HEADER: &str = "idempotency-key";

/// The name of an idempotency key in the metadata of a request, for connections without headers.
pub const IDEMPOTENCY_META: &str = "com.sproutgoodhabits/idempotencyKey";

/// The argument of a tool that writes that is an idempotency key, for callers that choose neither
/// headers nor metadata.
pub const IDEMPOTENCY_ARGUMENT: &str = "idempotencyKey";

/// The experimental capability, or extension, of a server that honours idempotency keys: with the tools
/// that [`IDEMPOTENCY_TOOLS`] names, or else with every tool of the contract that has side effects.
pub const IDEMPOTENCY_CAPABILITY: &str = IDEMPOTENCY_META;

/// The field of [`IDEMPOTENCY_CAPABILITY`] with the names of the tools that honour keys.
pub const IDEMPOTENCY_TOOLS: &str = "tools";

/// The most characters of an idempotency key; each is visible ASCII.
pub const IDEMPOTENCY_KEY_CHARACTERS_MAX: usize = 255;

/// The reason of an error: the token may not use the tool.
pub const SCOPE_MISSING: &str = "SCOPE_MISSING";

/// The reason of an error: the key was used before, with another call.
pub const IDEMPOTENCY_CONFLICT: &str = "IDEMPOTENCY_CONFLICT";

/// The reason of an error: what the call needs is damaged in the database of the server.
pub const DATABASE_DAMAGED: &str = "DATABASE_DAMAGED";

/// The reason of an error: the program that judges what is published did not work.
pub const SAFETY_CHECK_FAILED: &str = "SAFETY_CHECK_FAILED";

/// How long an idempotency key is remembered, in hours.
pub const IDEMPOTENCY_HOURS: i64 = 24;

/// The guides for authors: a short name, and the resource.
pub const GUIDES: [(&str, &str); 3] = [
    ("skill", "sprout://skill/authoring-guide"),
    ("heartbeat", "sprout://heartbeat/authoring-guide"),
    ("canvas", "sprout://canvas/sdk"),
];

/// A permission of a caller. A write scope includes the read scope of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Scope {
    /// Read the family.
    #[serde(rename = "family:read")]
    FamilyRead,
    /// Read skills.
    #[serde(rename = "skill:read")]
    SkillRead,
    /// Write and run skills.
    #[serde(rename = "skill:write")]
    SkillWrite,
    /// Read heartbeats.
    #[serde(rename = "heartbeat:read")]
    HeartbeatRead,
    /// Create and change heartbeats.
    #[serde(rename = "heartbeat:write")]
    HeartbeatWrite,
}

impl WireEnum for Scope {}

impl Scope {
    /// Returns `true` if this scope permits changes.
    pub const fn is_write(self) -> bool {
        matches!(self, Self::SkillWrite | Self::HeartbeatWrite)
    }

    /// Returns `true` if this scope permits what `needed` permits.
    pub fn includes(self, needed: Self) -> bool {
        self == needed
            || matches!(
                (self, needed),
                (Self::SkillWrite, Self::SkillRead) | (Self::HeartbeatWrite, Self::HeartbeatRead)
            )
    }
}

/// The arguments of a tool that takes none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NoArguments {}

/// The answer of `mcp_whoami`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Whoami {
    /// The caller.
    pub user_id: UserId,
    /// Their name.
    pub name: String,
    /// Their family.
    pub family_id: FamilyId,
    /// What they may do.
    #[schemars(with = "Vec<String>")]
    pub scopes: Vec<Scope>,
    /// What answers, and its version.
    pub server: String,
    /// The id of the server's database, which stays the same at every address.
    // Other servers do not send it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server_id: Option<String>,
    /// When the token expires.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_expires_at: Option<String>,
}

/// The answer of `mcp_health`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Health {
    /// The health of the server.
    #[schemars(extend("enum" = ["ok"]))]
    pub status: String,
    /// The server's time, on the family's clock.
    pub time: String,
    /// What answers, and its version.
    pub server: String,
}

/// The answer of `family_query_overview`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FamilyOverview {
    /// The family.
    pub family_id: FamilyId,
    /// The grown-ups.
    pub parents: Vec<Parent>,
    /// The children.
    pub kids: Vec<Kid>,
    /// The canvases, whose ids skills link.
    // Other servers do not send them.
    #[serde(default)]
    pub canvases: Vec<FamilyCanvas>,
    /// How many damaged ones are left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damaged_items: Option<u64>,
}

/// A canvas of a family.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FamilyCanvas {
    /// The canvas.
    pub canvas_id: CanvasId,
    /// Its name.
    pub name: String,
    /// Its emoji.
    pub emoji: Option<String>,
    /// The ages that it is for; null if it has none, so that no skill can link it.
    pub age_range: Option<String>,
}

/// A grown-up of a family.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Parent {
    /// The grown-up.
    pub user_id: UserId,
    /// Their name.
    pub name: String,
}

/// A child of a family.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Kid {
    /// The child.
    pub child_id: ChildId,
    /// Their name; never write it in a skill.
    pub name: String,
    /// The date of birth, such as 2019-04-30.
    pub birth_date: String,
    /// The age in years.
    pub age: i64,
}
