//! Whether a call can be sent a second time when its answer does not come.

use rmcp::model::ServerCapabilities;

use super::key::IdempotencyKey;
use dibber_skill::contract::IDEMPOTENCY_CAPABILITY;

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
    /// It declares so.
    Honoured,
    /// It is not known.
    Unknown,
}

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
