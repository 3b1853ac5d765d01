//! Changing single fields of a skill.

use super::heartbeat_update::arguments_of;
use super::stored_result::{SentSkill, StoredResult};
use crate::journal::{Intent, Operation, Repeat};
use crate::publish::publisher::{PublishError, Publisher};
use crate::publish::skill_patch::{updated_fields, without_stored};
use crate::typed::update_arguments;
use dibber_skill::content_hash::ContentHash;
use dibber_skill::contract::{SKILL_UPDATE, SkillId, SkillUpdate, SkillUpdated, StoredSkill};

/// Returns a skill as a subject of the journal.
pub fn skill_subject(skill_id: &SkillId) -> String {
    format!("skill {skill_id}")
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
        Box::pin(client.change_or_find((SKILL_UPDATE, &call), operation, find)).await
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
