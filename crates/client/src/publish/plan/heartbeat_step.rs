//! The plan of heartbeats as data: a step for each.

use std::sync::Arc;

use crate::error::ClientError;
use crate::publish::lock_file::LockFileError;
use crate::publish::lock_files::LockFiles;
use crate::publish::lock_key::LockKey;
use crate::publish::plan::heartbeat_part::HeartbeatPart;
use crate::publish::plan::skill_step::ForeignChanges;
use crate::publish::published::PublishedHeartbeat;
use dibber_skill::contract::{
    HeartbeatCreate, HeartbeatDescription, HeartbeatId, HeartbeatListItem, HeartbeatUpdate,
    MissedFires,
};

/// Where a heartbeat of `sprout.yaml` is recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeartbeatKey {
    /// Its skill.
    pub skill: LockKey,
    /// Its name in `sprout.yaml`.
    pub name: String,
}

impl HeartbeatKey {
    /// Returns the heartbeat as a subject of the journal.
    pub fn subject(&self) -> String {
        let (start, end) = subject_parts(&self.skill);
        format!("{start}{}{end}", self.name)
    }

    /// Returns the heartbeat of a skill that is this subject of the journal.
    pub(super) fn of_subject(subject: &str, skill: &LockKey) -> Option<Self> {
        let (start, end) = subject_parts(skill);
        let name = subject.strip_prefix(start)?.strip_suffix(&end)?;
        Some(Self { skill: skill.clone(), name: name.to_owned() })
    }

    /// Returns `true` if an id is recorded of another heartbeat.
    pub(crate) fn is_of_other(&self, id: &HeartbeatId, locks: &LockFiles) -> bool {
        locks.is_heartbeat_of_other(id, &self.skill, &self.name)
    }

    /// Records the heartbeat, if its skill is recorded.
    pub(crate) fn record(
        &self,
        heartbeat: PublishedHeartbeat,
        locks: &mut LockFiles,
    ) -> Result<(), LockFileError> {
        locks.record_heartbeat(&self.skill, &self.name, heartbeat).map(|_is_recorded| ())
    }
}

/// Returns what is before and after the name of a heartbeat in its subject of the journal.
fn subject_parts(skill: &LockKey) -> (&'static str, String) {
    ("heartbeat `", format!("` of {}", skill.subject()))
}

/// A heartbeat to publish.
#[derive(Clone, Debug)]
pub struct HeartbeatDraft {
    /// The arguments that it is created with.
    pub create: HeartbeatCreate,
    /// Where it is recorded, if it is one of `sprout.yaml`.
    pub key: Option<HeartbeatKey>,
    /// What is recorded of it.
    pub known: Option<PublishedHeartbeat>,
}

/// A heartbeat that was published, and that `sprout.yaml` no longer contains.
#[derive(Clone, Debug)]
pub struct RemovedHeartbeat {
    /// Where it is recorded.
    pub key: HeartbeatKey,
    /// What is recorded of it.
    pub known: PublishedHeartbeat,
}

/// How a plan treats what is on the server.
#[derive(Clone, Copy, Debug)]
pub struct HeartbeatPolicy {
    /// What happens to a heartbeat that was changed on the server.
    pub foreign_changes: ForeignChanges,
    /// What happens to heartbeats that `sprout.yaml` no longer contains.
    pub removed: RemovedHeartbeats,
    /// What happens to heartbeats that are not recorded.
    pub unrecorded: UnrecordedHeartbeats,
}

/// What happens to heartbeats that are not recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnrecordedHeartbeats {
    /// They are looked for on the server, where another machine may have made them.
    Find,
    /// As `Find`; one that the server may have already, as it does not list what it runs, is not
    /// created.
    FindCertain,
    /// They are created: their skills are new, so that the server cannot have them.
    Create,
}

/// What happens to heartbeats that `sprout.yaml` no longer contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RemovedHeartbeats {
    /// They stay on the server.
    Keep,
    /// They are cancelled.
    Cancel,
}

/// A heartbeat, and what has to be done for it.
#[derive(Debug)]
pub struct PlannedHeartbeat<B = HeartbeatBlocked> {
    /// Its name, here or, if it is only there, on the server.
    pub name: String,
    /// Where it is recorded, if it is one of `sprout.yaml`.
    pub key: Option<HeartbeatKey>,
    /// What it is to do with missed times, if the server takes no such argument: it is not sent.
    pub unsent: Option<MissedFires>,
    /// What has to be done.
    pub step: HeartbeatStep<B>,
}

/// What has to be done for a heartbeat.
#[derive(Clone, Debug)]
pub enum HeartbeatStep<B = HeartbeatBlocked> {
    /// It is created.
    Create(HeartbeatCreation),
    /// It exists, and is changed.
    Update(HeartbeatEdit),
    /// It exists, and is cancelled for good.
    Cancel(Box<HeartbeatListItem>, UndoneHeartbeat),
    /// It is in the wanted state already.
    Unchanged(HeartbeatUnchanged),
    /// It was created, and the server does not list what it creates: it is kept as it is.
    Unlisted(HeartbeatId),
    /// It is cancelled already, and `sprout.yaml` does not contain it: its record is removed.
    Forget(HeartbeatId),
    /// It must not, or cannot, be brought into the wanted state.
    Blocked(B),
}

impl<B> HeartbeatStep<B> {
    /// Returns `true` if something has to be written.
    pub const fn has_changes(&self) -> bool {
        matches!(self, Self::Create(_) | Self::Update(_) | Self::Cancel(..))
    }

    /// Returns the heartbeat that exists, or that a new one takes the place of.
    pub(super) fn existing_id(&self) -> Option<&HeartbeatId> {
        let listed = match self {
            Self::Create(creation) => creation.replaced.as_ref()?,
            Self::Update(HeartbeatEdit { listed, .. })
            | Self::Unchanged(HeartbeatUnchanged { listed, .. })
            | Self::Cancel(listed, _) => listed,
            Self::Unlisted(id) | Self::Forget(id) => return Some(id),
            Self::Blocked(_) => return None,
        };
        Some(&listed.heartbeat_id)
    }

    /// Returns the heartbeat that exists, and is changed, cancelled or replaced.
    pub(crate) fn changed(&self) -> Option<&HeartbeatListItem> {
        match self {
            Self::Create(creation) => creation.replaced.as_deref(),
            Self::Update(edit) => Some(&edit.listed),
            Self::Cancel(listed, _) => Some(listed),
            Self::Unchanged(_) | Self::Unlisted(_) | Self::Forget(_) | Self::Blocked(_) => None,
        }
    }

    /// Returns why it is blocked, if it is.
    pub const fn blocked(&self) -> Option<&B> {
        match self {
            Self::Blocked(blocked) => Some(blocked),
            _ => None,
        }
    }

    /// Turns the reason of a blocked step into another one.
    pub fn map_blocked<A>(self, map: impl FnOnce(B) -> A) -> HeartbeatStep<A> {
        match self {
            Self::Create(create) => HeartbeatStep::Create(create),
            Self::Update(update) => HeartbeatStep::Update(update),
            Self::Cancel(listed, undoes) => HeartbeatStep::Cancel(listed, undoes),
            Self::Unchanged(unchanged) => HeartbeatStep::Unchanged(unchanged),
            Self::Unlisted(id) => HeartbeatStep::Unlisted(id),
            Self::Forget(id) => HeartbeatStep::Forget(id),
            Self::Blocked(blocked) => HeartbeatStep::Blocked(map(blocked)),
        }
    }
}

/// A heartbeat that is created.
#[derive(Clone, Debug)]
pub struct HeartbeatCreation {
    /// The arguments.
    pub create: Box<HeartbeatCreate>,
    /// What the server says of it.
    pub description: HeartbeatDescription,
    /// The heartbeat that it takes the place of, which is cancelled before: what differs cannot be
    /// changed in a heartbeat that exists.
    pub replaced: Option<Box<HeartbeatListItem>>,
    /// Whether it is paused once it is created, as the one that it takes the place of is, or was.
    pub is_paused: bool,
    /// The heartbeats that the server has already. None of them is the one that is created.
    pub existing: Arc<[HeartbeatId]>,
    /// What happens if an interrupted run has created it, and another writer has cancelled it since.
    pub foreign_changes: ForeignChanges,
    /// What it undoes.
    pub undoes: UndoneHeartbeat,
    /// One that the server has already, and that may be the same.
    pub possible_duplicate: Option<PossibleDuplicate>,
}

/// The heartbeats of a server that may be the same as a new one.
#[derive(Clone, Debug)]
pub enum PossibleDuplicate {
    /// This one runs the same skill at the same times.
    Same(HeartbeatId),
    /// These have the same name or times, each with its id and its name; the server does not list
    /// what they run. There is at least one.
    Similar(Vec<(HeartbeatId, String)>),
}

/// A heartbeat that exists and is changed.
#[derive(Clone, Debug)]
pub struct HeartbeatEdit {
    /// The changes, in their order, each with what is recorded of the heartbeat after it.
    pub updates: Vec<(HeartbeatUpdate, PublishedHeartbeat)>,
    /// The heartbeat as it is listed now.
    pub listed: Box<HeartbeatListItem>,
    /// What the server says of it after the change.
    pub description: HeartbeatDescription,
    /// What it undoes.
    pub undoes: UndoneHeartbeat,
}

/// What a step undoes that another writer has done with a heartbeat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum UndoneHeartbeat {
    /// Nothing.
    #[default]
    Nothing,
    /// Changes of these parts. Empty if it is not known which.
    Changes(Vec<HeartbeatPart>),
    /// They have made it, and it is not recorded.
    Creation,
    /// They have cancelled it.
    Cancellation,
}

/// What is not known of a heartbeat that is not recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assumed {
    /// Nothing of what is published from here.
    Nothing,
    /// What it fills in.
    Inputs,
    /// Which skill it runs: it has the name and the schedule of the one here.
    Skill,
}

/// A heartbeat that exists and needs no change.
#[derive(Clone, Debug)]
pub struct HeartbeatUnchanged {
    /// The heartbeat as it is listed.
    pub listed: Box<HeartbeatListItem>,
    /// What has to be recorded of it, if it is not recorded yet.
    pub unrecorded: Option<PublishedHeartbeat>,
    /// What is taken to be as here, as the server does not list it.
    pub assumed: Assumed,
    /// Others that are the same and are not recorded: the skill runs once more at each time.
    pub duplicates: Vec<HeartbeatId>,
}

/// Why a heartbeat is not published.
#[derive(Debug)]
pub enum HeartbeatBlocked {
    /// Another writer has changed it, or has made one of the same name for the same skill.
    ChangedElsewhere {
        /// The heartbeat as it is listed.
        listed: Box<HeartbeatListItem>,
        /// The heartbeat here; none if `sprout.yaml` no longer contains it.
        wanted: Option<Box<HeartbeatCreate>>,
        /// Whether it is one that was published from here.
        is_recorded: bool,
        /// What both sides have changed, if that cannot be merged. Empty if it is not known which.
        colliding: Option<Vec<HeartbeatPart>>,
    },
    /// Another writer has cancelled it.
    CancelledElsewhere {
        /// The heartbeat.
        heartbeat_id: HeartbeatId,
        /// Whether it was changed here since it was published.
        is_changed_here: bool,
        /// One of the same name that the server has, and of which it does not list what it runs.
        same_name: Option<HeartbeatId>,
    },
    /// It was changed here, and the server does not list it: a change could make a second one.
    Unlisted(HeartbeatId),
    /// It is not recorded, and may be this heartbeat, which has its name: the server does not list what
    /// that runs.
    MayExist {
        /// The heartbeat.
        heartbeat_id: HeartbeatId,
        /// Whether it has the same schedule, too.
        has_same_schedule: bool,
    },
    /// It is new, and may be the heartbeat of this name, which `sprout.yaml` no longer contains and
    /// another writer has changed: both would run.
    MayBeRenamed(String),
    /// It is the heartbeat of another directory that is recorded as the same skill.
    OfOtherDirectory(LockKey),
    /// The heartbeat of that name is for another child.
    OtherChild {
        /// The heartbeat.
        heartbeat_id: HeartbeatId,
    },
    /// A call failed.
    Call(ClientError),
}

impl From<ClientError> for HeartbeatBlocked {
    fn from(error: ClientError) -> Self {
        Self::Call(error)
    }
}
