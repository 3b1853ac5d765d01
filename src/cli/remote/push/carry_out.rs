//! Doing what was planned and agreed to.

use super::arguments::Options;
use super::outcome::Done;
use super::plan::PushItem;
use super::{apply, heartbeats, missing_directories};
use crate::cli::remote::session::Session;
use crate::cli::term::interrupt::Interrupt;
use crate::cli::term::ui::Ui;
use dibber_client::publish::{LockFiles, UnusedRecord};

/// Publishes the skills, archives those that are gone, and sets the heartbeats.
pub(super) fn carry_out(
    done: &mut Done,
    items: &[PushItem],
    archived: &[UnusedRecord],
    options: &Options,
    (session, locks): (&Session, &mut LockFiles),
    (interrupt, ui): (&Interrupt, &mut Ui),
) {
    let (outcomes, failure) = apply::apply(items, session, locks, interrupt, ui);
    done.outcomes = outcomes;
    done.errors.extend(failure);
    done.errors.extend(missing_directories::prune(archived, session, locks, interrupt, ui));
    let written = (&done.outcomes[..], &mut done.heartbeats[..]);
    let known = (session, locks);
    let applied = heartbeats::apply(items, written, options, known, (interrupt, ui));
    done.errors.extend(applied.err());
}
