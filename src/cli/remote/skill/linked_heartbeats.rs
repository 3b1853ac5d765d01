//! The heartbeats of a folder that is linked to a skill: those that the server has already are
//! recorded, so that a push changes and cancels them as if it had made them.

use crate::cli::drafted::Drafted;
use crate::cli::error::CommandError;
use crate::cli::remote::heartbeat::authored::{Audience, AuthoredSkill};
use crate::cli::remote::heartbeat::create;
use crate::cli::remote::heartbeat::initiator::Initiator;
use crate::cli::remote::heartbeat::plan::{self, PlanPolicy};
use crate::cli::remote::heartbeat::sources::Requested;
use crate::cli::remote::session::Session;
use crate::cli::term::ui::Ui;
use dibber_client::publish::{
    CurrentHeartbeats, ForeignChanges, HeartbeatStep, LockFiles, LockKey,
};
use dibber_skill::discover::FoundSkill;
use dibber_text::message;

/// Records the heartbeats of `sprout.yaml` that the server has with the same content for the skill
/// that a directory is linked to. The link remains if they cannot be compared.
pub(super) fn record(
    found: &FoundSkill,
    key: &LockKey,
    session: &Session,
    locks: &mut LockFiles,
    ui: &mut Ui,
) {
    if let Err(error) = record_unchanged(found, key, session, locks, ui) {
        ui.warning(message!["the heartbeats are not linked: ", error.message().clone()]);
    }
}

fn record_unchanged(
    found: &FoundSkill,
    key: &LockKey,
    session: &Session,
    locks: &mut LockFiles,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    let Some(published) = locks.get(key)? else { return Ok(()) };
    let drafted = Drafted::load(found).map_err(|error| CommandError::from(&error))?;
    let skill = AuthoredSkill {
        directory: &found.directory,
        drafted: &drafted,
        key,
        published: &published,
    };
    let requested = skill.heartbeats().iter().map(|heartbeat| Requested {
        name: heartbeat.name.value.clone(),
        path: Some(drafted.path().to_owned()),
        draft: skill.draft(heartbeat, Audience::default(), session, locks),
    });
    let requested: Vec<_> = requested.collect();
    let policy = PlanPolicy { foreign_changes: ForeignChanges::Block, is_agreed: true };
    let planned = plan::plan(Initiator::Create, requested, Vec::new(), policy, session, locks)?;
    plan::warn_of_uncertain(&planned, session, ui);
    let current = CurrentHeartbeats::new(&session.client);
    // What differs is shown by the next push, which does not overwrite it unseen.
    for item in planned.iter().filter(|it| matches!(it.step(), HeartbeatStep::Unchanged(_))) {
        create::apply(item, &current, session, locks)?;
    }
    Ok(())
}
