//! Publishing skills to a server, and writing stored skills back to files.
//!
//! [`Lock`] is `dibber.lock` as data. [`plan_skills`] compares drafts with the server, and
//! [`apply_skills`] carries out the plan. [`SkillPatch::between`] returns the changes of a stored
//! skill that make it the skill of a draft. [`AuthoredFiles`] are the files whose draft is a stored
//! skill.

mod apply;
mod archival;
mod authored_files;
mod base_contents;
mod conflict;
mod current_heartbeats;
mod current_skills;
mod differing_fields;
mod directory_name;
mod duplicate_records;
mod duplicate_skills;
mod former_lock;
mod heartbeat_forms;
mod heartbeat_journal;
mod heartbeat_records;
mod interrupted_push;
mod line_merge;
mod link;
mod listed_skills;
mod lock;
mod lock_error;
mod lock_file;
mod lock_files;
mod lock_heartbeat;
mod lock_key;
mod lock_paths;
mod manifest_text;
mod merge;
mod plan;
mod published;
mod publisher;
mod recorded_link;
mod shared_skills;
mod skill_patch;

pub use apply::{
    AppliedSkills, ArchivedSkill, CancelledHeartbeat, ChangedHeartbeat, HeartbeatOutcome, Observer,
    PruneOutcome, PrunedSkill, SkillResult, apply_heartbeat, apply_pull, apply_skills,
    archive_skill, check_can_archive, find_renamed_skill, prune_skill, record_recovered,
    record_unchanged, set_archival, skill_subject, update_heartbeat, update_skill,
};
pub use archival::Archival;
pub use authored_files::{AuthoredFiles, included_paths};
pub use base_contents::{BaseContents, BaseContentsError, EarlierVersions};
pub use conflict::{ChangedBy, Conflict, ConflictField, MergeBase};
pub use current_heartbeats::CurrentHeartbeats;
pub use current_skills::CurrentSkills;
pub use differing_fields::DifferingFields;
pub use directory_name::{directory_name, name_of_label};
pub use duplicate_records::DuplicateRecord;
pub use duplicate_skills::{DuplicateSkill, find_duplicate_skills};
pub use heartbeat_journal::{
    InterruptedChange, end_heartbeat_writes, find_interrupted_change, is_cancel_unfinished,
};
pub use interrupted_push::InterruptedPush;
pub use link::create_record;
pub use listed_skills::{ListedSkills, SKILLS_MAX, unreadable_with_label};
pub use lock::{LOCK_BYTES_MAX, LOCK_FILE_NAME, Lock};
pub use lock_error::LockError;
pub use lock_file::{LockFileError, LockFileErrorKind, read_lock};
pub use lock_files::{LockFiles, MissingRecord};
pub use lock_key::LockKey;
pub use merge::Merge;
pub use plan::{
    Assumed, ChangedSides, ForeignChanges, HeartbeatBlocked, HeartbeatConflict,
    HeartbeatConflictKind, HeartbeatCreation, HeartbeatDraft, HeartbeatEdit, HeartbeatKey,
    HeartbeatPart, HeartbeatPolicy, HeartbeatSides, HeartbeatStep, HeartbeatUnchanged,
    InterruptedCreation, LocalChanges, MoveEvidence, MovedDirectory, MovedSkill, Moves,
    PendingWrites, Permission, PlannedHeartbeat, PlannedPrune, PlannedSkill, PossibleDuplicate,
    Previews, PruneBlocked, PruneStep, PullError, PullPlan, PullTarget, PulledFile,
    PulledFileState, PulledHeartbeats, PushPolicy, Records, RecoveredHeartbeat, RemovedHeartbeat,
    RemovedHeartbeats, RunningHeartbeats, ServerPreview, SkillBlocked, SkillChange, SkillCreation,
    SkillDraft, SkillRecord, SkillStep, SkillUnchanged, Step, UndoneChanges, UndoneHeartbeat,
    UnrecordedHeartbeats, UnwrittenHeartbeat, UnwrittenReason, find_interrupted_creations,
    find_moved_directories, plan_heartbeats, plan_prunes, plan_pull, plan_pulled_heartbeats,
    plan_skills, recover_heartbeats,
};
pub use published::{Published, PublishedHeartbeat};
pub use publisher::{PublishError, Publisher, Written};
pub use recorded_link::{RecordedLink, recorded_links};
pub use skill_patch::{SkillPatch, Unchangeable, links_canvas, updated_fields, without_stored};
