//! Archiving skills.

use super::lookup::not_found;
use crate::failure::Failure;
use crate::server::Server;
use crate::store::{FamilyId, Skill, StoreExt, Writer, pages};
use dibber_skill::contract::SkillId;
use dibber_text::{ellipsize, escape_line};

impl Server {
    /// Archives a skill, unless a heartbeat still runs it.
    pub fn archive_skill(&self, family: &FamilyId, skill: &SkillId) -> Result<Skill, Failure> {
        let (family, skill) = (family.clone(), skill.clone());
        self.store().write_blocking(move |store| {
            let mut skill = store
                .skill(&family, &skill)?
                .ok_or_else(|| not_found("skill", "list the skills of the family"))?;
            if skill.is_archived {
                return Ok(skill);
            }
            refuse_if_run(store, &family, &skill)?;
            skill.is_archived = true;
            store.put_skill(&family, &skill)?;
            Ok(skill)
        })
    }
}

/// Refuses to archive a skill that a heartbeat runs.
fn refuse_if_run(store: &dyn Writer, family: &FamilyId, skill: &Skill) -> Result<(), Failure> {
    for heartbeat in pages::heartbeats(store, family) {
        let heartbeat = heartbeat?;
        if heartbeat.run_skill_id == skill.id {
            let name = ellipsize(&heartbeat.name);
            let message = format!("the heartbeat `{}` still runs the skill", escape_line(&name));
            let fix = format!("cancel the heartbeat `{}` first", heartbeat.id);
            return Err(Failure::bad_input("SKILL_IN_USE", message, fix));
        }
    }
    Ok(())
}
