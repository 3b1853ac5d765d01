//! What a connection speaks of beside the tools: keys of requests, resources, who is calling.

use serde::{Deserialize, Serialize};

/// The HTTP header that makes a repeated write the same write, in lower case.
pub const IDEMPOTENCY_HEADER: &str = "idempotency-key";

/// The same in the metadata of a request, for connections without headers.
pub const IDEMPOTENCY_META: &str = "com.sproutgoodhabits/idempotencyKey";

/// The experimental capability, or extension, of a server that honours a key with every tool that
/// has side effects.
pub const IDEMPOTENCY_CAPABILITY: &str = IDEMPOTENCY_META;

/// The most characters of an idempotency key; each is visible ASCII.
pub const IDEMPOTENCY_KEY_CHARACTERS_MAX: usize = 255;

/// The reason of an error: the key came before, with another call.
pub const IDEMPOTENCY_CONFLICT: &str = "IDEMPOTENCY_CONFLICT";

/// How long an idempotency key holds, in hours.
pub const IDEMPOTENCY_HOURS: i64 = 24;

/// The guides for authors.
pub const GUIDES: [(&str, &str); 3] = [
    ("skill", "sprout://skill/authoring-guide"),
    ("heartbeat", "sprout://heartbeat/authoring-guide"),
    ("canvas", "sprout://canvas/sdk"),
];

/// What a caller may do. A write scope holds the read scope of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Scope {
    /// Look at the family.
    #[serde(rename = "family:read")]
    FamilyRead,
    /// Look at skills.
    #[serde(rename = "skill:read")]
    SkillRead,
    /// Write and run skills.
    #[serde(rename = "skill:write")]
    SkillWrite,
    /// Look at heartbeats.
    #[serde(rename = "heartbeat:read")]
    HeartbeatRead,
    /// Make and change heartbeats.
    #[serde(rename = "heartbeat:write")]
    HeartbeatWrite,
}

impl Scope {
    /// Every scope.
    pub const ALL: [Self; 5] = [
        Self::FamilyRead,
        Self::SkillRead,
        Self::SkillWrite,
        Self::HeartbeatRead,
        Self::HeartbeatWrite,
    ];

    /// The word for it on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::FamilyRead => "family:read",
            Self::SkillRead => "skill:read",
            Self::SkillWrite => "skill:write",
            Self::HeartbeatRead => "heartbeat:read",
            Self::HeartbeatWrite => "heartbeat:write",
        }
    }

    /// The scope of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.name() == name)
    }

    /// Tells whether somebody who has this scope may do what `needed` stands for.
    pub fn holds(self, needed: Self) -> bool {
        self == needed
            || matches!(
                (self, needed),
                (Self::SkillWrite, Self::SkillRead) | (Self::HeartbeatWrite, Self::HeartbeatRead)
            )
    }
}

/// What `mcp_whoami` returns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Whoami {
    /// The caller.
    pub user_id: String,
    /// Their name.
    pub name: String,
    /// Their family.
    pub family_id: String,
    /// What they may do.
    pub scopes: Vec<Scope>,
    /// What answers: the program and its version.
    pub server: String,
}

/// What `mcp_health` returns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Health {
    /// `ok`.
    pub status: String,
    /// The server's time, with its offset (RFC 3339).
    pub time: String,
    /// What answers: the program and its version.
    pub server: String,
}

/// What `family_query_overview` returns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FamilyOverview {
    /// The family.
    pub family_id: String,
    /// The grown-ups.
    pub parents: Vec<Parent>,
    /// The children.
    pub kids: Vec<Kid>,
}

/// A grown-up of a family.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Parent {
    /// Who it is.
    pub user_id: String,
    /// Their name.
    pub name: String,
}

/// A child of a family.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Kid {
    /// Who it is.
    pub child_id: String,
    /// Their name.
    pub name: String,
    /// The day of their birth: `2019-04-30`.
    pub birth_date: String,
    /// Their age in years.
    pub age: i64,
}
