//! What the server keeps, as a trait: families, and in each its children, canvases, skills and
//! heartbeats.
//!
//! Every question and every change names its family, so that nothing of another family can be
//! reached by knowing its id. Times are stored in milliseconds since 1970.

mod rows;
pub mod sqlite;

use std::fmt;

use serde_json::Value;

pub use rows::{
    Canvas, Child, Family, Heartbeat, HeartbeatList, HeartbeatState, Member, MemberRole, Posted,
    Remembered, Skill, SkillList, Token, User,
};

use super::failure::Failure;

/// The id of a family.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FamilyId(pub String);

/// What the store could not do, in words for the log.
#[derive(Debug)]
pub struct StoreError(Box<dyn std::error::Error + Send + Sync>);

impl StoreError {
    /// Makes an error of the one that the database gave.
    pub fn new(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self(error.into())
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for StoreError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source()
    }
}

/// The answer of the store.
pub type Stored<T> = Result<T, StoreError>;

/// Something to do in one transaction; what it changes is undone when it fails.
pub type Change = Box<dyn FnOnce(&dyn Writer) -> Result<Value, Failure> + Send>;

/// Is told what came of a [`Change`], once it is certain: after the commit.
pub type Done = Box<dyn FnOnce(Result<Value, Failure>) + Send>;

/// Where the server keeps everything.
pub trait Store: Send + Sync {
    /// Looks at one consistent state. It never waits for a change.
    fn read(
        &self,
        work: &mut dyn FnMut(&dyn Reader) -> Result<Value, Failure>,
    ) -> Result<Value, Failure>;

    /// Makes a change, soon. Changes are made one after the other, in the order in which they
    /// were given; `done` is called on another thread, after the change is durable. When so many
    /// changes wait that no more are taken, or the store is closed, the change is dropped and
    /// `done` called at once, with a failure.
    fn write(&self, change: Change, done: Done);

    /// Waits for the changes that were given, and closes. Later ones fail.
    fn close(&self);
}

/// The questions.
pub trait Reader {
    /// Every family, in the order of their making.
    fn families(&self) -> Stored<Vec<Family>>;
    /// The family of that id.
    fn family(&self, family: &FamilyId) -> Stored<Option<Family>>;
    /// The grown-ups of a family, in the order of their making; the first one founded it.
    fn users(&self, family: &FamilyId) -> Stored<Vec<User>>;
    /// The children of a family, in the order of their making.
    fn children(&self, family: &FamilyId) -> Stored<Vec<Child>>;
    /// Whoever holds the token of that digest (SHA-256, hexadecimal).
    fn token(&self, digest: &str) -> Stored<Option<Token>>;

    /// All canvases of a family, in the order of their making.
    fn canvases(&self, family: &FamilyId) -> Stored<Vec<Canvas>>;
    /// Those of these canvases that the family has, in the order that is asked for.
    fn canvases_of(&self, family: &FamilyId, ids: &[String]) -> Stored<Vec<Canvas>>;

    /// A skill.
    fn skill(&self, family: &FamilyId, id: &str) -> Stored<Option<Skill>>;
    /// Skills in the order of their making, from one behind [`SkillList::after`] on.
    fn skills(&self, family: &FamilyId, list: &SkillList) -> Stored<Vec<Skill>>;

    /// A heartbeat, cancelled ones too.
    fn heartbeat(&self, family: &FamilyId, id: &str) -> Stored<Option<Heartbeat>>;
    /// Heartbeats in the order of their making, from one behind [`HeartbeatList::after`] on;
    /// those that are cancelled are left out.
    fn heartbeats(&self, family: &FamilyId, list: &HeartbeatList) -> Stored<Vec<Heartbeat>>;
    /// Who takes part in a heartbeat, its owner first.
    fn members(&self, family: &FamilyId, heartbeat: &str) -> Stored<Vec<Member>>;
    /// Whether the family has that chat.
    fn has_chat(&self, family: &FamilyId, chat: &str) -> Stored<bool>;
    /// Who takes part in a chat: the members of its heartbeat, or everybody in the family's own.
    fn participants(&self, family: &FamilyId, chat: &str) -> Stored<Vec<String>>;

    /// What was answered to that key of that caller, if it is not older than `since`.
    fn remembered(&self, user: &str, key: &str, since: i64) -> Stored<Option<Remembered>>;
}

/// The changes. What refers to something refers to it within the same family.
pub trait Writer: Reader {
    /// Does something that leaves nothing behind when it fails.
    fn attempt(&self, work: &mut dyn FnMut() -> Result<Value, Failure>) -> Result<Value, Failure>;

    /// Adds a family.
    fn add_family(&self, family: &Family) -> Stored<()>;
    /// Adds a grown-up.
    fn add_user(&self, family: &FamilyId, user: &User) -> Stored<()>;
    /// Adds a child.
    fn add_child(&self, family: &FamilyId, child: &Child) -> Stored<()>;
    /// Adds a canvas.
    fn add_canvas(&self, family: &FamilyId, canvas: &Canvas) -> Stored<()>;
    /// Adds a token, or replaces the one of the same digest.
    fn put_token(&self, token: &Token) -> Stored<()>;
    /// Removes every token of a grown-up; tells how many there were.
    fn remove_tokens(&self, family: &FamilyId, user: &str) -> Stored<usize>;

    /// Adds a skill; [`Skill::seq`] is given by the store.
    fn add_skill(&self, family: &FamilyId, skill: &Skill) -> Stored<()>;
    /// Replaces a skill.
    fn put_skill(&self, family: &FamilyId, skill: &Skill) -> Stored<()>;
    /// Notes when a skill was invoked; a time before the one that is known is passed over.
    fn touch_skill(&self, family: &FamilyId, id: &str, at: i64) -> Stored<()>;
    /// Keeps a result.
    fn add_result(&self, family: &FamilyId, posted: &Posted) -> Stored<()>;

    /// Adds a heartbeat with its members and its chat.
    fn add_heartbeat(
        &self,
        family: &FamilyId,
        heartbeat: &Heartbeat,
        members: &[Member],
    ) -> Stored<()>;
    /// Replaces a heartbeat.
    fn put_heartbeat(&self, family: &FamilyId, heartbeat: &Heartbeat) -> Stored<()>;
    /// Adds a member of a heartbeat, or gives it another role.
    fn put_member(&self, family: &FamilyId, heartbeat: &str, member: &Member) -> Stored<()>;
    /// Removes a member of a heartbeat.
    fn remove_member(&self, family: &FamilyId, heartbeat: &str, user: &str) -> Stored<()>;

    /// Remembers what was answered to a key, and forgets what is older than `since`.
    fn remember(&self, remembered: &Remembered, since: i64) -> Stored<()>;
}
