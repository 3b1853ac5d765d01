//! Skills that were added: what `dibber.lock` records of them, what adding, updating and removing does,
//! and whether they are as they were added.

mod apply;
mod lock;
mod lock_file;
mod plan;
mod record;
mod root;
mod staging;
mod state;

pub use apply::{ApplyError, ApplyStep, apply_install, apply_remove, recover};
pub use lock::{AddedLock, AddedLockError};
pub use lock_file::{LockFileError, LockFileErrorKind, read_added};
pub use plan::{
    Blocked, InstallPlan, InstallRequest, PlaceAction, RemovePlan, is_generated, plan_install,
    plan_remove,
};
pub use record::{AddedFile, AddedSkill};
pub use root::{ADDED_LOCK_FILE, InstallRoot};
pub use staging::is_staging_name;
pub(crate) use staging::write_contents;
pub use state::{FileDifference, FileDifferenceKind, PlaceState, place_state};
