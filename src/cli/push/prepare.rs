//! What is known of each skill before a server is asked.

use std::ops::ControlFlow;

use super::arguments::{Memory, Options, Want};
use super::survey::Stop;
use crate::cli::dry_run::review::Review;
use crate::cli::lock_file::{Locks, Spot};
use crate::cli::ordered::for_each_ordered;
use crate::cli::{CommandError, Exit};
use crate::diagnostic::{Diagnostic, Level};
use crate::discover::{self, DiscoverError, FoundSkill};
use crate::lint::{self, Settings};
use crate::names::Roster;
use crate::publish::Published;
use crate::report::counted;
use crate::spec_hash::SpecHash;

/// A skill that may be published.
pub(super) struct Candidate {
    pub(super) review: Review,
    pub(super) spot: Spot,
    /// The hash of what would be sent, or what keeps it from being sent.
    pub(super) hash: Result<SpecHash, Stop>,
    /// What is recorded of it, unless that is to be forgotten.
    pub(super) published: Option<Published>,
}

/// Lints and drafts every skill, in threads, and looks up what is recorded of it.
pub(super) fn prepare(
    found: &[FoundSkill],
    options: &Options,
    settings: &Settings,
    roster: &Roster,
    locks: &mut Locks,
) -> Result<(Vec<Candidate>, Vec<DiscoverError>), CommandError> {
    let (mut candidates, mut problems) = (Vec::new(), Vec::new());
    let ended = for_each_ordered(
        found,
        |found| {
            let look = || look(found, options, settings, roster);
            (found, discover::isolated(&found.shown_skill_file(), look))
        },
        |(found, looked)| {
            match looked.map(|(review, hash)| candidate(found, review, hash, options, locks)) {
                Ok(Ok(candidate)) => candidates.push(candidate),
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
    locks: &mut Locks,
) -> Result<Candidate, CommandError> {
    let spot = locks.spot(&found.folder);
    let published = match options.memory {
        Memory::Use => locks.get(&spot)?,
        Memory::Forget => None,
    };
    Ok(Candidate { review, spot, hash, published })
}

/// Reads a skill, and says whether it may be published as far as this machine knows.
fn look(
    found: &FoundSkill,
    options: &Options,
    settings: &Settings,
    roster: &Roster,
) -> Result<(Review, Result<SpecHash, Stop>), DiscoverError> {
    let review = Review::load(found, roster, settings)?;
    if !matches!(options.want, Want::Diff { .. }) {
        let outcome = lint::lint(&discover::load(found)?, settings);
        let is_denied = |diagnostic: &Diagnostic| diagnostic.level == Level::Deny;
        let denied: Vec<_> = outcome.diagnostics.into_iter().filter(is_denied).collect();
        if !denied.is_empty() {
            let stop = denied_by_lint(&review.path, denied);
            return Ok((review, Err(stop)));
        }
    }
    let hash = match review.hash {
        None => {
            let faults = review.drafted().hash.as_ref().err().cloned().unwrap_or_default();
            let error = review.drafted().no_hash(&faults, settings).exit(Exit::BadInput);
            Err(Stop { findings: Vec::new(), error })
        }
        Some(hash) => match options.expect.filter(|expected| *expected != hash) {
            Some(expected) => Err(unexpected(&review.path, expected, hash)),
            None => Ok(hash),
        },
    };
    Ok((review, hash))
}

fn denied_by_lint(path: &str, findings: Vec<Diagnostic>) -> Stop {
    let count = counted(findings.len(), "finding", "findings");
    let message = format!("{path} is not published: {count} at level deny");
    let hint = "mend it, or waive it with a reason; `dibber lint --fix` repairs what can be \
                repaired safely";
    let error = CommandError::new(message).hint(hint).exit(Exit::Findings);
    Stop { findings, error }
}

fn unexpected(path: &str, expected: SpecHash, hash: SpecHash) -> Stop {
    let message = format!(
        "SPEC_HASH_MISMATCH: {path} is not what was expected\n  expected {expected}\n  it is    {hash}"
    );
    let hint = "look at it again with `dibber dry-run`, and give `--expect` the hash that it shows";
    let error = CommandError::new(message).hint(hint).exit(Exit::BadInput);
    Stop { findings: Vec::new(), error }
}
