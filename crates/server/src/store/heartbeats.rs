//! Heartbeats, their members and their chats.

use serde_json::{Map, Value};

pub use dibber_skill::contract::MemberRole;
use dibber_skill::contract::{ChatId, ChildId, HeartbeatId, MissedFires, SkillId, UserId};

use super::cadence::Cadence;
use super::error::StoreResult;
use super::families::FamilyId;
use super::listed::Listed;

/// A heartbeat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heartbeat {
    /// The id.
    pub id: HeartbeatId,
    /// The label.
    pub name: String,
    /// When it fires.
    pub cadence: Cadence,
    /// The skill that it runs.
    pub run_skill_id: SkillId,
    /// The skill that created it.
    pub assignment_skill_id: Option<SkillId>,
    /// The child that it is for.
    pub child_id: Option<ChildId>,
    /// The values of the skill's inputs.
    pub skill_input: Map<String, Value>,
    /// Whether the result is posted.
    pub post_result_notify: bool,
    /// Whether it fires.
    pub state: HeartbeatState,
    /// Its chat.
    pub chat_id: ChatId,
    /// When it was created.
    pub created_at: i64,
    /// When it last fired.
    pub last_run_at: Option<i64>,
    /// What happens with planned times that were missed.
    pub missed_fires: MissedFires,
    /// Up to when it is decided which of its planned times run.
    pub decided_until: i64,
    /// The number of runs that failed since the last one that did not.
    pub failed_in_row: i64,
}

/// Whether a heartbeat fires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeartbeatState {
    /// It fires.
    Active,
    /// It does not fire until it is resumed.
    Paused,
    /// It never fires again.
    Cancelled,
}

/// Which heartbeats to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeartbeatList {
    /// The id of the heartbeat after which the page begins; none for the first page.
    pub after: Option<HeartbeatId>,
    /// The most heartbeats.
    pub limit: usize,
}

/// A user who takes part in a heartbeat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The user.
    pub user_id: UserId,
    /// What the user may do.
    pub role: MemberRole,
}

/// Looks up heartbeats and chats.
pub trait ReadHeartbeats {
    /// Returns the heartbeat with this id, even if it is cancelled.
    fn heartbeat(&self, family: &FamilyId, id: &HeartbeatId) -> StoreResult<Option<Heartbeat>>;
    /// Returns a page of heartbeats in [listing order](super#listing-order), without those that
    /// are cancelled. The page may begin after a cancelled one.
    fn heartbeats(&self, family: &FamilyId, list: &HeartbeatList)
    -> StoreResult<Listed<Heartbeat>>;
    /// Returns the id and the label of a heartbeat that runs a skill and is not cancelled, if there
    /// is one. It is found even if the rest of it is damaged.
    fn heartbeat_that_runs(
        &self,
        family: &FamilyId,
        skill: &SkillId,
    ) -> StoreResult<Option<(HeartbeatId, String)>>;
    /// Returns the members of a heartbeat, its owner first.
    fn members(&self, family: &FamilyId, heartbeat: &HeartbeatId) -> StoreResult<Listed<Member>>;
    /// Returns the number of heartbeats of a family, without those that are cancelled.
    fn heartbeat_count(&self, family: &FamilyId) -> StoreResult<usize>;
    /// Returns `true` if the family has this chat.
    fn has_chat(&self, family: &FamilyId, chat: &ChatId) -> StoreResult<bool>;
    /// Returns the users who take part in a chat: the members of its heartbeat, or every grown-up
    /// of the family if it is the family's own. The owner or the founder is first.
    fn participants(&self, family: &FamilyId, chat: &ChatId) -> StoreResult<Vec<UserId>>;
}

/// Changes heartbeats.
pub trait WriteHeartbeats: ReadHeartbeats {
    /// Adds a heartbeat with its members and its chat.
    fn add_heartbeat(
        &self,
        family: &FamilyId,
        heartbeat: &Heartbeat,
        members: &[Member],
    ) -> StoreResult<()>;
    /// Removes the heartbeats of a family that were cancelled first, beyond so many, with their
    /// chats. The one that was cancelled last stays.
    fn remove_cancelled_beyond(&self, family: &FamilyId, max: usize) -> StoreResult<()>;
    /// Replaces a heartbeat.
    fn put_heartbeat(&self, family: &FamilyId, heartbeat: &Heartbeat) -> StoreResult<()>;
    /// Adds a member of a heartbeat, or replaces the role of one.
    fn put_member(
        &self,
        family: &FamilyId,
        heartbeat: &HeartbeatId,
        member: &Member,
    ) -> StoreResult<()>;
    /// Removes a member of a heartbeat.
    fn remove_member(
        &self,
        family: &FamilyId,
        heartbeat: &HeartbeatId,
        user: &UserId,
    ) -> StoreResult<()>;
}
