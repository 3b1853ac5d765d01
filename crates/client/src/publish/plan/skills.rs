//! What has to be done for each skill of a push.

use std::iter;

use super::recover;
use super::step::Step;
use crate::client::Client;
use crate::concurrent::for_each_concurrent;
use crate::dry_run::DryRun;
use crate::error::ClientError;
use crate::journal::Unfinished;
use crate::publish::lock::Published;
use crate::publish::lock_files::{LockFiles, LockKey};
use crate::publish::publisher::{PublishError, Publisher};
use crate::publish::skill_patch::{SkillPatch, Unchangeable};
use dibber_skill::content_hash::ContentHash;
use dibber_skill::contract::{
    Decision, ErrorCode, PolicyDecision, SkillId, SkillUpdate, SkillWrite, StoredSkill,
};
use dibber_skill::spec_hash::SpecHash;

/// The name that a server of this program gives itself: it computes spec-hashes as this client does.
const OWN_SERVER_NAME: &str = "dibber";

/// A skill to publish.
#[derive(Clone, Debug)]
pub struct SkillDraft<'a> {
    /// The arguments that it is published with.
    pub arguments: &'a SkillWrite,
    /// Their hash.
    pub hash: SpecHash,
    /// Where it is recorded.
    pub key: LockKey,
}

impl SkillDraft<'_> {
    /// Returns the content that the server has once the skill is published.
    pub fn content(&self) -> ContentHash {
        ContentHash::of_write(self.arguments)
    }
}

/// How a push treats what was published before.
#[derive(Clone, Copy, Debug)]
pub struct PushPolicy {
    /// Whether the records are used.
    pub records: Records,
    /// What happens to a skill that was changed on the server.
    pub foreign_changes: ForeignChanges,
}

/// Whether the records of what was published are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Records {
    /// A skill that is recorded is updated.
    Use,
    /// Every skill is created.
    Ignore,
}

/// What happens to a skill that another writer has changed since it was published from here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForeignChanges {
    /// It is not published.
    Block,
    /// It is overwritten.
    Overwrite,
}

/// A skill, and what has to be done for it.
#[derive(Debug)]
pub struct PlannedSkill<'a> {
    /// The skill.
    pub draft: SkillDraft<'a>,
    /// What has to be done.
    pub step: SkillStep,
    /// The skill that it was published as.
    pub record: SkillRecord,
}

/// The skill that a directory was published as, as far as this machine knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SkillRecord {
    /// There is none.
    #[default]
    None,
    /// It is recorded in `dibber.lock`.
    Recorded(Published),
    /// An interrupted push has created it; it is not recorded yet.
    Recovered(Published),
}

impl From<Option<Published>> for SkillRecord {
    fn from(recorded: Option<Published>) -> Self {
        recorded.map_or(Self::None, Self::Recorded)
    }
}

impl SkillRecord {
    /// Returns the skill, if there is one.
    pub const fn published(&self) -> Option<&Published> {
        match self {
            Self::None => None,
            Self::Recorded(published) | Self::Recovered(published) => Some(published),
        }
    }

    /// Returns the skill, if an interrupted push has created it.
    pub const fn recovered(&self) -> Option<&Published> {
        match self {
            Self::Recovered(published) => Some(published),
            Self::None | Self::Recorded(_) => None,
        }
    }
}

/// What has to be done for a skill.
pub type SkillStep<B = SkillBlocked> = Step<SkillCreation, SkillChange, SkillUnchanged, B>;

/// A skill that is created.
#[derive(Clone, Debug)]
pub struct SkillCreation {
    /// What the server's checks say.
    pub policy: PolicyDecision,
    /// The hash of the server's preview, in whatever form the server writes it.
    pub server_hash: String,
}

/// A skill that is changed.
#[derive(Clone, Debug)]
pub struct SkillChange {
    /// What the server's checks say.
    pub policy: PolicyDecision,
    /// The hash of the server's preview, in whatever form the server writes it.
    pub server_hash: String,
    /// The skill as it is stored.
    pub stored: Box<StoredSkill>,
    /// The change.
    pub update: Box<SkillUpdate>,
    /// Whether another writer has changed it since it was published from here.
    pub is_changed_elsewhere: bool,
}

/// A skill that is up to date on the server.
#[derive(Clone, Debug)]
pub struct SkillUnchanged {
    /// The skill.
    pub skill_id: SkillId,
    /// Whether `dibber.lock` says so.
    pub is_recorded: bool,
    /// What earlier writes of it may still do.
    pub pending: PendingWrites,
}

/// What writes that were begun and have not ended may still do to an unchanged skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PendingWrites {
    /// There are none.
    None,
    /// They lead to the content that the skill has.
    Settled,
    /// They lead to another content.
    MayChange,
}

/// Why a skill is not published.
#[derive(Debug)]
pub enum SkillBlocked {
    /// The skill that was published is archived.
    Archived {
        /// The skill.
        skill_id: SkillId,
    },
    /// The skill that was published does not exist any more.
    Missing {
        /// The skill.
        skill_id: SkillId,
    },
    /// An update cannot change these arguments.
    Unchangeable(Vec<Unchangeable>),
    /// Another writer has changed it.
    ChangedElsewhere {
        /// The skill.
        skill_id: SkillId,
        /// Whether the content that was published last is recorded.
        has_recorded_content: bool,
        /// Whether the draft differs from what was published last.
        has_local_changes: bool,
    },
    /// The server computes spec-hashes as this program does, and has read other arguments than were
    /// sent.
    HashMismatch {
        /// The hash of the draft.
        here: SpecHash,
        /// The hash that the server has answered.
        there: String,
    },
    /// The server's checks refuse it.
    Refused(PolicyDecision),
    /// A call failed.
    Call(ClientError),
}

impl From<ClientError> for SkillBlocked {
    fn from(error: ClientError) -> Self {
        Self::Call(error)
    }
}

/// Plans a push: looks up what is recorded of every skill and asks the server, for a few of them at
/// a time. `asked` is called after each. The plan is in the order of the drafts.
pub async fn plan_skills<'a>(
    drafts: Vec<SkillDraft<'a>>,
    policy: PushPolicy,
    publisher: Publisher<'_>,
    locks: &mut LockFiles,
    mut asked: impl FnMut(),
) -> Result<Vec<PlannedSkill<'a>>, PublishError> {
    let known = look_up(&drafts, policy, publisher, locks).await?;
    let plan = |(index, (draft, known))| async move {
        (index, plan_skill(draft, known, policy, publisher.client).await)
    };
    let mut planned = Vec::new();
    let skills = drafts.into_iter().zip(known).enumerate();
    for_each_concurrent(skills, plan, |skill| {
        asked();
        planned.push(skill);
    })
    .await;
    planned.sort_by_key(|(index, _)| *index);
    Ok(planned.into_iter().map(|(_, planned)| planned).collect())
}

/// What this machine knows of a skill.
#[derive(Default)]
struct Known {
    record: SkillRecord,
    /// Writes of it that were begun and have not ended.
    unfinished: Vec<Unfinished>,
    /// Why it cannot be looked for what an interrupted push has created.
    search_error: Option<ClientError>,
}

/// Looks up the records of all skills, and then those that interrupted runs have created: a skill
/// that is recorded for one directory was not created for another.
async fn look_up(
    drafts: &[SkillDraft<'_>],
    policy: PushPolicy,
    publisher: Publisher<'_>,
    locks: &mut LockFiles,
) -> Result<Vec<Known>, PublishError> {
    if policy.records == Records::Ignore {
        return Ok(drafts.iter().map(|_| Known::default()).collect());
    }
    let mut by_subject = publisher.unfinished()?;
    let mut known = Vec::new();
    for draft in drafts {
        known.push(Known {
            record: locks.get(&draft.key)?.into(),
            unfinished: by_subject.remove(&draft.key.subject()).unwrap_or_default(),
            search_error: None,
        });
    }
    let mut taken = Vec::new();
    for known in &mut known {
        match recover::created_skill(&known.unfinished, &taken, publisher, locks).await {
            Ok(Some(created)) => {
                taken.push(created.skill_id.clone());
                known.record = SkillRecord::Recovered(created);
            }
            Ok(None) => {}
            Err(error) => known.search_error = Some(error),
        }
    }
    Ok(known)
}

impl Known {
    /// Returns `true` if a skill is as it was left, or seen, from here: by what is recorded, or
    /// before or after a write whose answer was lost.
    fn has_seen(&self, published: &Published, content: &ContentHash) -> bool {
        let writes = self.unfinished.iter().filter_map(|unfinished| unfinished.details.as_ref());
        let states = writes.flat_map(|write| iter::once(&write.base).chain(&write.target));
        states.chain(&published.content_hash).any(|hash| hash == content.as_str())
    }

    /// Returns what the unfinished writes may still do to a skill with this content.
    fn pending(&self, content: &ContentHash) -> PendingWrites {
        let mut writes = self.unfinished.iter().filter_map(|it| it.details.as_ref());
        let leads_away = |target: &String| target != content.as_str();
        if writes.any(|write| write.target.as_ref().is_some_and(leads_away)) {
            PendingWrites::MayChange
        } else if self.unfinished.is_empty() {
            PendingWrites::None
        } else {
            PendingWrites::Settled
        }
    }
}

async fn plan_skill<'a>(
    draft: SkillDraft<'a>,
    mut known: Known,
    policy: PushPolicy,
    client: &Client,
) -> PlannedSkill<'a> {
    let step = match (known.search_error.take(), known.record.published()) {
        (Some(error), _) => Err(error.into()),
        (None, None) => creation(&draft, client).await,
        (None, Some(published)) => comparison(&draft, published, &known, policy, client).await,
    };
    let step = step.unwrap_or_else(Step::Blocked);
    PlannedSkill { draft, step, record: known.record }
}

async fn creation(draft: &SkillDraft<'_>, client: &Client) -> Result<SkillStep, SkillBlocked> {
    let DryRun { policy_decision: policy, spec_hash: server_hash, .. } =
        preview(draft, client).await?;
    Ok(Step::Create(SkillCreation { policy, server_hash }))
}

/// Compares a draft with what the server has.
async fn comparison(
    draft: &SkillDraft<'_>,
    published: &Published,
    known: &Known,
    policy: PushPolicy,
    client: &Client,
) -> Result<SkillStep, SkillBlocked> {
    let skill_id = published.skill_id.clone();
    let stored = match client.skill_get(&skill_id).await {
        Ok(found) if found.skill.archived => return Err(SkillBlocked::Archived { skill_id }),
        Ok(found) => found.skill,
        Err(ClientError::Refused(error)) if error.code == ErrorCode::DomainNotFound => {
            return Err(SkillBlocked::Missing { skill_id });
        }
        Err(error) => return Err(error.into()),
    };
    let content = ContentHash::of_stored(&stored);
    let is_hash_recorded = published.spec_hash.parse() == Ok(draft.hash);
    let update = match SkillPatch::between(&stored, draft.arguments) {
        SkillPatch::Nothing => {
            let is_content_recorded = published.content_hash.as_deref() == Some(content.as_str());
            return Ok(Step::Unchanged(SkillUnchanged {
                skill_id: stored.skill_id,
                is_recorded: is_content_recorded && is_hash_recorded,
                pending: known.pending(&content),
            }));
        }
        SkillPatch::Impossible(arguments) => return Err(SkillBlocked::Unchangeable(arguments)),
        SkillPatch::Update(update) => update,
    };
    let is_changed_elsewhere = !known.has_seen(published, &content);
    if is_changed_elsewhere && policy.foreign_changes == ForeignChanges::Block {
        return Err(SkillBlocked::ChangedElsewhere {
            skill_id: stored.skill_id,
            has_recorded_content: published.content_hash.is_some(),
            has_local_changes: !is_hash_recorded,
        });
    }
    let DryRun { policy_decision: policy, spec_hash: server_hash, .. } =
        preview(draft, client).await?;
    // A change that is made from here on is for the server to notice, if it can.
    let update = Box::new(SkillUpdate { expected_hash: stored.content_hash.clone(), ..*update });
    let stored = Box::new(stored);
    let change = SkillChange { policy, server_hash, stored, update, is_changed_elsewhere };
    Ok(Step::Update(change))
}

/// Returns the server's preview of a draft, unless its checks refuse it or it has read other
/// arguments than were sent. A server of this program shows that by its hash. How another one
/// computes its hash is its own affair, so its preview is compared instead: it may normalize
/// values, which has to be reviewed.
async fn preview(draft: &SkillDraft<'_>, client: &Client) -> Result<DryRun, SkillBlocked> {
    let mut dry_run = client.skill_dry_run(draft.arguments).await?;
    let is_own = client.server().await?.name.as_deref() == Some(OWN_SERVER_NAME);
    if !is_own {
        dry_run.review_differences(draft.arguments);
    } else if dry_run.spec_hash != draft.hash.to_string() {
        return Err(SkillBlocked::HashMismatch { here: draft.hash, there: dry_run.spec_hash });
    }
    if dry_run.policy_decision.decision == Decision::Refuse {
        return Err(SkillBlocked::Refused(dry_run.policy_decision));
    }
    Ok(dry_run)
}
