//! A change of a heartbeat, and the arguments of `heartbeat_update` that it is parsed from.

#![expect(clippy::doc_markdown, reason = "agents read these descriptions as they are")]

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::id_kinds::{HeartbeatId, UserId};
use super::limits::{CRON_CHARACTERS_MAX, HEARTBEAT_NAME_CHARACTERS_MAX, SUMMARY_CHARACTERS_MAX};
use super::run::MissedFires;
use super::wire_enum::WireEnum;
use super::wrong_argument::WrongArgument;

/// A change of a heartbeat: the arguments of `heartbeat_update`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HeartbeatUpdate {
    /// The heartbeat.
    pub heartbeat_id: HeartbeatId,
    /// What is done with it.
    #[serde(flatten)]
    pub change: HeartbeatChange,
}

/// What is done with a heartbeat, with the arguments of the action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "action", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum HeartbeatChange {
    /// Another schedule, or a part of it.
    EditSchedule {
        /// Another cron expression.
        #[serde(skip_serializing_if = "Option::is_none")]
        cron: Option<String>,
        /// Another IANA time zone.
        #[serde(skip_serializing_if = "Option::is_none")]
        tz: Option<String>,
    },
    /// Another text; for heartbeats without a skill.
    EditText {
        /// The text.
        prompt_text: String,
    },
    /// Another name.
    EditName {
        /// The name.
        name: String,
    },
    /// Other values of the inputs.
    EditInputs {
        /// A value for each input of the skill.
        skill_input: Map<String, Value>,
    },
    /// Another way to treat planned times that were missed.
    EditMissedFires {
        /// What runs of them.
        missed_fires: MissedFires,
    },
    /// It does not fire until it is resumed.
    Pause,
    /// It fires again.
    Resume,
    /// It never fires again.
    Cancel,
    /// A grown-up takes part.
    AddMember {
        /// The grown-up.
        target_user_id: UserId,
    },
    /// A grown-up no longer takes part.
    RemoveMember {
        /// The grown-up.
        target_user_id: UserId,
    },
    /// A grown-up may edit it.
    PromoteAdmin {
        /// The grown-up.
        target_user_id: UserId,
    },
}

impl HeartbeatChange {
    /// Returns the action.
    pub const fn action(&self) -> HeartbeatAction {
        match self {
            Self::EditSchedule { .. } => HeartbeatAction::EditSchedule,
            Self::EditText { .. } => HeartbeatAction::EditText,
            Self::EditName { .. } => HeartbeatAction::EditName,
            Self::EditInputs { .. } => HeartbeatAction::EditInputs,
            Self::EditMissedFires { .. } => HeartbeatAction::EditMissedFires,
            Self::Pause => HeartbeatAction::Pause,
            Self::Resume => HeartbeatAction::Resume,
            Self::Cancel => HeartbeatAction::Cancel,
            Self::AddMember { .. } => HeartbeatAction::AddMember,
            Self::RemoveMember { .. } => HeartbeatAction::RemoveMember,
            Self::PromoteAdmin { .. } => HeartbeatAction::PromoteAdmin,
        }
    }

    /// Returns the grown-up whose part changes.
    pub const fn target_user_id(&self) -> Option<&UserId> {
        match self {
            Self::AddMember { target_user_id }
            | Self::RemoveMember { target_user_id }
            | Self::PromoteAdmin { target_user_id } => Some(target_user_id),
            _ => None,
        }
    }
}

/// What `heartbeat_update` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HeartbeatAction {
    /// Another `cron`, `tz` or both.
    EditSchedule,
    /// Another `promptText`; for heartbeats without a skill.
    EditText,
    /// Another `name`.
    EditName,
    /// Another `skillInput`.
    EditInputs,
    /// Another `missedFires`.
    EditMissedFires,
    /// It does not fire until it is resumed.
    Pause,
    /// It fires again.
    Resume,
    /// It never fires again.
    Cancel,
    /// `targetUserId` takes part.
    AddMember,
    /// `targetUserId` no longer takes part.
    RemoveMember,
    /// `targetUserId` may edit it.
    PromoteAdmin,
}

impl WireEnum for HeartbeatAction {}

/// The arguments of `heartbeat_update`, as they are sent: one object for all actions.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HeartbeatUpdateArguments {
    /// The heartbeat: its heartbeatId in heartbeat_list.
    pub heartbeat_id: HeartbeatId,
    /// What is done with it.
    pub action: HeartbeatAction,
    /// For edit_schedule: the new schedule.
    #[serde(default)]
    #[schemars(length(max = CRON_CHARACTERS_MAX))]
    pub cron: Option<String>,
    /// For edit_schedule: the new IANA time zone.
    #[serde(default)]
    pub tz: Option<String>,
    /// For edit_text; a heartbeat that runs a skill has no text.
    #[serde(default)]
    #[schemars(length(max = SUMMARY_CHARACTERS_MAX))]
    pub prompt_text: Option<String>,
    /// For edit_name: the new name.
    #[serde(default)]
    #[schemars(length(max = HEARTBEAT_NAME_CHARACTERS_MAX))]
    pub name: Option<String>,
    /// For edit_inputs: a value for each input of the skill.
    #[serde(default)]
    pub skill_input: Option<Map<String, Value>>,
    /// For edit_missed_fires.
    #[serde(default)]
    pub missed_fires: Option<MissedFires>,
    /// For the actions on members: parents[].userId of family_query_overview.
    #[serde(default)]
    pub target_user_id: Option<UserId>,
}

impl HeartbeatUpdateArguments {
    /// Returns the change, or everything that is wrong.
    pub fn parse(mut self) -> Result<HeartbeatUpdate, Vec<WrongArgument>> {
        let parsed = self.take_change();
        // What the action has not taken, it does not take.
        let left = [
            ("cron", self.cron.is_some()),
            ("tz", self.tz.is_some()),
            ("promptText", self.prompt_text.is_some()),
            ("name", self.name.is_some()),
            ("skillInput", self.skill_input.is_some()),
            ("missedFires", self.missed_fires.is_some()),
            ("targetUserId", self.target_user_id.is_some()),
        ];
        let left = left.into_iter().filter(|(_, is_given)| *is_given);
        let unexpected = left.map(|(name, _)| WrongArgument::Unexpected(name));
        let missing = parsed.as_ref().err().copied().map(WrongArgument::Missing);
        let wrong: Vec<_> = missing.into_iter().chain(unexpected).collect();
        match parsed {
            Ok(change) if wrong.is_empty() => {
                Ok(HeartbeatUpdate { heartbeat_id: self.heartbeat_id, change })
            }
            _ => Err(wrong),
        }
    }

    /// Takes the arguments of the action, or returns the names of those that it needs.
    fn take_change(&mut self) -> Result<HeartbeatChange, &'static [&'static str]> {
        let target = |target: &mut Option<UserId>| target.take().ok_or(&["targetUserId"][..]);
        Ok(match self.action {
            HeartbeatAction::EditSchedule => match (self.cron.take(), self.tz.take()) {
                (None, None) => return Err(&["cron", "tz"]),
                (cron, tz) => HeartbeatChange::EditSchedule { cron, tz },
            },
            HeartbeatAction::EditText => HeartbeatChange::EditText {
                prompt_text: self.prompt_text.take().ok_or(&["promptText"][..])?,
            },
            HeartbeatAction::EditName => {
                HeartbeatChange::EditName { name: self.name.take().ok_or(&["name"][..])? }
            }
            HeartbeatAction::EditInputs => HeartbeatChange::EditInputs {
                skill_input: self.skill_input.take().ok_or(&["skillInput"][..])?,
            },
            HeartbeatAction::EditMissedFires => HeartbeatChange::EditMissedFires {
                missed_fires: self.missed_fires.take().ok_or(&["missedFires"][..])?,
            },
            HeartbeatAction::Pause => HeartbeatChange::Pause,
            HeartbeatAction::Resume => HeartbeatChange::Resume,
            HeartbeatAction::Cancel => HeartbeatChange::Cancel,
            HeartbeatAction::AddMember => {
                HeartbeatChange::AddMember { target_user_id: target(&mut self.target_user_id)? }
            }
            HeartbeatAction::RemoveMember => {
                HeartbeatChange::RemoveMember { target_user_id: target(&mut self.target_user_id)? }
            }
            HeartbeatAction::PromoteAdmin => {
                HeartbeatChange::PromoteAdmin { target_user_id: target(&mut self.target_user_id)? }
            }
        })
    }
}
