//! Doing what was planned: one call for each skill, a few at a time.

use std::collections::BTreeMap;
use std::time::Instant;

use super::survey::{Planned, Step};
use crate::cli::calls::{CALLS_AT_ONCE_MAX, failed};
use crate::cli::interrupt::Interrupt;
use crate::cli::lock_file::{self, Locks};
use crate::cli::progress::{ClosingLine, Progress};
use crate::cli::session::Session;
use crate::cli::{CommandError, Exit, Ui};
use crate::client::{Client, ClientError, Key};
use crate::publish::Published;

/// What came of one skill.
pub(super) struct Outcome {
    /// Its index among the planned ones.
    pub(super) index: usize,
    pub(super) done: Result<Done, CommandError>,
}

/// A skill that was written.
pub(super) struct Done {
    pub(super) skill_id: String,
    pub(super) next_step: String,
}

/// How a run ends because of one skill.
pub(super) fn exit_of(outcome: &Outcome) -> Exit {
    outcome.done.as_ref().err().map_or(Exit::Done, CommandError::exit_code)
}

/// Writes every skill that is to be written, and records it: after every few calls, so that
/// little has to be found out again when something ends this run.
pub(super) fn apply(
    planned: &[Planned],
    session: &Session,
    locks: &mut Locks,
    interrupt: &Interrupt,
    ui: &Ui,
) -> Result<Vec<Outcome>, CommandError> {
    let writes: Vec<_> =
        planned.iter().enumerate().filter(|(_, planned)| planned.writes()).collect();
    let mut progress = Progress::new(ui, ClosingLine::Print, Instant::now(), writes.len());
    let mut outcomes = BTreeMap::new();
    for some in writes.chunks(CALLS_AT_ONCE_MAX) {
        let mut entries = Vec::new();
        let work = |(index, planned)| async move { (index, write(planned, &session.client).await) };
        session.block_on(crate::cli::calls::for_each(some.iter().copied(), work, |done| {
            progress.tick();
            let (index, done): (usize, Result<Done, CommandError>) = done;
            if let Ok(done) = &done {
                entries.push((planned[index].spot.clone(), recorded(&planned[index], done)));
            }
            outcomes.insert(index, done);
        }));
        let held = interrupt.hold();
        locks.record(entries)?;
        drop(held);
    }
    progress.hide();
    Ok(outcomes.into_iter().map(|(index, done)| Outcome { index, done }).collect())
}

fn recorded(planned: &Planned, done: &Done) -> Published {
    Published {
        skill_id: done.skill_id.clone(),
        spec_hash: planned.hash.map(|hash| hash.to_string()).unwrap_or_default(),
        time: lock_file::time(),
        ..Published::default()
    }
}

async fn write(planned: &Planned, client: &Client) -> Result<Done, CommandError> {
    let path = &planned.review.path;
    sent(planned, client).await.map_err(|error| failed(path, &error))
}

async fn sent(planned: &Planned, client: &Client) -> Result<Done, ClientError> {
    let key = Key::new();
    if let Step::Update { update, .. } = &planned.step {
        let done = client.skill_update(update, &key).await?;
        return Ok(Done { skill_id: done.skill_id, next_step: String::new() });
    }
    let hash = planned.hash.map(|hash| hash.to_string()).unwrap_or_default();
    let done = client.skill_write(planned.review.exact_arguments(), &hash, &key).await?;
    Ok(Done { skill_id: done.skill_id, next_step: done.next_step })
}
