//! The exit codes of calls of the Skills Protocol that were refused, and what to do about them.

use crate::cli::exit::Exit;
use dibber_client::RpcRefusal;
use dibber_skill::contract::skills_protocol::{RpcCode, RpcReason};
use dibber_text::{Message, message, quote_in_full};

/// The names of methods and parameters, and what they are on the command line.
const COMMANDS: [(&str, &str); 10] = [
    ("list_skills", "dibber protocol list"),
    ("describe_skill", "dibber protocol describe"),
    ("read_skill_file", "dibber protocol cat"),
    ("execute_skill", "dibber protocol run"),
    ("run_code", "dibber protocol code"),
    ("create_blob", "dibber protocol put-blob"),
    ("read_blob", "dibber protocol get-blob"),
    ("mount_skills", "--skill"),
    ("input_blobs", "--blob"),
    ("timeout_ms", "--timeout"),
];

/// Returns the exit code of a call that was refused. A server that gives no reason in the words of
/// dibber has only a code.
pub(super) fn exit_of(refusal: &RpcRefusal) -> Exit {
    match refusal.reason().and_then(exit_of_reason) {
        Some(exit) => exit,
        None if is(refusal, RpcCode::InvalidParams) || is(refusal, RpcCode::InvalidRequest) => {
            Exit::BadInput
        }
        _ => Exit::Failed,
    }
}

/// Returns the exit code of a reason; none for a call that has to be written in another way.
pub(in crate::cli) const fn exit_of_reason(reason: RpcReason) -> Option<Exit> {
    match reason {
        RpcReason::SkillNotFound
        | RpcReason::VersionNotFound
        | RpcReason::FileNotFound
        | RpcReason::BlobNotFound => Some(Exit::NotFound),
        RpcReason::ScopeMissing => Some(Exit::PermissionDenied),
        RpcReason::SandboxUnavailable | RpcReason::Busy | RpcReason::Internal => Some(Exit::Failed),
        _ => None,
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
        return message![quote_in_full(&in_commands(help))];
    }
    if is(refusal, RpcCode::MethodNotFound) {
        return "the server lacks this method of the Skills Protocol; nothing was run".into();
    }
    "this message is from the server; nothing was run or changed".into()
}

/// Returns a help with the commands and options in the place of methods and parameters.
pub(in crate::cli) fn in_commands(help: &str) -> String {
    let mut shown = help.to_owned();
    for (name, command) in COMMANDS {
        let quoted = format!("`{name}`");
        let command = format!("`{command}`");
        shown = shown.replace(&quoted, &command).replace(name, &command);
    }
    shown
}

fn is(refusal: &RpcRefusal, code: RpcCode) -> bool {
    refusal.code == code.number()
}
