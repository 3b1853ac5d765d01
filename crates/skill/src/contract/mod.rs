//! The wire types of the supported protocols, one file per tool family, and their limits.
//!
//! The names are the wire's. The doc comment of a field is its description in `tools/list`, which
//! agents read; an empty `description` attribute leaves out what the name says. Nothing here
//! decides anything.

mod activity;
mod envelope;
mod heartbeat;
mod heartbeat_change;
mod heartbeat_listed;
mod id_kinds;
mod ids;
mod inbox;
mod limits;
mod resource;
mod run;
mod schema;
mod session;
mod skill;
mod skill_change;
mod skill_tools;
pub mod skills_protocol;
mod tools;
mod wire_enum;
mod wrong_argument;

pub use activity::{
    ACTIVITY_LIST, ActivityActor, ActivityEvent, ActivityListArguments, ActivityRefs, ActivityType,
};
pub use envelope::{ERROR, ErrorCode, Issue, NEXT_STEP, REPLAYED, ToolError};
pub use heartbeat::{
    DescribeMode, DescribedWarning, HeartbeatCreate, HeartbeatCreated, HeartbeatDescribe,
    HeartbeatDescription, HeartbeatListArguments, HeartbeatListItem, HeartbeatMember,
    HeartbeatPreview, HeartbeatUpdated, HeartbeatWarning, MemberRole, TIME_ZONE_DEFAULT,
};
pub use heartbeat_change::{
    HeartbeatAction, HeartbeatChange, HeartbeatUpdate, HeartbeatUpdateArguments,
};
pub use heartbeat_listed::{ListedHeartbeat, RUN_CONTEXT, RUN_CONTEXT_FIELDS, RunContext};
pub use id_kinds::{
    BlobId, BlobKind, CanvasId, CanvasKind, ChatId, ChatKind, ChildId, ChildKind, EventId,
    EventKind, FamilyId, FamilyKind, HeartbeatId, HeartbeatKind, ResultId, ResultKind, RunId,
    RunKind, SkillId, SkillKind, UserId, UserKind,
};
pub use ids::{Id, IdForm, IdKind, NotAnId, check_id};
pub use inbox::{
    CardKind, CardState, INBOX_LIST, INBOX_UPDATE, InboxCard, InboxListArguments, InboxUpdate,
    InboxUpdated, RESULT_DATA, RESULT_SUMMARY,
};
pub use limits::{
    HEARTBEAT_NAME_CHARACTERS_MAX, LABEL_CHARACTERS_MAX, PROMPT_CHARACTERS_MAX,
    SUMMARY_CHARACTERS_MAX,
};
pub use resource::{
    ACTIVITY_URI, INBOX_URI, RESOURCE_WAIT, ResourceVersion, ResourceWaitAnswer,
    ResourceWaitArguments, WAIT_MILLISECONDS_MAX, WAIT_RESOURCES_MAX, WatchedResource,
};
pub use run::{
    DueAction, HEARTBEAT_DUE, HeartbeatDue, HeartbeatDueAnswer, HeartbeatDueArguments,
    HeartbeatRun, LEASE_SECONDS_DEFAULT, MissedFires, RunState,
};
pub use schema::{input_schema, output_schema, write_input_schema};
pub use session::{
    DATABASE_DAMAGED, FamilyCanvas, FamilyOverview, GUIDES, Health, IDEMPOTENCY_ARGUMENT,
    IDEMPOTENCY_CAPABILITY, IDEMPOTENCY_CONFLICT, IDEMPOTENCY_HEADER, IDEMPOTENCY_HOURS,
    IDEMPOTENCY_KEY_CHARACTERS_MAX, IDEMPOTENCY_META, IDEMPOTENCY_TOOLS, Kid, NoArguments, Parent,
    SAFETY_CHECK_FAILED, SCOPE_MISSING, Scope, Whoami,
};
pub use skill::{
    CANVASES_MAX, Category, DATE_TYPE, Decision, InputVariable, PolicyDecision, PolicyReason,
    Runner, SKILL_WRITE, SKILL_WRITE_FIELDS, Shape, SkillPreview, SkillWrite, SkillWriteAnswer,
    SkillWriteArguments,
};
pub use skill_change::{
    AgeRangeChange, ResponseModelChange, SKILL_CHANGED, SKILL_UPDATE, SkillField, SkillUpdate,
    SkillUpdateArguments, SkillUpdated,
};
pub use skill_tools::{
    CanvasSummary, PAGE_ITEMS_DEFAULT, PAGE_ITEMS_MAX, Page, ResultPosted, SKILL_ARCHIVE,
    SKILL_POST_RESULT, SkillArchive, SkillArchived, SkillFound, SkillGet, SkillInvoke,
    SkillInvoked, SkillListArguments, SkillListItem, SkillPostResult, StoredModel, StoredSkill,
};
pub use tools::{
    HEARTBEAT_CREATE, HEARTBEAT_UPDATE, PUBLIC_TOOLS, PublicTool, Sensitivity, TASK_CREATE,
    wire_name,
};
pub use wire_enum::{OpenEnum, WireEnum};
pub use wrong_argument::WrongArgument;
