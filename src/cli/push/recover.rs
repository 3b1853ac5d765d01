//! Going on with skills that an earlier push began to make.
//!
//! Until its end is known, it is not known whether the server has such a skill, and another call
//! would make a second one. So the earlier call is repeated first, with its own arguments and its
//! own key. From then on the skill is one that was published, like any other.

use super::prepare::Candidate;
use crate::cli::lock_file::{self, Locks};
use crate::cli::session::Session;
use crate::cli::{CommandError, Exit, Ui};
use crate::client::{Commit, SPEC_HASH, Unfinished};
use crate::contract::SKILL_WRITE;
use crate::publish::Published;
use crate::text::escape_line;

/// Finishes what was begun, and records it. A skill for which that fails is stopped.
pub(super) fn finish_begun(
    candidates: &mut [Candidate],
    session: &Session,
    locks: &mut Locks,
    ui: &mut Ui,
) {
    for candidate in candidates {
        let Some(begun) = begun(&candidate.unfinished) else { continue };
        match finish(candidate, begun, session, locks) {
            Ok(published) => {
                let (path, id) = (&candidate.review.path, &published.skill_id);
                let (path, id) = (escape_line(path), escape_line(id));
                ui.say(&format!("Finished an earlier push of {path}: it is {id}."));
                candidate.published = Some(published);
                candidate.unfinished.clear();
            }
            // It was not made, and never will be: what is in the folder now is another attempt.
            Err(error) if matches!(error.exit_code(), Exit::BadInput | Exit::NotFound) => {
                candidate.unfinished.clear();
            }
            Err(error) => candidate.hash = Err(error.into()),
        }
    }
}

/// Warns of skills that a push would first go on with.
pub(super) fn warn(candidates: &[Candidate], ui: &mut Ui) {
    for candidate in candidates {
        if begun(&candidate.unfinished).is_some() {
            let path = &candidate.review.path;
            ui.warning(&format!(
                "an earlier push of {path} was interrupted, so it is not known whether it took \
                 effect; the next push finishes it first"
            ));
        }
    }
}

/// The latest write of a new skill.
fn begun(unfinished: &[Unfinished]) -> Option<&Unfinished> {
    let is_new = |unfinished: &&Unfinished| {
        unfinished.details.as_ref().is_some_and(|details| details.tool == SKILL_WRITE)
    };
    unfinished.iter().rev().find(is_new)
}

fn finish(
    candidate: &Candidate,
    begun: &Unfinished,
    session: &Session,
    locks: &mut Locks,
) -> Result<Published, CommandError> {
    let details = begun.details.as_ref().expect("only readable entries are looked for");
    let spec_hash = details.arguments.get(SPEC_HASH).and_then(|hash| hash.as_str());
    let spec_hash = spec_hash.unwrap_or_default().to_owned();
    let published = |written: &Commit| {
        let (id, answered) = (&written.skill_id, written.content_hash.clone());
        let sent = details.target.as_deref().unwrap_or_default();
        let content = session.client.content_after_write(id, answered, sent);
        Published {
            skill_id: id.clone(),
            spec_hash: spec_hash.clone(),
            content_hash: Some(session.block_on(content)),
            time: lock_file::time(),
            ..Published::default()
        }
    };
    let mut recorded = None;
    // Whether it is still as it was written is for the plan to find out.
    let written = session.resume(
        begun,
        async |key| session.client.skill_write(details.arguments.clone(), key).await,
        |written| {
            let published = published(written);
            recorded = Some(published.clone());
            locks.record(vec![(candidate.spot.clone(), published)])
        },
    );
    written.map_err(|error| error.about(&candidate.review.path))?;
    Ok(recorded.expect("a write that is complete is recorded"))
}
