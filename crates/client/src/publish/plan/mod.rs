//! What has to be done to publish: the server is asked, and nothing is written.

mod counterpart;
mod created_heartbeat;
mod distinct_heartbeats;
mod heartbeat_content;
mod heartbeat_description;
mod heartbeat_merge;
mod heartbeat_missed;
mod heartbeat_part;
mod heartbeat_pause;
mod heartbeat_pull_step;
mod heartbeat_run;
mod heartbeat_search;
mod heartbeat_step;
mod heartbeats;
mod interrupted_creations;
mod interrupted_heartbeats;
mod listed_heartbeat;
mod moved_directories;
mod moves;
mod new_heartbeats;
mod passing_duplicates;
mod pending_writes;
mod possible_duplicates;
mod prune;
mod pull;
mod pull_directory;
mod pull_error;
mod pulled_heartbeats;
mod pulled_text;
mod recover;
mod renamed_heartbeats;
mod replaced_heartbeats;
mod running_heartbeats;
mod skill_search;
mod skill_step;
mod skills;
mod step;
mod unlisted_runs;

pub(super) use created_heartbeat::{is_as_sent, new_heartbeats};
pub(super) use heartbeat_content::{
    as_it_was, ignored_by, published_as_sent, read_back, read_created,
};
pub use heartbeat_part::HeartbeatPart;
pub use heartbeat_pull_step::{
    HeartbeatConflict, HeartbeatConflictKind, HeartbeatSides, PulledHeartbeats, UnwrittenHeartbeat,
    UnwrittenReason,
};
pub use heartbeat_step::{
    Assumed, HeartbeatBlocked, HeartbeatCreation, HeartbeatDraft, HeartbeatEdit, HeartbeatKey,
    HeartbeatPolicy, HeartbeatStep, HeartbeatUnchanged, PlannedHeartbeat, PossibleDuplicate,
    RemovedHeartbeat, RemovedHeartbeats, UndoneHeartbeat, UnrecordedHeartbeats,
};
pub use heartbeats::plan_heartbeats;
pub use interrupted_creations::{InterruptedCreation, find_interrupted_creations};
pub use moved_directories::{MovedDirectory, find_moved_directories};
pub(super) use possible_duplicates::appeared;
pub use prune::{PlannedPrune, PruneBlocked, PruneStep, UndoneChanges, plan_prunes};
pub use pull::{LocalChanges, PullPlan, PulledFile, PulledFileState, plan_pull};
pub use pull_directory::PullTarget;
pub use pull_error::PullError;
pub use pulled_heartbeats::plan_pulled_heartbeats;
pub use recover::{RecoveredHeartbeat, recover_heartbeats};
pub use running_heartbeats::RunningHeartbeats;
pub use skill_step::{
    ChangedSides, ForeignChanges, MoveEvidence, MovedSkill, Moves, PendingWrites, Permission,
    PlannedSkill, Previews, PushPolicy, Records, ServerPreview, SkillBlocked, SkillChange,
    SkillCreation, SkillDraft, SkillRecord, SkillStep, SkillUnchanged,
};
pub use skills::plan_skills;
pub use step::Step;
