//! Doing what was planned: one call for each skill, a few at a time.

use std::collections::BTreeMap;
use std::time::Instant;

use serde_json::json;

use super::survey::{Planned, Step};
use crate::cli::calls::{failed, for_each};
use crate::cli::interrupt::Interrupt;
use crate::cli::lock_file::{self, Locks};
use crate::cli::progress::{ClosingLine, Progress};
use crate::cli::session::{Session, not_begun};
use crate::cli::{CommandError, Exit, Ui};
use crate::client::{ClientError, Operation};
use crate::contract::SKILL_WRITE;
use crate::publish::Published;

/// How many skills are written before they are recorded together.
const RECORDED_AT_ONCE: usize = 64;

/// What came of one skill.
pub(super) struct Outcome {
    /// Its index among the planned ones.
    pub(super) index: usize,
    pub(super) done: Result<Done, CommandError>,
}

/// A skill that was written.
pub(super) struct Done {
    pub(super) skill_id: String,
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
    for some in writes.chunks(RECORDED_AT_ONCE) {
        let (mut entries, mut begun) = (Vec::new(), Vec::new());
        let work = |(index, planned)| async move { (index, write(planned, session).await) };
        session.block_on(for_each(some.iter().copied(), work, |done| {
            progress.tick();
            let (index, done): (usize, Result<(Done, Operation), CommandError>) = done;
            let done = done.map(|(done, operation)| {
                entries.push((planned[index].spot.clone(), recorded(&planned[index], &done)));
                begun.push(operation);
                done
            });
            outcomes.insert(index, done);
        }));
        let held = interrupt.hold();
        locks.record(entries)?;
        // Only what is recorded is finished: until then, the same push finds its key again.
        for operation in begun {
            operation.finish().map_err(|error| not_begun(&error))?;
        }
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

async fn write(planned: &Planned, session: &Session) -> Result<(Done, Operation), CommandError> {
    let operation = begin(planned, session)?;
    match sent(planned, session, &operation).await {
        Ok(done) => Ok((done, operation)),
        Err(error) => {
            operation.failed(&error).map_err(|error| not_begun(&error))?;
            Err(failed(&planned.review.path, &error))
        }
    }
}

/// What makes it the same push: the skill's own place, and all that is sent. Two folders with the
/// same text are two skills.
fn begin(planned: &Planned, session: &Session) -> Result<Operation, CommandError> {
    let place = planned.spot.path();
    if let Step::Update { update, .. } = &planned.step {
        return session.begin("skill_update", &json!({"place": place, "arguments": update}));
    }
    let arguments = planned.review.exact_arguments();
    session.begin(SKILL_WRITE, &json!({"place": place, "arguments": arguments}))
}

async fn sent(
    planned: &Planned,
    session: &Session,
    operation: &Operation,
) -> Result<Done, ClientError> {
    let (client, key) = (&session.client, operation.key());
    if let Step::Update { update, .. } = &planned.step {
        let done = client.skill_update(update, key).await?;
        return Ok(Done { skill_id: done.skill_id });
    }
    let hash = planned.hash.map(|hash| hash.to_string()).unwrap_or_default();
    let done = client.skill_write(planned.review.exact_arguments(), &hash, key).await?;
    Ok(Done { skill_id: done.skill_id })
}
