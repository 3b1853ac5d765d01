//! Archiving skills.

use super::lookup::not_found;
use crate::failure::Failure;
use crate::server::Server;
use crate::skills;
use crate::store::{FamilyId, Skill, StoreExt};
use dibber_skill::contract::SkillId;

impl Server {
    /// Archives a skill, unless a heartbeat still runs it.
    pub fn archive_skill(&self, family: &FamilyId, skill: &SkillId) -> Result<Skill, Failure> {
        let (family, skill) = (family.clone(), skill.clone());
        let now = (self.clock)().as_millisecond();
        self.store().write_blocking(move |store| {
            let mut skill = store
                .skill(&family, &skill)?
                .ok_or_else(|| not_found("skill", "`dibber skill list` lists the skills"))?;
            skills::set_archived(store, &family, &mut skill, true, (None, now))?;
            Ok(skill)
        })
    }
}
