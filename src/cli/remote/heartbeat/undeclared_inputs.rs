//! Inputs that are set for a heartbeat, and that its skill does not declare.

use super::find::Named;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::session::Session;
use dibber_skill::contract::HeartbeatChange;
use dibber_text::{closest_match, message, quote, quote_in_full};

/// Refuses changes that set an input that the skill of the heartbeat does not declare: it would be
/// stored, and fill in nothing. Nothing is checked if the skill cannot be read.
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
    let Ok(stored) = session.block_on(session.client.skill_get(skill)) else { return Ok(()) };
    let declared = stored.skill.input_variables.iter().map(|input| input.name.as_str());
    let declared: Vec<_> = declared.collect();
    match inputs.keys().find(|name| !declared.contains(&name.as_str())) {
        Some(unknown) => Err(undeclared(unknown, &declared)),
        None => Ok(()),
    }
}

fn undeclared(name: &str, declared: &[&str]) -> CommandError {
    let error = CommandError::new(message!["the skill has no input `", quote(name), "`"]);
    let error = error.exit(Exit::BadInput);
    if declared.is_empty() {
        return error.help("the skill has no inputs at all");
    }
    match closest_match(name, declared.iter().copied()) {
        Some(meant) => error.help(message!["did you mean `", quote(meant), "`?"]),
        None => error.help(message!["its inputs are: ", quote_in_full(&declared.join(", "))]),
    }
}
