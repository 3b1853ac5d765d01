//! Publishing the skills of a plan: one call for each, a few at a time.

use std::cell::Cell;
use std::collections::BTreeSet;

use crate::concurrent::for_each_concurrent;
use crate::creation::{Created as _, EXISTED_BEFORE};
use crate::journal::{Intent, Operation, Repeat};
use crate::publish::apply::lost_creation::LostCreation;
use crate::publish::apply::observer::Observer;
use crate::publish::apply::skill_update::found_update;
use crate::publish::apply::stored_result::{SentSkill, SkillResult, StoredResult};
use crate::publish::apply::written_skill::WrittenSkill;
use crate::publish::current_skills::CurrentSkills;
use crate::publish::listed_skills::ListedSkills;
use crate::publish::lock_files::LockFiles;
use crate::publish::lock_key::LockKey;
use crate::publish::plan::{
    PendingWrites, PlannedSkill, SkillChange, SkillCreation, SkillDraft, SkillStep, SkillUnchanged,
    Step,
};
use crate::publish::published::{Published, to_recorded_fields};
use crate::publish::publisher::{PublishError, Publisher, Written};
use crate::stored_form::in_form_of;
use crate::typed::{Commit, commit_arguments, update_arguments};
use dibber_skill::content_hash::{ContentHash, field_hashes, field_hashes_of_write};
use dibber_skill::contract::{SKILL_UPDATE, SKILL_WRITE, SkillId, SkillUpdated, SkillWrite};
use dibber_skill::label::label_key;

/// How many skills are written before they are recorded together: little has to be found out again
/// when something ends the run.
const RECORDED_AT_ONCE: usize = 64;

/// The outcomes of the skills of a plan.
#[derive(Debug)]
pub struct AppliedSkills {
    /// The results, in the order of the steps; there is none for a skill without changes, or that
    /// was not reached.
    pub results: Vec<Option<SkillResult>>,
    /// Why the rest was not carried out: what was written cannot be recorded. The same push
    /// finds it again, by the journal.
    pub failure: Option<PublishError>,
}

/// Publishes every skill that has changes, and records it. Once a record fails, nothing more is
/// written.
///
/// A skill is not created if one with its label has appeared on the server since the plan.
pub async fn apply_skills<'a, B: 'a>(
    steps: impl IntoIterator<Item = (&'a SkillDraft<'a>, &'a SkillStep<B>)>,
    publisher: Publisher<'_>,
    (locks, current): (&mut LockFiles, &CurrentSkills<'_>),
    observer: &mut impl Observer,
) -> AppliedSkills {
    let steps: Vec<_> = steps.into_iter().collect();
    let mut results: Vec<Option<SkillResult>> = steps.iter().map(|_| None).collect();
    let writes: Vec<_> =
        steps.iter().enumerate().filter(|(_, (_, step))| step.has_changes()).collect();
    let creations = steps.iter().filter(|(_, step)| matches!(step, Step::Create(_)));
    let new_labels: Vec<_> = creations.map(|(draft, _)| label_key(&draft.arguments.name)).collect();
    if !new_labels.is_empty() {
        current.list_again().await;
    }
    let mut answered = BTreeSet::new();
    for batch in writes.chunks(RECORDED_AT_ONCE) {
        let mut written = Vec::new();
        let shared = Shared { publisher, current, locks: &*locks, new_labels: &new_labels };
        let work = |(index, (draft, step)): (usize, &(&'a SkillDraft<'a>, &'a SkillStep<B>))| {
            let (draft, step) = (*draft, *step);
            async move { (index, Box::pin(write(draft, step, shared)).await) }
        };
        for_each_concurrent(batch.iter().copied(), work, |(index, result)| {
            observer.item_done();
            match result {
                Ok(skill) => written.push((index, skill)),
                Err(error) => results[index] = Some(Err(error)),
            }
        })
        .await;
        let record = || {
            refuse_known_ids(&mut written, &mut answered, &steps, locks, &mut results);
            record(written, &steps, locks, &mut results)
        };
        if let Err(error) = observer.uninterrupted(record) {
            return AppliedSkills { results, failure: Some(error) };
        }
    }
    AppliedSkills { results, failure: None }
}

/// Removes the skills that were created with the id of another one, which a later push would
/// overwrite, or that were pulled into another directory since. Their writes remain in the journal.
/// `answered` are the ids of earlier batches, which may be recorded in the lock file of another
/// project.
fn refuse_known_ids<B>(
    written: &mut Vec<(usize, Written<WrittenSkill>)>,
    answered: &mut BTreeSet<SkillId>,
    steps: &[(&SkillDraft<'_>, &SkillStep<B>)],
    locks: &mut LockFiles,
    results: &mut [Option<SkillResult>],
) {
    written.retain(|(index, it)| {
        let (draft, step) = steps[*index];
        let skill_id = &it.answer.skill_id;
        let is_new = answered.insert(skill_id.clone());
        if !matches!(step, Step::Create(_)) {
            return true;
        }
        // A lock that cannot be read is reported when the skill is recorded.
        let others = locks.others_of(&draft.key, skill_id).unwrap_or_default();
        let other = others.into_iter().find(LockKey::has_skill);
        if is_new && other.is_none() {
            return true;
        }
        let pulled = other.filter(|other| is_new && is_recorded_as(other, it, locks));
        let error = if let Some(directory) = pulled {
            PublishError::PulledMeanwhile { skill_id: skill_id.clone(), directory }
        } else {
            Commit::other_one(skill_id.as_str(), EXISTED_BEFORE).into()
        };
        results[*index] = Some(Err(error));
        false
    });
}

/// Returns `true` if a directory is recorded with the content of a skill that an interrupted push
/// has created.
fn is_recorded_as(
    directory: &LockKey,
    written: &Written<WrittenSkill>,
    locks: &mut LockFiles,
) -> bool {
    let skill = &written.answer;
    let known = locks.get(directory).ok().flatten().and_then(|known| known.content_hash);
    written.is_resumed() && skill.result().is_ok() && known.as_ref() == Some(&skill.content_hash)
}

/// Records skills that were written, and only then removes them from the journal: until then, the
/// same push finds its key again. Each of them has a result, even if it cannot be recorded.
fn record<B>(
    written: Vec<(usize, Written<WrittenSkill>)>,
    steps: &[(&SkillDraft<'_>, &SkillStep<B>)],
    locks: &mut LockFiles,
    results: &mut [Option<SkillResult>],
) -> Result<(), PublishError> {
    let entries = written.iter().map(|(index, written)| {
        let draft = steps[*index].0;
        (draft.key.clone(), written_entry(draft, &written.answer))
    });
    let recorded = locks.record(entries.collect());
    let contents: Vec<SkillWrite> = written
        .iter()
        .filter_map(|(_, it)| Some(it.answer.stored.skill.as_deref()?.into()))
        .collect();
    locks.keep_bases(written.iter().map(|(index, _)| steps[*index].0.arguments).chain(&contents));
    for (index, written) in &written {
        results[*index] = Some(written.answer.result());
    }
    recorded?;
    for (_, written) in written {
        written.finish()?;
    }
    Ok(())
}

/// Returns what is recorded of a skill that was written. If the server has stored something else, or
/// what it has could not be read, the draft may not be what it has, so its spec-hash is not recorded.
fn written_entry(draft: &SkillDraft<'_>, skill: &WrittenSkill) -> Published {
    let mut entry = entry(draft, &skill.skill_id, &skill.content_hash);
    entry.server_hash.clone_from(&skill.server_hash);
    if let Some(stored) = &skill.stored.skill {
        entry.fields = to_recorded_fields(field_hashes(&in_form_of(draft.arguments, stored)));
    }
    if skill.result().is_err() {
        entry.spec_hash.clear();
    }
    entry
}

/// Records the skills that interrupted pushes have created.
pub fn record_recovered(
    planned: &[PlannedSkill<'_>],
    locks: &mut LockFiles,
) -> Result<(), PublishError> {
    let recovered = planned.iter().filter_map(|planned| {
        let recovered = planned.record.recovered()?.clone();
        Some((planned.draft.key.clone(), recovered))
    });
    let recovered: Vec<_> = recovered.collect();
    if recovered.is_empty() { Ok(()) } else { Ok(locks.record(recovered)?) }
}

/// Records the skills that the server has already, where that is not recorded, and removes their
/// unfinished writes: an answer was lost, or another writer has made the same change.
pub fn record_unchanged<'a, B: 'a>(
    steps: impl IntoIterator<Item = (&'a SkillDraft<'a>, &'a SkillStep<B>)>,
    publisher: Publisher<'_>,
    locks: &mut LockFiles,
) -> Result<(), PublishError> {
    let (mut entries, mut settled, mut contents) = (Vec::new(), Vec::new(), Vec::new());
    for (draft, step) in steps {
        let Step::Unchanged(SkillUnchanged { skill_id, content, is_recorded, pending }) = step
        else {
            continue;
        };
        contents.extend([draft.arguments, &**content]);
        if !is_recorded {
            let content = ContentHash::of_write(content);
            entries.push((draft.key.clone(), entry(draft, skill_id, content.as_str())));
        }
        if *pending == PendingWrites::Settled {
            settled.push(draft.subject());
        }
    }
    if !entries.is_empty() {
        locks.record(entries)?;
    }
    locks.keep_bases(contents);
    settled.iter().try_for_each(|subject| publisher.discard_unfinished(subject))?;
    Ok(())
}

/// Returns what is recorded of a skill.
fn entry(draft: &SkillDraft<'_>, skill_id: &SkillId, content_hash: &str) -> Published {
    Published {
        skill_id: skill_id.clone(),
        spec_hash: draft.hash.to_string(),
        content_hash: Some(content_hash.to_owned()),
        fields: to_recorded_fields(field_hashes_of_write(draft.arguments)),
        include: draft.include.clone(),
        ..Published::default()
    }
}

/// What the writes of one push have in common.
#[derive(Clone, Copy)]
struct Shared<'a> {
    publisher: Publisher<'a>,
    current: &'a CurrentSkills<'a>,
    locks: &'a LockFiles,
    /// The keys of the labels of the skills that are created.
    new_labels: &'a [String],
}

async fn write<B>(
    draft: &SkillDraft<'_>,
    step: &SkillStep<B>,
    shared: Shared<'_>,
) -> Result<Written<WrittenSkill>, PublishError> {
    let mut is_archived = false;
    let (skill_id, answered, written, preview, before) = match step {
        Step::Update(change) => {
            let written = Box::pin(update(draft, change, shared.publisher)).await?;
            let content_hash = written.answer.content_hash.clone();
            // What was changed is the skill that was named, whatever the answer says.
            let (skill_id, before) = (change.update.skill_id.clone(), Some(&*change.stored));
            (skill_id, content_hash, written.map(|_| ()), &change.preview, before)
        }
        Step::Create(creation) => {
            let (written, archived) = create(draft, creation, shared).await?;
            is_archived = archived;
            let Commit { skill_id, content_hash, .. } = written.answer.clone();
            (skill_id, content_hash, written.map(|_| ()), &creation.preview, None)
        }
        Step::Unchanged(_) | Step::Blocked(_) => unreachable!("only changes are written"),
    };
    let server_hash = preview.as_ref().map(|preview| preview.server_hash.clone());
    let server_hash = server_hash.filter(|hash| *hash != draft.hash.to_string());
    let sent = SentSkill {
        skill_id: &skill_id,
        content: draft.arguments,
        previewed: preview.as_ref().and_then(|preview| preview.shown.as_deref()),
        before,
    };
    // A write of a skill that the server does not have, or that is another one, remains in the
    // journal.
    let stored = StoredResult::read(sent, answered.as_deref(), shared.publisher.client).await?;
    if before.is_none() && !written.is_resumed() && stored.is_of_other() {
        let which = "has another `name` and `prompt` than was sent";
        return Err(Commit::other_one(skill_id.as_str(), which).into());
    }
    let content = match &stored.skill {
        Some(skill) => ContentHash::of_stored(skill),
        None => draft.content(),
    };
    let content_hash = content.to_string();
    let skill = WrittenSkill { skill_id, content_hash, server_hash, stored, is_archived };
    Ok(written.map(|()| skill))
}

/// Creates a skill. Returns with the answer whether it was created by an interrupted run, and archived
/// since.
async fn create(
    draft: &SkillDraft<'_>,
    creation: &SkillCreation,
    Shared { publisher, current, locks, new_labels }: Shared<'_>,
) -> Result<(Written<Commit>, bool), PublishError> {
    let client = publisher.client;
    let (subject, target) = (draft.subject(), draft.content());
    let hash = draft.hash.to_string();
    let echoed = creation.preview.as_ref().map_or(&hash, |preview| &preview.server_hash);
    let arguments = commit_arguments(&*client.accepted(draft.arguments).await?, echoed);
    // The hash of the draft identifies the write: that of another server may be another one each
    // time.
    let payload = commit_arguments(draft.arguments, &hash).into();
    // They are listed before the first of them is sent.
    let before =
        if client.honours_keys(SKILL_WRITE).await? { None } else { Some(current.get().await) };
    let listed = match &before {
        Some(listed) => listed.as_ref().ok().copied(),
        // An interrupted run is found by them, also after another writer has edited what it created.
        None if client.is_server_of_dibber().await? => current.get().await.ok(),
        None => None,
    };
    let existing =
        listed.map(|listed| listed.ids(|item| item.skill_id.as_str()).collect::<Vec<_>>());
    let existing = existing.unwrap_or_default();
    let intent = Intent {
        subject: Some(&subject),
        existing: &existing,
        target: Some(target.as_str()),
        ..Intent::new(publisher.server, SKILL_WRITE, &payload)
    };
    let send = async |operation: &Operation| {
        // One that has appeared may be what an interrupted run has created.
        if !operation.is_resumed() {
            current.check_new(&draft.arguments.name, locks).await?;
        }
        let lost = LostCreation { sent: draft.arguments, operation, client, locks, new_labels };
        let is_found = Cell::new(false);
        let find = async || {
            let found = lost.find(before.clone()).await?;
            is_found.set(found.is_some());
            Ok(found)
        };
        let created = client.create_or_find((SKILL_WRITE, &arguments), operation, find).await?;
        // Where keys are honoured, the server recognises a call that is sent again.
        if before.is_some() && operation.may_have_applied() && !is_found.get() {
            current.note_sent_again(&draft.key);
        }
        Ok(created)
    };
    let is_archived = Cell::new(false);
    // A skill that was changed or archived since it was created is still the one that was created.
    let has_effect = async |commit: &Commit| {
        if !client.honours_keys(SKILL_WRITE).await? {
            return Ok(true);
        }
        let skills = ListedSkills::new(client);
        let Some(found) = skills.find(&commit.skill_id).await? else { return Ok(false) };
        is_archived.set(skills.is_archived(&found.skill).await == Some(true));
        Ok(true)
    };
    let written = publisher.write(&intent, send, has_effect).await?;
    Ok((written, is_archived.get()))
}

async fn update(
    draft: &SkillDraft<'_>,
    change: &SkillChange,
    publisher: Publisher<'_>,
) -> Result<Written<SkillUpdated>, PublishError> {
    let client = publisher.client;
    client.check_unchanged(&change.stored).await?;
    let (subject, target) = (draft.subject(), draft.content());
    let base = ContentHash::of_stored(&change.stored);
    let arguments = serde_json::to_value(&change.update).expect("an update is an object");
    let intent = Intent {
        subject: Some(&subject),
        base: base.as_str(),
        target: Some(target.as_str()),
        repeat: Repeat::Sets,
        ..Intent::new(publisher.server, SKILL_UPDATE, &arguments)
    };
    let is_made = async || {
        let stored = client.active_skill(&change.update.skill_id).await?;
        let stored = stored.map(|stored| in_form_of(draft.arguments, &stored));
        Ok(stored.is_some_and(|stored| ContentHash::of_stored(&stored) == target))
    };
    let call = update_arguments(&change.update, change.update_hash.as_deref());
    let send = async |operation: &Operation| {
        let find = async || Ok(is_made().await?.then(|| found_update(&change.update.skill_id)));
        let is_unchanged = async || {
            let stored = client.active_skill(&change.update.skill_id).await?;
            Ok(stored.is_some_and(|stored| ContentHash::of_stored(&stored) == base))
        };
        let changed = client.change_or_read((SKILL_UPDATE, &call), operation, find, is_unchanged);
        Box::pin(changed).await
    };
    publisher.write(&intent, send, async |_: &SkillUpdated| is_made().await).await
}
