//! The plan of a push as data: a step for each skill.

use super::step::Step;
use crate::error::ClientError;
use crate::publish::conflict::Conflict;
use crate::publish::lock_key::LockKey;
use crate::publish::merge::Merge;
use crate::publish::published::Published;
use crate::publish::skill_patch::Unchangeable;
use crate::unreadable_item::UnreadableItem;
use dibber_skill::content_hash::ContentHash;
use dibber_skill::contract::{PolicyDecision, SkillId, SkillUpdate, SkillWrite, StoredSkill};
use dibber_skill::spec_hash::SpecHash;

/// A skill to publish.
#[derive(Clone, Debug)]
pub struct SkillDraft<'a> {
    /// The arguments that it is published with.
    pub arguments: &'a SkillWrite,
    /// Their hash.
    pub hash: SpecHash,
    /// The paths of the files that their prompt includes.
    pub include: Vec<String>,
    /// Where it is recorded.
    pub key: LockKey,
    /// Whether it may be published.
    pub permission: Permission,
    /// What happens if another writer has changed it.
    pub foreign_changes: ForeignChanges,
    /// The content of the server that it contains, such as after a merge: no change of another
    /// writer.
    pub merged_content: Option<ContentHash>,
    /// The skill that an earlier plan has taken it for, from before it was moved: a merge changes the
    /// content by which it was recognised.
    pub moved: Option<MovedSkill>,
    /// Where it was when a write of it was interrupted, if it was moved since.
    pub interrupted_at: Option<LockKey>,
}

impl SkillDraft<'_> {
    /// Returns the skill as a subject of the journal: the one of the write that was interrupted, so
    /// that it is resumed with the same key.
    pub fn subject(&self) -> String {
        self.interrupted_at.as_ref().unwrap_or(&self.key).subject()
    }

    /// Returns the content that the server has once the skill is published.
    pub fn content(&self) -> ContentHash {
        ContentHash::of_write(self.arguments)
    }
}

/// Whether a draft may be published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    /// It may.
    Allowed,
    /// The author's own machine refuses it. It still is the skill that it was recorded as.
    Refused,
}

/// How a push treats what was published before.
#[derive(Clone, Copy, Debug)]
pub struct PushPolicy {
    /// Whether the records are used.
    pub records: Records,
    /// When a skill at a new path is taken for one whose directory is gone.
    pub moves: Moves,
    /// Whether the plan needs the previews of the server.
    pub previews: Previews,
}

/// Whether a plan needs the previews of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Previews {
    /// A skill without a preview is blocked.
    Required,
    /// The changes are planned without previews if the caller may not ask for them.
    IfPermitted,
}

/// Whether the records of what was published are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Records {
    /// A skill that is recorded is updated.
    Use,
    /// Every skill is created.
    Ignore,
}

/// What happens to a skill that another writer has changed since it was published from here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForeignChanges {
    /// It is not published.
    Block,
    /// It is overwritten.
    Overwrite,
}

/// When a skill at a new path is taken for one that was published and whose directory is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moves {
    /// When it has the same content, or at least the same name, summary or prompt. The plan is
    /// shown to the user.
    Likely,
    /// When it has the same content. A skill that has only the same name, summary or prompt is
    /// not published.
    Certain,
}

/// A skill, and what has to be done for it.
#[derive(Debug)]
pub struct PlannedSkill<'a> {
    /// The skill.
    pub draft: SkillDraft<'a>,
    /// What has to be done.
    pub step: SkillStep,
    /// The skill that it was published as.
    pub record: SkillRecord,
}

/// The skill that a directory was published as, as far as this machine knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SkillRecord {
    /// There is none.
    #[default]
    None,
    /// It is recorded in `dibber.lock`.
    Recorded(Published),
    /// An interrupted push has created it; it is not recorded yet.
    Recovered(Published),
    /// It is recorded for another directory, which is gone.
    Moved(MovedSkill),
    /// It is not recorded, and the only skill of the server with the same content that no directory
    /// is recorded as.
    SameContent(Published),
}

/// A skill that is recorded for a directory which is gone, and is at another path now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovedSkill {
    /// That directory.
    pub from: LockKey,
    /// What is recorded for it.
    pub published: Published,
    /// Why the skill at the new path is taken for it.
    pub evidence: MoveEvidence,
}

/// Why a skill at a new path is taken for one whose directory is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveEvidence {
    /// It has the content that was published.
    SameContent,
    /// Its directory has the same name, in the same project.
    SameName,
    /// It has the label, the summary or the prompt that was published, in the same project.
    SameField,
}

impl From<Option<Published>> for SkillRecord {
    fn from(recorded: Option<Published>) -> Self {
        recorded.map_or(Self::None, Self::Recorded)
    }
}

impl SkillRecord {
    /// Returns the skill, if there is one.
    pub const fn published(&self) -> Option<&Published> {
        match self {
            Self::None => None,
            Self::Recorded(published)
            | Self::Recovered(published)
            | Self::Moved(MovedSkill { published, .. })
            | Self::SameContent(published) => Some(published),
        }
    }

    /// Returns the skill, if an interrupted push has created it.
    pub const fn recovered(&self) -> Option<&Published> {
        match self {
            Self::Recovered(published) => Some(published),
            Self::None | Self::Recorded(_) | Self::Moved(_) | Self::SameContent(_) => None,
        }
    }

    /// Returns the directory that it is recorded for, if that is another one.
    pub const fn moved_from(&self) -> Option<&LockKey> {
        match self {
            Self::Moved(moved) => Some(&moved.from),
            Self::None | Self::Recorded(_) | Self::Recovered(_) | Self::SameContent(_) => None,
        }
    }
}

/// What has to be done for a skill.
pub type SkillStep<B = SkillBlocked> = Step<SkillCreation, SkillChange, SkillUnchanged, B>;

/// A skill that is created.
#[derive(Clone, Debug)]
pub struct SkillCreation {
    /// The server's preview, unless the caller may not ask for it.
    pub preview: Option<ServerPreview>,
}

/// What a server answers about a draft before it is published.
#[derive(Clone, Debug)]
pub struct ServerPreview {
    /// What the server's checks say.
    pub policy: PolicyDecision,
    /// The hash of the preview, in whatever form the server writes it.
    pub server_hash: String,
    /// The skill as the preview of a server of another make shows it.
    pub shown: Option<Box<SkillWrite>>,
}

/// A skill that is changed.
#[derive(Clone, Debug)]
pub struct SkillChange {
    /// The server's preview, unless the caller may not ask for it.
    pub preview: Option<ServerPreview>,
    /// The skill as it is stored.
    pub stored: Box<StoredSkill>,
    /// The change.
    pub update: Box<SkillUpdate>,
    /// The hash of the change that the server's preview asks a parent to look at.
    pub update_hash: Option<String>,
    /// The changes of both sides, if another writer has changed it since it was published from
    /// here.
    pub conflict: Option<Box<Conflict>>,
}

/// A skill that is up to date on the server.
#[derive(Clone, Debug)]
pub struct SkillUnchanged {
    /// The skill.
    pub skill_id: SkillId,
    /// Its content, in the form in which the server stores it.
    pub content: Box<SkillWrite>,
    /// Whether `dibber.lock` says so.
    pub is_recorded: bool,
    /// What earlier writes of it may still do.
    pub pending: PendingWrites,
}

/// What writes that were begun and have not ended may still do to an unchanged skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PendingWrites {
    /// There are none.
    None,
    /// They lead to the content that the skill has.
    Settled,
    /// They lead to another content.
    MayChange,
}

/// Which sides have changed a skill since it was published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangedSides {
    /// The server alone.
    Server,
    /// Both, and a pull merges the changes.
    Both,
    /// Both, and a pull cannot merge them: these fields were changed here and there. If it is not
    /// known which fields were changed, there are none.
    Conflict(Vec<&'static str>),
}

impl From<Merge> for ChangedSides {
    fn from(merge: Merge) -> Self {
        match merge {
            Merge::Merged { has_own_changes: false, .. } => Self::Server,
            Merge::Merged { has_own_changes: true, .. } => Self::Both,
            Merge::Conflict(fields) => Self::Conflict(fields),
            Merge::NoBase => Self::Conflict(Vec::new()),
        }
    }
}

/// Why a skill is not published.
#[derive(Debug)]
pub enum SkillBlocked {
    /// The author's own machine refuses it.
    NotAllowed,
    /// The skill that was published is archived.
    Archived {
        /// The skill.
        skill_id: SkillId,
    },
    /// The skill that was published does not exist any more.
    Missing {
        /// The skill.
        skill_id: SkillId,
    },
    /// It has the name, the summary or the prompt of a skill whose directory is gone, but another
    /// content.
    MayBeMoved {
        /// The directory.
        from: LockKey,
        /// The skill.
        skill_id: SkillId,
    },
    /// No directory is recorded as any of these skills, which have the same content.
    SeveralSame {
        /// The skills.
        skill_ids: Vec<SkillId>,
    },
    /// It is new, and no directory is recorded as any of these skills, which have its label.
    SameLabel {
        /// The skills.
        skill_ids: Vec<SkillId>,
    },
    /// It is new, and may be any of these items of the server's list, which cannot be read.
    Unreadable {
        /// The items.
        items: Vec<UnreadableItem>,
    },
    /// An update cannot change these arguments.
    Unchangeable(Vec<Unchangeable>),
    /// Another writer has changed it.
    ChangedElsewhere {
        /// The skill.
        skill_id: SkillId,
        /// Whether the content that was published last is recorded.
        has_recorded_content: bool,
        /// What the changes of both sides are.
        changes: ChangedSides,
        /// The changes by field.
        conflict: Box<Conflict>,
    },
    /// The server computes spec-hashes as this program does, and has read other arguments than were
    /// sent.
    HashMismatch {
        /// The hash of the draft.
        here: SpecHash,
        /// The hash that the server has answered.
        there: String,
    },
    /// The server's checks refuse it.
    Refused(PolicyDecision),
    /// A call failed.
    Call(ClientError),
}

impl From<ClientError> for SkillBlocked {
    fn from(error: ClientError) -> Self {
        Self::Call(error)
    }
}
