//! Doing what was planned: one call for each skill, a few at a time.

use std::collections::BTreeMap;
use std::time::Instant;

use serde_json::{Map, Value};

use jiff::Timestamp;

use super::survey::{Planned, Step};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::calls::{failed, for_each};
use crate::cli::remote::session::{Session, journal_error};
use crate::cli::term::interrupt::Interrupt;
use crate::cli::term::progress::{ClosingLine, Progress};
use crate::cli::term::ui::Ui;
use dibber_client::publish::{LockFiles, Published, format_time};
use dibber_client::{ClientError, Intent, Key, Operation, Repeat, commit_arguments};
use dibber_skill::content_hash::ContentHash;
use dibber_skill::contract::{SKILL_UPDATE, SKILL_WRITE};

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
    /// What the server has now.
    content_hash: String,
}

/// What a server has answered to the write of a skill.
struct Written {
    skill_id: String,
    content_hash: Option<String>,
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
    locks: &mut LockFiles,
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
                let planned = &planned[index];
                entries.push((planned.key.clone(), recorded(planned, &done)));
                begun.push(operation);
                done
            });
            outcomes.insert(index, done);
        }));
        let held = interrupt.hold();
        locks.record(entries)?;
        // Only what is recorded is finished: until then, the same push finds its key again.
        for operation in begun {
            operation.finish().map_err(|error| journal_error(&error))?;
        }
        drop(held);
    }
    progress.hide();
    Ok(outcomes.into_iter().map(|(index, done)| Outcome { index, done }).collect())
}

/// Records the skills that the server has already, where that is not recorded, and ends what was
/// begun for them: an answer was lost, or another writer has made the same change.
pub(super) fn record_unchanged(
    planned: &[Planned],
    session: &Session,
    locks: &mut LockFiles,
    interrupt: &Interrupt,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    let _held = interrupt.hold();
    let mut entries = Vec::new();
    for planned in planned {
        if let Step::Nothing { skill_id, is_recorded: false, .. } = &planned.step {
            let content_hash = target(planned).to_string();
            let found = Done { skill_id: skill_id.clone(), content_hash };
            entries.push((planned.key.clone(), recorded(planned, &found)));
        }
    }
    if !entries.is_empty() {
        locks.record(entries)?;
    }
    for planned in planned.iter().filter(|planned| planned.has_unfinished) {
        match planned.step {
            Step::Nothing { may_change: false, .. } => {
                session.discard_unfinished(&planned.key.subject())?;
            }
            Step::Nothing { may_change: true, .. } => ui.warning(&format!(
                "an earlier push of {} was interrupted, and may still take effect; push again later",
                planned.review.path
            )),
            _ => {}
        }
    }
    Ok(())
}

fn recorded(planned: &Planned, done: &Done) -> Published {
    Published {
        skill_id: done.skill_id.clone(),
        spec_hash: planned.hash.map(|hash| hash.to_string()).unwrap_or_default(),
        content_hash: Some(done.content_hash.clone()),
        time: format_time(Timestamp::now()),
        ..Published::default()
    }
}

/// What the server has once the skill is written.
fn target(planned: &Planned) -> ContentHash {
    ContentHash::of_write(planned.review.exact_arguments())
}

async fn write(planned: &Planned, session: &Session) -> Result<(Done, Operation), CommandError> {
    let (subject, target) = (planned.key.subject(), target(planned));
    let (tool, base, arguments, repeat) = match &planned.step {
        Step::Update { update, old, .. } => {
            let arguments = serde_json::to_value(update).expect("an update is an object");
            (SKILL_UPDATE, ContentHash::of_stored(old).to_string(), arguments, Repeat::Sets)
        }
        _ => (SKILL_WRITE, String::new(), commit(planned).into(), Repeat::Adds),
    };
    let intent = Intent {
        subject: Some(&subject),
        base: &base,
        target: Some(target.as_str()),
        repeat,
        ..Intent::new(session.choice.name(), tool, &arguments)
    };
    let mut operation = session.begin(&intent)?;
    let send = async |key: &Key| send(planned, session, key).await;
    let client = &session.client;
    let has_effect = async |written: &Written| {
        let content = client.active_content(&written.skill_id).await?;
        // A skill that was changed since it was made is still the one that was made.
        Ok(content.is_some_and(|content| repeat == Repeat::Adds || content == target))
    };
    match operation.carry_out(send, has_effect).await {
        Ok(Written { skill_id, content_hash }) => {
            let after = client.content_after_write(&skill_id, content_hash, target.as_str());
            let content_hash = after.await;
            Ok((Done { skill_id, content_hash }, operation))
        }
        Err(error) => {
            operation.fail(&error).map_err(|error| journal_error(&error))?;
            Err(failed(&planned.review.path, &error))
        }
    }
}

fn commit(planned: &Planned) -> Map<String, Value> {
    let hash = planned.hash.map(|hash| hash.to_string()).unwrap_or_default();
    commit_arguments(planned.review.exact_arguments(), &hash)
}

/// Sends the write of a skill.
async fn send(planned: &Planned, session: &Session, key: &Key) -> Result<Written, ClientError> {
    let client = &session.client;
    if let Step::Update { update, .. } = &planned.step {
        let updated = client.skill_update(update, key).await?;
        return Ok(Written { skill_id: updated.skill_id, content_hash: updated.content_hash });
    }
    let written = client.skill_write(commit(planned), key).await?;
    Ok(Written { skill_id: written.skill_id, content_hash: written.content_hash })
}
