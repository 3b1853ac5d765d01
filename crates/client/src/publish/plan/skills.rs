//! What has to be done for each skill of a push.

use std::collections::BTreeMap;
use std::iter;

use jiff::Timestamp;

use super::moves;
use super::pending_writes::pending;
use super::recover;
use super::skill_search::{SkillSearch, is_not_permitted};
use super::skill_step::{
    ChangedSides, ForeignChanges, MoveEvidence, MovedSkill, Moves, Permission, PlannedSkill,
    Previews, PushPolicy, Records, ServerPreview, SkillBlocked, SkillChange, SkillCreation,
    SkillDraft, SkillRecord, SkillStep, SkillUnchanged,
};
use super::step::Step;
use crate::client::Client;
use crate::concurrent::for_each_concurrent;
use crate::dry_run::DryRun;
use crate::error::ClientError;
use crate::journal::Unfinished;
use crate::publish::base_contents::BaseContents;
use crate::publish::conflict::{Conflict, MergeBase};
use crate::publish::listed_skills::ListedSkills;
use crate::publish::lock_files::LockFiles;
use crate::publish::lock_key::LockKey;
use crate::publish::merge::Merge;
use crate::publish::published::Published;
use crate::publish::publisher::{PublishError, Publisher};
use crate::publish::skill_patch::SkillPatch;
use crate::stored_form::in_form_of;
use dibber_skill::content_hash::ContentHash;
use dibber_skill::contract::{Decision, ErrorCode, SkillUpdate, StoredSkill};

/// Plans a push: looks up what is recorded of every skill and asks the server, for a few of them at
/// a time. `asked` is called after each. The plan is in the order of the drafts.
pub async fn plan_skills<'a>(
    drafts: Vec<SkillDraft<'a>>,
    policy: PushPolicy,
    publisher: Publisher<'_>,
    (locks, skills): (&mut LockFiles, &ListedSkills<'_>),
    mut asked: impl FnMut(),
) -> Result<Vec<PlannedSkill<'a>>, PublishError> {
    let known = look_up(&drafts, policy, publisher, (&mut *locks, skills)).await?;
    let bases = locks.bases();
    let plan = |(index, (draft, known))| async move {
        let planned = plan_skill(draft, known, policy, (skills, bases));
        (index, Box::pin(planned).await)
    };
    let mut planned = Vec::new();
    let known = drafts.into_iter().zip(known).enumerate();
    for_each_concurrent(known, plan, |skill| {
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
    /// When they were looked up.
    now: Timestamp,
    /// Where the skill was when they were begun, if it was moved since.
    interrupted_at: Option<LockKey>,
    /// Why it cannot be looked for what an interrupted push has created.
    search_error: Option<ClientError>,
    /// Why it may be a skill that the server has.
    may_exist: Option<SkillBlocked>,
}

/// Looks up the records of all skills, and then those that interrupted runs have created: a skill
/// that is recorded for one directory was not created for another.
async fn look_up(
    drafts: &[SkillDraft<'_>],
    policy: PushPolicy,
    publisher: Publisher<'_>,
    (locks, skills): (&mut LockFiles, &ListedSkills<'_>),
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
            now: (publisher.clock)(),
            ..Known::default()
        });
    }
    let is_known: Vec<_> = known.iter().map(|it| it.record != SkillRecord::None).collect();
    let moved = moves::find(drafts, &is_known, &by_subject, locks)?;
    for (known, moved) in known.iter_mut().zip(moved) {
        if let Some(moved) = moved {
            known.adopt(&moved.from, &mut by_subject);
            known.record = SkillRecord::Moved(moved);
        }
    }
    let is_known: Vec<_> = known.iter().map(Known::is_known).collect();
    let created = moves::find_created(drafts, &is_known, &by_subject);
    for (known, from) in known.iter_mut().zip(created) {
        if let Some(from) = from {
            known.adopt(&from, &mut by_subject);
        }
    }
    let mut search = SkillSearch::new(skills);
    for known in &mut known {
        let found = recover::created_skill(&known.unfinished, &search, locks).await;
        known.set_found(found, SkillRecord::Recovered, &mut search);
    }
    find_same(drafts, &mut known, &mut search, locks).await;
    // A person sees the label in a warning before answering.
    if policy.moves == Moves::Certain {
        find_same_label(drafts, &mut known, &mut search, locks).await?;
    }
    Ok(known)
}

/// Looks for skills of the server that are the drafts of which nothing is known: their record was
/// lost. A server that never lists its skills, or not to this client, does not prevent publishing;
/// one that fails to does, or each failure would create a skill a second time.
async fn find_same(
    drafts: &[SkillDraft<'_>],
    known: &mut [Known],
    search: &mut SkillSearch<'_>,
    locks: &LockFiles,
) {
    for (draft, known) in drafts.iter().zip(known).filter(is_new) {
        let found = search.find_same_content(draft.arguments, locks).await;
        if found.as_ref().is_err_and(is_not_permitted) {
            return;
        }
        known.set_found(found, SkillRecord::SameContent, search);
    }
}

/// Looks for skills of the server with the labels of the drafts that are new even by their content:
/// their record was lost, and they were edited since.
async fn find_same_label(
    drafts: &[SkillDraft<'_>],
    known: &mut [Known],
    search: &mut SkillSearch<'_>,
    locks: &mut LockFiles,
) -> Result<(), PublishError> {
    for published in known.iter().filter_map(|known| known.record.published()) {
        search.take(&published.skill_id);
    }
    for (draft, known) in drafts.iter().zip(known).filter(is_new) {
        let label = &draft.arguments.name;
        known.may_exist = search.find_same_label(label, &draft.key, locks).await?;
    }
    Ok(())
}

fn is_new((draft, known): &(&SkillDraft<'_>, &mut Known)) -> bool {
    draft.permission == Permission::Allowed
        && known.record == SkillRecord::None
        && known.search_error.is_none()
        && known.may_exist.is_none()
}

impl Known {
    /// Returns `true` if the skill has a record, or a write of it was begun at its path.
    fn is_known(&self) -> bool {
        self.record != SkillRecord::None || !self.unfinished.is_empty()
    }

    /// Sets the skill that was found, if it is the only one.
    fn set_found(
        &mut self,
        found: Result<Vec<Published>, ClientError>,
        record: fn(Published) -> SkillRecord,
        search: &mut SkillSearch<'_>,
    ) {
        match found {
            Err(error) => self.search_error = Some(error),
            Ok(several) if several.len() > 1 => {
                let skill_ids = several.into_iter().map(|it| it.skill_id).collect();
                self.may_exist = Some(SkillBlocked::SeveralSame { skill_ids });
            }
            Ok(found) => {
                for only in found {
                    search.take(&only.skill_id);
                    self.record = record(only);
                }
            }
        }
    }

    /// Takes over the writes that were begun where the skill was before it was moved, unless others
    /// were begun at its path.
    fn adopt(&mut self, from: &LockKey, by_subject: &mut BTreeMap<String, Vec<Unfinished>>) {
        if self.unfinished.is_empty()
            && let Some(unfinished) = by_subject.remove(&from.subject())
        {
            self.unfinished = unfinished;
            self.interrupted_at = Some(from.clone());
        }
    }

    /// Returns `true` if a skill is as it was left, or seen, from here: by what is recorded, or
    /// before or after a write whose answer was lost.
    fn has_seen(&self, published: &Published, content: &ContentHash) -> bool {
        let writes = self.unfinished.iter().filter_map(|unfinished| unfinished.details.as_ref());
        let states = writes.flat_map(|write| iter::once(&write.base).chain(&write.target));
        states.chain(&published.content_hash).any(|hash| hash == content.as_str())
    }
}

async fn plan_skill<'a>(
    mut draft: SkillDraft<'a>,
    mut known: Known,
    policy: PushPolicy,
    (skills, bases): (&ListedSkills<'_>, Option<&BaseContents>),
) -> PlannedSkill<'a> {
    draft.interrupted_at = known.interrupted_at.take();
    let search_error = known.search_error.take().map(SkillBlocked::from);
    let step = match (search_error.or(known.may_exist.take()), &known.record) {
        _ if draft.permission == Permission::Refused => Err(SkillBlocked::NotAllowed),
        (Some(blocked), _) => Err(blocked),
        (None, SkillRecord::None) => creation(&draft, policy.previews, skills.client()).await,
        (None, SkillRecord::Moved(MovedSkill { from, published, evidence }))
            if policy.moves == Moves::Certain && *evidence != MoveEvidence::SameContent =>
        {
            Err(SkillBlocked::MayBeMoved {
                from: from.clone(),
                skill_id: published.skill_id.clone(),
            })
        }
        (
            None,
            SkillRecord::Recorded(published)
            | SkillRecord::Recovered(published)
            | SkillRecord::Moved(MovedSkill { published, .. })
            | SkillRecord::SameContent(published),
        ) => comparison(&draft, published, &known, policy.previews, (skills, bases)).await,
    };
    let step = step.unwrap_or_else(Step::Blocked);
    PlannedSkill { draft, step, record: known.record }
}

async fn creation(
    draft: &SkillDraft<'_>,
    previews: Previews,
    client: &Client,
) -> Result<SkillStep, SkillBlocked> {
    Ok(Step::Create(SkillCreation { preview: preview(draft, previews, client).await? }))
}

/// Compares a draft with what the server has.
async fn comparison(
    draft: &SkillDraft<'_>,
    published: &Published,
    known: &Known,
    previews: Previews,
    (skills, bases): (&ListedSkills<'_>, Option<&BaseContents>),
) -> Result<SkillStep, SkillBlocked> {
    let skill_id = published.skill_id.clone();
    let client = skills.client();
    let stored = match skills.find(&skill_id).await? {
        Some(found) => found.skill,
        None => return Err(SkillBlocked::Missing { skill_id }),
    };
    if skills.is_archived(&stored).await == Some(true) {
        return Err(SkillBlocked::Archived { skill_id });
    }
    let content = ContentHash::of_stored(&stored);
    let is_hash_recorded = published.spec_hash.parse() == Ok(draft.hash);
    let is_content_recorded = published.content_hash.as_deref() == Some(content.as_str());
    let is_known = is_content_recorded && is_hash_recorded;
    let is_recorded = is_known && published.include == draft.include;
    let patch = SkillPatch::between(&in_form_of(draft.arguments, &stored), draft.arguments);
    let update = match patch {
        // What the server has is the form that it has given to this draft.
        _ if is_known && stored.content_hash.is_none() => {
            return Ok(unchanged(draft, stored, is_recorded, known));
        }
        SkillPatch::Nothing => return Ok(unchanged(draft, stored, is_recorded, known)),
        SkillPatch::Impossible(arguments) => return Err(SkillBlocked::Unchangeable(arguments)),
        SkillPatch::Update(update) => update,
    };
    let has_seen =
        draft.merged_content.as_ref() == Some(&content) || known.has_seen(published, &content);
    let directory = || draft.key.skill_directory();
    let base = (!has_seen).then(|| MergeBase::from_record(published, &directory(), bases));
    let conflict = base.as_ref().map(|base| Conflict::new(base, draft.arguments, &stored));
    let mut conflict = conflict.map(Box::new);
    if draft.foreign_changes == ForeignChanges::Block
        && let Some((base, conflict)) = base.zip(conflict.take())
    {
        let changes = if is_hash_recorded {
            ChangedSides::Server
        } else {
            ChangedSides::from(Merge::new(&base, draft.arguments, &stored))
        };
        return Err(SkillBlocked::ChangedElsewhere {
            skill_id: stored.skill_id,
            has_recorded_content: published.content_hash.is_some(),
            changes,
            conflict,
        });
    }
    let mut preview = preview(draft, previews, client).await?;
    // A change that is made from here on is for the server to notice, if it can.
    let update = Box::new(SkillUpdate { expected_hash: stored.content_hash.clone(), ..*update });
    let update_hash = match &mut preview {
        Some(preview) => update_hash(preview, &update, client).await?,
        None => None,
    };
    let stored = Box::new(stored);
    let change = SkillChange { preview, stored, update, update_hash, conflict };
    Ok(Step::Update(change))
}

fn unchanged(
    draft: &SkillDraft<'_>,
    stored: StoredSkill,
    is_recorded: bool,
    known: &Known,
) -> SkillStep {
    Step::Unchanged(SkillUnchanged {
        content: Box::new((&stored).into()),
        skill_id: stored.skill_id,
        is_recorded,
        pending: pending(&known.unfinished, &draft.content(), known.now),
    })
}

/// Returns the hash of the change, if the preview of its result has to be reviewed: a server may
/// then need it. What it says only about the change becomes part of the preview.
async fn update_hash(
    preview: &mut ServerPreview,
    update: &SkillUpdate,
    client: &Client,
) -> Result<Option<String>, SkillBlocked> {
    if preview.policy.decision != Decision::Review {
        return Ok(None);
    }
    let Some(dry_run) = client.skill_update_dry_run(update).await? else { return Ok(None) };
    let DryRun { policy_decision: policy, spec_hash, .. } = dry_run;
    if policy.decision == Decision::Refuse {
        return Err(SkillBlocked::Refused(policy));
    }
    let shown = &mut preview.policy.reasons;
    for reason in policy.reasons {
        if !shown.iter().any(|it| it.reason == reason.reason && it.message == reason.message) {
            shown.push(reason);
        }
    }
    Ok(Some(spec_hash))
}

/// Returns the server's preview of a draft, unless its checks refuse it or it has read other
/// arguments than were sent. A server of this program shows that by its hash. How another one
/// computes its hash is its own affair, so its preview is compared instead: it may normalize
/// values, which has to be reviewed.
async fn preview(
    draft: &SkillDraft<'_>,
    previews: Previews,
    client: &Client,
) -> Result<Option<ServerPreview>, SkillBlocked> {
    let mut dry_run = match client.skill_dry_run(draft.arguments).await {
        Err(ClientError::Refused(error))
            if previews == Previews::IfPermitted && error.code == ErrorCode::PermissionDenied =>
        {
            return Ok(None);
        }
        answer => answer?,
    };
    let mut shown = None;
    if !client.is_server_of_dibber().await? {
        dry_run.review_differences(draft.arguments);
        shown = Some(Box::new(dry_run.shown(draft.arguments)));
    } else if dry_run.spec_hash != draft.hash.to_string() {
        return Err(SkillBlocked::HashMismatch { here: draft.hash, there: dry_run.spec_hash });
    }
    if draft.arguments.response_model.is_some() && client.lacks_response_models().await? {
        dry_run.note_unsent_model();
    }
    if dry_run.policy_decision.decision == Decision::Refuse {
        return Err(SkillBlocked::Refused(dry_run.policy_decision));
    }
    let DryRun { policy_decision: policy, spec_hash: server_hash, .. } = dry_run;
    Ok(Some(ServerPreview { policy, server_hash, shown }))
}
