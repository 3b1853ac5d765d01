//! What has to be done for each skill: the server is asked, and nothing is written.

use std::time::Instant;

use serde_json::Value;

use super::prepare::Candidate;
use crate::cli::calls::{failed, for_each};
use crate::cli::dry_run::review::Review;
use crate::cli::lock_file::Spot;
use crate::cli::progress::{ClosingLine, Progress};
use crate::cli::session::Session;
use crate::cli::{CommandError, Exit, Ui};
use crate::client::{Client, ClientError};
use crate::contract::{Decision, ErrorCode, SkillUpdate, StoredSkill};
use crate::diagnostic::Diagnostic;
use crate::publish::{Change, Unchangeable, change_of};
use crate::spec_hash::SpecHash;

/// A skill, and what is to be done.
pub(super) struct Planned {
    pub(super) review: Review,
    pub(super) spot: Spot,
    pub(super) hash: Option<SpecHash>,
    pub(super) step: Step,
}

/// What is to be done for a skill.
pub(super) enum Step {
    /// It is made.
    Create {
        /// What the server's checks say.
        policy: Value,
    },
    /// It is changed.
    Update {
        /// What the server's checks say.
        policy: Value,
        old: Box<StoredSkill>,
        update: Box<SkillUpdate>,
    },
    /// The server has it like that already.
    Nothing { skill_id: String },
    /// It cannot be published.
    Stopped(Stop),
}

/// What keeps a skill from being published.
pub(super) struct Stop {
    /// What was found in its files.
    pub(super) findings: Vec<Diagnostic>,
    pub(super) error: CommandError,
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
    session: &Session,
    ui: &Ui,
    started: Instant,
) -> Vec<Planned> {
    let mut progress = Progress::new(ui, ClosingLine::Print, started, candidates.len());
    let mut planned = Vec::new();
    let client = &session.client;
    let work = |(index, candidate)| async move { (index, plan(candidate, client).await) };
    session.block_on(for_each(candidates.into_iter().enumerate(), work, |done| {
        progress.tick();
        planned.push(done);
    }));
    progress.hide();
    planned.sort_by_key(|(index, _)| *index);
    planned.into_iter().map(|(_, planned)| planned).collect()
}

async fn plan(candidate: Candidate, client: &Client) -> Planned {
    let Candidate { review, spot, hash, published } = candidate;
    let (hash, step) = match hash {
        Err(stop) => (None, Step::Stopped(stop)),
        Ok(hash) => {
            let known = published.map(|published| published.skill_id);
            let step = step(&review, hash, known.as_deref(), client).await;
            (Some(hash), step.unwrap_or_else(Step::stopped))
        }
    };
    Planned { review, spot, hash, step }
}

impl Step {
    fn stopped(error: CommandError) -> Self {
        Self::Stopped(Stop { findings: Vec::new(), error })
    }
}

async fn step(
    review: &Review,
    hash: SpecHash,
    known: Option<&str>,
    client: &Client,
) -> Result<Step, CommandError> {
    let path = &review.path;
    let Some(skill_id) = known else {
        let policy = judged(review, hash, client).await?;
        return Ok(Step::Create { policy });
    };
    let found = client.skill_get(skill_id).await;
    let old = match found {
        Ok(found) if found.skill.archived => return Err(gone(path, skill_id, "is archived now")),
        Ok(found) => found.skill,
        Err(ClientError::Refused(error)) if error.code == ErrorCode::DomainNotFound => {
            return Err(gone(path, skill_id, "is not there any more"));
        }
        Err(error) => return Err(failed(path, &error)),
    };
    match change_of(&old, review.exact_arguments()) {
        Change::Nothing => Ok(Step::Nothing { skill_id: old.skill_id }),
        Change::Impossible(arguments) => Err(impossible(path, &arguments)),
        Change::Update(update) => {
            let policy = judged(review, hash, client).await?;
            Ok(Step::Update { policy, old: Box::new(old), update })
        }
    }
}

/// What the server says of the arguments; an error when it refuses them, or when it has
/// understood others than were meant.
async fn judged(review: &Review, hash: SpecHash, client: &Client) -> Result<Value, CommandError> {
    let path = &review.path;
    let dry_run = client.skill_dry_run(review.exact_arguments()).await;
    let dry_run = dry_run.map_err(|error| failed(path, &error))?;
    if dry_run.spec_hash != hash.to_string() {
        let message = format!(
            "SPEC_HASH_MISMATCH: the server has understood another skill than {path} is\n  here     \
             {hash}\n  there    {}",
            dry_run.spec_hash
        );
        let hint = "nothing was written; look whether the server and this dibber are of the same \
                    version";
        return Err(CommandError::new(message).hint(hint).exit(Exit::BadInput));
    }
    if dry_run.policy_decision["decision"] != Decision::Refuse.name() {
        return Ok(dry_run.policy_decision);
    }
    let text = |reason: &Value, key: &str| reason[key].as_str().unwrap_or_default().to_owned();
    let reasons = dry_run.policy_decision["reasons"].as_array();
    let is_refusal = |reason: &&Value| reason["decision"] == Decision::Refuse.name();
    let refusals: Vec<&Value> = reasons.into_iter().flatten().filter(is_refusal).collect();
    let first = refusals.first().copied().unwrap_or(&Value::Null);
    let more = match refusals.len() {
        0 | 1 => String::new(),
        count => format!(" (and {} more)", count - 1),
    };
    let (reason, message) = (text(first, "reason"), text(first, "message"));
    let error = CommandError::new(format!("{path} is refused: {reason}: {message}{more}"));
    Err(error.hint(text(first, "fix")).exit(Exit::BadInput))
}

fn gone(path: &str, skill_id: &str, is: &str) -> CommandError {
    CommandError::new(format!("{path} was published as {skill_id}, which {is}"))
        .hint("`dibber push --new` publishes it as another skill")
        .exit(Exit::NotFound)
}

fn impossible(path: &str, arguments: &[Unchangeable]) -> CommandError {
    let names: Vec<_> = arguments.iter().map(|argument| argument.name()).collect();
    let is_taken = arguments == [Unchangeable::AgeRange];
    let verb = if is_taken { "cannot be taken out of" } else { "cannot be changed in" };
    let message = format!("{path}: {} {verb} a skill that is published", names.join(", "));
    CommandError::new(message)
        .hint(
            "put it back as it was, or make another skill of it with `dibber push --new`; the old \
             one stays, and can be archived",
        )
        .exit(Exit::BadInput)
}
