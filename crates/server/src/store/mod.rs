//! What the server stores: families, and in each its children, canvases, skills and heartbeats.
//!
//! The store is a trait, [`Store`], whose transactions are made of a trait for each subject.
//! Every operation names its family, so nothing of another family can be reached with its id.
//! Times are in milliseconds since 1970.
//!
//! # Listing order
//!
//! A list of skills or heartbeats is in the order in which their additions were committed. A page
//! begins after the item with a given id, so whatever is added or changed between two pages, no
//! item is skipped and none repeated: an item that becomes visible later also comes later. After an
//! id that the family does not have, there is an empty page.
//!
//! An engine whose transactions run one at a time gets this order from a counter. An engine that runs
//! several at once has to let the additions of a family wait for each other, as by locking a
//! counter in the row of the family until the transaction ends: numbers of a sequence become
//! visible in another order than that in which they were drawn, and a reader who has passed a
//! number would never see what is committed below it.

mod activity;
mod address;
mod answers;
mod blobs;
mod cadence;
mod changes;
mod check;
mod copy;
mod engine;
mod error;
mod families;
mod follow_thread;
mod grants;
mod heartbeats;
mod inbox;
mod listed;
mod open;
pub(crate) mod pages;
#[cfg(feature = "postgres")]
pub mod postgres;
mod read_threads;
mod removal;
mod resource;
pub mod rows;
mod runs;
mod skill_runs;
mod skills;
pub mod sqlite;
mod store_ext;
mod transaction;
mod versions;
mod write_thread;

pub use activity::{Event, EventList, EventOrder, NumberedEvent, ReadActivity, WriteActivity};
pub use address::{DatabaseAddress, InvalidAddress};
pub use answers::{IdempotencyRecords, RecordedAnswer};
pub use blobs::{Blob, BlobPlace, BlobUsage, ReadBlobs, RemovedBlob, WriteBlobs};
pub use cadence::{Cadence, InvalidCadence};
pub use changes::{Changes, FAMILY_WATCHED_MAX, Subscriber, TooManyWatched};
pub use check::DatabaseProblem;
pub use copy::{CopiedFamily, CopiedTable, CopyError, CopyPlan, FamilyPlan, copy, plan_copy};
pub use engine::{ReadJob, Store, WriteJob};
pub use error::{StoreError, StoreResult};
pub(crate) use families::token_id;
pub use families::{Canvas, Child, Family, FamilyId, ReadFamilies, Token, User, WriteFamilies};
pub use grants::{Credential, CredentialKind, Grant, ReadGrants, RegisteredClient, WriteGrants};
pub use heartbeats::{
    Heartbeat, HeartbeatList, HeartbeatState, Member, MemberRole, ReadHeartbeats, WriteHeartbeats,
};
pub use inbox::{Card, CardList, ReadInbox, WriteInbox};
pub use listed::Listed;
pub use open::{
    OpenError, check, child_names, heartbeat_names, open, open_existing, remove_damaged,
};
pub use removal::{RemovalDecision, RemovedRow};
pub use resource::Resource;
pub use runs::{Decision, FiredRun, NextWork, ReadRuns, RecentRuns, RunList, RunsOf, WriteRuns};
pub use skill_runs::{
    INTERRUPTED, INTERRUPTED_SUMMARY, ReadSkillRuns, RunProgram, SkillRun, SkillRunList,
    UNFINISHED, WriteSkillRuns,
};
pub use skills::{ReadSkills, Skill, SkillList, WriteSkills};
pub use sqlite::database_path;
pub use store_ext::StoreExt;
pub use transaction::{Ending, Reader, Writer, attempt};
pub use versions::{Change, ReadVersions, WriteVersions};
