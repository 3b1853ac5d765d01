//! Whether a call can be sent a second time when its answer does not come.

use rmcp::model::ServerCapabilities;
use serde_json::{Map, Value};

use super::key::IdempotencyKey;
use dibber_skill::contract::{
    HEARTBEAT_CREATE, HEARTBEAT_UPDATE, IDEMPOTENCY_CAPABILITY, SKILL_ARCHIVE, SKILL_POST_RESULT,
    SKILL_UPDATE, SKILL_WRITE, wire_name,
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
    Keyed(&'a IdempotencyKey),
    /// The call has side effects, and nothing prevents a second run from repeating them. It is
    /// sent again only if nothing of it can have reached the server.
    Once,
}

/// Whether a server is known to honour idempotency keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeySupport {
    /// It declares so, or the tool is one of the contract's own.
    Honoured,
    /// It is not known.
    Unknown,
}

/// The tools of the contract that write, each with arguments by which it is recognised. Every
/// server that has them honours the `Idempotency-Key` header, whether or not it declares so. A
/// tool of another system may have such a name, but not these arguments.
const CONTRACT_WRITES: [(&str, &[&str]); 6] = [
    (SKILL_WRITE, &["name", "description", "prompt", "dryRun", "specHash"]),
    (SKILL_UPDATE, &["skillId", "addCanvasIds", "removeCanvasIds"]),
    (SKILL_ARCHIVE, &["skillId", "archived"]),
    (SKILL_POST_RESULT, &["skillId", "result"]),
    (HEARTBEAT_CREATE, &["name", "cron", "runSkillId"]),
    (HEARTBEAT_UPDATE, &["heartbeatId", "action"]),
];

/// Returns the support that a server declares, among its experimental capabilities or its extensions: older
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
