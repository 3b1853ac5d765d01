//! The skills of a pull that interrupted pushes have created.

use super::arguments::PullArgs;
use super::moved::shown;
use crate::cli::error::CommandError;
use crate::cli::remote::session::Session;
use crate::cli::term::ui::Ui;
use dibber_client::publish::{ListedSkills, LockFiles, LockKey, find_interrupted_creations};
use dibber_skill::contract::SkillId;
use dibber_text::{message, quote_argument, quote_in_full};

/// Leaves the skills that an interrupted push of a folder has created out of a pull of all skills,
/// and says so: the next push records each for that folder, and another folder would be a second one
/// for the same skill.
pub(super) fn leave_out(
    requested: &mut Vec<(String, SkillId)>,
    arguments: &PullArgs,
    projects: &[LockKey],
    (session, locks): (&Session, &mut LockFiles),
    ui: &mut Ui,
) -> Result<(), CommandError> {
    if !arguments.all {
        return Ok(());
    }
    let skills = ListedSkills::new(&session.client);
    let found = find_interrupted_creations(projects, session.publisher()?, (locks, &skills));
    for created in session.block_on(found)? {
        requested.retain(|(_, id)| *id != created.skill_id);
        let path = shown(&created.key);
        ui.eprintln(message![
            quote_in_full(created.skill_id.as_str()),
            " is not pulled: it is that of an interrupted push of ",
            quote_in_full(&path),
            "; `dibber push ",
            quote_argument(&path),
            quote_in_full(&session.server.typed_options),
            "` records it"
        ]);
    }
    Ok(())
}
