//! What this machine knows of each skill before a server is asked.

use std::ops::ControlFlow;

use super::arguments::{Options, PushMode};
use super::blocked::{self, Blocked};
use crate::cli::dry_run::review::Review;
use crate::cli::exit::Exit;
use dibber_client::publish::LockKey;
use dibber_lint::Settings;
use dibber_lint::ordered::for_each_ordered;
use dibber_skill::diagnostic::{Diagnostic, Level};
use dibber_skill::discover::{self, DiscoverError, FoundSkill, Overlays};
use dibber_skill::draft::AnalyzedDraft;
use dibber_skill::manifest::MANIFEST_FILE_NAME;
use dibber_skill::names::Roster;
use dibber_skill::skill::{Resource, Skill};
use dibber_skill::spec_hash::SpecHash;

/// Whether a skill may be published, as far as this machine knows.
pub(super) struct Prepared {
    /// Where it is recorded.
    pub(super) key: LockKey,
    /// The hash of what would be published, or why it is not.
    pub(super) hash: Result<SpecHash, Blocked>,
    /// Why a push would not publish what is compared all the same.
    pub(super) objection: Option<Blocked>,
}

/// Lints and drafts every skill, with the content of files that are not written yet, in threads. The
/// reviews are in the same order as the rest.
pub(super) fn prepare(
    (found, overlays): (&[FoundSkill], &Overlays),
    options: &Options,
    settings: &Settings,
    roster: &Roster,
) -> (Vec<Review>, Vec<Prepared>, Vec<DiscoverError>) {
    let (mut reviews, mut prepared, mut problems) = (Vec::new(), Vec::new(), Vec::new());
    let _: ControlFlow<()> = for_each_ordered(
        found,
        |found| {
            let review = || review((found, overlays), options, settings, roster);
            (found, discover::isolated(&found.shown_skill_file(), review))
        },
        |(found, reviewed)| {
            match reviewed {
                Ok((review, (hash, objection))) => {
                    reviews.push(review);
                    let key = LockKey::new(&found.directory);
                    prepared.push(Prepared { key, hash, objection });
                }
                Err(problem) => problems.push(problem),
            }
            ControlFlow::Continue(())
        },
    );
    (reviews, prepared, problems)
}

/// What a skill would be published with, or why it is not published; and why a push would not
/// publish what is compared.
type Judged = (Result<SpecHash, Blocked>, Option<Blocked>);

/// Reads, lints and drafts a skill.
fn review(
    (found, overlays): (&FoundSkill, &Overlays),
    options: &Options,
    settings: &Settings,
    roster: &Roster,
) -> Result<(Review, Judged), DiscoverError> {
    // One reading of the files for all: what is published is exactly what was linted and shown.
    let skill = discover::load_with_overlays(found, overlays)?;
    let (skill, draft, denied) = lint_and_draft(skill, settings, roster);
    let review = Review::from_draft(skill, draft, roster, settings);
    let denied = (!denied.is_empty()).then(|| blocked::by_lint(&review.path, denied));
    let is_diff = matches!(options.mode, PushMode::Diff { .. });
    let objection = match denied {
        // There still is something to compare.
        Some(blocked) if is_diff && review.hash.is_some() => Some(blocked),
        Some(blocked) => return Ok((review, (Err(blocked), None))),
        None => None,
    };
    let hash = match review.hash {
        None => {
            let findings = review.drafted().hash.as_ref().err().cloned().unwrap_or_default();
            let error = review.drafted().no_hash(&findings, settings).exit(Exit::BadInput);
            Err(error.into())
        }
        Some(hash) => match options.expect.filter(|expected| *expected != hash) {
            Some(expected) => Err(blocked::by_expected_hash(&review.path, expected, hash).into()),
            None => Ok(hash),
        },
    };
    Ok((review, (hash, objection)))
}

/// Drafts and lints a skill, and keeps of its files only those that are published. Returns the
/// findings that prevent it from being published, too.
fn lint_and_draft(
    mut skill: Skill,
    settings: &Settings,
    roster: &Roster,
) -> (Skill, AnalyzedDraft, Vec<Diagnostic>) {
    // The draft refers to `sprout.yaml` by its index, which stays the same when the other files are
    // removed after the manifest was moved before them.
    let is_manifest = |resource: &Resource| resource.path == MANIFEST_FILE_NAME;
    let manifest = skill.resources.iter().position(is_manifest);
    if let Some(index) = manifest {
        skill.resources[..=index].rotate_right(1);
    }
    let draft = AnalyzedDraft::new(&skill, roster);
    let mut findings = dibber_lint::lint_drafted(&skill, &draft, settings).diagnostics;
    findings.retain(|diagnostic| diagnostic.level == Level::Deny);
    skill.resources.truncate(usize::from(manifest.is_some()));
    (skill, draft, findings)
}
