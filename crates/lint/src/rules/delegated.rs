//! The rules without a check of their own, in the order of the registry.
//!
//! What they report is found elsewhere, because others need it too: the parser of `sprout.yaml`
//! and the analyzers of a draft also serve a server and `dibber push`, and only a whole run knows
//! which waivers were used. [`Check`] says who finds; this table has what `dibber explain` shows.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Applicability, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::{HeartbeatReason, Reason};
use dibber_skill::manifest::ManifestProblemKind;

/// What the rules on `sprout.yaml` have in common.
const SPROUT: RuleMeta = RuleMeta {
    id: "",
    group: Group::Sprout,
    level: Level::Deny,
    fix: FixAvailability::None,
    since: "0.1.0",
    summary: "",
    docs: "",
};

/// What the rules on waivers have in common.
const WAIVERS: RuleMeta = RuleMeta { group: Group::Waivers, ..SPROUT };

pub(crate) static ABBREVIATED_TIME_ZONE: Rule = Rule {
    meta: RuleMeta {
        id: "abbreviated-time-zone",
        level: Level::Warn,
        summary: "the time zone of a heartbeat is an abbreviation, with another clock than meant",
        docs: include_str!("abbreviated_time_zone.md"),
        ..SPROUT
    },
    check: Check::Heartbeat(HeartbeatReason::AbbreviatedTimeZone),
};

pub(crate) static ASSIGNMENT_SKILL_IS_RUN_SKILL: Rule = Rule {
    meta: RuleMeta {
        id: "assignment-skill-is-run-skill",
        level: Level::Deny,
        summary: "a heartbeat runs a skill that creates schedules",
        docs: include_str!("assignment_skill_is_run_skill.md"),
        ..SPROUT
    },
    check: Check::Heartbeat(HeartbeatReason::AssignmentIsRun),
};

pub(crate) static BLANK_LABEL: Rule = Rule {
    meta: RuleMeta {
        id: "blank-label",
        level: Level::Deny,
        summary: "the label, the summary or the body is blank",
        docs: include_str!("blank_label.md"),
        ..SPROUT
    },
    check: Check::Draft(Reason::BlankField),
};

pub(crate) static CADENCE_OVER_CAP: Rule = Rule {
    meta: RuleMeta {
        id: "cadence-over-cap",
        level: Level::Deny,
        summary: "a heartbeat fires more often than a server allows",
        docs: include_str!("cadence_over_cap.md"),
        ..SPROUT
    },
    check: Check::Heartbeat(HeartbeatReason::OverCap),
};

pub(crate) static DUPLICATE_HEARTBEAT: Rule = Rule {
    meta: RuleMeta {
        id: "duplicate-heartbeat",
        level: Level::Deny,
        summary: "two heartbeats have the same name",
        docs: include_str!("duplicate_heartbeat.md"),
        ..SPROUT
    },
    check: Check::Heartbeat(HeartbeatReason::DuplicateName),
};

pub(crate) static DUPLICATE_INPUT: Rule = Rule {
    meta: RuleMeta {
        id: "duplicate-input",
        level: Level::Deny,
        summary: "two inputs have the same name",
        docs: include_str!("duplicate_input.md"),
        ..SPROUT
    },
    check: Check::Draft(Reason::DuplicateInput),
};

pub(crate) static HEARTBEAT_NAME: Rule = Rule {
    meta: RuleMeta {
        id: "heartbeat-name",
        level: Level::Deny,
        summary: "the name of a heartbeat is blank, too long or misleading",
        docs: include_str!("heartbeat_name.md"),
        ..SPROUT
    },
    check: Check::Heartbeat(HeartbeatReason::Name),
};

pub(crate) static INVALID_AGE_RANGE: Rule = Rule {
    meta: RuleMeta {
        id: "invalid-age-range",
        level: Level::Deny,
        summary: "the age range is not written as `5-7`",
        docs: include_str!("invalid_age_range.md"),
        ..SPROUT
    },
    check: Check::Draft(Reason::InvalidAgeRange),
};

pub(crate) static INVALID_CANVAS_ID: Rule = Rule {
    meta: RuleMeta {
        id: "invalid-canvas-id",
        level: Level::Warn,
        summary: "a canvas id is not a UUID",
        docs: include_str!("invalid_canvas_id.md"),
        ..SPROUT
    },
    check: Check::Draft(Reason::InvalidCanvasId),
};

pub(crate) static INVALID_CRON: Rule = Rule {
    meta: RuleMeta {
        id: "invalid-cron",
        level: Level::Deny,
        summary: "the schedule of a heartbeat is not a valid five-field cron expression",
        docs: include_str!("invalid_cron.md"),
        ..SPROUT
    },
    check: Check::Heartbeat(HeartbeatReason::InvalidCron),
};

pub(crate) static INVALID_MANIFEST: Rule = Rule {
    meta: RuleMeta {
        id: "invalid-manifest",
        level: Level::Deny,
        summary: "`sprout.yaml` does not match its schema",
        docs: include_str!("invalid_manifest.md"),
        ..SPROUT
    },
    check: Check::Manifest(ManifestProblemKind::Invalid),
};

pub(crate) static KID_CALLABLE_HOME_AGENT: Rule = Rule {
    meta: RuleMeta {
        id: "kid-callable-home-agent",
        level: Level::Warn,
        summary: "a child may launch the skill, but only the home agent can run it",
        docs: include_str!("kid_callable_home_agent.md"),
        ..SPROUT
    },
    check: Check::Draft(Reason::KidCallableHomeAgent),
};

pub(crate) static KID_CALLABLE_WITHOUT_AGE_RANGE: Rule = Rule {
    meta: RuleMeta {
        id: "kid-callable-without-age-range",
        level: Level::Deny,
        summary: "a child may launch the skill, but it has no age range",
        docs: include_str!("kid_callable_without_age_range.md"),
        ..SPROUT
    },
    check: Check::Draft(Reason::KidCallableWithoutAgeRange),
};

pub(crate) static MALFORMED_PLACEHOLDER: Rule = Rule {
    meta: RuleMeta {
        id: "malformed-placeholder",
        level: Level::Deny,
        fix: FixAvailability::Sometimes(Applicability::Unsafe),
        summary: "a placeholder is malformed and will not be filled in",
        docs: include_str!("malformed_placeholder.md"),
        ..SPROUT
    },
    check: Check::Draft(Reason::MalformedPlaceholder),
};

pub(crate) static MISSING_HEARTBEAT_INPUT: Rule = Rule {
    meta: RuleMeta {
        id: "missing-heartbeat-input",
        level: Level::Deny,
        summary: "a heartbeat has no value for an input that the skill needs",
        docs: include_str!("missing_heartbeat_input.md"),
        ..SPROUT
    },
    check: Check::Heartbeat(HeartbeatReason::MissingInput),
};

pub(crate) static MIXED_SHAPE: Rule = Rule {
    meta: RuleMeta {
        id: "mixed-shape",
        level: Level::Deny,
        summary: "the skill both does the work and schedules it",
        docs: include_str!("mixed_shape.md"),
        ..SPROUT
    },
    check: Check::Draft(Reason::MixedShape),
};

pub(crate) static NEVER_FIRES: Rule = Rule {
    meta: RuleMeta {
        id: "never-fires",
        level: Level::Deny,
        summary: "the schedule of a heartbeat matches no day",
        docs: include_str!("never_fires.md"),
        ..SPROUT
    },
    check: Check::Heartbeat(HeartbeatReason::NeverFires),
};

pub(crate) static OVERSIZED_TEXT: Rule = Rule {
    meta: RuleMeta {
        id: "oversized-text",
        level: Level::Deny,
        summary: "the label, the summary or the prompt is longer than the server of dibber accepts",
        docs: include_str!("oversized_text.md"),
        ..SPROUT
    },
    check: Check::Draft(Reason::TooLong),
};

pub(crate) static SCHEDULE_CONFLICT: Rule = Rule {
    meta: RuleMeta {
        id: "schedule-conflict",
        level: Level::Warn,
        summary: "two heartbeats fire in the same minute",
        docs: include_str!("schedule_conflict.md"),
        ..SPROUT
    },
    check: Check::Heartbeat(HeartbeatReason::Conflict),
};

pub(crate) static SENSITIVE_KID_HAND: Rule = Rule {
    meta: RuleMeta {
        id: "sensitive-kid-hand",
        level: Level::Warn,
        summary: "a child may launch the skill, and it changes what the child earns or is allowed",
        docs: include_str!("sensitive_kid_hand.md"),
        ..SPROUT
    },
    check: Check::Draft(Reason::SensitiveKidHand),
};

pub(crate) static TOO_MANY_CANVASES: Rule = Rule {
    meta: RuleMeta {
        id: "too-many-canvases",
        level: Level::Deny,
        summary: "the skill links more canvases than allowed",
        docs: include_str!("too_many_canvases.md"),
        ..SPROUT
    },
    check: Check::Draft(Reason::TooManyCanvases),
};

pub(crate) static UNDECLARED_HEARTBEAT_INPUT: Rule = Rule {
    meta: RuleMeta {
        id: "undeclared-heartbeat-input",
        level: Level::Deny,
        summary: "a heartbeat sets an input that the skill does not declare",
        docs: include_str!("undeclared_heartbeat_input.md"),
        ..SPROUT
    },
    check: Check::Heartbeat(HeartbeatReason::UndeclaredInput),
};

pub(crate) static UNDECLARED_PLACEHOLDER: Rule = Rule {
    meta: RuleMeta {
        id: "undeclared-placeholder",
        level: Level::Deny,
        summary: "the prompt has a placeholder that no input declares",
        docs: include_str!("undeclared_placeholder.md"),
        ..SPROUT
    },
    check: Check::Draft(Reason::UndeclaredPlaceholder),
};

pub(crate) static UNKNOWN_HAND: Rule = Rule {
    meta: RuleMeta {
        id: "unknown-hand",
        level: Level::Warn,
        summary: "a hand is not a public tool",
        docs: include_str!("unknown_hand.md"),
        ..SPROUT
    },
    check: Check::Draft(Reason::UnknownHand),
};

pub(crate) static UNKNOWN_MANIFEST_KEY: Rule = Rule {
    meta: RuleMeta {
        id: "unknown-manifest-key",
        level: Level::Deny,
        summary: "`sprout.yaml` has an unknown key",
        docs: include_str!("unknown_manifest_key.md"),
        ..SPROUT
    },
    check: Check::Manifest(ManifestProblemKind::UnknownKey),
};

pub(crate) static UNKNOWN_TIME_ZONE: Rule = Rule {
    meta: RuleMeta {
        id: "unknown-time-zone",
        level: Level::Deny,
        summary: "the time zone of a heartbeat does not exist",
        docs: include_str!("unknown_time_zone.md"),
        ..SPROUT
    },
    check: Check::Heartbeat(HeartbeatReason::UnknownTimeZone),
};

pub(crate) static UNPUBLISHED_FILE: Rule = Rule {
    meta: RuleMeta {
        id: "unpublished-file",
        level: Level::Warn,
        summary: "the prompt mentions a file that is not published",
        docs: include_str!("unpublished_file.md"),
        ..SPROUT
    },
    check: Check::Draft(Reason::UnpublishedFile),
};

pub(crate) static UNSCHEDULABLE_SKILL: Rule = Rule {
    meta: RuleMeta {
        id: "unschedulable-skill",
        level: Level::Deny,
        summary: "the skill has heartbeats, but no heartbeat can run it",
        docs: include_str!("unschedulable_skill.md"),
        ..SPROUT
    },
    check: Check::Heartbeat(HeartbeatReason::UnschedulableSkill),
};

pub(crate) static UNUSED_INPUT: Rule = Rule {
    meta: RuleMeta {
        id: "unused-input",
        level: Level::Warn,
        summary: "the prompt does not use an input",
        docs: include_str!("unused_input.md"),
        ..SPROUT
    },
    check: Check::Draft(Reason::UnusedInput),
};

pub(crate) static EXPIRED_WAIVER: Rule = Rule {
    meta: RuleMeta {
        id: "expired-waiver",
        level: Level::Warn,
        summary: "a waiver in `dibber.toml` has expired",
        docs: include_str!("expired_waiver.md"),
        ..WAIVERS
    },
    check: Check::Runner,
};

pub(crate) static MALFORMED_WAIVER: Rule = Rule {
    meta: RuleMeta {
        id: "malformed-waiver",
        level: Level::Deny,
        summary: "a waiver comment has no reason, names no rule, or cannot be parsed",
        docs: include_str!("malformed_waiver.md"),
        ..WAIVERS
    },
    check: Check::Runner,
};

pub(crate) static UNUSED_WAIVER: Rule = Rule {
    meta: RuleMeta {
        id: "unused-waiver",
        level: Level::Warn,
        summary: "a waiver covers no finding",
        docs: include_str!("unused_waiver.md"),
        ..WAIVERS
    },
    check: Check::Runner,
};
