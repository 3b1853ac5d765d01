//! What has to be done for each skill: the server is asked, and nothing is written.

use std::iter;
use std::time::Instant;

use super::arguments::{ForeignChanges, Options, Want};
use super::prepare::Candidate;
use super::stop::{self, Stop};
use crate::cli::dry_run::review::Review;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::calls::{failed, for_each};
use crate::cli::remote::session::Session;
use crate::cli::term::progress::{ClosingLine, Progress};
use crate::cli::term::ui::Ui;
use dibber_client::publish::{Change, LockKey, Published, change_of};
use dibber_client::{Client, ClientError, Unfinished};
use dibber_skill::content_hash::ContentHash;
use dibber_skill::contract::{Decision, ErrorCode, PolicyDecision, SkillUpdate, StoredSkill};
use dibber_skill::spec_hash::SpecHash;

/// A skill, and what is to be done.
pub(super) struct Planned {
    pub(super) review: Review,
    pub(super) key: LockKey,
    pub(super) hash: Option<SpecHash>,
    pub(super) step: Step,
    /// Whether writes of it were begun and have not ended.
    pub(super) has_unfinished: bool,
}

/// What is to be done for a skill.
pub(super) enum Step {
    /// It is made.
    Create {
        /// What the server's checks say.
        policy: PolicyDecision,
    },
    /// It is changed.
    Update {
        /// What the server's checks say.
        policy: PolicyDecision,
        old: Box<StoredSkill>,
        update: Box<SkillUpdate>,
        /// Whether another writer has changed it since it was published from here.
        is_changed_elsewhere: bool,
    },
    /// The server has it like that already.
    Nothing {
        skill_id: String,
        /// Whether `dibber.lock` says so.
        is_recorded: bool,
        /// Whether a write that was begun may still make it another one.
        may_change: bool,
    },
    /// It cannot be published.
    Stopped(Stop),
}

impl Planned {
    /// Whether something would be written.
    pub(super) const fn writes(&self) -> bool {
        matches!(self.step, Step::Create { .. } | Step::Update { .. })
    }

    /// How the plan ends.
    pub(super) fn exit(&self) -> Exit {
        match &self.step {
            Step::Stopped(stop) => stop.error.exit_code(),
            _ => Exit::Done,
        }
    }
}

/// Asks the server about every skill, a few at a time; in the order of the skills.
pub(super) fn survey(
    candidates: Vec<Candidate>,
    options: &Options,
    session: &Session,
    ui: &Ui,
    started: Instant,
) -> Vec<Planned> {
    let mut progress = Progress::new(ui, ClosingLine::Print, started, candidates.len());
    let mut planned = Vec::new();
    let work = |(index, candidate)| async move { (index, plan(candidate, options, session).await) };
    session.block_on(for_each(candidates.into_iter().enumerate(), work, |done| {
        progress.tick();
        planned.push(done);
    }));
    progress.hide();
    planned.sort_by_key(|(index, _)| *index);
    planned.into_iter().map(|(_, planned)| planned).collect()
}

async fn plan(candidate: Candidate, options: &Options, session: &Session) -> Planned {
    let Candidate { review, key, hash, published, unfinished } = candidate;
    let (hash, step) = match hash {
        Err(stop) => (None, Step::Stopped(stop)),
        Ok(hash) => {
            let step = match &published {
                None => new_step(&review, hash, &session.client).await,
                Some(published) => {
                    let known = Known { published, unfinished: &unfinished };
                    step(&review, hash, &known, options, session).await
                }
            };
            (Some(hash), step.unwrap_or_else(|error| Step::Stopped(error.into())))
        }
    };
    let has_unfinished = !unfinished.is_empty();
    Planned { review, key, hash, step, has_unfinished }
}

/// What this machine knows of a skill that was published.
struct Known<'a> {
    published: &'a Published,
    unfinished: &'a [Unfinished],
}

impl Known<'_> {
    /// Returns `true` if a skill is as it was left, or seen, from here: by what is recorded, or
    /// before or after a write whose answer was lost.
    fn has_seen(&self, content: &ContentHash) -> bool {
        let writes = self.unfinished.iter().filter_map(|unfinished| unfinished.details.as_ref());
        let states = writes.flat_map(|write| iter::once(&write.base).chain(&write.target));
        states.chain(&self.published.content_hash).any(|hash| hash == content.as_str())
    }

    /// Returns `true` if a write that was begun leads to another content: it may still be under way.
    fn may_become_other(&self, content: &ContentHash) -> bool {
        let writes = self.unfinished.iter().filter_map(|unfinished| unfinished.details.as_ref());
        writes.filter_map(|write| write.target.as_ref()).any(|target| target != content.as_str())
    }

    /// Returns `true` if `dibber.lock` says that a skill is like that.
    fn has_recorded(&self, content: &ContentHash, hash: SpecHash) -> bool {
        let Published { content_hash, spec_hash, .. } = self.published;
        content_hash.as_deref() == Some(content.as_str()) && *spec_hash == hash.to_string()
    }
}

async fn new_step(review: &Review, hash: SpecHash, client: &Client) -> Result<Step, CommandError> {
    Ok(Step::Create { policy: judged(review, hash, client).await? })
}

async fn step(
    review: &Review,
    hash: SpecHash,
    known: &Known<'_>,
    options: &Options,
    session: &Session,
) -> Result<Step, CommandError> {
    let (path, client) = (&review.path, &session.client);
    let skill_id = &known.published.skill_id;
    let old = match client.skill_get(skill_id).await {
        Ok(found) if found.skill.archived => {
            return Err(stop::gone(path, skill_id, "is archived now"));
        }
        Ok(found) => found.skill,
        Err(ClientError::Refused(error)) if error.code == ErrorCode::DomainNotFound => {
            return Err(stop::gone(path, skill_id, "is not there any more"));
        }
        Err(error) => return Err(failed(path, &error)),
    };
    let content = ContentHash::of_stored(&old);
    match change_of(&old, review.exact_arguments()) {
        Change::Nothing => {
            let is_recorded = known.has_recorded(&content, hash);
            let may_change = known.may_become_other(&content);
            Ok(Step::Nothing { skill_id: old.skill_id, is_recorded, may_change })
        }
        Change::Impossible(arguments) => Err(stop::impossible(path, &arguments)),
        Change::Update(update) => {
            let is_changed_elsewhere = !known.has_seen(&content);
            let stops = !matches!(options.want, Want::Diff { .. })
                && options.changes == ForeignChanges::Keep;
            if is_changed_elsewhere && stops {
                let published = known.published;
                return Err(stop::changed_elsewhere(path, &old, &session.choice, published, hash));
            }
            let policy = judged(review, hash, client).await?;
            // A change that is made from here on is for the server to notice, if it can.
            let update =
                Box::new(SkillUpdate { expected_hash: old.content_hash.clone(), ..*update });
            Ok(Step::Update { policy, old: Box::new(old), update, is_changed_elsewhere })
        }
    }
}

/// What the server says of the arguments; an error when it refuses them, or when it has
/// understood others than were meant.
async fn judged(
    review: &Review,
    hash: SpecHash,
    client: &Client,
) -> Result<PolicyDecision, CommandError> {
    let path = &review.path;
    let dry_run = client.skill_dry_run(review.exact_arguments()).await;
    let dry_run = dry_run.map_err(|error| failed(path, &error))?;
    if dry_run.spec_hash.parse() != Ok(hash) {
        let message = format!(
            "SPEC_HASH_MISMATCH: the server has understood another skill than {path} is\n  here     \
             {hash}\n  there    {}",
            dry_run.spec_hash
        );
        let hint = "nothing was written; look whether the server and this dibber are of the same \
                    version";
        return Err(CommandError::new(message).help(hint).exit(Exit::BadInput));
    }
    let policy = dry_run.policy_decision;
    if policy.decision != Decision::Refuse {
        return Ok(policy);
    }
    let mut refusals =
        policy.reasons.into_iter().filter(|reason| reason.decision == Decision::Refuse);
    let first = refusals.next();
    let (reason, message, fix) =
        first.map(|first| (first.reason, first.message, first.fix)).unwrap_or_default();
    let more = match refusals.count() {
        0 => String::new(),
        count => format!(" (and {count} more)"),
    };
    let error = CommandError::new(format!("{path} is refused: {reason}: {message}{more}"));
    Err(error.help(fix).exit(Exit::BadInput))
}
