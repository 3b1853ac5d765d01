//! The exit codes of calls of the Skills Protocol that were refused, and what to do about them.

use crate::cli::exit::Exit;
use dibber_client::RpcRefusal;
use dibber_skill::contract::skills_protocol::{RpcCode, RpcReason};
use dibber_text::{Message, message, quote_in_full};

/// Returns the exit code of a call that was refused. A server that gives no reason in the words of
/// dibber has only a code.
pub(super) fn exit_of(refusal: &RpcRefusal) -> Exit {
    match refusal.reason() {
        Some(
            RpcReason::SkillNotFound
            | RpcReason::VersionNotFound
            | RpcReason::FileNotFound
            | RpcReason::BlobNotFound,
        ) => Exit::NotFound,
        Some(RpcReason::ScopeMissing) => Exit::PermissionDenied,
        Some(RpcReason::SandboxUnavailable | RpcReason::Busy | RpcReason::Internal) => Exit::Failed,
        _ if is(refusal, RpcCode::InvalidParams) || is(refusal, RpcCode::InvalidRequest) => {
            Exit::BadInput
        }
        _ => Exit::Failed,
    }
}

/// Returns what to do about it.
pub(super) fn help(refusal: &RpcRefusal) -> Message {
    // The help of a server names its methods, which the user of a command does not know.
    match refusal.reason() {
        Some(RpcReason::SkillNotFound) => return "`dibber protocol list` lists the skills".into(),
        Some(RpcReason::BlobNotFound) => {
            return "`dibber protocol put-blob FILE` stores a file, and prints its id".into();
        }
        _ => {}
    }
    if let Some(help) = refusal.help() {
        return message![quote_in_full(help)];
    }
    if is(refusal, RpcCode::MethodNotFound) {
        return "the server lacks this method of the Skills Protocol; nothing was run".into();
    }
    "this message is from the server; nothing was run".into()
}

fn is(refusal: &RpcRefusal, code: RpcCode) -> bool {
    refusal.code == code.number()
}
