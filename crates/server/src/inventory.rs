//! What a family has, for the owner of the machine.

use super::failure::Failure;
use super::server::Server;
use super::store::{FamilyId, HeartbeatList, Reader, Skill, SkillList, StoreExt};

/// The rows that are read at once.
const PAGE_ROWS: usize = 500;

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
            for_each_skill(store, &family, |skill| {
                if skill.is_archived {
                    inventory.archived_skills += 1;
                } else {
                    inventory.skills += 1;
                }
            })?;
            let mut list = HeartbeatList { after: None, limit: PAGE_ROWS };
            loop {
                let heartbeats = store.heartbeats(&family, &list)?;
                let Some(end) = heartbeats.last() else { return Ok(inventory) };
                list.after = Some(end.id.clone());
                inventory.heartbeats += heartbeats.len();
            }
        })
    }

    /// Returns the skill with this id, or else the skills with this label; archived ones only if
    /// there are no others.
    pub fn skills_named(&self, family: &FamilyId, name: &str) -> Result<Vec<Skill>, Failure> {
        let (family, name) = (family.clone(), name.to_owned());
        self.store().read_blocking(move |store| {
            if let Some(skill) = store.skill(&family, &name)? {
                return Ok(vec![skill]);
            }
            let (mut found, mut archived) = (Vec::new(), Vec::new());
            for_each_skill(store, &family, |skill| {
                if skill.written.name == name {
                    if skill.is_archived { &mut archived } else { &mut found }.push(skill);
                }
            })?;
            Ok(if found.is_empty() { archived } else { found })
        })
    }
}

fn for_each_skill(
    store: &(impl Reader + ?Sized),
    family: &FamilyId,
    mut visit: impl FnMut(Skill),
) -> Result<(), Failure> {
    let mut list = SkillList { limit: PAGE_ROWS, include_archived: true, ..SkillList::default() };
    loop {
        let skills = store.skills(family, &list)?;
        let Some(end) = skills.last() else { return Ok(()) };
        list.after = Some(end.id.clone());
        skills.into_iter().for_each(&mut visit);
    }
}
