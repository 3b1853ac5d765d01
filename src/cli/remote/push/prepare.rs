//! What this machine knows of each skill before a server is asked.

use std::ops::ControlFlow;

use super::arguments::{Options, Want};
use super::blocked::{self, Blocked};
use crate::cli::drafted::Drafted;
use crate::cli::dry_run::review::Review;
use crate::cli::exit::Exit;
use dibber_client::publish::{LockFiles, LockKey};
use dibber_lint::Settings;
use dibber_lint::ordered::for_each_ordered;
use dibber_skill::diagnostic::{Diagnostic, Level};
use dibber_skill::discover::{self, DiscoverError, FoundSkill};
use dibber_skill::manifest::MANIFEST_FILE_NAME;
use dibber_skill::names::Roster;
use dibber_skill::skill::Skill;
use dibber_skill::spec_hash::SpecHash;

/// Whether a skill may be published, as far as this machine knows.
pub(super) struct Prepared {
    /// Where it is recorded.
    pub(super) key: LockKey,
    /// The hash of what would be published, or why it is not.
    pub(super) hash: Result<SpecHash, Blocked>,
}

/// Lints and drafts every skill, in threads. The reviews are in the same order as the rest.
pub(super) fn prepare(
    found: &[FoundSkill],
    options: &Options,
    settings: &Settings,
    roster: &Roster,
    locks: &LockFiles,
) -> (Vec<Review>, Vec<Prepared>, Vec<DiscoverError>) {
    let (mut reviews, mut prepared, mut problems) = (Vec::new(), Vec::new(), Vec::new());
    let _: ControlFlow<()> = for_each_ordered(
        found,
        |found| {
            let review = || review(found, options, settings, roster);
            (found, discover::isolated(&found.shown_skill_file(), review))
        },
        |(found, reviewed)| {
            match reviewed {
                Ok((review, hash)) => {
                    reviews.push(review);
                    prepared.push(Prepared { key: locks.key(&found.directory), hash });
                }
                Err(problem) => problems.push(problem),
            }
            ControlFlow::Continue(())
        },
    );
    (reviews, prepared, problems)
}

/// Reads, lints and drafts a skill.
fn review(
    found: &FoundSkill,
    options: &Options,
    settings: &Settings,
    roster: &Roster,
) -> Result<(Review, Result<SpecHash, Blocked>), DiscoverError> {
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
        let blocked = blocked::by_lint(&review.path, denied);
        return Ok((review, Err(blocked)));
    }
    let hash = match review.hash {
        None => {
            let faults = review.drafted().hash.as_ref().err().cloned().unwrap_or_default();
            let error = review.drafted().no_hash(&faults, settings).exit(Exit::BadInput);
            Err(error.into())
        }
        Some(hash) => match options.expect.filter(|expected| *expected != hash) {
            Some(expected) => Err(blocked::by_expected_hash(&review.path, expected, hash).into()),
            None => Ok(hash),
        },
    };
    Ok((review, hash))
}

fn denied(skill: &Skill, settings: &Settings) -> Vec<Diagnostic> {
    let diagnostics = dibber_lint::lint(skill, settings).diagnostics;
    diagnostics.into_iter().filter(|diagnostic| diagnostic.level == Level::Deny).collect()
}
