//! The skill of a heartbeat that is made by options: it exists and is not archived.

use std::path::Path;

use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::call_errors::command_error;
use crate::cli::remote::no_skills;
use crate::cli::remote::resolve::{resolve, unarchive_help};
use crate::cli::remote::session::Session;
use dibber_client::ClientError;
use dibber_client::publish::{ListedSkills, LockFiles};
use dibber_skill::contract::SkillId;
use dibber_text::{Message, message, quote_argument, quote_in_full};

/// Finds the skill that an argument names, which a folder may name long after it was removed from the
/// server: not every server refuses a heartbeat of a skill that it does not have.
pub(super) fn find(
    typed: &str,
    session: &Session,
    locks: &mut LockFiles,
) -> Result<SkillId, CommandError> {
    let id = resolve(typed, session, locks)?;
    let skills = ListedSkills::new(&session.client);
    match session.block_on(skills.find(&id)) {
        Ok(Some(found)) if session.block_on(skills.is_archived(&found.skill)) == Some(true) => {
            let message = message![described(typed, &id), ", which is archived"];
            let help = unarchive_help(&id, session);
            Err(CommandError::new(message).help(help).exit(Exit::NotFound))
        }
        Ok(None) => Err(gone(typed, &id, session)),
        Err(error @ ClientError::NoSkills { .. }) => {
            Err(no_skills::with_help(command_error(&error), &error, typed, &session.server))
        }
        // A token that may not read skills may make heartbeats all the same.
        Ok(Some(_)) | Err(_) => Ok(id),
    }
}

fn gone(typed: &str, id: &SkillId, session: &Session) -> CommandError {
    let message = message![described(typed, id), ", which no longer exists"];
    let error = CommandError::new(message).exit(Exit::NotFound);
    if !Path::new(typed).exists() {
        return error.help("`dibber skill list` lists the skills");
    }
    let options = quote_in_full(&session.server.typed_options);
    let push = message!["`dibber push --new ", quote_argument(typed), options, "`"];
    error.help(message![push, " publishes it as another skill"])
}

/// Returns the argument and the skill that it names.
fn described(typed: &str, id: &SkillId) -> Message {
    if typed == id.as_str() {
        return message!["the skill is ", quote_in_full(typed)];
    }
    message![quote_in_full(typed), " is ", quote_in_full(id.as_str())]
}
