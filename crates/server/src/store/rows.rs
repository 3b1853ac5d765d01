//! What is kept of each thing.

use serde_json::{Map, Value};

use super::FamilyId;
use dibber_skill::contract::{Category, Scope, SkillWrite};

/// A family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    /// Its id.
    pub id: FamilyId,
    /// What it is called on this machine.
    pub name: String,
    /// The IANA time zone in which times are shown to it.
    pub time_zone: String,
    /// The chat of the whole family, which is its inbox, too.
    pub chat_id: String,
}

/// A grown-up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// The id.
    pub id: String,
    /// The name.
    pub name: String,
}

/// A child.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Child {
    /// The id.
    pub id: String,
    /// The name.
    pub name: String,
    /// The day of the birth.
    pub birth_date: jiff::civil::Date,
}

/// What somebody may do who shows a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The digest of the token (SHA-256, hexadecimal); the token itself is not kept.
    pub digest: String,
    /// The family.
    pub family: FamilyId,
    /// Who holds it.
    pub user_id: String,
    /// What for.
    pub scopes: Vec<Scope>,
}

/// A canvas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canvas {
    /// The id, a UUID.
    pub id: String,
    /// The name.
    pub name: String,
    /// A sign for it.
    pub emoji: Option<String>,
    /// The ages that it is for; one that is older than ages were asked for has none.
    pub age_range: Option<String>,
}

/// A skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skill {
    /// The place in the order of all skills.
    pub seq: i64,
    /// The id.
    pub id: String,
    /// What was written, with later updates.
    pub written: SkillWrite,
    /// Whether it is archived.
    pub is_archived: bool,
    /// When it was made.
    pub created_at: i64,
    /// When it was invoked last.
    pub last_triggered_at: Option<i64>,
}

/// Which skills are asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SkillList {
    /// Those behind this place in the order.
    pub after: i64,
    /// The most skills.
    pub limit: usize,
    /// Whether archived ones count.
    pub include_archived: bool,
    /// Those of one category.
    pub category: Option<Category>,
}

/// A result that was posted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Posted {
    /// The id.
    pub id: String,
    /// The skill whose result it is.
    pub skill_id: String,
    /// The chat that it stands in.
    pub thread_id: String,
    /// Who posted it.
    pub user_id: String,
    /// When.
    pub posted_at: i64,
    /// The result.
    pub result: Map<String, Value>,
}

/// A heartbeat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heartbeat {
    /// The place in the order of all heartbeats.
    pub seq: i64,
    /// The id.
    pub id: String,
    /// The label.
    pub name: String,
    /// Five fields of cron.
    pub cron: String,
    /// The IANA time zone.
    pub tz: String,
    /// The skill that it runs.
    pub run_skill_id: String,
    /// The skill that made it.
    pub assignment_skill_id: Option<String>,
    /// The child that it is for.
    pub child_id: Option<String>,
    /// The values of the skill's inputs.
    pub skill_input: Map<String, Value>,
    /// Whether the result is posted.
    pub post_result_notify: bool,
    /// Whether it fires.
    pub state: HeartbeatState,
    /// Its chat.
    pub chat_id: String,
    /// When it was made.
    pub created_at: i64,
    /// When it fired last.
    pub last_run_at: Option<i64>,
}

/// Whether a heartbeat fires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeartbeatState {
    /// It does.
    Active,
    /// Not until it is resumed.
    Paused,
    /// Never again.
    Cancelled,
}

/// Which heartbeats are asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeartbeatList {
    /// Those behind this place in the order.
    pub after: i64,
    /// The most heartbeats.
    pub limit: usize,
}

/// Somebody who takes part in a heartbeat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Who.
    pub user_id: String,
    /// What they may do.
    pub role: MemberRole,
}

/// What a member may do with a heartbeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MemberRole {
    /// Everything, cancelling too.
    Owner,
    /// Editing.
    Admin,
    /// Leaving.
    Member,
}

/// What was answered to a call that had an idempotency key.
#[derive(Clone, Debug, PartialEq)]
pub struct Remembered {
    /// Who called.
    pub user_id: String,
    /// The key.
    pub key: String,
    /// A digest of the tool and of the canonical arguments.
    pub fingerprint: String,
    /// The answer: a success, or `{"error":…}`.
    pub answer: Value,
    /// When.
    pub at: i64,
}
