//! What a family has, for the owner of the machine.

use super::failure::Failure;
use super::server::Server;
use super::store::{FamilyId, Skill, StoreExt, pages};
use dibber_skill::contract::SkillId;

/// The number of things that a family has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inventory {
    /// Skills that can be run.
    pub skills: usize,
    /// Skills that are archived.
    pub archived_skills: usize,
    /// Heartbeats that are not cancelled.
    pub heartbeats: usize,
}

impl Server {
    /// Counts what a family has.
    pub fn inventory(&self, family: &FamilyId) -> Result<Inventory, Failure> {
        let family = family.clone();
        self.store().read_blocking(move |store| {
            let mut inventory = Inventory::default();
            for skill in pages::skills(store, &family) {
                if skill?.is_archived {
                    inventory.archived_skills += 1;
                } else {
                    inventory.skills += 1;
                }
            }
            for heartbeat in pages::heartbeats(store, &family) {
                heartbeat?;
                inventory.heartbeats += 1;
            }
            Ok(inventory)
        })
    }

    /// Returns the skill with this id, or else the skills with this label; archived ones only if
    /// there are no others.
    pub fn skills_named(&self, family: &FamilyId, name: &str) -> Result<Vec<Skill>, Failure> {
        let (family, name) = (family.clone(), name.to_owned());
        self.store().read_blocking(move |store| {
            if let Some(skill) = store.skill(&family, &SkillId::from(name.as_str()))? {
                return Ok(vec![skill]);
            }
            let (mut found, mut archived) = (Vec::new(), Vec::new());
            for skill in pages::skills(store, &family) {
                let skill = skill?;
                if skill.written.name == name {
                    if skill.is_archived { &mut archived } else { &mut found }.push(skill);
                }
            }
            Ok(if found.is_empty() { archived } else { found })
        })
    }
}
