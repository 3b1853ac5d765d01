//! Calls that are refused: messages that quote untrusted text, as errors of JSON-RPC.

use dibber_skill::contract::skills_protocol::{RpcCode, RpcError, RpcReason};
use dibber_text::Message;

/// Returns the error of a parameter, or of what it names.
pub(crate) fn refused(
    reason: RpcReason,
    message: impl Into<Message>,
    help: impl Into<Message>,
) -> RpcError {
    RpcError::invalid(reason, shown(&message.into()), shown(&help.into()))
}

/// Returns the error of a server that cannot do what it should.
pub(crate) fn failed(message: impl Into<Message>, help: impl Into<Message>) -> RpcError {
    let (message, help) = (shown(&message.into()), shown(&help.into()));
    RpcError::new(RpcCode::InternalError, RpcReason::Internal, message, help)
}

/// Returns a message as it is shown, with what it quotes escaped.
pub(crate) fn shown(message: &Message) -> String {
    message.shown(&()).to_string()
}
