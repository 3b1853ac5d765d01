//! Runs of heartbeats, and the tool by which a home agent executes them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::id_kinds::{ChildId, HeartbeatId, RunId, SkillId};
use super::skill_tools::{PAGE_ITEMS_DEFAULT, PAGE_ITEMS_MAX};
use super::wire_enum::WireEnum;
use super::wrong_argument::WrongArgument;

/// The seconds of the lease of a claim that names none.
pub const LEASE_SECONDS_DEFAULT: i64 = 900;

/// The fewest seconds of a lease.
const LEASE_SECONDS_MIN: i64 = 10;

/// The most seconds of a lease: a day.
const LEASE_SECONDS_MAX: i64 = 86_400;

/// The most characters of the reason of a failure.
const MESSAGE_CHARACTERS_MAX: usize = 2000;

/// The name of the tool by which runs are executed. Other servers may not have it.
pub const HEARTBEAT_DUE: &str = "heartbeat_due";

/// What happens with planned times that were missed, as when no server was running.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(description = "")]
pub enum MissedFires {
    /// None of them runs.
    Skip,
    /// The latest one runs, if it is younger than 24 hours.
    #[default]
    Once,
    /// All of the last 24 hours run.
    All,
}

impl WireEnum for MissedFires {}

/// What became of a planned time of a heartbeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(description = "")]
pub enum RunState {
    /// It waits to be claimed.
    Due,
    /// It is claimed, and has not started.
    Claimed,
    /// It has started.
    Running,
    /// It ended with a result.
    Completed,
    /// It ended without one.
    Failed,
    /// It was decided that it does not run.
    Skipped,
}

impl WireEnum for RunState {}

impl RunState {
    /// Returns `true` if nothing more happens.
    pub const fn has_ended(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Skipped)
    }
}

/// What `heartbeat_due` does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(description = "")]
pub enum DueAction {
    /// Lists runs that wait.
    #[default]
    List,
    /// Lists all runs, the latest first.
    History,
    /// Claims a run and returns its prompt.
    Claim,
    /// Ends a claimed run with its result.
    Complete,
    /// Ends an attempt that failed.
    Fail,
}

impl WireEnum for DueAction {}

/// The arguments of `heartbeat_due`: an action, with what it takes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "action", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum HeartbeatDue {
    /// Lists runs that can be claimed, those that wait longest first.
    List {
        /// Only those of this heartbeat.
        #[serde(skip_serializing_if = "Option::is_none")]
        heartbeat_id: Option<HeartbeatId>,
        /// The most runs.
        #[serde(skip_serializing_if = "Option::is_none")]
        limit: Option<usize>,
    },
    /// Lists all runs, page by page.
    History {
        /// Only this run, in whatever page it would be.
        #[serde(skip_serializing_if = "Option::is_none")]
        run_id: Option<RunId>,
        /// Only those of this heartbeat.
        #[serde(skip_serializing_if = "Option::is_none")]
        heartbeat_id: Option<HeartbeatId>,
        /// The cursor of the page.
        #[serde(skip_serializing_if = "Option::is_none")]
        cursor: Option<String>,
        /// The most runs of the page.
        #[serde(skip_serializing_if = "Option::is_none")]
        limit: Option<usize>,
    },
    /// Claims a run.
    Claim {
        /// The run; the one that waits longest if there is none.
        #[serde(skip_serializing_if = "Option::is_none")]
        run_id: Option<RunId>,
        /// Only one of this heartbeat.
        #[serde(skip_serializing_if = "Option::is_none")]
        heartbeat_id: Option<HeartbeatId>,
        /// The time until others may take it over.
        #[serde(skip_serializing_if = "Option::is_none")]
        lease_seconds: Option<i64>,
    },
    /// Ends a run with its result.
    Complete {
        /// The run.
        run_id: RunId,
        /// The attempt that the claim returned.
        attempt: i64,
        /// The result.
        result: Map<String, Value>,
    },
    /// Ends an attempt that failed.
    Fail {
        /// The run.
        run_id: RunId,
        /// The attempt that the claim returned.
        attempt: i64,
        /// Why.
        message: String,
        /// Whether another attempt is worth it.
        #[serde(skip_serializing_if = "Option::is_none")]
        retry: Option<bool>,
    },
}

/// The arguments of `heartbeat_due`, as they are sent: one object for all actions.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase")]
pub struct HeartbeatDueArguments {
    /// What is done; list when left out.
    pub action: DueAction,
    /// The run, for all but list; without it, claim takes the one that waits longest.
    pub run_id: Option<RunId>,
    /// Only runs of this heartbeat: for list, history and claim.
    pub heartbeat_id: Option<HeartbeatId>,
    /// The attempt that claim returned: for complete and fail.
    #[schemars(range(min = 1))]
    pub attempt: Option<i64>,
    /// For complete: summary, a sentence for the parent, and data, what the skill asks for.
    pub result: Option<Map<String, Value>>,
    /// For fail: why.
    #[schemars(length(max = MESSAGE_CHARACTERS_MAX))]
    pub message: Option<String>,
    /// For fail: whether it is worth another attempt.
    #[schemars(extend("default" = true))]
    pub retry: Option<bool>,
    /// For claim: the seconds until others may take the run over.
    #[schemars(
        range(min = LEASE_SECONDS_MIN, max = LEASE_SECONDS_MAX),
        extend("default" = LEASE_SECONDS_DEFAULT)
    )]
    pub lease_seconds: Option<i64>,
    /// For history: the nextCursor of the page before.
    pub cursor: Option<String>,
    /// Maximum items per page.
    #[schemars(range(min = 1, max = PAGE_ITEMS_MAX), extend("default" = PAGE_ITEMS_DEFAULT))]
    pub limit: Option<usize>,
}

impl HeartbeatDueArguments {
    /// Returns what is to be done, or everything that is wrong.
    pub fn parse(mut self) -> Result<HeartbeatDue, Vec<WrongArgument>> {
        let (request, missing) = match self.take_request() {
            Ok(request) => (Some(request), Vec::new()),
            Err(missing) => (None, missing),
        };
        // What the action has not taken, it does not take.
        let left = [
            ("runId", self.run_id.is_some()),
            ("heartbeatId", self.heartbeat_id.is_some()),
            ("attempt", self.attempt.is_some()),
            ("result", self.result.is_some()),
            ("message", self.message.is_some()),
            ("retry", self.retry.is_some()),
            ("leaseSeconds", self.lease_seconds.is_some()),
            ("cursor", self.cursor.is_some()),
            ("limit", self.limit.is_some()),
        ];
        let left = left.into_iter().filter(|(_, is_given)| *is_given);
        let unexpected = left.map(|(name, _)| WrongArgument::Unexpected(name));
        let wrong: Vec<_> = missing.into_iter().chain(unexpected).collect();
        match request {
            Some(request) if wrong.is_empty() => Ok(request),
            _ => Err(wrong),
        }
    }

    /// Takes the arguments of the action, or returns all that it needs and are missing.
    fn take_request(&mut self) -> Result<HeartbeatDue, Vec<WrongArgument>> {
        Ok(match self.action {
            DueAction::List => HeartbeatDue::List {
                heartbeat_id: self.heartbeat_id.take(),
                limit: self.limit.take(),
            },
            // One run is not listed page by page.
            DueAction::History if self.run_id.is_some() => HeartbeatDue::History {
                run_id: self.run_id.take(),
                heartbeat_id: None,
                cursor: None,
                limit: None,
            },
            DueAction::History => HeartbeatDue::History {
                run_id: None,
                heartbeat_id: self.heartbeat_id.take(),
                cursor: self.cursor.take(),
                limit: self.limit.take(),
            },
            DueAction::Claim => HeartbeatDue::Claim {
                run_id: self.run_id.take(),
                heartbeat_id: self.heartbeat_id.take(),
                lease_seconds: self.lease_seconds.take(),
            },
            DueAction::Complete => {
                match (self.run_id.take(), self.attempt.take(), self.result.take()) {
                    (Some(run_id), Some(attempt), Some(result)) => {
                        HeartbeatDue::Complete { run_id, attempt, result }
                    }
                    (run_id, attempt, result) => {
                        let result = (&["result"][..], result.is_some());
                        return Err(missing_of_claimed(run_id.as_ref(), attempt, result));
                    }
                }
            }
            DueAction::Fail => {
                let retry = self.retry.take();
                match (self.run_id.take(), self.attempt.take(), self.message.take()) {
                    (Some(run_id), Some(attempt), Some(message)) => {
                        HeartbeatDue::Fail { run_id, attempt, message, retry }
                    }
                    (run_id, attempt, message) => {
                        let message = (&["message"][..], message.is_some());
                        return Err(missing_of_claimed(run_id.as_ref(), attempt, message));
                    }
                }
            }
        })
    }
}

/// Returns what is missing of the end of a claimed run: its id, its attempt, and how it ends.
fn missing_of_claimed(
    run_id: Option<&RunId>,
    attempt: Option<i64>,
    end: (&'static [&'static str], bool),
) -> Vec<WrongArgument> {
    let needed = [(&["runId"][..], run_id.is_some()), (&["attempt"][..], attempt.is_some()), end];
    let missing = needed.into_iter().filter(|(_, is_given)| !is_given);
    missing.map(|(names, _)| WrongArgument::Missing(names)).collect()
}

/// A run, as it is listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HeartbeatRun {
    /// The run.
    #[schemars(description = "")]
    pub run_id: RunId,
    /// Its heartbeat.
    #[schemars(description = "")]
    pub heartbeat_id: HeartbeatId,
    /// The label of its heartbeat; none if that was removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(description = "")]
    pub name: Option<String>,
    /// The skill.
    #[schemars(description = "")]
    pub skill_id: SkillId,
    /// The child that it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(description = "")]
    pub child_id: Option<ChildId>,
    /// When it was to fire, on the clock of its time zone.
    #[schemars(description = "")]
    pub planned_at: String,
    /// What became of it.
    #[schemars(description = "")]
    pub state: RunState,
    /// The attempts so far.
    #[schemars(description = "")]
    pub attempt: i64,
    /// When it may be claimed, if that is later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(description = "")]
    pub due_at: Option<String>,
    /// When the claim ends if it is not completed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(description = "")]
    pub lease_until: Option<String>,
    /// When the last attempt started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(description = "")]
    pub started_at: Option<String>,
    /// When it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(description = "")]
    pub ended_at: Option<String>,
    /// Why it was skipped or failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(description = "")]
    pub reason: Option<String>,
    /// Whether an attempt was interrupted, so that its effects may have happened twice.
    #[serde(default)]
    pub may_have_repeated: bool,
    /// The hash of the prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(description = "")]
    pub prompt_hash: Option<String>,
    /// What it answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(description = "")]
    pub result: Option<Map<String, Value>>,
}

/// The answer of `heartbeat_due`: a page of runs, or one run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HeartbeatDueAnswer {
    /// The runs: for list and history.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Vec<Map<String, Value>>>")]
    pub items: Option<Vec<HeartbeatRun>>,
    /// The cursor of the next page, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
    /// The run: for claim, complete and fail. None if nothing is due.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Map<String, Value>>")]
    pub run: Option<HeartbeatRun>,
    /// The prompt to follow: for claim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
}
