//! Inputs that are set for a heartbeat, and that its skill does not declare.

use super::find::Named;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::session::Session;
use dibber_client::ClientError;
use dibber_skill::contract::{ErrorCode, HeartbeatChange};
use dibber_text::{Message, closest_match, message, quote, quote_in_full};

/// Refuses changes that set inputs that the skill of the heartbeat does not declare: they would be
/// stored, and fill in nothing. Nothing is checked if the skill is gone, or the token may not read it.
pub(super) fn check(
    changes: &[HeartbeatChange],
    named: &Named,
    session: &Session,
) -> Result<(), CommandError> {
    let inputs = changes.iter().find_map(|change| match change {
        HeartbeatChange::EditInputs { skill_input } => Some(skill_input),
        _ => None,
    });
    let skill = named.item.as_ref().and_then(|item| item.run_skill_id.as_ref());
    let (Some(inputs), Some(skill)) = (inputs, skill) else { return Ok(()) };
    let stored = match session.block_on(session.client.skill_get(skill)) {
        Err(ClientError::Refused(refusal)) if is_unreadable(refusal.code) => return Ok(()),
        stored => stored.map_err(|error| session.command_error(&error))?,
    };
    let declared = stored.skill.input_variables.iter().map(|input| input.name.as_str());
    let declared: Vec<_> = declared.collect();
    let is_unknown = |name: &&str| !declared.contains(name);
    let unknown: Vec<_> = inputs.keys().map(String::as_str).filter(is_unknown).collect();
    if unknown.is_empty() { Ok(()) } else { Err(undeclared(&unknown, &declared)) }
}

/// Returns `true` if the skill is gone, or the token may not read it.
const fn is_unreadable(code: ErrorCode) -> bool {
    matches!(code, ErrorCode::PermissionDenied | ErrorCode::DomainNotFound)
}

fn undeclared(names: &[&str], declared: &[&str]) -> CommandError {
    let quoted = names.iter().map(|name| message!["`", quote(name), "`"]);
    let noun = if names.len() == 1 { "input " } else { "inputs " };
    let message = message!["the skill has no ", noun, Message::join(quoted, ", ")];
    let error = CommandError::new(message).exit(Exit::BadInput);
    if declared.is_empty() {
        return error.help("the skill has no inputs at all");
    }
    let meant = names.first().filter(|_| names.len() == 1);
    match meant.and_then(|name| closest_match(name, declared.iter().copied())) {
        Some(meant) => error.help(message!["did you mean `", quote(meant), "`?"]),
        None => error.help(message!["its inputs are: ", quote_in_full(&declared.join(", "))]),
    }
}
