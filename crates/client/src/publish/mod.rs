//! What was published where, and the way from there to the files of a skill and back.
//!
//! [`Lock`] is `dibber.lock` as data. [`change_of`] tells what of a stored skill has to change to
//! be what a draft says. [`files_of`] writes the files of which a stored skill is the draft.
//! Nothing here asks a server.

mod apply;
mod change;
mod files;
mod lock;
mod lock_files;
mod manifest_text;
mod plan;
mod publisher;
mod toml_text;

pub use apply::{Observer, SkillResult, apply_skills, record_recovered, record_unchanged};
pub use change::{Change, Unchangeable, change_of};
pub use files::{Files, files_of, folder_name, name_of_label, updated};
pub use lock::{LOCK_BYTES_MAX, LOCK_FILE_NAME, Lock, LockError, Published, format_time};
pub use lock_files::{LockFileError, LockFileErrorKind, LockFiles, LockKey};
pub use plan::{
    ForeignChanges, PendingWrites, PlannedSkill, PushPolicy, Records, SkillBlocked, SkillChange,
    SkillCreation, SkillDraft, SkillStep, SkillUnchanged, Step, plan_skills,
};
pub use publisher::{PublishError, Publisher, Written};
