//! The runs of skills of a family, for the owner of the machine.

use super::failure::Failure;
use super::server::Server;
use super::store::{FamilyId, Listed, SkillRun, SkillRunList, StoreExt};

impl Server {
    /// Returns a page of the runs of skills and of code over the Skills Protocol, the latest first.
    pub fn skill_runs(
        &self,
        family: &FamilyId,
        list: SkillRunList,
    ) -> Result<Listed<SkillRun>, Failure> {
        let family = family.clone();
        self.store().read_blocking(move |store| Ok(store.skill_runs(&family, &list)?))
    }
}
