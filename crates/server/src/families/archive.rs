//! Archiving skills.

use super::lookup::not_found;
use crate::failure::Failure;
use crate::server::Server;
use crate::store::{FamilyId, HeartbeatList, Skill, StoreExt, Writer};
use dibber_text::{ellipsize, escape_line};

/// The heartbeats that are read at once.
const PAGE_HEARTBEATS: usize = 100;

impl Server {
    /// Archives a skill, unless a heartbeat still runs it.
    pub fn archive_skill(&self, family: &FamilyId, skill: &str) -> Result<Skill, Failure> {
        let (family, skill) = (family.clone(), skill.to_owned());
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
    let mut list = HeartbeatList { after: None, limit: PAGE_HEARTBEATS };
    loop {
        let page = store.heartbeats(family, &list)?;
        let Some(end) = page.last() else { return Ok(()) };
        list.after = Some(end.id.clone());
        if let Some(heartbeat) = page.iter().find(|other| other.run_skill_id == skill.id) {
            let name = ellipsize(&heartbeat.name);
            let message = format!("the heartbeat `{}` still runs the skill", escape_line(&name));
            let fix = format!("cancel the heartbeat `{}` first", heartbeat.id);
            return Err(Failure::bad_input("SKILL_IN_USE", message, fix));
        }
    }
}
