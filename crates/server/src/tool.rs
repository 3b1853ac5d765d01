//! What a tool is, and one call of it.

use std::sync::LazyLock;

use jiff::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::caller::Caller;
use super::failure::Failure;
use super::input_schema::InputSchema;
use super::safety::Safety;
use super::store::{Reader, Writer};
use dibber_skill::contract::{NEXT_STEP, Scope};

/// A tool: what `tools/list` says about it, and the function that runs it.
pub(super) struct Tool {
    /// The name, as `tools/list` has it. The spelling with a dot instead of the first `_` is
    /// accepted, too.
    pub(super) name: &'static str,
    /// The name for people.
    pub(super) title: &'static str,
    /// The description, for an agent that has to choose.
    pub(super) description: &'static str,
    /// The scope that a caller needs; none for the tools about the connection itself.
    pub(super) scope: Option<Scope>,
    /// Whether the same call again changes nothing more.
    pub(super) is_idempotent: bool,
    /// Whether it can take something away.
    pub(super) is_destructive: bool,
    /// The schema of the arguments.
    pub(super) input: InputSchema,
    /// The schema of a success, without the fields of the envelope.
    pub(super) output: LazyLock<Map<String, Value>>,
    pub(super) run: Run,
}

/// Reads the store and answers.
pub(super) type ReadFn = fn(&Call, &dyn Reader) -> Result<Value, Failure>;

/// Changes the store and answers.
pub(super) type WriteFn = fn(&Call, &dyn Writer) -> Result<Value, Failure>;

/// Fails if an answer does not hold any more that is to be repeated.
pub(super) type CheckFn = fn(&Call, &dyn Writer, answer: &Value) -> Result<(), Failure>;

/// Records in the store that a call took place.
pub(super) type RecordFn = fn(&Call, &dyn Writer) -> Result<(), Failure>;

/// How a tool runs, once its arguments have been checked.
#[derive(Clone, Copy)]
pub(super) enum Run {
    /// It only reads.
    Read(ReadFn),
    /// It writes, in one transaction.
    Write(WriteFn),
    /// It writes, and what it answers holds for a while: before it is answered again, `check` fails if
    /// it does not hold any more.
    WriteForAWhile { write: WriteFn, check: CheckFn },
    /// With `dryRun` it reads, without it writes. Of a preview that the safety check asks a parent to
    /// look at, `record` stores what the write has to compare.
    TwoStep { preview: ReadFn, record: RecordFn, commit: WriteFn },
    /// It reads, and the store records that it was called. The answer does not wait for the
    /// record, unless the call has an idempotency key: then both are one transaction, so that the
    /// answer can be remembered with it.
    ReadThenRecord { read: ReadFn, record: RecordFn },
    /// It reads, and waits for changes in between.
    Wait,
}

impl Tool {
    /// Returns `true` if a call can change what is read later.
    pub(super) const fn has_side_effects(&self) -> bool {
        !matches!(self.run, Run::Read(_) | Run::Wait)
    }
}

/// One call of a tool.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) caller: Caller,
    /// The arguments, which match the input schema of the tool.
    pub(super) arguments: Map<String, Value>,
    pub(super) now: Timestamp,
    /// What the safety check has said.
    pub(super) safety: Safety,
}

impl Call {
    /// Deserializes the arguments, which match the schema of the tool: an id may still have a character
    /// that no id has.
    pub(super) fn parse_arguments<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        serde_json::from_value(Value::Object(self.arguments.clone())).map_err(|error| {
            let fix = "use the ids as the other tools answer with them";
            Failure::bad_input("INVALID_ARGUMENTS", error.to_string(), fix)
        })
    }

    /// Returns `true` if the call requests only a preview.
    pub(super) fn is_dry_run(&self) -> bool {
        self.arguments.get("dryRun") == Some(&Value::Bool(true))
    }

    /// Returns the time of the call as it is stored.
    pub(super) fn millisecond(&self) -> i64 {
        self.now.as_millisecond()
    }
}

/// Returns the answer of a successful call, with what to do next.
pub(super) fn success(answer: &impl Serialize, next_step: impl Into<String>) -> Value {
    let answer = serde_json::to_value(answer).expect("answers have string keys");
    match answer {
        Value::Object(mut answer) => {
            answer.insert(NEXT_STEP.to_owned(), Value::String(next_step.into()));
            answer.into()
        }
        _ => unreachable!("an answer is an object"),
    }
}
