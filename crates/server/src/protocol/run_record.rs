//! The record of a run: written when it begins, so that one is left if the server is killed, and again
//! however it ends.

use jiff::Timestamp;
use serde_json::Value;

use crate::caller::Caller;
use crate::id;
use crate::server::Server;
use crate::store::{INTERRUPTED, RunProgram, SkillRun, StoreError, StoreExt, UNFINISHED, Writer};
use dibber_skill::contract::skills_protocol::{Run, RunStatus};
use dibber_skill::contract::{FamilyId, RunId};

/// The error type of a run whose caller has gone.
const CANCELLED: &str = "Cancelled";

/// The error type of a run that could not be isolated.
const SANDBOX_ERROR: &str = "SandboxError";

/// The error type of a run whose own error type is not an identifier: it could be any string.
const OTHER_ERROR: &str = "Error";

/// The error types that say how a run is, whatever the classes of its code are called.
const RESERVED: [&str; 3] = [UNFINISHED, INTERRUPTED, SANDBOX_ERROR];

/// The most characters of an error type.
const ERROR_TYPE_CHARACTERS_MAX: usize = 64;

/// A run, whose end is recorded when this is dropped: until it has ended, as that of a cancelled one.
pub(super) struct RunRecord {
    server: Server,
    family: FamilyId,
    began: Timestamp,
    has_ended: bool,
    run: SkillRun,
}

impl RunRecord {
    /// Records that a run begins now.
    pub(super) async fn begin(server: &Server, caller: &Caller, program: RunProgram) -> Self {
        let began = server.now();
        let run = SkillRun {
            id: id::new(),
            user_id: caller.user_id.clone(),
            program,
            status: RunStatus::Failed,
            error_type: Some(CANCELLED.to_owned()),
            started_at: began.as_millisecond(),
            milliseconds: 0,
            summary: "the caller did not wait for the end".to_owned(),
        };
        let record = Self {
            server: server.clone(),
            family: caller.family.clone(),
            began,
            has_ended: false,
            run,
        };
        let (family, run) = (record.family.clone(), record.unfinished());
        let added = server.store().write(move |store| store.add_skill_run(&family, &run));
        if let Err(cause) = added.await {
            tracing::warn!(%cause, "the begin of a run was not recorded");
        }
        record
    }

    /// Returns what is recorded until the run has ended.
    fn unfinished(&self) -> SkillRun {
        SkillRun {
            error_type: Some(UNFINISHED.to_owned()),
            summary: "it has not ended yet, or the server ended before it did".to_owned(),
            ..self.run.clone()
        }
    }

    /// Returns the id of the run.
    pub(super) fn id(&self) -> &RunId {
        &self.run.id
    }

    /// Sets the result of the run: what kind of result it is, and nothing of what the code returned,
    /// printed or raised but the name of an error type.
    pub(super) fn set_result(&mut self, run: &Run) {
        self.end();
        self.run.status = run.status;
        self.run.error_type = run.error.as_ref().map(|error| error_type(&error.kind));
        self.run.summary = match (&self.run.error_type, &run.output) {
            (Some(kind), _) => format!("failed: {kind}"),
            (None, Some(output)) => format!("returned {}", description(output)),
            (None, None) => "returned a blob".to_owned(),
        };
    }

    /// Sets the result of a run that the sandbox could not run.
    pub(super) fn set_not_run(&mut self) {
        self.end();
        self.run.error_type = Some(SANDBOX_ERROR.to_owned());
        "the sandbox could not run it; the log of the server has the cause"
            .clone_into(&mut self.run.summary);
    }

    /// Notes the time of the run, which storing its output does not change.
    fn end(&mut self) {
        if !self.has_ended {
            self.run.milliseconds = self.server.milliseconds_since(self.began);
            self.has_ended = true;
        }
    }
}

impl Drop for RunRecord {
    fn drop(&mut self) {
        self.end();
        let (family, run) = (self.family.clone(), self.run.clone());
        let write = move |store: &dyn Writer| {
            if store.end_skill_run(&family, &run)? {
                return Ok(());
            }
            store.add_skill_run(&family, &run)
        };
        self.server.store.write_then(write, |recorded: Result<(), StoreError>| {
            if let Err(cause) = recorded {
                tracing::warn!(%cause, "a run was not recorded");
            }
        });
    }
}

/// Returns the name of an error type as it is recorded, which is none of those that say how a run is.
fn error_type(kind: &str) -> String {
    let is_identifier = !kind.is_empty()
        && kind.len() <= ERROR_TYPE_CHARACTERS_MAX
        && kind.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'));
    match kind {
        kind if RESERVED.contains(&kind) => format!("code.{kind}"),
        kind if is_identifier => kind.to_owned(),
        _ => OTHER_ERROR.to_owned(),
    }
}

/// Returns the type of an output, and how much is in it.
fn description(output: &Value) -> String {
    match output {
        Value::Null => "nothing".to_owned(),
        Value::Bool(_) => "a boolean".to_owned(),
        Value::Number(_) => "a number".to_owned(),
        Value::String(text) => format!("a string; characters: {}", text.chars().count()),
        Value::Array(items) => format!("a list; items: {}", items.len()),
        Value::Object(fields) => format!("an object; fields: {}", fields.len()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn nothing_that_the_code_returned_is_in_a_record() {
        for (output, expected) in [
            (json!(null), "nothing"),
            (json!(true), "a boolean"),
            (json!(42), "a number"),
            (json!("Anna"), "a string; characters: 4"),
            (json!(["Anna"]), "a list; items: 1"),
            (json!({"summary": "Anna"}), "an object; fields: 1"),
        ] {
            assert_eq!(description(&output), expected);
        }
        for (kind, expected) in [
            ("ValueError", "ValueError"),
            ("json.decoder.JSONDecodeError", "json.decoder.JSONDecodeError"),
            ("", "Error"),
            ("the diagnosis of Anna", "Error"),
            ("Unfinished", "code.Unfinished"),
            ("Interrupted", "code.Interrupted"),
            ("SandboxError", "code.SandboxError"),
        ] {
            assert_eq!(error_type(kind), expected);
        }
        assert_eq!(error_type(&"x".repeat(65)), "Error");
    }
}
