//! Doing what was planned and agreed to.

use super::duplicate_labels;
use super::outcome::Done;
use super::plan::PushItem;
use super::prune::MissingSkill;
use super::resolution::Context;
use super::{apply, heartbeats, prune, sent_again, write_files};
use crate::cli::error::CommandError;
use crate::cli::term::ui::Ui;
use dibber_client::publish::{CurrentSkills, LockFiles};

/// Writes the files of the skills that are merged or pulled, publishes the skills, archives those
/// that are gone, and sets the heartbeats.
pub(super) fn carry_out(
    (done, items, missing): (&mut Done, &mut [PushItem], &mut [MissingSkill]),
    context: &Context<'_>,
    locks: &mut LockFiles,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    let Context { options, session, interrupt, skills, .. } = context;
    write_files::write(items, context, locks, ui);
    let resolved: Vec<_> = items.iter().filter(|item| item.resolved_files().is_some()).collect();
    apply::record(&resolved, session, locks, interrupt, ui)?;
    let current = CurrentSkills::new(skills);
    let (outcomes, failure) = apply::apply(items, (session, locks), &current, interrupt, ui);
    done.outcomes = outcomes;
    sent_again::warn(items, &current, session, ui);
    duplicate_labels::warn_of_simultaneous(&current, (items, &done.outcomes), session, ui);
    done.errors.extend(failure);
    done.errors.extend(prune::apply(missing, session, locks, interrupt, ui));
    let written = (&done.outcomes[..], &mut done.heartbeats[..]);
    let known = (*session, locks);
    heartbeats::apply(items, written, options, known, (interrupt, ui));
    Ok(())
}
