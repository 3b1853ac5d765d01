//! Publishing the skills of a plan: one call for each, a few at a time.

use crate::concurrent::for_each_concurrent;
use crate::journal::{Intent, Repeat};
use crate::key::IdempotencyKey;
use crate::publish::apply::observer::Observer;
use crate::publish::lock_files::LockFiles;
use crate::publish::plan::{
    PendingWrites, PlannedSkill, SkillChange, SkillCreation, SkillDraft, SkillStep, SkillUnchanged,
    Step,
};
use crate::publish::published::{Published, to_recorded_fields};
use crate::publish::publisher::{PublishError, Publisher, Written};
use crate::stored_form::in_form_of;
use crate::typed::{Commit, commit_arguments};
use dibber_skill::content_hash::{ContentHash, field_hashes, field_hashes_of_write};
use dibber_skill::contract::{
    SKILL_UPDATE, SKILL_WRITE, SkillId, SkillUpdated, SkillWrite, StoredSkill,
};

/// How many skills are written before they are recorded together: little has to be found out again
/// when something ends the run.
const RECORDED_AT_ONCE: usize = 64;

/// The outcome of a skill: its id, or why it was not published.
pub type SkillResult = Result<SkillId, PublishError>;

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

/// What the server has of a skill after it was written.
struct WrittenSkill {
    skill_id: SkillId,
    content_hash: String,
    /// The hash of its preview, if it is another one than that of the draft.
    server_hash: Option<String>,
    /// The skill, if the server does not say that it has what was sent.
    stored: Option<Box<StoredSkill>>,
    /// The fields that an update sent and did not change.
    ignored: Vec<&'static str>,
}

/// Publishes every skill that has changes, and records it. Once a record fails, nothing more is
/// written.
pub async fn apply_skills<'a, B: 'a>(
    steps: impl IntoIterator<Item = (&'a SkillDraft<'a>, &'a SkillStep<B>)>,
    publisher: Publisher<'_>,
    locks: &mut LockFiles,
    observer: &mut impl Observer,
) -> AppliedSkills {
    let steps: Vec<_> = steps.into_iter().collect();
    let mut results: Vec<Option<SkillResult>> = steps.iter().map(|_| None).collect();
    let writes: Vec<_> =
        steps.iter().enumerate().filter(|(_, (_, step))| step.has_changes()).collect();
    for batch in writes.chunks(RECORDED_AT_ONCE) {
        let mut written = Vec::new();
        let work = |(index, (draft, step)): (usize, &(&'a SkillDraft<'a>, &'a SkillStep<B>))| {
            let (draft, step) = (*draft, *step);
            async move { (index, write(draft, step, publisher).await) }
        };
        for_each_concurrent(batch.iter().copied(), work, |(index, result)| {
            observer.item_done();
            match result {
                Ok(skill) => written.push((index, skill)),
                Err(error) => results[index] = Some(Err(error)),
            }
        })
        .await;
        let record = || record(written, &steps, locks, &mut results);
        if let Err(error) = observer.uninterrupted(record) {
            return AppliedSkills { results, failure: Some(error) };
        }
    }
    AppliedSkills { results, failure: None }
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
    let contents: Vec<SkillWrite> =
        written.iter().filter_map(|(_, it)| Some(it.answer.stored.as_deref()?.into())).collect();
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

/// Returns what is recorded of a skill that was written. If the server has ignored a field, the
/// draft is not what it has, so its spec-hash is not recorded.
fn written_entry(draft: &SkillDraft<'_>, skill: &WrittenSkill) -> Published {
    let mut entry = entry(draft, &skill.skill_id, &skill.content_hash);
    entry.server_hash.clone_from(&skill.server_hash);
    if let Some(stored) = &skill.stored {
        entry.fields = to_recorded_fields(field_hashes(&in_form_of(draft.arguments, stored)));
    }
    if !skill.ignored.is_empty() {
        entry.spec_hash.clear();
    }
    entry
}

impl WrittenSkill {
    fn result(&self) -> SkillResult {
        let skill_id = self.skill_id.clone();
        if self.ignored.is_empty() {
            Ok(skill_id)
        } else {
            Err(PublishError::Ignored { skill_id, fields: self.ignored.clone() })
        }
    }
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
        ..Published::default()
    }
}

async fn write<B>(
    draft: &SkillDraft<'_>,
    step: &SkillStep<B>,
    publisher: Publisher<'_>,
) -> Result<Written<WrittenSkill>, PublishError> {
    let (skill_id, answered, written, preview) = match step {
        Step::Update(change) => {
            let written = update(draft, change, publisher).await?;
            let SkillUpdated { skill_id, content_hash, .. } = written.answer.clone();
            (skill_id, content_hash, written.map(|_| ()), &change.preview)
        }
        Step::Create(creation) => {
            let written = create(draft, creation, publisher).await?;
            let Commit { skill_id, content_hash, .. } = written.answer.clone();
            (skill_id, content_hash, written.map(|_| ()), &creation.preview)
        }
        Step::Unchanged(_) | Step::Blocked(_) => unreachable!("only changes are written"),
    };
    let server_hash = preview.as_ref().map(|preview| preview.server_hash.clone());
    let server_hash = server_hash.filter(|hash| *hash != draft.hash.to_string());
    // A server that answers with the hash of the content has stored what was sent. Another one may
    // have normalized or ignored it.
    let stored = match answered {
        Some(_) => None,
        None => publisher.client.active_skill(&skill_id).await.ok().flatten(),
    };
    let content_hash = match (answered, &stored) {
        (Some(answered), _) => answered,
        (None, Some(stored)) => ContentHash::of_stored(stored).to_string(),
        (None, None) => draft.content().to_string(),
    };
    let ignored = match (step, &stored) {
        (Step::Update(change), Some(stored)) => ignored_fields(draft, change, stored),
        _ => Vec::new(),
    };
    let stored = stored.map(Box::new);
    Ok(written.map(|()| WrittenSkill { skill_id, content_hash, server_hash, stored, ignored }))
}

/// Returns the fields in which a skill still is what it was before an update, and not what was sent.
fn ignored_fields(
    draft: &SkillDraft<'_>,
    change: &SkillChange,
    stored: &StoredSkill,
) -> Vec<&'static str> {
    let before = field_hashes(&in_form_of(draft.arguments, &change.stored));
    let after = field_hashes(&in_form_of(draft.arguments, stored));
    let sent = field_hashes_of_write(draft.arguments);
    let is_ignored = |name: &&str| after[name] == before[name] && after[name] != sent[name];
    sent.keys().copied().filter(is_ignored).collect()
}

async fn create(
    draft: &SkillDraft<'_>,
    creation: &SkillCreation,
    publisher: Publisher<'_>,
) -> Result<Written<Commit>, PublishError> {
    let client = publisher.client;
    let (subject, target) = (draft.subject(), draft.content());
    let hash = draft.hash.to_string();
    let echoed = creation.preview.as_ref().map_or(&hash, |preview| &preview.server_hash);
    let arguments = commit_arguments(draft.arguments, echoed);
    // The hash of the draft identifies the write: that of another server may be another one each
    // time.
    let payload = commit_arguments(draft.arguments, &hash).into();
    let intent = Intent {
        subject: Some(&subject),
        target: Some(target.as_str()),
        ..Intent::new(publisher.server, SKILL_WRITE, &payload)
    };
    let send = async |key: &IdempotencyKey| client.skill_write(arguments.clone(), key).await;
    // A skill that was changed since it was created is still the one that was created.
    let has_effect =
        async |commit: &Commit| Ok(client.active_content(&commit.skill_id).await?.is_some());
    publisher.write(&intent, send, has_effect).await
}

async fn update(
    draft: &SkillDraft<'_>,
    change: &SkillChange,
    publisher: Publisher<'_>,
) -> Result<Written<SkillUpdated>, PublishError> {
    let client = publisher.client;
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
    let send = async |key: &IdempotencyKey| client.skill_update(&change.update, key).await;
    let has_effect = async |updated: &SkillUpdated| {
        let stored = client.active_skill(&updated.skill_id).await?;
        let stored = stored.map(|stored| in_form_of(draft.arguments, &stored));
        Ok(stored.is_some_and(|stored| ContentHash::of_stored(&stored) == target))
    };
    publisher.write(&intent, send, has_effect).await
}
