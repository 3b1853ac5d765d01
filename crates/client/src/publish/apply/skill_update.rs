//! Changing single fields of a skill.

use super::heartbeat_update::arguments_of;
use super::stored_result::{SentSkill, StoredResult};
use crate::error::JournalError;
use crate::journal::{Intent, Operation, Repeat, UnfinishedDetails};
use crate::publish::publisher::{PublishError, Publisher};
use crate::publish::skill_patch::{updated_fields, without_stored};
use crate::typed::update_arguments;
use dibber_skill::content_hash::ContentHash;
use serde_json::Value;

use dibber_skill::contract::{SKILL_UPDATE, SkillId, SkillUpdate, SkillUpdated, StoredSkill};
use dibber_skill::label::label_key;

/// Returns a skill as a subject of the journal.
pub fn skill_subject(skill_id: &SkillId) -> String {
    format!("skill {skill_id}")
}

/// Returns the skill of a label, in any case, that an interrupted run was to give this other label. None
/// if there are several.
pub fn find_renamed_skill(
    label: &str,
    new: &str,
    publisher: Publisher<'_>,
) -> Result<Option<SkillId>, JournalError> {
    let unfinished = publisher.unfinished()?;
    let writes = unfinished.values().flatten().filter_map(|write| write.details.as_ref());
    let is_it = |write: &&UnfinishedDetails| {
        let before = write.name.as_deref().map(label_key);
        let sent = write.arguments.get("name").and_then(Value::as_str);
        write.tool == SKILL_UPDATE && before == Some(label_key(label)) && sent == Some(new)
    };
    let skills = writes.filter(is_it);
    let skills = skills.filter_map(|write| write.arguments.get("skillId")?.as_str()?.parse().ok());
    let mut skills: Vec<SkillId> = skills.collect();
    skills.dedup();
    Ok(if skills.len() == 1 { skills.pop() } else { None })
}

/// Returns the answer to a change that is found to be made, since the server's was lost.
pub(super) fn found_update(skill_id: &SkillId) -> SkillUpdated {
    SkillUpdated {
        skill_id: skill_id.clone(),
        changed_fields: Vec::new(),
        content_hash: None,
        policy_decision: None,
        preview_skill: None,
        spec_hash: None,
    }
}

/// Changes a skill, which is as it was read before. It takes effect once. `spec_hash` is that of the
/// dry-run, if there was one.
///
/// # Errors
/// If the call fails, the skill was changed on the server since it was read, or the server answers
/// that it has made the change, and has stored something else.
pub async fn update_skill(
    update: &SkillUpdate,
    spec_hash: Option<&str>,
    before: &StoredSkill,
    publisher: Publisher<'_>,
) -> Result<SkillUpdated, PublishError> {
    let (client, skill_id) = (publisher.client, &before.skill_id);
    client.check_unchanged(before).await?;
    let (subject, base) = (skill_subject(skill_id), ContentHash::of_stored(before));
    let arguments = arguments_of(update);
    let intent = Intent {
        subject: Some(&subject),
        base: base.as_str(),
        name: Some(&before.name),
        repeat: Repeat::Sets,
        ..Intent::new(publisher.server, SKILL_UPDATE, &arguments)
    };
    let is_made = async || {
        let now = client.skill_get(skill_id).await?.skill;
        Ok(updated_fields(&without_stored(update.clone(), &now)).is_empty())
    };
    let call = update_arguments(update, spec_hash);
    let send = async |operation: &Operation| {
        let find = async || Ok(is_made().await?.then(|| found_update(skill_id)));
        let is_unchanged =
            async || Ok(ContentHash::of_stored(&client.skill_get(skill_id).await?.skill) == base);
        let changed = client.change_or_read((SKILL_UPDATE, &call), operation, find, is_unchanged);
        Box::pin(changed).await
    };
    let has_effect = async |_: &SkillUpdated| is_made().await;
    let answer = publisher.write(&intent, send, has_effect).await?.finish()?;
    let content = &update.apply_to(before.into());
    let expected = SentSkill { skill_id, content, previewed: None, before: Some(before) };
    let mut result = StoredResult::read(expected, answer.content_hash.as_deref(), client).await?;
    // What another writer has changed meanwhile was not sent.
    result.differing.retain(&updated_fields(update));
    result.result(skill_id)?;
    Ok(answer)
}
