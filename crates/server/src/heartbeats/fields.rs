//! The arguments of `heartbeat_create` and `heartbeat_update`, which `heartbeat_describe` takes,
//! too.

use crate::fields::{SHORT_TEXT, SUMMARY};
use crate::shape::{Field, Kind, optional, required};
use dibber_skill::contract::HEARTBEAT_NAME_CHARACTERS_MAX;

/// The most characters of a schedule; more than any that can be read.
const CRON: Kind = Kind::Text { max: 1_000 };
const NAME: Kind = Kind::Text { max: HEARTBEAT_NAME_CHARACTERS_MAX };

/// The arguments of `heartbeat_create`.
pub(crate) const CREATE: &[Field] = &[
    required("name", NAME, "What the family calls it."),
    required("cron", CRON, "Five fields of cron in the heartbeat's time zone: 0 8 * * 1-5."),
    optional("tz", SHORT_TEXT, "The IANA time zone; America/New_York when left out."),
    required("runSkillId", SHORT_TEXT, "The skill that it runs each time."),
    optional(
        "assignmentSkillId",
        SHORT_TEXT,
        "The skill that schedules it, if there is one; it names heartbeat_create.",
    ),
    optional("childId", SHORT_TEXT, "The child that it is for; the whole family when left out."),
    optional(
        "sourceChatId",
        SHORT_TEXT,
        "The chat whose participants it gets; the family's chat when left out.",
    ),
    optional(
        "skillInput",
        Kind::AnyObject,
        "The values of the skill's inputs, the same at each fire; {{fireDate}} stands for the day.",
    ),
    optional(
        "postResultNotify",
        Kind::Boolean,
        "Whether whoever runs it is to post the result to the family inbox.",
    ),
];

const ID: &str = "The heartbeat.";
const ACTIONS: Kind = Kind::OneOf(&[
    "edit_schedule",
    "edit_text",
    "edit_name",
    "pause",
    "resume",
    "cancel",
    "add_member",
    "remove_member",
    "promote_admin",
]);
const ACTION: Field = required("action", ACTIONS, "What is done with it.");
const NEW_CRON: Field = optional("cron", CRON, "For edit_schedule: the new schedule.");
const NEW_TZ: Field = optional("tz", SHORT_TEXT, "For edit_schedule: the new IANA time zone.");
const TEXT: Field =
    optional("promptText", SUMMARY, "For edit_text; a heartbeat that runs a skill has no text.");
const NEW_NAME: Field = optional("name", NAME, "For edit_name: the new name.");
const TARGET: Field =
    optional("targetUserId", SHORT_TEXT, "For the actions on members: the grown-up.");

/// The arguments of `heartbeat_update`.
pub(crate) const UPDATE: &[Field] =
    &[required("heartbeatId", SHORT_TEXT, ID), ACTION, NEW_CRON, NEW_TZ, TEXT, NEW_NAME, TARGET];

/// The same as a part of `heartbeat_describe`, where the heartbeat stands beside them.
pub(crate) const PATCH: &[Field] = &[
    optional("heartbeatId", SHORT_TEXT, "The same as beside the patch."),
    ACTION,
    NEW_CRON,
    NEW_TZ,
    TEXT,
    NEW_NAME,
    TARGET,
];
