//! The tools, one file each.

mod family_query_overview;
mod heartbeat_create;
mod heartbeat_describe;
mod heartbeat_list;
mod heartbeat_update;
mod mcp_health;
mod mcp_whoami;
mod skill_get;
mod skill_invoke;
mod skill_list;
mod skill_post_result;
mod skill_update;
mod skill_write;

use jiff::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::caller::Caller;
use super::failure::Failure;
use super::shape::Field;
use super::store::{Reader, Writer};
use dibber_skill::contract::{NEXT_STEP, Scope};

/// One tool.
pub(super) struct Tool {
    /// The name, as `tools/list` has it; with a dot in the place of the first `_` it is
    /// understood, too.
    pub(super) name: &'static str,
    /// The name for people.
    pub(super) title: &'static str,
    /// What it does, for an agent that has to choose.
    pub(super) about: &'static str,
    /// What a caller needs; nothing for the tools about the connection itself.
    pub(super) scope: Option<Scope>,
    /// Whether the same call again changes nothing more.
    pub(super) is_idempotent: bool,
    /// Whether it can take something away.
    pub(super) is_destructive: bool,
    pub(super) input: &'static [Field],
    /// What a success holds, `nextStep` aside.
    pub(super) output: &'static [Field],
    pub(super) run: Run,
}

/// What looks at the store and answers.
pub(super) type Look = fn(&Call, &dyn Reader) -> Result<Value, Failure>;

/// What changes the store and answers.
pub(super) type Change = fn(&Call, &dyn Writer) -> Result<Value, Failure>;

/// What a tool does, once its arguments have the right shape.
#[derive(Clone, Copy)]
pub(super) enum Run {
    /// It looks.
    Read(Look),
    /// It changes something, in one transaction.
    Write(Change),
    /// With `dryRun` it looks, and otherwise it changes something.
    TwoStep { preview: Look, commit: Change },
    /// It looks, and somebody should note that it was done. The answer does not wait for the
    /// note, unless the call has an idempotency key: then both are one change, so that the answer
    /// can be remembered with it.
    Noted { read: Look, note: fn(&Call, &dyn Writer) -> Result<(), Failure> },
}

/// Every tool, in the order of `tools/list`.
pub(super) const TOOLS: &[&Tool] = &[
    &skill_write::TOOL,
    &skill_update::TOOL,
    &skill_list::TOOL,
    &skill_get::TOOL,
    &skill_invoke::TOOL,
    &skill_post_result::TOOL,
    &heartbeat_create::TOOL,
    &heartbeat_update::TOOL,
    &heartbeat_describe::TOOL,
    &heartbeat_list::TOOL,
    &family_query_overview::TOOL,
    &mcp_whoami::TOOL,
    &mcp_health::TOOL,
];

/// The tool of that name, in either spelling.
pub(super) fn named(name: &str) -> Option<&'static Tool> {
    let is_named = |tool: &&&Tool| name == tool.name || name == tool.name.replacen('_', ".", 1);
    TOOLS.iter().find(is_named).copied()
}

/// One call of a tool.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) caller: Caller,
    /// Their shape has been checked.
    pub(super) arguments: Map<String, Value>,
    pub(super) now: Timestamp,
}

impl Call {
    /// The arguments as a type.
    pub(super) fn read<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        serde_json::from_value(Value::Object(self.arguments.clone()))
            .map_err(|error| Failure::Internal(error.into()))
    }

    /// An argument that is a text and has to be there.
    pub(super) fn text(&self, name: &str) -> &str {
        self.arguments.get(name).and_then(Value::as_str).expect("the shape has been checked")
    }

    /// Whether only a preview is asked for.
    pub(super) fn is_dry_run(&self) -> bool {
        self.arguments.get("dryRun") == Some(&Value::Bool(true))
    }

    /// The present, as it is stored.
    pub(super) fn millisecond(&self) -> i64 {
        self.now.as_millisecond()
    }
}

/// A success with what to do next.
pub(super) fn success(answer: &impl Serialize, next_step: impl Into<String>) -> Value {
    let answer = serde_json::to_value(answer).expect("answers have text keys");
    match answer {
        Value::Object(mut answer) => {
            answer.insert(NEXT_STEP.to_owned(), Value::String(next_step.into()));
            answer.into()
        }
        _ => unreachable!("an answer is an object"),
    }
}

impl Tool {
    /// Tells whether a call can change what somebody sees later.
    pub(super) const fn changes(&self) -> bool {
        !matches!(self.run, Run::Read(_))
    }
}
