//! Whether a call can be sent a second time when its answer does not come.

use rmcp::model::ServerCapabilities;
use serde_json::{Map, Value};

use super::{Key, ToolInfo};
use dibber_skill::contract::{
    HEARTBEAT_CREATE, HEARTBEAT_UPDATE, IDEMPOTENCY_CAPABILITY, SKILL_POST_RESULT, SKILL_UPDATE,
    SKILL_WRITE, wire_name,
};

/// Whether, and how, a call can be sent a second time.
///
/// A call whose answer is lost may have run. Sending it again is right only if the second run
/// changes nothing: because the call has no side effects, because the tool is idempotent, or
/// because the server recognises the call by its key and repeats the first answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetrySafety<'a> {
    /// The call has no side effects.
    ReadOnly,
    /// The server lists the tool as idempotent: the same call again changes nothing more.
    Idempotent,
    /// The server honours this idempotency key.
    Keyed(&'a Key),
    /// The call has side effects, and nothing prevents a second run from repeating them. It is
    /// sent again only if nothing of it can have reached the server.
    Once,
}

/// Whether a server is known to honour the idempotency key of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeySupport {
    /// It declares so, or the tool is one of the contract's own.
    Honoured,
    /// Nothing is known.
    Unknown,
}

/// The tools of the contract that write, each with arguments by which it is recognised. Every
/// server that has them honours the `Idempotency-Key` header, whether or not it declares so. A
/// tool of another system may have such a name, but not these arguments.
const CONTRACT_WRITES: [(&str, &[&str]); 5] = [
    (SKILL_WRITE, &["name", "description", "prompt", "dryRun", "specHash"]),
    (SKILL_UPDATE, &["skillId", "addCanvasIds", "removeCanvasIds"]),
    (SKILL_POST_RESULT, &["skillId", "result"]),
    (HEARTBEAT_CREATE, &["name", "cron", "runSkillId"]),
    (HEARTBEAT_UPDATE, &["heartbeatId", "action"]),
];

impl ToolInfo {
    /// Returns `true` if a call of this tool has side effects and the server is known to honour
    /// an idempotency key, so that a call with one can be repeated.
    pub const fn honours_keys(&self) -> bool {
        !self.is_read_only && matches!(self.key_support, KeySupport::Honoured)
    }

    /// Returns how a call of this tool can be repeated. With a key, the caller asserts that the
    /// server honours it; [`ToolInfo::honours_keys`] says what is known about that.
    pub const fn retry_safety<'a>(&self, key: Option<&'a Key>) -> RetrySafety<'a> {
        match key {
            Some(key) => RetrySafety::Keyed(key),
            None if self.is_read_only => RetrySafety::ReadOnly,
            None if self.is_idempotent => RetrySafety::Idempotent,
            None => RetrySafety::Once,
        }
    }
}

/// Returns what a server declares, among its experimental capabilities or its extensions: older
/// revisions of the protocol have the former only.
pub(super) fn declared_key_support(capabilities: &ServerCapabilities) -> KeySupport {
    let declared = [&capabilities.experimental, &capabilities.extensions];
    let mut declared = declared.into_iter().flatten();
    if declared.any(|declared| declared.contains_key(IDEMPOTENCY_CAPABILITY)) {
        KeySupport::Honoured
    } else {
        KeySupport::Unknown
    }
}

/// Returns `true` if a tool of this name and with this input schema is one of the contract's
/// that write.
pub(super) fn is_contract_write(name: &str, input_schema: &Map<String, Value>) -> bool {
    let name = wire_name(name);
    let Some((_, arguments)) = CONTRACT_WRITES.iter().find(|(tool, _)| *tool == name) else {
        return false;
    };
    let properties = input_schema.get("properties").and_then(Value::as_object);
    properties.is_some_and(|properties| {
        arguments.iter().all(|argument| properties.contains_key(*argument))
    })
}
