//! The kinds of ids.

use super::ids::{Id, IdForm, IdKind};

/// The id of a family.
pub type FamilyId = Id<FamilyKind>;
/// The id of a grown-up.
pub type UserId = Id<UserKind>;
/// The id of a child.
pub type ChildId = Id<ChildKind>;
/// The id of a skill.
pub type SkillId = Id<SkillKind>;
/// The id of a heartbeat.
pub type HeartbeatId = Id<HeartbeatKind>;
/// The id of a result that was posted.
pub type ResultId = Id<ResultKind>;
/// The id of a run of a heartbeat.
pub type RunId = Id<RunKind>;
/// The id of a blob.
pub type BlobId = Id<BlobKind>;
/// The id of something that happened.
pub type EventId = Id<EventKind>;
/// The id of a chat: the thread of a heartbeat, or the chat of a family.
pub type ChatId = Id<ChatKind>;
/// The id of a canvas.
pub type CanvasId = Id<CanvasKind>;

impl CanvasId {
    /// Returns the id in lower case, in which the same canvas always has the same id.
    #[must_use]
    pub fn normalized(&self) -> Self {
        Self::from(self.as_str().to_ascii_lowercase())
    }

    /// Returns the id as it is stored: a UUID in lower case, and any other id as it is.
    pub fn stored_form(&self) -> String {
        let id = self.as_str();
        if self.is_well_formed() { id.to_ascii_lowercase() } else { id.to_owned() }
    }

    /// Returns `true` if both are the id of the same canvas.
    pub fn is_same(&self, other: &Self) -> bool {
        self.as_str().eq_ignore_ascii_case(other.as_str())
    }
}

/// The kind of [`FamilyId`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FamilyKind {}

impl IdKind for FamilyKind {
    const FORM: IdForm = IdForm::Prefixed(&["fam_"]);
}

/// The kind of [`UserId`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UserKind {}

impl IdKind for UserKind {
    const FORM: IdForm = IdForm::Prefixed(&["usr_"]);
}

/// The kind of [`ChildId`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ChildKind {}

impl IdKind for ChildKind {
    const FORM: IdForm = IdForm::Prefixed(&["kid_"]);
}

/// The kind of [`SkillId`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SkillKind {}

impl IdKind for SkillKind {
    const FORM: IdForm = IdForm::Prefixed(&["sk_"]);
    const PATTERN: Option<&'static str> = Some("^sk_");
    const MAY_BE_EMPTY: bool = false;
}

/// The kind of [`HeartbeatId`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum HeartbeatKind {}

impl IdKind for HeartbeatKind {
    const FORM: IdForm = IdForm::Prefixed(&["hb_"]);
    const PATTERN: Option<&'static str> = Some("^hb_");
    const MAY_BE_EMPTY: bool = false;
}

/// The kind of [`ResultId`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ResultKind {}

impl IdKind for ResultKind {
    const FORM: IdForm = IdForm::Prefixed(&["rs_"]);
}

/// The kind of [`RunId`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RunKind {}

impl IdKind for RunKind {
    const FORM: IdForm = IdForm::Prefixed(&["run_"]);
}

/// The kind of [`BlobId`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BlobKind {}

impl IdKind for BlobKind {
    const FORM: IdForm = IdForm::Prefixed(&["blob:"]);
}

/// The kind of [`EventId`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EventKind {}

impl IdKind for EventKind {
    const FORM: IdForm = IdForm::Prefixed(&["ev_"]);
}

/// The kind of [`ChatId`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ChatKind {}

impl IdKind for ChatKind {
    const FORM: IdForm = IdForm::Prefixed(&["th_", "chat_"]);
}

/// The kind of [`CanvasId`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CanvasKind {}

impl IdKind for CanvasKind {
    const FORM: IdForm = IdForm::Uuid;
}
