//! What is known of each skill before a server is asked.

use std::ops::ControlFlow;

use super::arguments::{Memory, Options, Want};
use super::stop::{self, Stop};
use crate::cli::drafted::Drafted;
use crate::cli::dry_run::review::Review;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::session::Session;
use dibber_client::Unfinished;
use dibber_client::publish::{LockFiles, LockKey, Published};
use dibber_lint::Settings;
use dibber_lint::ordered::for_each_ordered;
use dibber_skill::diagnostic::{Diagnostic, Level};
use dibber_skill::discover::{self, DiscoverError, FoundSkill};
use dibber_skill::manifest::MANIFEST_FILE_NAME;
use dibber_skill::names::Roster;
use dibber_skill::skill::Skill;
use dibber_skill::spec_hash::SpecHash;

/// A skill that may be published.
pub(super) struct Candidate {
    pub(super) review: Review,
    pub(super) key: LockKey,
    /// The hash of what would be sent, or what keeps it from being sent.
    pub(super) hash: Result<SpecHash, Stop>,
    /// What is recorded of it, unless that is to be forgotten.
    pub(super) published: Option<Published>,
    /// Writes of it that were begun and have not ended, unless they are to be forgotten.
    pub(super) unfinished: Vec<Unfinished>,
}

/// Lints and drafts every skill, in threads, and looks up what is recorded of it.
pub(super) fn prepare(
    found: &[FoundSkill],
    options: &Options,
    settings: &Settings,
    roster: &Roster,
    (session, locks): (&Session, &mut LockFiles),
) -> Result<(Vec<Candidate>, Vec<DiscoverError>), CommandError> {
    let mut unfinished = session.unfinished()?;
    let (mut candidates, mut problems) = (Vec::new(), Vec::new());
    let ended = for_each_ordered(
        found,
        |found| {
            let look = || look(found, options, settings, roster);
            (found, discover::isolated(&found.shown_skill_file(), look))
        },
        |(found, looked)| {
            match looked.map(|(review, hash)| candidate(found, review, hash, options, locks)) {
                Ok(Ok(mut candidate)) => {
                    if options.memory == Memory::Use {
                        let subject = candidate.key.subject();
                        candidate.unfinished = unfinished.remove(&subject).unwrap_or_default();
                    }
                    candidates.push(candidate);
                }
                Ok(Err(error)) => return ControlFlow::Break(error),
                Err(problem) => problems.push(problem),
            }
            ControlFlow::Continue(())
        },
    );
    match ended {
        ControlFlow::Break(error) => Err(error),
        ControlFlow::Continue(()) => Ok((candidates, problems)),
    }
}

fn candidate(
    found: &FoundSkill,
    review: Review,
    hash: Result<SpecHash, Stop>,
    options: &Options,
    locks: &mut LockFiles,
) -> Result<Candidate, CommandError> {
    let key = locks.key(&found.folder);
    let published = match options.memory {
        Memory::Use => locks.get(&key)?,
        Memory::Forget => None,
    };
    Ok(Candidate { review, key, hash, published, unfinished: Vec::new() })
}

/// Reads a skill, and says whether it may be published as far as this machine knows.
fn look(
    found: &FoundSkill,
    options: &Options,
    settings: &Settings,
    roster: &Roster,
) -> Result<(Review, Result<SpecHash, Stop>), DiscoverError> {
    // One reading of the files for all: what is published is exactly what was linted and shown.
    let (skill, denied) = match options.want {
        Want::Diff { .. } => (discover::load_published(found)?, Vec::new()),
        Want::Push | Want::Preview => {
            let mut skill = discover::load(found)?;
            let denied = denied(&skill, settings);
            skill.resources.retain(|resource| resource.path == MANIFEST_FILE_NAME);
            (skill, denied)
        }
    };
    let review = Review::of(Drafted::of(skill), roster, settings);
    if !denied.is_empty() {
        let stop = stop::denied_by_lint(&review.path, denied);
        return Ok((review, Err(stop)));
    }
    let hash = match review.hash {
        None => {
            let faults = review.drafted().hash.as_ref().err().cloned().unwrap_or_default();
            let error = review.drafted().no_hash(&faults, settings).exit(Exit::BadInput);
            Err(error.into())
        }
        Some(hash) => match options.expect.filter(|expected| *expected != hash) {
            Some(expected) => Err(stop::unexpected(&review.path, expected, hash).into()),
            None => Ok(hash),
        },
    };
    Ok((review, hash))
}

fn denied(skill: &Skill, settings: &Settings) -> Vec<Diagnostic> {
    let diagnostics = dibber_lint::lint(skill, settings).diagnostics;
    diagnostics.into_iter().filter(|diagnostic| diagnostic.level == Level::Deny).collect()
}
